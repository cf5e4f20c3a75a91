"""Differences at the table on a page: a card for each, with the shortest auction and what each edition says of it."""

from __future__ import annotations

from typing import Final

from lawbook.compare.findings import Behaviour, Finding, FindingKind, Witness
from lawbook.edition.model import Clause
from lawbook.report.behaviour import (
    also_sentences,
    answer_questions,
    coverage_sentences,
    finding_sentence,
    findings_sentence,
    positions_sentence,
    unread_sentences,
)
from lawbook.report.clauses import NO_LAW
from lawbook.report.html.bidding import bidding_table
from lawbook.report.html.document import Part, badge, hidden
from lawbook.report.html.elements import Content, Markup, tag
from lawbook.report.removals import removal_sentences
from lawbook.report.standing import Question
from lawbook.sentences import law_name

# So many letters of a condition stand in the list of contents.
_ROOM: Final = 160
# The colour of a finding's badge.
_COLOURS: Final = {FindingKind.STRICTER: "old", FindingKind.LAXER: "new"}


def behaviour_part(behaviour: Behaviour) -> Part:
    """All differences, and how much was searched for them."""
    cards = [_card(behaviour, number, finding) for number, finding in enumerate(behaviour.findings, start=1)]
    under = tuple(
        (_id(number), f"{number}. {finding.kind.value}: {_short(finding)}")
        for number, finding in enumerate(behaviour.findings, start=1)
    )
    verdict, searched, *notes = coverage_sentences(behaviour.coverage)
    content = (
        tag("p", findings_sentence(behaviour)),
        tag("p", f"{verdict} {searched}"),
        cards,
        tag("h3", "What was searched"),
        tag("ul", [tag("li", note) for note in notes]),
    )
    return Part("differences", "How they differ at the table", content, under)


def _id(number: int) -> str:
    return f"difference-{number}"


def _short(finding: Finding) -> str:
    """When the editions differ, or else which laws are not alike, as a line of the list of contents has room for."""
    titles = dict.fromkeys(clause.law.title for clause in finding.clauses) if finding.kind.alike else ()
    return shortened(finding.when.strip().rstrip(".") or "; ".join(titles) or finding_sentence(finding))


def shortened(text: str) -> str:
    """A condition cut short, where it is long: between the acts it tells of if that can be, else between two facts.

    >>> shortened("a player bids and he is debarred; or a player doubles")
    'a player bids and he is debarred; or a player doubles'
    >>> shortened(f"a player bids and {'he is in turn, ' * 20}he is debarred; or a player doubles").count("in turn")
    9
    >>> shortened("a player doubles or redoubles, and " + "he is debarred; or a player bids and " * 5)[-34:]
    'a player bids and he is debarred …'
    """
    if len(text) <= _ROOM:
        return text
    ends = (text.rfind(between, 0, _ROOM) for between in ("; or ", ", or ", ", ", " and ", " "))
    return f"{text[: next((end for end in ends if end > _ROOM // 3), _ROOM)]} …"


def _card(behaviour: Behaviour, number: int, finding: Finding) -> Markup:
    heading = f"{_id(number)}-heading"
    colour = _COLOURS.get(finding.kind, "" if finding.kind.alike else "other")
    removed = removal_sentences(behaviour, finding)
    return tag(
        "article",
        tag("h3", f"{number}. ", badge(finding.kind.value, colour), id=heading),
        tag("p", finding_sentence(finding), class_="when"),
        [tag("p", line, class_="note") for line in unread_sentences(behaviour, finding)],
        None if finding.witness is None else _auction(behaviour, finding.witness),
        _answers(behaviour, finding),
        None if finding.witness is None else tag("p", positions_sentence(finding), class_="faint"),
        tag("ul", [tag("li", line) for line in also_sentences(behaviour, finding)]) if finding.also else None,
        tag("ul", [tag("li", line) for line in removed], class_="removed") if removed else None,
        id=_id(number),
        aria_labelledby=heading,
    )


def _auction(behaviour: Behaviour, witness: Witness) -> Content:
    # Up to its last act an auction goes alike under both; the one that knows the act shows it.
    answer = witness.b if witness.a.last is None else witness.a
    last = len(answer.happenings) - 1 if answer.last is None else answer.last
    command = f'lawbook compare {behaviour.a.name} {behaviour.b.name} --auction "{witness.notation}"'
    dealer = f" --dealer {witness.dealer}"
    return (
        tag("h4", "The shortest auction that shows it"),
        tag("div", bidding_table(answer.edition, witness.dealer, answer.happenings[: last + 1], last), class_="wide"),
        tag("p", tag("code", command + dealer), class_="note"),
    )


def _answers(behaviour: Behaviour, finding: Finding) -> Markup:
    heads = [tag("th", edition.name, scope="col") for edition in (behaviour.a, behaviour.b)]
    rows = [_laws(finding)]
    if finding.witness is not None:
        for question in answer_questions(finding.witness):
            rows.append(_question(question))
            if question.name == "ruling":
                rows.append(_because(finding.witness))
    return tag(
        "table",
        tag("caption", "What each edition says"),
        tag("thead", tag("tr", tag("td", class_="question"), heads)),
        tag("tbody", rows),
        class_="sides",
    )


def _laws(finding: Finding) -> Markup:
    clauses = (finding.clauses_a, finding.clauses_b)
    return tag("tr", tag("th", "by", scope="row"), [tag("td", cited_in_full(found)) for found in clauses])


def _question(question: Question) -> Markup:
    sign = None if question.alike else (tag("span", "≠ ", aria_hidden="true"), hidden("not alike: "))
    cells = [tag("td", [tag("div", line) for line in lines]) for lines in question.answers]
    return tag("tr", tag("th", sign, question.name, scope="row"), cells, class_=None if question.alike else "unlike")


def _because(witness: Witness) -> Markup:
    return tag("tr", tag("th", "because", scope="row"), [tag("td", answer.text) for answer in (witness.a, witness.b)])


def cited_in_full(clauses: tuple[Clause, ...]) -> Content:
    """The clauses of one edition that bring a difference about, each with its law and what it says."""
    if not clauses:
        return NO_LAW
    return [
        tag("p", tag("strong", f"{law_name(clause.law.number)}:"), f" {clause.says} ", tag("code", clause.id))
        for clause in clauses
    ]
