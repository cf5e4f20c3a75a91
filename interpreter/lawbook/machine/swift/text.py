"""What a tree is folded to: numbers and truths where they are known, the text of Python expressions where not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias


class Code(str):
    """The text of an expression that is not known before the values are."""

    __slots__ = ()


Folded: TypeAlias = int | Code | None
Known: TypeAlias = Mapping[str, Folded]
"""What is bound, as far as it is known."""

_COMPARED: Final = re.compile(r"\((\w+(?:\[\d+\])?) (==|!=) (\w+(?:\[\d+\])?)\)")
_SIGNS: Final = {"plus": "+", "minus": "-", "times": "*"}


def both(*parts: bool | Code) -> bool | Code:
    """All of some conditions, asked in order."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, Code):
            texts.append(part)
        elif not part:
            return False
    return _joined(" and ", texts, True)


def either(*parts: bool | Code) -> bool | Code:
    """At least one of some conditions, asked in order."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, Code):
            texts.append(part)
        elif part:
            return True
    return _joined(" or ", texts, False)


def contrary(part: bool | Code) -> bool | Code:
    """The contrary of a condition."""
    if not isinstance(part, Code):
        return not part
    # What a place is compared with, the other way round.
    if found := _COMPARED.fullmatch(part):
        return Code(f"({found[1]} {'!=' if found[2] == '==' else '=='} {found[3]})")
    return Code(f"(not {part})")


def _joined(word: str, texts: list[str], otherwise: bool) -> bool | Code:
    if not texts:
        return otherwise
    return Code(texts[0] if len(texts) == 1 else f"({word.join(dict.fromkeys(texts))})")


def as_truth(value: Folded) -> bool | Code:
    """A number read as a truth."""
    return value if isinstance(value, Code) else bool(value)


def as_value(truth: bool | Code, wants_truth: bool) -> Folded:
    """A truth as the number it stands for, unless it will only be asked whether it is so."""
    if isinstance(truth, Code):
        return truth if wants_truth else Code(f"(1 if {truth} else 0)")
    return int(truth)


def reckoned(operator: str, one: int | Code, other: int | Code) -> int | Code:
    """A sum, as far as it is known."""
    if not isinstance(one, Code) and not isinstance(other, Code):
        match operator:
            case "plus":
                return one + other
            case "minus":
                return one - other
            case "times":
                return one * other
            case "lesser":
                return min(one, other)
            case _:
                return max(one, other)
    match operator:
        case "plus" | "minus" | "times":
            return Code(f"({one} {_SIGNS[operator]} {other})")
        case _:
            return Code(f"{'min' if operator == 'lesser' else 'max'}({one}, {other})")
