"""What a record says of contract and declarer, against what the auction makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawbook.auction import Auction, Contract
from lawbook.diagnostics import Label, Span
from lawbook.errors import Collector, LawbookError
from lawbook.formats.board import CONTRACT, DECLARER, Board, Ending, Entry, Record
from lawbook.formats.board import Contract as Written
from lawbook.formats.pbn_words import spelt
from lawbook.notation import ALL_PASS
from lawbook.sentences import SEATS, listed
from lawbook.values import PASS, Act, Bid, Seat


class Agreement:
    """Compares the tags of a board with its auction. `entries` are those that were ruled on, by their place among the
    happenings; what does not agree is noted in `findings`."""

    def __init__(
        self, auction: Auction, board: Board, record: Record, entries: Mapping[int, Entry], findings: Collector
    ) -> None:
        self._auction = auction
        self._board = board
        self._record = record
        self._entries = entries
        self._findings = findings

    def compare(self) -> tuple[bool | None, bool | None]:
        """Whether contract and declarer are what the tags say; None where that cannot be told."""
        match self._auction.status:
            case "final":
                found = self._auction.contract
                assert found is not None
                return self._contract(found), self._declarer(found)
            case "passed-out":
                return self._passed_out()
            case "open":
                if self._record.ending is Ending.PLAIN:
                    self._findings.warning(
                        "auction-open",
                        f"the record ends and the auction is open: {SEATS[self._auction.turn_of_next]} is to call",
                        self._last_span(),
                        help="`*` stands where no further calls are given, `+` where the next call is still to come",
                    )
                return None, None
            case status:
                written = self._board.contract
                if written is None:
                    return None, None
                self._findings.error(
                    "contract-disagrees",
                    f"the tag says {spelt_contract(written)}, and there is a {status.replace('-', ' ')}",
                    self._tag_span(CONTRACT),
                )
                return False, None

    def _contract(self, found: Contract) -> bool | None:
        written = self._board.contract
        if written is None:
            return None
        meant = Written(Bid(found.level, found.denomination), found.doubling)
        if written == meant:
            return True
        if written.bid == meant.bid and written.doubling == 0:
            doubled = ("", "doubled", "redoubled")[found.doubling]
            self._findings.warning(
                "doubling-omitted",
                f"the auction ends {doubled}, and the tag does not say so",
                self._tag_span(CONTRACT),
                suggestion=spelt_contract(meant),
            )
            return False
        self._findings.error(
            "contract-disagrees",
            f"the tag says {spelt_contract(written)}, and the auction makes it {spelt_contract(meant)}",
            self._tag_span(CONTRACT),
            labels=self._last_labels(),
            suggestion=spelt_contract(meant),
        )
        return False

    def _declarer(self, found: Contract) -> bool | None:
        written = self._board.declarer
        if written is None:
            return None
        if written.by_the_auction is found.declarer:
            return True
        made = f"the auction makes {SEATS[found.declarer]} declarer"
        if written.seat is None:
            message = f"the tag names nobody, and {made}"
        elif written.swapped:
            message = f"the tag says that {SEATS[written.seat]} played in place of his partner, and {made}"
        else:
            message = f"the tag says {SEATS[written.seat]}, and {made}"
        self._findings.error(
            "declarer-disagrees",
            message,
            self._tag_span(DECLARER),
            labels=self._first_labels(found),
            help=self._why_another(written.by_the_auction, found),
        )
        return False

    def _why_another(self, declarer: Seat | None, found: Contract) -> str | None:
        """What may lie behind another declarer: passes before the first bid that were not written, or a swap."""
        entries = self._record.entries
        if declarer is None:
            return None
        helps = []
        if not entries or entries[0].act.call != PASS:
            missing = (declarer - found.declarer) % 4
            if self._would_agree(missing, declarer, found):
                passes = "a pass" if missing == 1 else f"{('', '', 'two', 'three')[missing]} passes"
                seats = listed([SEATS[Seat((self._auction.dealer + n) % 4)] for n in range(missing)])
                helps.append(f"with {passes} by {seats} before the first call it would be {SEATS[declarer]}")
        if declarer is found.declarer.partner and not (self._board.declarer and self._board.declarer.swapped):
            helps.append(f"where declarer and dummy were swapped the tag says ^{declarer}")
        return "; ".join(helps) or None

    def _would_agree(self, missing: int, declarer: Seat, found: Contract) -> bool:
        """Whether as many passes before the first call would make that player declarer of the same contract."""
        auction = Auction(self._auction.edition, self._auction.dealer)
        try:
            for _ in range(missing):
                auction.act(PASS)
            for entry in self._record.entries:
                seat = entry.act.seat
                moved = Seat((seat + missing) % 4) if isinstance(seat, Seat) else None
                auction.act(entry.act if entry.act.call is None else Act.of_call(entry.act.call, moved))
            if self._record.ending is Ending.ALL_PASS:
                auction.play(str(ALL_PASS))
        except LawbookError:
            return False
        other = auction.contract
        return (
            other is not None
            and other.declarer is declarer
            and (other.level, other.denomination, other.doubling) == (found.level, found.denomination, found.doubling)
        )

    def _passed_out(self) -> tuple[bool | None, bool | None]:
        written, declarer = self._board.contract, self._board.declarer
        contract_agrees = None if written is None else written.bid is None
        declarer_agrees = None if declarer is None else declarer.seat is None
        if written is not None and written.bid is not None:
            self._findings.error(
                "contract-disagrees",
                f"the tag says {spelt_contract(written)}, and the board was passed out",
                self._tag_span(CONTRACT),
                suggestion="Pass",
            )
        if declarer_agrees is False:
            self._findings.error(
                "declarer-disagrees",
                f"the tag says {declarer}, and the board was passed out",
                self._tag_span(DECLARER),
                help="where a board was passed out the tag is empty",
            )
        return contract_agrees, declarer_agrees

    # -- places

    def _tag_span(self, name: str) -> Span | None:
        tag = self._board.tag(name)
        return None if tag is None else tag.value_span

    def _last_span(self) -> Span | None:
        entries = self._record.entries
        return entries[-1].span if entries else self._record.span

    def _last_labels(self) -> Iterator[Label]:
        bids = [entry for entry in self._record.entries if isinstance(entry.act.call, Bid)]
        if bids and bids[-1].span is not None:
            yield Label(bids[-1].span, "the last bid")

    def _first_labels(self, found: Contract) -> Iterator[Label]:
        """Where the declarer first named the denomination."""
        for at, happening in enumerate(self._auction.happenings):
            act, entry = happening.act, self._entries.get(at)
            if act.seat is found.declarer and isinstance(act.call, Bid) and act.call.denomination == found.denomination:
                if entry is not None and entry.span is not None:
                    yield Label(entry.span, f"{SEATS[found.declarer]} names the denomination here")
                return


def spelt_contract(contract: Written) -> str:
    """A contract as its tag spells it."""
    if contract.bid is None:
        return "Pass"
    return f"{spelt(contract.bid)}{'X' * contract.doubling}"
