"""The session: the auctions that are open, and the answer to each request. It knows nothing of lines or of JSON text.

Every answer has the shape of the command that gives the same: a state that of `lawbook rule --json`, a comparison that
of `lawbook compare --auction --json`. What cannot be done is a LawbookError, and the session is then as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from lawbook import __version__
from lawbook.auction import Auction, Happening, load
from lawbook.compare.ledger import ledger_of
from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.engine.lists import LAWFUL, Answer, Choices, Lists, make_ready
from lawbook.engine.requests import SHAPES
from lawbook.engine.wire import MOST_BYTES
from lawbook.errors import LawbookError
from lawbook.inventory import inventory
from lawbook.loading import act_meant
from lawbook.machine.ruling import Verdict
from lawbook.machine.state import State
from lawbook.report.auction import event_json, position_json, rulings_json
from lawbook.report.editions import editions_json, laws_json
from lawbook.report.ledger import ledger_json
from lawbook.report.score import rubber_json, score_json
from lawbook.scoring import deal_under, read_rubber, score_deal
from lawbook.values import Act, Seat, shorten

PROTOCOL: Final = 1
"""The version of the protocol: keys may be added within a version, never taken away."""

RUBBER_FILE: Final = "<rubber>"
"""The file that places in the deals of a rubber are said to be in, a deal a line."""

Request = Mapping[str, Any]

_CALLS_ONLY: Final = ["legal_calls"]

_HEAD: Final = ("edition", "edition_hash", "title", "body", "date", "source", "based_on")

# More names than this are not searched for what was meant.
_MOST_SEARCHED: Final = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a session keeps at once: auctions, acts in one and in all of them, editions. More than any table needs;
    a client that never closes anything must not take all memory."""

    auctions: int = 4096
    acts_in_an_auction: int = 2000
    acts: int = 200_000
    editions: int = 64


@dataclass(slots=True)
class _Table:
    """An open auction. `choices` are the calls lawful now, None where nobody has found out."""

    name: str
    auction: Auction
    acts: int = 0
    choices: Choices | None = None


class Session:
    """What one client has open."""

    def __init__(self, library: Library | None = None, limits: Limits | None = None) -> None:
        self.ended = False
        self._library = library
        self._limits = limits or Limits()
        self._tables: dict[str, _Table] = {}
        self._acts = 0
        self._named = 0
        self._editions: dict[str, Edition] = {}
        self._choices = Lists()
        self._answers: Mapping[str, Callable[[Request], Answer]] = {
            do: getattr(self, f"_do_{do.replace('-', '_')}") for do in SHAPES
        }

    def answer(self, request: Request) -> Answer:
        """The answer to a request that fits its shape. Raises LawbookError where it cannot be given."""
        return self._answers[request["do"]](request)

    # -- editions ------------------------------------------------------------------------------------------

    def _do_hello(self, request: Request) -> Answer:
        asked = request.get("protocol", PROTOCOL)
        if asked != PROTOCOL:
            _refuse("unsupported-protocol", f"this engine speaks version {PROTOCOL} of the protocol, not {asked}")
        limits = self._limits
        return {
            "protocol": PROTOCOL,
            "lawbook": __version__,
            "requests": list(SHAPES),
            "limits": {
                "line_bytes": MOST_BYTES,
                "auctions": limits.auctions,
                "acts_in_an_auction": limits.acts_in_an_auction,
                "acts": limits.acts,
                "editions": limits.editions,
            },
        }

    def _do_editions(self, _: Request) -> Answer:
        return editions_json(*inventory(self._library))

    def _do_load(self, request: Request) -> Answer:
        edition = self._edition(request["edition"])
        head = laws_json(edition)
        universe = edition.universe
        return {
            **{key: head[key] for key in _HEAD},
            "denominations": [
                {"denomination": name, "letter": letter}
                for name, letter in zip(universe.denominations, universe.letters, strict=True)
            ],
            "acts": [{"act": act.name, "argument": act.argument, "says": act.says} for act in edition.acts.values()],
            "offences": [offence.name for offence in edition.offences],
        }

    def _edition(self, name: str) -> Edition:
        found = self._editions.get(name)
        if found is None:
            found = load(name, self._library)
            if len(self._editions) >= self._limits.editions:
                used = {table.auction.edition.name for table in self._tables.values()}
                self._editions = {key: kept for key, kept in self._editions.items() if kept.name in used}
            if len(self._editions) >= self._limits.editions:
                _refuse(
                    "too-many-editions",
                    f"auctions under {self._limits.editions} editions are open, and no more are kept at once",
                    help="close the auctions of some edition",
                )
            make_ready(found)
            self._editions[name] = found
        return found

    # -- auctions ------------------------------------------------------------------------------------------

    def _do_new(self, request: Request) -> Answer:
        name = request.get("auction")
        if name is not None and name in self._tables:
            _refuse("auction-exists", f"the auction `{name}` is open already")
        if len(self._tables) >= self._limits.auctions:
            _refuse(
                "too-many-auctions",
                f"{self._limits.auctions:,} auctions are open, and no more are kept at once",
                help="close those that are over",
            )
        auction = Auction(self._edition(request["edition"]), Seat.parse(request.get("dealer", "N")))
        table = _Table(self._fresh_name() if name is None else name, auction)
        table.choices = self._choices.of(auction.legal_calls)
        self._tables[table.name] = table
        return {
            "auction": table.name,
            "edition": auction.edition.name,
            "edition_hash": auction.edition.hash,
            "dealer": str(auction.dealer),
            **self._standing(table, request),
        }

    def _fresh_name(self) -> str:
        while True:
            self._named += 1
            if (name := str(self._named)) not in self._tables:
                return name

    def _table(self, request: Request) -> _Table:
        name: str = request["auction"]
        found = self._tables.get(name)
        if found is None:
            meant = nearest(name, self._tables) if len(self._tables) <= _MOST_SEARCHED else None
            _refuse("unknown-auction", f"no auction `{shorten(name)}` is open", suggestion=meant)
        return found

    def _do_close(self, request: Request) -> Answer:
        table = self._table(request)
        del self._tables[table.name]
        self._acts -= table.acts
        return {"auction": table.name, "acts": table.acts}

    def _do_bye(self, _: Request) -> Answer:
        self.ended = True
        return {"auctions": len(self._tables)}

    # -- acts ----------------------------------------------------------------------------------------------

    def _do_act(self, request: Request) -> Answer:
        table = self._table(request)
        self._ask_for_room(table, 1)
        auction, want = table.auction, request.get("want", ())
        wants_events = "events" in want
        before = len(auction.happenings) if wants_events else 0
        call = None if table.choices is None or wants_events else table.choices.by_text.get(request["act"])
        answer: Answer
        if call is None:
            act = act_meant(auction.edition, request["act"])
            if wants_events:
                answer = _ruling(auction, auction.act(act))
            else:
                answer = _made(auction, act)
            lawful = answer["verdict"] == Verdict.LEGAL.value and act.call is not None
            table.choices = self._choices.of(auction.legal_calls) if lawful else None
        else:
            # A lawful call need not be ruled on before somebody asks for more than that it is lawful.
            choices = table.choices = self._choices.of(auction.push(call))
            # Where calls are lawful the auction is open.
            if choices.calls and (not want or want == _CALLS_ONLY):
                self._count(table, 1)
                return choices.answer(auction.turn_of_next, bool(want))
            answer = {**LAWFUL}
        self._count(table, 1)
        answer.update(self._standing(table, request))
        if wants_events:
            answer["events"] = [event_json(auction, at) for at in range(before, len(auction.happenings))]
        return answer

    def _do_play(self, request: Request) -> Answer:
        table = self._table(request)
        auction = table.auction
        self._ask_for_room(table, len(request["acts"].split()))
        before = len(auction.happenings)
        try:
            made = [h for h in auction.play(request["acts"]) if not h.of_itself]
        except LawbookError:
            # What was played before the mistake is taken back.
            for happening in auction.happenings[before:]:
                if not happening.of_itself:
                    auction.undo()
            raise
        table.choices = None
        self._count(table, len(made))
        answer: Answer = {"rulings": [_ruling(auction, happening) for happening in made]}
        answer.update(self._standing(table, request))
        if "events" in request.get("want", ()):
            answer["events"] = [event_json(auction, at) for at in range(before, len(auction.happenings))]
        return answer

    def _do_undo(self, request: Request) -> Answer:
        table = self._table(request)
        count: int = request.get("count", 1)
        if count > table.acts:
            _refuse("nothing-to-undo", f"{table.acts} acts have been made, so {count} cannot be taken back")
        for _ in range(count):
            table.auction.undo()
        table.choices = self._choices.of(table.auction.legal_calls)
        self._count(table, -count)
        answer: Answer = {"acts": table.acts}
        answer.update(self._standing(table, request))
        if "events" in request.get("want", ()):
            answer["events"] = []
        return answer

    def _ask_for_room(self, table: _Table, acts: int) -> None:
        limits = self._limits
        if table.acts + acts > limits.acts_in_an_auction:
            message = f"an auction has at most {limits.acts_in_an_auction:,} acts"
            _refuse("too-many-acts", message, help="take acts back, or begin another auction")
        if self._acts + acts > limits.acts:
            message = f"the auctions that are open have at most {limits.acts:,} acts together"
            _refuse("too-many-acts", message, help="close those that are over")

    def _count(self, table: _Table, acts: int) -> None:
        table.acts += acts
        self._acts += acts

    def _standing(self, table: _Table, request: Request) -> Answer:
        """Status and turn, and of the rest of the position what is wanted."""
        auction = table.auction
        is_open = auction.is_open
        answer: Answer = {
            "status": "open" if is_open else auction.status,
            "turn": str(auction.turn_of_next) if is_open else None,
        }
        wanted = [name for name in request.get("want", ()) if name != "events"]
        if wanted == _CALLS_ONLY:
            answer["legal_calls"] = self._lawful(table).texts
        elif wanted:
            position = position_json(auction)
            answer.update((name, position[name]) for name in wanted)
        return answer

    # -- lawful calls --------------------------------------------------------------------------------------

    def _lawful(self, table: _Table) -> Choices:
        if table.choices is None:
            table.choices = self._choices.of(table.auction.legal_calls)
        return table.choices

    def _do_legal_calls(self, request: Request) -> Answer:
        table = self._table(request)
        turn = table.auction.turn
        return {"turn": None if turn is None else str(turn), "legal_calls": self._lawful(table).texts}

    # -- what is said of an auction ------------------------------------------------------------------------

    def _do_options(self, request: Request) -> Answer:
        return {"options": position_json(self._table(request).auction)["options"]}

    def _do_state(self, request: Request) -> Answer:
        return rulings_json(self._table(request).auction, explained=request.get("explain", False))

    def _do_explain(self, request: Request) -> Answer:
        auction = self._table(request).auction
        events = len(auction.happenings)
        number: int = request.get("event", events)
        if not 1 <= number <= events:
            wrong = f"there is no event {number}: there are {events}" if events else "nothing has been done yet"
            _refuse("no-such-event", wrong)
        return {"number": number, "event": event_json(auction, number - 1, explained=True)}

    # -- scores and comparisons ----------------------------------------------------------------------------

    def _do_score(self, request: Request) -> Answer:
        edition = self._edition(request["edition"])
        if "deal" in request:
            deal = deal_under(edition, request["deal"])
            return score_json(deal, score_deal(edition, deal))
        lines = "\n".join(json.dumps(deal) for deal in request["rubber"])
        return rubber_json(read_rubber(edition, lines.encode(), RUBBER_FILE))

    def _do_compare(self, request: Request) -> Answer:
        editions = [self._edition(name) for name in request["editions"]]
        if "auction" in request:
            auction = self._table(request).auction
            return ledger_json(ledger_of(editions, auction.notation, auction.dealer))
        return ledger_json(ledger_of(editions, request["acts"], Seat.parse(request.get("dealer", "N"))))


def _ruling(auction: Auction, happening: Happening) -> Answer:
    """The ruling on an act in short; a lawful call's is the same whatever made it lawful."""
    ruling = happening.ruling
    answer: Answer = {
        "verdict": ruling.verdict.value,
        "offences": [auction.edition.offences[offence].name for offence in ruling.offences],
    }
    if ruling.unpenalised:
        answer["unpenalised"] = True
    return answer


def _made(auction: Auction, act: Act) -> Answer:
    """Make an act and answer the same. Reasons are asked for only where there may be no penalty: an offence that opened
    a right has one."""
    before = auction.state
    made = auction.make(act)
    answer: Answer = {"verdict": made.verdict.value, "offences": [offence.name for offence in made.offences]}
    if made.offences and not _remedies(auction.state) - _remedies(before):
        last = next(happening for happening in reversed(auction.happenings) if not happening.of_itself)
        if last.ruling.unpenalised:
            answer["unpenalised"] = True
    return answer


def _remedies(state: State) -> set[tuple[int, str]]:
    """The rights that are open, by offence and remedy."""
    return {(right.offence, right.remedy) for held in state.held for right in held.rights}


def _refuse(code: str, message: str, *, help: str | None = None, suggestion: str | None = None) -> NoReturn:
    raise LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])
