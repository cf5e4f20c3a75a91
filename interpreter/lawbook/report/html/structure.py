"""The laws of two editions on a page, topic by topic side by side, the changed terms marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lawbook.compare.structure import Change, ClauseChange, ClauseDifference, Structure, TopicComparison
from lawbook.edition.model import Clause, Edition
from lawbook.report.clauses import lines_of
from lawbook.report.html.document import Part, badge, hidden
from lawbook.report.html.elements import Content, Markup, identifier, joined, tag
from lawbook.report.marked import Line, pairs
from lawbook.report.structure import BECAME, cited_laws, origin, remembered, summary, terms_changed, told, topic_heading

# The colours of badges, by what became of a topic or a clause.
_TOPICS: Final = {Change.ADDED: "new", Change.REPEALED: "old", Change.CHANGED: "other"}
_CLAUSES: Final = {ClauseChange.ADDED: "new", ClauseChange.REMOVED: "old", ClauseChange.CHANGED: "other"}
_DEEPEST: Final = 4


def structure_part(structure: Structure) -> Part:
    """Every topic in one table, then those of which clauses are not alike, clause by clause."""
    topics = told(structure)
    content = (
        tag("p", summary(structure)),
        _overview(structure, {topic.topic for topic in topics}),
        [_topic(structure, topic) for topic in topics],
        _remembered(structure),
    )
    under = tuple((_id(topic), topic_heading(topic)) for topic in topics)
    return Part("laws", "Law by law", content, under)


def _id(topic: TopicComparison) -> str:
    return identifier("topic", topic.topic)


def _overview(structure: Structure, linked: set[str]) -> Markup:
    heads = [
        tag("th", head, scope="col") for head in ("topic", structure.a.name, structure.b.name, "what became of it")
    ]
    rows = [
        tag(
            "tr",
            tag(
                "th",
                tag("a", topic.title, href=f"#{_id(topic)}") if topic.topic in linked else topic.title,
                scope="row",
            ),
            tag("td", cited_laws(topic.a)),
            tag("td", cited_laws(topic.b)),
            tag("td", badge(topic.change.value, _TOPICS.get(topic.change, ""))),
        )
        for topic in structure.topics
    ]
    table = tag("table", tag("caption", "Every topic"), tag("thead", tag("tr", heads)), tag("tbody", rows))
    return tag("div", table, class_="wide")


def _topic(structure: Structure, topic: TopicComparison) -> Markup:
    heading = f"{_id(topic)}-heading"
    heads = [
        tag("th", edition.name, ", ", cited_laws(laws), scope="col")
        for edition, laws in ((structure.a, topic.a), (structure.b, topic.b))
    ]
    body = [difference_rows(d, structure.a, structure.b, topic.topic) for d in topic.clauses]
    return tag(
        "section",
        tag("h3", topic_heading(topic), id=heading),
        tag("table", tag("thead", tag("tr", heads)), body, class_="sides two"),
        id=_id(topic),
        aria_labelledby=heading,
    )


def difference_rows(difference: ClauseDifference, a: Edition, b: Edition, topic: str) -> Markup:
    """A clause that is not alike, as rows of a table of two columns: what became of it, and both versions."""
    label, _ = BECAME[difference.change]
    terms = terms_changed(difference)
    head = tag(
        "th",
        badge(label, _CLAUSES.get(difference.change, "")),
        " ",
        origin(difference, topic),
        f": {terms}" if terms else None,
        colspan=2,
        scope="colgroup",
    )
    lines = list(
        pairs(
            [] if difference.a is None else lines_of(difference.a, a),
            [] if difference.b is None else lines_of(difference.b, b),
        )
    )
    marks = difference.change is ClauseChange.CHANGED
    one = _version(difference.a, (pair.a for pair in lines), "del" if marks else None)
    other = _version(difference.b, (pair.b for pair in lines), "ins" if marks else None)
    return tag("tbody", tag("tr", head, class_="group"), tag("tr", tag("td", one), tag("td", other)))


def _version(clause: Clause | None, lines: Iterable[Line | None], mark: str | None) -> Content:
    if clause is None:
        return tag("span", "—", hidden(" no such clause"), class_="faint")
    items = [tag("li", _runs(line, mark), class_=_depth(line)) for line in lines if line is not None]
    return joined(tag("p", clause.says, class_="says"), tag("ul", items, class_="clause"))


def _runs(line: Line, mark: str | None) -> Content:
    texts = [(run.text if place else run.text.lstrip(), run.marked) for place, run in enumerate(line)]
    return [tag(mark, text) if marked and mark and text.strip() else text for text, marked in texts]


def _depth(line: Line) -> str | None:
    whole = "".join(run.text for run in line)
    depth = (len(whole) - len(whole.lstrip())) // 2
    return f"depth{min(depth, _DEEPEST)}" if depth else None


def _remembered(structure: Structure) -> Content:
    rows = [tag("li", tag("strong", kept), f": {what}") for kept, what in remembered(structure)]
    return (tag("h3", "What the table has to remember"), tag("ul", rows)) if rows else None
