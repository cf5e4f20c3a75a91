"""Drafts: an auction ruled on, as the example that would stand in a law file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.examples.running import Trial, asked, scored
from lawbook.formatting.scalars import WIDTH, folded, written
from lawbook.sentences import does, listed, seat_name

Said: TypeAlias = "str | Sequence[Said] | Mapping[str, Said]"
"""A text, a list or a mapping."""

# What an example says besides the verdict, the offences and the reasons, where that is asked for.
FURTHER: Final = ("defeated", "options", "status", "debarred", "turn", "contract", "points", "only lawful")


@dataclass(frozen=True, slots=True)
class Draft:
    """An example to be: its keys in order, each with a text, a list or a mapping."""

    says: tuple[tuple[str, Said], ...]

    def get(self, key: str) -> Said | None:
        """What it says under a key."""
        return dict(self.says).get(key)

    def with_(self, key: str, value: Said) -> Draft:
        """The same with a key more, behind `that`."""
        return Draft((*self.says[:1], (key, value), *self.says[1:]))

    def as_json(self) -> dict[str, object]:
        """The example as a dictionary."""
        return {key: _plain(value) for key, value in self.says}

    def lines(self, indent: int = 2) -> list[str]:
        """The example as an item of a list in YAML, in canonical form."""
        found: list[str] = []
        for key, value in self.says:
            found.extend(_lines(key, value, indent + 2))
        found[0] = f"{' ' * indent}- {found[0][indent + 2 :]}"
        return found


def draft(
    edition: Edition, auction: str, act: str, dealer: str = "N", that: str | None = None, also: Sequence[str] = ()
) -> Draft:
    """The example that an act after an auction makes under an edition.

    `also` names further keys to be said; without `that` a sentence is made. Raises LawbookError for what is no auction.
    """
    trial = Trial(edition, dealer)
    trial.play(f"{auction} {act}".strip())
    *before, last = trial.notation.split() or [""]
    says: list[tuple[str, Said]] = [("that", that or sentence(edition, " ".join(before), trial))]
    if dealer != "N":
        says.append(("dealer", dealer))
    says += [("auction", " ".join(before)), ("act", last)]
    says.append(("verdict", asked(trial, "verdict")[0]))
    for key in ("offences", "because"):
        if found := asked(trial, key):
            says.append((key, found))
    if asked(trial, "unpenalised") == ("yes",):
        says.append(("unpenalised", "yes"))
    says += [(key, _further(trial, key)) for key in FURTHER if key in also and key not in dict(says)]
    return Draft(tuple(says))


def _further(trial: Trial, key: str) -> Said:
    found = asked(trial, key)
    match key:
        case "points":
            return _by_side(found)
        case "status":
            return found[0]
        case "turn" | "contract":
            return found[0] if found else "none"
        case _:
            return found


def sentence(edition: Edition, auction: str, trial: Trial) -> str:
    """What an example shows, as the words after `that`."""
    if trial.last is None:
        return "nothing has been called"
    ruling, act = trial.last.ruling, trial.last.act
    after = f" after {auction}" if auction else ""
    names = listed([edition.offences[offence].phrase for offence in ruling.offences])
    found = f"is {ruling.verdict.value}" + (f" ({names})" if names else "")
    return f"{seat_name(act.seat)} {does(edition, act)}{after}, which {found}"


def again(edition: Edition, draft_: Draft) -> Draft | None:
    """The same auction under another edition, the same asked of it; None where it cannot be ruled on there."""
    texts = {key: str(draft_.get(key) or "") for key in ("auction", "act", "dealer", "that")}
    also = [key for key, _ in draft_.says]
    try:
        return draft(edition, texts["auction"], texts["act"], texts["dealer"] or "N", texts["that"], also)
    except LawbookError:
        return None


def draft_of_deals(edition: Edition, deals: Sequence[Mapping[str, object]], also: Sequence[str] = ()) -> Draft:
    """The scored example that some deals make under an edition; `also` names keys that it has to say something of.
    Raises LawbookError where they cannot be scored."""
    told = [_said(deal) for deal in deals]
    says: list[tuple[str, Said]] = [("that", "it is scored so")]
    says.append(("deal", told[0]) if len(told) == 1 else ("rubber", told))
    found = scored(edition, deals)
    columns = also or (("games", "totals") if len(told) > 1 else ("trick points", "honour points"))
    if found["refused"]:
        columns = [key for key in columns if key in also]
        says.append(("refused", found["refused"]))
    says += [(key, _by_side(points)) for key, points in found.items() if key in columns and key not in _REASONS]
    return Draft((*says, *((("because", found["because"]),) if not found["refused"] else ())))


def _said(value: object) -> Said:
    """A deal, or a part of one, as texts."""
    match value:
        case Mapping():
            return {str(key): _said(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_said(item) for item in value]
        case _:
            return str(value)


# Keys of a scored example that name clauses.
_REASONS: Final = frozenset({"refused", "because"})


def _by_side(found: tuple[str, ...]) -> dict[str, Said]:
    return {side: points for side, _, points in (text.partition("=") for text in found)}


# -- in YAML -----------------------------------------------------------------------------------------------------------


def _plain(value: Said) -> object:
    match value:
        case str():
            return value
        case Mapping():
            return {key: _plain(inner) for key, inner in value.items()}
        case _:
            return [_plain(item) for item in value]


def _lines(key: str, value: Said, indent: int) -> Iterator[str]:
    head = f"{' ' * indent}{written(key)}:"
    if isinstance(value, str):
        if key == "that" and len(head) + len(written(value)) + 1 > WIDTH:
            yield f"{head} >-"
            yield from folded(value, indent + 2)
        else:
            yield f"{head} {written(value)}"
        return
    line = f"{head} {_flow(value)}"
    if len(line) <= WIDTH and key != "rubber":
        yield line
    elif isinstance(value, Mapping):
        yield head
        yield from (f"{' ' * (indent + 2)}{name}: {_flow(inner)}" for name, inner in value.items())
    else:
        yield head
        yield from (f"{' ' * (indent + 2)}- {_flow(item)}" for item in value)


def _flow(value: Said) -> str:
    """A value between brackets, or a text as it stands there."""
    if isinstance(value, str):
        return written(value, in_brackets=True)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {_flow(inner)}' for name, inner in value.items())}}}"
    return f"[{', '.join(_flow(item) for item in value)}]"
