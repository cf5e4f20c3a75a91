"""Watching: what a walk through one space comes to see of the clauses.

A space knows only how the table looks after an act. Which clauses had a part in it is asked of an observer, but only
for acts and states that can still show something, and once for all states that are alike in what such an act reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from lawbook.edition.model import EVERY_CALL, Clause, Kind, Step
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.occasions import is_about, reads
from lawbook.explore.prospects import Prospects, Test
from lawbook.explore.seeing import Observer
from lawbook.explore.sightings import Book, Met, Sight, Subject, What
from lawbook.explore.space import Space
from lawbook.explore.walk import Walk
from lawbook.machine.ruling import Event, Verdict

_NOTHING: Final[frozenset[Sight]] = frozenset()

Hope: TypeAlias = tuple[Sight, Test | None]
"""Something that an act may show, and whether it can in a state; None: it may in any."""
# What depends on the table that a call is judged on, which is not the present one where calls are taken back.
_OF_THE_TABLE: Final = (What.APPLIES, What.UNPENALISED)
# After so many acts it is asked whether what has not shown can show at all.
_SOON: Final = 3


class Watcher:
    """Looks at the nodes of walks through one space, and notes what it sees in a book."""

    def __init__(self, subject: Subject, space: Space, book: Book) -> None:
        edition = subject.edition
        self._subject = subject
        self._space = space
        self._book = book
        self._observer = Observer(subject, space.left_out)
        self.blind = blind(subject, space.left_out)
        names = [offer.name for offer in space.offers]
        self._names = frozenset(names)
        before = {
            act
            for clause in subject.clauses
            if clause.trigger is not None and clause.trigger.step is Step.BEFORE
            for act in clause.trigger.acts
        }
        self._chooses = [name in edition.acts and edition.acts[name].chooses for name in names]
        # What these acts do depends on more than the present values and the open rights.
        self._deep = [
            name in before or corrects_calls(edition, name) or chooses
            for name, chooses in zip(names, self._chooses, strict=True)
        ]
        self._events = [offer.event(edition) for offer in space.offers]
        self._callers = [offer.place if offer.is_call else None for offer in space.offers]
        self._prospects = Prospects(subject, self._observer.machine, EVERY_CALL | self._names)
        self._hopes = [self._hopes_of(place, subject.by_act) for place in range(len(names))]
        self._hopes_refused = [self._hopes_of(place, subject.by_refusal) for place in range(len(names))]
        self._refusing = _slots_of_refusals(subject)
        self._alike: dict[object, int] = {}
        self._alike_to: dict[int, int] = {}
        self._known: dict[tuple[int, int], frozenset[Sight]] = {}
        self._offered: dict[int, frozenset[Sight]] = {}
        self._refused: dict[tuple[int | None, ...], bool] = {}
        self._walk: Walk | None = None
        self._depth = -1
        self._looked: set[int] = set()
        self._barren: set[tuple[int, int]] = set()
        self._stale = True
        self._open: list[list[Hope]] = []
        self._open_refused: list[tuple[int, list[Hope]]] = []
        self._open_rights: dict[str, bool] = {}

    def _hopes_of(self, place: int, sights: Mapping[str, Sequence[Sight]]) -> list[Hope]:
        """What an act may show, each with a test of whether it can in a state; none where it may in any."""
        event = self._events[place]
        if event is None:
            return []
        shown = [s for s in sights.get(event.name, ()) if s.name not in self.blind]
        return [(sight, self._test(sight, event, place)) for sight in shown]

    def _test(self, sight: Sight, event: Event, place: int) -> Test | None:
        # What is refused, and when a right can be used or end, depends on the present table whatever an act does to it.
        clause = self._subject.edition.by_id[sight.name]
        of_rights = clause.kind in (Kind.REFUSAL, Kind.LAPSE) or self._sets_aside_rights(clause)
        if self._deep[place] and sight.what in _OF_THE_TABLE and not of_rights:
            return None
        return self._prospects.test(sight, event)

    def _sets_aside_rights(self, clause: Clause) -> bool:
        """Whether a clause is an exception to nothing but what lets somebody choose, or ends that."""
        about = [other for other in self._subject.clauses if is_about(clause, other)]
        kinds = (Kind.REMEDY, Kind.WAIVER, Kind.LAPSE, Kind.REFUSAL)
        return clause.kind is Kind.EXCEPTION and all(other.kind in kinds for other in about)

    # -- one node ------------------------------------------------------------------------------------------

    def look(self, walk: Walk, node: int) -> None:
        """Look at a node that is gone on from."""
        if walk is not self._walk:
            self._walk, self._looked, self._barren, self._stale = walk, set(), set(), True
        if self._stale or walk.depth != self._depth:
            self._begin(walk.depth)
        number, acts, space = walk.states[node], walk.depth, self._space
        following = space.following(number)
        turn = space.turning.turn(space.states[number].values)
        if number not in self._looked:
            self._look_at_state(walk, node, None, number)
        may_call = False
        for place, (reply, after) in following.items():
            if reply.verdict is Verdict.LEGAL and self._callers[place] == turn:
                may_call = True
            hopes = None if reply.conflict else self._open[place]
            if hopes is None or hopes:
                self._note(self._facts(number, place, hopes), Met(acts + 1, walk, node, place))
            if after not in self._looked:
                self._look_at_state(walk, node, place, after)
        for place, hopes in self._open_refused:
            if place not in following:
                self._note(self._facts(number, place, hopes), Met(acts + 1, walk, node, place))
        if not may_call and self._observer.is_stuck(space.states[number]):
            self._note([Sight(What.NOBODY_MAY)], Met(acts, walk, node, None))

    def _begin(self, depth: int) -> None:
        """What acts can still show after so many others."""
        self._depth, self._stale = depth, False
        self._open = [self._wanted(hopes, depth) for hopes in self._hopes]
        refused = [self._wanted(hopes, depth) for hopes in self._hopes_refused]
        self._open_refused = [(place, hopes) for place, hopes in enumerate(refused) if hopes]
        self._open_rights = {
            remedy: any(True for s in sights if s.name not in self.blind and self._is_wanted(s, depth))
            for remedy, sights in self._subject.by_right.items()
        }

    def _wanted(self, hopes: Sequence[Hope], depth: int) -> list[Hope]:
        return [hope for hope in hopes if self._is_wanted(hope[0], depth)]

    def _is_wanted(self, sight: Sight, depth: int) -> bool:
        if not self._book.wants(sight, depth + 1):
            return False
        # What shows soon costs less than to ask whether it can show at all.
        return depth < _SOON or self._prospects.are_there(sight)

    def _note(self, sights: Iterable[Sight], met: Met) -> None:
        for sight in sights:
            if self._book.note(sight, met):
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
            found = self._known[key] = self._seen(self._observer.shown(state, event))
        return found

    def _seen(self, sights: Iterable[Sight]) -> frozenset[Sight]:
        """What can be told of these sights with the registers that states have here."""
        return frozenset(
            sight
            for sight in sights
            if sight.name not in self.blind and (sight.what is not What.REFUSED or sight.beside in self._names)
        )

    def _likeness(self, number: int) -> int:
        """The same for all states that are alike in their values and in the rights that are open."""
        found = self._alike_to.get(number)
        if found is None:
            state = self._space.states[number]
            puts_back = self._observer.machine.rights.puts_back
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

    # -- states --------------------------------------------------------------------------------------------

    def _look_at_state(self, walk: Walk, node: int, place: int | None, number: int) -> None:
        """Look at a state, come to by an act at a node or by none, and at what may be chosen there."""
        self._looked.add(number)
        state = self._space.states[number]
        met = Met(walk.depth + (place is not None), walk, node, place)
        if place is not None and self._chooses[place] and self._observer.is_undefined(state):
            self._note(self._facts(walk.states[node], place, None), met)
        rights = {right.remedy for call in state.held for right in call.rights}
        if rights and (any(self._open_rights[right] for right in rights) or self._may_refuse(number)):
            alike = self._likeness(number)
            found = self._offered.get(alike)
            if found is None:
                found = self._offered[alike] = self._seen(self._observer.offered(state))
            self._note(found, met)

    def _may_refuse(self, number: int) -> bool:
        """Whether anything at all that could be chosen is refused in a state."""
        values = self._space.states[number].values
        read = tuple([values[slot] for slot in self._refusing])
        found = self._refused.get(read)
        if found is None:
            found = self._refused[read] = self._observer.may_refuse(self._space.states[number])
        return found


def _slots_of_refusals(subject: Subject) -> tuple[int, ...]:
    """The places of the values that decide whether a choice is refused."""
    edition = subject.edition
    refusals = [clause for clause in subject.clauses if clause.kind is Kind.REFUSAL]
    read = set().union(*(reads(clause, edition) for clause in refusals))
    registers = [edition.registers[name] for name in sorted(read) if not edition.registers[name].per_right]
    return tuple(slot for register in registers for slot in range(register.slot, register.slot + register.size))


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
