"""The page of a comparison of two editions."""

from __future__ import annotations

from lawbook.compare.findings import Behaviour
from lawbook.compare.structure import Structure
from lawbook.report.behaviour import coverage_sentences, findings_sentence
from lawbook.report.html.behaviour import behaviour_part
from lawbook.report.html.document import document
from lawbook.report.html.editions import editions_part, named, readings_part, titled
from lawbook.report.html.elements import Content, tag
from lawbook.report.html.scores import scores_part
from lawbook.report.html.structure import structure_part
from lawbook.report.scores import scores_sentence
from lawbook.report.structure import NOT_SEARCHED, summary


def comparison_page(structure: Structure, behaviour: Behaviour | None = None) -> str:
    """Two editions: what was found, what they are, each difference at the table where that was searched, the laws topic
    by topic side by side, and what the texts leave open."""
    editions = (structure.a, structure.b)
    parts = [
        editions_part(editions),
        *([] if behaviour is None else [behaviour_part(behaviour)]),
        *([] if behaviour is None or behaviour.scores is None else [scores_part(behaviour.scores)]),
        structure_part(structure),
        readings_part(editions),
    ]
    a, b = editions
    title = f"{titled(a)} and {titled(b)}"
    lead = (tag("p", named(a), " compared with ", named(b)), _summary(structure, behaviour))
    return document(title, lead, parts, f"lawbook compare {a.name} {b.name} --html FILE")


def _summary(structure: Structure, behaviour: Behaviour | None) -> Content:
    if behaviour is None:
        return (tag("p", summary(structure)), tag("p", NOT_SEARCHED))
    found = findings_sentence(behaviour)
    complete = coverage_sentences(behaviour.coverage)[0]
    scored = None if behaviour.scores is None else tag("p", scores_sentence(behaviour.scores))
    return (tag("p", tag("strong", found)), tag("p", complete), scored, tag("p", summary(structure)))
