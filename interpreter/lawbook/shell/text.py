"""`text`: a user's own transcriptions of the laws."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, edition_of, wrong_usage
from lawbook.shell.files import read_file
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="add|list|remove", choices=("add", "list", "remove"), help="what is to be done")
    parser.add_argument("edition", metavar="EDITION", nargs="?", help="the edition whose text it is")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a plain text in which each law begins on a new line with its number"
    )
    parser.add_argument("--replace", action="store_true", help="put the text in the place of one that is kept already")


def _run(arguments: Arguments, terminal: Terminal) -> int:
    wanted = {"add": 2, "list": 0, "remove": 1}[arguments.what]
    given = sum(name is not None for name in (arguments.edition, arguments.file))
    if given != wanted:
        needs = {"add": "an edition and a file", "list": "nothing else", "remove": "an edition"}[arguments.what]
        raise wrong_usage(f"`text {arguments.what}` takes {needs}", help="`lawbook text --help` shows how it is used")
    return {"add": _add, "list": _list, "remove": _remove}[arguments.what](arguments, terminal)


def _add(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.texts import added_json, added_text
    from lawbook.texts import Shelf, check_characters, no_laws, read_text

    edition = edition_of(arguments.edition, arguments, terminal)
    name, text = read_file(arguments.file)
    terminal.sources[name] = text
    check_characters(text, name)
    found = read_text(text, [law.number for law in edition.laws])
    if not found.passages:
        raise no_laws(name)
    kept = Shelf.of(arguments.laws).add(edition.id, text, replace=arguments.replace)
    if arguments.json:
        terminal.json(added_json(edition, kept, found))
    else:
        terminal.lines(added_text(edition, kept, found, terminal.page()))
    return 0


def _list(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.errors import LawbookError
    from lawbook.report.texts import list_json, list_text
    from lawbook.texts import Shelf

    found = []
    for kept in Shelf.of(arguments.laws).kept():
        try:
            numbers = [law.number for law in edition_of(kept.edition, arguments, terminal).laws]
        except LawbookError:
            # A text may be kept of an edition that is not at hand now.
            numbers = []
        found.append((kept, kept.read(numbers)))
    if arguments.json:
        terminal.json(list_json(found))
    else:
        terminal.lines(list_text(found, terminal.page()))
    return 0


def _remove(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.texts import removed_json, removed_text
    from lawbook.texts import Shelf

    kept = Shelf.of(arguments.laws).remove(arguments.edition)
    if arguments.json:
        terminal.json(removed_json(kept))
    else:
        terminal.lines(removed_text(kept, terminal.page()))
    return 0


TEXT = Command(
    "text",
    "Keep a transcription of the laws of your own, which `lawbook show` then prints\n"
    "beside the clauses; Lawbook itself comes with no text. It is kept in the folder\n"
    "`texts` of the first --laws, else in the folder that LAWBOOK_TEXTS names, else\n"
    "among what the system keeps for you.",
    (
        "text add whist-club-1912 laws-of-1912.txt",
        "text list",
        "text remove whist-club-1912",
    ),
    _configure,
    _run,
)
