"""`penalties`: what an edition lays down for each offence."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, edition_of
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")


def _penalties(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.penalties import penalties_json, penalties_text

    edition = edition_of(arguments.edition, arguments, terminal)
    if arguments.json:
        terminal.json(penalties_json(edition))
    else:
        terminal.lines(penalties_text(edition, terminal.page()))
    return 0


PENALTIES = Command(
    "penalties",
    "Show what an edition lays down for each offence: what follows at once, what may be demanded and by whom,\n"
    "or that there is no penalty. Beneath it stands what the laws mean by verbs of their own, such as `debar`.\n"
    "All of it is read off the clauses, so it says what `lawbook rule` does.",
    ("penalties whist-club-1912", "penalties contract-2017", "penalties whist-club-1913 --json"),
    _configure,
    _penalties,
)
