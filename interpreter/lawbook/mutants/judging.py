"""Judging: each mutant of an edition put to the examples. One fails: the mutant is killed. None does: it is proved to
be the same law, told apart by an auction that no example shows, or left as a survivor.

Only the examples that had to do with what is altered are run, the likeliest to fail first.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lawbook.coverage.goals import What, place_of
from lawbook.coverage.measuring import Coverage, Trace
from lawbook.coverage.offers import DealOffer, Offer
from lawbook.edition.model import Clause, Edition
from lawbook.examples import Shown, run_under
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.sheet import Sheet
from lawbook.mutants.making import Change, Mutant, made, mutants_of
from lawbook.mutants.proving import is_equivalent
from lawbook.mutants.telling import UNRESOLVABLE, tell_apart


class Fate(enum.Enum):
    """What became of a mutant.

    KILLED: an example fails. REFUSED: it asks for a value that is missing or that there cannot be, so the checker would
    refuse it. EQUIVALENT: proved, by a truth table, to be the same law. SURVIVED: no example notices.
    """

    KILLED = "killed"
    REFUSED = "refused"
    EQUIVALENT = "equivalent"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant and what became of it: the example that kills it, or what would tell it from the law and what such an
    example has to say besides the ruling."""

    mutant: Mutant
    fate: Fate
    killed_by: Shown | None = None
    under: str | None = None
    offer: Offer | DealOffer | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """How the mutants of an edition fared."""

    edition: str
    judged: tuple[Judged, ...]
    # How many mutants there are, of which these are all or so many as were asked for.
    whole: int

    def of(self, fate: Fate, change: Change | None = None) -> int:
        """How many came to this, in all or by one kind of change."""
        return sum(1 for j in self.judged if j.fate is fate and change in (None, j.mutant.change))

    @property
    def survivors(self) -> tuple[Judged, ...]:
        """Those that no example notices, and that may be other laws."""
        return tuple(j for j in self.judged if j.fate is Fate.SURVIVED)

    @property
    def share(self) -> float:
        """The share of killed mutants among those that could be, from 0 to 1."""
        killed, survived = self.of(Fate.KILLED), self.of(Fate.SURVIVED)
        return 1.0 if killed + survived == 0 else killed / (killed + survived)


def mutants_in(coverage: Coverage, clauses: Iterable[Clause] | None = None) -> list[Mutant]:
    """The mutants of the clauses (all, if none are given) in the order of the laws."""
    wanted = None if clauses is None else {place_of(clause) for clause in clauses}
    return [
        mutant
        for place, (clause, under) in coverage.clauses.items()
        if wanted is None or place in wanted
        for mutant in mutants_of(clause, coverage.editions[under])
    ]


def spread(mutants: Sequence[Mutant], most: int | None) -> list[Mutant]:
    """So many of the mutants, spread evenly over all of them; always the same ones."""
    if most is None or most >= len(mutants):
        return list(mutants)
    return [mutants[at * len(mutants) // most] for at in range(most)]


def judge(
    coverage: Coverage,
    mutants: Sequence[Mutant],
    most_acts: int,
    progress: Callable[[int, int, str], None] = lambda _done, _whole, _what: None,
) -> Iterator[Judged]:
    """What becomes of each mutant. `most_acts` acts are tried to tell a survivor from the law."""
    bench = Bench(coverage)
    for done, mutant in enumerate(mutants):
        progress(done, len(mutants), str(mutant))
        yield bench.judge(mutant, most_acts)
    progress(len(mutants), len(mutants), "")


@dataclass(slots=True)
class Bench:
    """The examples of an edition, ready to be run under mutants."""

    coverage: Coverage
    _by_place: dict[tuple[str, int], list[Trace]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for trace in self.coverage.traces:
            for place in trace.read:
                self._by_place.setdefault(place, []).append(trace)

    def judge(self, mutant: Mutant, most_acts: int) -> Judged:
        """What becomes of one mutant."""
        if (noticed := self.noticed(mutant)) is not None:
            return noticed
        _, under = self.coverage.clauses[place_of(mutant.clause)]
        proved = is_equivalent(mutant, self.coverage.editions[under])
        if proved is not None:
            return Judged(mutant, Fate.EQUIVALENT if proved else Fate.REFUSED)
        try:
            told = tell_apart(mutant, self.coverage, under, most_acts) if most_acts else None
        except UNRESOLVABLE:
            return Judged(mutant, Fate.REFUSED)
        if told is None:
            return Judged(mutant, Fate.SURVIVED)
        return Judged(mutant, Fate.SURVIVED, under=under, offer=told.offer, also=told.also)

    def noticed(self, mutant: Mutant) -> Judged | None:
        """What the examples make of a mutant; None where none notices it."""
        altered: dict[str, _Altered | None] = {}
        for trace in self._worth_running(mutant):
            if trace.under not in altered:
                edition = made(mutant, self.coverage.editions[trace.under])
                altered[trace.under] = None if edition is None else _Altered(edition)
            made_of = altered[trace.under]
            if made_of is None:
                continue
            try:
                outcome = run_under(trace.example, trace.under, made_of.edition, made_of.machine, made_of.sheet)
            except UNRESOLVABLE:
                return Judged(mutant, Fate.REFUSED)
            if not outcome.passed:
                return Judged(mutant, Fate.KILLED, trace.example, trace.under)
        return None

    def _worth_running(self, mutant: Mutant) -> list[Trace]:
        """The examples that could notice, the likeliest first: a condition that was never asked changes nothing."""
        found = self._by_place.get(place_of(mutant.clause), [])
        here = (mutant.clause.span.file, mutant.clause.span.line)
        at = here if mutant.leaf is None else (mutant.clause.span.file, *mutant.leaf)
        if mutant.seen is not None or mutant.leaf is not None:
            wanted = (What.HOLDS.value, What.FAILS.value) if mutant.seen is None else (mutant.seen.value,)
            found = [t for t in found if any(key[: len(at)] == at and key[3] in wanted for key in t.shows)]

        def unlikely(trace: Trace) -> tuple[bool, bool]:
            applied = any(key[:2] == here and key[3] == What.APPLIES.value for key in trace.shows)
            return (not applied, trace.example.file != mutant.clause.law.file)

        return sorted(found, key=unlikely)


class _Altered:
    """A mutant edition with its machine and sheet, which walk their conditions: it is not worth compiling them."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.machine = Machine(edition, Evaluator)
        self.sheet = Sheet(edition, Evaluator)
