"""The page of a topic's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lawbook.compare.lineage import History, Stage, Turn
from lawbook.diagnostics import Diagnostic
from lawbook.report.history import broken_sentence, foreshadowing_sentence, turn_sentence, turn_words
from lawbook.report.html.document import Part, badge, document
from lawbook.report.html.editions import named
from lawbook.report.html.elements import Content, Markup, identifier, tag
from lawbook.report.html.structure import difference_rows
from lawbook.report.structure import cited_laws
from lawbook.sentences import date_words, listed

_COLOURS: Final = {
    Turn.FIRST: "new",
    Turn.AGAIN: "new",
    Turn.CHANGED: "other",
    Turn.REPEALED: "old",
}


def history_page(histories: Sequence[History], broken: Mapping[str, Diagnostic], command: str) -> str:
    """Topics, each with what every edition made of it, the oldest first; and the editions that could not be read."""
    parts = [_part(history) for history in histories]
    title = f"History: {listed([history.title for history in histories])}"
    return document(title, [tag("p", broken_sentence(*item)) for item in broken.items()], parts, command)


def _part(history: History) -> Part:
    stages = [_stage(history, stage) for stage in history.stages]
    under = tuple(
        (_id(history, stage), f"{date_words(stage.edition.date)}: {stage.turn.value}") for stage in history.stages
    )
    return Part(identifier("topic", history.topic), history.title, (_table(history), stages), under)


def _id(history: History, stage: Stage) -> str:
    return identifier(history.topic, stage.edition.name)


def _table(history: History) -> Markup:
    heads = [tag("th", head, scope="col") for head in ("date", "edition", "law", "what became of it")]
    rows = [
        tag(
            "tr",
            tag("td", date_words(stage.edition.date)),
            tag("th", tag("a", stage.edition.name, href=f"#{_id(history, stage)}"), scope="row"),
            tag("td", cited_laws(stage.laws)),
            tag("td", badge(turn_words(stage), _COLOURS.get(stage.turn, ""))),
        )
        for stage in history.stages
    ]
    return tag("div", tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows)), class_="wide")


def _stage(history: History, stage: Stage) -> Markup:
    heading = f"{_id(history, stage)}-heading"
    return tag(
        "section",
        tag("h3", f"{date_words(stage.edition.date)}: {stage.edition.title}", id=heading),
        tag("p", named(stage.edition), f", {stage.edition.body}" if stage.edition.body else "", class_="note"),
        tag("p", turn_sentence(stage)),
        [tag("p", foreshadowing_sentence(came, stage)) for came in stage.foreshadowed],
        [tag("p", law.summary) for law in stage.laws] if stage.turn is not Turn.UNCHANGED else None,
        _clauses(history, stage),
        _readings(stage),
        id=_id(history, stage),
        aria_labelledby=heading,
    )


def _clauses(history: History, stage: Stage) -> Content:
    if not stage.clauses or stage.before is None:
        return None
    heads = [
        tag("th", edition.name, ", ", cited_laws(laws), scope="col")
        for edition, laws in ((stage.before, stage.laws_before), (stage.edition, stage.laws))
    ]
    body = [difference_rows(d, stage.before, stage.edition, history.topic) for d in stage.clauses]
    return tag(
        "table",
        tag("caption", "The clauses that are not alike"),
        tag("thead", tag("tr", heads)),
        body,
        class_="sides two",
    )


def _readings(stage: Stage) -> Content:
    if not stage.readings or stage.turn is Turn.UNCHANGED:
        return None
    items = [
        tag("li", tag("code", reading.name), f" {reading.question} Read here: ", tag("strong", reading.chosen), ".")
        for reading in stage.readings
    ]
    return (tag("h4", "Open to reading"), tag("ul", items))
