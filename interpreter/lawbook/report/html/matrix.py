"""The page of a comparison of more than two editions."""

from __future__ import annotations

from lawbook.compare.matrix import Matrix, MatrixTopic
from lawbook.report.html.document import Part, document
from lawbook.report.html.editions import editions_part, named, readings_part
from lawbook.report.html.elements import Content, Markup, tag
from lawbook.report.matrix import (
    LEGEND,
    PLAYED,
    PLUS_AND_DOT,
    cause_sentences,
    count_text,
    letter,
    played_sentences,
    scores_count_text,
)
from lawbook.report.structure import cited_laws


def matrix_page(matrix: Matrix) -> str:
    """Editions pair by pair and topic by topic: in how many topics each two differ, who has the same law on which, and
    what makes the difference."""
    names = [edition.name for edition in matrix.editions]
    parts = [
        Part("pairs", "Each two editions", _pairs(matrix)),
        Part("topics", "Topic by topic", _topics(matrix)),
        editions_part(matrix.editions),
        readings_part(matrix.editions),
    ]
    lead = tag("ol", [tag("li", named(edition), f", {edition.title}") for edition in matrix.editions])
    return document(f"{len(names)} editions compared", lead, parts, f"lawbook compare {' '.join(names)} --html FILE")


def _pairs(matrix: Matrix) -> Content:
    counts = {pair: str(len(matrix.topics_of(pair))) for pair in matrix.pairs}
    topics = _triangle(matrix, "In how many topics their laws differ", counts)
    if not matrix.behaviours:
        return (topics, tag("p", "How the editions behave at the table has not been searched."))
    found = {pair: count_text(matrix, pair) for pair in matrix.pairs}
    tables = [topics, _triangle(matrix, "How many differences were found at the table", found)]
    if any(matrix.scored(pair) is not None for pair in matrix.pairs):
        scored = {pair: scores_count_text(matrix, pair) for pair in matrix.pairs}
        tables.append(_triangle(matrix, "By how many causes deals score differently", scored))
    return (tables, tag("p", PLUS_AND_DOT))


def _triangle(matrix: Matrix, caption: str, cells: dict[tuple[int, int], str]) -> Markup:
    places = range(len(matrix.editions))
    heads = [tag("th", f"{place + 1}", scope="col") for place in places[:-1]]
    rows = [
        tag(
            "tr",
            tag("th", f"{row + 1}. {matrix.editions[row].name}", scope="row"),
            [tag("td", cells.get((column, row))) for column in places[:-1]],
        )
        for row in places[1:]
    ]
    table = tag("table", tag("caption", caption), tag("thead", tag("tr", tag("td"), heads)), tag("tbody", rows))
    return tag("div", table, class_="wide matrix")


def _topics(matrix: Matrix) -> Content:
    heads = [tag("th", f"{place}", scope="col") for place in range(1, len(matrix.editions) + 1)]
    rows = [_row(matrix, topic) for topic in matrix.topics]
    table = tag(
        "table",
        tag("caption", LEGEND),
        tag("thead", tag("tr", tag("th", "topic", scope="col"), heads)),
        tag("tbody", rows),
    )
    elsewhere = [tag("li", sentence) for sentence in played_sentences(matrix, None)]
    others = (tag("p", "By laws on no topic in which they differ:"), tag("ul", elsewhere)) if elsewhere else None
    note = tag("p", PLAYED) if matrix.has_played else None
    return (note, tag("div", table, class_="wide matrix"), others)


def _row(matrix: Matrix, topic: MatrixTopic) -> Markup:
    told = (*cause_sentences(topic), *played_sentences(matrix, topic.topic))
    causes = [tag("p", sentence, class_="note") for sentence in told]
    cells = [
        tag("td", tag("strong", letter(form, known)), [(tag("br"), tag("span", t, class_="note")) for t in told_there])
        for form, known, told_there in zip(topic.forms, topic.at_hand, _sources(topic), strict=True)
    ]
    return tag("tr", tag("th", topic.title, causes, scope="row"), cells, class_="unlike" if topic.differs else None)


def _sources(topic: MatrixTopic) -> list[tuple[str, ...]]:
    """For each edition where its law on the topic stands, and what it is called there if that is not the same in
    all."""
    titles = [topic.titles(place) for place in range(len(topic.laws))]
    apart = len({named for named in titles if named}) > 1
    return [(cited_laws(laws), *(named if apart else ())) for laws, named in zip(topic.laws, titles, strict=True)]
