"""What is chosen takes effect: a program for each choice under each right against each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawbook.edition.model import StandAs, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.state import HeldCall, State, other_acts
from lawbook.machine.swift.acts import Changed
from lawbook.machine.swift.clauses import Act
from lawbook.machine.swift.folding import Known
from lawbook.machine.swift.holding import NO_RIGHTS
from lawbook.machine.swift.open_rights import Offer

if TYPE_CHECKING:
    from lawbook.machine.swift.programs import Outcome, Swift


class Chosen:
    """What happens when somebody chooses under one or more rights against one call."""

    def __init__(self, swift: Swift, event: Event, about: HeldCall, offers: tuple[Offer, ...]) -> None:
        self._swift = swift
        self._caller = about.caller
        clauses = swift.clauses
        bound = {
            **clauses.bound_of_right(about.caller, about.call, offers[0].right),
            "holder": event.seat,
            "caller": event.seat,
        }
        act = Act(event.name, bound)
        self._made = swift.acts.made(Step.MADE, act)
        self._touching = swift.holding.touching(Step.MADE, act)
        self._choices: list[tuple[Offer, Known]] = [
            (offer, {**bound, **clauses.bound_of_right(about.caller, about.call, offer.right)}) for offer in offers
        ]
        choices = [(offer.choice, known) for offer, known in self._choices]
        self._puts_back = any(choice.puts_back for choice, _ in choices)
        self._replaces = any(isinstance(e, StandAs) for choice, _ in choices for e in choice.effects)
        self._used = {(offer.right.offence, offer.right.remedy) for offer in offers}
        self._instead = swift.acts.instead(choices)
        self._takes_effect: dict[int | None, Changed] = {}

    def outcome(self, state: State, at: int) -> Outcome | None:
        """What the choice leads to where the call it is about is held at a place; None to decline."""
        swift = self._swift
        values = state.values
        touched = self._touching(state.held, values)
        if touched is None:
            return None
        held, fired, added = touched
        about = held[at]
        if self._puts_back:
            if about.before is None or (swift.taking_back_offends and at + 1 < len(held)):
                return None
            added += swift.taken_back(held[at + 1 :], self._caller, values)
        found = self._made(values, fired, added)
        if found is None:
            return None
        _, offences, after, _, _ = found
        outlasts = swift.machine.rights.outlasts_choice
        remaining = frozenset(r for r in about.rights if (r.offence, r.remedy) not in self._used and outlasts(r))
        # A call that stands as another is held on, for an edition may have its caller say what it shall be.
        if self._puts_back and not self._replaces:
            left = swift.holding.bare(about, remaining)
        else:
            left = HeldCall(about.caller, about.call, about.before, remaining, about.is_call)
        later = held[at + 1 :]
        if self._puts_back:
            assert about.before is not None
            after = swift.put_back(about.before, after)
            later = other_acts(later)
        after = self._effect(after)
        if after is None:
            return None
        verdict = Verdict.IRREGULAR if offences else Verdict.LEGAL
        return swift.finish(state, verdict, offences, after, (*held[:at], left, *later), NO_RIGHTS)

    def _effect(self, values: Values) -> Values | list[int | None] | None:
        """The values after what is chosen has taken effect; None where calls differ that are to stand."""
        call: int | None = None
        if self._instead is not None:
            calls = self._instead(values)
            if len(calls) > 1:
                return None
            (call,) = calls
        function = self._takes_effect.get(call)
        if function is None:
            choices = [(offer.choice, known) for offer, known in self._choices]
            function = self._takes_effect[call] = self._swift.acts.chosen(choices, self._caller, call)
        return function(values)
