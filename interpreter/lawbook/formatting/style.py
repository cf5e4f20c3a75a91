"""Style: in which order keys are written, and what of a file is written how.

The order is that in which the shipped laws are written, which is the order in which a clause is read aloud. A key that
is not listed keeps its place behind those that are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind of mapping is written.

    `ranks` has the place of each key: the smaller is written first, and keys of the same rank stay in the order of
    their author, where it has a meaning. `inner` says for a key of what kind its value is (of a list: its items).
    `on_one_line` are the keys whose lists and mappings stand between brackets where they fit, `prose` those whose texts
    may be parted into lines, `named` those whose texts are names, quoted where they look like figures. `*` stands for
    every key where authors choose them, and an empty name in `on_one_line` for the mapping itself.
    """

    ranks: Mapping[str, int] = field(default_factory=dict)
    inner: Mapping[str, str] = field(default_factory=dict)
    on_one_line: frozenset[str] = frozenset()
    prose: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()

    def rank(self, key: str) -> int:
        """Where a key is written: the smaller first."""
        return self.ranks.get(key, len(self.ranks))

    def kind_within(self, key: str) -> str:
        """The kind of what stands under a key."""
        return self.inner.get(key, self.inner.get("*", ""))

    def is_on_one_line(self, key: str) -> bool:
        """Whether what stands under a key is written between brackets where it fits."""
        return key in self.on_one_line

    def is_prose(self, key: str) -> bool:
        """Whether a text may be parted into lines."""
        return key in self.prose or "*" in self.prose

    def is_named(self, key: str) -> bool:
        """Whether a text is a name even where it looks like a figure."""
        return key in self.named or "*" in self.named


_WHICH: Final = ("", " all of", " any of", " none of")


def _conditions(*heads: str) -> tuple[str, ...]:
    return tuple(f"{head}{which}" for head in heads for which in _WHICH)


def _ranks(keys: str) -> Mapping[str, int]:
    """Ranks for keys in their order, commas between; `if...` stands for `if`, `if all of` and so on, and keys with
    strokes between them, as `of/in`, share a rank."""
    written = [
        name
        for key in keys.split(", ")
        for name in (_conditions(key.removesuffix("...")) if key.endswith("...") else (key,))
    ]
    return MappingProxyType({name: rank for rank, names in enumerate(written) for name in names.split("/")})


def _keys(keys: str) -> frozenset[str]:
    return frozenset(keys.split(", "))


_SILENCE: Final = {"silence": "silence"}
_SECTIONS: Final = {
    "enumerations": "enumeration",
    "denominations": "denomination",
    "everything": "everything",
    "offences": "offence",
    "calls": "kind of call",
    "acts": "act",
    "bindings": "binding",
    "score sheet": "score sheet",
    "roles": "role",
    "registers": "register",
    "words": "word",
    "interface": "interface",
    "a call may be put back": "group",
}
_DECLARED: Final = (
    "denominations, enumerations, calls, bindings, everything, offences, acts, score sheet, roles, registers, words, "
    "interface, a call may be put back"
)
_EXPECTED: Final = (
    "verdict, offences, because, unpenalised, defeated, options, may, may not, status, debarred, turn, contract, "
    "points, lawful, not lawful, only lawful"
)
_LISTS: Final = (
    "offences, because, defeated, options, may, may not, debarred, points, lawful, not lawful, only lawful, editions"
)
# What each side has scored, each by the key of a column.
_POINTS: Final = "trick points, honour points, rubber points, games, below, totals"
_PREPOSITIONS: Final = "of/in/over/for/by/with/to/about"

STYLES: Final[Mapping[str, Style]] = {
    "law": Style(
        _ranks("title, topic, in, summary, sets aside, declares, clauses, examples, deals, silence, notes"),
        {"in": "place", "declares": "declared", "clauses": "clause", "examples": "example", "deals": "scored"}
        | _SILENCE,
        on_one_line=_keys("sets aside"),
        prose=_keys("title, summary, notes"),
    ),
    "edition": Style(
        _ranks(
            "edition, title, body, date, source, based on, vocabulary, laws, amends, repeals, readings, takes, "
            "changed examples, not at hand, silence, notes"
        ),
        {"readings": "reading", "takes": "choices taken", "changed examples": "change"} | _SILENCE,
        on_one_line=_keys("takes"),
        prose=_keys("title, body, source, not at hand, notes"),
        named=_keys("date"),
    ),
    "vocabulary": Style(
        _ranks(f"title, {_DECLARED}, silence, notes"), _SECTIONS | _SILENCE, prose=_keys("title, notes")
    ),
    "declared": Style(_ranks(_DECLARED), _SECTIONS),
    "change": Style(_ranks("of, that, because"), prose=_keys("that, because")),
    "reading": Style(
        _ranks("name, question, default, reason, choices"),
        {"choices": "meanings"},
        prose=_keys("question, reason"),
        named=_keys("default"),
    ),
    "meanings": Style(prose=_keys("*"), named=_keys("*")),
    "choices taken": Style(named=_keys("*")),
    "place": Style(_ranks("edition, law, source, evidence, date"), prose=_keys("source"), named=_keys("law, date")),
    "clause": Style(
        _ranks(
            "id, penalty for, says, note, under, term, function, relation, quality, table, is the first, such that..., "
            "or else, provided..., is, means..., names the denominations, rows, remedy for, holder, until, "
            "opened if..., opened unless..., choice in, lapse of, exception to, except, status, ends when, "
            "ends when stands, of itself, by, refused when, entitled when, score, before, when, when stands, "
            "when taken back, when refused, for each, once..., if..., unless..., settles, outlasts, choices, offence, "
            "the call, effects, for, silence"
        ),
        dict.fromkeys(
            _conditions("if", "unless", "means", "provided", "such that", "opened if", "opened unless", "once"), "group"
        )
        | {"under": "choices taken"}
        | _SILENCE,
        on_one_line=_keys("under, rows, remedy for, exception to, except, choice in, settles, outlasts, penalty for"),
        prose=_keys("says, note"),
    ),
    # What stands in a group is read in the order in which it is written.
    "group": Style(inner={"*": "group"}),
    "example": Style(
        _ranks(f"that, editions, dealer, auction, act, {_EXPECTED}, expect"),
        {"expect": "expected of each", "points": "sides"},
        on_one_line=_keys(_LISTS),
        prose=_keys("that"),
    ),
    "expected of each": Style(inner={"*": "expected"}),
    "expected": Style(_ranks(_EXPECTED), {"points": "sides"}, on_one_line=_keys(_LISTS)),
    "sides": Style(_ranks("NS, EW")),
    "seats": Style(_ranks("N, E, S, W")),
    "scored": Style(
        _ranks(f"that, editions, deal, rubber, refused, {_POINTS}, because"),
        {"deal": "deal", "rubber": "deal", **dict.fromkeys(_POINTS.split(", "), "sides")},
        on_one_line=_keys(f"editions, deal, refused, because, {_POINTS}"),
        prose=_keys("that"),
    ),
    "deal": Style(
        _ranks("corrects, agreed, contract, declarer, dealer, tricks, revokes, honours, chicane, takes, vulnerable"),
        {"honours": "seats"},
        # The empty name is the deal itself.
        on_one_line=_keys(", honours, chicane, revokes, vulnerable"),
    ),
    "enumeration": Style(_ranks("enumeration, members, gloss"), on_one_line=_keys("members"), prose=_keys("gloss")),
    "denomination": Style(_ranks("denomination, letter, sign, gloss"), prose=_keys("gloss")),
    "everything": Style(_ranks("says, gloss"), prose=_keys("gloss")),
    "offence": Style(_ranks("offence, gloss"), prose=_keys("gloss")),
    "kind of call": Style(_ranks("call, says, gloss"), prose=_keys("gloss")),
    "act": Style(
        _ranks("act, says, argument, chooses, groups, gloss"), on_one_line=_keys("groups"), prose=_keys("gloss")
    ),
    "binding": Style(_ranks("binding, phrase, synonyms, gloss"), on_one_line=_keys("synonyms"), prose=_keys("gloss")),
    "role": Style(
        _ranks("role, synonyms, article, means, is the table, gloss"),
        on_one_line=_keys("synonyms"),
        prose=_keys("gloss"),
    ),
    "word": Style(
        _ranks(
            f"noun/function/relation/quality/verb, negative, {_PREPOSITIONS}, between, gives, primitive, joins, "
            "leaves, synonyms, article, plural, gloss"
        ),
        on_one_line=_keys("synonyms, between"),
        prose=_keys("gloss"),
    ),
    "register": Style(
        _ranks(
            "register, key, for each, type, starts, put back, present with, kept while..., synonyms, plural, totals, "
            "gloss"
        ),
        dict.fromkeys(_conditions("kept while"), "group"),
        on_one_line=_keys("for each, present with, synonyms"),
        prose=_keys("gloss"),
    ),
    "score sheet": Style(
        _ranks("columns, facts, registers"), {"columns": "column", "facts": "register", "registers": "register"}
    ),
    "column": Style(_ranks("column, key, gloss"), prose=_keys("gloss")),
    "silence": Style(_ranks("check, clause, reason"), prose=_keys("reason")),
    "interface": Style(_ranks("status, turn, contract, doubling, declarer, dummy, debarred")),
}
"""The style of each kind of mapping, by the name under which `inner` speaks of it."""

PLAIN: Final = Style()
"""The style of what no style speaks of."""
