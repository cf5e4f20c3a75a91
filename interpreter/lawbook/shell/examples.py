"""`example`: examples added to the law files, listed, and shown with what they turn on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lawbook.shell.command import Arguments, Command, edition_of, library_of, wrong_usage
from lawbook.shell.files import write_file
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import Library
    from lawbook.edition.model import Edition
    from lawbook.examples import Shown


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="add|list|show", choices=("add", "list", "show"), help="what to do")
    parser.add_argument("edition", metavar="EDITION", help="the edition whose examples are meant")
    parser.add_argument(
        "words",
        metavar="...",
        nargs="*",
        help='of add: the auction so far ("" for none) and the act that is ruled on; of list: a law, by its number or '
        "topic; of show: some words of the example's sentence",
    )
    parser.add_argument("--law", metavar="LAW", help="the law the example goes to, by its topic, number or file")
    parser.add_argument("--that", metavar="TEXT", help="what the example shows; a sentence is made if not given")
    parser.add_argument("--dealer", metavar="SEAT", help="who deals: N, E, S or W; N if not given")
    parser.add_argument(
        "--also",
        metavar="KEY,...",
        help="what else the example says: options, status, turn, contract, debarred, points, defeated, only-lawful",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be added, and where, and add nothing")


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.edition.library import Library

    library = library_of(arguments) or Library.shipped()
    edition = edition_of(arguments.edition, arguments, terminal)
    if arguments.what != "add":
        for option in ("law", "that", "dealer", "also"):
            if getattr(arguments, option) is not None:
                raise wrong_usage(f"--{option} says something of an example to add", help="it goes with `example add`")
        if arguments.dry_run:
            raise wrong_usage("nothing is added, so there is nothing to try", help="--dry-run goes with `example add`")
    match arguments.what:
        case "add":
            return _add(library, edition, arguments, terminal)
        case "list":
            return _list(library, edition, arguments, terminal)
        case _:
            return _show(library, edition, arguments, terminal)


def _add(library: Library, edition: Edition, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.examples.drafting import FURTHER, draft
    from lawbook.examples.writing import check_new, law_for, with_example
    from lawbook.notation import AUCTION_FILE
    from lawbook.report.examples import added_json, added_text
    from lawbook.values import Seat

    if len(arguments.words) != 2:
        raise wrong_usage(
            "an example is an auction and an act",
            help='write for instance: lawbook example add EDITION "2H 2D" S:penalise',
        )
    auction, act = arguments.words
    if len(act.split()) != 1:
        raise wrong_usage(f"one act is expected, not `{act}`", help="the acts before it belong to the auction")
    terminal.sources[AUCTION_FILE] = f"{auction} {act}".strip()
    also = [key.replace("-", " ") for key in (arguments.also or "").split(",") if key]
    for key in also:
        if key not in FURTHER:
            known = ", ".join(known.replace(" ", "-") for known in FURTHER)
            raise wrong_usage(f"an example does not say `{key}` besides", help=f"it can say: {known}")
    dealer = str(Seat.parse(arguments.dealer)) if arguments.dealer else "N"
    found = draft(edition, auction, act, dealer, arguments.that, also)
    law = law_for(edition, found, arguments.law)
    check_new(library, edition, found)
    written = with_example(library, edition, law, found)
    shown = library.shown(written.path)
    if not arguments.dry_run:
        write_file(str(written.path), written.text)
    if arguments.json:
        terminal.json(added_json(edition, law, shown, written, found, added=not arguments.dry_run))
    else:
        terminal.lines(added_text(shown, written, added=not arguments.dry_run))
    return 0


def _list(library: Library, edition: Edition, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.examples import shown_by
    from lawbook.examples.writing import laws_called
    from lawbook.report.examples import list_json, list_text

    wanted = " ".join(arguments.words)
    files = {law.file for law in laws_called(edition, wanted)} if wanted else None
    examples = [e for e in shown_by(library, edition) if files is None or e.file in files]
    if arguments.json:
        terminal.json(list_json(edition, examples))
    else:
        terminal.lines(list_text(edition, examples, terminal.page()))
    return 0


def _show(library: Library, edition: Edition, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.examples import run, shown_by
    from lawbook.examples.failing import all_looks
    from lawbook.report.examples import Seen, show_json, show_text

    examples = shown_by(library, edition)
    found = _meant(examples, " ".join(arguments.words))
    own = library_of(arguments)
    seen, failed = [], False
    for example in found:
        for outcome in run(example, own):
            failed = failed or not outcome.passed
            for one in (outcome.own, outcome):
                if one is not None:
                    under = edition_of(one.edition, arguments, terminal)
                    seen.append(Seen(one, () if one.error is not None else all_looks(one, under)))
    if arguments.json:
        terminal.json(show_json(edition, seen))
    else:
        terminal.lines(show_text(seen, terminal.page()))
    return 1 if failed else 0


def _meant(examples: tuple[Shown, ...], words: str) -> list[Shown]:
    """The examples that are meant: the one of that very sentence, or all whose sentences hold these words."""
    from lawbook.diagnostics import nearest

    if not words:
        raise wrong_usage("which example is not said", help="give some words of its sentence")
    exact = [e for e in examples if e.that == words]
    found = exact or [e for e in examples if words.casefold() in e.that.casefold()]
    if not found:
        raise wrong_usage(
            f"no example says `{words}`",
            suggestion=nearest(words, (e.that for e in examples)),
            help="`lawbook example list EDITION` lists them",
        )
    return found


EXAMPLE = Command(
    "example",
    "Add an example to a law file: the auction is ruled on, and the ruling written down with its reasons, beside the\n"
    "clauses it rests on. Or list the examples of an edition, or show some with every condition they turn on.",
    (
        'example add whist-club-1912 "2H 2D" S:penalise --dry-run',
        'example add our-table "1H" 1R --laws our-rules --that "one royal spade does not beat one heart"',
        "example list whist-club-1912 50",
        "example show whist-club-1912 overbids his partner",
    ),
    _configure,
    _run,
)
