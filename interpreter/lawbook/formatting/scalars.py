"""Scalars: a text in, the way it is written in YAML out: plain where that reads back as the same text, else quoted."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Final

WIDTH: Final = 120
"""The longest line, in characters, as far as texts can be parted."""

# What other readers of YAML take for a figure, a truth, nothing or a date where it stands without quotes.
_AMBIGUOUS: Final = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|~|\.nan|[-+]?\.inf)"
    r"|[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*([eE][-+]?[0-9]+)?"
    r"|[0-9][0-9., ]*|[-+]?0[xob][0-9a-fA-F_]+|[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[0-9]{4}-[0-9]{1,2}(-[0-9]{1,2}([Tt ].*)?)?"
)
# What can only stand in double quotes, as an escape.
_ESCAPED: Final = re.compile(r"[\t\n\r]")
_INDICATORS: Final = frozenset("-?:,[]{}#&*!|>'\"%@`=")
_FLOW: Final = frozenset(",?[]{}")


def is_ambiguous(text: str) -> bool:
    """Whether another reader of YAML would take a text without quotes for something else than text.

    >>> is_ambiguous("1913"), is_ambiguous("1913-11"), is_ambiguous("50a")
    (True, True, False)
    """
    return not text or _AMBIGUOUS.fullmatch(text) is not None


def can_be_plain(text: str, *, in_brackets: bool) -> bool:
    """Whether a text can stand without quotes.

    >>> can_be_plain("Cards shown", in_brackets=False), can_be_plain("Law 50: bids", in_brackets=False)
    (True, False)
    """
    if not text or text != text.strip() or _ESCAPED.search(text):
        return False
    # As a key it would merge.
    if text == "<<":
        return False
    # A hyphen before a letter or a figure begins no item.
    if text[0] in _INDICATORS and not re.match(r"-[^\s,\[\]{}-]", text):
        return False
    if ": " in text or " #" in text or text.endswith(":"):
        return False
    return not (in_brackets and (_FLOW & set(text) or re.search(r":(?=[,\[\]{}]|$)", text)))


def written(text: str, *, in_brackets: bool = False, quoted: bool = False) -> str:
    """A text on one line, in quotes if it needs them or they are asked for."""
    if not quoted and can_be_plain(text, in_brackets=in_brackets):
        return text
    if _ESCAPED.search(text):
        return json.dumps(text, ensure_ascii=False)
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def folded(text: str, indent: int) -> list[str]:
    """The lines of a long text under `>-`, indented; reading them gives the same words."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def kept_lines(text: str, indent: int) -> list[str] | None:
    """The lines of a text under `|-`, indented; None if it cannot be written so."""
    lines = text.split("\n")
    if not lines[0] or lines[0][0] == " " or not lines[-1].strip():
        return None
    if any(line != line.rstrip() or _ESCAPED.search(line) for line in lines):
        return None
    return [" " * indent + line if line else "" for line in lines]
