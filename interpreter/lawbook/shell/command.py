"""Commands: what every one of them has, and how its arguments are read."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.errors import LawbookError
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import Library
    from lawbook.edition.model import Edition
    from lawbook.values import Seat

Arguments = argparse.Namespace


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it says of itself, how it reads its arguments, and what it does (returning the exit status)."""

    name: str
    about: str
    examples: tuple[str, ...]
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments, Terminal], int]


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are diagnostics like all others."""

    def error(self, message: str) -> NoReturn:
        found = _UNRECOGNISED.match(message)
        raise wrong_usage(
            f"unknown option `{found[1]}`" if found else message,
            help=f"`{self.prog} --help` shows how it is used",
            suggestion=nearest(found[1], self._option_string_actions) if found else None,
        )


_UNRECOGNISED: Final = re.compile(r"unrecognized arguments: (-\S+)")


def wrong_usage(message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    """The error, to be raised, for a command line that cannot be understood."""
    return LawbookError([Diagnostic("wrong-usage", Severity.ERROR, message, help=help, suggestion=suggestion)])


def parser_of(command: Command) -> Parser:
    """The parser for one command's arguments."""
    examples = "".join(f"\n  lawbook {example}" for example in command.examples)
    parser = Parser(
        prog=f"lawbook {command.name}",
        description=textwrap.fill(" ".join(command.about.split()), 79),
        epilog=f"examples:{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.configure(parser)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument(
        "--laws",
        action="append",
        default=[],
        metavar="DIR",
        type=Path,
        help="a folder of your own with editions and laws, looked into before the shipped ones; may be repeated",
    )
    return parser


def library_of(arguments: Arguments) -> Library | None:
    """The library with the user's own folders first; None if there are none. Raises LawbookError if one is missing."""
    from lawbook.edition.library import Library

    folders: list[Path] = arguments.laws
    for folder in folders:
        if not folder.is_dir():
            raise wrong_usage(f"there is no folder {folder}", help="--laws takes a folder of editions and laws")
    return Library.shipped(folders) if folders else None


def edition_of(name: str, arguments: Arguments, terminal: Terminal) -> Edition:
    """The edition of that name, the name noted so that a message can show it. Raises LawbookError."""
    from lawbook.auction import load
    from lawbook.notation import EDITION_FILE

    terminal.sources[EDITION_FILE] = name
    return load(name, library_of(arguments))


def auction_text(given: str | list[str], terminal: Terminal) -> str:
    """An auction given as one argument or several, or on standard input where it is `-`."""
    from lawbook.notation import AUCTION_FILE

    text = given if isinstance(given, str) else " ".join(given)
    if text == "-":
        text = sys.stdin.read()
    terminal.sources[AUCTION_FILE] = text
    return text


def seat_of(text: str) -> Seat:
    """The seat named. Raises LawbookError."""
    from lawbook.values import Seat

    return Seat.parse(text)
