"""Rulings: an auction with what was ruled on every act, as a dictionary and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawbook import explain
from lawbook.auction import Auction, Happening, Remedy
from lawbook.edition.model import EVERY_REMEDY, Clause, Edition, Kind
from lawbook.language.types import Universe
from lawbook.machine.ruling import Verdict
from lawbook.report import SCHEMA
from lawbook.report.clauses import effects_of_choice, section_text
from lawbook.report.layout import Page
from lawbook.sentences import (
    SEATS,
    bid_words,
    capital,
    law_name,
    laws_named,
    listed,
    phrase,
    says_of,
    seat_code,
    seat_name,
)
from lawbook.values import Bid, Call, Side

# -- for other programs ------------------------------------------------------------------------------------------------


def rulings_json(auction: Auction, *, explained: bool = False) -> dict[str, object]:
    """An auction and the rulings on it, with the keys of `rule.schema.json`."""
    edition = auction.edition
    return {
        "schema": SCHEMA,
        "edition": edition.name,
        "edition_hash": edition.hash,
        "dealer": str(auction.dealer),
        "auction": auction.notation,
        **position_json(auction),
        "events": [event_json(auction, at, explained=explained) for at in range(len(auction.happenings))],
    }


def position_json(auction: Auction) -> dict[str, object]:
    """How an auction stands: status, turn, contract, bars, points, remedies and lawful calls."""
    contract, points = auction.contract, auction.points
    return {
        "status": auction.status,
        "turn": None if auction.turn is None else str(auction.turn),
        "contract": None
        if contract is None
        else {
            "level": contract.level,
            "denomination": contract.denomination,
            "doubling": contract.doubling,
            "declarer": str(contract.declarer),
            "dummy": str(contract.dummy),
        },
        "debarred": [str(seat) for seat in auction.debarred],
        "points": {str(side): points[side] for side in Side},
        "options": _options_json(auction),
        "legal_calls": [str(call) for call in auction.legal_calls],
    }


def _options_json(auction: Auction) -> list[dict[str, object]]:
    """The remedies; one that several rights about one call give alike is one remedy."""
    found: list[dict[str, object]] = []
    for option in auction.options:
        shape = option_json(auction.edition, option)
        if shape not in found:
            found.append(shape)
    return found


def event_json(auction: Auction, at: int, *, explained: bool = False) -> dict[str, object]:
    """One act of an auction (by its place among the happenings) and the ruling on it."""
    happening, edition = auction.happenings[at], auction.edition
    act, ruling = happening.act, happening.ruling
    found: dict[str, object] = {"seat": seat_code(act.seat), "act": act.name}
    if act.call is not None:
        found["call"] = str(act.call)
    if act.argument is not None:
        found["argument"] = act.argument
    found["verdict"] = ruling.verdict.value
    found["offences"] = [edition.offences[o].name for o in ruling.offences]
    if ruling.unpenalised:
        found["unpenalised"] = True
    if happening.of_itself:
        found["of_itself"] = True
    found["because"] = [clause_json(clause) for clause in happening.because]
    found["text"] = event_text(auction, at)
    if explained:
        found["defeated"] = [{**clause_json(d.clause), "by": d.by} for d in happening.defeated]
        found["needed"] = list(dict.fromkeys(need.wanted for need in explain.needs(auction, at)))
        found["conditions"] = [
            {**clause_json(c.clause), "condition": c.text, "holds": c.holds, "values": dict(c.values)}
            for c in explain.conditions(auction, at)
        ]
    return found


def clause_json(clause: Clause) -> dict[str, object]:
    """The law and the id of a clause."""
    return {"law": clause.law.number, "clause": clause.id}


def option_json(edition: Edition, option: Remedy) -> dict[str, object]:
    """A remedy that somebody may choose now."""
    return {
        "seat": str(option.seat),
        "act": option.act,
        "law": option.law,
        "clause": option.clause,
        "offence": option.offence.name,
        "offender": str(option.offender),
        "until": until_of(edition, option.option.remedy),
        "effects": list(effects_of_choice(option.option.clause, edition, option.act)),
        "text": option_text(edition, option),
    }


# -- sentences ---------------------------------------------------------------------------------------------------------


def until_of(edition: Edition, remedy: Clause, *, briefly: bool = False) -> str | None:
    """By what a right ends, in words: its own `until` and the lapses that touch it; None if nothing ends it.

    `briefly`: what ends every right alike is left out where something of its own ends it.
    """
    outlasts = frozenset() if remedy.remedy is None else remedy.remedy.outlasts
    own = [section_text(remedy, edition, "until")]
    general: list[str | None] = []
    for lapse in edition.clauses:
        if lapse.kind is Kind.LAPSE and lapse.id not in outlasts and {remedy.id, EVERY_REMEDY} & set(lapse.targets):
            found = own if remedy.id in lapse.targets else general
            found.extend((section_text(lapse, edition, "when"), section_text(lapse, edition, "once")))
    ends = own if briefly and any(own) else own + general
    return " or ".join(dict.fromkeys(text for text in ends if text)) or None


def option_text(edition: Edition, option: Remedy) -> str:
    """What somebody may choose, for which offence and by which law, in one sentence."""
    act = edition.acts[option.act]
    return (
        f"{seat_name(option.seat)} {act.says} by {law_name(option.law)} ({SEATS[option.offender]}: "
        f"{option.offence.phrase}): {says_of(option.option.clause)}."
    )


def event_text(auction: Auction, at: int) -> str:
    """One act and the ruling on it in one sentence."""
    happening = auction.happenings[at]
    what = phrase(auction.edition, happening.act)
    what = what if happening.of_itself else capital(what)
    because = happening.because
    says = "; ".join(dict.fromkeys(says_of(c) for c in because))
    match happening.verdict:
        case Verdict.LEGAL if happening.of_itself:
            return f"Of itself {what}, by {laws_named(because)}: {says}."
        case Verdict.LEGAL:
            return f"{what} by {laws_named(because)}: {says}." if because else f"{what}."
        case Verdict.IRREGULAR:
            names = listed([auction.edition.offences[o].phrase for o in happening.ruling.offences])
            tail = "; nothing is laid down for it" if happening.ruling.unpenalised else ""
            return f"{what} against {laws_named(because)} ({names}): {says}{tail}."
        case Verdict.REFUSED:
            by = f" ({laws_named(because)})" if because else ""
            return f"{what}, and is refused{by}: {explain.reason(auction, at)}."


# -- for a reader ------------------------------------------------------------------------------------------------------


def rulings_text(auction: Auction, page: Page, *, explained: bool = False) -> Iterator[str]:
    """An auction and the rulings on it, one block an act, then how it stands."""
    edition = auction.edition
    yield page.paint(edition.name, "bold")
    yield from page.wrap(f"{edition.heading}; dealer {seat_name(auction.dealer)}", 2)
    yield ""
    for at, happening in enumerate(auction.happenings):
        yield from _event_lines(auction, at, happening, page, explained)
    if auction.happenings:
        yield page.rule()
    yield from position_text(auction, page)


def _event_lines(auction: Auction, at: int, happening: Happening, page: Page, explained: bool) -> Iterator[str]:
    edition = auction.edition
    number = f"{at + 1:>2}. "
    what = capital(phrase(edition, happening.act)) + (" (of itself)" if happening.of_itself else "")
    cited = "; ".join(f"{law_name(c.law.number)}, {c.id}" for c in happening.because)
    yield number + page.paint(what, "bold")
    verdict = happening.verdict.value
    for line in page.wrap(f"{verdict}  {cited}", 4, 6 + len(verdict)):
        yield line.replace(verdict, page.verdict(verdict), 1)
    if happening.ruling.offences:
        names = listed([edition.offences[o].phrase for o in happening.ruling.offences])
        yield from page.wrap(names + (", unpenalised" if happening.ruling.unpenalised else ""), 4, 4)
    yield from page.wrap(_explanation(auction, at), 4, 4)
    if explained:
        yield from _explained_lines(auction, at, page)
    yield ""


def _explanation(auction: Auction, at: int) -> str:
    """Why, as a sentence of its own."""
    happening = auction.happenings[at]
    if happening.verdict is Verdict.REFUSED:
        text = explain.reason(auction, at)
        return f"{capital(text)}."
    return " ".join(dict.fromkeys(c.says for c in happening.because))


def _explained_lines(auction: Auction, at: int, page: Page) -> Iterator[str]:
    answers = {True: "yes", False: "no ", None: "not asked"}
    several = len({c.clause.id for c in explain.conditions(auction, at)}) > 1
    for condition in explain.conditions(auction, at):
        values = ", ".join(f"{name} {value}" for name, value in condition.values)
        head = f"{answers[condition.holds]}  {condition.text}"
        text = head + (f"  [{values}]" if values else "") + (f"  ({condition.clause.id})" if several else "")
        yield from page.wrap(text, 6, 11)
    for need in dict.fromkeys(n.wanted for n in explain.needs(auction, at)):
        yield from page.wrap(f"needed  {need}", 6, 14)
    for defeated in auction.happenings[at].defeated:
        by = "its own `unless`" if defeated.by == defeated.clause.id else defeated.by
        yield from page.wrap(f"set aside  {law_name(defeated.clause.law.number)}, {defeated.clause.id}, by {by}", 6, 17)


def position_text(auction: Auction, page: Page) -> Iterator[str]:
    """How an auction stands, one line a question."""
    edition = auction.edition
    points = auction.points
    yield from page.entry("status", auction.status.replace("-", " "))
    if auction.contract is not None:
        contract = auction.contract
        doubled = ("", ", doubled", ", redoubled")[contract.doubling]
        named = bid_words(edition, Bid(contract.level, contract.denomination))
        yield from page.entry(
            "contract", f"{named}{doubled}; {SEATS[contract.declarer]} declares, {SEATS[contract.dummy]} is dummy"
        )
    if auction.turn is not None:
        yield from page.entry("turn", SEATS[auction.turn])
    if auction.debarred:
        yield from page.entry("debarred", listed([SEATS[s] for s in auction.debarred]))
    if any(points.values()):
        yield from page.entry("points", ", ".join(f"{side} {points[side]}" for side in Side))
    for place, line in enumerate(options_lines(edition, auction.options) or ["none"]):
        yield from page.entry("" if place else "options", line)
    if auction.turn is not None:
        yield from page.entry("lawful", ", ".join(compact_calls(auction.legal_calls, edition.universe)) or "nothing")


def options_lines(edition: Edition, options: Iterable[Remedy]) -> list[str]:
    """Remedies for a reader: who may choose what, for whose offence, by which law, until when."""
    grouped: dict[tuple[str, str, str, str], list[Remedy]] = {}
    for option in options:
        key = (option.act, option.clause, option.offence.name, str(option.offender))
        grouped.setdefault(key, []).append(option)
    lines = []
    for same in grouped.values():
        first = same[0]
        until = until_of(edition, first.option.remedy, briefly=True)
        who = listed(list(dict.fromkeys(SEATS[o.seat] for o in same)), "or")
        lines.append(
            f"{first.act}: {who}, by {law_name(first.law)}, {first.clause} "
            f"({SEATS[first.offender]}: {first.offence.phrase})" + (f", until {until}" if until else "")
        )
    return lines


def compact_calls(calls: Iterable[Call], universe: Universe) -> list[str]:
    """Calls in short: consecutive bids of one denomination as a range.

    >>> from lawbook.auction import load
    >>> compact_calls([Call.parse(c) for c in "P 1S 2S 7H".split()], load("whist-club-1912").universe)
    ['P', '1S-2S', '7H']
    """
    found = list(calls)
    short = [str(c) for c in found if not isinstance(c, Bid)]
    for letter in universe.letters:
        levels = sorted(c.level for c in found if isinstance(c, Bid) and c.denomination == letter)
        runs: list[list[int]] = []
        for level in levels:
            if runs and runs[-1][-1] == level - 1:
                runs[-1].append(level)
            else:
                runs.append([level])
        short.extend(f"{run[0]}{letter}" if len(run) == 1 else f"{run[0]}{letter}-{run[-1]}{letter}" for run in runs)
    return short
