"""`editions`, `laws`, `show` and `readings`: what there is to rule by."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, edition_of, library_of
from lawbook.shell.terminal import Terminal


def _edition_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")


def _editions(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.inventory import inventory
    from lawbook.report.editions import editions_json, editions_text

    found, broken = inventory(library_of(arguments))
    if arguments.json:
        terminal.json(editions_json(found, broken))
    else:
        terminal.lines(editions_text(found, broken, terminal.page()))
    return 0


EDITIONS = Command(
    "editions",
    "List the editions: id, title, body, date, how many laws, and the beginning of the hash of their meaning.",
    ("editions", "editions --laws my-rules --json"),
    lambda parser: None,
    _editions,
)


def _laws(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.editions import laws_json, laws_text

    edition = edition_of(arguments.edition, arguments, terminal)
    if arguments.json:
        terminal.json(laws_json(edition))
    else:
        terminal.lines(laws_text(edition, terminal.page()))
    return 0


LAWS = Command(
    "laws",
    "List the laws of an edition, each with its number, topic and number of clauses,\n"
    "and what of the text is not at hand.",
    ("laws whist-club-1912",),
    _edition_argument,
    _laws,
)


def _configure_show(parser: argparse.ArgumentParser) -> None:
    _edition_argument(parser)
    parser.add_argument(
        "part",
        metavar="LAW|TOPIC|CLAUSE",
        nargs="?",
        help="a law's number (50, 50a, `Decision 2`), `custom`, a topic, a chapter or a clause; all if not given",
    )


def _show(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.editions import select, show_json, show_text
    from lawbook.texts import words_of

    edition = edition_of(arguments.edition, arguments, terminal)
    selection = select(edition, arguments.part)
    words = words_of(edition, arguments.laws)
    if arguments.json:
        terminal.json(show_json(edition, selection, words))
    else:
        terminal.lines(show_text(edition, selection, terminal.page(), words))
    return 0


SHOW = Command(
    "show",
    "Show an edition as it is ruled by, or one law, topic or clause of it: where it comes from, what it says,\n"
    "and each clause's conditions and effects. A text of yours that was added with `lawbook text` stands beside them.",
    ("show whist-club-1912 50", "show whist-club-1913 debarred-player-declares", "show whist-club-1912 insufficient"),
    _configure_show,
    _show,
)


def _readings(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.editions import readings_json, readings_text

    edition = edition_of(arguments.edition, arguments, terminal)
    if arguments.json:
        terminal.json(readings_json(edition))
    else:
        terminal.lines(readings_text(edition, terminal.page()))
    return 0


READINGS = Command(
    "readings",
    "Show what an edition's text leaves open: the question, every way to read it, the default and the reason for it.",
    ("readings whist-club-1912", "readings whist-club-1912@correction-after-notice=literal-52"),
    _edition_argument,
    _readings,
)
