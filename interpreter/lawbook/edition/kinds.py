"""The keys of each kind of clause, which tell of what kind one is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lawbook.edition.model import Kind
from lawbook.source.reader import Mapping as MappingNode

# The keys that a clause of any kind may have.
COMMON: Final = frozenset({"id", "says", "under", "note", "silence"})
_CONDITION_KEYS: Final = ("", " all of", " any of", " none of")


def _conditions(*heads: str) -> frozenset[str]:
    return frozenset(f"{head}{which}" for head in heads for which in _CONDITION_KEYS)


_IF: Final = _conditions("if", "unless")
_TRIGGERS: Final = frozenset({"before", "when", "when stands", "when taken back"})
# What is refused does not happen, so it is no offence; but a law may attach something to the attempt.
_PROCEDURES: Final = _TRIGGERS | {"when refused"}
# The keys each kind of clause may have, and the key (one of them) that makes it that kind.
KEYS: Final[Mapping[Kind, tuple[frozenset[str], frozenset[str]]]] = {
    Kind.DEFINITION: (
        frozenset({"term", "function", "relation", "quality", "table"}),
        frozenset({"is", "is the first", "or else", "rows", "names the denominations", "penalty for"})
        | _conditions("means", "such that", "provided"),
    ),
    Kind.REMEDY: (
        frozenset({"remedy for"}),
        frozenset({"holder", "until", "choices", "settles", "outlasts"})
        | _IF
        | _conditions("opened if", "opened unless"),
    ),
    Kind.WAIVER: (frozenset({"choice in"}), frozenset({"choices"}) | _IF),
    Kind.LAPSE: (frozenset({"lapse of"}), frozenset({"when"}) | _conditions("once") | _IF),
    Kind.OF_ITSELF: (frozenset({"of itself"}), frozenset({"by"}) | _IF | frozenset({"effects"})),
    Kind.REFUSAL: (frozenset({"refused when"}), _IF),
    Kind.EXCEPTION: (frozenset({"exception to"}), _IF | {"except"}),
    Kind.STATUS: (frozenset({"status"}), frozenset({"ends when", "ends when stands", "for"}) | _IF),
    Kind.ENTITLEMENT: (frozenset({"entitled when"}), frozenset({"effects"}) | _IF),
    Kind.SCORE: (frozenset({"score"}), frozenset({"for each", "effects", "penalty for"}) | _IF),
    Kind.PROHIBITION: (
        frozenset({"offence", "the call"}),
        _TRIGGERS | _IF | frozenset({"effects", "offence", "the call", "for each"}),
    ),
    Kind.PROCEDURE: (_PROCEDURES, _PROCEDURES | _IF | frozenset({"effects", "for each", "penalty for"})),
}


def kind_of(node: MappingNode) -> Kind | None:
    """The kind of a clause, told by its keys; None if no key tells."""
    keys = {key.text for key, _ in node.entries}
    return next((kind for kind, (heads, _) in KEYS.items() if keys & heads), None)
