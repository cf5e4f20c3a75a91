"""Random acts, requests and files under every edition that comes with Lawbook: nothing but a told mistake ever comes
of them, what must always hold holds, and the facade, the command line and the engine rule alike.

What must always hold, after every act:

1.  somebody is in turn while the auction is open, and nobody else is;
2.  lawful calls are listed only while it is open; those listed are judged legal, and no other call is;
3.  there is a contract where the status is final and nowhere else, between partners, of a bid that there is;
4.  a legal act has no offence, an irregular one has some, a refused one has a reason;
5.  a refused act leaves everything as it was, unless a clause says what comes of the attempt;
6.  what is judged of a call is what is ruled when it is made;
7.  every remedy that is offered can be chosen;
8.  points are those of the rulings;
9.  taking an act back leads to where the auction stood before it;
10. the auction in notation, played again, is ruled on alike.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command

from lawbook import explain
from lawbook.auction import Auction, calls_of, load
from lawbook.boards import rule_file
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.engine.protocol import Engine
from lawbook.engine.requests import SHAPES, WANTS
from lawbook.engine.wire import write_reply
from lawbook.errors import LawbookError
from lawbook.formats import Format, decode
from lawbook.machine.ruling import Verdict
from lawbook.report.auction import rulings_json
from lawbook.values import Act, Bid, Seat, Side

EDITIONS = sorted(Library.shipped().edition_files())
HERE = Path(__file__).parent
FUZZ = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def mistakes_of_our_own_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWBOOK_TRACEBACK", "1")


# -- what is drawn -----------------------------------------------------------------------------------------------------

CALLS = ["P", "P", "X", "XX", "1C", "2H", "2D", "3N", "7N", "8H"]


@functools.cache
def acts_of(edition: Edition) -> tuple[str, ...]:
    """Acts of every kind that an edition declares, and calls out of turn."""
    arguments = {"none": "", "call": "=3D", "card": "=HA", "text": "=x"}
    found = [f"{seat}:{call}" for seat in "NESW" for call in ("P", "1H", "X", "8N")]
    for name, act in edition.acts.items():
        argument = arguments[act.argument.removeprefix("optional ")]
        found += [f"{who}:{name}{argument}" for who in ("N", "E", "S", "W", "TABLE")]
    return tuple(found)


def next_act(draw: st.DrawFn, auction: Auction) -> str:
    """An act to try: lawful, a remedy, a call at a venture, or anything the edition knows."""
    remedies = sorted({str(option) for option in auction.options})
    kind = draw(st.integers(0, 9))
    if kind < 3 and (calls := auction.legal_calls):
        return str(draw(st.sampled_from(calls)))
    if kind < 6 and remedies:
        return draw(st.sampled_from(remedies))
    return draw(st.sampled_from(CALLS if kind < 8 else acts_of(auction.edition)))


WORDS = st.one_of(
    st.sampled_from([*CALLS, "AP", "S:penalise", "N:", ":", "N:P=1", "S:S:1C", "1Z", "0N", "=", "W:correct=", "E:P,"]),
    st.text(max_size=6),
)
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


# -- what must always hold ---------------------------------------------------------------------------------------------


def check(auction: Auction) -> None:
    """What must hold of an auction wherever it stands."""
    is_open, lawful = auction.is_open, auction.legal_calls
    assert (auction.turn is not None) == is_open == (auction.status == "open")
    assert is_open or lawful == ()
    for call in lawful[:2] + lawful[-1:]:
        assert auction.judge(call).verdict is Verdict.LEGAL
    if is_open:
        others = [call for call in calls_of(auction.edition) if call not in lawful]
        assert all(auction.judge(call).verdict is not Verdict.LEGAL for call in others[::7])
    contract = auction.contract
    assert (contract is not None) == (auction.status == "final")
    if contract is not None:
        assert contract.dummy is contract.declarer.partner
        assert Bid(contract.level, contract.denomination) in calls_of(auction.edition)
    points = dict.fromkeys(Side, 0)
    for ruling in auction.rulings:
        for scored in ruling.scored:
            points[Side(scored.side)] += scored.points
    assert auction.points == points


def try_act(auction: Auction, text: str) -> bool:
    """Try one act and check what is said of it; whether it could be read."""
    before, was = auction.state, len(auction.happenings)
    try:
        happening = auction.copy().act(text)
    except LawbookError:
        assert auction.state == before
        return False
    if happening.act.call is not None and isinstance(happening.act.seat, Seat):
        judged = auction.judge(happening.act.call, happening.act.seat)
        told = happening.verdict, list(happening.ruling.offences)
        assert (judged.verdict, [offence.number for offence in judged.offences]) == told
    assert auction.act(text).ruling == happening.ruling
    ruling = happening.ruling
    match happening.verdict:
        case Verdict.LEGAL:
            assert not ruling.offences
        case Verdict.IRREGULAR:
            assert ruling.offences
        case Verdict.REFUSED:
            assert explain.reason(auction, was)
            assert ruling.fired or auction.state == before
    auction.undo()
    assert (auction.state, len(auction.happenings)) == (before, was)
    auction.act(text)
    return True


def check_remedies(auction: Auction) -> None:
    """Every remedy that is offered can be chosen."""
    for option in auction.options:
        if auction.edition.acts[option.act].argument in ("none", "optional card", "optional call", "optional text"):
            assert auction.copy().act(Act(option.seat, option.act)).verdict is not Verdict.REFUSED, str(option)


# -- the three entrances -----------------------------------------------------------------------------------------------


def asked(engine: Engine, **request: Any) -> Any:
    """The answer of an engine to a request that can be answered."""
    reply = json.loads(write_reply(engine.reply(json.dumps(request).encode())))
    assert reply["ok"], reply
    return reply["answer"]


def check_entrances(auction: Auction) -> None:
    """The same rulings by the facade, the command line and the engine, which makes the acts one by one."""
    expected = json.loads(json.dumps(rulings_json(auction, explained=True)))
    again = Auction(auction.edition, auction.dealer)
    again.play(auction.notation)
    assert json.loads(json.dumps(rulings_json(again, explained=True))) == expected
    name, dealer = auction.edition.name, str(auction.dealer)
    status, out, error = lawbook_command(
        "rule", name, auction.notation or "", "--dealer", dealer, "--json", "--explain"
    )
    assert (status, error) == (0, "")
    assert json.loads(out) == expected
    engine = Engine()
    asked(engine, do="new", edition=name, auction="a", dealer=dealer)
    for act in auction.notation.split():
        asked(engine, do="act", auction="a", act=act)
    assert asked(engine, do="state", auction="a", explain=True) == expected


@pytest.mark.parametrize("name", EDITIONS)
@FUZZ
@given(data=st.data())
def test_random_auctions(name: str, data: st.DataObject) -> None:
    auction = Auction(name, data.draw(st.sampled_from("NESW")))
    for _ in range(data.draw(st.integers(0, 12))):
        try_act(auction, next_act(data.draw, auction))
        check(auction)
    check_remedies(auction)
    if auction.notation:
        check_entrances(auction)


@pytest.mark.parametrize("name", EDITIONS)
@FUZZ
@given(begun=st.lists(st.sampled_from(CALLS), max_size=3), text=TEXTS)
def test_texts_that_may_be_no_acts_are_told_alike(name: str, begun: list[str], text: str) -> None:
    """What the facade reads, the others read; what it refuses, they refuse with the same codes and places."""
    auction = Auction(name)
    auction.play(" ".join(begun))
    before = rulings_json(auction)
    engine = Engine()
    asked(engine, do="new", edition=name, auction="a")
    asked(engine, do="play", auction="a", acts=" ".join(begun))
    request = {"do": "play", "auction": "a", "acts": text}
    reply = json.loads(write_reply(engine.reply(json.dumps(request).encode())))
    twin = auction.copy()
    try:
        twin.play(text)
    except LawbookError as error:
        told = [json.loads(json.dumps(diagnostic.as_json())) for diagnostic in error.diagnostics]
        assert reply["errors"] == told
        assert asked(engine, do="state", auction="a") == json.loads(json.dumps(before))
        if "-" not in text[:1] and text.strip():
            status, out, complaint = lawbook_command("rule", name, f"{' '.join(begun)} {text}".strip())
            assert (status, out) == (2, "")
            assert set(re.findall(r"^error\[([a-z0-9-]+)\]", complaint, re.MULTILINE)) == {d["code"] for d in told}
        return
    assert reply["ok"], reply
    assert asked(engine, do="state", auction="a") == json.loads(json.dumps(rulings_json(twin)))


# -- lines of JSON -----------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = sorted({key for shape in SHAPES.values() for key in shape.every})


def requests(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Requests that are nearly in order: each key holds what it might, or anything."""
    likely: dict[str, st.SearchStrategy[Any]] = {
        "do": st.sampled_from(sorted(SHAPES)),
        "id": st.integers(0, 9),
        "auction": st.sampled_from(["a", "b", "c"]),
        "edition": st.just(name),
        "editions": st.just([name]),
        "act": st.sampled_from([*CALLS, *acts_of(load(name))]),
        "acts": TEXTS,
        "want": st.lists(st.sampled_from(WANTS), max_size=2),
        "dealer": st.sampled_from(["N", "west"]),
        "count": st.integers(1, 2),
        "event": st.integers(1, 3),
        "explain": st.booleans(),
        "deal": st.just({"contract": "4H", "declarer": "N", "tricks": 9}),
        "rubber": st.just([{"contract": "4H", "declarer": "N", "tricks": 9}]),
    }

    def of(do: str) -> st.SearchStrategy[dict[str, Any]]:
        shape = SHAPES[do]
        must = {key: likely.get(key, JSON) for key in (*shape.must, *shape.one_of[:1])}
        may = {key: st.one_of(likely.get(key, JSON), JSON) for key in shape.every if key not in must and key != "do"}
        return st.fixed_dictionaries({"do": st.just(do), **must}, optional=may)

    wild = st.dictionaries(st.sampled_from([*KEYS, "other"]), JSON, max_size=4)
    return st.one_of(st.sampled_from(sorted(SHAPES)).flatmap(of), st.sampled_from(sorted(SHAPES)).flatmap(of), wild)


@pytest.mark.parametrize("name", EDITIONS)
@FUZZ
@given(data=st.data())
def test_random_lines_harm_no_auction(name: str, data: st.DataObject) -> None:
    """A table is open that no line speaks of; whatever is asked, it stays as it was, and every line has one reply."""
    engine = Engine()
    asked(engine, do="new", edition=name, auction="apart")
    asked(engine, do="play", auction="apart", acts="1C P 1H S:1N")
    before = asked(engine, do="state", auction="apart", explain=True)
    for request in data.draw(st.lists(requests(name), max_size=8)):
        line = json.dumps(request).encode()
        if data.draw(st.integers(0, 9)) == 0:
            at = data.draw(st.integers(0, len(line)))
            line = line[:at] + data.draw(st.binary(max_size=3)).replace(b"\n", b" ") + line[at + 1 :]
        written = write_reply(engine.reply(line))
        assert "\n" not in written
        reply = json.loads(written)
        assert reply["ok"] == ("answer" in reply) == ("errors" not in reply)
        if not reply["ok"]:
            assert all(error["code"] != "internal-error" and error["message"] for error in reply["errors"])
    assert asked(engine, do="state", auction="apart", explain=True) == before


# -- files -------------------------------------------------------------------------------------------------------------

FILES = [
    path
    for folder in ("good", "bad")
    for path in sorted([*(HERE / folder / "pbn").glob("*.pbn"), *(HERE / folder / "lin").glob("*.lin")])
]
SCRAPS = st.sampled_from(
    [b"^S", b"^I", b"=1=", b"\n\n", b'[Auction "N"]\n', b"[", b'"', b"{", b"mb|", b"|", b"\xff", b"1N X"]
)


@st.composite
def mutilated(draw: st.DrawFn) -> tuple[bytes, Format]:
    """A file with bytes left out, put in twice, or strewn with scraps."""
    path = draw(st.sampled_from(FILES))
    data = bytearray(path.read_bytes())
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(data)))
        end = min(start + draw(st.integers(0, 30)), len(data))
        match draw(st.integers(0, 2)):
            case 0:
                del data[start:end]
            case 1:
                data[start:start] = data[start:end]
            case _:
                data[start:start] = draw(SCRAPS)
    return bytes(data), Format(path.suffix[1:])


def played(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for board in told["boards"]:
        if board["ruling"] is not None:
            yield board["ruling"]


@pytest.mark.parametrize("name", EDITIONS)
@FUZZ
@given(drawn=mutilated())
@example(drawn=(b'[Dealer "N"]\n[LawbookAuction "N"]\n1C 1R P 1Z AP\n', Format.PBN))
def test_mutilated_files_are_ruled_on_alike(name: str, drawn: tuple[bytes, Format], tmp_path: Path) -> None:
    """The command line rules on every board of a file as the facade and the engine rule on the auction of each."""
    data, form = drawn
    file = tmp_path / f"boards.{form.value}"
    file.write_bytes(data)
    status, out, error = lawbook_command("rule", name, str(file), "--json")
    ruled = rule_file(load(name), decode(data), str(file), form)
    # A file without a board is none to rule on; where not all could be read or ruled on, the status says so.
    assert (status, error) == ((0 if ruled.is_whole else 1) if ruled.boards else 2, "")
    told = json.loads(out)
    assert [board["dealer"] for board in told["boards"]] == [
        None if board.board.dealer is None else str(board.board.dealer) for board in ruled.boards
    ]
    auctions = [board.auction for board in ruled.boards if board.auction is not None]
    engine = Engine()
    for auction, said in zip(auctions, played(told), strict=True):
        check(auction)
        assert said == json.loads(json.dumps(rulings_json(auction)))
        asked(engine, do="new", edition=name, auction="a", dealer=str(auction.dealer))
        asked(engine, do="play", auction="a", acts=auction.notation)
        assert asked(engine, do="state", auction="a") == said
        asked(engine, do="close", auction="a")
