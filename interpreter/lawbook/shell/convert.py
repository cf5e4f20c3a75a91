"""`convert`: boards from one format to another."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from lawbook.diagnostics import Severity, nearest, render
from lawbook.errors import LawbookError
from lawbook.shell.command import Arguments, Command, edition_of, seat_of, wrong_usage
from lawbook.shell.files import read_file, write_file
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.formats import Format

_SCHEMA: Final = 1


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what is to be converted; `-` reads standard input")
    parser.add_argument(
        "--from", dest="source", metavar="FORMAT", help="pbn, lin, notation or jsonl; guessed if not given"
    )
    parser.add_argument(
        "--to", metavar="FORMAT", help="pbn, notation or jsonl; guessed from --output, else PBN, and of PBN notation"
    )
    parser.add_argument("--output", "-o", metavar="FILE", help="where it is written (default: standard output)")
    parser.add_argument(
        "--edition",
        metavar="EDITION",
        help="the edition by which insufficient bids are marked, and contract and declarer added where missing",
    )
    parser.add_argument(
        "--dealer", default="N", metavar="SEAT", help="who dealt where a line of notation does not say (default: N)"
    )


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.auction import arguments_of
    from lawbook.boards import completed, no_boards
    from lawbook.formats import Format, format_of_name, format_of_text, read_boards, write_boards
    from lawbook.loading import signs_of
    from lawbook.values import NO_SIGNS

    name, text = read_file(arguments.file)
    source = _format(arguments.source, "--from") or format_of_name(name) or format_of_text(text)
    target = _format(arguments.to, "--to")
    if target is None and arguments.output is not None:
        target = format_of_name(arguments.output)
    target = target or (Format.NOTATION if source is Format.PBN else Format.PBN)
    if target is Format.LIN:
        raise wrong_usage("LIN is read, and not written", help="--to takes pbn, notation or jsonl")
    edition = None if arguments.edition is None else edition_of(arguments.edition, arguments, terminal)
    acts = None if edition is None else arguments_of(edition)
    terminal.sources[name] = text
    signs = NO_SIGNS if edition is None else signs_of(edition)
    reading = read_boards(text, name, source, acts=acts, dealer=seat_of(arguments.dealer), signs=signs)
    if not reading.boards:
        raise LawbookError([*reading.diagnostics, no_boards(name)])
    boards = reading.boards if edition is None else tuple(completed(edition, board) for board in reading.boards)
    written = write_boards(boards, target)
    if arguments.output is not None:
        write_file(arguments.output, written)
    if arguments.json:
        terminal.json(
            {
                "schema": _SCHEMA,
                "from": source.value,
                "to": target.value,
                "boards": len(boards),
                "output": arguments.output,
                "text": None if arguments.output is not None else written,
                "findings": [finding.as_json() for finding in reading.diagnostics],
            }
        )
    else:
        if arguments.output is None:
            terminal.text(written)
        page = terminal.error_page()
        terminal.complain(render(reading.diagnostics, colour=page.colour, width=page.width, source=terminal.source))
    return 1 if any(finding.severity is Severity.ERROR for finding in reading.diagnostics) else 0


def _format(name: str | None, option: str) -> Format | None:
    from lawbook.formats import Format

    if name is None:
        return None
    names = {form.value: form for form in Format}
    if name.lower() not in names:
        raise wrong_usage(
            f"there is no format `{name}`",
            help=f"{option} takes {', '.join(names)}",
            suggestion=nearest(name, names),
        )
    return names[name.lower()]


CONVERT = Command(
    "convert",
    "Convert boards: PBN, LIN (read only), Lawbook's notation with an auction a line, JSON lines with all of a board.\n"
    "An auction that PBN has no words for, such as one with royal spades, stands under [LawbookAuction] there.\n"
    "What could not be read is told of on standard error, and the exit status is then 1; 2 where there is no board.",
    (
        "convert boards.pbn",
        "convert boards.pbn --to jsonl -o boards.jsonl",
        "convert match.lin -o match.pbn",
        "convert auctions.txt --to pbn --edition contract-2017",
    ),
    _configure,
    _run,
)
