"""Measuring: every example of an edition run under watch, and what of each clause it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lawbook.coverage.goals import Goal, Key, What, goals_of, place_of
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.errors import LawbookError
from lawbook.examples import Example, Outcome, Shown, run_under, shown_by
from lawbook.examples.changed import sort
from lawbook.examples.reading import name_of
from lawbook.examples.running import Trial, compared, outcomes
from lawbook.loading import load
from lawbook.machine.ruling import Ruling
from lawbook.machine.watched import Watched
from lawbook.notation import format_edition_name

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Trace:
    """One example run under one edition: what it shows, the clauses it read, and whether it holds."""

    example: Shown
    under: str
    shows: frozenset[Key]
    read: frozenset[Place]
    outcome: Outcome


@dataclass(slots=True)
class Coverage:
    """What the examples of an edition show.

    `editions` are the edition and those readings of it that bring clauses of their own, by name; `clauses` all their
    clauses by place, each with the first edition that has it; `goals` what can be shown. Only examples that hold show
    anything: `failed` are those that do not, `changed` is how many come out otherwise as the edition declares.
    """

    name: str
    editions: dict[str, Edition] = field(default_factory=dict)
    clauses: dict[Place, tuple[Clause, str]] = field(default_factory=dict)
    goals: dict[Key, Goal] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)
    shown: set[Key] = field(default_factory=set)
    read: set[Place] = field(default_factory=set)
    failed: tuple[Outcome, ...] = ()
    changed: int = 0

    def edition_of(self, clause: Clause) -> Edition:
        """An edition that takes the clause."""
        return self.editions[self.clauses[place_of(clause)][1]]

    @property
    def missing(self) -> tuple[Goal, ...]:
        """What no example shows, in the order of the laws."""
        return tuple(goal for key, goal in self.goals.items() if key not in self.shown)


def readings_of(library: Library, edition: Edition) -> tuple[str, ...]:
    """The names under which an edition's clauses can be met: its own, those its examples name, and each other choice
    of its readings. An edition under chosen readings is met by its own name only."""
    own = name_of(library, edition)
    if own != edition.id:
        return (own,)
    named = [name for example in shown_by(library, edition) for name in (*example.editions, *example.instead)]
    others = [
        format_edition_name(edition.id, {reading.name: choice})
        for reading in edition.readings
        for choice in reading.alternatives
        if choice != reading.chosen
    ]
    return tuple(dict.fromkeys([own, *named, *others]))


def measure(
    library: Library, name: str, progress: Callable[[int, int, str], None] = lambda _done, _whole, _what: None
) -> Coverage:
    """Run every example of an edition and note what it shows. `progress` is told how many examples of how many are
    done. Raises LawbookError where an edition cannot be loaded."""
    edition = load(name, library)
    found = Coverage(name_of(library, edition))
    for under in readings_of(library, edition):
        found.editions[under] = load(under, library)
    for under, one in found.editions.items():
        for clause in one.clauses:
            if place_of(clause) not in found.clauses:
                found.clauses[place_of(clause)] = (clause, under)
                found.goals.update((goal.key, goal) for goal in goals_of(clause, one))
    traces: list[Trace] = []
    told: list[Outcome] = []
    onlookers: dict[str, Onlooker] = {}
    examples = shown_by(library, edition)
    for done, example in enumerate(examples):
        progress(done, len(examples), found.name)
        run = _run(example, onlookers, library)
        told += outcomes(example, {under: trace.outcome for under, trace in run.items()}.__getitem__)
        traces += run.values()
    progress(len(examples), len(examples), "")
    said = sort(told, edition, library)
    found.changed = len(said.changed)
    found.failed = said.failed
    for trace in traces:
        if trace.outcome.passed and trace.under in found.editions:
            found.traces.append(trace)
            found.shown |= trace.shows
            found.read |= trace.read
    return found


def _run(example: Shown, onlookers: dict[str, Onlooker], library: Library) -> dict[str, Trace]:
    """An example run under every name that is given for it: one that holds as the edition reads the laws shows the
    clauses of other readings as well."""
    found: dict[str, Trace] = {}
    for under in (*example.editions, *example.instead):
        if under not in onlookers:
            onlookers[under] = Onlooker(load(under, library))
        found[under] = onlookers[under].trace(example, under)
    return found


class Onlooker:
    """One edition's machine and sheet under watch, and what is to be shown of its clauses."""

    def __init__(self, edition: Edition, only: frozenset[int] | None = None) -> None:
        self.edition = edition
        self._watched = Watched.of(edition, only)
        goals = [goal for clause in edition.clauses for goal in goals_of(clause, edition)]
        self._leaves: dict[int, dict[What, Key]] = {}
        self._asides: dict[int, Key] = {}
        self._applies: dict[str, Key] = {}
        self._chosen: dict[tuple[str, str], Key] = {}
        for goal in goals:
            self._index(goal)
        self._words = {definition.word: definition.clause for definition in edition.definitions.values()}

    def _index(self, goal: Goal) -> None:
        match goal.what:
            case What.HOLDS | What.FAILS:
                self._leaves.setdefault(id(goal.leaf), {})[goal.what] = goal.key
            case What.SETS_ASIDE:
                self._asides[id(goal.tree)] = goal.key
            case What.APPLIES:
                self._applies[goal.clause.id] = goal.key
            case What.CHOSEN:
                self._chosen[goal.clause.id, goal.text] = goal.key

    @property
    def watched(self) -> Watched:
        """The machine, the sheet and the watch."""
        return self._watched

    def trace(self, example: Shown, under: str) -> Trace:
        """Run an example and note what it shows."""
        self._watched.watch.forget()
        rulings: tuple[Ruling, ...] = ()
        if isinstance(example, Example):
            trial = Trial(self.edition, example.dealer, self._watched.machine)
            try:
                trial.play(example.notation)
                outcome = Outcome(example, under, compared(example, trial))
            except LawbookError as error:
                outcome = Outcome(example, under, (), error)
            rulings = tuple(happening.ruling for happening in trial.happenings)
        else:
            outcome = run_under(example, under, self.edition, sheet=self._watched.sheet)
        return Trace(example, under, frozenset(self.shows(rulings)), frozenset(self._read(rulings)), outcome)

    def shows(self, rulings: tuple[Ruling, ...]) -> Iterator[Key]:
        """What has been shown since the watch last forgot, by what it saw and by these rulings."""
        watch = self._watched.watch
        for node, answers in watch.answers.items():
            keys = self._leaves.get(node, {})
            if answers & 2 and What.HOLDS in keys:
                yield keys[What.HOLDS]
            if answers & 1 and What.FAILS in keys:
                yield keys[What.FAILS]
            if answers & 2 and node in self._asides:
                yield self._asides[node]
        for clause in watch.applied:
            if clause.kind is not Kind.REMEDY:
                yield self._applies[clause.id]
        for word in watch.used & set(self._words):
            yield self._applies[self._words[word]]
        for ruling in rulings:
            yield from self._ruled(ruling)

    def _ruled(self, ruling: Ruling) -> Iterator[Key]:
        for right in ruling.opened:
            yield self._applies[right.remedy]
        if ruling.chosen is not None:
            for clause in ruling.because:
                if (clause.id, ruling.event.name) in self._chosen:
                    yield self._chosen[clause.id, ruling.event.name]

    def _read(self, rulings: tuple[Ruling, ...]) -> Iterator[Place]:
        """The clauses that had any part in it: those read, those whose words were looked up, and the remedies of the
        offences there were."""
        watch = self._watched.watch
        by_id = self.edition.by_id
        found = {clause.id for clause in watch.read}
        found |= {self._words[word] for word in watch.used if word in self._words}
        for ruling in rulings:
            # A clause can be a reason without having been read: it is what is lacking.
            found |= {clause.id for clause in (*ruling.because, *ruling.lacking)}
            found |= {defeated.clause.id for defeated in ruling.defeated}
        offences = {offence for ruling in rulings for offence in ruling.offences}
        for clause in self.edition.clauses:
            if (clause.remedy is not None and clause.remedy.offences & offences) or id(clause.once) in watch.answers:
                found.add(clause.id)
        return (place_of(by_id[name]) for name in found if name in by_id)
