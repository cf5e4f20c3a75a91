"""The table of penalties as a dictionary and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lawbook.edition.model import Clause, Edition, Kind, LetStand
from lawbook.language.types import SetOf
from lawbook.language.words import Category
from lawbook.penalties import Demand, Row, penalties_of
from lawbook.report import SCHEMA
from lawbook.report.clauses import effects_of_choice, section_text
from lawbook.report.layout import Page, table
from lawbook.sections import sections_of
from lawbook.sentences import listed, says_of

NOTHING = "none"
# Kinds of clause whose effects, points by formulas, are better told as the law file tells them.
_SAY = (Kind.SCORE, Kind.DEFINITION)


def penalties_json(edition: Edition) -> dict[str, object]:
    """What the edition lays down for each offence, with the keys of `penalties.schema.json`."""
    return {
        "schema": SCHEMA,
        "edition": edition.name,
        "edition_hash": edition.hash,
        "penalties": [_row_json(edition, row) for row in penalties_of(edition)],
        "words": [{"word": word, "meaning": meaning} for word, meaning in _meanings(edition)],
    }


def _row_json(edition: Edition, row: Row) -> dict[str, object]:
    found: dict[str, object] = {
        "offence": row.offence.name,
        "gloss": row.offence.gloss,
        "laws": list(dict.fromkeys(clause.law.number for clause in row.clauses)),
        "prohibitions": [_clause_json(clause) for clause in row.prohibitions],
        "at_once": [
            {**_clause_json(clause), "effects": list(_effects(edition, clause)), "text": says_of(clause)}
            for clause in row.at_once
        ],
        "demands": [_demand_json(edition, demand) for demand in row.demands],
    }
    if row.unpenalised:
        found["unpenalised"] = True
    return {**found, "text": penalty_words(edition, row)}


def _clause_json(clause: Clause) -> dict[str, object]:
    return {"law": clause.law.number, "clause": clause.id}


def _demand_json(edition: Edition, demand: Demand) -> dict[str, object]:
    remedy = demand.remedy
    return {
        "act": demand.choice.act,
        **_clause_json(remedy),
        "holder": _holder(edition, remedy),
        "if": _conditions(edition, remedy),
        "effects": list(effects_of_choice(remedy, edition, demand.choice.act)),
        "ended_by": [{**_clause_json(clause), "text": _ends(edition, remedy, clause)} for clause in demand.ended_by],
    }


def _conditions(edition: Edition, remedy: Clause) -> list[str]:
    """Under what conditions the right opens and can be used, each with its heading."""
    headings = ("opened if", "opened unless", "if", "unless")
    found = ((heading, section_text(remedy, edition, heading)) for heading in headings)
    return [f"{heading} {text}" for heading, text in found if text is not None]


def _ends(edition: Edition, remedy: Clause, clause: Clause) -> str:
    return section_text(clause, edition, "until") or "" if clause is remedy else says_of(clause)


def _effects(edition: Edition, clause: Clause) -> tuple[str, ...]:
    """What follows at once, in canonical law language."""
    if clause.kind is Kind.DEFINITION:
        return ()
    texts: list[str] = []
    for section in sections_of(clause, edition):
        if section.heading == "effects":
            texts.extend(item for item in section.items if isinstance(item, str))
        elif section.heading == "the call" and clause.fate is not None and clause.fate.instead is not None:
            texts.append(f"the call {section_text(clause, edition, section.heading)}")
    return tuple(texts)


# -- in words ----------------------------------------------------------------------------------------------------------


def penalty_words(edition: Edition, row: Row) -> str:
    """The whole penalty for an offence in one phrase, `none` where there is none."""
    return "; ".join(text for text, _ in _lines(edition, row))


def _lines(edition: Edition, row: Row) -> Iterator[tuple[str, tuple[Clause, ...]]]:
    """The parts of a penalty, each with the clauses that give it; what several clauses lay down is one part."""
    parts: dict[str, tuple[Clause, ...]] = {NOTHING: row.prohibitions} if row.unpenalised else {}
    for clause in row.at_once:
        words = says_of(clause) if clause.kind in _SAY else listed(_effects(edition, clause))
        parts[words] = (*parts.get(words, ()), clause)
    for demand in row.demands:
        words = _demand_words(edition, demand)
        parts[words] = (*parts.get(words, ()), demand.remedy)
    yield from parts.items()


def _demand_words(edition: Edition, demand: Demand) -> str:
    choice = demand.choice
    says = f"{_holder(edition, demand.remedy)} {edition.acts[choice.act].says}"
    if all(isinstance(effect, LetStand) for effect in choice.effects):
        return says
    return f"{says}: {listed(effects_of_choice(demand.remedy, edition, choice.act))}"


def _holder(edition: Edition, clause: Clause) -> str:
    """Who may demand it: `either adversary` of two, `the declarer` of one."""
    assert clause.remedy is not None
    text = section_text(clause, edition, "holder") or ""
    word = edition.vocabulary.find(Category.NOUN, text)
    if word is not None and (word.meaning, word.target) == ("primitive", "everybody"):
        # One of them may do it, and not all together.
        return "any player"
    article, _, phrase = text.partition(" ")
    several = isinstance(clause.remedy.holder.type, SetOf) and article in ("a", "an")
    return f"either {phrase}" if several else text


def penalties_text(edition: Edition, page: Page) -> Iterator[str]:
    """The table: an offence, the law, and each part of the penalty on a line of its own."""
    yield page.paint(edition.name, "bold")
    yield from page.wrap(f"{edition.heading}: what is laid down for each offence", 2)
    yield ""
    cells: list[tuple[str, str, str]] = []
    for row in penalties_of(edition):
        name = row.offence.phrase
        for text, clauses in _lines(edition, row):
            numbers = dict.fromkeys(clause.law.number or "custom" for clause in clauses)
            cells.append((name, "; ".join(numbers), text))
            name = ""
    yield from table(cells, ("offence", "law", "penalty"), page)
    if meanings := _meanings(edition):
        yield ""
        yield from table(meanings, ("word", "meaning in these laws"), page)


_VERBS: Final = ("joins", "leaves")


def _meanings(edition: Edition) -> list[tuple[str, str]]:
    """What the laws mean by the verbs of their own that the table uses, such as `debar`, in the order of their use."""
    verbs = {w.phrase: w.gloss for w in edition.vocabulary.canonical.values() if w.meaning in _VERBS and w.gloss}
    used = []
    for row in penalties_of(edition):
        effects = [effect for clause in row.at_once if clause.kind not in _SAY for effect in _effects(edition, clause)]
        for demand in row.demands:
            effects.extend(effects_of_choice(demand.remedy, edition, demand.choice.act))
        for effect in effects:
            # `compare` also begins what is said by `compare no longer`.
            used.append(max((verb for verb in verbs if effect.startswith(f"{verb} ")), key=len, default=None))
    return [(verb, verbs[verb]) for verb in dict.fromkeys(used) if verb is not None]
