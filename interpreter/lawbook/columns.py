"""How many columns of a terminal a text takes: two for a character of an East Asian script, none for an accent."""

from __future__ import annotations

import textwrap
import unicodedata


def columns_of(text: str) -> int:
    """How many columns a text takes: two for a wide character, none for a combining one.

    >>> columns_of("Auction"), columns_of("競売"), columns_of("e\\u0301")
    (7, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def wrapped(text: str, width: int, first: str = "", later: str = "", *, breaks: bool = False) -> list[str]:
    """A text as lines of at most so many columns, the first and the later ones indented. `breaks`: words wider than a
    line are broken, and others at their hyphens.

    >>> wrapped("競売の 法律 of 1912", 8)
    ['競売の', '法律 of', '1912']
    """
    if text.isascii() or all(columns_of(letter) == 1 for letter in set(text)):
        return textwrap.wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=later,
            break_on_hyphens=breaks,
            break_long_words=breaks,
        )
    lines: list[str] = []
    line, is_begun = first, False
    for part in _parts(" ".join(text.split()), width - max(len(first), len(later)) if breaks else None):
        if is_begun and columns_of(line) + columns_of(part.rstrip()) > width:
            lines.append(line.rstrip())
            line, is_begun = later, False
        if is_begun or part != " ":
            line, is_begun = line + part, True
    return [*lines, line.rstrip()] if is_begun else lines


def _parts(text: str, most: int | None) -> list[str]:
    """What a line may end after: words, spaces, and single wide characters; accents stay with what bears them. No word
    has more than `most` columns, where that is given."""
    parts: list[str] = []
    for letter in text:
        alone = letter == " " or columns_of(letter) == 2
        before = parts[-1] if parts else " "
        is_full = most is not None and columns_of(before) >= most
        if parts and (columns_of(letter) == 0 or not (alone or is_full or before == " " or columns_of(before[0]) == 2)):
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts
