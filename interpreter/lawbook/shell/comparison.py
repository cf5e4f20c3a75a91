"""`compare`: two editions or more side by side."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from lawbook.shell.command import Arguments, Command, auction_text, edition_of, library_of, number, seat_of, wrong_usage
from lawbook.shell.files import write_page
from lawbook.shell.searching import ProgressShown, add_search_arguments, plan_of, search_options
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.compare.findings import Behaviour
    from lawbook.compare.instead import Instead
    from lawbook.edition.model import Edition


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument("b", metavar="B", help="another edition to compare it with, or the same read otherwise")
    parser.add_argument(
        "more", metavar="C", nargs="*", default=[], help="more of them: which differ from which, topic by topic"
    )
    parser.add_argument("--auction", metavar="AUCTION", help="compare how they rule on this auction, not their laws")
    parser.add_argument("--dealer", metavar="SEAT", help="who deals the auction: N, E, S or W (default: N)")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--laws-only", action="store_true", help="compare their laws, and do not search for auctions they differ on"
    )
    only.add_argument(
        "--auctions-only", action="store_true", help="show the auctions that two differ on, and not their laws"
    )
    parser.add_argument(
        "--beyond", action="store_true", help="search on after a difference, where the table looks alike all the same"
    )
    add_search_arguments(parser)
    parser.add_argument(
        "--scores",
        action=argparse.BooleanOptionalAction,
        help="also try which deals two score differently, which takes some seconds more (default: unless bids or acts "
        "are given)",
    )
    parser.add_argument(
        "--open",
        type=number("irregular acts", 0),
        metavar="N",
        help="go on to auctions with any number of irregular acts of which no more than N are open to a remedy at once",
    )
    parser.add_argument("--side-by-side", action="store_true", help="show the clauses of two editions in two columns")
    parser.add_argument(
        "--registers", action="store_true", help="show in full what the table has to remember, not in words"
    )
    parser.add_argument(
        "--other-readings",
        action="store_true",
        help="also try every other reading of each edition, one at a time, to find those that remove a difference",
    )
    parser.add_argument("--html", metavar="FILE", help="write the whole comparison of their laws to a web page")
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if they differ, or may")


def _compare(arguments: Arguments, terminal: Terminal) -> int:
    names = [arguments.a, arguments.b, *arguments.more]
    _refuse_unfit(arguments, len(names))
    editions = [edition_of(name, arguments, terminal) for name in names]
    if arguments.auction is not None:
        differ = _auction(editions, arguments, terminal)
    elif len(editions) > 2:
        differ = _matrix(editions, arguments, terminal)
    else:
        differ = _pair(editions[0], editions[1], arguments, terminal)
    return int(differ and arguments.exit_code)


def _refuse_unfit(arguments: Arguments, editions: int) -> None:
    """Options that have nothing to say to what is compared are wrong usage. Raises LawbookError."""
    from lawbook.sentences import listed

    if arguments.scores is not None and (arguments.auction is not None or arguments.laws_only):
        option = "--scores" if arguments.scores else "--no-scores"
        raise wrong_usage(f"{option} is for the search that compares two editions")
    if arguments.other_readings and arguments.laws_only and editions == 2:
        raise wrong_usage("--other-readings removes what a search finds, and with --laws-only two are not searched")
    of_two, of_many = "the clauses of two editions", "more than two editions"
    about = {"auctions_only": of_two, "side_by_side": of_two, "registers": of_two}
    for option in ("html", "laws_only", "other_readings") if arguments.auction is not None else ():
        if getattr(arguments, option):
            raise wrong_usage(f"--{option.replace('_', '-')} is for comparing laws, not the rulings on one auction")
    if arguments.dealer is not None and arguments.auction is None:
        raise wrong_usage("--dealer says who deals the auction, and none is given", help="give one with --auction")
    given = search_options(arguments)
    without = "--auction" if arguments.auction is not None else "--laws-only" if arguments.laws_only else None
    if given and without is not None:
        raise wrong_usage(
            f"{listed(given)} {'say' if len(given) > 1 else 'says'} how far to search for auctions, and with {without} "
            "none are searched for",
            help=f"leave out {without}, or {'these' if len(given) > 1 else 'this'}",
        )
    here = None if arguments.auction is not None else of_two if editions == 2 else of_many
    for option, what in about.items():
        if getattr(arguments, option) and what != here:
            raise wrong_usage(
                f"--{option.replace('_', '-')} is for comparing {what}",
                help="`lawbook compare --help` shows how it is used",
            )


def _auction(editions: list[Edition], arguments: Arguments, terminal: Terminal) -> bool:
    from lawbook.compare.ledger import ledger_of
    from lawbook.report.ledger import ledger_json, ledger_text

    text = auction_text(arguments.auction, terminal)
    ledger = ledger_of(editions, text, seat_of(arguments.dealer or "N"))
    if arguments.json:
        terminal.json(ledger_json(ledger))
    else:
        terminal.lines(ledger_text(ledger, terminal.page()))
    return ledger.divergence is not None


def _matrix(editions: list[Edition], arguments: Arguments, terminal: Terminal) -> bool:
    from lawbook.compare.instead import among
    from lawbook.compare.matrix import compare_many
    from lawbook.report.matrix import matrix_json, matrix_text

    behaviours = {}
    if not arguments.laws_only:
        for one, other in itertools.combinations(range(len(editions)), 2):
            pair = editions[one], editions[other]
            behaviours[one, other] = _behaviour(*pair, arguments, terminal, among(pair, editions))
    matrix = compare_many(
        editions, library_of(arguments), other_readings=arguments.other_readings, behaviours=behaviours
    )
    if arguments.html is not None:
        from lawbook.report.html.matrix import matrix_page

        write_page(arguments.html, matrix_page(matrix), terminal, quiet=arguments.json)
    if arguments.json:
        terminal.json(matrix_json(matrix))
    elif arguments.html is None:
        terminal.lines(matrix_text(matrix, terminal.page()))
    return matrix.differ


def _pair(a: Edition, b: Edition, arguments: Arguments, terminal: Terminal) -> bool:
    from lawbook.compare.structure import compare_structure
    from lawbook.report.behaviour import behaviour_text
    from lawbook.report.structure import structure_json, structure_text

    structure = compare_structure(a, b)
    behaviour = None if arguments.laws_only else _behaviour(a, b, arguments, terminal)
    if arguments.html is not None:
        from lawbook.report.html.comparison import comparison_page

        write_page(arguments.html, comparison_page(structure, behaviour), terminal, quiet=arguments.json)
    if arguments.json:
        terminal.json(structure_json(structure, behaviour))
    elif arguments.html is None:
        page = terminal.page()
        if behaviour is not None and arguments.auctions_only:
            terminal.lines(behaviour_text(behaviour, page))
            return behaviour.may_differ
        terminal.lines(
            structure_text(
                structure,
                page,
                side_by_side=arguments.side_by_side,
                registers=arguments.registers,
                behaviour=behaviour,
            )
        )
    return structure.differ if behaviour is None else behaviour.may_differ or structure.differ


def _behaviour(
    a: Edition, b: Edition, arguments: Arguments, terminal: Terminal, added: Iterable[Instead] = ()
) -> Behaviour:
    """What a search finds of two editions; other readings, if asked for, and what is `added` are tried for removing
    it."""
    from lawbook.compare.instead import otherwise, read_otherwise
    from lawbook.explore.behaviour import compare_behaviour

    instead = [*added]
    if arguments.other_readings:
        instead += read_otherwise((a, b), otherwise(library_of(arguments)))
    progress = ProgressShown(terminal, "comparing")
    try:
        found = compare_behaviour(a, b, plan_of(arguments, (a, b)), progress, instead)
    finally:
        progress.done()
    return _with_scores(found, terminal) if _are_scores_asked(arguments) else found


def _are_scores_asked(arguments: Arguments) -> bool:
    """Whether deals are to be tried: unless told otherwise where the whole of the bidding is searched."""
    if arguments.scores is not None:
        return bool(arguments.scores)
    return arguments.bids is None and arguments.acts is None


def _with_scores(behaviour: Behaviour, terminal: Terminal) -> Behaviour:
    """The same with the scores of deals compared, unless it was cut short already or is now."""
    from lawbook.explore.scores import compare_scores

    if not behaviour.coverage.ended_early:
        terminal.working("comparing: scores of deals")
        try:
            return replace(behaviour, scores=compare_scores(behaviour.a, behaviour.b))
        except KeyboardInterrupt:
            pass
        finally:
            terminal.working("")
    notes = (*behaviour.coverage.notes, "The scores of deals were not compared.")
    return replace(behaviour, coverage=replace(behaviour.coverage, ended_early=True, notes=notes))


COMPARE = Command(
    "compare",
    "Compare editions: with --auction how each rules on it, act by act, and where they part; without it when\n"
    "two of them rule differently, each difference with the shortest auction that shows it, and then their laws,\n"
    "topic by topic; of more than two, which differ from which.",
    (
        'compare whist-club-1912 whist-club-1913 --auction "2H 2D S:penalise P 3N"',
        "compare whist-club-1912 whist-club-1913 --irregularities 0 --bids 1S,1C --acts notice --auctions-only",
        "compare portland-bath-1908 whist-club-1912 --open 1 --bids 1S,1C --acts penalise --auctions-only",
        "compare whist-club-1912 whist-club-1913 --laws-only --side-by-side",
        "compare whist-club-1912 whist-club-1913 --laws-only --html comparison.html",
        "compare portland-bath-1908 whist-club-1912 whist-club-1913 --laws-only --other-readings",
        "compare whist-club-1912 whist-club-1912@deadline-out-of-turn=no-deadline --laws-only --exit-code",
    ),
    _configure,
    _compare,
)
