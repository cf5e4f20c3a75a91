"""The resolved edition: every law, word, register and clause of one code under one choice of readings."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, TypeAlias

from lawbook.diagnostics import Span
from lawbook.language import core
from lawbook.language.types import Type, Universe
from lawbook.language.words import Vocabulary, Word
from lawbook.records import dataclass, field

# How the four kinds of call are named in the notation and among triggers.
CALL_KINDS: Final = ("pass", "double", "redouble", "bid")
EVERY_CALL: Final = frozenset(CALL_KINDS)
# What a general clause names instead of ids.
EVERY_REMEDY: Final = "every remedy"
EVERY_PROHIBITION: Final = "every prohibition of a call"


class Kind(enum.Enum):
    """The kinds of clause. The value is how an author and a reader name it."""

    DEFINITION = "definition"
    PROCEDURE = "procedure"
    PROHIBITION = "prohibition"
    REMEDY = "remedy"
    WAIVER = "waiver"
    STATUS = "status"
    ENTITLEMENT = "entitlement"
    LAPSE = "lapse"
    REFUSAL = "refusal"
    EXCEPTION = "exception"
    OF_ITSELF = "of itself"
    SCORE = "score"


class Scoring(enum.Enum):
    """When a score clause is read: a deal is scored, its score is entered on the sheet, it is no score at all, or an
    error in it may not be corrected any more."""

    DEAL = "the deal"
    SHEET = "the sheet"
    REFUSED = "refused"
    NO_CORRECTION = "no correction"


class Step(enum.Enum):
    """When in an act a clause is read: before a call is judged, the call is made, it stands, it is taken back, or the
    act is refused."""

    BEFORE = "before"
    MADE = "when"
    STANDS = "when stands"
    TAKEN_BACK = "when taken back"
    REFUSED = "when refused"


class PutBack(enum.Enum):
    """What a register does when a call is put back.

    ALWAYS: it is as before the call. CORRECTION: only where the player corrects himself. JUDGEMENT: the corrected
    call is judged by the value before, and the present value stays. NEVER: it stays as it is.
    """

    ALWAYS = "always"
    CORRECTION = "by a correction"
    JUDGEMENT = "for judgement"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Register:
    """One thing the table remembers: a finite domain, a starting value, and how long it matters.

    `slot` is its first place in a state's values, `size` how many places it takes (one for each member of the
    domains in `indices`). `start` is a value, or the name of a binding (`dealer`). A register kept for each right
    lies in the right and not among the values.
    """

    name: str
    type: Type
    indices: tuple[Type, ...]
    start: int | None
    starts_with_dealer: bool
    put_back: PutBack
    kept_while: core.Truth | None
    together: frozenset[str]
    per_right: bool
    # Of a fact: the column whose points of this deal it holds, filled in before the sheet is read.
    totals: str | None
    # Of a fact or what the sheet remembers: how the JSON calls it.
    key: str | None
    slot: int
    size: int
    gloss: str


@dataclass(frozen=True, slots=True)
class Assign:
    """A register takes a value."""

    register: str
    arguments: tuple[core.Value, ...]
    value: core.Value


@dataclass(frozen=True, slots=True)
class Move:
    """One member, or every member of a set, joins or leaves a register."""

    register: str
    member: core.Value
    joins: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Points for one column of a side's score."""

    amount: core.Value
    column: str
    side: core.Value


@dataclass(frozen=True, slots=True)
class StandAs:
    """The call is put back and another stands in its place."""

    call: core.Value


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The table is as before the call."""


@dataclass(frozen=True, slots=True)
class TakeBackEarlier:
    """The table is as before an earlier call: the one the right is about that the clause is read for, or, if `own`,
    the caller's last."""

    own: bool


@dataclass(frozen=True, slots=True)
class LetStand:
    """The call stands as it was made."""


@dataclass(frozen=True, slots=True)
class JudgeAgain:
    """The call is put back and another is judged as if it alone had been made."""

    call: core.Value


@dataclass(frozen=True, slots=True)
class LapseRight:
    """The right the clause is read for is lost."""


Effect: TypeAlias = Assign | Move | Score | StandAs | TakeBack | TakeBackEarlier | LetStand | JudgeAgain | LapseRight


class FateKind(enum.IntEnum):
    """What becomes of an irregular call, the stronger the higher."""

    STANDS = 0
    STANDS_MEANWHILE = 1
    STANDS_AS = 2
    COUNTS_AS_A_PASS = 3
    IS_IGNORED = 4


@dataclass(frozen=True, slots=True)
class Fate:
    """The fate of a call, and for STANDS_AS the call it stands as."""

    kind: FateKind
    instead: core.Value | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    """Which acts of whom a clause is read for. `role` None is any player, unless it is the table that acts."""

    step: Step
    acts: frozenset[str]
    role: core.Value | None
    by_table: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the holder of a remedy may choose: the act and its effects."""

    act: str
    effects: tuple[Effect, ...]

    @property
    def puts_back(self) -> bool:
        """Whether the choice needs the table as it was before the call."""
        return any(isinstance(e, StandAs | TakeBack) for e in self.effects)


@dataclass(frozen=True, slots=True)
class Remedy:
    """For which offences (by number), who may choose, when the right opens, and what there is to choose.

    `oldest_first`: a claim settles the oldest open one. `outlasts_choice`: choosing another remedy for the same call
    does not end this one. `outlasts`: ids of general lapses that do not touch it.
    """

    offences: frozenset[int]
    holder: core.Value
    opened: core.Truth
    choices: tuple[Choice, ...]
    oldest_first: bool
    outlasts_choice: bool
    outlasts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a law stands: edition, its number there (None where no law says it), the source, and the evidence."""

    edition: str
    law: str | None
    source: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Law:
    """One law file as one edition takes it."""

    topic: str
    title: str
    chapter: str
    number: str | None
    source: Source
    summary: str
    file: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One clause, resolved. Fields that its kind has no use for are empty."""

    id: str
    kind: Kind
    law: Law
    span: Span
    says: str
    trigger: Trigger | None = None
    each_right: bool = False
    condition: core.Truth = core.TRUE
    unless: core.Truth | None = None
    effects: tuple[Effect, ...] = ()
    offence: int | None = None
    fate: Fate | None = None
    remedy: Remedy | None = None
    targets: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    once: core.Truth | None = None
    actor: core.Value | None = None
    choices: tuple[Choice, ...] = ()
    # Of a score clause: what is scored, and for each what it is read.
    scores: Scoring | None = None
    each: str | None = None
    # Of a score clause, a definition or a procedure: the offence, by number, whose penalty it is or is part of.
    penalty_for: int | None = None
    normal: tuple[str, ...] = ()
    reading: tuple[tuple[str, tuple[str, ...]], ...] = ()

    # Its trees would fill pages.
    def __repr__(self) -> str:
        return f"<Clause {self.id}, {self.kind.value} of {self.law.source.edition} {self.law.number or 'custom'}>"


@dataclass(frozen=True, slots=True)
class ActWord:
    """A declared act: its name in the notation, how it is said, what argument it takes, what groups it is in, and
    whether it is a choice under a remedy."""

    name: str
    says: str
    argument: str
    groups: frozenset[str]
    chooses: bool
    gloss: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the score: its phrase, the key by which the JSON calls it, and its gloss."""

    name: str
    key: str
    gloss: str


@dataclass(frozen=True, slots=True)
class Offence:
    """A declared offence: its number, its name in the notation, its phrase and gloss."""

    number: int
    name: str
    phrase: str
    gloss: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An open point of the text: the question, the alternatives, which is chosen, the default and its reason."""

    name: str
    question: str
    chosen: str
    default: str
    reason: str
    alternatives: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Interface:
    """What the outside asks of an edition's machine, as terms of its own vocabulary."""

    status: core.Value
    turn: core.Value
    contract: core.Value
    doubling: core.Value
    declarer: core.Value
    dummy: core.Value
    debarred: core.Truth


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """An edition resolved: all it rules by. `hash` is of its meaning, not of its wording."""

    id: str
    name: str
    title: str
    body: str
    date: str
    source: str
    chain: tuple[str, ...]
    laws: tuple[Law, ...]
    clauses: tuple[Clause, ...]
    definitions: Mapping[str, core.Definition]
    registers: Mapping[str, Register]
    # The second machine: what is known of a deal, and what the score sheet remembers between deals.
    facts: Mapping[str, Register]
    sheet: Mapping[str, Register]
    columns: Mapping[str, Column]
    acts: Mapping[str, ActWord]
    offences: tuple[Offence, ...]
    readings: tuple[Reading, ...]
    universe: Universe
    letters_known: Mapping[str, str]
    denominations_clause: Clause
    vocabulary: Vocabulary
    interface: Interface
    held_while: core.Truth
    hash: str
    by_id: Mapping[str, Clause] = field(repr=False)
    words: Mapping[str, Word] = field(repr=False)
    not_at_hand: tuple[str, ...] = ()
    # What the hash is of besides the clauses, a line each: registers, acts, domains, and what the words in use mean.
    meanings: tuple[str, ...] = field(default=(), repr=False)
    # Every file that was read: whether an edition or a law, by what name, and where it was found.
    files: tuple[tuple[str, str, str], ...] = ()
    # The signs that stand for denominations in print, where they have one.
    signs: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def dated(self) -> str:
        """Its date as one sorts by it: an edition that does not say when it was issued comes last."""
        return self.date or "~"

    @property
    def heading(self) -> str:
        """What it is called, who issued it and when, as far as it says so."""
        return ", ".join(filter(None, (self.title, self.body, self.date)))

    def clause(self, identifier: str) -> Clause:
        """The clause with that id. Raises KeyError."""
        return self.by_id[identifier]

    def __repr__(self) -> str:
        return f"<Edition {self.name} {self.hash[:12]}: {len(self.laws)} laws, {len(self.clauses)} clauses>"
