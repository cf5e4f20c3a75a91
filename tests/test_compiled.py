"""The compiled evaluator answers as the tree-walking one does, on every edition and random acts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook.auction import load
from lawbook.edition.library import Library
from lawbook.errors import LawbookError
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.state import State

EDITIONS = sorted(Library.shipped().edition_files())
CALLS = ("pass", "double", "redouble", "bid")


def told(rulings: tuple[Ruling, ...]) -> list[object]:
    return [
        (
            r.verdict,
            r.offences,
            r.unpenalised,
            tuple(c.id for c in r.because),
            tuple((d.clause.id, d.by) for d in r.defeated),
            r.opened,
            r.lapsed,
            tuple((s.side, s.column, s.points, s.clause.id) for s in r.scored),
            r.state,
        )
        for r in rulings
    ]


@pytest.fixture(scope="module", params=EDITIONS)
def machines(request: pytest.FixtureRequest) -> tuple[Machine, Machine]:
    edition = load(request.param)
    return Machine(edition, Evaluator), Machine(edition, CompiledEvaluator)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_random_acts_are_ruled_alike(machines: tuple[Machine, Machine], data: st.DataObject) -> None:
    walked, compiled = machines
    universe = walked.edition.universe
    highest = universe.bid(universe.levels, len(universe.denominations) - 1)
    named = st.sampled_from(sorted(walked.edition.acts))
    state: State = walked.start(data.draw(st.integers(0, 3), label="dealer"))
    for _ in range(data.draw(st.integers(1, 14), label="acts")):
        seat = data.draw(st.integers(0, 3), label="seat")
        if not walked.edition.acts or data.draw(st.integers(0, 3), label="kind"):
            call = data.draw(st.integers(0, 2) | st.integers(3, highest), label="call")
            event = Event(seat, CALLS[min(call, 3)], call)
        else:
            name = data.draw(named, label="act")
            takes = "call" in walked.edition.acts[name].argument
            event = Event(seat, name, None, data.draw(st.integers(0, highest), label="argument") if takes else None)
        try:
            expected = walked.act(state, event)
        except LawbookError as error:
            with pytest.raises(type(error)):
                compiled.act(state, event)
            return
        assert told(compiled.act(state, event)) == told(expected)
        state = expected[-1].state
        assert [(o.seat, o.choice.act, o.clause.id) for o in walked.options(state)] == [
            (o.seat, o.choice.act, o.clause.id) for o in compiled.options(state)
        ]
