"""Several editions topic by topic, as a dictionary and as text: who has the same law, and what makes the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lawbook.compare.matrix import Bearing, Cause, Matrix, MatrixTopic, Played
from lawbook.report import SCHEMA
from lawbook.report.auction import clause_json
from lawbook.report.behaviour import coverage_json, finding_json
from lawbook.report.layout import Page, beside, folded
from lawbook.report.removals import auction, by_what, rest
from lawbook.report.structure import cited_laws, law_numbers
from lawbook.sentences import date_words, law_name, laws_named, listed

# How many editions find room beside a title of a readable width; more are told in tables one under the other.
_CELL: Final = 4
_TITLE: Final = 28
# A condition that is longer than so many characters is told by its auction alone.
_WHEN: Final = 140


# -- for other programs ------------------------------------------------------------------------------------------------


def matrix_json(matrix: Matrix) -> dict[str, object]:
    """Editions topic by topic and pair by pair, with the keys of `compare.schema.json` for more than two."""
    return {
        "schema": SCHEMA,
        "editions": [edition.name for edition in matrix.editions],
        "edition_hashes": [edition.hash for edition in matrix.editions],
        "topics": [_topic_json(matrix, topic) for topic in matrix.topics],
        "pairs": [_pair_json(matrix, pair) for pair in matrix.pairs],
    }


def _topic_json(matrix: Matrix, topic: MatrixTopic) -> dict[str, object]:
    return {
        "topic": topic.topic,
        "title": topic.title,
        "titles": [list(topic.titles(place)) for place in range(len(topic.laws))],
        "laws": [law_numbers(laws) for laws in topic.laws],
        "forms": list(topic.forms),
        "at_hand": list(topic.at_hand),
        "differs": topic.differs,
        "causes": [_cause_json(matrix, cause) for cause in topic.causes],
    }


def _cause_json(matrix: Matrix, cause: Cause) -> dict[str, object]:
    return {
        "bearing": cause.bearing.value,
        "between": _names(matrix, cause.between),
        "through": cause.through.name,
        "readings": list(cause.readings),
        "laws": [law.number for law in cause.laws],
        "clauses": [clause_json(clause) for clause in cause.clauses],
    }


def _pair_json(matrix: Matrix, pair: tuple[int, int]) -> dict[str, object]:
    behaviour = matrix.behaviours.get(pair)
    return {
        "editions": _names(matrix, pair),
        "topics": [topic.topic for topic in matrix.topics_of(pair)],
        "differences": matrix.found(pair),
        "by_topic": None
        if behaviour is None
        else {topic.topic: n for topic in matrix.topics if (n := matrix.found(pair, topic.topic))},
        "removed": None if behaviour is None else [finding_json(behaviour, f) for f in behaviour.findings if f.removed],
        "score_differences": matrix.scored(pair),
        "coverage": None if behaviour is None else coverage_json(behaviour.coverage),
    }


def _names(matrix: Matrix, pair: tuple[int, int]) -> list[str]:
    return [matrix.editions[place].name for place in pair]


# -- in words ----------------------------------------------------------------------------------------------------------


def letter(form: int | None, known: bool) -> str:
    """The sign of an edition's law on a topic: a letter that those share who have the same, `-` for none, `?` for none
    that is at hand."""
    if form is None:
        return "-" if known else "?"
    return chr(ord("a") + form) if form < 26 else f"a{form}"


LEGEND: Final = (
    "Editions with the same letter have the same law on a topic, whatever its number and its words; "
    "- no law on it; ? no law on it, but not all of the text was at hand."
)


def cause_sentences(topic: MatrixTopic) -> list[str]:
    """What makes, removes or narrows the differences in a topic, the editions by their places, from 1; what does the
    same for several editions is one sentence."""
    of: dict[tuple[object, ...], list[Cause]] = {}
    for cause in topic.causes:
        # A clause that several editions have is one of each, under a number of its own.
        clauses = tuple(clause.id for clause in cause.clauses)
        key = (cause.bearing, cause.readings, cause.laws, clauses, cause.between[1])
        of.setdefault(key, []).append(cause)
    alike: dict[tuple[object, ...], list[Cause]] = {}
    for (*same, _), causes in of.items():
        alike.setdefault((*same, tuple(cause.between[0] for cause in causes)), []).extend(causes)
    return [_sentence(causes) for causes in alike.values()]


PLAYED: Final = (
    "`With ...`: seen at the table, in the auctions that lead to a difference and in no others; what removes one may "
    "make another."
)


def played_sentences(matrix: Matrix, topic: str | None) -> list[str]:
    """What was seen at the table to remove differences in a topic, the editions by their places, from 1; what does the
    same for several editions is one sentence."""
    of: dict[tuple[str, str, int], list[int]] = {}
    for played in matrix.played(topic):
        one, other = played.between
        of.setdefault((by_what(played.removal), _where(played), other + 1), []).append(one + 1)
    alike: dict[tuple[str, str, str, bool], list[str]] = {}
    for (by, where, place), found in of.items():
        places = dict.fromkeys(map(str, found))
        alike.setdefault((by, where, listed(places), len(places) > 1), []).append(str(place))
    return [
        f"With {by}, {ones} {'rule' if several else 'rules'} as {listed(dict.fromkeys(others))} {where}."
        for (by, where, ones, several), others in alike.items()
    ]


def _where(played: Played) -> str:
    """Where the editions then rule alike."""
    finding, removal = played.finding, played.removal
    shown = "" if finding.witness is None else auction(finding.witness)
    if not removal.removes:
        extent = f"{removal.alike:,} of {removal.tried:,} positions"
        return f"in {extent} where they part as in {shown}{rest(removal)}"
    if finding.exact and 0 < len(finding.when) <= _WHEN:
        return f"when {finding.when.strip().rstrip('.')}, as in {shown}"
    return f"in {shown}, and wherever else they part as there"


def _sentence(causes: Sequence[Cause]) -> str:
    cause = causes[0]
    one, other = (listed(dict.fromkeys(str(c.between[side] + 1) for c in causes)) for side in (0, 1))
    by = listed([*(law_name(law.number) for law in cause.laws), *cause.readings])
    several = len(cause.laws) + len(cause.readings) > 1
    match cause.bearing:
        case Bearing.MAKES:
            return f"{by} {'make' if several else 'makes'} {other} differ from {one}."
        case Bearing.REMOVES:
            return f"{by} {'remove' if several else 'removes'} the difference of {other} from {one}."
        case Bearing.NARROWS:
            clauses = listed([clause.id for clause in cause.clauses])
            has = "has" if len({c.between[1] for c in causes}) == 1 else "have"
            laws = laws_named([clause for each in causes for clause in each.clauses])
            return f"{by} would give {one} what {other} {has} in {laws}: {clauses}."


def sources_text(topic: MatrixTopic) -> str:
    """Where the law on a topic stands in each edition that has one, the editions by their places, from 1, and what it
    is called there, where it is not the same in all; those that have it alike together."""
    having = [place for place, laws in enumerate(topic.laws) if laws]
    cited = {place: cited_laws(topic.laws[place]) for place in having}
    titles = {place: topic.titles(place) for place in having}
    told: dict[str, list[int]] = {}
    for place in having:
        apart = len(set(titles.values())) > 1 and titles[place] != (topic.title,)
        # A decision is called after its number, which is told already.
        names = [title for title in titles[place] if not title.startswith(cited[place])] if apart else []
        called = f" ({'; '.join(names)})" if names else ""
        told.setdefault(f"{cited[place]}{called}", []).append(place + 1)
    if len(told) == 1:
        return next(iter(told))
    return "; ".join(f"{text} in {listed(map(str, places))}" for text, places in told.items())


def count_text(matrix: Matrix, pair: tuple[int, int]) -> str:
    """How many differences were found between two editions: a plus where there may be more, a dot where nothing was
    searched."""
    found = matrix.found(pair)
    if found is None:
        return "."
    return f"{found}{'' if matrix.behaviours[pair].coverage.complete else '+'}"


def scores_count_text(matrix: Matrix, pair: tuple[int, int]) -> str:
    """The same of causes by which two editions score deals differently."""
    found, behaviour = matrix.scored(pair), matrix.behaviours.get(pair)
    if found is None or behaviour is None or behaviour.scores is None:
        return "."
    return f"{found}{'' if behaviour.scores.coverage.complete else '+'}"


PLUS_AND_DOT: Final = "A plus: the search was not complete. A dot: the two were not searched."


# -- for a reader ------------------------------------------------------------------------------------------------------


def matrix_text(matrix: Matrix, page: Page) -> Iterator[str]:
    """Editions for a reader: how many topics each two differ in, then topic by topic who has the same law."""
    width = max(len(str(len(matrix.editions))) + 2, 4)
    for place, edition in enumerate(matrix.editions, start=1):
        issued = ", ".join(filter(None, (edition.body, date_words(edition.date))))
        yield from page.wrap(f"{place:>{width - 2}}  {edition.name}", 0, width)
        yield from (page.paint(line, "dim") for line in page.wrap(issued, width))
    yield ""
    yield from _pairs(matrix, page)
    yield ""
    yield from page.heading("topic by topic")
    yield from page.wrap(LEGEND)
    if matrix.has_played:
        yield from page.wrap(PLAYED)
    yield ""
    yield from _topics(matrix, page)


def _pairs(matrix: Matrix, page: Page) -> Iterator[str]:
    counts = {pair: str(len(matrix.topics_of(pair))) for pair in matrix.pairs}
    yield from _triangle(matrix, "topics in which they differ", counts, page)
    if matrix.behaviours:
        yield ""
        found = {pair: count_text(matrix, pair) for pair in matrix.pairs}
        yield from _triangle(matrix, "differences found at the table", found, page)
        if any(matrix.scored(pair) is not None for pair in matrix.pairs):
            yield ""
            scored = {pair: scores_count_text(matrix, pair) for pair in matrix.pairs}
            yield from _triangle(matrix, "causes of a different score", scored, page)
        yield from page.wrap(PLUS_AND_DOT)
    else:
        yield from page.wrap(
            "Only the clauses were compared; how the editions behave at the table has not been searched."
        )


def _triangle(matrix: Matrix, title: str, cells: dict[tuple[int, int], str], page: Page) -> Iterator[str]:
    """A number for every two editions, each two once."""
    yield from page.heading(title)
    number = len(matrix.editions)
    per = max((page.width - _CELL) // (_CELL + 1), 1)
    for start in range(0, number - 1, per):
        columns = range(start, min(start + per, number - 1))
        yield page.paint(" " * _CELL + "".join(f"{column + 1:>{_CELL + 1}}" for column in columns), "dim")
        for row in range(start + 1, number):
            line = "".join(f"{cells.get((column, row), ''):>{_CELL + 1}}" for column in columns)
            yield (page.paint(f"{row + 1:>{_CELL}}", "dim") + line).rstrip()


def _topics(matrix: Matrix, page: Page) -> Iterator[str]:
    number = len(matrix.editions)
    per = max((page.width - _TITLE) // _CELL, 1)
    different = [topic for topic in matrix.topics if topic.differs]
    for start in range(0, number, per):
        places = range(start, min(start + per, number))
        width = page.width - _CELL * len(places)
        heads = "".join(f"{place + 1:>{_CELL}}" for place in places)
        yield page.paint(" " * width + heads, "dim")
        for topic in different:
            signs = [f"{letter(topic.forms[p], topic.at_hand[p]):>{_CELL}}" for p in places]
            yield from beside([folded(topic.title, width - 1), ["".join(signs)]], [width, _CELL * len(places)], 0)
            if start + per >= number:
                told = (f"{sources_text(topic)}.", *cause_sentences(topic), *played_sentences(matrix, topic.topic))
                for sentence in told:
                    yield from (page.paint(line, "dim") for line in page.wrap(sentence, 4, 6))
        yield ""
    elsewhere = played_sentences(matrix, None)
    if elsewhere:
        yield "By laws on no topic in which they differ:"
        for sentence in elsewhere:
            yield from page.wrap(sentence, 4, 6)
        yield ""
    alike = [f"{topic.title} ({sources_text(topic)})" for topic in matrix.topics if not topic.differs]
    if alike:
        yield "Alike in all that have it:"
        for text in alike:
            yield from page.wrap(text, 2, 4)
