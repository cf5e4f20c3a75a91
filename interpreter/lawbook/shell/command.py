"""Commands: what every one of them has, and how its arguments are read."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.errors import LawbookError
from lawbook.records import dataclass
from lawbook.shell.terminal import Terminal, columns_shown
from lawbook.values import shorten

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
        help = f"`{self.prog} --help` shows how it is used"
        for pattern, say in _COMPLAINTS:
            if (found := re.fullmatch(pattern, message, re.DOTALL)) is not None:
                said, told, suggestion = say(self, *found.groups())
                help = f"{told}; {help}" if told else help
                raise wrong_usage(said, help=help, suggestion=suggestion)
        raise wrong_usage(message, help=help)

    def _get_value(self, action: argparse.Action, text: str) -> object:
        # An empty path would be the working folder, and an empty number or name the default.
        if not text.strip() and action.dest not in _MAY_BE_EMPTY:
            raise argparse.ArgumentError(action, _EMPTY)
        return super()._get_value(action, text)

    def action_of(self, name: str) -> argparse.Action | None:
        """The argument or option that argparse calls so in its messages."""
        for action in self._actions:
            if name in ("/".join(action.option_strings), action.metavar, action.dest):
                return action
        return None


Said = tuple[str, str | None, str | None]
"""A message, what helps besides, and what was probably meant."""


def _missing(parser: Parser, names: str) -> Said:
    found = names.split(", ")
    actions = [(name, parser.action_of(name)) for name in found]
    told = [f"{name} is {action.help}" for name, action in actions if action is not None and action.help]
    several = len(found) > 1
    listed = f"{', '.join(found[:-1])} and {found[-1]}" if several else found[0]
    return f"{listed} {'are' if several else 'is'} missing", "; ".join(told) or None, None


def _unknown(parser: Parser, names: str) -> Said:
    first = names.split()[0]
    if first.startswith("-"):
        return f"unknown option `{first}`", None, nearest(first, parser._option_string_actions)
    return f"`{shorten(first)}` is more than this command takes", None, None


def _no_choice(parser: Parser, name: str, given: str, _choices: str) -> Said:
    action = parser.action_of(name)
    choices = [str(choice) for choice in (action.choices if action is not None else None) or ()]
    given = given.strip("'\"")
    return f"`{shorten(given)}` cannot stand here, only: {', '.join(choices)}", None, nearest(given, choices)


def _without_value(parser: Parser, name: str) -> Said:
    action = parser.action_of(name)
    return f"{name} takes a value", action.help if action is not None else None, None


def _empty(parser: Parser, name: str) -> Said:
    action = parser.action_of(name)
    said = "takes a value, not an empty one" if name.startswith("-") else "cannot be empty"
    return f"{name} {said}", action.help if action is not None else None, None


# An auction may be one without acts, and what an example is made of may begin with one.
_MAY_BE_EMPTY: Final = ("auction", "words")
_EMPTY: Final = "is empty"

# What argparse says, as a pattern to be compiled where it complains, and how it is said here.
_COMPLAINTS: Final[tuple[tuple[str, Callable[..., Said]], ...]] = (
    (r"the following arguments are required: (.+)", _missing),
    (r"unrecognized arguments: (.+)", _unknown),
    (r"argument (.+?): invalid choice: (.+?) \(choose from (.+)\)", _no_choice),
    (r"argument (\S+): expected one argument", _without_value),
    (rf"argument (.+?): {_EMPTY}", _empty),
    (
        r"argument (\S+): not allowed with argument (\S+)",
        lambda _, one, other: (f"{other} and {one} exclude each other", None, None),
    ),
    (
        r"argument (\S+): ignored explicit argument '(.*)'",
        lambda _, name, given: (f"{name} takes no value, so `{shorten(given)}` cannot be meant", None, None),
    ),
    # What `number` says of itself.
    (r"argument (\S+): (takes .+)", lambda _, name, said: (f"{name} {said}", None, None)),
)


def number(what: str, least: int, kind: type[float] = int) -> Callable[[str], float]:
    """A reader of numbers for an option: of those above `least` where they are fractions, else from it on. `what` says
    what is counted."""

    def read(text: str) -> float:
        try:
            found = kind(text) if text.isascii() and len(text) <= _LONGEST_NUMBER else None
        except ValueError:
            found = None
        if found is None or not (found >= least if kind is int else found > least):
            wanted = f"at least {least}" if kind is int else f"above {least}"
            raise argparse.ArgumentTypeError(f"takes a number of {what}, {wanted}, not `{shorten(text)}`")
        return found

    return read


_LONGEST_NUMBER: Final = 15


def wrong_usage(message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    """The error, to be raised, for a command line that cannot be understood."""
    return LawbookError([Diagnostic("wrong-usage", Severity.ERROR, message, help=help, suggestion=suggestion)])


# The widest that help is written, and the words of a command; what stands in quotes is one, and so is an option with
# its value.
_WIDTH: Final = 80
_WORDS: Final = re.compile(r'(?:--[a-z-]+ (?!-))?(?:[^\s"]|"[^"]*")+')


def _laid_out(about: str) -> str:
    """What a command says of itself, each paragraph filled; one with lines that are set in keeps its lines."""
    paragraphs = (part.strip("\n") for part in about.split("\n\n"))
    return "\n\n".join(
        part if re.search("^ ", part, re.MULTILINE) else textwrap.fill(" ".join(part.split()), _WIDTH - 1)
        for part in paragraphs
    )


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse, left to itself, imports a large module to find how wide that is, for each
    argument that is added."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns_shown() - 2)


def parser_of(command: Command) -> Parser:
    """The parser for one command's arguments."""
    from lawbook.report.layout import command_lines

    shown = (command_lines(["lawbook", *_WORDS.findall(example)], _WIDTH, 2) for example in command.examples)
    examples = "".join(f"\n{line}" for lines in shown for line in lines)
    parser = Parser(
        prog=f"lawbook {command.name}",
        description=_laid_out(command.about),
        epilog=f"examples:{examples}",
        formatter_class=_Formatter,
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
