"""How two editions score deals differently, as a dictionary and as text: each difference with its plainest deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lawbook.compare.scores import DealAnswer, ScoreCoverage, ScoreFinding, Scores
from lawbook.deals import Deal
from lawbook.report.auction import clause_json
from lawbook.report.clauses import cited
from lawbook.report.layout import Page, beside, folded, name_lines
from lawbook.report.score import deal_json
from lawbook.report.standing import Question
from lawbook.sentences import law_name, laws_named, listed, seat_name
from lawbook.values import Side

_LEFT: Final = 14
_GAP: Final = 2


# -- for other programs ------------------------------------------------------------------------------------------------


def scores_json(scores: Scores) -> dict[str, object]:
    """What was tried and the differences, with the keys of `compare.schema.json`."""
    coverage = scores.coverage
    return {
        "coverage": {
            "complete": coverage.complete,
            "deals": coverage.deals,
            "varied": {asked.key: asked.values for asked in coverage.asked},
            "together": [list(keys) for keys in coverage.together],
            "notes": list(coverage.notes),
        },
        "differences": [_finding_json(finding) for finding in scores.findings],
    }


def _finding_json(finding: ScoreFinding) -> dict[str, object]:
    return {
        "laws": [[clause_json(clause) for clause in clauses] for clauses in (finding.clauses_a, finding.clauses_b)],
        "when": finding.when,
        "exact": finding.exact,
        "text": score_sentence(finding),
        "deals": finding.deals,
        "deal": deal_json(finding.deal),
        "a": _answer_json(finding.a),
        "b": _answer_json(finding.b),
    }


def _answer_json(answer: DealAnswer) -> dict[str, object]:
    columns = answer.edition.columns
    return {
        "scored": answer.is_scored,
        "points": {key: {str(side): points[side] for side in Side} for key, points in answer.points.items()},
        "lines": [
            {
                "side": str(Side(line.side)),
                "column": columns[line.column].key,
                "points": line.points,
                "because": clause_json(line.clause),
            }
            for line in answer.lines
        ],
        "refused": [clause_json(clause) for clause in answer.refused],
        "text": answer.text,
    }


# -- in words ----------------------------------------------------------------------------------------------------------


def score_sentence(finding: ScoreFinding) -> str:
    """When exactly deals score differently by it."""
    both = finding.a.is_scored and finding.b.is_scored
    what = "By these clauses a side scores otherwise" if both else "Only one of them scores a deal"
    if not finding.when:
        return f"{what}, and when is not said exactly."
    if finding.exact:
        return f"{what} exactly when {finding.when}."
    return f"{what} when {finding.when}; that is not exact."


def scores_sentence(scores: Scores) -> str:
    """How many differences there are in the score of a deal."""
    number = len(scores.findings)
    if number:
        return f"{number} difference{'s' if number > 1 else ''} in how they score a deal."
    if scores.coverage.complete:
        return "They score every deal alike."
    return "No difference in how they score a deal was found."


def tried_sentences(coverage: ScoreCoverage) -> list[str]:
    """Whether that is all, what was tried, and what was left out."""
    if not coverage.deals:
        return list(coverage.notes)
    verdict = (
        "No deal of those that can be told so differs in another way."
        if coverage.complete
        else "That may not be all: there may be differences that are not listed here."
    )
    values = "; ".join(f"{_THINGS.get(asked.key, asked.key)}: {asked.values}" for asked in coverage.asked)
    together = "; ".join(listed([_THINGS.get(key, key) for key in keys]) for keys in coverage.together if len(keys) > 1)
    sentences = [
        f"{verdict} {coverage.deals:,} deals were tried, one for all that no clause tells apart.",
        f"Varied were {values}.",
    ]
    if together:
        sentences.append(
            f"Together were varied {together}. No clauses not alike that bear on each other ask for more at once: the "
            "difference in any other deal is a sum of these."
        )
    return [*sentences, *coverage.notes]


_THINGS: Final = {
    "contract": "the declaration",
    "doubling": "its doubling",
    "declarer": "who declares",
    "dealer": "who deals",
    "tricks": "the tricks won",
    "honours": "the honours",
    "chicane": "the hands without a trump",
    "revokes": "the revokes",
    "takes": "what is taken for them",
    "vulnerable": "who is vulnerable",
}


def deal_words(deal: Deal) -> str:
    """A deal, what is odd about it alone: `2HX by N, 8 tricks won; honours N=3, E=2`."""
    more = []
    if deal.dealer is not deal.declarer:
        more.append(f"{seat_name(deal.dealer)} dealt")
    if deal.honours:
        more.append("honours " + ", ".join(f"{seat}={number}" for seat, number in deal.honours.items()))
    if deal.chicane:
        more.append("no trumps in " + ", ".join(str(seat) for seat in sorted(deal.chicane)))
    if deal.revokes:
        more.append("revokes by " + ", ".join(str(seat) for seat in deal.revokes))
    if deal.takes_tricks:
        more.append("tricks taken for them")
    if deal.vulnerable:
        more.append("vulnerable " + ", ".join(str(side) for side in sorted(deal.vulnerable)))
    won = "trick" if deal.tricks == 1 else "tricks"
    head = f"{deal.contract}{'X' * deal.doubling} by {deal.declarer}, {deal.tricks} {won} won"
    return "; ".join((head, *more))


def deal_command(finding: ScoreFinding, name: str) -> list[str]:
    """The words of the command that scores the deal under an edition."""
    deal = finding.deal
    words = ["lawbook", "score", name, "--contract", f"{deal.contract}{'X' * deal.doubling}"]
    words += ["--declarer", str(deal.declarer), "--dealer", str(deal.dealer), "--tricks", str(deal.tricks)]
    for option, given in (
        ("--honours", ",".join(f"{seat}={number}" for seat, number in deal.honours.items())),
        ("--chicane", ",".join(str(seat) for seat in sorted(deal.chicane))),
        ("--revokes", ",".join(str(seat) for seat in deal.revokes)),
        ("--takes", "tricks" if deal.takes_tricks else ""),
        ("--vulnerable", ",".join(str(side) for side in sorted(deal.vulnerable))),
    ):
        words += [option, given] if given else []
    return words


def deal_questions(finding: ScoreFinding) -> Iterator[Question]:
    """What the deal scores, column by column, under both editions, with the lines and their laws."""
    answers = (finding.a, finding.b)
    if not all(answer.is_scored for answer in answers):
        said = tuple((answer.text,) if answer.text else ("it is scored",) for answer in answers)
        yield Question("score", said)
    keys = dict.fromkeys(column.key for answer in answers for column in answer.edition.columns.values())
    for key in keys:
        cells = tuple(tuple(_column(answer, key)) for answer in answers)
        if any(line.column in _names(answer, key) for answer in answers for line in answer.lines):
            totals = [answer.points.get(key) if answer.is_scored else None for answer in answers]
            name = next(c.name for answer in answers for c in answer.edition.columns.values() if c.key == key)
            yield Question(name, cells if totals[0] != totals[1] else (cells[0], cells[0]))


def _names(answer: DealAnswer, key: str) -> frozenset[str]:
    return frozenset(name for name, column in answer.edition.columns.items() if column.key == key)


def _column(answer: DealAnswer, key: str) -> Iterator[str]:
    """The sum of each side in one column, and the lines it is made of."""
    if not answer.is_scored:
        yield "not scored"
        return
    points = answer.points.get(key)
    if points is None:
        yield "no such column"
        return
    yield "  ".join(f"{side} {points[side]}" for side in Side)
    names = _names(answer, key)
    for line in answer.lines:
        if line.column in names:
            yield f"{line.points} to {Side(line.side)}, {laws_named((line.clause,)) or law_name(None)}"


# -- for a reader ------------------------------------------------------------------------------------------------------


def scores_text(scores: Scores, page: Page) -> Iterator[str]:
    """Each difference for a reader: when they differ, by which laws, the plainest deal, and what it scores in both."""
    yield from page.heading("the score of a deal")
    yield from page.wrap(scores_sentence(scores))
    sentences = tried_sentences(scores.coverage)
    if scores.coverage.deals:
        yield from page.wrap(sentences.pop(0))
    for number, finding in enumerate(scores.findings, start=1):
        yield ""
        yield page.rule(f"score {number}")
        yield from page.wrap(score_sentence(finding))
        yield ""
        yield from _columns(scores, finding, page)
    if sentences:
        yield ""
        yield page.rule("which deals were tried")
    for sentence in sentences:
        yield from page.wrap(sentence, 0, 2)


def _columns(scores: Scores, finding: ScoreFinding, page: Page) -> Iterator[str]:
    width = (page.width - _LEFT - 2 * _GAP) // 2
    widths = [_LEFT, width, width]
    names = (scores.a.name, scores.b.name)
    for line in beside([[""], *(name_lines(name, width) for name in names)], widths, _GAP):
        yield page.paint(line, "bold")
    clauses = (finding.clauses_a, finding.clauses_b)
    by = [[line for text in cited(found) for line in folded(text, width)] for found in clauses]
    yield from beside([["  by"], *by], widths, _GAP)
    yield from page.wrap(f"  deal          {deal_words(finding.deal)}", 0, _LEFT + _GAP)
    for question in deal_questions(finding):
        sign = " " if question.alike else page.paint("≠", "mark")
        cells = [[line for text in texts for line in folded(text, width)] for texts in question.answers]
        yield from beside([folded(f"{sign} {question.name}", _LEFT), *cells], widths, _GAP)
