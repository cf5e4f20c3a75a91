"""Examples run: the auction is played or the deals entered, and what comes of it held against what was said.

An example is run on an edition's own machine, or on another that is looked at or altered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawbook.auction import Contract, Remedy
from lawbook.diagnostics import Diagnostic, Label, Severity
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.examples.reading import Example, ScoredExample, Shown
from lawbook.history import Happening, History
from lawbook.loading import call_number, calls_of, load, machine_of, read_auction
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.sheet import Sheet
from lawbook.notation import ALL_PASS
from lawbook.scoring import NotScored, Rubber, enter
from lawbook.values import PASS, Act, Call, Seat, Side

# Passes that `AP` stands for at most.
_MOST_PASSES: Final = 4


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that is not as an example says."""

    key: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """An example run under one edition: what differs (nothing, if it passes), or why it could not be run.

    `own` is what came of it under the edition that was asked for, where that takes other readings than the example
    speaks of and the example does not hold under them.
    """

    example: Shown
    edition: str
    mismatches: tuple[Mismatch, ...]
    error: LawbookError | None = None
    own: Outcome | None = None

    @property
    def passed(self) -> bool:
        """Whether everything is as the example says."""
        return not self.mismatches and self.error is None

    @property
    def inherited(self) -> bool:
        """Whether the example is of a code that the edition is based on."""
        return self.example.of != self.edition.split("@")[0]


class Trial:
    """An auction played by one machine, and what can be asked of it."""

    def __init__(self, edition: Edition, dealer: str = "N", machine: Machine | None = None) -> None:
        self.edition = edition
        self._machine = machine or machine_of(edition)
        self._history = History(edition, Seat.parse(dealer), self._machine)

    def play(self, notation: str) -> None:
        """Play an auction in notation. Raises LawbookError for what is none."""
        for token in read_auction(self.edition, notation):
            if isinstance(token.act, Act):
                self._history.add(token.act)
                continue
            assert token.act is ALL_PASS
            for _ in range(_MOST_PASSES):
                if self.status != "open":
                    break
                self._history.add(Act.of_call(PASS))
            if self.status == "open":
                message = f"the auction is still open after {_MOST_PASSES} passes"
                raise LawbookError([Diagnostic("all-pass-endless", Severity.ERROR, message)])

    @property
    def last(self) -> Happening | None:
        """The last act that somebody did; None before the first."""
        acts = self.acts
        return acts[-1] if acts else None

    @property
    def notation(self) -> str:
        """The acts in canonical notation."""
        return self._history.notation

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """Every act, what happened of itself included."""
        return self._history.happenings

    @property
    def acts(self) -> tuple[Happening, ...]:
        """Every act that somebody did."""
        return tuple(h for h in self.happenings if not h.of_itself)

    @property
    def status(self) -> str:
        """How the auction stands: `open`, `final`, ..."""
        number = self._value(self.edition.interface.status)
        return self.edition.universe.enumerations["status"][number or 0].replace(" ", "-")

    @property
    def turn(self) -> Seat | None:
        """The seat in turn, or None when the auction is over."""
        return self._history.turn if self.status == "open" else None

    @property
    def contract(self) -> Contract | None:
        """What is played, once that is final."""
        interface = self.edition.interface
        bid, declarer, dummy = (self._value(v) for v in (interface.contract, interface.declarer, interface.dummy))
        if self.status != "final" or bid is None or declarer is None or dummy is None:
            return None
        universe = self.edition.universe
        letter = universe.letters[universe.denomination(bid)]
        doubling = self._value(interface.doubling) or 0
        return Contract(universe.level(bid), letter, doubling, Seat(declarer), Seat(dummy))

    @property
    def debarred(self) -> tuple[Seat, ...]:
        """The seats that may not declare."""
        asked, values = self.edition.interface.debarred, self._history.states[-1].values
        return tuple(s for s in Seat if self._machine.evaluator.truth(asked, values, {"that": int(s)}))

    @property
    def points(self) -> Mapping[Side, int]:
        """The points that penalties have brought each side."""
        found = dict.fromkeys(Side, 0)
        for happening in self.happenings:
            for scored in happening.ruling.scored:
                found[Side(scored.side)] += scored.points
        return found

    @property
    def options(self) -> tuple[str, ...]:
        """The remedies that may be chosen now, as they are written."""
        offences = self.edition.offences
        found = [
            Remedy(Seat(o.seat), o.choice.act, offences[o.offence], Seat(o.offender), o)
            for o in self._machine.options(self._history.states[-1])
        ]
        return tuple(dict.fromkeys(str(r) for r in sorted(found, key=lambda r: (r.seat, r.act))))

    @property
    def legal_calls(self) -> tuple[str, ...]:
        """The calls in order for the seat in turn, lowest first."""
        return tuple(str(call) for call in calls_of(self.edition) if self.is_legal(str(call)))

    def is_legal(self, call: str) -> bool:
        """Whether a call by the seat in turn would be ruled legal; nobody is once the auction is over."""
        number = call_number(self.edition.universe, Call.parse(call))
        if number is None or self.turn is None:
            return False
        event = Event(int(self.turn), self._machine.reader.kind_of(number), number)
        return self._machine.legal(self._history.states[-1], event)

    def _value(self, node: object) -> int | None:
        return self._machine.evaluator.value(node, self._history.states[-1].values, {})  # type: ignore[arg-type]


# -- running -----------------------------------------------------------------------------------------------------------


def run(example: Shown, library: Library | None = None) -> Iterator[Outcome]:
    """Run an example under each edition it is for."""
    return outcomes(example, lambda name: run_under(example, name, load(name, library)))


def outcomes(example: Shown, under: Callable[[str], Outcome]) -> Iterator[Outcome]:
    """What comes of an example under each edition it is for; `under` runs it under one, by its name."""
    for at, name in enumerate(example.editions):
        outcome = under(name)
        if at > 0 or outcome.passed or not example.instead:
            yield outcome
            continue
        for other in example.instead:
            yield replace(under(other), own=outcome)


def run_under(
    example: Shown, name: str, edition: Edition, machine: Machine | None = None, sheet: Sheet | None = None
) -> Outcome:
    """Run an example under one edition, known by that name; on another machine or sheet than its own where given."""
    try:
        if isinstance(example, ScoredExample):
            return Outcome(example, name, tuple(_scored(example, edition, sheet)))
        trial = Trial(edition, example.dealer, machine)
        trial.play(example.notation)
        return Outcome(example, name, compared(example, trial))
    except LawbookError as error:
        return Outcome(example, name, (), error)


def compared(example: Example, trial: Trial) -> tuple[Mismatch, ...]:
    """What is not as an example says, once its auction has been played."""
    return tuple(_compared(example, trial))


def _compared(example: Example, trial: Trial) -> Iterator[Mismatch]:
    for key, expected in example.expected.items():
        if key in ("lawful", "not lawful"):
            wrong = tuple(call for call in expected if trial.is_legal(call) == (key == "not lawful"))
            if wrong:
                yield Mismatch(key, _shown(wrong), _shown(trial.legal_calls))
            continue
        found = asked(trial, key)
        if key in ("may", "may not"):
            wrong = tuple(option for option in expected if (option in found) == (key == "may not"))
            if wrong:
                yield Mismatch(key, _shown(wrong), _shown(found))
            continue
        if key == "because":
            found = _without_added(found, expected, example.of, trial.edition)
        if sorted(found) != sorted(expected) and not (expected == ("none",) and not found):
            yield Mismatch(key, _shown(expected), _shown(found))


def asked(trial: Trial, key: str) -> tuple[str, ...]:
    """What an auction comes to under a key of an example, as texts. Raises KeyError for `lawful` and `not lawful`, by
    which single calls are asked for."""
    return _ASKED[key](trial)


def _shown(found: tuple[str, ...]) -> str:
    return ", ".join(found) if found else "none"


def _without_added(found: tuple[str, ...], expected: tuple[str, ...], of: str, edition: Edition) -> tuple[str, ...]:
    """The reasons for a ruling as an example of a base edition can know them.

    An example that an edition inherits knows nothing of the clauses which that edition adds to its base. Where some of
    those are among the reasons, one of the base's may have given way to them; the others must be as expected.
    """
    if of not in edition.chain:
        return found
    older = edition.chain[edition.chain.index(of) :]
    known = tuple(name for name in found if edition.by_id[name].law.source.edition in older)
    return expected if known != found and set(known) <= set(expected) else known


def _offences(trial: Trial) -> tuple[str, ...]:
    return () if trial.last is None else tuple(trial.edition.offences[o].name for o in trial.last.ruling.offences)


def _unpenalised(trial: Trial) -> tuple[str, ...]:
    return ("yes" if trial.last is not None and trial.last.ruling.unpenalised else "no",)


_ASKED: Final[Mapping[str, Callable[[Trial], tuple[str, ...]]]] = {
    "verdict": lambda t: () if t.last is None else (t.last.verdict.value,),
    "offences": _offences,
    "because": lambda t: () if t.last is None else tuple(c.id for c in t.last.because),
    "unpenalised": _unpenalised,
    "defeated": lambda t: () if t.last is None else tuple(d.clause.id for d in t.last.defeated),
    "options": lambda t: t.options,
    "may": lambda t: t.options,
    "may not": lambda t: t.options,
    "status": lambda t: (t.status,),
    "turn": lambda t: () if t.turn is None else (str(t.turn),),
    "contract": lambda t: () if t.contract is None else (str(t.contract),),
    "debarred": lambda t: tuple(str(s) for s in t.debarred),
    "points": lambda t: tuple(f"{side}={t.points[side]}" for side in Side),
    "only lawful": lambda t: t.legal_calls,
}


def scored(
    edition: Edition, deals: Sequence[Mapping[str, object]], sheet: Sheet | None = None
) -> dict[str, tuple[str, ...]]:
    """What deals come to under each key of a scored example, as texts. Raises LawbookError where they cannot be
    entered."""
    refused: tuple[str, ...] = ()
    rubber = Rubber(edition, sheet)
    try:
        for given in deals:
            enter(rubber, given)
    except NotScored as error:
        refused = tuple(clause.id for clause in error.clauses)
    return {
        "refused": refused,
        "because": () if not rubber.deals else rubber.deals[-1].score.because,
        "trick points": _by_side(rubber.column("tricks")),
        "honour points": _by_side(rubber.column("honours")),
        "rubber points": _by_side(rubber.column("rubber")),
        "games": _by_side(rubber.games),
        "below": _by_side(rubber.below),
        "totals": _by_side(rubber.totals),
    }


def _scored(example: ScoredExample, edition: Edition, sheet: Sheet | None) -> Iterator[Mismatch]:
    """What differs when the deals are entered."""
    found = scored(edition, example.deals, sheet)
    expected = {"refused": (), **example.expected}
    if "because" in expected:
        found["because"] = _without_added(found["because"], expected["because"], example.of, edition)
    for key, texts in expected.items():
        if sorted(texts) != sorted(found[key]):
            yield Mismatch(key, _shown(texts), _shown(found[key]))


def _by_side(points: Mapping[Side, int]) -> tuple[str, ...]:
    return tuple(f"{side}={points[side]}" for side in Side)


# -- as a message ------------------------------------------------------------------------------------------------------


def as_diagnostic(outcome: Outcome) -> Diagnostic:
    """A failing example as a diagnostic at its place, with what is found instead beside each thing that differs."""
    example = outcome.example
    if outcome.error is not None:
        message = f"{outcome.edition}: the example cannot be run: {outcome.error}"
        return Diagnostic("example-failed", Severity.ERROR, message, example.places.get("that", example.span))
    placed = [m for m in outcome.mismatches if m.key in example.places]
    told = [f"{m.key} should be {m.expected}, but is {m.found}" for m in outcome.mismatches if m not in placed]
    message = f"{outcome.edition}: " + ": ".join([f"it does not hold that {example.that}", *told])
    return Diagnostic(
        "example-failed",
        Severity.ERROR,
        message,
        example.places[placed[0].key] if placed else example.span,
        tuple(Label(example.places[m.key], _instead(m)) for m in placed),
    )


def _instead(mismatch: Mismatch) -> str:
    match mismatch.key:
        case "lawful" | "may":
            return f"not so: {mismatch.expected}"
        case "not lawful" | "may not":
            return f"it is so: {mismatch.expected}"
        case "only lawful":
            said, found = (dict.fromkeys(text.split(", ")) for text in (mismatch.expected, mismatch.found))
            missing, besides = [c for c in said if c not in found], [c for c in found if c not in said]
            told = [f"not lawful: {', '.join(missing)}"] if missing else []
            return "; ".join(told + ([f"lawful besides: {', '.join(besides)}"] if besides else []))
        case _:
            return f"found: {mismatch.found}"
