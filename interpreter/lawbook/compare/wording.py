"""Wording: what two states of an edition say in other words and mean alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lawbook.edition.model import Edition

THE_EDITION: Final = "the edition"
"""What stands for an edition's own title, date and so on."""


@dataclass(frozen=True, slots=True)
class WordingDifference:
    """Something that is said in other words and means the same: what it is, and which of its keys."""

    what: str
    keys: tuple[str, ...]


def wording_differences(a: Edition, b: Edition, pair: tuple[str, ...] = ()) -> tuple[WordingDifference, ...]:
    """What is said in other words, of all that both have. With a `pair` of law files, one of each edition, these are
    held against each other.

    >>> from lawbook.auction import load
    >>> wording_differences(load("whist-club-1912"), load("whist-club-1912"))
    ()
    """
    one, other = dict(_said(a)), dict(_said(b))
    if pair:
        for said, file in zip((one, other), pair, strict=True):
            said[pair[-1]] = {key: text for key, text in said.get(file, {}).items() if key != "in"}
    found = []
    for what, texts in one.items():
        keys = tuple(key for key, text in texts.items() if text != other.get(what, texts)[key])
        if keys:
            found.append(WordingDifference(what, keys))
    return tuple(found)


def _said(edition: Edition) -> Iterator[tuple[str, dict[str, str]]]:
    """Everything in an edition that is said for its readers and that nothing is ruled by."""
    yield (
        THE_EDITION,
        {
            "title": edition.title,
            "body": edition.body,
            "date": edition.date,
            "source": edition.source,
            "based on": ", ".join(edition.chain[1:]),
            "not at hand": "; ".join(edition.not_at_hand),
        },
    )
    for law in edition.laws:
        source = law.source
        texts = {"title": law.title, "summary": law.summary, "source": source.source, "evidence": source.evidence}
        yield law.file, {**texts, "in": source.edition, "topic": law.topic}
    for clause in edition.clauses:
        penalised = None if clause.penalty_for is None else edition.offences[clause.penalty_for].name
        yield f"clause {clause.id}", {"says": clause.says, "penalty for": penalised or ""}
    for act in edition.acts.values():
        yield f"act {act.name}", {"says": act.says, "gloss": act.gloss}
    for register in (*edition.registers.values(), *edition.facts.values(), *edition.sheet.values()):
        yield f"register {register.name}", {"gloss": register.gloss, "key": register.key or ""}
    for column in edition.columns.values():
        yield f"column {column.name}", {"gloss": column.gloss}
    for offence in edition.offences:
        yield f"offence {offence.name}", {"gloss": offence.gloss}
    for word in edition.vocabulary.canonical.values():
        texts = {"gloss": word.gloss, "synonyms": ", ".join(word.synonyms), "negative": word.negative or ""}
        yield (
            f"{word.category.value} {word.phrase}",
            {**texts, "article": word.article, "plural": "yes" if word.plural else "no"},
        )
