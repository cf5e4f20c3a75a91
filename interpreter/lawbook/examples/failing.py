"""Why an example fails: the clauses that what differs turns on, each with its conditions as they were found.

The example is run once more under watch. A clause that should have ruled, and did not, is shown with the condition
that failed or the reason it was not even read; a clause that ruled and should not have, with the conditions that held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lawbook import explain
from lawbook.auction import Auction
from lawbook.diagnostics import nearest
from lawbook.edition.machines import registers_of
from lawbook.edition.model import Assign, Clause, Edition, Kind, Move, Score, Step
from lawbook.errors import LawbookError
from lawbook.examples.reading import Example, ScoredExample, Shown
from lawbook.examples.running import Outcome, Trial
from lawbook.explain import Condition
from lawbook.inspection import leaf_nodes
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.watched import Reading, Watched
from lawbook.scoring import NotScored, Rubber, enter
from lawbook.sections import sections_of
from lawbook.sentences import SEATS, listed
from lawbook.values import Seat

# The sections that say for which acts a clause is read.
_TRIGGERS: Final = frozenset(
    {"when", "before", "when stands", "when taken back", "when refused"}
    | {"entitled when", "refused when", "ends when", "ends when stands"}
)
# What is asked of how an auction stands, as the interface answers it.
_STANDING: Final = frozenset({"status", "turn", "contract", "debarred"})
_MOST_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Look:
    """One clause as the last act or deal of an example found it.

    `expected` says whether the example wants it to apply (None: it wants something else, which the clause bears on),
    `applies` whether it did. `reason` is said where no condition tells why not; `conditions` are those of the clause as
    they were found, and `unless` those of its `unless`.
    """

    clause: Clause | None
    name: str
    expected: bool | None
    applies: bool
    reason: str | None
    conditions: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()


def looks(outcome: Outcome, edition: Edition) -> tuple[Look, ...]:
    """What the outcome of a failing example turns on, under the edition it was run under; nothing where it passed or
    could not be run."""
    if outcome.passed or outcome.error is not None:
        return ()
    found = _Found(outcome.example, edition)
    keys = {mismatch.key for mismatch in outcome.mismatches}
    return (*found.refusals(), *found.looks(keys))[:_MOST_SHOWN]


def all_looks(outcome: Outcome, edition: Edition) -> tuple[Look, ...]:
    """Every clause that an example's last act or deal rests on, whether it holds or fails, and what it turns on if it
    fails."""
    found = _Found(outcome.example, edition)
    failing = looks(outcome, edition)
    told = {look.name for look in failing}
    return (*failing, *(look for look in found.reasons() if look.name not in told))


class _Found:
    """One example under watch: what its last act or deal read, and what was asked of it afterwards."""

    def __init__(self, example: Shown, edition: Edition) -> None:
        self._example = example
        self._edition = edition
        self._watched = Watched.of(edition)
        self._trial: Trial | None = None
        self._event: Event | None = None
        if isinstance(example, ScoredExample):
            self._because = self._score(example)
        else:
            self._because = self._play(example)
        self._readings: dict[str, list[Reading]] = {}
        for reading in self._watched.watch.readings:
            self._readings.setdefault(reading.clause.id, []).append(reading)

    def _play(self, example: Example) -> tuple[str, ...]:
        trial = self._trial = Trial(self._edition, example.dealer, self._watched.machine)
        words = example.notation.split()
        trial.play(" ".join(words[:-1]))
        self._watched.watch.forget()
        trial.play(" ".join(words[-1:]))
        if trial.last is None:
            return ()
        self._event = trial.last.ruling.event
        return tuple(clause.id for clause in trial.last.because)

    def _score(self, example: ScoredExample) -> tuple[str, ...]:
        rubber = Rubber(self._edition, self._watched.sheet)
        for given in example.deals:
            self._watched.watch.forget()
            try:
                enter(rubber, given)
            except NotScored as error:
                return tuple(clause.id for clause in error.clauses)
        return rubber.deals[-1].score.because if rubber.deals else ()

    @property
    def _evaluator(self) -> Evaluator:
        if isinstance(self._example, ScoredExample):
            return self._watched.sheet.evaluator
        return self._watched.machine.evaluator

    def refusals(self) -> Iterator[Look]:
        """The acts before the last that were refused: the example counts on what did not happen."""
        for happening in self._trial.acts[:-1] if self._trial is not None else ():
            if happening.verdict is Verdict.REFUSED:
                for clause in happening.because:
                    yield Look(clause, clause.id, None, False, f"{happening.act} was refused on the way")

    def reasons(self) -> Iterator[Look]:
        """The clauses that the last act or deal rests on."""
        for name in self._because:
            yield from self._look(name, None)

    # -- which clauses -------------------------------------------------------------------------------------

    def looks(self, keys: set[str]) -> Iterator[Look]:
        """The clauses that these keys turn on, each once: those wanted first, then those that are in the way."""
        shown: set[str] = set()
        for look in self._all(keys):
            if look.name not in shown:
                shown.add(look.name)
                yield look

    def _all(self, keys: set[str]) -> Iterator[Look]:
        wanted = self._wanted(keys)
        for name in wanted:
            yield from self._look(name, True)
        ruled = keys & {"verdict", "offences", "because", "unpenalised", "defeated", "refused"}
        if ruled or (isinstance(self._example, ScoredExample) and keys):
            expected = self._example.expected.get("because", ())
            for name in self._because:
                if name not in expected:
                    yield from self._look(name, False)
        if "verdict" in keys:
            # The right clauses ruled, but otherwise than they should have.
            for name in self._because:
                yield from self._look(name, None)
        if isinstance(self._example, Example):
            yield from self._looks_at_choices(self._example, keys)
            yield from self._looks_at_standing(keys)

    def _wanted(self, keys: set[str]) -> list[str]:
        """The clauses that should have been among the reasons: named, or those that make an act the offence named."""
        expected = self._example.expected
        if "because" in keys or "refused" in keys:
            named = (*expected.get("because", ()), *expected.get("refused", ()))
            return [name for name in named if name not in self._because]
        if isinstance(self._example, Example) and "offences" in keys and self._event is not None:
            offences = {o.name: o.number for o in self._edition.offences}
            missing = [offences.get(name) for name in expected["offences"]]
            ruling = self._trial.last.ruling if self._trial is not None and self._trial.last is not None else None
            committed = () if ruling is None else ruling.offences
            return [
                clause.id
                for clause in self._edition.clauses
                if clause.offence is not None
                and clause.offence in missing
                and clause.offence not in committed
                and clause.trigger is not None
                and self._event.name in clause.trigger.acts
            ]
        return []

    def _looks_at_choices(self, example: Example, keys: set[str]) -> Iterator[Look]:
        """For remedies that are there or not, and calls that are lawful or not: what trying them comes to."""
        assert self._trial is not None
        options = self._trial.options
        tried: list[str] = []
        for key in sorted(keys & {"options", "may", "may not"}):
            named = example.expected[key]
            tried += [o for o in named if (o in options) == (key == "may not")]
            tried += [o for o in options if o not in named] if key == "options" else []
        for key in sorted(keys & {"lawful", "not lawful"}):
            tried += [c for c in example.expected[key] if self._trial.is_legal(c) == (key == "not lawful")]
        if "only lawful" in keys:
            lawful, said = self._trial.legal_calls, example.expected["only lawful"]
            tried += [c for c in (*said, *lawful) if (c in lawful) != (c in said)]
        for word in tried[:_MOST_SHOWN]:
            yield from self._tried(example, word)

    def _tried(self, example: Example, word: str) -> Iterator[Look]:
        """What becomes of one act more, after the example."""
        auction = Auction(self._edition, example.dealer)
        try:
            auction.play(example.notation)
            happening = auction.act(word)
        except LawbookError as error:
            yield Look(None, word, True, False, str(error))
            return
        at = next(n for n in reversed(range(len(auction.happenings))) if not auction.happenings[n].of_itself)
        ruled = f"{word} would be {happening.verdict.value}"
        needs = list(dict.fromkeys(need.wanted for need in explain.needs(auction, at)))
        conditions = explain.conditions(auction, at)
        for clause in happening.because:
            own = tuple(c for c in conditions if c.clause is clause)
            reason = "; ".join([ruled, *needs]) if needs else ruled
            yield Look(clause, clause.id, None, not needs, reason, own)

    def _looks_at_standing(self, keys: set[str]) -> Iterator[Look]:
        """For how the auction stands: the clauses read for the last act that write what the answer is read from."""
        interface = self._edition.interface
        asked: list[object] = [getattr(interface, key) for key in keys & _STANDING]
        if "contract" in keys:
            asked += [interface.declarer, interface.dummy, interface.doubling]
        registers = registers_of(tuple(asked), self._edition.definitions)
        for name in self._readings:
            clause = self._edition.by_id[name]
            choices = () if clause.remedy is None else clause.remedy.choices
            effects = (*clause.effects, *(e for choice in choices for e in choice.effects))
            writes = any(isinstance(e, Assign | Move) and e.register in registers for e in effects)
            if writes or ("points" in keys and any(isinstance(e, Score) for e in effects)):
                yield from self._look(name, None)

    # -- one clause ----------------------------------------------------------------------------------------

    def _look(self, name: str, expected: bool | None) -> Iterator[Look]:
        clause = self._edition.by_id.get(name)
        if clause is None:
            meant = nearest(name, self._edition.by_id)
            known = f"{self._edition.name} has no clause of that name" + (f"; did you mean {meant}" if meant else "")
            yield Look(None, name, expected, False, known)
            return
        readings = self._readings.get(name, [])
        reading = next((r for r in readings if r.applied), readings[0] if readings else None)
        if name in self._lacking:
            yield Look(clause, name, expected, False, self._needed())
            return
        applies = name in self._because or (reading is not None and reading.applied)
        if reading is None:
            yield Look(clause, name, expected, applies, None if applies else self._unread(clause))
            return
        found = tuple(explain.conditions_of(clause, self._edition, self._evaluator, reading.values, reading.bound))
        asked = len(list(leaf_nodes(clause.condition)))
        conditions, unless = found[:asked], found[asked:]
        defeating = () if reading.applied or not all(c.holds for c in conditions) else self._defeating(clause)
        reason = f"set aside by {listed(d.id for d in defeating)}" if defeating else None
        yield Look(clause, name, expected, applies, reason, conditions, unless)
        for exception in defeating:
            yield from self._look(exception.id, False)

    @property
    def _lacking(self) -> tuple[str, ...]:
        """The clauses of which one would have had to allow an act that was refused."""
        last = None if self._trial is None else self._trial.last
        if last is None or last.verdict is not Verdict.REFUSED:
            return ()
        return tuple(clause.id for clause in last.because if clause.kind is not Kind.REFUSAL)

    def _needed(self) -> str | None:
        """What would have had to be so for the last act not to be refused."""
        assert isinstance(self._example, Example)
        auction = Auction(self._edition, self._example.dealer)
        auction.play(self._example.notation)
        needs = explain.needs(auction, len(auction.happenings) - 1)
        return "; ".join(dict.fromkeys(need.wanted for need in needs)) or None

    def _defeating(self, clause: Clause) -> tuple[Clause, ...]:
        """The exceptions that set a clause aside."""
        exceptions = self._watched.machine.reader.exceptions_to(clause)
        applied = {name for name, readings in self._readings.items() if any(r.applied for r in readings)}
        return tuple(e for e in exceptions if e.id in applied)

    def _unread(self, clause: Clause) -> str:
        """Why a clause was not even read."""
        event = self._event
        if clause.kind is Kind.DEFINITION:
            return "a definition is no reason for a ruling"
        if clause.remedy is not None or clause.kind is Kind.WAIVER:
            return "no right to it is open"
        trigger = clause.trigger
        if trigger is None or event is None:
            return "it was not read"
        said = _trigger_of(clause, self._edition)
        if event.name not in trigger.acts:
            return f"it is read only when {said}" if said else "it is not read for this act"
        if trigger.step is Step.STANDS:
            return "the call does not stand"
        who = "the table" if event.seat is None else SEATS[Seat(event.seat)]
        return f"it is read only when {said}, and {who} is not meant by that" if said else f"{who} is not meant by it"


def _trigger_of(clause: Clause, edition: Edition) -> str | None:
    """For which acts a clause is read, in its own words."""
    for section in sections_of(clause, edition):
        if section.heading in _TRIGGERS and section.items and isinstance(section.items[0], str):
            return section.items[0]
    return None
