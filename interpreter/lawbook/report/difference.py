"""What has changed from one side to the other, as a dictionary and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from lawbook.compare.changes import Compared
from lawbook.compare.difference import Degree, Difference, ReadingDifference
from lawbook.compare.sides import Chosen
from lawbook.compare.structure import ELSEWHERE, Change, ClauseChange, ClauseDifference
from lawbook.edition.model import Reading
from lawbook.report import SCHEMA
from lawbook.report.layout import Page, Style
from lawbook.report.structure import difference_json, difference_lines, law_numbers, topic_heading
from lawbook.sentences import listed

_LABEL: Final = 9
_LONG: Final = 200
_STYLES: Final[dict[str, Style]] = {"added": "legal", "removed": "refused", "changed": "irregular"}
# What is said of an edition in which nothing else is to be told.
_ONLY: Final = {
    Degree.EXAMPLES.value: "They mean the same; only examples differ.",
    Degree.WORDING.value: "They mean the same; only the wording differs.",
    Degree.LAYOUT.value: "They mean the same and say the same; only layout, remarks or notes differ.",
    Degree.NONE.value: "There is no difference.",
}


# -- for other programs ------------------------------------------------------------------------------------------------


def diff_json(a: Chosen, b: Chosen, found: Sequence[Compared]) -> dict[str, object]:
    """What has changed in each edition, with the keys of `diff.schema.json`."""
    return {
        "schema": SCHEMA,
        "sides": [a.label, b.label],
        "rules_differ": any(one.rules_differ for one in found),
        "editions": [
            {
                "edition": one.edition,
                "change": one.change,
                **({} if one.difference is None else _difference_json(one.difference)),
            }
            for one in found
        ],
        "errors": [problem.as_json() for one in found for problem in one.problems],
    }


def _difference_json(found: Difference) -> dict[str, object]:
    return {"hashes": [found.a.hash, found.b.hash], **_body_json(found)}


def _body_json(found: Difference) -> dict[str, object]:
    """What is not alike, whichever edition it is found in."""
    return {
        "topics": [
            {
                "topic": topic.topic,
                "title": topic.title,
                "laws": [law_numbers(topic.a), law_numbers(topic.b)],
                "change": topic.change.value,
                "clauses": [difference_json(clause, found.a, found.b) for clause in topic.clauses],
            }
            for topic in found.structure.topics
            if topic.change is not Change.EQUAL or topic.clauses
        ],
        "under_readings": [
            {
                "readings": under.choice,
                "topic": under.topic,
                **difference_json(under.difference, found.a, found.b),
            }
            for under in found.under_readings
        ],
        "readings": [
            {
                "reading": reading.name,
                "change": _reading_change(reading),
                "a": _reading_json(reading.a),
                "b": _reading_json(reading.b),
            }
            for reading in found.readings
        ],
        "meanings": [{"what": meaning.what, "a": meaning.a, "b": meaning.b} for meaning in found.meanings],
        "examples": [
            {"file": example.file, "that": example.that, "change": example.change} for example in found.examples
        ],
        "wording": [{"what": worded.what, "keys": list(worded.keys)} for worded in found.wording],
    }


def _reading_json(reading: Reading | None) -> dict[str, object] | None:
    if reading is None:
        return None
    return {
        "question": reading.question,
        "chosen": reading.chosen,
        "default": reading.default,
        "reason": reading.reason,
        "choices": dict(reading.alternatives),
    }


def _reading_change(reading: ReadingDifference) -> str:
    if reading.a is None or reading.b is None:
        return "added" if reading.a is None else "removed"
    return "wording only" if reading.worded else "changed"


# -- for a reader ------------------------------------------------------------------------------------------------------


def diff_text(a: Chosen, b: Chosen, found: Sequence[Compared], page: Page) -> Iterator[str]:
    """What has changed, edition by edition; editions in which the same has changed are told together."""
    yield from page.wrap(f"{page.paint(a.label, 'bold')} -> {page.paint(b.label, 'bold')}", 0, 2)
    several = len(a.editions) != 1 or len(b.editions) != 1
    for names, one in _together(found):
        yield ""
        if several:
            yield from page.heading(f"{listed(names)}: {one.change}")
        if one.difference is not None:
            yield from _body(one.difference, page)
        elif one.problems:
            yield from page.wrap(f"{listed(names)} cannot be read on both sides.")
    alike = [one.edition for one in found if one.change == Degree.NONE.value]
    if several and alike:
        yield ""
        yield from page.wrap(f"Unchanged: {listed(alike)}.")
    if not found:
        yield ""
        yield from page.wrap("There is no edition on either side.")


def _together(found: Sequence[Compared]) -> Iterator[tuple[list[str], Compared]]:
    """Editions in which the same has changed, in the order of the first of each."""
    groups: dict[str, tuple[list[str], Compared]] = {}
    for one in found:
        if one.change == Degree.NONE.value and len(found) > 1:
            continue
        body = None if one.difference is None else _body_json(one.difference)
        groups.setdefault(json.dumps([one.change, body], sort_keys=True), ([], one))[0].append(one.edition)
    yield from groups.values()


def _body(found: Difference, page: Page) -> Iterator[str]:
    blocks = [
        *_topic_blocks(found, page),
        *_block("under other readings", _under_lines(found, page), page),
        *_block("what the text leaves open", _reading_lines(found, page), page),
        *_block("what clauses are read in", _meaning_lines(found, page), page),
        *_block("examples", _example_lines(found, page), page),
        *_block("wording only", _wording_lines(found, page), page),
    ]
    for at, block in enumerate(blocks):
        if at:
            yield ""
        yield from block
    if blocks:
        yield ""
    if found.degree is Degree.EXAMPLES and found.wording:
        yield from page.wrap("They mean the same; only examples and wording differ.")
    else:
        yield from page.wrap(_ONLY.get(found.degree.value) or _counted(found))


def _block(title: str, lines: Iterator[str], page: Page) -> Iterator[list[str]]:
    told = list(lines)
    if told:
        yield [*page.heading(title), *told]


def _topic_blocks(found: Difference, page: Page) -> Iterator[list[str]]:
    for topic in found.structure.topics:
        lines: list[str] = []
        told = [clause for clause in topic.clauses if _belongs(clause, topic.topic)]
        for at, clause in enumerate(told):
            if at and ClauseChange.CHANGED in (clause.change, told[at - 1].change):
                lines.append("")
            lines += difference_lines(clause, found.a, found.b, topic.topic, page, brief=True)
        if lines or topic.change not in (Change.EQUAL, Change.WORDING):
            yield [*page.heading(topic_heading(topic)), *lines]


def _belongs(clause: ClauseDifference, topic: str) -> bool:
    """Whether a clause is told under a topic: what has moved is told once, where it stands now."""
    return clause.b is None or clause.b.law.topic == topic


def _under_lines(found: Difference, page: Page) -> Iterator[str]:
    told = [under for under in found.under_readings if _belongs(under.difference, under.topic)]
    for at, (choice, group) in enumerate(groupby(told, lambda under: under.choice)):
        if at:
            yield ""
        yield from page.wrap(f"{choice}:")
        for under in group:
            yield from difference_lines(under.difference, found.a, found.b, under.topic, page, brief=True)


def _reading_lines(found: Difference, page: Page) -> Iterator[str]:
    for reading in found.readings:
        change = _reading_change(reading)
        told = [] if change == "wording only" else list(_choices_told(reading))
        yield from _labelled("changed" if change == "wording only" else change, reading.name, told, page)
        if change == "wording only":
            yield from page.wrap("only the words in which it is put", _LABEL)


def _choices_told(reading: ReadingDifference) -> Iterator[str]:
    one, other = reading.a, reading.b
    if one is None or other is None:
        whole = one or other
        assert whole is not None
        yield f"{whole.question} By default {whole.default}, of {listed(whole.alternatives)}."
        return
    if one.chosen != other.chosen:
        yield f"taken: {one.chosen}, then {other.chosen}"
    if one.default != other.default:
        yield f"default: {one.default}, then {other.default}"
    if gone := [name for name in one.alternatives if name not in other.alternatives]:
        yield f"no longer a choice: {listed(gone)}"
    if new := [name for name in other.alternatives if name not in one.alternatives]:
        yield f"a new choice: {listed(new)}"


def _meaning_lines(found: Difference, page: Page) -> Iterator[str]:
    for meaning in found.meanings:
        if meaning.a is None or meaning.b is None:
            label = "added" if meaning.a is None else "removed"
            yield from _labelled(label, meaning.what, [meaning.a or meaning.b or ""], page)
        else:
            yield from _labelled("changed", meaning.what, list(_before_and_now(meaning.a, meaning.b)), page)


def _before_and_now(before: str, now: str) -> Iterator[str]:
    """Two meanings; of long lists only what is not in both."""
    if max(len(before), len(now)) <= _LONG:
        yield f"- {before}"
        yield f"+ {now}"
        return
    one, other = before.split(), now.split()
    for sign, words, others in (("-", one, other), ("+", other, one)):
        if alone := [word for word in words if word not in others]:
            yield f"{sign} {' '.join(alone)}"


def _example_lines(found: Difference, page: Page) -> Iterator[str]:
    for example in found.examples:
        yield from _labelled(example.change, example.that, [], page)


def _wording_lines(found: Difference, page: Page) -> Iterator[str]:
    for worded in found.wording:
        yield from page.wrap(f"{worded.what}: {listed(worded.keys)}", 0, 2)


def _labelled(label: str, head: str, told: Sequence[str], page: Page) -> Iterator[str]:
    first, *more = page.wrap(head, _LABEL)
    yield page.paint(label.ljust(_LABEL), _STYLES[label]) + first[_LABEL:]
    yield from more
    for line in told:
        yield from page.wrap(line, _LABEL, _LABEL + 2)


def _counted(found: Difference) -> str:
    """How many clauses, readings and so on are not alike, in a sentence."""
    clauses = [clause.change for topic in found.structure.topics for clause in topic.clauses]
    clauses += [under.difference.change for under in found.under_readings]
    parts = [
        f"{_number(clauses.count(change), 'clause')} {change.value}" for change in ClauseChange if change in clauses
    ]
    counted = [
        *((sum(t.change is change for t in found.structure.topics), "law", change.value) for change in ELSEWHERE),
        (sum(not reading.worded for reading in found.readings), "reading", "changed"),
        (len(found.meanings), "meaning", "changed"),
        (len(found.examples), "example", "changed"),
    ]
    parts += [f"{_number(number, what)} {how}" for number, what, how in counted if number]
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else "Something differs in what they mean."


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
