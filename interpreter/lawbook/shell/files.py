"""Files that a command reads or writes, or a message that says why it cannot."""

from __future__ import annotations

import sys
from pathlib import Path

from lawbook.shell.command import wrong_usage
from lawbook.shell.terminal import Terminal

STANDARD_INPUT = "<standard input>"


def read_file(path: str) -> tuple[str, str]:
    """The name to show for a file and its text; `-` is standard input. Raises LawbookError if it cannot be read."""
    from lawbook.formats import decode

    if path == "-":
        name, content = STANDARD_INPUT, sys.stdin.buffer.read()
    else:
        try:
            name, content = path, Path(path).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise wrong_usage(f"{path} cannot be read: {reason}") from None
    text = decode(content)
    if "\0" in text:
        raise wrong_usage(f"{name} is not a text", help="it holds bytes that no text has")
    return name, text


def write_file(path: str, text: str) -> None:
    """Write a text to a file. Raises LawbookError if it cannot be written."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong_usage(f"{path} cannot be written: {reason}") from None


def make_folder(path: Path) -> None:
    """Make a folder, and those it lies in, if it is not there. Raises LawbookError if it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise wrong_usage(f"{path} is no folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong_usage(f"the folder {path} cannot be made: {reason}") from None


def write_page(path: str, page: str, terminal: Terminal, *, quiet: bool) -> None:
    """Write a web page to a file and, unless `quiet`, say so. Raises LawbookError if it cannot be written."""
    write_file(path, page)
    if not quiet:
        terminal.lines(terminal.page().wrap(f"{path} is written."))
