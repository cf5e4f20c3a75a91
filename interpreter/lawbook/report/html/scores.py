"""Differences in the score of a deal on a page: a card for each, with the plainest deal and what each edition gives."""

from __future__ import annotations

import shlex

from lawbook.compare.scores import ScoreFinding, Scores
from lawbook.report.html.behaviour import cited_in_full
from lawbook.report.html.document import Part, badge, hidden
from lawbook.report.html.elements import Markup, tag
from lawbook.report.scores import (
    deal_command,
    deal_questions,
    deal_words,
    score_sentence,
    scores_sentence,
    tried_sentences,
)
from lawbook.report.standing import Question


def scores_part(scores: Scores) -> Part:
    """All differences in the score, and which deals were tried for them."""
    numbered = list(enumerate(scores.findings, start=1))
    content = (
        tag("p", scores_sentence(scores)),
        [_card(scores, number, finding) for number, finding in numbered],
        tag("h3", "Which deals were tried"),
        tag("ul", [tag("li", sentence) for sentence in tried_sentences(scores.coverage)]),
    )
    under = tuple(
        (_id(number), f"{number}. {finding.when or deal_words(finding.deal)}") for number, finding in numbered
    )
    return Part("scores", "How they score a deal", content, under)


def _id(number: int) -> str:
    return f"score-{number}"


def _card(scores: Scores, number: int, finding: ScoreFinding) -> Markup:
    heading = f"{_id(number)}-heading"
    command = shlex.join(deal_command(finding, (scores.a if finding.a.is_scored else scores.b).name))
    return tag(
        "article",
        tag("h3", f"{number}. ", badge("other score", "other"), id=heading),
        tag("p", score_sentence(finding), class_="when"),
        tag("h4", "The plainest deal that shows it"),
        tag("p", deal_words(finding.deal)),
        tag("p", tag("code", command), class_="note"),
        _answers(scores, finding),
        id=_id(number),
        aria_labelledby=heading,
    )


def _answers(scores: Scores, finding: ScoreFinding) -> Markup:
    heads = [tag("th", edition.name, scope="col") for edition in (scores.a, scores.b)]
    cells = [tag("td", cited_in_full(clauses)) for clauses in (finding.clauses_a, finding.clauses_b)]
    return tag(
        "table",
        tag("caption", "What each edition gives"),
        tag("thead", tag("tr", tag("td", class_="question"), heads)),
        tag(
            "tbody",
            tag("tr", tag("th", "by", scope="row"), cells),
            [_question(question) for question in deal_questions(finding)],
        ),
        class_="sides",
    )


def _question(question: Question) -> Markup:
    sign = None if question.alike else (tag("span", "≠ ", aria_hidden="true"), hidden("not alike: "))
    cells = [tag("td", [tag("div", line) for line in lines]) for lines in question.answers]
    return tag("tr", tag("th", sign, question.name, scope="row"), cells, class_=None if question.alike else "unlike")
