"""The history of a topic as a dictionary and as text: edition after edition, what each made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from lawbook.compare.lineage import Foreshadowing, History, Stage, Turn
from lawbook.diagnostics import Diagnostic
from lawbook.report import SCHEMA
from lawbook.report.auction import clause_json
from lawbook.report.editions import unreadable
from lawbook.report.layout import Page, Style, beside, folded, grid, name_lines
from lawbook.report.structure import cited_laws, difference_json, difference_lines, law_numbers
from lawbook.sentences import capital, date_words, law_name, laws_named, listed

STYLES: Final[dict[Turn, Style]] = {
    Turn.FIRST: "legal",
    Turn.AGAIN: "legal",
    Turn.CHANGED: "irregular",
    Turn.REPEALED: "refused",
}
# The fewest columns that hold the table of editions.
_ROOM: Final = 76
# -- for other programs ------------------------------------------------------------------------------------------------


def histories_json(histories: Sequence[History], broken: Iterable[str] = ()) -> dict[str, object]:
    """Topics and what each edition made of them, with the keys of `history.schema.json`; `broken` are the editions that
    cannot be read."""
    topics = [_history_json(history) for history in histories]
    return {"schema": SCHEMA, "topics": topics, "broken": list(broken)}


def _history_json(history: History) -> dict[str, object]:
    since = history.since
    return {
        "topic": history.topic,
        "title": history.title,
        "since": None if since is None else since.edition.name,
        "history": [_stage_json(stage) for stage in history.stages],
    }


def _stage_json(stage: Stage) -> dict[str, object]:
    before = stage.before
    return {
        "edition": stage.edition.name,
        "edition_hash": stage.edition.hash,
        "date": stage.edition.date,
        "law": law_numbers(stage.laws),
        "has": bool(stage.laws),
        "titles": [law.title for law in stage.laws],
        "summary": [law.summary for law in stage.laws],
        "since": None if before is None else before.name,
        "law_before": law_numbers(stage.laws_before),
        "turn": stage.turn.value,
        "clauses": [difference_json(d, before, stage.edition) for d in stage.clauses] if before is not None else [],
        "readings": [
            {"reading": reading.name, "question": reading.question, "chosen": reading.chosen}
            for reading in stage.readings
        ],
        "foreshadowed": [
            {
                "edition": came.edition.name,
                "laws": [law.number for law in came.laws],
                "reading": came.reading,
                "clauses": [clause_json(clause) for clause in came.clauses],
                "whole": came.whole,
                "text": foreshadowing_sentence(came, stage),
            }
            for came in stage.foreshadowed
        ],
        "text": turn_sentence(stage),
    }


# -- in words ----------------------------------------------------------------------------------------------------------


def turn_words(stage: Stage) -> str:
    """What an edition made of the topic, in a few words: since which edition, where no section of its own tells."""
    if _tells(stage) or stage.before is None or not stage.laws:
        return stage.turn.value
    return f"{stage.turn.value} since {stage.before.name}"


def turn_sentence(stage: Stage) -> str:
    """What an edition made of the topic, in one sentence."""
    here, before = cited_laws(stage.laws), cited_laws(stage.laws_before)
    moved = "" if here == before else f"; it is {here} now"
    earlier = "" if stage.before is None else f"{before} of {stage.before.name}"
    match stage.turn:
        case Turn.FIRST | Turn.AGAIN:
            return f"{capital(stage.turn.value)}: {here}."
        case Turn.APART:
            return f"A code of another line has a law on it: {here}."
        case Turn.UNCHANGED:
            return f"As in {stage.before.name}: {here}." if stage.before is not None else f"Unchanged: {here}."
        case Turn.WORDING:
            return f"Only the words of {earlier} are others{moved}."
        case Turn.RENUMBERED | Turn.LEFT_TO_CUSTOM | Turn.MADE_LAW:
            return f"{capital(earlier)} is {here} now."
        case Turn.CHANGED:
            return f"{capital(earlier)} is changed{moved}."
        case Turn.REPEALED:
            return f"{capital(earlier)} is repealed: there is no law on it any more."
        case Turn.NOT_AT_HAND:
            return "There is no law on it here, but not all of the text was at hand."
        case Turn.ABSENT:
            return "There is no law on it."


def foreshadowing_sentence(came: Foreshadowing, stage: Stage) -> str:
    """What had come before a change, in one sentence."""
    if came.reading is None:
        decided = listed(dict.fromkeys(law_name(law.number) for law in came.laws))
        head = f"{decided} ({date_words(came.edition.date)}) came first"
        if came.whole:
            return f"{head}, and this is the law as it had decided."
        return (
            f"{head}; whether this code follows it the clauses do not tell: "
            f"compare {came.edition.name} with {stage.edition.name}."
        )
    if came.whole:
        return f"Read with {came.reading}, {came.edition.name} already had this law."
    clauses = listed([clause.id for clause in came.clauses])
    return f"Read with {came.reading}, {came.edition.name} already had, of {laws_named(came.clauses)}: {clauses}."


def broken_sentence(name: str, wrong: Diagnostic) -> str:
    """That an edition is left out because it cannot be read, and the first of what is wrong with it."""
    return f"Left out: {name}, which {unreadable(name, wrong)}."


# -- for a reader ------------------------------------------------------------------------------------------------------


def histories_text(histories: Sequence[History], page: Page, broken: Mapping[str, Diagnostic]) -> Iterator[str]:
    """Topics for a reader: a table of the editions, then what each of them that has something to tell made of it; and
    the editions that could not be read."""
    for place, history in enumerate(histories):
        if place:
            yield ""
        yield from (page.paint(line, "bold") for line in page.wrap(f"{history.title} ({history.topic})"))
        yield ""
        yield from _table(history, page)
        asked: set[str] = set()
        for stage in history.stages:
            if _tells(stage):
                yield ""
                yield from page.heading(f"{date_words(stage.edition.date)}: {stage.edition.name}")
                yield from _stage_lines(stage, page)
                yield from _open_points(stage, asked, page)
    for name, wrong in broken.items():
        yield ""
        yield from page.wrap(broken_sentence(name, wrong))


def _table(history: History, page: Page) -> Iterator[str]:
    """What each edition made of the topic: a table, or a line each where that finds no room."""
    if page.width < _ROOM:
        for stage in history.stages:
            name = f"{date_words(stage.edition.date)}, {stage.edition.name}"
            yield from page.wrap(f"{name}: {cited_laws(stage.laws)}, {turn_words(stage)}", 0, 2)
        return
    widths = [17, 25, 13, page.width - 61]
    yield from (page.paint(line, "dim") for line in grid([("date", "edition", "law", "")], widths))
    for stage in history.stages:
        turn = [page.paint(line, STYLES.get(stage.turn, "dim")) for line in folded(turn_words(stage), widths[3])]
        edition = name_lines(stage.edition.name, widths[1])
        cells = [[date_words(stage.edition.date)], edition, folded(cited_laws(stage.laws), widths[2]), turn]
        yield from beside(cells, widths, 2)


def _tells(stage: Stage) -> bool:
    """Whether there is more to tell of it than the table does."""
    return stage.turn in (Turn.FIRST, Turn.AGAIN, Turn.CHANGED, Turn.REPEALED, Turn.APART)


def _stage_lines(stage: Stage, page: Page) -> Iterator[str]:
    yield from page.wrap(turn_sentence(stage))
    if stage.turn in (Turn.FIRST, Turn.AGAIN, Turn.APART):
        for law in stage.laws:
            yield from page.wrap(law.summary, 2)
    elif stage.before is not None:
        yield ""
        for difference in stage.clauses:
            topic = stage.laws[0].topic if stage.laws else stage.laws_before[0].topic
            yield from difference_lines(difference, stage.before, stage.edition, topic, page, brief=True)
    for came in stage.foreshadowed:
        yield ""
        yield from page.wrap(foreshadowing_sentence(came, stage))


def _open_points(stage: Stage, asked: set[str], page: Page) -> Iterator[str]:
    """The open points that an edition before it, such as the one it is based on, has not asked in the same words."""
    new = [reading for reading in stage.readings if reading.question not in asked]
    asked.update(reading.question for reading in new)
    if new:
        yield ""
        yield "Open to reading:"
        for reading in new:
            yield from page.wrap(f"{reading.name}: {reading.question} Read here: {reading.chosen}.", 2, 4)
