"""How an auction stands under several editions, question by question, each answer as lines for a narrow column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lawbook.auction import Contract, Remedy
from lawbook.edition.model import Edition
from lawbook.report.auction import until_of
from lawbook.sentences import SEATS, law_name, listed
from lawbook.values import Seat, Side


class Standing(Protocol):
    """What is asked of an auction, or of an answer to one."""

    @property
    def edition(self) -> Edition: ...
    @property
    def status(self) -> str: ...
    @property
    def turn(self) -> Seat | None: ...
    @property
    def declaration(self) -> Contract | None: ...
    @property
    def debarred(self) -> tuple[Seat, ...]: ...
    @property
    def points(self) -> Mapping[Side, int]: ...
    @property
    def options(self) -> tuple[Remedy, ...]: ...


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the answer under each edition, a text a line."""

    name: str
    answers: tuple[tuple[str, ...], ...]

    @property
    def alike(self) -> bool:
        """Whether the answer is the same under all editions."""
        return len(set(self.answers)) == 1


def questions(standings: Sequence[Standing]) -> Iterator[Question]:
    """The questions that have something to say: the status, the declaration, the turn, bars, points and options."""
    yield Question("status", tuple((s.status.replace("-", " "),) for s in standings))
    yield Question("declaration", tuple((_declared(s),) for s in standings))
    if any(s.turn is not None for s in standings):
        yield Question("turn", tuple(("-" if s.turn is None else SEATS[s.turn],) for s in standings))
    if any(s.debarred for s in standings):
        barred = (listed([SEATS[seat] for seat in s.debarred]) or "nobody" for s in standings)
        yield Question("debarred", tuple((text,) for text in barred))
    if any(any(s.points.values()) for s in standings):
        points = (", ".join(f"{side} {s.points[side]}" for side in Side) for s in standings)
        yield Question("points", tuple((text,) for text in points))
    yield Question("options", tuple(tuple(_options(s)) or ("none",) for s in standings))


def _declared(standing: Standing) -> str:
    return "none" if standing.declaration is None else str(standing.declaration)


def _options(standing: Standing) -> Iterator[str]:
    """The remedies: what there is to choose, who may, by which law, until when."""
    grouped: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for option in standing.options:
        remedy = option.option.remedy
        key = (remedy.id, option.offence.phrase, str(option.offender))
        grouped.setdefault(key, {}).setdefault(option.act, []).append(str(option.seat))
    for (remedy_id, _, _), acts in grouped.items():
        remedy = standing.edition.by_id[remedy_id]
        holders = list(dict.fromkeys(seat for seats in acts.values() for seat in seats))
        yield f"{listed(list(acts), 'or')}: {listed(holders, 'or')}, {law_name(remedy.law.number)}"
        if (until := until_of(standing.edition, remedy, briefly=True)) is not None:
            yield f"until {until}"
