"""Explanations: a ruling looked at again, thoroughly and only on request.

The machine says what it ruled and by which clauses. Here the conditions of those clauses are evaluated once more, one
by one, on the state before the act, and for what was refused is found what would have had to be true.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawbook.auction import Auction, Happening, machine_of
from lawbook.edition.model import EVERY_CALL, EVERY_REMEDY, Clause, Edition, Kind, PutBack, Step
from lawbook.inspection import leaf_nodes, parts_of, truth_of
from lawbook.language import core
from lawbook.machine.evaluate import Bound, Evaluator, Values, members
from lawbook.machine.machine import LACKING
from lawbook.machine.reading import Instance
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.state import HeldCall, Right, State, merged, slots_of
from lawbook.records import dataclass
from lawbook.sentences import SEATS, law_name, listed, past, says_of
from lawbook.values import Bid, Call, Seat


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a clause as it was found: whether it holds (None: not asked, for another decided before it),
    and the value of each part of it."""

    clause: Clause
    text: str
    holds: bool | None
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Need:
    """Why something could not be done: how it is, and what would have had to be true."""

    fact: str
    wanted: str


def before(auction: Auction, at: int) -> State:
    """The state in which the act number `at` (from 0) was done."""
    happenings = auction.happenings
    return machine_of(auction.edition).start(auction.dealer) if at == 0 else happenings[at - 1].ruling.state


# -- what would have had to be true ------------------------------------------------------------------------------------


def needs(auction: Auction, at: int) -> tuple[Need, ...]:
    """Why the act number `at` was refused; nothing if it was not."""
    happening = auction.happenings[at]
    if happening.verdict is not Verdict.REFUSED:
        return ()
    edition, event = auction.edition, happening.ruling.event
    if event.name == LACKING:
        return (_lacking(edition, happening),)
    refusals = [clause for clause in happening.because if clause.kind is Kind.REFUSAL]
    if refusals:
        bound = machine_of(edition).reader.bound(event)
        values = before(auction, at).values
        return tuple(Need(says_of(c), _otherwise(edition, c, c.condition, values, bound)) for c in refusals)
    act = edition.acts.get(event.name)
    chooses = act is not None and act.chooses
    found = tuple(_needs_of_choice(auction, at) if chooses else _needs_of_act(auction, at))
    # What a law attaches to the attempt says best why it failed.
    attempts = [c for c in happening.because if c.trigger is not None and c.trigger.step is Step.REFUSED]
    facts = "; ".join(says_of(c) for c in attempts)
    if attempts and found:
        return tuple(Need(facts, need.wanted) for need in found)
    nothing = Need("no law of the code gives it here", "a law of the code would have to give it here")
    return found or (Need(facts or nothing.fact, nothing.wanted),)


def _lacking(edition: Edition, happening: Happening) -> Need:
    # A bid that is made, or one that an act names, as a correction does.
    call = happening.act.call or Call.parse(happening.act.argument or "")
    letter = call.denomination if isinstance(call, Bid) else ""
    name = next((n for n, known in edition.letters_known.items() if known == letter), letter)
    law = law_name(edition.denominations_clause.law.number)
    return Need(
        f"the code knows no {name}",
        f"{name} would have to be among the denominations of {law} ({edition.denominations_clause.id})",
    )


def _needs_of_choice(auction: Auction, at: int) -> Iterator[Need]:
    """For a remedy demanded in vain: no such right open, not this player's, or its conditions not met."""
    happening = auction.happenings[at]
    state, event = before(auction, at), happening.ruling.event
    closed: list[Clause] = []
    choosers = machine_of(auction.edition).reader.choosers.get(event.name, [])
    for clause in [c for c in happening.because if c in choosers] or choosers:
        rights = [(held, right) for held in state.held for right in held.rights if _is_about(clause, right)]
        if not rights:
            closed.append(clause)
        for held, right in rights:
            yield from _needs_of_right(auction, state, event, clause, held, right)
    if closed:
        what = listed(list(dict.fromkeys(_right_named(auction.edition, c) for c in closed)), "or")
        ended = _ended(auction, at, closed)
        yield Need(
            "no right to it is open" if ended is None else f"the right ended {ended}",
            f"a right under {what} would have to be open; {'none is' if ended is None else f'it ended {ended}'}",
        )


def _is_about(clause: Clause, right: Right) -> bool:
    if clause.kind is Kind.WAIVER:
        return right.remedy in clause.targets or EVERY_REMEDY in clause.targets
    return right.remedy == clause.id


def _right_named(edition: Edition, clause: Clause) -> str:
    if clause.remedy is None:
        return f"{law_name(clause.law.number)} (any remedy)"
    offences = listed([edition.offences[o].phrase for o in sorted(clause.remedy.offences)], "or")
    return f"{law_name(clause.law.number)} ({offences})"


def _needs_of_right(
    auction: Auction, state: State, event: Event, clause: Clause, held: HeldCall, right: Right
) -> Iterator[Need]:
    reader = machine_of(auction.edition).reader
    bound = reader.bound_of_right(held, right)
    holders = [Seat(s) for s in members(reader.holders(right, state.values, bound))]
    if event.seat not in holders:
        who = listed([f"{SEATS[h]}'s" for h in holders]) or "nobody's"
        yield Need(
            f"the right is {who}",
            f"{SEATS[Seat(event.seat or 0)]} would have to hold the right under "
            f"{_right_named(auction.edition, clause)}; it is {who}",
        )
        return
    inside = {**bound, "holder": event.seat}
    for one in dict.fromkeys((auction.edition.by_id[right.remedy], clause)):
        yield from _failing(auction.edition, one, state.values, inside)
    remedy = auction.edition.by_id[right.remedy]
    for exception in reader.exceptions_to(remedy):
        if reader.holds(exception, state.values, inside):
            wanted = _otherwise(auction.edition, exception, exception.condition, state.values, inside)
            yield Need(says_of(exception), wanted)


def _needs_of_act(auction: Auction, at: int) -> Iterator[Need]:
    """For an act that is neither a call nor a remedy: the conditions of the clauses that would have allowed it."""
    happening = auction.happenings[at]
    state = before(auction, at)
    bound = machine_of(auction.edition).reader.bound(happening.ruling.event)
    for clause in happening.ruling.lacking:
        yield from _failing(auction.edition, clause, state.values, bound)


def _failing(edition: Edition, clause: Clause, values: Values, bound: Bound) -> Iterator[Need]:
    evaluator = machine_of(edition).evaluator
    for text in _false_parts(clause.condition, evaluator, values, bound):
        yield Need(f"it is not so that {text}", f"it would have to hold that {text} ({_cited(clause)})")
    if clause.unless is not None and truth_of(clause.unless, evaluator, values, bound):
        yield Need(
            _true_part(clause.unless, evaluator, values, bound),
            _otherwise(edition, clause, clause.unless, values, bound),
        )


def _false_parts(node: core.Truth, evaluator: Evaluator, values: Values, bound: Bound) -> Iterator[str]:
    """The smallest parts of a condition that do not hold, each as a phrase."""
    match node:
        case core.Leaf(_, text):
            if truth_of(node, evaluator, values, bound) is False:
                yield text
        case core.All(parts):
            for part in parts:
                yield from _false_parts(part, evaluator, values, bound)
        case core.AnyOf(parts):
            if truth_of(node, evaluator, values, bound) is False:
                yield listed([_plain(part) for part in parts], "or")
        case core.Not(inner):
            if truth_of(inner, evaluator, values, bound):
                yield f"not: {_plain(inner)}"
        case _:
            return


def _plain(node: core.Truth) -> str:
    match node:
        case core.Leaf(_, text):
            return text
        case core.All(parts):
            return listed([_plain(p) for p in parts])
        case core.AnyOf(parts):
            return listed([_plain(p) for p in parts], "or")
        case core.Not(inner):
            return f"not: {_plain(inner)}"
        case _:
            return "it is so"


def _true_part(node: core.Truth, evaluator: Evaluator, values: Values, bound: Bound) -> str:
    """A condition that holds, as a phrase; of alternatives only those that hold."""
    match node:
        case core.AnyOf(parts):
            true = [part for part in parts if truth_of(part, evaluator, values, bound)]
            return listed([_true_part(part, evaluator, values, bound) for part in true])
        case core.All(parts):
            return listed([_true_part(part, evaluator, values, bound) for part in parts])
        case _:
            return _plain(node)


def _otherwise(edition: Edition, clause: Clause, condition: core.Truth, values: Values, bound: Bound) -> str:
    """What would have had to be otherwise: a condition that holds and should not."""
    text = _true_part(condition, machine_of(edition).evaluator, values, bound)
    if not text:
        return f"{law_name(clause.law.number)} ({clause.id}) would have to be another"
    return f"it would have to be otherwise than that {text} ({_cited(clause)})"


def _cited(clause: Clause) -> str:
    return f"{law_name(clause.law.number)}, {clause.id}"


def _ended(auction: Auction, at: int, clauses: list[Clause]) -> str | None:
    """When the right to one of these remedies ended: by which act before the one numbered `at`; None if never open."""
    wanted = {clause.id for clause in clauses}
    for happening in reversed(auction.happenings[:at]):
        lost = {right.remedy for _, right, _ in happening.ruling.lapsed}
        if happening.ruling.chosen is not None:
            lost.add(happening.ruling.chosen.remedy.id)
        if lost & wanted:
            return past(auction.edition, happening.act)
    return None


# -- conditions one by one ---------------------------------------------------------------------------------------------


def conditions(auction: Auction, at: int) -> tuple[Condition, ...]:
    """Every condition of the clauses that the ruling on act number `at` rests on, with what was found."""
    happening = auction.happenings[at]
    found: list[Condition] = []
    evaluator = machine_of(auction.edition).evaluator
    for clause in happening.because:
        placed = _placed(auction, at, clause)
        if placed is not None:
            found.extend(conditions_of(clause, auction.edition, evaluator, *placed))
    return tuple(found)


def conditions_of(
    clause: Clause, edition: Edition, evaluator: Evaluator, values: Values, bound: Bound
) -> Iterator[Condition]:
    """Every condition of a clause, its `unless` included, as it was found with these values and names."""
    for truth in (clause.condition, *(() if clause.unless is None else (clause.unless,))):
        for leaf in leaf_nodes(truth):
            holds = truth_of(leaf, evaluator, values, bound)
            parts = () if holds is None else tuple(parts_of(leaf.of, edition, evaluator, values, bound))
            yield Condition(clause, leaf.text, holds, tuple(dict(parts).items()))


def _placed(auction: Auction, at: int, clause: Clause) -> tuple[Values, Bound] | None:
    """The values and names a clause was read with for an act; None where what it read is no longer to be had."""
    happening = auction.happenings[at]
    state, event = before(auction, at), happening.ruling.event
    reader = machine_of(auction.edition).reader
    chosen = happening.ruling.chosen
    if chosen is not None:
        held = state.held[chosen.held]
        values = state.values
        if chosen.choice.puts_back and held.before is not None:
            values = merged(held.before, values, slots_of(auction.edition, frozenset({PutBack.ALWAYS})))
        return values, {**reader.bound_of_right(held, chosen.right), "holder": event.seat}
    if happening.of_itself:
        return state.values, {}
    if clause.remedy is not None or clause.kind is Kind.WAIVER:
        return None
    if clause.trigger is None or clause.trigger.step not in (Step.BEFORE, Step.MADE):
        return None
    if event.name not in clause.trigger.acts:
        return _corrected(auction, at, clause)
    bound: Bound = reader.bound(event)
    values, open_calls = state.values, state.held
    if event.name in EVERY_CALL and clause.trigger.step is Step.MADE:
        found = machine_of(auction.edition).preceded(state, event)
        values, open_calls = found.values, found.held
    if clause.each_right:
        first: Instance | None = next(reader.instances(clause, open_calls, values, bound), None)
        return None if first is None else (values, first.bound)
    return values, bound


def _corrected(auction: Auction, at: int, clause: Clause) -> tuple[Values, Bound] | None:
    """How a clause was read for the call that a correction put in the place of another."""
    happening = auction.happenings[at]
    state, event = before(auction, at), happening.ruling.event
    reader = machine_of(auction.edition).reader
    held = next((h for h in reversed(state.held) if h.caller == event.seat and h.before is not None), None)
    if held is None or held.before is None or event.argument is None:
        return None
    kinds = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})
    values = merged(held.before, state.values, slots_of(auction.edition, kinds))
    bound = reader.bound(Event(event.seat, reader.kind_of(event.argument), event.argument))
    # What the correction itself changed is not seen here, so a clause that does not hold here was read otherwise.
    return (values, bound) if truth_of(clause.condition, reader.evaluator, values, bound) else None


def reason(auction: Auction, at: int) -> str:
    """Why the act number `at` was refused, in one clause of a sentence."""
    found = needs(auction, at)
    return listed(list(dict.fromkeys(need.fact for need in found)))
