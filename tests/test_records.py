"""Classes declared by `lawbook.records` behave as those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar

import pytest

from lawbook import records


def declared(library: Any) -> tuple[Any, Any, Any]:
    """The same three classes, by one library or the other."""

    @library.dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        across: int
        up: int = 0
        marks: tuple[str, ...] = library.field(default=(), compare=False, repr=False)
        kind: ClassVar[str] = "plain"

        def __post_init__(self) -> None:
            if self.across < 0:
                raise ValueError("to the left of everything")

    @library.dataclass(slots=True)
    class Heap:
        things: list[int] = library.field(default_factory=list)
        count: int = library.field(init=False, default=7)

    @library.dataclass(frozen=True, slots=True)
    class Deep(Point):
        down: int = 1

        def __repr__(self) -> str:
            return f"<{self.across} {self.down}>"

    return Point, Heap, Deep


OURS, THEIRS = declared(records), declared(dataclasses)


@pytest.mark.parametrize("at", range(3))
def test_fields_and_slots_are_the_same(at: int) -> None:
    ours, theirs = OURS[at], THEIRS[at]
    told = [(f.name, f.default, f.default_factory, f.init, f.repr, f.compare) for f in dataclasses.fields(ours)]
    assert told == [
        (f.name, f.default, f.default_factory, f.init, f.repr, f.compare) for f in dataclasses.fields(theirs)
    ]
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__slots__ == theirs.__slots__
    assert ours.__name__ == theirs.__name__
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)


@pytest.mark.parametrize(
    "at, arguments, named",
    [(0, (1,), {"up": 2}), (0, (1, 2, ("a",)), {}), (1, (), {}), (1, ([3],), {}), (2, (1, 2), {"down": 4})],
)
def test_instances_are_the_same(at: int, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = OURS[at](*arguments, **named), THEIRS[at](*arguments, **named)
    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert ours == OURS[at](*arguments, **named)
    assert ours != theirs
    assert copy.copy(ours) == copy.deepcopy(ours) == ours
    assert list(inspect.signature(OURS[at]).parameters) == list(inspect.signature(THEIRS[at]).parameters)


def test_what_is_not_compared_makes_no_difference() -> None:
    point, *_ = OURS
    assert point(1, 2, ("a",)) == point(1, 2, ("b",))
    assert hash(point(1, 2, ("a",))) == hash(point(1, 2, ("b",)))
    assert point(1, 2) != point(1, 3)


def test_each_has_its_own_list() -> None:
    _, heap, _ = OURS
    first, second = heap(), heap()
    first.things.append(1)
    assert second.things == []


def test_what_is_frozen_stays_as_it_is() -> None:
    point, _, deep = OURS
    for record in (point(1), deep(1)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.up = 3
        with pytest.raises(dataclasses.FrozenInstanceError):
            del record.up
        with pytest.raises(AttributeError):
            record.left = 3


def test_a_class_that_checks_its_fields_does_so() -> None:
    for point, _, deep in (OURS, THEIRS):
        for kind in (point, deep):
            with pytest.raises(ValueError, match="to the left"):
                kind(-1)
        with pytest.raises(TypeError):
            point()
        with pytest.raises(TypeError):
            point(1, 2, (), 3)
        with pytest.raises(TypeError):
            point(1, sideways=2)


@pytest.mark.parametrize("replace", [records.replace, dataclasses.replace])
def test_fields_are_replaced(replace: Any) -> None:
    point, _, deep = OURS
    assert replace(point(1, 2), up=5) == point(1, 5)
    assert replace(deep(1, 2), down=5) == deep(1, 2, (), 5)


def test_the_standard_library_can_derive_from_one() -> None:
    point, *_ = OURS

    @dataclasses.dataclass(frozen=True, slots=True)
    class Standard(point):  # type: ignore[misc, valid-type]
        left: int = 3

    assert dataclasses.astuple(Standard(1)) == (1, 0, (), 3)


@records.dataclass(frozen=True, slots=True)
class Kept:
    name: str
    parts: tuple[Kept, ...] = ()


def test_a_pickle_is_read_back() -> None:
    kept = Kept("a", (Kept("b"), Kept("c")))
    assert pickle.loads(pickle.dumps(kept)) == kept


def test_slots_are_asked_for() -> None:
    with pytest.raises(TypeError, match="without slots"):

        @records.dataclass(frozen=True)
        class Loose:
            name: str
