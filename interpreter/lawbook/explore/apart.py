"""Apart: which acts are searched together, because all of them at once would make far too many states.

Calls go with what may be chosen against them and with what is said of it: that is the core. Every other act is searched
in a group of its own, with whatever else its rulings depend on: what may be chosen because of it, what ends that, and
the acts that write what its laws read. Of editions that are compared, an act goes with what it goes with in any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lawbook.edition.machines import registers_of
from lawbook.edition.model import EVERY_CALL, EVERY_REMEDY, Assign, Clause, Edition, Kind, Move
from lawbook.explore.occasions import choices_of, read_in_auctions

# Clauses that end something; what they are read for does not happen by them.
_ENDING = (Kind.LAPSE, Kind.REMEDY)


class Apart:
    """Sorts the acts of one edition, or of several; `core`: those searched with calls, if that is settled already."""

    def __init__(self, *editions: Edition, core: frozenset[str] | None = None) -> None:
        self._editions = tuple(map(_Acts, editions))
        if core is None:
            core = self._closed(frozenset(), lambda acts, edition: edition.with_calls(acts))
        self.core = core

    def groups(self) -> tuple[frozenset[str], ...]:
        """The acts outside the core that some law speaks of in particular, in groups; none is part of another, and one
        act can be in several."""
        every = frozenset().union(*(edition.every for edition in self._editions))
        others = [act for act in sorted(every - self.core) if self.is_spoken_of(act)]
        found = {self._closed(frozenset({act}), self._with_acts) for act in others}
        largest = (group for group in found if not any(group < other for other in found))
        return tuple(sorted(largest, key=sorted))

    def is_spoken_of(self, act: str) -> bool:
        """Whether a law says something of an act in particular, or lets it be chosen."""
        return any(edition.is_spoken_of(act) for edition in self._editions)

    def _with_acts(self, acts: frozenset[str], edition: _Acts) -> Iterable[str]:
        return edition.with_acts(acts, self.core)

    def _closed(
        self, start: frozenset[str], more: Callable[[frozenset[str], _Acts], Iterable[str]]
    ) -> frozenset[str]:
        found = start
        while not (wider := found.union(*(more(found, edition) for edition in self._editions))) <= found:
            found = wider
        return found


class _Acts:
    """What goes with acts in one edition."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._clauses = read_in_auctions(edition)
        self.every = frozenset(edition.acts)
        interface = edition.interface
        # That the auction is open, and whose turn it is, everything depends on.
        self._common = registers_of((interface.status, interface.turn), edition.definitions)

    def is_spoken_of(self, act: str) -> bool:
        """Whether a law says something of an act in particular, or lets it be chosen."""
        chosen = any(choice.act == act for clause in self._clauses for choice in choices_of(clause))
        return chosen or bool(self._clauses_for(frozenset({act})))

    def with_calls(self, acts: frozenset[str]) -> Iterator[str]:
        """What goes with calls and these acts."""
        rights = self._remedies(self._clauses_for(acts | EVERY_CALL))
        for word in self._edition.acts.values():
            if word.argument == "call" and self.is_spoken_of(word.name):
                yield word.name
        for clause in self._clauses:
            about = clause.id in rights or self._is_about(clause, rights)
            if about:
                yield from (choice.act for choice in choices_of(clause))
            if about or clause.each_right:
                yield from self._talk(clause)

    def with_acts(self, acts: frozenset[str], core: frozenset[str]) -> Iterator[str]:
        """What goes with these acts, if the core is searched by itself."""
        own = self._clauses_for(acts)
        rights = self._remedies(own)
        for clause in self._clauses:
            named = clause.id in rights or bool(rights.intersection(clause.targets))
            if named or (clause.kind is Kind.WAIVER and rights and EVERY_REMEDY in clause.targets):
                yield from (choice.act for choice in choices_of(clause))
            if named:
                own.append(clause)
                yield from self._talk(clause) if clause.kind in _ENDING else ()
        ids = {clause.id for clause in own}
        own += [c for c in self._clauses if c.kind is Kind.EXCEPTION and ids.intersection(c.targets)]
        read = registers_of(tuple(_asked(clause) for clause in own), self._edition.definitions) - self._common
        for clause in self._clauses:
            writes = any(isinstance(e, Assign | Move) and e.register in read for e in clause.effects)
            if writes and clause.kind not in _ENDING:
                yield from (act for act in self._talk(clause) if act not in core)

    # -- clauses -------------------------------------------------------------------------------------------

    def _clauses_for(self, acts: frozenset[str]) -> list[Clause]:
        """The clauses that say something of these acts in particular."""
        return [
            clause
            for clause in self._clauses
            if clause.trigger is not None
            and clause.kind not in _ENDING
            and clause.trigger.acts & acts
            and not self._is_general(clause)
        ]

    def _is_general(self, clause: Clause) -> bool:
        """Whether a clause is read for every act there is."""
        return clause.trigger is not None and clause.trigger.acts >= self.every | EVERY_CALL

    def _remedies(self, clauses: Iterable[Clause]) -> frozenset[str]:
        """The remedies for the offences that clauses make of acts."""
        offences = {clause.offence for clause in clauses if clause.offence is not None}
        return frozenset(c.id for c in self._clauses if c.remedy is not None and c.remedy.offences & offences)

    def _is_about(self, clause: Clause, rights: frozenset[str]) -> bool:
        """Whether a clause ends, widens or marks rights under these remedies."""
        if clause.kind not in (Kind.LAPSE, Kind.WAIVER):
            return clause.each_right and bool(rights)
        return bool(rights.intersection(clause.targets)) or (EVERY_REMEDY in clause.targets and bool(rights))

    def _talk(self, clause: Clause) -> Iterator[str]:
        """The acts that a clause is read for in particular and that choose nothing."""
        if clause.trigger is not None and not self._is_general(clause):
            yield from (act for act in clause.trigger.acts & self.every if not self._edition.acts[act].chooses)


def _asked(clause: Clause) -> tuple[object, ...]:
    """What decides whether a clause applies."""
    role = () if clause.trigger is None else (clause.trigger.role,)
    remedy = () if clause.remedy is None else (clause.remedy.holder, clause.remedy.opened)
    return (clause.condition, clause.unless, clause.once, *role, *remedy)
