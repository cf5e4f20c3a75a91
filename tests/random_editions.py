"""Random editions: machines of nonsense laws, with every kind of clause, effect, fate and condition in many shapes.

Their clauses are made of random trees, as the resolver makes clauses of law files, and speak of what clauses of their
kind can speak of.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

from random_trees import MOOD, STATUS, UNIVERSE, Names, RandomTrees

from lawbook.auction import load
from lawbook.edition.model import (
    CALL_KINDS,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    ActWord,
    Assign,
    Choice,
    Clause,
    Edition,
    Effect,
    Fate,
    FateKind,
    JudgeAgain,
    Kind,
    LapseRight,
    LetStand,
    Move,
    PutBack,
    Register,
    Remedy,
    Score,
    StandAs,
    Step,
    TakeBack,
    TakeBackEarlier,
    Trigger,
)
from lawbook.language import core
from lawbook.language.types import BID, CALL, DENOMINATION, OFFENCE, SEAT, SIDE, TRUTH, Number, Optional, SetOf, Type

CHOICES: Final = ("demand", "forgive", "shrug")
TALK: Final = {"cough": "none", "mend": "call", "point": "call"}
# Offences of bids only, of any call, and of talk.
OF_BIDS, OF_CALLS, OF_TALK = (0, 1), (2, 3), (4, 5)
_KINDS: Final[list[tuple[str, Type, tuple[Type, ...]]]] = [
    ("status", STATUS, ()),
    ("turn", SEAT, ()),
    ("last bid", Optional(BID), ()),
    ("last bidder", Optional(SEAT), ()),
    ("passes", Number(0, 3), ()),
    ("barred", SetOf(SEAT), ()),
    ("proud", SetOf(SIDE), ()),
    ("mood", MOOD, ()),
    ("step", Number(1, 3), ()),
    ("own bid", Optional(BID), (SIDE,)),
    ("sighs", Number(0, 2), (SEAT,)),
    ("namer", Optional(SEAT), (SIDE, DENOMINATION)),
    ("told", Number(0, 1), (BID,)),
]
_OF_RIGHTS: Final[list[tuple[str, Type]]] = [("witness", Optional(SEAT)), ("patience", Number(0, 2))]


class RandomEdition:
    """One random edition; the same number gives the same."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._trees = RandomTrees(self._chance)
        self._base = load("whist-club-1912")
        self._law = self._base.laws[0]
        self._registers: dict[str, Register] = {}
        self._clauses: list[Clause] = []
        self._names_of: dict[str, Names] = {}

    def make(self) -> Edition:
        """The edition."""
        self._declare()
        self._trees.define()
        for name, register in list(self._registers.items()):
            if not register.per_right and name not in ("status", "turn") and self._chance.random() < 0.5:
                self._registers[name] = replace(register, kept_while=self._trees.truth({}, 2))
        for kind, most in (
            (self._procedure, 12),
            (self._prohibition, 14),
            (self._entitlement, 3),
            (self._refusal, 2),
            (self._remedy, 10),
            (self._waiver, 2),
            (self._lapse, 6),
            (self._of_itself, 2),
            (self._exception, 6),
        ):
            for _ in range(self._chance.randint(most // 2, most)):
                self._clauses.append(kind(f"c{len(self._clauses)}"))
        self._chance.shuffle(self._clauses)
        turns = core.Operate("left", (core.Variable("caller", SEAT),), SEAT)
        stands = Trigger(Step.STANDS, frozenset(CALL_KINDS), None)
        turning = (Assign("turn", (), turns),)
        self._clauses.append(self._clause("turns", Kind.PROCEDURE, {}, trigger=stands, effects=turning))
        # What happens of itself waits for this mood.
        crossed = (Assign("mood", (), core.Constant(1, MOOD)),)
        doubled = Trigger(Step.STANDS, frozenset({"double", "redouble"}), None)
        self._clauses.append(self._clause("crosses", Kind.PROCEDURE, {}, trigger=doubled, effects=crossed))
        acts = {name: ActWord(name, name, "none", frozenset(), True, "") for name in CHOICES}
        acts |= {name: ActWord(name, name, argument, frozenset(), False, "") for name, argument in TALK.items()}
        return replace(
            self._base,
            id="nonsense",
            clauses=tuple(self._clauses),
            by_id={clause.id: clause for clause in self._clauses},
            registers=self._registers,
            definitions=self._trees.definitions,
            acts=acts,
            universe=UNIVERSE,
            interface=replace(self._base.interface, turn=core.Read("turn", (), SEAT)),
            held_while=self._trees.truth({"caller": SEAT}, 2),
        )

    # -- registers -------------------------------------------------------------------------

    def _declare(self) -> None:
        slot = 0
        for name, of, indices in _KINDS:
            size = 1
            for index in indices:
                size *= len(UNIVERSE.members(index))
            start = None if isinstance(of, Optional | SetOf) else UNIVERSE.members(of).start
            put_back = self._chance.choice([PutBack.ALWAYS, PutBack.JUDGEMENT, *PutBack])
            self._registers[name] = Register(
                name, of, indices, start, name == "turn", put_back, None, frozenset(), False, None, None, slot, size, ""
            )
            slot += size
        for place, (name, of) in enumerate(_OF_RIGHTS):
            start = None if isinstance(of, Optional) else 0
            self._registers[name] = Register(
                name, of, (), start, False, PutBack.ALWAYS, None, frozenset(), True, None, None, place, 1, ""
            )

    # -- effects -------------------------------------------------------------------------------------------

    def _effect(self, names: Names) -> Effect:
        """An effect on a register, or points."""
        chance = self._chance
        # What joins a set and leaves it in one step is a conflict; often enough it should be one set.
        name = chance.choice([n for n in self._registers if n not in ("turn", "status")] + ["barred", "proud"] * 2)
        register = self._registers[name]
        if register.per_right and not self._trees.of_right:
            return Score(core.Constant(1, Number(1, 1)), "honour points", self._trees.value(SIDE, names, 1))
        if isinstance(register.type, SetOf) and chance.random() < 0.8:
            many = chance.random() < 0.4
            member = self._trees.value(register.type if many else register.type.of, names, 1)
            return Move(name, member, chance.random() < 0.6)
        arguments = tuple(self._trees.value(of, names, 1) for of in register.indices)
        return Assign(name, arguments, self._trees.value(register.type, names, 2))

    def _effects(self, names: Names, most: int = 2) -> tuple[Effect, ...]:
        return tuple(self._effect(names) for _ in range(self._chance.randint(0 if most > 1 else 1, most)))

    # -- clauses -------------------------------------------------------------------------------------------

    def _clause(self, name: str, kind: Kind, names: Names, **parts: Any) -> Clause:
        self._names_of[name] = names
        return Clause(name, kind, self._law, self._law.span, "", **parts)

    def _condition(self, names: Names) -> dict[str, Any]:
        """A condition that is often met, and sometimes what defeats it."""
        conditions = [self._trees.truth(names, 2) for _ in range(self._chance.choice([0, 1, 1, 2]))]
        unless = self._trees.truth(names, 2) if self._chance.random() < 0.25 else None
        return {"condition": core.All(tuple(conditions)), "unless": unless}

    def _role(self, names: Names) -> core.Value | None:
        draw = self._chance.random()
        if draw < 0.5:
            return None
        if draw < 0.75:
            return self._trees.set(SetOf(SEAT), names, 1)
        return self._trees.perhaps(SEAT, names, 2) if draw < 0.85 else self._trees.seat(names, 1)

    def _trigger(self, step: Step, acts: frozenset[str] | None = None) -> tuple[Trigger, dict[str, Type]]:
        """When a clause is read, and what it can then speak of."""
        chance = self._chance
        if acts is None:
            calls = step not in (Step.MADE, Step.REFUSED) or chance.random() < 0.6
            all_acts = list(CALL_KINDS if calls else [*CHOICES, *TALK])
            if step is Step.REFUSED:
                all_acts = [*CHOICES, *TALK, "bid"]
            acts = frozenset(chance.sample(all_acts, chance.randint(1, len(all_acts))))
            if calls and chance.random() < 0.4:
                acts = frozenset({"bid"})
        names: dict[str, Type] = {"caller": SEAT}
        if acts <= set(CALL_KINDS):
            names["call"] = CALL
        if acts == {"bid"}:
            names["bid"] = BID
        if acts and acts <= {name for name, argument in TALK.items() if argument == "call"}:
            names["argument"] = CALL
        if acts <= set(CHOICES) and step is not Step.REFUSED:
            names |= {"offender": SEAT, "offence": OFFENCE}
        if acts <= set(TALK) and chance.random() < 0.15:
            del names["caller"]
            return Trigger(step, acts, None, True), names
        if step in (Step.STANDS, Step.TAKEN_BACK):
            if step is Step.TAKEN_BACK:
                names["offender"] = SEAT
            return Trigger(step, acts, None), names
        return Trigger(step, acts, self._role({})), names

    def _procedure(self, name: str) -> Clause:
        step = self._chance.choice([Step.STANDS, Step.STANDS, Step.STANDS, Step.MADE, Step.MADE, *Step])
        trigger, names = self._trigger(step)
        each = step in (Step.MADE, Step.REFUSED, Step.BEFORE) and self._chance.random() < 0.4
        return self._read_for_acts(name, Kind.PROCEDURE, trigger, names, each)

    def _read_for_acts(
        self, name: str, kind: Kind, trigger: Trigger, names: dict[str, Type], each: bool, **parts: Any
    ) -> Clause:
        if each:
            of_right: dict[str, Type] = {"offender": SEAT, "offence": OFFENCE, "holders": SetOf(SEAT)}
            names = {**names, **of_right}
            if trigger.role is not None:
                trigger = replace(trigger, role=self._role(of_right))
        self._trees.of_right = each
        effects = self._effects(names)
        if each and self._chance.random() < 0.4:
            effects += (LapseRight(),)
        if trigger.step is Step.BEFORE and self._chance.random() < 0.7:
            effects += (TakeBackEarlier(own=not each),)
        if not effects and kind is Kind.PROCEDURE:
            effects = (self._effect(names),)
        condition = self._condition(names)
        if trigger.step is Step.STANDS and self._chance.random() < 0.3:
            condition["condition"] = core.All((condition["condition"], core.Operate("is replacement", (), TRUTH)))
        if trigger.step is Step.BEFORE and kind is Kind.PROCEDURE:
            condition["condition"] = core.All((condition["condition"], self._trees.truth(names, 2)))
        self._trees.of_right = False
        return self._clause(name, kind, names, trigger=trigger, each_right=each, effects=effects, **condition, **parts)

    def _prohibition(self, name: str) -> Clause:
        chance = self._chance
        step = chance.choice([*[Step.MADE] * 8, Step.BEFORE, Step.BEFORE, Step.REFUSED, Step.TAKEN_BACK])
        trigger, names = self._trigger(step)
        of: tuple[int, ...] = OF_TALK
        if trigger.acts <= set(CALL_KINDS):
            of = (*OF_BIDS, *OF_CALLS) if trigger.acts == {"bid"} else OF_CALLS
        fate = None
        if trigger.acts <= set(CALL_KINDS) and step in (Step.MADE, Step.BEFORE) and chance.random() < 0.6:
            kind = chance.choice(list(FateKind))
            fate = Fate(kind, self._trees.call(CALL, names, 2) if kind is FateKind.STANDS_AS else None)
        each = step in (Step.MADE, Step.BEFORE, Step.REFUSED) and chance.random() < 0.15
        offence = None if fate is not None and chance.random() < 0.2 else chance.choice(of)
        return self._read_for_acts(name, Kind.PROHIBITION, trigger, names, each, offence=offence, fate=fate)

    def _entitlement(self, name: str) -> Clause:
        corrects = self._chance.random() < 0.7
        trigger, names = self._trigger(Step.MADE, frozenset({"mend"} if corrects else TALK))
        again = (
            self._chance.choice([core.Variable("argument", CALL), self._trees.call(CALL, names, 2)])
            if corrects
            else None
        )
        effects = () if again is None else (JudgeAgain(again),)
        return self._clause(name, Kind.ENTITLEMENT, names, trigger=trigger, effects=effects, **self._condition(names))

    def _refusal(self, name: str) -> Clause:
        acts = frozenset(self._chance.sample([*CALL_KINDS, *CHOICES, *TALK], 2))
        trigger, names = self._trigger(Step.MADE, acts)
        # Of a choice that is kept from being one nothing is known.
        names = {name: of for name, of in names.items() if name not in ("offender", "offence")}
        condition = core.All((self._trees.truth(names, 2), self._trees.truth(names, 2), self._trees.truth(names, 2)))
        return self._clause(name, Kind.REFUSAL, names, trigger=trigger, condition=condition)

    def _remedy(self, name: str) -> Clause:
        chance = self._chance
        of: tuple[int, ...] = chance.choice([OF_BIDS, (*OF_BIDS, *OF_CALLS), OF_TALK])
        offences = frozenset(chance.sample(of, chance.randint(1, len(of))))
        names: dict[str, Type] = {"offender": SEAT, "offence": OFFENCE}
        if of != OF_TALK:
            names["call"] = CALL
        if offences <= set(OF_BIDS):
            names["bid"] = BID
        holder = chance.choice(
            [self._trees.set(SetOf(SEAT), names, 1), self._trees.seat(names, 1), self._trees.perhaps(SEAT, names, 2)]
        )
        choosing = {**names, "holder": SEAT}
        choices = tuple(
            Choice(act, self._chosen(choosing, of != OF_TALK))
            for act in chance.sample(CHOICES, chance.randint(1, len(CHOICES)))
        )
        trigger = None
        if chance.random() < 0.5:
            until, _ = self._trigger(Step.MADE)
            turn = core.Read("turn", (), SEAT)
            role = self._role(names)
            if chance.random() < 0.5:
                role = core.Provided(self._trees.truth(names, 1), self._trees.seat(names, 1), Optional(SEAT))
            trigger = replace(until, role=role)
            if "call" in names and chance.random() < 0.7:
                # Talk ends it, by a player who depends on the call that it is about.
                bid = core.Operate("is bid", (core.Variable("call", CALL),), TRUTH)
                trigger = Trigger(Step.MADE, frozenset(TALK), core.Provided(bid, turn, Optional(SEAT)))
        lapses = [f"c{n}" for n in range(80)]
        remedy = Remedy(
            offences,
            holder,
            self._trees.truth({**names, "caller": SEAT}, 1) if chance.random() < 0.3 else core.TRUE,
            choices,
            chance.random() < 0.3,
            chance.random() < 0.3,
            frozenset(chance.sample(lapses, 20)),
        )
        return self._clause(name, Kind.REMEDY, choosing, trigger=trigger, remedy=remedy, **self._condition(choosing))

    def _chosen(self, names: Names, of_call: bool) -> tuple[Effect, ...]:
        effects = list(self._effects(names))
        draw = self._chance.random()
        if of_call and draw < 0.35:
            effects.append(StandAs(self._trees.call(CALL, names, 2)))
        elif of_call and draw < 0.5:
            effects.append(TakeBack())
        elif draw < 0.7:
            effects.append(LetStand())
        return tuple(effects)

    def _waiver(self, name: str) -> Clause:
        remedies = [c for c in self._clauses if c.remedy is not None]
        general: Names = {"offender": SEAT, "offence": OFFENCE, "holder": SEAT}
        target = self._chance.choice(remedies)
        targets, names = (target.id,), self._names_of[target.id]
        if self._chance.random() < 0.4:
            targets, names = (EVERY_REMEDY,), general
        choices = (Choice(self._chance.choice(CHOICES), self._chosen(names, of_call=False)),)
        return self._clause(name, Kind.WAIVER, names, targets=targets, choices=choices, **self._condition(names))

    def _lapse(self, name: str) -> Clause:
        chance = self._chance
        names: dict[str, Type] = {"offender": SEAT, "offence": OFFENCE}
        targets = tuple(chance.sample([EVERY_REMEDY, *(c.id for c in self._clauses if c.remedy is not None)], 2))
        trigger, once = None, None
        self._trees.of_right = True
        if chance.random() < 0.5:
            trigger, scope = self._trigger(Step.MADE)
            names = {**scope, **names}
        else:
            once = self._trees.truth(names, 2)
            if chance.random() < 0.5:
                new = core.Operate("is new", (), TRUTH)
                # It comes to be so when the turn does, which every call that stands moves.
                turn: core.Truth = core.Ordered("equal", core.Read("turn", (), SEAT), self._trees.seat(names, 1))
                once = core.All((new if chance.random() < 0.7 else core.Not(new), turn))
        found = self._clause(
            name, Kind.LAPSE, names, targets=targets, trigger=trigger, once=once, **self._condition(names)
        )
        self._trees.of_right = False
        return found

    def _of_itself(self, name: str) -> Clause:
        cross = core.Ordered("equal", core.Read("mood", (), MOOD), core.Constant(1, MOOD))
        calm = Assign("mood", (), core.Constant(0, MOOD))
        condition = core.All((cross, self._trees.truth({}, 1))) if self._chance.random() < 0.3 else cross
        return self._clause(
            name,
            Kind.OF_ITSELF,
            {},
            condition=condition,
            actor=self._trees.seat({}, 1),
            effects=(calm, *self._effects({}, 1)),
        )

    def _exception(self, name: str) -> Clause:
        chance = self._chance
        draw = chance.random()
        spared = tuple(chance.sample([c.id for c in self._clauses], 5))
        general: Names = {"offender": SEAT, "offence": OFFENCE, "holder": SEAT}
        names: Names
        if draw < 0.15:
            targets, names = (EVERY_REMEDY,), general
        elif draw < 0.3:
            targets, names = (EVERY_PROHIBITION,), {"caller": SEAT, "call": CALL}
        else:
            target = chance.choice(self._clauses)
            targets, names = (target.id,), self._names_of[target.id]
        condition = core.All((self._trees.truth(names, 1), self._trees.truth(names, 2)))
        return self._clause(name, Kind.EXCEPTION, names, targets=targets, spared=spared, condition=condition)
