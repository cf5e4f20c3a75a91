"""Whether what was meant would say the contrary of what is written: a `not` is lost, or comes in.

Two texts of contrary meaning can differ in a letter (`ilegal` and `legal`, `now` and `no`). Nearness alone must not
put one in the place of the other.
"""

from __future__ import annotations

import functools
import re
from typing import Final

_NEGATIONS: Final = frozenset({"not", "no", "none", "nobody", "nothing", "never", "neither", "nor", "cannot"})
_CONTRACTION: Final = re.compile(
    # Without its end, `don` or `can` is another word.
    r"(?:is|are|was|were|does|did|could|has|have|had|must|may|might|need|should|would)n(?:['’]?t)?|(?:do|ca|wo)n['’]?t"
)
# Also where a letter of one is left out: `ilegal`.
_PREFIXES: Final = ("un", "in", "il", "im", "ir", "non", "i")


@functools.lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """A text as it is compared: in small letters, its words joined by single spaces."""
    return " ".join(re.sub(r"[-_\s]+", " ", text.casefold()).split())


def is_contraction(word: str) -> bool:
    """Whether a word has a `not` drawn into it, with or without its apostrophe and what follows it.

    >>> is_contraction("isn't"), is_contraction("isnt"), is_contraction("isn"), is_contraction("won")
    (True, True, True, False)
    """
    return _CONTRACTION.fullmatch(word.casefold()) is not None


def drops_negation(written: str, meant: str) -> bool:
    """Whether something is denied in what is written and no longer in what was perhaps meant.

    >>> drops_negation("isnt in turn", "is in turn"), drops_negation("ilegal", "legal")
    (True, True)
    >>> drops_negation("is nott", "is not"), drops_negation("inturn", "in turn"), drops_negation("ilegal", "illegal")
    (False, False, False)
    """
    words, others = folded(written).split(), folded(meant).split()
    if any(_denies(word) for word in words) and not any(_denies(word) for word in others):
        return True
    # Of `inturn` for `in turn` the first letters are a word of their own.
    prefixes = [prefix for prefix in _PREFIXES if prefix not in others]
    return any(
        prefix + other == word for word in words if word not in others for other in others for prefix in prefixes
    )


def _denies(word: str) -> bool:
    return word in _NEGATIONS or is_contraction(word)
