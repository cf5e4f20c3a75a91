"""Kinds of gaps: what can be amiss in an edition, how it is known, and what shows it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from lawbook.diagnostics import Diagnostic
from lawbook.edition.model import Clause
from lawbook.values import Seat


class GapKind(enum.Enum):
    """What is amiss, the gravest first; from `never committed` on, that something never comes to be."""

    CONFLICT = "conflict"
    ENDLESS = "endless"
    UNDEFINED = "undefined effect"
    NOBODY_MAY = "nobody may act"
    REFUSED = "option refused"
    NO_EFFECT = "choice without effect"
    UNPENALISED = "offence without remedy"
    GOES_FREE = "offence that can go free"
    NEVER_COMMITTED = "offence never committed"
    NEVER_OPENS = "remedy never opens"
    UNUSABLE = "right never usable"
    NEVER_OFFERED = "choice never available"
    NEVER_DEFEATS = "exception without effect"
    DEAD = "clause never applies"


class Proof(enum.Enum):
    """How it is known that something never is so: by a truth table of its conditions, by a search that came to its end
    with every bid and all that bears on it, or because the contrary was seen of each."""

    CONDITIONS = "conditions"
    SEARCH = "search"
    SEEN = "seen"


@dataclass(frozen=True, slots=True)
class Witness:
    """An auction, in notation with bare calls by the seat in turn, and who deals. `shortest`: no shorter one of those
    that were searched shows it; one that was known before may be longer than it need be."""

    dealer: Seat
    auction: str
    shortest: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is amiss: the clauses it is about, the offence's name or the act where it is about one, and an
    auction that shows it. Of what never is so there is no auction, and `proof` says how it is known; None: it was only
    not met. `problem` is the error where an act has no ruling."""

    kind: GapKind
    clauses: tuple[Clause, ...] = ()
    offence: str | None = None
    act: str | None = None
    witness: Witness | None = None
    proof: Proof | None = None
    problem: Diagnostic | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is so, not only as far as was searched."""
        return self.witness is not None or self.proof is not None
