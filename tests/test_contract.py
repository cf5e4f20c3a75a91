"""Contract bridge: another game of the family, in law data alone.

Its published number of auctions, its legal calls against a reference of thirty lines, and no word of it in the
interpreter.
"""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from thorough import examples

import lawbook
from lawbook.auction import Auction, load, machine_of
from lawbook.deals import Deal
from lawbook.edition.library import Library
from lawbook.machine.lawful import Lawful, count
from lawbook.scoring import score_deal
from lawbook.values import Seat, Side

NAME = "contract-2017"
# Known since the game was counted: four opening passes, or any of the 35 bids in order, with up to three passes or a
# double and a redouble with their passes between.
AUCTIONS = 128745650347030683120231926111609371363122697557
LONGEST = 319


def test_the_number_of_auctions() -> None:
    assert AUCTIONS == (4 * 22**35 - 1) // 3
    assert count(Lawful(machine_of(load(NAME))).start(0)) == (AUCTIONS, LONGEST)


# -- an independent reference ----------------------------------------------------------------------------------------

DENOMINATIONS = "CDHSN"
BIDS = [f"{level}{denomination}" for level in range(1, 8) for denomination in DENOMINATIONS]


@dataclass
class Reference:
    """The auction of contract bridge as anybody would write it: calls in turn, nothing else."""

    dealer: int
    calls: list[str] = field(default_factory=list)

    @property
    def turn(self) -> int:
        return (self.dealer + len(self.calls)) % 4

    @property
    def over(self) -> bool:
        return self.calls == ["P"] * 4 or (self.bid is not None and self.calls[-3:] == ["P"] * 3)

    @property
    def bid(self) -> int | None:
        """The place in the auction of the last bid."""
        return max((at for at, call in enumerate(self.calls) if call in BIDS), default=None)

    def by(self, at: int) -> int:
        return (self.dealer + at) % 4

    @property
    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.bid is None:
            return {"P", *BIDS}
        found = {"P", *BIDS[BIDS.index(self.calls[self.bid]) + 1 :]}
        last = max(at for at, call in enumerate(self.calls) if call != "P")
        theirs = (self.turn - self.by(last)) % 2 == 1
        if theirs and last == self.bid:
            found.add("X")
        if theirs and self.calls[last] == "X":
            found.add("XX")
        return found

    @property
    def contract(self) -> str | None:
        if not self.over or self.bid is None:
            return None
        denomination, side = self.calls[self.bid][1], self.by(self.bid) % 2
        doubling = max((call for call in self.calls[self.bid :] if call.startswith("X")), key=len, default="")
        first = next(
            self.by(at)
            for at, call in enumerate(self.calls)
            if call in BIDS and call[1] == denomination and self.by(at) % 2 == side
        )
        return f"{self.calls[self.bid]}{doubling} by {'NESW'[first]}"


@pytest.mark.parametrize("seed", range(4))
def test_legal_calls_and_contracts_are_those_of_the_reference(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        dealer = chance.randrange(4)
        auction, reference = Auction(NAME, Seat(dealer)), Reference(dealer)
        while not reference.over:
            assert {str(call) for call in auction.legal_calls} == reference.legal
            assert auction.turn == Seat(reference.turn)
            low = [call for call in BIDS if call in reference.legal][:6]
            call = chance.choice([*low, "P", "P", *(reference.legal & {"X", "XX"})])
            assert auction.act(call).verdict.value == "legal"
            reference.calls.append(call)
        assert auction.legal_calls == ()
        assert auction.status == ("passed-out" if reference.bid is None else "final")
        assert (None if auction.contract is None else str(auction.contract)) == reference.contract


@pytest.mark.parametrize("seed", range(2))
def test_no_other_call_in_turn_is_legal(seed: int) -> None:
    chance = random.Random(seed)
    every = ["P", "X", "XX", *BIDS, "8C", "8N"]
    for _ in range(15):
        auction, reference = Auction(NAME), Reference(0)
        while not reference.over:
            call = chance.choice(every)
            assert (auction.act(call).verdict.value == "legal") == (call in reference.legal)
            if call not in reference.legal:
                auction.undo()
                call = "P"
                auction.act(call)
            reference.calls.append(call)


# -- irregularities --------------------------------------------------------------------------------------------------

READINGS = ("", "@left-opponent-in-turn=as-if-not-made", "@called-over-eight=pass-in-its-place")


def any_act(auction: Auction, chance: random.Random) -> str:
    """Something somebody might do: a call in or out of turn, a remedy that is open or is not, a finding."""
    call = chance.choice(["P", "P", "X", "XX", *BIDS[:7], "7N", "8C"])
    kind = chance.random()
    if kind < 0.35:
        return call
    if kind < 0.65:
        return f"{chance.choice('NESW')}:{call}"
    if kind < 0.9 and auction.options:
        return str(chance.choice(auction.options))
    if kind < 0.96:
        shows = f"{chance.choice('NESW')}:{chance.choice(['show-honour=SA', 'lead=S2', 'show-small-card=S2'])}"
        return chance.choice(["TABLE:unintended", f"TABLE:comparable={call}", f"TABLE:not-comparable={call}", shows])
    return f"{chance.choice('NESW')}:{chance.choice(['refuse', 'notice', 'let-stand', 'accept'])}"


@pytest.mark.parametrize("reading", READINGS)
def test_whatever_is_done_no_two_laws_contradict_each_other_and_somebody_can_go_on(reading: str) -> None:
    chance = random.Random(f"irregular{reading}")
    for _ in range(examples(80, 500)):
        auction = Auction(NAME + reading, chance.choice("NESW"))
        for _ in range(chance.randrange(3, 14)):
            auction.act(any_act(auction, chance))
            if auction.is_open:
                assert auction.legal_calls or auction.options, auction.notation
            # A player who must pass has no other call.
            if auction.turn in auction.debarred and not auction.options:
                assert {str(call) for call in auction.legal_calls} <= {"P"}, auction.notation
            assert auction.contract is None or auction.contract.level <= 7


@pytest.mark.parametrize("reading", READINGS)
def test_nothing_irregular_outlasts_a_call_of_the_opponent_on_the_left(reading: str) -> None:
    """One irregular call, and the opponent on its left calls over it: no right about it is left."""
    for start in ("", "1H", "1H P", "1H X", "1H X XX", "P P"):
        for seat in "NESW":
            for call in ("P", "X", "XX", "1C", "2S", "8C"):
                auction = Auction(NAME + reading)
                auction.play(start)
                auction.act(f"{seat}:{call}")
                auction.act(f"{Seat.parse(seat).left}:P")
                assert not [o for o in auction.options if str(o.offender) == seat], auction.notation


def test_a_refused_call_is_gone() -> None:
    """Refused, a call out of rotation leaves turn, bid and doubling as they were."""
    for start in ("", "1H", "1H P", "1H X", "P P"):
        for seat in "NESW":
            for call in ("P", "X", "XX", "1C", "2S"):
                auction = Auction(NAME)
                auction.play(start)
                before = (auction.turn, str(auction.declaration))
                if auction.act(f"{seat}:{call}").verdict.value == "irregular":
                    for option in auction.options:
                        if option.act == "refuse":
                            auction.act(str(option))
                            assert (auction.turn, str(auction.declaration)) == before, auction.notation


# -- Law 77 ----------------------------------------------------------------------------------------------------------


def reference_score(level: int, denomination: str, doubling: int, vulnerable: bool, tricks: int) -> int:
    """What the declarer's side scores by Law 77, by the formulas everybody knows; a loss is negative."""
    over = tricks - 6 - level
    if over < 0:
        if not doubling:
            return over * (100 if vulnerable else 50)
        each = [200 if vulnerable else 100, *[300 if vulnerable else 200] * 2, *[300] * 10]
        return -sum(each[:-over]) * doubling
    value = 20 if denomination in "CD" else 30
    odd = (value * level + (10 if denomination == "N" else 0)) * (1, 2, 4)[doubling]
    total = odd + (50 if odd < 100 else 500 if vulnerable else 300) + 50 * doubling
    total += over * (value if not doubling else 100 * doubling * (2 if vulnerable else 1))
    return total + {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)


@pytest.mark.parametrize("doubling", range(3))
@pytest.mark.parametrize("vulnerable", [False, True])
def test_every_score_of_law_77(doubling: int, vulnerable: bool) -> None:
    edition = load(NAME)
    for bid in BIDS:
        for tricks in range(14):
            declarer, others = ("S", "EW") if tricks % 2 else ("W", "NS")
            mine = "NS" if others == "EW" else "EW"
            told = {"contract": bid + "X" * doubling, "declarer": declarer, "tricks": tricks}
            score = score_deal(edition, Deal.of({**told, "vulnerable": mine if vulnerable else others}))
            points = {str(side): score.column("tricks")[side] + score.column("honours")[side] for side in Side}
            expected = reference_score(int(bid[0]), bid[1], doubling, vulnerable, tricks)
            assert (points[mine], points[others]) == (max(expected, 0), max(-expected, 0)), (bid, tricks)


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "points"),
    [
        ("1C", 7, "none", 70),
        ("3N", 9, "none", 400),
        ("3N", 10, "both", 630),
        ("4SX", 10, "NS", 790),
        ("1NXX", 7, "none", 560),
        ("6D", 12, "none", 920),
        ("7N", 13, "NS", 2220),
        ("7NXX", 13, "NS", 2980),
        ("4H", 9, "EW", -50),
        ("4HX", 7, "none", -500),
        ("4HX", 6, "none", -800),
        ("4HX", 8, "NS", -500),
        ("4HXX", 8, "NS", -1000),
    ],
)
def test_scores_known_to_every_player(contract: str, tricks: int, vulnerable: str, points: int) -> None:
    told = {"contract": contract, "declarer": "N", "tricks": tricks, "vulnerable": vulnerable}
    score = score_deal(load(NAME), Deal.of(told))
    sides = [score.column("tricks")[side] + score.column("honours")[side] for side in Side]
    assert sides[0] - sides[1] == points


def test_the_command_scores_a_board() -> None:
    command = [sys.executable, "-m", "lawbook", "score", NAME, "--contract", "4HX", "--declarer", "N", "--tricks", "10"]
    done = subprocess.run([*command, "--vulnerable", "both", "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert (told["trick_points"], told["honour_points"]) == ({"NS": 240, "EW": 0}, {"NS": 550, "EW": 0})
    assert told["deal"]["vulnerable"] == ["EW", "NS"]


# -- nothing of it in the interpreter --------------------------------------------------------------------------------

SOURCES = sorted((Path(lawbook.__file__).parent).rglob("*.py"))
LIBRARY = Library.shipped()


def said(path: Path) -> Iterator[tuple[int, str]]:
    """The names and texts of a module's code, with their lines; its docstrings and comments are read by people only.

    So is what the shell prints as help: there, texts of more than one word are left out.
    """
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    with_docstring = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    described = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, with_docstring) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            if "shell" not in path.parts or len(node.value.split()) == 1:
                yield node.lineno, node.value
        elif isinstance(node, ast.Name | ast.arg | ast.Attribute | ast.FunctionDef | ast.ClassDef | ast.keyword):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
            yield getattr(node, "lineno", 0), (name or getattr(node, "arg", None) or "").replace("_", " ")


def named_by_law_data() -> Iterator[str]:
    """What only law data may name: editions, denominations, and laws by their number."""
    for name in LIBRARY.edition_files():
        yield re.escape(name)
        for denomination in load(name).universe.denominations:
            yield re.escape(denomination)
    yield r"laws? (no\.? )?\d+"


def test_the_interpreter_names_no_edition_no_law_and_no_denomination() -> None:
    forbidden = re.compile(rf"\b({'|'.join(sorted(set(named_by_law_data())))})\b", re.IGNORECASE)
    found = [f"{path.name}:{line}: {text}" for path in SOURCES for line, text in said(path) if forbidden.search(text)]
    assert len(SOURCES) > 50
    assert not found, "\n".join(found)


def test_such_a_name_would_be_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Of whist-club-1912, in hearts."""\nclass Clubs:\n    "Of spades."\n\ndef ruled(no_trump: int) -> str:\n'
        '    # by Law 50\n    return "whist-club-1912" if no_trump else f"{no_trump} by Law 50"\n',
        encoding="utf-8",
    )
    forbidden = re.compile(rf"\b({'|'.join(named_by_law_data())})\b", re.IGNORECASE)
    assert sorted({forbidden.search(text)[0] for _, text in said(module) if forbidden.search(text)}) == [  # type: ignore[index]
        "Clubs",
        "Law 50",
        "no trump",
        "whist-club-1912",
    ]
