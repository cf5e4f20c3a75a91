"""Watching: what a walk through one space comes to see of the clauses.

A space knows only how the table looks after an act. Which clauses had a part in it is asked of a machine that notes it,
but only for acts that can still show something, and once for all states that are alike in what such an act reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from lawbook.edition.machines import registers_of
from lawbook.edition.model import (
    EVERY_CALL,
    Assign,
    Clause,
    Edition,
    Effect,
    Kind,
    Move,
    StandAs,
    Step,
    TakeBack,
)
from lawbook.errors import LawbookError
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.occasions import choices_of, is_about
from lawbook.explore.prospects import Prospects, Test
from lawbook.explore.sightings import Book, Seen, Sight, Subject, What
from lawbook.explore.space import Space
from lawbook.explore.walk import Walk
from lawbook.language.types import Optional, SetOf
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.machine import Machine
from lawbook.machine.reading import Reader, Report
from lawbook.machine.ruling import Event, Ruling, Verdict
from lawbook.machine.state import State

OPEN: Final = "open"
"""How the status is called while calls are to be made."""
_NOTHING: Final[frozenset[Sight]] = frozenset()

Hope: TypeAlias = tuple[Sight, Test | None]
"""Something that an act may show, and whether it can in a state; None: it may in any."""
# What can be asked whether it can show.
_TESTED: Final = (What.APPLIES, What.UNPENALISED)
# After so many acts it is asked whether what has not shown can show at all.
_SOON: Final = 3


class Watcher:
    """Looks at the nodes of walks through one space, and notes what it sees in a book."""

    def __init__(self, subject: Subject, space: Space, book: Book) -> None:
        edition = subject.edition
        self._subject = subject
        self._space = space
        self._book = book
        self._machine = Machine(edition, read=_Noting)
        self.blind = blind(subject, space.left_out)
        self._solid = _solid(edition)
        self._telling = {
            (clause.id, choice.act)
            for clause in subject.clauses
            for choice in choices_of(clause)
            if all(_shows(effect, edition, space.left_out) for effect in choice.effects)
        }
        names = [offer.name for offer in space.offers]
        before = {
            act
            for clause in subject.clauses
            if clause.trigger is not None and clause.trigger.step is Step.BEFORE
            for act in clause.trigger.acts
        }
        # What these acts do depends on more than the present values and the open rights.
        self._deep = [
            name in before or corrects_calls(edition, name) or (name in edition.acts and edition.acts[name].chooses)
            for name in names
        ]
        self._events = [offer.event(edition) for offer in space.offers]
        self._callers = [offer.place if offer.is_call else None for offer in space.offers]
        self._prospects = Prospects(subject, self._machine, EVERY_CALL | frozenset(names))
        self._hopes = [self._hopes_of(place, subject.by_act) for place in range(len(names))]
        self._hopes_refused = [self._hopes_of(place, subject.by_refusal) for place in range(len(names))]
        universe = edition.universe
        highest = universe.bid(universe.levels, len(universe.denominations) - 1)
        self._calls = [(self._machine.reader.kind_of(call), call) for call in range(highest + 1)]
        self._alike: dict[object, int] = {}
        self._alike_to: dict[int, int] = {}
        self._known: dict[tuple[int, int], frozenset[Sight]] = {}
        self._offered: dict[int, frozenset[Sight]] = {}
        self._walk: Walk | None = None
        self._depth = -1
        self._looked: set[int] = set()
        self._barren: set[tuple[int, int]] = set()
        self._stale = True
        self._open: list[list[Hope]] = []
        self._open_refused: list[tuple[int, list[Hope]]] = []

    def _hopes_of(self, place: int, sights: Mapping[str, Sequence[Sight]]) -> list[Hope]:
        """What an act may show, each with a test of whether it can in a state; none where it may in any."""
        event = self._events[place]
        if event is None:
            return []
        shown = [s for s in sights.get(event.name, ()) if s.name not in self.blind]
        return [(sight, self._test(sight, event, place)) for sight in shown]

    def _test(self, sight: Sight, event: Event, place: int) -> Test | None:
        if sight.what not in _TESTED:
            return None
        # What is refused, and when a right can end, depends on the present table whatever the act does to it.
        clause = self._subject.edition.by_id[sight.name]
        plain = clause.kind in (Kind.REFUSAL, Kind.LAPSE) or self._sets_aside_rights(clause)
        return self._prospects.test(sight, event) if plain or not self._deep[place] else None

    def _sets_aside_rights(self, clause: Clause) -> bool:
        """Whether a clause is an exception to nothing but what lets somebody choose, or ends that."""
        about = [other for other in self._subject.clauses if is_about(clause, other)]
        kinds = (Kind.REMEDY, Kind.WAIVER, Kind.LAPSE, Kind.REFUSAL)
        return clause.kind is Kind.EXCEPTION and all(other.kind in kinds for other in about)

    # -- one node ------------------------------------------------------------------------------------------

    def look(self, walk: Walk, node: int) -> bool:
        """Look at a node that is gone on from; it never ends the walk."""
        if walk is not self._walk:
            self._walk, self._looked, self._barren, self._stale = walk, set(), set(), True
        if self._stale or walk.depth != self._depth:
            self._begin(walk.depth)
        number, acts, space = walk.states[node], walk.depth, self._space
        following = space.following(number)
        turn = space.turning.turn(space.states[number])
        if number not in self._looked:
            self._look_at_options(walk, node, None, number)
        may_call = False
        for place, (reply, after) in following.items():
            if reply.verdict is Verdict.LEGAL and self._callers[place] == turn:
                may_call = True
            hopes = None if reply.conflict else self._open[place]
            if hopes is None or hopes:
                self._note(self._facts(number, place, hopes), Seen(acts + 1, walk, node, place))
            if after not in self._looked:
                self._look_at_options(walk, node, place, after)
        for place, hopes in self._open_refused:
            if place not in following:
                self._note(self._facts(number, place, hopes), Seen(acts + 1, walk, node, place))
        if not may_call and self._is_stuck(number, turn):
            self._note([Sight(What.NOBODY_MAY)], Seen(acts, walk, node, None))
        return False

    def _begin(self, depth: int) -> None:
        """What acts can still show after so many others."""
        self._depth, self._stale = depth, False
        self._open = [self._wanted(hopes, depth) for hopes in self._hopes]
        refused = [self._wanted(hopes, depth) for hopes in self._hopes_refused]
        self._open_refused = [(place, hopes) for place, hopes in enumerate(refused) if hopes]

    def _wanted(self, hopes: Sequence[Hope], depth: int) -> list[Hope]:
        found = [hope for hope in hopes if self._book.wants(hope[0], depth + 1)]
        # What shows soon costs less than to ask whether it can show at all.
        return [hope for hope in found if self._prospects.are_there(hope[0])] if depth >= _SOON else found

    def _note(self, sights: Iterable[Sight], seen: Seen) -> None:
        for sight in sights:
            if self._book.note(sight, seen):
                self._stale = True

    # -- acts ----------------------------------------------------------------------------------------------

    def _facts(self, number: int, place: int, hopes: Sequence[Hope] | None) -> frozenset[Sight]:
        """What an act shows in a state: nothing where it can show none of the hopes; whatever it is if these are
        None."""
        event = self._events[place]
        if event is None:
            return _NOTHING
        key = (-1 - number if self._deep[place] else self._likeness(number), place)
        found = self._known.get(key)
        if found is None:
            state = self._space.states[number]
            if hopes is not None:
                # What is hoped for only becomes less in the course of a walk.
                if key in self._barren:
                    return _NOTHING
                if not any(test is None or test(state) for _, test in hopes):
                    self._barren.add(key)
                    return _NOTHING
            found = self._known[key] = self._shown(state, event)
        return found

    def _likeness(self, number: int) -> int:
        """The same for all states that are alike in their values and in the rights that are open."""
        found = self._alike_to.get(number)
        if found is None:
            state = self._space.states[number]
            puts_back = self._machine.rights.puts_back
            rights = tuple(
                (
                    call.caller,
                    call.call,
                    call.before if any(r.remedy in puts_back for r in call.rights) else call.before is None,
                    call.rights,
                    call.is_call,
                )
                for call in state.held
                if call.rights
            )
            found = self._alike_to[number] = self._alike.setdefault((state.values, rights), len(self._alike))
        return found

    def _shown(self, state: State, event: Event) -> frozenset[Sight]:
        noted = self._noted()
        try:
            rulings = self._machine.act(state, event)
        except LawbookError as error:
            first = error.diagnostics[0]
            return frozenset({Sight(What.NO_RULING, first.code, first.message)})
        found = {Sight(What.APPLIES, clause) for clause in noted}
        for ruling in rulings:
            found.update(self._ruled(ruling))
        if rulings[0].chosen is not None:
            found.update(self._chosen(state, rulings[0]))
        return frozenset(sight for sight in found if sight.name not in self.blind)

    def _noted(self) -> set[str]:
        """What the machine notes, from now on."""
        reader = self._machine.reader
        assert isinstance(reader, _Noting)
        reader.noted.clear()
        return reader.noted

    def _ruled(self, ruling: Ruling) -> Iterator[Sight]:
        by_id = self._subject.edition.by_id
        applied = [clause.id for clause in ruling.fired]
        applied += [by for _, _, by in ruling.lapsed if by_id[by].kind is Kind.LAPSE]
        applied += [right.remedy for right in ruling.opened]
        # Of a refused act the other reasons are what would have made it possible.
        applied += [clause.id for clause in ruling.because if clause.kind in (Kind.OF_ITSELF, Kind.REFUSAL)]
        for name in applied:
            yield Sight(What.APPLIES, name)
        if ruling.unpenalised:
            for clause in ruling.fired:
                if clause.offence is not None:
                    yield Sight(What.UNPENALISED, clause.id)

    def _chosen(self, state: State, ruling: Ruling) -> Iterator[Sight]:
        after, act = ruling.state.values, ruling.event.name
        undefined = any(after[slot] is None for slot in self._solid)
        for clause in ruling.because:
            yield Sight(What.CHOSEN, clause.id, act)
            if after != state.values or (clause.id, act) not in self._telling:
                yield Sight(What.CHANGES, clause.id, act)
            if undefined:
                yield Sight(What.UNDEFINED, clause.id, act)

    # -- states --------------------------------------------------------------------------------------------

    def _look_at_options(self, walk: Walk, node: int, place: int | None, number: int) -> None:
        """Look at what may be chosen in a state, come to by an act at a node or by none."""
        self._looked.add(number)
        if self._space.states[number].held:
            alike = self._likeness(number)
            found = self._offered.get(alike)
            if found is None:
                found = self._offered[alike] = frozenset(self._options(self._space.states[number]))
            self._note(found, Seen(walk.depth + (place is not None), walk, node, place))

    def _options(self, state: State) -> Iterator[Sight]:
        machine, noted = self._machine, self._noted()
        options = machine.options(state)
        for name in list(noted):
            yield Sight(What.APPLIES, name)
        for option in options:
            yield Sight(What.OFFERED, option.clause.id, option.choice.act)
            yield Sight(What.USABLE, option.remedy.id)
            if option.clause is not option.remedy:
                yield Sight(What.APPLIES, option.clause.id)
            if self._is_refused(state, Event(option.seat, option.choice.act)):
                yield Sight(What.REFUSED, option.clause.id, option.choice.act)

    def _is_refused(self, state: State, choosing: Event) -> bool:
        """Whether a law refuses what another lets be chosen."""
        reader = self._machine.reader
        bound = reader.bound(choosing)
        return any(
            clause.kind is Kind.REFUSAL
            and reader.is_of_role(clause, state.values, bound)
            and reader.holds(clause, state.values, bound)
            for clause in reader.read_for(Step.MADE, choosing.name)
        )

    def _is_stuck(self, number: int, turn: int) -> bool:
        """Whether calls are to be made and the player in turn may make none, and nobody may choose anything."""
        view = self._space.view(number)
        if view.status != OPEN or view.choosable:
            return False
        state = self._space.states[number]
        return not any(self._machine.legal(state, Event(turn, kind, call)) for kind, call in self._calls)


class _Noting(Reader):
    """A reader that notes which exceptions set something aside, and what entitled to an act."""

    def __init__(self, edition: Edition, evaluate: type[Evaluator] = CompiledEvaluator) -> None:
        super().__init__(edition, evaluate)
        self.noted: set[str] = set()

    def holds(self, clause: Clause, values: Values, bound: Bound, report: Report | None = None) -> bool:
        """As ever."""
        found = super().holds(clause, values, bound, report)
        # An exception is asked for only where what it is an exception to would apply. Of what entitles to a correction
        # nothing is said where the corrected call breaks a law.
        if found and clause.kind in (Kind.EXCEPTION, Kind.ENTITLEMENT):
            self.noted.add(clause.id)
        return found


def _solid(edition: Edition) -> tuple[int, ...]:
    """The places of values where something always has to stand."""
    return tuple(
        slot
        for register in edition.registers.values()
        if not register.per_right and not isinstance(register.type, Optional | SetOf)
        for slot in range(register.slot, register.slot + register.size)
    )


def _shows(effect: Effect, edition: Edition, left_out: frozenset[str]) -> bool:
    """Whether an effect shows in a state's values, if it changes anything."""
    if isinstance(effect, Assign | Move):
        return effect.register not in left_out and not edition.registers[effect.register].per_right
    return isinstance(effect, StandAs | TakeBack)


def blind(subject: Subject, left_out: frozenset[str]) -> frozenset[str]:
    """The clauses, by id, of which nothing can be said where these registers are left out of the states."""
    if not left_out:
        return frozenset()
    exceptions = [clause for clause in subject.clauses if clause.kind is Kind.EXCEPTION]
    unsure = {clause.id for clause in subject.clauses if reads(clause, subject.edition) & left_out}
    while True:
        about = {c.id for c in subject.clauses if any(e.id in unsure and is_about(e, c) for e in exceptions)}
        if about <= unsure:
            break
        unsure |= about
    others = {e.id for e in exceptions if any(c.id in unsure and is_about(e, c) for c in subject.clauses)}
    return frozenset(unsure | others)


def reads(clause: Clause, edition: Edition) -> set[str]:
    """The registers that decide whether a clause applies."""
    trees: list[object] = [clause.condition, clause.unless, clause.once, clause.actor, clause.fate]
    if clause.trigger is not None:
        trees.append(clause.trigger.role)
    if clause.remedy is not None:
        trees += [clause.remedy.holder, clause.remedy.opened]
    return registers_of(tuple(trees), edition.definitions)
