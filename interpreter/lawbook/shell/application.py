"""The application: finds the command, runs it, and turns whatever goes wrong into a message and an exit status."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity, nearest, render
from lawbook.errors import LawbookError
from lawbook.shell.command import Command, parser_of, wrong_usage
from lawbook.shell.terminal import Terminal

# Each command, the module that has it, and what it is for. A module is imported when its command is used.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "editions": ("library", "which editions there are"),
    "laws": ("library", "the laws of an edition"),
    "show": ("library", "an edition, or one law of it, as readable text"),
    "readings": ("library", "what an edition's text leaves open, and how it is read"),
    "rule": ("rulings", "rule on an auction"),
    "replay": ("rulings", "one auction under several editions, act by act"),
    "compare": ("comparison", "editions side by side, law by law or in one auction"),
    "history": ("history", "a topic across the editions, the oldest first"),
    "score": ("score", "what a deal or a rubber is worth"),
    "penalties": ("penalties", "what is laid down for each offence"),
    "gaps": ("gaps", "what an edition leaves open, contradicts, or says in vain"),
    "count": ("counting", "how many lawful auctions there are"),
    "convert": ("convert", "boards from PBN, LIN, notation or JSON lines to another of them"),
    "check": ("checks", "find mistakes in editions and laws"),
    "explain": ("explain", "what a message means, and how to mend it"),
    "test": ("testing", "run the examples in the law files"),
    "example": ("examples", "add an example to a law file, list examples, show what they turn on"),
    "new": ("drafting", "files to begin with: an edition, a law, a house rule"),
    "diff": ("difference", "what a change of files, or of edition, changes in the laws"),
    "fmt": ("formatting", "files in their canonical form"),
    "schema": ("schema", "the JSON Schema of a kind of file, for editors"),
    "lsp": ("lsp", "help an editor: mistakes, words and meanings as you write"),
    "text": ("text", "your own transcriptions of the laws, shown beside the clauses"),
    "engine": ("engine", "answer a program's requests, a JSON line each"),
}

WRONG: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def run(argv: Sequence[str], terminal: Terminal | None = None) -> int:
    """Run the command with these arguments; returns its exit status. Nothing is raised.

    0: done. 1: done, and there are findings. 2: wrong usage or unreadable input.
    """
    terminal = terminal or Terminal.standard()
    try:
        status = _run(list(argv), terminal)
        terminal.out.flush()
        return status
    except LawbookError as error:
        return _complain(error.diagnostics, list(argv), terminal)
    except KeyboardInterrupt:
        terminal.complain("\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; nothing more can be written, not even when the stream is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EFBIG):
            return _unexpected(error, list(argv), terminal)
        terminal.complain(f"error: what was to be said cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except Exception as error:
        return _unexpected(error, list(argv), terminal)


def _run(argv: list[str], terminal: Terminal) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        if len(argv) > 1 and argv[0] == "help":
            return _run([argv[1], "--help"], terminal)
        terminal.lines(_overview())
        return 0 if argv else WRONG
    if argv[0] in ("-V", "--version"):
        from lawbook import __version__

        terminal.lines([f"lawbook {__version__}"])
        return 0
    command = _command(argv[0])
    return command.run(parser_of(command).parse_intermixed_args(argv[1:]), terminal)


def _command(name: str) -> Command:
    if name not in COMMANDS:
        what = "option" if name.startswith("-") else "command"
        raise wrong_usage(
            f"unknown {what} `{name}`",
            suggestion=nearest(name, COMMANDS),
            help=f"the commands are: {', '.join(COMMANDS)}",
        )
    module = importlib.import_module(f"lawbook.shell.{COMMANDS[name][0]}")
    found = getattr(module, name.upper())
    assert isinstance(found, Command)
    return found


def _overview() -> list[str]:
    width = max(len(name) for name in COMMANDS)
    return [
        "usage: lawbook COMMAND ...",
        "",
        "The laws of auction bridge as data: rule on an auction under an edition, compare",
        "editions.",
        "",
        "commands:",
        *(f"  {name:<{width}}  {about}" for name, (_, about) in COMMANDS.items()),
        "",
        "examples:",
        "  lawbook editions",
        '  lawbook rule whist-club-1912 "2H 2D S:penalise"',
        "  lawbook compare whist-club-1912 whist-club-1913 \\",
        '    --auction "2H 2D S:penalise P 3N"',
        "",
        "`lawbook COMMAND --help` says more of a command. An edition can be read in",
        "another way: `whist-club-1912@correction-after-notice=literal-52`; `lawbook",
        "readings` shows what is open.",
    ]


# -- complaints --------------------------------------------------------------------------------------------------------


def _complain(diagnostics: Sequence[Diagnostic], argv: Sequence[str], terminal: Terminal) -> int:
    if "--json" in argv:
        terminal.json({"schema": 1, "errors": [diagnostic.as_json() for diagnostic in diagnostics]})
        terminal.out.flush()
        return WRONG
    if argv[:1] == ["check"] and "--sarif" in argv:
        from lawbook.report.sarif import failed

        terminal.json(failed(diagnostics, WRONG))
        terminal.out.flush()
        return WRONG
    page = terminal.error_page()
    terminal.complain(render(diagnostics, colour=page.colour, width=page.width, source=terminal.source))
    return WRONG


def _unexpected(error: Exception, argv: Sequence[str], terminal: Terminal) -> int:
    """Complain of what should not have happened; raise it again where its traceback is asked for."""
    if os.environ.get("LAWBOOK_TRACEBACK"):
        raise error
    message = f"Lawbook has a mistake of its own: {type(error).__name__}: {error}"
    help = "set LAWBOOK_TRACEBACK=1 to see where, and report it"
    return _complain([Diagnostic("internal-error", Severity.ERROR, message, help=help)], argv, terminal)
