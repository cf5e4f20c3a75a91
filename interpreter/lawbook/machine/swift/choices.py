"""What is chosen takes effect: a program for each choice under each right against each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from lawbook.edition.model import StandAs, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event, Option, Outcome, Program, Verdict
from lawbook.machine.state import HeldCall, Right, State, other_acts
from lawbook.machine.swift.acts import Changed
from lawbook.machine.swift.clauses import Act
from lawbook.machine.swift.holding import NO_RIGHTS
from lawbook.machine.swift.open_rights import Offer
from lawbook.machine.swift.parts import Parts
from lawbook.machine.swift.text import Known

Meaning: TypeAlias = "Callable[[State], tuple[int, tuple[Offer, ...]] | None]"
"""Where the call is held that a choice is about, and what it is under the rights against it; None where there is no
such choice."""


class Settling(NamedTuple):
    """What one choice settles: the offence by number, whether the oldest that is open comes first, and whether it
    outlasts the choice of something else."""

    offence: int
    oldest_first: bool
    outlasts: bool


class Chosen:
    """What happens when somebody chooses under one or more rights against one call."""

    def __init__(self, parts: Parts, event: Event, about: HeldCall, offers: tuple[Offer, ...]) -> None:
        self._parts = parts
        self._caller = about.caller
        clauses = parts.clauses
        bound = {
            **clauses.bound_of_right(about.caller, about.call, offers[0].right),
            "holder": event.seat,
            "caller": event.seat,
        }
        act = Act(event.name, bound)
        self._made = parts.acts.made(Step.MADE, act)
        self._touching = parts.holding.touching(Step.MADE, act)
        self._choices: list[tuple[Offer, Known]] = [
            (offer, {**bound, **clauses.bound_of_right(about.caller, about.call, offer.right)}) for offer in offers
        ]
        choices = [(offer.choice, known) for offer, known in self._choices]
        self._puts_back = any(offer.puts_back for offer in offers)
        self._replaces = any(isinstance(e, StandAs) for choice, _ in choices for e in choice.effects)
        self._used = {(offer.right.offence, offer.right.remedy) for offer in offers}
        self._instead = parts.acts.instead(choices)
        self._takes_effect: dict[int | None, Changed] = {}

    def outcome(self, state: State, at: int) -> Outcome | None:
        """What the choice leads to where the call it is about is held at a place; None to decline."""
        parts = self._parts
        values = state.values
        touched = self._touching(state.held, values)
        if touched is None:
            return None
        held, fired, added = touched
        about = held[at]
        if self._puts_back:
            if about.before is None or (parts.taking_back_offends and at + 1 < len(held)):
                return None
            added += parts.taken_back(held[at + 1 :], self._caller, values)
        found = self._made(values, fired, added)
        if found is None:
            return None
        _, offences, after, _, _ = found
        outlasts = parts.machine.rights.outlasts_choice
        remaining = frozenset(r for r in about.rights if (r.offence, r.remedy) not in self._used and outlasts(r))
        # A call that stands as another is held on, for an edition may have its caller say what it shall be.
        if self._puts_back and not self._replaces:
            left = parts.holding.bare(about, remaining)
        else:
            left = HeldCall(about.caller, about.call, about.before, remaining, about.is_call)
        later = held[at + 1 :]
        back: Values | None = None
        if self._puts_back:
            assert about.before is not None
            after = back = parts.put_back(about.before, after)
            later = other_acts(later)
        try:
            after = self._effect(after)
        except TypeError:
            # A value is asked for that is not there any more, which the machine has words for.
            return None
        if after is None:
            return None
        verdict = Verdict.IRREGULAR if offences else Verdict.LEGAL
        return parts.finish(state, verdict, offences, after, (*held[:at], left, *later), NO_RIGHTS, back)

    def _effect(self, values: Values) -> Values | list[int | None] | None:
        """The values after what is chosen has taken effect; None where calls differ that are to stand, or there is
        none."""
        call: int | None = None
        if self._instead is not None:
            calls = self._instead(values)
            if len(calls) > 1 or None in calls:
                return None
            (call,) = calls
        function = self._takes_effect.get(call)
        if function is None:
            choices = [(offer.choice, known) for offer, known in self._choices]
            function = self._takes_effect[call] = self._parts.acts.chosen(choices, self._caller, call)
        return function(values)


class Choices:
    """Makes the programs for choices, and lists what may be chosen."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._meanings: dict[Event, Meaning] = {}
        self._acts_of: dict[frozenset[Right], frozenset[str]] = {}
        self._listed: dict[tuple[int, int | None, frozenset[Right], int], tuple[tuple[Offer, Option], ...]] = {}

    def program(self, event: Event, refused: Program) -> Program:
        """The program for a choice by somebody."""
        parts, meaning = self._parts, self.meaning(event)
        refuses = parts.acts.refuses(event)
        chosen: dict[tuple[Offer, ...], Chosen] = {}

        def program(state: State) -> Outcome:
            if refuses is not None and refuses(state.values):
                return refused(state)
            found = meaning(state)
            if found is None:
                return refused(state)
            at, meant = found
            one = chosen.get(meant)
            if one is None:
                one = chosen[meant] = Chosen(parts, event, state.held[at], meant)
            return one.outcome(state, at) or parts.by_machine(state, event)

        return program

    def meaning(self, event: Event) -> Meaning:
        """A function that tells what a choice by somebody means, where nothing refuses it."""
        found = self._meanings.get(event)
        if found is None:
            found = self._meanings[event] = self._meaning(event)
        return found

    def _meaning(self, event: Event) -> Meaning:
        options_in = self._options_in(event)

        def meaning(state: State) -> tuple[int, tuple[Offer, ...]] | None:
            options = options_in(state)
            return self._meant(options) if options else None

        return meaning

    def _options_in(self, event: Event) -> Callable[[State], list[tuple[int, Offer]]]:
        """A function that lists what a choice by somebody could mean, the newest call's first, with where it is
        held."""
        name, acts, put_back = event.name, self._acts_of, self._parts.put_back
        known: dict[tuple[int, int | None, frozenset[Right]], tuple[Offer, ...]] = {}

        def options_in(state: State) -> list[tuple[int, Offer]]:
            values, held = state
            options: list[tuple[int, Offer]] = []
            for at in range(len(held) - 1, -1, -1):
                caller, call, before, rights, _ = held[at]
                if not rights or name not in (acts.get(rights) or self._acts_for(rights)):
                    continue
                offers = known.get((caller, call, rights))
                if offers is None:
                    offers = known[caller, call, rights] = self._offered(event, caller, call, rights)
                for offer in offers:
                    if offer.holds is None or offer.holds(values):
                        asked = values
                        if offer.puts_back:
                            if before is None:
                                continue
                            asked = put_back(before, values)
                        if offer.may is None or offer.may(asked):
                            options.append((at, offer))
            return options

        return options_in

    def _offered(self, event: Event, caller: int, call: int | None, rights: frozenset[Right]) -> tuple[Offer, ...]:
        """What a choice by somebody could mean under the rights against one call, in the order it is listed in."""
        return tuple(
            offer
            for right in sorted(rights)
            for offer in self._parts.rights.offers(caller, call, right)
            if offer.seat == event.seat and offer.choice.act == event.name
        )

    def settling(self, event: Event, about: HeldCall) -> tuple[Settling, ...]:
        """What is settled by a choice under the rights against one call, in the order it is listed in."""
        found: list[Settling] = []
        for offer in self._offered(event, about.caller, about.call, about.rights):
            _, remedy = self._parts.machine.reader.remedy_of(offer.right)
            outlasts = self._parts.machine.rights.outlasts_choice(offer.right)
            found.append(Settling(offer.right.offence, remedy.oldest_first, outlasts))
        return tuple(found)

    def settled(self, event: Event, state: State, at: int, last: bool) -> Outcome | None:
        """What a choice leads to if it is about the call held at a place, as it would be if nothing else were open; if
        it is to be the `last` that it could mean, that alone. None where it cannot be told, or it is no choice."""
        values, held = state
        alone = State(values, (held[at],))
        options = self._options_in(event)(alone)
        if not options:
            return None
        meant = (options[-1][1],) if last else self._meant(options)[1]
        return Chosen(self._parts, event, held[at], meant).outcome(state, at)

    def _meant(self, options: list[tuple[int, Offer]]) -> tuple[int, tuple[Offer, ...]]:
        """The options that one act means, all against one call: see `Machine`."""
        at, first = options[0]
        if len(options) == 1:
            return at, (first,)
        _, remedy = self._parts.machine.reader.remedy_of(first.right)
        if remedy.oldest_first:
            at, last = options[-1]
            return at, (last,)
        meant = [offer for place, offer in options if place == at]
        outlasts = self._parts.machine.rights.outlasts_choice
        return at, tuple(offer for offer in meant if not outlasts(offer.right)) or tuple(meant)

    def _acts_for(self, rights: frozenset[Right]) -> frozenset[str]:
        """The acts that some rights could be used by, whoever holds them."""
        found: set[str] = set()
        for right in rights:
            clause, remedy = self._parts.machine.reader.remedy_of(right)
            waivers = self._parts.machine.rights.waivers_of(clause)
            found.update(
                choice.act for choices in (remedy.choices, *(w.choices for w in waivers)) for choice in choices
            )
        self._acts_of[rights] = frozenset(found)
        return self._acts_of[rights]

    def options(self, state: State) -> tuple[Option, ...]:
        """The remedies that somebody may choose, the newest call's first, as the machine lists them."""
        values, held = state
        found: list[Option] = []
        for at in range(len(held) - 1, -1, -1):
            caller, call, before, rights, _ = held[at]
            if not rights:
                continue
            key = (caller, call, rights, at)
            back: Values | None = None
            for offer, option in self._listed.get(key) or self._list(key):
                if offer.holds is None or offer.holds(values):
                    asked = values
                    if offer.puts_back:
                        if before is None:
                            continue
                        if back is None:
                            back = self._parts.put_back(before, values)
                        asked = back
                    if offer.may is None or offer.may(asked):
                        found.append(option)
        return tuple(found)

    def _list(self, key: tuple[int, int | None, frozenset[Right], int]) -> tuple[tuple[Offer, Option], ...]:
        """What rights against a call that is held at a place offer, each as it would be listed."""
        caller, call, rights, at = key
        found = []
        for right in sorted(rights):
            clause, _ = self._parts.machine.reader.remedy_of(right)
            for offer in self._parts.rights.offers(caller, call, right):
                option = Option(offer.seat, offer.choice, offer.clause, clause, right.offence, caller, at, right)
                found.append((offer, option))
        self._listed[key] = tuple(found)
        return self._listed[key]
