"""The engine protocol: every message fits its schema, no line harms another, and rulings are those of the facade."""

from __future__ import annotations

import io
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import PUBLISHED, validator
from thorough import examples

from lawbook.auction import Auction, load
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.engine import session as session_module
from lawbook.engine.protocol import Engine
from lawbook.engine.requests import SHAPES, WANTS, fits, misfits
from lawbook.engine.session import Limits
from lawbook.engine.wire import MOST_BYTES, write_reply
from lawbook.errors import LawbookError
from lawbook.loading import act_meant
from lawbook.report.auction import event_json, position_json, rulings_json
from lawbook.shell.application import run
from lawbook.shell.terminal import Terminal

EDITIONS = sorted(Library.shipped().edition_files())
Reply = dict[str, Any]


# -- schemas -----------------------------------------------------------------------------------------------------------


REQUEST = validator("engine-request.schema.json")
REPLY = validator("engine-reply.schema.json")
ANSWERS = {do: validator(f"engine-reply.schema.json#/$defs/answer-{do}") for do in SHAPES}


def line_of(request: object) -> bytes:
    return json.dumps(request).encode() + b"\n"


def checked(request: dict[str, Any], reply: Reply) -> Reply:
    """A reply, after it and its request have been held against the schemas."""
    if reply["ok"]:
        REQUEST.validate(request)
        ANSWERS[request["do"]].validate(reply["answer"])
    REPLY.validate(reply)
    assert reply["id"] == request.get("id")
    return reply


class Client:
    """Talks to an engine in this process, every message checked."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.engine = Engine(limits=limits)

    def reply(self, do: str, **keys: Any) -> Reply:
        request = {"id": self.engine.lines, "do": do, **keys}
        return checked(request, json.loads(write_reply(self.engine.reply(line_of(request)))))

    def ask(self, do: str, **keys: Any) -> Any:
        reply = self.reply(do, **keys)
        assert reply["ok"], reply
        return reply["answer"]

    def error(self, do: str, **keys: Any) -> dict[str, Any]:
        reply = self.reply(do, **keys)
        assert not reply["ok"], reply
        error: dict[str, Any] = reply["errors"][0]
        return error


def test_the_schema_names_every_request() -> None:
    named = [part["$ref"].rpartition("/")[2] for part in PUBLISHED["engine-request.schema.json"]["oneOf"]]
    assert named == list(SHAPES)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from(["", "a", "N", "2H", "a b", "whist-club-1912", "x" * 65, "\ud800", "events"]),
    st.lists(st.sampled_from([*WANTS, "rulings", 1]), max_size=2),
    st.lists(st.sampled_from(["whist-club-1912", "x"]), max_size=17),
    st.lists(st.just({}), max_size=2),
    st.just({}),
    st.just(1.5),
)
KEYS = sorted({key for shape in SHAPES.values() for key in shape.every} - {"do"})


@settings(max_examples=examples(200, 2000), deadline=None)
@given(st.data())
def test_the_table_of_requests_says_what_the_schema_says(data: st.DataObject) -> None:
    do = data.draw(st.sampled_from([*SHAPES, "nonsense"]))
    shape = SHAPES.get(do, SHAPES["hello"])
    keys = st.one_of(st.sampled_from(sorted(shape.every)), st.sampled_from([*KEYS, "other"]))
    request = {"do": do, **dict.fromkeys(shape.must, "a"), **data.draw(st.dictionaries(keys, VALUES, max_size=3))}
    assert fits(request) == REQUEST.is_valid(request)
    assert fits(request) == (not list(misfits(request)))


# -- a session ---------------------------------------------------------------------------------------------------------


def command(*argv: str) -> Any:
    """What the command line answers in JSON."""
    out = io.StringIO()
    assert run([*argv, "--json"], Terminal(out, io.StringIO())) == 0
    return json.loads(out.getvalue())


def test_answers_are_those_of_the_command_line(tmp_path: Path) -> None:
    client = Client()
    acts = "2H 2D S:penalise P 3N W:expose=HA S:penalise"
    assert client.ask("hello")["protocol"] == 1
    assert client.ask("editions") == command("editions")
    assert client.ask("new", edition="whist-club-1913", auction="a", dealer="west")["dealer"] == "W"
    client.ask("play", auction="a", acts=acts)
    assert client.ask("state", auction="a") == command("rule", "whist-club-1913", acts, "--dealer", "W")
    explained = command("rule", "whist-club-1913", acts, "--dealer", "W", "--explain")
    assert client.ask("state", auction="a", explain=True) == explained
    assert client.ask("explain", auction="a") == {"number": 7, "event": explained["events"][-1]}
    assert client.ask("explain", auction="a", event=2)["event"] == explained["events"][1]
    assert client.ask("options", auction="a")["options"] == explained["options"]
    assert client.ask("legal-calls", auction="a")["legal_calls"] == explained["legal_calls"]
    both = ["whist-club-1912", "whist-club-1913"]
    assert client.ask("compare", editions=both, acts="1C S:P P AP") == command("replay", "1C S:P P AP", *both)
    compared = command("replay", explained["auction"], *both, "--dealer", "W")
    assert client.ask("compare", editions=both, auction="a") == compared
    deal = {"contract": "4HX", "declarer": "N", "tricks": 11, "honours": {"N": 4, "S": 1}}
    scored = command(
        "score", both[0], *["--contract", "4HX", "--declarer", "N", "--tricks", "11", "--honours", "N=4,S=1"]
    )
    assert client.ask("score", edition=both[0], deal=deal) == scored
    rubber = [deal, {**deal, "tricks": 10, "corrects": 1}, {"contract": "3N", "declarer": "E", "tricks": 7}]
    path = tmp_path / "rubber.jsonl"
    path.write_bytes(b"".join(line_of(entry) for entry in rubber))
    assert client.ask("score", edition=both[0], rubber=rubber) == command("score", both[0], "--rubber", str(path))


def test_an_act_is_answered_in_short_and_with_what_is_wanted() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    short = {"verdict": "legal", "offences": [], "status": "open", "turn": "E"}
    assert client.ask("act", auction="a", act="2H") == short
    answer = client.ask("act", auction="a", act="2D", want=list(WANTS))
    auction = Auction("whist-club-1912")
    auction.play("2H 2D")
    assert (answer["verdict"], answer["offences"]) == ("irregular", ["insufficient-declaration"])
    assert answer["events"] == [event_json(auction, 1)]
    position = position_json(auction)
    assert {key: answer[key] for key in position} == position


def test_what_happened_of_itself_is_an_event_of_the_act() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    auction = Auction("whist-club-1912")
    for act in ["1C", "S:P", "E:P"]:
        before = len(auction.happenings)
        auction.act(act)
        events = client.ask("act", auction="a", act=act, want=["events"])["events"]
        assert events == [event_json(auction, at) for at in range(before, len(auction.happenings))]


def test_lawful_calls_are_legal_and_the_end_is_told() -> None:
    client = Client()
    name = client.ask("new", edition="whist-club-1912", want=["legal_calls"])["auction"]
    for act in ["1C", "X", "XX", "P", "P"]:
        assert act in client.ask("legal-calls", auction=name)["legal_calls"]
        assert client.ask("act", auction=name, act=act)["verdict"] == "legal"
    answer = client.ask("act", auction=name, act="P", want=["contract", "legal_calls"])
    contract = {"level": 1, "denomination": "C", "doubling": 2, "declarer": "N", "dummy": "S"}
    assert answer == {
        "verdict": "legal",
        "offences": [],
        "status": "final",
        "turn": None,
        "contract": contract,
        "legal_calls": [],
    }


def test_acts_are_taken_back() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    client.ask("play", auction="a", acts="2H 2D S:penalise P")
    assert client.ask("undo", auction="a", count=2, want=["options", "events"])["acts"] == 2
    auction = Auction("whist-club-1912")
    auction.play("2H 2D")
    assert client.ask("state", auction="a") == rulings_json(auction)
    assert client.error("undo", auction="a", count=3)["code"] == "nothing-to-undo"
    assert client.ask("undo", auction="a")["turn"] == "E"
    assert client.ask("act", auction="a", act="3H")["verdict"] == "legal"


def test_several_acts_are_all_played_or_none() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    played = client.ask("play", auction="a", acts="2H 2D")
    assert [ruling["verdict"] for ruling in played["rulings"]] == ["legal", "irregular"]
    before = client.ask("state", auction="a")
    error = client.error("play", auction="a", acts="S:penalise  3Q:P")
    assert (error["code"], error["span"]["file"], error["span"]["column"]) == ("unknown-seat", "<auction>", 13)
    # A second bid that is too low and then four passes do not end it: the acts before are taken back.
    assert client.ask("state", auction="a") == before
    assert client.ask("undo", auction="a", count=2)["acts"] == 0


def test_all_pass_that_ends_nothing_is_taken_back() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    assert client.error("play", auction="a", acts="N:P AP")["code"] == "all-pass-endless"
    assert client.ask("state", auction="a") == rulings_json(Auction("whist-club-1912"))


def test_auctions_do_not_meet() -> None:
    client = Client()
    for edition in EDITIONS:
        client.ask("new", edition=edition, auction=edition, dealer="S")
    alone = {edition: Auction(edition, "S") for edition in EDITIONS}
    for act in ["1C", "2H", "P", "2N", "X"]:
        for edition, auction in alone.items():
            happening = auction.act(act)
            assert client.ask("act", auction=edition, act=act)["verdict"] == happening.verdict.value
    client.ask("close", auction=EDITIONS[0])
    for edition in EDITIONS[1:]:
        assert client.ask("state", auction=edition) == rulings_json(alone[edition])


def test_names_are_given_and_forgotten() -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="1")
    assert client.ask("new", edition="whist-club-1912")["auction"] == "2"
    assert client.error("new", edition="whist-club-1912", auction="2")["code"] == "auction-exists"
    client.ask("play", auction="2", acts="1C P")
    assert client.ask("close", auction="2") == {"auction": "2", "acts": 2}
    assert client.error("state", auction="2")["code"] == "unknown-auction"
    assert client.ask("bye") == {"auctions": 1}
    assert client.engine.ended


def test_what_is_kept_is_bounded() -> None:
    client = Client(Limits(auctions=2, acts_in_an_auction=3, acts=4, editions=1))
    client.ask("new", edition="whist-club-1912", auction="a")
    client.ask("new", edition="whist-club-1912", auction="b")
    assert client.error("new", edition="whist-club-1912")["code"] == "too-many-auctions"
    client.ask("play", auction="a", acts="1C P P")
    assert client.error("act", auction="a", act="P")["code"] == "too-many-acts"
    assert client.error("play", auction="b", acts="1C P")["code"] == "too-many-acts"
    assert client.ask("act", auction="b", act="1C")["verdict"] == "legal"
    assert client.error("act", auction="b", act="P")["code"] == "too-many-acts"
    client.ask("close", auction="a")
    assert client.ask("act", auction="b", act="P")["verdict"] == "legal"
    assert client.error("new", edition="whist-club-1913")["code"] == "too-many-editions"
    client.ask("close", auction="b")
    assert client.ask("new", edition="whist-club-1913")["status"] == "open"


# -- what is wrong -----------------------------------------------------------------------------------------------------

WRONG = [
    (b"", "not-json", 1),
    (b"{", "not-json", 2),
    (b'{"do": hello}', "not-json", 8),
    (b'{"do": "hello"} {}', "not-json", 17),
    (b'{"id": NaN, "do": "hello"}', "not-json", 1),
    (b'{"id": ' + b"9" * 5000 + b', "do": "hello"}', "not-json", 1),
    (b'{"do": "h\xc3\xa9\xff"}', "not-utf8", 11),
    (b"[" * 100_000, "too-deep", 1),
    (b'{"do": "hello", "id": ' + b"[" * 5000 + b"]" * 5000 + b"}", "too-deep", 1),
    (b'"' + b"x" * MOST_BYTES + b'"', "line-too-long", 1),
    (b"[1, 2]", "not-an-object", 1),
    (b"null", "not-an-object", 1),
    (b'{"do": "hello", "do": "bye"}', "duplicate-key", 23),
    (b'[{"do": 1, "do": 2}]', "duplicate-key", 1),
    (b"{}", "missing-key", 1),
    (b'{"do": 7}', "unfit-value", 8),
    (b'{"do": "helo"}', "unknown-request", 8),
    (b'{"do": "hello", "id": 1.5}', "unfit-value", 23),
    (b'{"do": "hello", "id": true}', "unfit-value", 23),
    (b'{"do": "act", "auction": "a"}', "missing-key", 1),
    (b'{"do": "act", "auction": "a", "act": ["2H"]}', "unfit-value", 38),
    (b'{"do": "act", "auction": "a", "act": "2H", "wnat": []}', "unknown-key", 52),
    (b'{"do": "act", "auction": "a", "act": "2H", "want": ["option"]}', "unfit-value", 52),
    (b'{"do": "new", "edition": "whist-club-1912", "auction": "a b"}', "unfit-value", 56),
    (b'{"do": "score", "edition": "whist-club-1912"}', "missing-key", 1),
    (b'{"do": "score", "edition": "whist-club-1912", "deal": {}, "rubber": []}', "too-many-keys", 1),
    (b'{"do": "compare", "editions": ["whist-club-1912"], "auction": "a", "dealer": "N"}', "missing-key", 78),
    (b'{"do": "hello", "protocol": 2}', "unsupported-protocol", None),
    (b'{"do": "new", "edition": "whist-club-1921"}', "unknown-edition", None),
    (b'{"do": "new", "edition": "Whist"}', "name-malformed", 1),
    (b'{"do": "new", "edition": "whist-club-1912", "dealer": "norht"}', "unknown-seat", None),
    (b'{"do": "act", "auction": "b", "act": "2H"}', "unknown-auction", None),
    (b'{"do": "act", "auction": "a", "act": "2H 2D"}', "one-act", None),
    (b'{"do": "act", "auction": "a", "act": "S:penalize"}', "unknown-act", 3),
    (b'{"do": "explain", "auction": "a", "event": 9}', "no-such-event", None),
    (b'{"do": "score", "edition": "whist-club-1912", "deal": {"contrat": "1N"}}', "missing-key", None),
    (b'{"do": "score", "edition": "whist-club-1912", "rubber": [{}]}', "missing-key", 1),
    (b'{"do": "undo", "auction": "a", "count": 0}', "unfit-value", 41),
]


@pytest.mark.parametrize("line, code, column", WRONG, ids=[f"{code}-{at}" for at, (_, code, _) in enumerate(WRONG)])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_wrong_line_is_told_and_harms_nothing(line: bytes, code: str, column: int | None, end: bytes) -> None:
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    client.ask("act", auction="a", act="1C")
    before = client.ask("state", auction="a")
    reply = client.engine.reply(line + end)
    REPLY.validate(reply)
    assert not reply["ok"]
    assert code in [error["code"] for error in reply["errors"]]
    error = next(error for error in reply["errors"] if error["code"] == code)
    assert (error["span"] and error["span"]["column"]) == column
    if error["span"] and error["span"]["file"] == "<request>":
        assert error["span"]["line"] == 4
    assert client.ask("state", auction="a") == before


def test_the_id_of_a_wrong_request_is_given_back() -> None:
    reply = Engine().reply(b'{"id": "\\u00e9\\ud800", "do": "nonsense"}')
    assert json.loads(write_reply(reply))["id"] == "\u00e9\ud800"
    assert Engine().reply(b'{"id": {"a": 1}, "do": "hello"}')["id"] is None


def test_a_mistake_of_our_own_is_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the roof is on fire")

    monkeypatch.delenv("LAWBOOK_TRACEBACK", raising=False)
    monkeypatch.setattr("lawbook.engine.session.rulings_json", fail)
    client = Client()
    client.ask("new", edition="whist-club-1912", auction="a")
    assert client.error("state", auction="a")["code"] == "internal-error"
    assert client.ask("act", auction="a", act="1C")["verdict"] == "legal"


# -- fuzzing -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def mistakes_of_our_own_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWBOOK_TRACEBACK", "1")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
LIKELY = st.sampled_from(["a", "whist-club-1912", "1C", "N", "2H 2D AP", "S:penalise", "4HX", 1, -1, 10**30, [], {}])
DEALS = st.dictionaries(
    st.sampled_from(["contract", "declarer", "tricks", "dealer", "honours", "chicane", "revokes", "takes", "corrects"]),
    st.one_of(LIKELY, JSON, st.sampled_from(["3N", "S", 9, {"N": 4}, ["E"], "tricks"])),
)
REQUESTS = st.builds(
    lambda do, keys: {"do": do, **keys},
    st.sampled_from([*SHAPES, "nonsense", 7, None]),
    st.dictionaries(st.sampled_from([*KEYS, "other"]), st.one_of(LIKELY, JSON, DEALS, st.lists(DEALS, max_size=2))),
)


@settings(max_examples=examples(120, 1000), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60).map(lambda line: line.replace(b"\n", b" ")),
            JSON.map(lambda value: json.dumps(value).encode()),
            REQUESTS.map(lambda value: json.dumps(value).encode()),
            st.builds(
                lambda value, at, piece: (line := json.dumps(value).encode())[:at] + piece + line[at + 1 :],
                REQUESTS,
                st.integers(0, 40),
                st.binary(max_size=3).map(lambda piece: piece.replace(b"\n", b" ")),
            ),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_any_line_has_one_reply(lines: list[bytes]) -> None:
    engine = Engine()
    engine.reply(b'{"do": "new", "edition": "whist-club-1912", "auction": "a"}')
    for line in lines:
        written = write_reply(engine.reply(line))
        assert "\n" not in written
        REPLY.validate(json.loads(written))
    assert engine.reply(b'{"id": 1, "do": "hello"}')["ok"]


def acts_of(edition: Edition) -> list[str]:
    """Acts of every kind that an edition knows, by several seats, and some that it does not."""
    calls = ["P", "X", "XX", "1C", "2H", "2D", "3N", "7N", "8H", "3R"]
    acts = [f"{seat}:{call}" for seat in "NESW" for call in ("P", "1H", "X")]
    for name, act in edition.acts.items():
        kind = act.argument.removeprefix("optional ")
        argument = {"none": "", "call": "=3D", "card": "=HA", "text": "=x"}[kind]
        acts += [f"{seat}:{name}{argument}" for seat in ("N", "E", "S", "W")]
        acts.append(f"TABLE:{name}{argument}")
    return [*calls * 12, *acts, "zz", "AP"]


@pytest.mark.parametrize("name", EDITIONS)
@settings(max_examples=examples(25, 200), deadline=None)
@given(data=st.data())
def test_random_acts_at_several_tables_are_ruled_as_by_the_facade(name: str, data: st.DataObject) -> None:
    edition = load(name)
    client = Client()
    tables = {f"t{seat}": Auction(edition, seat) for seat in "NE"}
    for table, auction in tables.items():
        client.ask("new", edition=name, auction=table, dealer=str(auction.dealer))
    step = st.tuples(st.sampled_from(sorted(tables)), st.sampled_from(acts_of(edition)), st.integers(0, 11))
    for table, act, chance in data.draw(st.lists(step, max_size=16)):
        auction = tables[table]
        if chance == 0 and auction.happenings:
            auction.undo()
            client.ask("undo", auction=table)
            continue
        if chance < 6 and auction.is_open and auction.legal_calls:
            act = str(auction.legal_calls[len(act) % len(auction.legal_calls)])
        want = ["events"] if chance % 2 else []
        try:
            happening = auction.act(act)
        except LawbookError as error:
            codes = [diagnostic.code for diagnostic in error.diagnostics]
            assert [e["code"] for e in client.reply("act", auction=table, act=act, want=want)["errors"]] == codes
            continue
        answer = client.ask("act", auction=table, act=act, want=want)
        event = event_json(auction, auction.happenings.index(happening))
        assert answer["verdict"] == happening.verdict.value
        assert answer["offences"] == event["offences"]
        assert answer.get("unpenalised") == event.get("unpenalised")
        assert (answer["status"], answer["turn"]) == (
            auction.status,
            None if auction.turn is None else str(auction.turn),
        )
        if want:
            assert answer["events"][0] == event
        assert client.ask("legal-calls", auction=table)["legal_calls"] == [str(c) for c in auction.legal_calls]
    for table, auction in tables.items():
        assert client.ask("state", auction=table, explain=True) == rulings_json(auction, explained=True)


# -- the process -------------------------------------------------------------------------------------------------------


class Process:
    """`lawbook engine` itself."""

    def __init__(self, unbuffered: bool = False) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lawbook", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout

    def send(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self.input.write(rest) or 0 :]

    def ask(self, request: dict[str, Any]) -> Reply:
        self.send(line_of(request))
        assert select.select([self.output], [], [], 60)[0], "no reply came"
        return checked(request, json.loads(self.output.readline()))

    def end(self) -> tuple[int, bytes, bytes]:
        """The exit status, and what is left on standard output and error."""
        out, error = self.process.communicate(timeout=60)
        return self.process.returncode, out, error


@contextmanager
def running(unbuffered: bool = False) -> Iterator[Process]:
    process = Process(unbuffered)
    try:
        yield process
    finally:
        process.process.kill()
        process.process.communicate()


def wait_until_full(stream: IO[bytes]) -> None:
    """Wait until nothing more is written to a pipe of which nothing is read."""
    import fcntl
    import termios

    before = -1
    while (held := int.from_bytes(fcntl.ioctl(stream, termios.FIONREAD, bytes(4)), sys.byteorder)) != before:
        before = held
        time.sleep(0.5)


posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")


@posix
def test_a_session_of_the_process() -> None:
    with running() as engine:
        assert engine.ask({"id": "x", "do": "hello"})["answer"]["protocol"] == 1
        for name in ("a", "b"):
            assert engine.ask({"do": "new", "edition": "whist-club-1912", "auction": name})["ok"]
        assert engine.ask({"do": "act", "auction": "a", "act": "2H"})["answer"]["turn"] == "E"
        assert engine.ask({"do": "act", "auction": "b", "act": "3C"})["answer"]["turn"] == "E"
        for line, code in [
            (b"\xff\n", "not-utf8"),
            (b"x" * (5 * MOST_BYTES) + b"\n", "line-too-long"),
            (b"[" * MOST_BYTES + b"\r\n", "too-deep"),
            (b" " * (MOST_BYTES - 15) + b'{"do": "hello"}\r\n', None),
            (b" " * (MOST_BYTES - 14) + b'{"do": "hello"}\r\n', "line-too-long"),
        ]:
            engine.send(line)
            reply = json.loads(engine.output.readline())
            assert ([error["code"] for error in reply["errors"]] if code else reply["ok"]) == ([code] if code else True)
        assert engine.ask({"do": "act", "auction": "a", "act": "2D"})["answer"]["verdict"] == "irregular"
        assert engine.ask({"do": "bye"})["answer"] == {"auctions": 2}
        assert engine.end() == (0, b"", b"")


@posix
def test_the_end_of_the_input_ends_it() -> None:
    with running() as engine:
        # The last line has no line end, and is answered nevertheless.
        engine.send(line_of({"id": 1, "do": "hello"}) + b'{"id": 2, "do": "hello"}')
        status, out, error = engine.end()
        assert (status, error) == (0, b"")
        assert [json.loads(line)["id"] for line in out.splitlines()] == [1, 2]


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits(number: signal.Signals) -> None:
    with running() as engine:
        engine.ask({"do": "new", "edition": "whist-club-1912", "auction": "a"})
        engine.send(b'{"do": "sta')
        engine.process.send_signal(number)
        assert engine.process.wait(60) == 0
        assert engine.end() == (0, b"", b"")


@posix
@pytest.mark.parametrize(("number", "unbuffered"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_a_signal_leaves_no_reply_half_written(number: signal.Signals, unbuffered: bool) -> None:
    with running(unbuffered) as engine:
        engine.ask({"do": "new", "edition": "whist-club-1912", "auction": "a"})
        engine.ask({"do": "play", "auction": "a", "acts": "2H 2D " * 300})
        # Replies far longer than a pipe holds, of which nothing is read before the signal.
        engine.send(line_of({"id": 7, "do": "state", "auction": "a"}) * 3)
        wait_until_full(engine.output)
        engine.process.send_signal(number)
        status, out, error = engine.end()
        assert (status, error) == (0, b"")
        assert [json.loads(line)["id"] for line in out.splitlines()] == [7]


@posix
def test_a_second_signal_ends_it_though_nobody_reads() -> None:
    with running() as engine:
        engine.ask({"do": "new", "edition": "whist-club-1912", "auction": "a"})
        engine.ask({"do": "play", "auction": "a", "acts": "2H 2D " * 300})
        engine.send(line_of({"id": 7, "do": "state", "auction": "a"}))
        wait_until_full(engine.output)
        engine.process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            engine.process.wait(0.5)
        engine.process.send_signal(signal.SIGTERM)
        engine.process.wait(60)


@posix
def test_the_benchmark_runs() -> None:
    script = Path(__file__).parent / "benchmarks" / "bench_engine.py"
    run = subprocess.run([sys.executable, str(script), "2"], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    assert [line.split("  ")[0] for line in run.stdout.splitlines()[2:5]] == [
        "for the first time",
        "again",
        "again, lawful calls listed",
    ]


@pytest.mark.parametrize("name", EDITIONS)
def test_what_is_answered_without_reasons_is_what_a_ruling_says(name: str) -> None:
    """That nothing is laid down for an offence is known of some rulings only with their reasons."""
    chance, unpenalised = random.Random(5), 0
    for _ in range(60):
        made, ruled = Auction(name), Auction(name)
        for _ in range(12):
            some = [*map(str, ruled.options), *(f"{seat}:{call}" for seat in "NESW" for call in ("P", "X", "1H", "8S"))]
            act = act_meant(ruled.edition, chance.choice([*some, *map(str, ruled.legal_calls)]))
            answer = session_module._made(made, act)
            assert answer == session_module._ruling(ruled, ruled.act(act))
            unpenalised += "unpenalised" in answer
            assert made.notation == ruled.notation
    assert unpenalised or name == "contract-2017"
