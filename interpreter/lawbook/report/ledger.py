"""The ledger as a dictionary and as text: a row for each act, a column for each edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lawbook.auction import Auction
from lawbook.compare.ledger import Cell, Choosable, Ledger, Row
from lawbook.compare.parting import parting_of
from lawbook.edition.model import Clause, Edition
from lawbook.report import SCHEMA
from lawbook.report.auction import clause_json, compact_calls, event_json, position_json, position_text
from lawbook.report.layout import Page, beside, folded, name_lines, visible
from lawbook.report.standing import Question, questions
from lawbook.sentences import SEATS, law_name, laws_named, listed, phrase, says_of, seat_code, seat_name
from lawbook.values import Act, Seat

_LEFT: Final = 17
_NARROWEST: Final = 19
# Fewer columns than this beside a verdict hold the name of no law with a word more.
_NARROWEST_COLUMN: Final = 10


# -- for other programs ------------------------------------------------------------------------------------------------


def ledger_json(ledger: Ledger) -> dict[str, object]:
    """A ledger with the keys of `replay.schema.json`. The place of an act counts from 1."""
    divergence = ledger.divergence
    parting = parting_of(ledger)
    return {
        "schema": SCHEMA,
        "editions": [edition.name for edition in ledger.editions],
        "dealer": str(ledger.dealer),
        "auction": " ".join(str(row.act) for row in ledger.rows),
        "divergence": None if divergence is None else divergence + 1,
        "causes": [[clause_json(clause) for clause in causes] for causes in parting.causes],
        "instead": [[clause_json(clause) for clause in causes] for causes in parting.instead],
        "earlier": parting.earlier,
        "acts": [_row_json(ledger, row) for row in ledger.rows],
        "positions": [
            {"edition": a.edition.name, "edition_hash": a.edition.hash, **position_json(a)} for a in ledger.auctions
        ],
    }


def _row_json(ledger: Ledger, row: Row) -> dict[str, object]:
    return {
        "act": str(row.act),
        "differs": list(row.differs),
        "options_apart": [[_option_json(option) for option in apart] for apart in row.options_apart],
        "rulings": [
            [event_json(auction, at) for at in cell.happenings]
            for cell, auction in zip(row.cells, ledger.auctions, strict=True)
        ],
    }


def _option_json(option: Choosable) -> dict[str, str]:
    return {"seat": str(option.holder), "act": option.act, "offence": option.offence, "offender": str(option.offender)}


# -- for a reader ------------------------------------------------------------------------------------------------------


def ledger_text(ledger: Ledger, page: Page) -> Iterator[str]:
    """A ledger for a reader: the acts, where the editions part and by which clauses, and how each then stands."""
    width = (page.width - _LEFT - 1) // len(ledger.auctions) - 1
    if width < _NARROWEST:
        yield from _stacked(ledger, page)
    else:
        yield from _columns(ledger, page, width)
    yield ""
    yield from _parting(ledger, page)
    yield ""
    if width >= _NARROWEST:
        yield from _standings(ledger, page, width)
        return
    for auction in ledger.auctions:
        yield from page.heading(f"how it stands under {auction.edition.name}")
        yield from position_text(auction, page)


def _columns(ledger: Ledger, page: Page, width: int) -> Iterator[str]:
    names = [edition.name for edition in ledger.editions]
    widths = [_LEFT, *[width] * len(names)]
    heads = [name_lines(name, width) for name in names]
    for line in beside([[f"dealer {seat_name(ledger.dealer)}"], *heads], widths):
        yield page.paint(line, "bold")
    for at, row in enumerate(ledger.rows):
        first = at == ledger.divergence
        if first:
            yield page.paint(_rule_of_parting(page.width), "mark")
        sign = "▶" if first else "≠" if row.differs else " "
        number = f"{at + 1:>2} "
        # An act with a long name goes on below it.
        act, *more = folded(_act_text(ledger, row), _LEFT - 1 - len(number))
        left = [page.paint(sign, "mark") + number + act, *(" " * (1 + len(number)) + line for line in more)]
        agreed = _agreed_seat(ledger, row) is not None
        cells = [_cell_lines(row, c, a, page, width, agreed) for c, a in zip(row.cells, ledger.auctions, strict=True)]
        yield from beside([left, *cells], widths)


def _rule_of_parting(width: int) -> str:
    head = "── here they part "
    return head + "─" * (width - len(head))


def _act_text(ledger: Ledger, row: Row) -> str:
    """Who did what in short; without who, where the editions do not agree whose turn it was."""
    return f"{_agreed_seat(ledger, row) or '-'} {_short(row.act)}"


def _agreed_seat(ledger: Ledger, row: Row) -> str | None:
    """The seat that acts, if it is the same under every edition that takes the act."""
    seats = {_seat(a, c) for a, c in zip(ledger.auctions, row.cells, strict=True) if c.happenings}
    return seats.pop() if len(seats) == 1 else None


def _seat(auction: Auction, cell: Cell) -> str | None:
    return seat_code(auction.happenings[cell.happenings[0]].act.seat) if cell.happenings else None


def _cell_lines(row: Row, cell: Cell, auction: Auction, page: Page, width: int, agreed: bool) -> list[str]:
    """A cell: the verdict with its laws, the offences, and what happened of itself."""
    if not cell.happenings:
        known = row.act.call is not None or row.act.name in auction.edition.acts
        return [page.paint("over" if known else "no such act", "dim")]
    lines = [page.paint(f"by {_seat(auction, cell)}", "dim")] if not agreed else []
    for at in cell.happenings:
        happening = auction.happenings[at]
        verdict = happening.verdict.value
        laws = laws_named(happening.because)
        if happening.of_itself:
            said = f"then {seat_code(happening.act.seat)} {_short(happening.act)} of itself, {laws}"
            lines.extend(folded(said, width))
            continue
        if visible(laws) > width - 11 and width - 11 < _NARROWEST_COLUMN:
            # Beside the verdict there is no room: the laws come under it.
            lines.append(page.verdict(verdict))
            lines.extend(folded(laws, width))
        else:
            head, *more = folded(laws, width - 11)
            lines.append(page.verdict(verdict, 11) + head)
            lines.extend(" " * 11 + line for line in more)
        offences = [auction.edition.offences[o].phrase for o in happening.ruling.offences]
        if happening.ruling.unpenalised:
            offences.append("unpenalised")
        if offences:
            lines.extend(page.paint(line, "dim") for line in folded(", ".join(offences), width))
    return lines


def _short(act: Act) -> str:
    return act.as_said.rpartition(":")[2]


def _stacked(ledger: Ledger, page: Page) -> Iterator[str]:
    """For more editions than fit side by side: an act, and under it each edition's ruling."""
    for at, row in enumerate(ledger.rows):
        if at == ledger.divergence:
            yield page.paint(_rule_of_parting(page.width), "mark")
        sign = "▶" if at == ledger.divergence else "≠" if row.differs else " "
        yield page.paint(sign, "mark") + page.paint(f"{at + 1:>2} {_act_text(ledger, row)}", "bold")
        agreed = _agreed_seat(ledger, row) is not None
        alike: dict[tuple[str, ...], list[str]] = {}
        for cell, auction in zip(row.cells, ledger.auctions, strict=True):
            lines = _cell_lines(row, cell, auction, page, page.width - 6, agreed)
            alike.setdefault(tuple(lines), []).append(auction.edition.name)
        for shared, names in alike.items():
            if len(alike) > 1:
                yield from page.wrap(", ".join(names), 4)
            yield from (" " * 6 + line for line in shared)


def _parting(ledger: Ledger, page: Page) -> Iterator[str]:
    """Where the editions part, and the clauses each goes by there."""
    at = ledger.divergence
    if at is None:
        yield "They rule alike on every act." if ledger.rows else "There is no act to rule on."
        return
    row = ledger.rows[at]
    several = len(row.differs) > 1 or row.differs[0] in _PLURAL
    differ = f"{_list(row.differs)} {'differ' if several else 'differs'}"
    yield from page.wrap(f"They part at act {at + 1}, {_act_words(ledger, row)}: {differ}.")
    parting = parting_of(ledger)
    for column, (cell, auction, apart) in enumerate(zip(row.cells, ledger.auctions, row.options_apart, strict=True)):
        because = [c for h in cell.happenings for c in auction.happenings[h].because]
        cited = "; ".join(dict.fromkeys(f"{law_name(c.law.number)}, {c.id}" for c in because))
        yield ""
        yield from page.wrap(f"{auction.edition.name}  {cited or 'does not know the act'}", 2, 4)
        says = " ".join(dict.fromkeys(c.says for c in because))
        yield from page.wrap(says or "No law here speaks of it: it is passed over, and the auction goes on.", 4)
        causes = parting.causes[column]
        # Where what it goes by there is the whole cause, that is told.
        if set(causes) != set(because):
            yield from _cause_lines("Before this" if parting.earlier else "Cause", causes, because, page)
        yield from _cause_lines("Here instead", parting.instead[column], because, page)
        # At the end of the auction the options are told below.
        if apart and at < len(ledger.rows) - 1:
            head = "Open only here" if len(row.cells) == 2 else "Open here and not under all"
            yield from page.wrap(f"{head}: {_open_apart(apart, auction.edition)}.", 4)


def _cause_lines(head: str, clauses: Sequence[Clause], told: Sequence[Clause], page: Page) -> Iterator[str]:
    """Clauses with what they say, unless that is told already."""
    for clause in clauses:
        says = " (see above)" if clause in told else f": {says_of(clause)}"
        yield from page.wrap(f"{head}: {law_name(clause.law.number)}, {clause.id}{says}.", 4, 6)


def _open_apart(apart: Sequence[Choosable], edition: Edition) -> str:
    """Remedies in words: who may choose what, and for what."""
    phrases = {offence.name: offence.phrase for offence in edition.offences}
    grouped: dict[tuple[str, Seat], dict[str, list[str]]] = {}
    for seat, act, offence, offender in apart:
        grouped.setdefault((offence, offender), {}).setdefault(act, []).append(SEATS[seat])
    parts = []
    for (offence, offender), acts in grouped.items():
        holders = listed(dict.fromkeys(seat for seats in acts.values() for seat in seats), "or")
        parts.append(f"{holders} may choose {listed(acts, 'or')} ({SEATS[offender]}: {phrases[offence]})")
    return "; ".join(parts)


def _list(differs: Sequence[str]) -> str:
    return listed([_SAID.get(name, f"the {name}") for name in differs])


# What is not alike, where its name would not read well with an article.
_SAID: Final = {"debarred": "the players debarred"}
_PLURAL: Final = frozenset({"debarred", "options", "points"})


def _act_words(ledger: Ledger, row: Row) -> str:
    said = {
        phrase(auction.edition, auction.happenings[cell.happenings[0]].act)
        for cell, auction in zip(row.cells, ledger.auctions, strict=True)
        if cell.happenings
    }
    return said.pop() if len(said) == 1 else str(row.act)


# -- how they stand ----------------------------------------------------------------------------------------------------


def _standings(ledger: Ledger, page: Page, width: int) -> Iterator[str]:
    """How the auction stands under each edition at the end, what is not alike marked."""
    yield page.rule("how it stands")
    widths = [_LEFT, *[width] * len(ledger.auctions)]
    for question in _questions(ledger):
        left = [(" " if question.alike else page.paint("≠", "mark")) + " " + question.name]
        cells = [[line for part in texts for line in folded(part, width)] for texts in question.answers]
        yield from beside([left, *cells], widths)


def _questions(ledger: Ledger) -> Iterator[Question]:
    auctions = ledger.auctions
    yield from questions(auctions)
    if any(a.turn is not None for a in auctions):
        calls = (" ".join(compact_calls(a.legal_calls, a.edition.universe)) or "none" for a in auctions)
        yield Question("lawful calls", tuple((text,) for text in calls))
