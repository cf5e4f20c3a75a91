"""Files that a command reads: their text, or a message that says why there is none."""

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
