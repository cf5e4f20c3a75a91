"""Files that a command reads or writes, or a message that says why it cannot."""

from __future__ import annotations

import sys
from pathlib import Path

from lawbook.formats import decode
from lawbook.shell.command import wrong_usage

STANDARD_INPUT = "<standard input>"


def read_file(path: str) -> tuple[str, str]:
    """The name to show for a file and its text; `-` is standard input. Raises LawbookError if it cannot be read."""
    if path == "-":
        return STANDARD_INPUT, decode(sys.stdin.buffer.read())
    try:
        return path, decode(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong_usage(f"{path} cannot be read: {reason}") from None


def write_file(path: str, text: str) -> None:
    """Write a text to a file. Raises LawbookError if it cannot be written."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong_usage(f"{path} cannot be written: {reason}") from None
