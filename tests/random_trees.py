"""Random trees: values and conditions over the words of one vocabulary, typed and guarded as the checker wants them.

They say nothing of sense, which is the point: what holds for them does not lean on how any code happens to be written.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from lawbook.language import core
from lawbook.language.types import (
    BID,
    CALL,
    DENOMINATION,
    SEAT,
    SIDE,
    TRUTH,
    Enumeration,
    Number,
    Optional,
    SetOf,
    Type,
    Universe,
)

STATUS, MOOD = Enumeration("status"), Enumeration("mood")
UNIVERSE: Final = Universe(
    ("copper", "brass"),
    ("C", "B"),
    {"status": ("open", "over"), "mood": ("calm", "cross", "wild")},
    ("low", "dear", "late", "loud", "rude", "sly"),
    levels=5,
)
Names: TypeAlias = Mapping[str, Type]
"""What a tree can speak of."""
Making: TypeAlias = Callable[[], core.Value]


class RandomTrees:
    """Makes values and conditions; the same chance gives the same. What `definitions` has may be used in them; `define`
    fills it. While `of_right` is set, what a right remembers can be read."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.definitions: dict[str, core.Definition] = {}
        self.of_right = False

    def define(self) -> None:
        """Define words: some that read no register, some that do, a table."""
        chance = self._chance
        seat, bid = core.Variable("s", SEAT), core.Variable("b", BID)
        rows = tuple(chance.randint(0, 3) for _ in UNIVERSE.denominations)
        bids = tuple(chance.randint(0, 3) for _ in UNIVERSE.members(BID))
        self._put("value", {"d": DENOMINATION}, None, rows)
        self._put("worth", {"b": BID}, None, bids)
        # These read no register: they become tables.
        points = core.Arithmetic("times", self._level(bid), self._worth(bid), Number(0, 15))
        self._put("points", {"b": BID}, points)
        other = core.Variable("o", BID)
        sign: Any = chance.choice(["less", "at_most", "equal"])
        self._put(
            "outranks",
            {"b": BID, "o": BID},
            core.Ordered(sign, self._points(other), self._points(bid)),
        )
        found = core.Variable("f", BID)
        suits = core.Operate("denomination", (found,), DENOMINATION)
        same = core.Ordered("equal", suits, core.Variable("d", DENOMINATION))
        better = core.Use("outranks", (found, bid), TRUTH)
        top = core.Operate("bid", (core.Constant(5, Number(5, 5)), core.Variable("d", DENOMINATION)), BID)
        self._put("lowest", {"d": DENOMINATION, "b": BID}, core.First("f", BID, core.All((same, better)), top, BID))
        # These read registers: they are looked at anew each time.
        self._put("is barred", {"s": SEAT}, core.Among(seat, core.Read("barred", (), SetOf(SEAT))))
        self._put("is busy", {"s": SEAT}, self.truth({"s": SEAT}, 3))
        self._put("is apt", {"b": BID}, self.truth({"b": BID}, 3))
        self._put("is tense", {}, self.truth({}, 3))
        self._put("leader", {}, core.First("f", SEAT, self.truth({"f": SEAT}, 2), self.seat({}, 1), SEAT))
        self._put("guest", {}, core.Provided(self.truth({}, 2), self.seat({}, 1), Optional(SEAT)))

    def _put(
        self, name: str, parameters: Names, body: core.Value | core.Truth | None, table: tuple[int, ...] | None = None
    ) -> None:
        self.definitions[name] = core.Definition(name, "defines", tuple(parameters.items()), body, table)

    def _level(self, bid: core.Value) -> core.Value:
        return core.Operate("level", (bid,), Number(1, 5))

    def _worth(self, bid: core.Value) -> core.Value:
        return core.Use("worth", (bid,), Number(0, 3))

    def _points(self, bid: core.Value) -> core.Value:
        return core.Use("points", (bid,), Number(0, 15))

    # -- values --------------------------------------------------------------------------------------------

    def _bound(self, of: Type, names: Names) -> list[core.Value]:
        fitting = {BID, CALL} if of == CALL else {of}
        return [core.Variable(name, named) for name, named in names.items() if named in fitting]

    def _has(self, *definitions: str) -> bool:
        return all(name in self.definitions for name in definitions)

    def value(self, of: Type, names: Names, depth: int) -> core.Value:
        """A value that there is."""
        match of:
            case SetOf():
                return self.set(of, names, depth)
            case Number(low, high):
                return self._clamped(low, high, names, depth)
            case Optional(inner):
                return self.perhaps(inner, names, depth)
        if of == SEAT:
            return self.seat(names, depth)
        if of in (BID, CALL):
            return self.call(of, names, depth)
        if of == SIDE:
            side = core.Operate("side", (self.seat(names, depth - 1),), SIDE)
            return self._one([lambda: side, lambda: core.Operate("other side", (side,), SIDE)], of, names)
        if of == DENOMINATION and depth > 0:
            bid = self.call(BID, names, depth - 1)
            return self._one([lambda: core.Operate("denomination", (bid,), DENOMINATION)], of, names)
        reads: list[Making] = [lambda: core.Read("mood", (), MOOD)] if of == MOOD else []
        return self._one(reads, of, names)

    def _one(self, others: Sequence[Making], of: Type, names: Names) -> core.Value:
        """One of some, of what is bound, or a constant."""
        draw = self._chance.random()
        bound = self._bound(of, names)
        if bound and draw < 0.4:
            return self._chance.choice(bound)
        if others and draw < 0.8:
            return self._chance.choice(others)()
        return self._constant(of)

    def seat(self, names: Names, depth: int) -> core.Value:
        found: list[Making] = [lambda: core.Read("turn", (), SEAT)]
        if depth > 0:
            operation = self._chance.choice(["left", "right", "partner"])
            found.append(lambda: core.Operate(operation, (self.seat(names, depth - 1),), SEAT))
            inner = {**names, "x": SEAT}
            found.append(lambda: core.First("x", SEAT, self.truth(inner, depth - 1), core.Read("turn", (), SEAT), SEAT))
            if self._has("leader"):
                found.append(lambda: core.Use("leader", (), SEAT))
        return self._one(found, SEAT, names)

    def call(self, of: Type, names: Names, depth: int) -> core.Value:
        found: list[Making] = []
        if depth > 0:
            level = core.Constant(self._chance.randint(1, 5), Number(1, 5))
            denomination = self.value(DENOMINATION, names, depth - 1)
            found.append(lambda: core.Operate("bid", (level, denomination), BID))
            inner = {**names, "z": BID}
            otherwise = core.Constant(3, BID)
            found.append(lambda: core.First("z", BID, self.truth(inner, depth - 1), otherwise, BID))
            if self._has("lowest"):
                found.append(lambda: core.Use("lowest", (denomination, self.call(BID, names, depth - 1)), BID))
        return self._one(found, of, names)

    def set(self, of: SetOf, names: Names, depth: int) -> core.Value:
        members = len(UNIVERSE.members(of.of))
        found: list[Making] = [
            lambda: core.Constant(self._chance.randrange(1 << members), of),
            lambda: core.Read("barred" if of.of == SEAT else "proud", (), of),
        ]
        if of.of == SEAT:
            side = self.value(SIDE, names, depth - 1)
            operation = self._chance.choice(["members", "adversaries"])
            found.append(lambda: core.Operate(operation, (side,), of))
            found.append(lambda: core.Operate("everybody", (), of))
            if bound := self._bound(of, names):
                found.append(lambda: bound[0])
        return self._chance.choice(found)()

    def _number(self, names: Names, depth: int) -> core.Value:
        found: list[Making] = [
            lambda: core.Constant(self._chance.randint(0, 3), Number(0, 3)),
            lambda: core.Read("passes", (), Number(0, 3)),
            lambda: core.Read("step", (), Number(1, 3)),
        ]
        if self.of_right:
            found.append(lambda: core.Read("patience", (), Number(0, 2)))
        if depth > 0:
            found.append(lambda: core.Read("sighs", (self.seat(names, depth - 1),), Number(0, 2)))
            found.append(lambda: core.Read("told", (self.call(BID, names, depth - 1),), Number(0, 1)))
            found.append(lambda: self._level(self.call(BID, names, depth - 1)))
            found.append(lambda: core.Use("value", (self.value(DENOMINATION, names, depth - 1),), Number(0, 3)))
            found.append(lambda: self._points(self.call(BID, names, depth - 1)))
            operator: Any = self._chance.choice(["plus", "minus", "times", "lesser", "greater"])
            parts = (lambda: self._number(names, depth - 1), lambda: self._number(names, depth - 2))
            found += [lambda: core.Arithmetic(operator, parts[0](), parts[1](), Number(-99, 99))] * 2
        return self._chance.choice(found)() if self._has("points") else found[0]()

    def _clamped(self, low: int, high: int, names: Names, depth: int) -> core.Value:
        number = self._number(names, depth)
        most = core.Arithmetic("lesser", number, core.Constant(high, Number(high, high)), Number(-99, high))
        return core.Arithmetic("greater", most, core.Constant(low, Number(low, low)), Number(low, high))

    def perhaps(self, inner: Type, names: Names, depth: int) -> core.Value:
        """A value that there may be or not."""
        of = Optional(inner)  # type: ignore[arg-type]
        found: list[Making] = [
            lambda: core.Constant(None, of),
            lambda: self.value(inner, names, depth - 1),
        ]
        if depth > 0:
            found.append(lambda: core.Provided(self.truth(names, depth - 1), self.value(inner, names, depth - 1), of))
        found += [lambda: self._read_perhaps(inner, names, depth)] * 3
        return self._chance.choice(found)()

    def _read_perhaps(self, inner: Type, names: Names, depth: int) -> core.Value:
        side = self.value(SIDE, names, depth - 1)
        denomination = self.value(DENOMINATION, names, depth - 1)
        bids = [core.Read("last bid", (), Optional(BID)), core.Read("own bid", (side,), Optional(BID))]
        if inner in (BID, CALL):
            return self._chance.choice(bids)
        seats: list[core.Value] = [
            core.Read("last bidder", (), Optional(SEAT)),
            core.Read("namer", (side, denomination), Optional(SEAT)),
        ]
        if self.of_right:
            seats.append(core.Read("witness", (), Optional(SEAT)))
        if self._has("guest"):
            seats.append(core.Use("guest", (), Optional(SEAT)))
        return self._chance.choice(seats)

    # -- conditions ----------------------------------------------------------------------------------------

    def truth(self, names: Names, depth: int) -> core.Truth:
        """A condition, of so many layers at most."""
        found = self._plain_truth(names, depth)
        return core.Leaf(found, "nonsense", 1, 1) if self._chance.random() < 0.7 else found

    def _plain_truth(self, names: Names, depth: int) -> core.Truth:
        chance, below = self._chance, depth - 1
        if names and chance.random() < 0.3:
            return self._of_bound(names, below)
        if self.of_right and chance.random() < 0.15:
            return self._of_mark(names, below)
        draw = chance.random()
        if depth > 0 and draw < 0.3:
            parts = tuple(self.truth(names, below) for _ in range(chance.randint(1, 3)))
            either: list[core.Truth] = [core.All(parts), core.AnyOf(parts), core.Not(parts[0])]
            return chance.choice(either)
        if draw < 0.45:
            return self._guarded(names, below)
        if draw < 0.5 and depth > 0:
            over = chance.choice([SEAT, SIDE, BID])
            return core.Some("y", over, self.truth({**names, "y": over}, below))
        if draw < 0.6:
            return core.Among(self.seat(names, below), self.set(SetOf(SEAT), names, below))
        if draw < 0.75:
            kinds: list[Type] = [SEAT, SEAT, CALL, SIDE, DENOMINATION, MOOD]
            of = chance.choice(kinds)
            return core.Ordered("equal", self.value(of, names, below), self.value(of, names, below))
        if draw < 0.85:
            sign: Any = chance.choice(["equal", "at_most", "less"])
            return core.Ordered(sign, self._number(names, below), self._number(names, below))
        return self._quality(names, below)

    def _of_bound(self, names: Names, depth: int) -> core.Truth:
        """Something about what the clause binds."""
        name, of = self._chance.choice(list(names.items()))
        bound = core.Variable(name, of)
        if isinstance(of, SetOf):
            return core.Among(self.seat(names, depth), bound)
        is_one: core.Truth = core.Ordered("equal", bound, self._constant(of))
        said: list[core.Truth] = [is_one, core.Not(is_one)]
        if of == SEAT:
            said.append(core.Among(bound, core.Read("barred", (), SetOf(SEAT))))
            said.append(core.Operate("is adversary", (bound, core.Read("turn", (), SEAT)), TRUTH))
        elif of == CALL:
            said.append(core.Operate(self._chance.choice(["is pass", "is bid"]), (bound,), TRUTH))
        elif of == BID and self._has("outranks"):
            said.append(core.Use("outranks", (bound, self._constant(BID)), TRUTH))
        return self._chance.choice(said)

    def _of_mark(self, names: Names, depth: int) -> core.Truth:
        """Something about what a right remembers."""
        witness, patience = core.Read("witness", (), Optional(SEAT)), core.Read("patience", (), Number(0, 2))
        if self._chance.random() < 0.5:
            return core.Ordered("equal", patience, self._constant(Number(0, 2)))
        return core.All((core.Present(witness), core.Ordered("equal", witness, self.seat(names, depth))))

    def _constant(self, of: Type) -> core.Value:
        return core.Constant(self._chance.choice(UNIVERSE.members(of)), of)

    def _quality(self, names: Names, depth: int) -> core.Truth:
        seat = self.seat(names, depth)
        call = self.call(CALL, names, depth)
        bid = self.call(BID, names, depth)
        operated = [
            core.Operate(self._chance.choice(["is adversary", "is partner"]), (seat, self.seat(names, depth)), TRUTH),
            core.Operate(self._chance.choice(["is pass", "is double", "is redouble", "is bid"]), (call,), TRUTH),
            core.Operate(self._chance.choice(["is replacement", "is new"]), (), TRUTH),
        ]
        used = {
            "outranks": (bid, self.call(BID, names, depth)),
            "is barred": (seat,),
            "is busy": (seat,),
            "is apt": (bid,),
            "is tense": (),
        }
        found: list[core.Truth] = [*operated]
        found += [core.Use(name, given, TRUTH) for name, given in used.items() if self._has(name)] * 2
        return self._chance.choice(found)

    def _guarded(self, names: Names, depth: int) -> core.Truth:
        """Whether there is something, or what it is if there is."""
        inner = self._chance.choice([SEAT, BID])
        value = self._read_perhaps(inner, names, depth)
        present = core.Present(value)
        draw = self._chance.random()
        if draw < 0.3:
            return present if draw < 0.15 else core.Not(present)
        if inner == SEAT or not self._has("outranks"):
            said: core.Truth = core.Ordered("equal", value, self.value(inner, names, depth))
        else:
            said = core.Use("outranks", (self.call(BID, names, depth), value), TRUTH)
        return core.All((present, said)) if draw < 0.65 else core.AnyOf((core.Not(present), said))
