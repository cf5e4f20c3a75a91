"""What bears on what: the registers that rulings depend on, and the acts that a search must offer together.

A register that no verdict, remedy, bar or result depends on (who first named a denomination, until the declarer is
asked for) only multiplies states. It is left out of the main search and looked at in one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawbook.edition.machines import effects_of, registers_of
from lawbook.edition.model import (
    CALL_KINDS,
    EVERY_CALL,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Assign,
    Clause,
    Edition,
    JudgeAgain,
    Kind,
    Move,
    Step,
    TakeBackEarlier,
)
from lawbook.language import core


def bearing(edition: Edition, acts: Iterable[str], declarer: bool = False) -> frozenset[str]:
    """The registers that the rulings on these acts, the remedies, bars and result depend on; with `declarer`, who is to
    play the hand as well."""
    return _Bearing(edition, frozenset(acts)).registers(declarer)


def bearing_clauses(edition: Edition, acts: Iterable[str]) -> tuple[Clause, ...]:
    """The clauses that calls and these acts are ruled by."""
    return tuple(_Bearing(edition, frozenset(acts)).clauses)


def together(*editions: Edition) -> frozenset[str]:
    """The acts other than calls that belong into one search with the calls, under all of these editions.

    They are the remedies against calls, the acts that name a call, and whatever else can change what these depend on
    without depending on more itself.
    """
    fit = [_fitting(edition) for edition in editions]
    live = [_live(edition, found) for edition, found in zip(editions, fit, strict=True)]
    return frozenset(
        act
        for act in frozenset().union(*live)
        if all(act in found or act not in edition.acts for edition, found in zip(editions, fit, strict=True))
    )


def bearing_on_calls(*editions: Edition) -> frozenset[str]:
    """The acts that can be against the law and change how calls are ruled on, though they are neither calls nor belong
    with them: such as to show a card. What moves the auction on or ends it is not meant."""
    calls = together(*editions)
    found: set[str] = set()
    for edition in editions:
        moving = registers_of((edition.interface.status, edition.interface.turn), edition.definitions)
        registers = bearing(edition, calls & edition.acts.keys()) - moving
        forbidden: set[str] = set()
        writing: set[str] = set()
        for clause in edition.clauses:
            if clause.trigger is None or clause.trigger.step is not Step.MADE:
                continue
            if clause.offence is not None:
                forbidden |= clause.trigger.acts
            if any(isinstance(effect, Assign | Move) and effect.register in registers for effect in clause.effects):
                writing |= clause.trigger.acts
        found |= forbidden & writing
    return frozenset(found - calls - EVERY_CALL)


def chosen_against(acts: Iterable[str], *editions: Edition) -> frozenset[str]:
    """What may be chosen against these acts, in any of the editions."""
    named = frozenset(acts)
    return frozenset(
        word.name
        for edition in editions
        for word in edition.acts.values()
        if word.chooses and _chosen_against(edition, word.name, _offences(edition, named))
    )


def _fitting(edition: Edition) -> frozenset[str]:
    """The acts that depend on no more than calls and the remedies against them do."""
    offences = _offences(edition, EVERY_CALL)
    found = {
        word.name
        for word in edition.acts.values()
        if word.argument == "call" or (word.chooses and _chosen_against(edition, word.name, offences))
    }
    known = bearing(edition, found)
    for name in edition.acts:
        if bearing(edition, {*found, name}) <= known:
            found.add(name)
    return frozenset(found)


def _live(edition: Edition, acts: frozenset[str]) -> frozenset[str]:
    """Those of the acts that can change anything the others depend on."""
    offences = _offences(edition, EVERY_CALL | acts)
    known = bearing(edition, acts)
    found = {act for act in acts if edition.acts[act].chooses and _chosen_against(edition, act, offences)}
    others = {act for act in acts if not edition.acts[act].chooses}
    for clause in edition.clauses:
        named = clause.trigger.acts & others if clause.trigger is not None else frozenset()
        if named - found and clause.scores is None:
            ends = clause.remedy is not None or clause.kind is Kind.LAPSE
            writes = any(not isinstance(e, Assign | Move) or e.register in known for e in clause.effects)
            if ends or writes or (clause.offence is not None and _penalised(edition, clause.offence)):
                found |= named
    return frozenset(found)


def _penalised(edition: Edition, offence: int) -> bool:
    return any(clause.remedy is not None and offence in clause.remedy.offences for clause in edition.clauses)


def _offences(edition: Edition, acts: frozenset[str]) -> frozenset[int]:
    """The offences that these acts can be."""
    return frozenset(
        clause.offence
        for clause in edition.clauses
        if clause.offence is not None and clause.trigger is not None and clause.trigger.acts & acts
    )


def _chosen_against(edition: Edition, act: str, offences: frozenset[int]) -> bool:
    """Whether an act is a choice under a remedy for one of these offences."""
    remedies = {c.id for c in edition.clauses if c.remedy is not None and c.remedy.offences & offences}
    for clause in edition.clauses:
        choices = clause.choices if clause.remedy is None else clause.remedy.choices
        about = {clause.id} if clause.remedy is not None else {*clause.targets}
        if any(choice.act == act for choice in choices) and about & {*remedies, EVERY_REMEDY}:
            return True
    return False


# Clauses that do nothing but change what others do.
_ABOUT_OTHERS = (Kind.EXCEPTION, Kind.LAPSE, Kind.WAIVER)


class _Bearing:
    def __init__(self, edition: Edition, acts: frozenset[str]) -> None:
        self._edition = edition
        self._acts = acts | EVERY_CALL
        offences = _offences(edition, self._acts)
        read = [clause for clause in edition.clauses if clause.scores is None and self._is_read(clause, offences)]
        ids = {clause.id for clause in read if clause.kind not in _ABOUT_OTHERS} | {EVERY_REMEDY, EVERY_PROHIBITION}
        self.clauses = [c for c in read if c.kind not in _ABOUT_OTHERS or ids & set(c.targets)]

    def _is_read(self, clause: Clause, offences: frozenset[int]) -> bool:
        if clause.remedy is not None:
            return bool(clause.remedy.offences & offences)
        if clause.trigger is None:
            return True
        if clause.each_right:
            # What speaks only of rights that nothing offered can open is never read for any.
            asked = _offences_asked(clause.condition)
            if asked is not None and not asked & offences:
                return False
        return clause.trigger.step in (Step.STANDS, Step.TAKEN_BACK) or bool(clause.trigger.acts & self._acts)

    def registers(self, declarer: bool) -> frozenset[str]:
        edition = self._edition
        interface = edition.interface
        asked: list[object] = [interface.status, interface.turn, interface.contract, interface.doubling]
        asked.append(interface.debarred)
        # Until when a call can be put back matters only where something can put it back but a remedy.
        if any(isinstance(e, JudgeAgain | TakeBackEarlier) for c in self.clauses for e in c.effects):
            asked.append(edition.held_while)
        if declarer:
            asked += [interface.declarer, interface.dummy]
        doubtful = self._acts - EVERY_CALL - self._never_refused()
        asked += [part for clause in self.clauses if _rules(clause, doubtful) for part in _conditions(clause)]
        asked += [
            effect for clause in self.clauses for effect in effects_of(clause) if not isinstance(effect, Assign | Move)
        ]
        definitions = edition.definitions
        found = registers_of(tuple(asked), definitions)
        while True:
            wider = set(found)
            for clause in self.clauses:
                for effect in effects_of(clause):
                    if isinstance(effect, Assign | Move) and effect.register in found:
                        wider |= registers_of((effect, *_conditions(clause)), definitions)
            for register in edition.registers.values():
                if register.name in found:
                    wider |= register.together | registers_of((register.kept_while,), definitions)
            if wider == found:
                return frozenset(found)
            found = wider

    def _never_refused(self) -> frozenset[str]:
        """The acts that are not refused for want of a clause: choices, for which an option must be there and nothing
        else, and acts that some clause is there for whatever the position."""
        excepted = {target for clause in self.clauses if clause.kind is Kind.EXCEPTION for target in clause.targets}
        there: set[tuple[str, bool]] = set()
        certain: set[tuple[str, bool]] = set()
        for clause in self.clauses:
            trigger = clause.trigger
            if trigger is None or trigger.step is not Step.MADE or clause.kind is Kind.REFUSAL:
                continue
            by_whom = {(act, trigger.by_table) for act in trigger.acts}
            there |= by_whom
            always = clause.condition == core.TRUE and clause.unless is None and trigger.role is None
            may_be_excepted = clause.id in excepted or (clause.offence is not None and EVERY_PROHIBITION in excepted)
            if always and not clause.each_right and not may_be_excepted:
                certain |= by_whom
        chosen = {word.name for word in self._edition.acts.values() if word.chooses}
        return frozenset(chosen | {act for act, _ in certain} - {act for act, _ in there - certain})


def _offences_asked(condition: core.Truth) -> frozenset[int] | None:
    """The offences of which alone a condition can hold where it is read for a right; None for any."""
    match condition:
        case core.Leaf(of):
            return _offences_asked(of)
        case core.Ordered("equal", core.Variable("offence"), core.Constant(value)) if value is not None:
            return frozenset({value})
        case core.All(parts):
            asked = [found for found in map(_offences_asked, parts) if found is not None]
            return frozenset.intersection(*asked) if asked else None
        case core.AnyOf(parts):
            each = [_offences_asked(part) for part in parts]
            known = [found for found in each if found is not None]
            return frozenset().union(*known) if len(known) == len(each) else None
        case _:
            return None


def _rules(clause: Clause, doubtful: frozenset[str]) -> bool:
    """Whether a clause decides something by being read at all, not by what it writes; doubtful acts are those refused
    where no clause is there for them."""
    if clause.trigger is not None and clause.trigger.step is Step.MADE and clause.trigger.acts & doubtful:
        return True
    if clause.kind is Kind.ENTITLEMENT:
        # A call is judged by what forbids it; what entitles to it only gives the reason.
        return clause.trigger is not None and not clause.trigger.acts <= frozenset(CALL_KINDS)
    if clause.kind in (Kind.DEFINITION, Kind.PROCEDURE, Kind.STATUS):
        return any(not isinstance(effect, Assign | Move) for effect in clause.effects)
    return True


def _conditions(clause: Clause) -> Iterator[object]:
    yield from (clause.condition, clause.unless, clause.once, clause.actor, clause.fate)
    if clause.trigger is not None:
        yield clause.trigger.role
    if clause.remedy is not None:
        yield from (clause.remedy.holder, clause.remedy.opened)
