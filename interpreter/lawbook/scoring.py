"""Scoring by the facade: a deal's facts in, its lines out; deals entered on a rubber's sheet.

>>> from lawbook.auction import load
>>> edition = load("whist-club-1912")
>>> score = score_deal(edition, Deal.of({"contract": "4HX", "declarer": "N", "tricks": 10}))
>>> {str(side): points for side, points in score.column("tricks").items()}
{'NS': 64, 'EW': 0}
>>> {str(side): points for side, points in score.column("honours").items()}
{'NS': 50, 'EW': 0}
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lawbook.deals import KEYS, TRICKS_IN_A_DEAL, Deal, number_told
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.model import Clause, Edition
from lawbook.errors import Collector, LawbookError
from lawbook.keys import KeyTwice, keys_once
from lawbook.loading import signs_of
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Scored
from lawbook.machine.sheet import Sheet
from lawbook.sentences import listed
from lawbook.values import Side, shorten

MOST_DEALS = 10_000


@dataclass(frozen=True, slots=True)
class Score:
    """What a deal scores: its lines, each with its clause."""

    edition: Edition
    lines: tuple[Scored, ...]

    def column(self, key: str) -> dict[Side, int]:
        """Each side's points in one column, by the column's key."""
        names = {name for name, column in self.edition.columns.items() if column.key == key}
        return {
            side: sum(line.points for line in self.lines if line.side == side and line.column in names) for side in Side
        }

    @property
    def because(self) -> tuple[str, ...]:
        """The clauses that scored, in order."""
        return tuple(dict.fromkeys(line.clause.id for line in self.lines))


class NotScored(LawbookError):
    """The facts are none to score; `clauses` say why."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        super().__init__(
            Diagnostic("not-scored", Severity.ERROR, c.says, None, law=c.law.number, clause=c.id) for c in clauses
        )
        self.clauses = clauses


class NotCorrected(NotScored):
    """A proven error may not be corrected any more; `clauses` say why."""


@functools.lru_cache(maxsize=64)
def _sheet_of(edition: Edition) -> Sheet:
    return Sheet(edition)


Told = dict[tuple[str, tuple[int, ...]], "int | None"]


def _by_key(edition: Edition, told: Mapping[str, Mapping[tuple[int, ...], int | None]]) -> Told:
    """Facts told by their keys, as the edition's own."""
    return {
        (fact.name, indices): value
        for fact in edition.facts.values()
        for indices, value in told.get(fact.key or "", {}).items()
    }


def facts_of(edition: Edition, deal: Deal) -> Told:
    """A deal in the edition's own facts. Raises LawbookError where the edition has no such denomination."""
    universe = edition.universe
    if not edition.facts:
        raise LawbookError(
            [Diagnostic("no-score", Severity.ERROR, f"{edition.id} does not say how a deal is scored", None)]
        )
    if deal.contract.denomination not in universe.letters:
        clause = edition.denominations_clause
        raise LawbookError(
            [
                Diagnostic(
                    "no-such-denomination",
                    Severity.ERROR,
                    f"{edition.id} has no denomination {deal.contract.denomination}",
                    None,
                    help=f"its denominations are {', '.join(universe.letters)}",
                    law=clause.law.number,
                    clause=clause.id,
                )
            ]
        )
    contract = universe.bid(deal.contract.level, universe.letters.index(deal.contract.denomination))
    told: dict[str, dict[tuple[int, ...], int | None]] = {
        "contract": {(): contract},
        "doubling": {(): deal.doubling},
        "declarer": {(): int(deal.declarer)},
        "dealer": {(): int(deal.dealer)},
        "tricks": {(): deal.tricks},
        "honours": {(int(seat),): number for seat, number in deal.honours.items()},
        "chicane": {(): sum(1 << int(seat) for seat in deal.chicane)},
        "revokes": {
            (int(side),): min(sum(1 for seat in deal.revokes if seat.side is side), TRICKS_IN_A_DEAL) for side in Side
        },
        "revokers": {(): sum(1 << int(seat) for seat in set(deal.revokes))},
        # A choice between two: points, or else tricks.
        "takes": {(): int(deal.takes_tricks)},
        "vulnerable": {(): sum(1 << int(side) for side in deal.vulnerable)},
    }
    return _by_key(edition, told)


def deal_under(edition: Edition, given: Mapping[str, object]) -> Deal:
    """A deal that somebody tells to have it scored under an edition. Raises LawbookError with what is wrong with it.

    What the edition's score does not turn on is refused: whoever tells honours expects points for them. A dealer every
    deal has, so that he may be told without need.
    """
    deal = Deal.of(given, signs_of(edition))
    known = {fact.key for fact in edition.facts.values()}
    told: dict[str, object] = {
        "honours": deal.honours,
        "chicane": deal.chicane,
        "revokes": deal.revokes,
        "takes": given.get("takes"),
        "vulnerable": deal.vulnerable,
    }
    problems = Collector()
    for key, value in told.items():
        # Without any facts there is no score, which is to be said instead.
        if value and known and key not in known:
            problems.error(
                "not-in-the-score",
                f"nothing in the score of {edition.id} turns on `{key}`",
                None,
                help=f"leave it out; the score turns on {listed([name for name in KEYS if name in known])}",
            )
    problems.raise_if_errors()
    return deal


def score_deal(edition: Edition, deal: Deal, sheet: Sheet | None = None) -> Score:
    """What a deal scores under an edition. Raises NotScored, or LawbookError where the edition cannot score it."""
    sheet = sheet or _sheet_of(edition)
    values = sheet.with_facts(sheet.start(int(deal.dealer)), facts_of(edition, deal), int(deal.dealer))
    result = sheet.deal(values)
    if result.refused:
        raise NotScored(result.refused)
    return Score(edition, result.lines)


@dataclass(frozen=True, slots=True)
class Entered:
    """A deal entered on a rubber's sheet: what it scored, and what entering it added."""

    deal: Deal
    score: Score
    added: tuple[Scored, ...]


class Rubber:
    """A rubber under one edition: deals are entered in order, and the sheet keeps games and totals.

    `sheet` is another that scores in the place of the edition's own, such as one that is looked at.
    """

    def __init__(self, edition: Edition, sheet: Sheet | None = None) -> None:
        self.edition = edition
        self._sheet = sheet or _sheet_of(edition)
        self._values: list[Values] = [self._sheet.start()]
        self._entered: list[Entered] = []

    def enter(self, deal: Deal) -> Entered:
        """Enter a deal. Raises NotScored (and enters nothing) where it is none to score, or the rubber is over."""
        values = self._sheet.with_facts(self._values[-1], facts_of(self.edition, deal), int(deal.dealer))
        result = self._sheet.deal(values)
        if result.refused:
            raise NotScored(result.refused)
        after, added = self._sheet.enter(values, result.lines)
        entered = Entered(deal, Score(self.edition, result.lines), added)
        self._values.append(after)
        self._entered.append(entered)
        return entered

    def correct(self, number: int, deal: Deal, *, agreed: bool = False) -> None:
        """Correct the deal of that number (the first is 1) for a proven error; `agreed` says that the score of the
        rubber has been made up and agreed upon.

        Raises NotCorrected where the laws say it is too late, LawbookError where there is no such deal or the edition
        says nothing of corrections. The sheet is then as it was.
        """
        if not 1 <= number <= len(self._entered):
            message = f"there is no deal {number} to correct; {len(self._entered)} have been entered"
            raise LawbookError([Diagnostic("no-such-deal", Severity.ERROR, message)])
        if not self._sheet.knows_corrections:
            message = f"no law of {self.edition.id} that is at hand says how errors in the score are corrected"
            raise LawbookError([Diagnostic("no-law-of-corrections", Severity.ERROR, message)])
        before, after = self._entered[number - 1].score, score_deal(self.edition, deal, self._sheet)
        for error, column in enumerate(("tricks", "honours")):
            if before.column(column) == after.column(column):
                continue
            told: dict[str, dict[tuple[int, ...], int | None]] = {
                "error": {(): error},
                "games_since": {(): min(self._games_from(number), 3)},
                "deals_since": {(): int(self._declared_since(number))},
                "agreed": {(): int(agreed)},
            }
            values = self._sheet.with_facts(self._values[-1], _by_key(self.edition, told), 0)
            if too_late := self._sheet.no_correction(values):
                raise NotCorrected(too_late)
        again = Rubber(self.edition, self._sheet)
        for place, entered in enumerate(self._entered, 1):
            again.enter(deal if place == number else entered.deal)
        self._values, self._entered = again._values, again._entered

    def _won_by(self, number: int) -> int:
        """How many games had been won when a deal had been entered."""
        return sum(self._remembered("games", number))

    def _games_from(self, number: int) -> int:
        return self._won_by(len(self._entered)) - self._won_by(number - 1)

    def _declared_since(self, number: int) -> bool:
        """Whether a deal has been entered after the one that won the game of this deal."""
        won = self._won_by(number - 1)
        after = [place for place in range(number, len(self._entered) + 1) if self._won_by(place) > won]
        return bool(after) and after[0] < len(self._entered)

    @property
    def deals(self) -> tuple[Entered, ...]:
        """The deals entered, in order."""
        return tuple(self._entered)

    @property
    def lines(self) -> tuple[Scored, ...]:
        """Every line of the sheet, in order."""
        return tuple(line for e in self._entered for line in (*e.score.lines, *e.added))

    def column(self, key: str) -> dict[Side, int]:
        """Each side's points in one column, by the column's key."""
        return Score(self.edition, self.lines).column(key)

    @property
    def totals(self) -> dict[Side, int]:
        """Each side's points in all columns."""
        return {side: sum(line.points for line in self.lines if line.side == side) for side in Side}

    @property
    def difference(self) -> int:
        """North-South's total less East-West's."""
        return self.totals[Side.NS] - self.totals[Side.EW]

    def _remembered(self, key: str, deals: int = -1) -> tuple[int, ...]:
        """What the sheet holds under a key after so many deals; nothing where the edition plays no rubbers."""
        register = next((r for r in self.edition.sheet.values() if r.key == key), None)
        if register is None:
            return ()
        return tuple(value or 0 for value in self._values[deals][register.slot : register.slot + register.size])

    def _of_sides(self, key: str) -> dict[Side, int]:
        return dict.fromkeys(Side, 0) | dict(zip(Side, self._remembered(key), strict=False))

    @property
    def games(self) -> dict[Side, int]:
        """The games each side has won."""
        return self._of_sides("games")

    @property
    def below(self) -> dict[Side, int]:
        """Each side's points towards the present game."""
        return self._of_sides("below")

    @property
    def is_over(self) -> bool:
        """Whether a side has won the rubber."""
        return any(self._remembered("over"))

    @property
    def winner(self) -> Side | None:
        """The side that has won the rubber, or None."""
        return max(Side, key=lambda side: self.games[side]) if self.is_over else None


def enter(rubber: Rubber, given: Mapping[str, object], *, strict: bool = False) -> None:
    """Enter one line of a rubber's file: a deal, or with `corrects` the correction of one, `agreed` if that is so.

    Raises LawbookError with everything that is wrong with the line; the rubber is then as it was. `strict`: what the
    score does not turn on is wrong, too.
    """
    told = {key: value for key, value in given.items() if key not in ("corrects", "agreed")}
    deal = deal_under(rubber.edition, told) if strict else Deal.of(told, signs_of(rubber.edition))
    if given.get("corrects") is None:
        rubber.enter(deal)
        return
    problems = Collector()
    number = number_told(problems, given["corrects"], "the deal to correct", MOST_DEALS)
    problems.raise_if_errors()
    rubber.correct(number, deal, agreed=given.get("agreed") in (True, "yes", "true"))


def read_rubber(edition: Edition, content: bytes, file: str) -> Rubber:
    """A rubber from JSON lines, a deal a line.

    Raises LawbookError with the line of everything that is wrong; nothing is scored then.
    """
    rubber = Rubber(edition)
    problems = Collector()
    lines = content.decode("utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        whole = Span(file, number, 1, number, len(line) + 1)
        try:
            given = json.loads(line, object_pairs_hook=keys_once)
        except KeyTwice as twice:
            problems.error("duplicate-key", f"line {number}: the key `{shorten(twice.key)}` is given twice", whole)
            continue
        except (ValueError, RecursionError) as error:
            column = getattr(error, "colno", 1)
            message = f"line {number} is not JSON: {getattr(error, 'msg', 'it is nested too deeply')}"
            problems.error("not-json", message, Span(file, number, column, number, column + 1))
            continue
        if not isinstance(given, dict):
            problems.error("not-a-deal", f"line {number} is not a deal, which is a JSON object", whole)
            continue
        try:
            enter(rubber, given, strict=True)
        except LawbookError as error:
            for found in error.diagnostics:
                message = f"line {number}: {found.message}"
                problems.add(replace(found, message=message, span=whole))
    problems.raise_if_errors()
    return rubber
