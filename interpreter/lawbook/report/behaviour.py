"""How two editions differ at the table, as a dictionary and as text: each difference with its shortest auction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from lawbook.auction import Contract
from lawbook.compare.findings import Answer, Behaviour, Coverage, Finding, FindingKind, Witness
from lawbook.compare.structure import NOT_WHOLE, not_whole, unread
from lawbook.report.auction import clause_json, option_json
from lawbook.report.clauses import cited
from lawbook.report.layout import Page, beside, folded, name_lines
from lawbook.report.removals import removal_json, removal_sentences, removed_sentence
from lawbook.report.scores import scores_json, scores_text
from lawbook.report.standing import Question, questions
from lawbook.sentences import capital, law_name, laws_named, listed, phrase, seat_name
from lawbook.values import Side

_LEFT: Final = 13
_GAP: Final = 2


# -- for other programs ------------------------------------------------------------------------------------------------


def behaviour_json(behaviour: Behaviour) -> dict[str, object]:
    """The coverage and the differences, with the keys of `compare.schema.json`."""
    return {
        "coverage": coverage_json(behaviour.coverage),
        "differences": [finding_json(behaviour, finding) for finding in behaviour.findings],
        **({} if behaviour.scores is None else {"scores": scores_json(behaviour.scores)}),
    }


def coverage_json(coverage: Coverage | None) -> dict[str, object]:
    """How much was searched; None: nothing."""
    if coverage is None:
        coverage = Coverage(False, 0, 0, (), 0)
    return {
        "complete": coverage.complete,
        "complete_for": None if coverage.complete_for is None else list(coverage.complete_for),
        "states": coverage.states,
        "transitions": coverage.transitions,
        "bids": [str(bid) for bid in coverage.bids],
        "ended_early": coverage.ended_early,
        "irregularities": coverage.irregularities,
        "open_at_once": coverage.open_at_once,
        "notes": list(coverage.notes),
    }


def finding_json(behaviour: Behaviour, finding: Finding) -> dict[str, object]:
    """One difference, with the keys of `compare.schema.json`."""
    witness = finding.witness
    return {
        "class": finding.kind.value,
        "laws": [[clause_json(c) for c in clauses] for clauses in (finding.clauses_a, finding.clauses_b)],
        "when": finding.when,
        "exact": finding.exact,
        "alone": finding.alone,
        "text": finding_sentence(finding),
        "not_at_hand": unread_sentences(behaviour, finding),
        "states": finding.positions,
        "also": [
            {
                "laws": [[clause_json(c) for c in clauses] for clauses in (also.clauses_a, also.clauses_b)],
                "witness": {"dealer": str(also.witness.dealer), "auction": also.witness.notation},
            }
            for also in finding.also
        ],
        "removed": [removal_json(removal) for removal in finding.removed],
        "witness": None if witness is None else {"dealer": str(witness.dealer), "auction": witness.notation},
        "a": None if witness is None else _answer_json(witness.a),
        "b": None if witness is None else _answer_json(witness.b),
    }


def _answer_json(answer: Answer) -> dict[str, object]:
    found: dict[str, object] = {
        "verdict": None if answer.verdict is None else answer.verdict.value,
        "offences": [offence.name for offence in answer.offences],
    }
    if answer.unpenalised:
        found["unpenalised"] = True
    options: list[dict[str, object]] = []
    for option in answer.options:
        # One that several rights about one call give alike is one remedy.
        if (shape := option_json(answer.edition, option)) not in options:
            options.append(shape)
    return found | {
        "because": [clause_json(clause) for clause in answer.because],
        "afterwards": [str(happening.act) for happening in answer.afterwards],
        "status": answer.status,
        "turn": None if answer.turn is None else str(answer.turn),
        "debarred": [str(seat) for seat in answer.debarred],
        "contract": _contract_json(answer.declaration if answer.status == "final" else None),
        "declaration": _contract_json(answer.declaration),
        "points": {str(side): answer.points[side] for side in Side},
        "options": options,
        "text": answer.text,
    }


def _contract_json(contract: Contract | None) -> dict[str, object] | None:
    if contract is None:
        return None
    return {
        "level": contract.level,
        "denomination": contract.denomination,
        "doubling": contract.doubling,
        "declarer": str(contract.declarer),
        "dummy": str(contract.dummy),
    }


# -- in words ----------------------------------------------------------------------------------------------------------


def finding_sentence(finding: Finding) -> str:
    """When exactly the editions differ by it, or that they rule alike for all that."""
    when = finding.when.strip().rstrip(".")
    by = "By this alone they differ" if finding.alone else "They differ"
    match finding.kind:
        case FindingKind.ANOTHER_LAW if when:
            return f"They rule alike, by other laws, when {when}."
        case FindingKind.ANOTHER_LAW:
            return "Their clauses are not alike, but every auction that was searched is ruled alike by them."
        case FindingKind.WORDING:
            return "Only the words differ."
        case FindingKind.UNREACHABLE if when:
            return f"They would differ when {when}, but no auction comes to that."
        case FindingKind.UNREACHABLE:
            return "Their clauses are not alike, but no auction comes to them."
        case _ if not when:
            return "They differ. When exactly was not looked for."
        case _ if finding.exact:
            return f"{by} exactly when {when}."
        case _:
            return f"{by} only when {when}, and not always then."


def findings_sentence(behaviour: Behaviour) -> str:
    """How many differences there are, of what kinds, and how many of them something removes."""
    differ = [finding for finding in behaviour.findings if not finding.kind.alike]
    alike = len(behaviour.findings) - len(differ)
    others = f" {_counted(alike, 'more change')} without effect on the rulings." if alike else ""
    if not differ:
        return _no_difference(behaviour.coverage) + others
    kinds = Counter(finding.kind for finding in differ)
    named = listed([f"{kinds[kind]} {kind.value}" for kind in FindingKind if kinds[kind]])
    removed = removed_sentence(behaviour)
    return " ".join(
        filter(None, (f"{_counted(len(differ), 'difference')} in how they rule: {named}.", removed, others.strip()))
    )


def _no_difference(coverage: Coverage) -> str:
    if coverage.complete:
        return "They rule alike in every auction."
    if coverage.complete_for is not None:
        return f"They rule alike in every auction of {_offered(coverage.complete_for)}."
    return "No difference in how they rule was found."


def _offered(acts: Sequence[str]) -> str:
    return f"calls and {listed([f'`{act}`' for act in acts])}" if acts else "calls"


def coverage_sentences(coverage: Coverage) -> list[str]:
    """Whether that is all, how much was searched, and how it is known or what was left out."""
    bids = " ".join(str(bid) for bid in coverage.bids)
    if coverage.irregularities is None:
        depth = "any number of irregular acts"
    else:
        depth = f"at most {_counted(coverage.irregularities, 'irregular act')} before the one that differs"
    if coverage.open_at_once is not None:
        depth += f", or any number with at most {coverage.open_at_once} open to a remedy at once"
    searched = (
        f"{_counted(coverage.states, 'pair')} of positions and {_counted(coverage.transitions, 'act')} were searched, "
        f"with {depth}, over {_counted(len(coverage.bids), 'bid')}: {bids}."
    )
    verdict = "The search is not complete: there may be differences that are not listed here."
    if coverage.complete:
        verdict = "The search is complete: what is not listed here differs in no auction."
    elif coverage.complete_for is not None:
        verdict = (
            f"The search is complete for auctions of {_offered(coverage.complete_for)}: what is not listed here "
            "differs in none of these. Other acts were searched less far, as is said at the end."
        )
    return [verdict, searched, *coverage.notes]


def positions_sentence(finding: Finding) -> str:
    """How many reachable pairs of positions show it."""
    return f"It shows in {_counted(finding.positions, 'pair')} of positions."


def unread_sentences(behaviour: Behaviour, finding: Finding) -> list[str]:
    """The laws it rests on whose like the other edition may have, for not all of its text was at hand, and the laws of
    either on the same topics that are not known whole."""
    a, b = behaviour.a, behaviour.b
    found = [
        f"{capital(law_name(clause.law.number))} of {one.name}, {clause.law.title} ({topic}): what {other.name} has on "
        "that was not at hand."
        for one, clauses, other in ((a, finding.clauses_a, b), (b, finding.clauses_b, a))
        for topic, clause in unread(clauses, other).items()
    ]
    found += [
        f"{capital(law_name(law.number))} of {edition.name}, {law.title} ({law.topic}): "
        f"{NOT_WHOLE[law.source.evidence]}."
        for edition in (a, b)
        for law in not_whole(finding.clauses, edition)
    ]
    return found


def also_sentences(behaviour: Behaviour, finding: Finding) -> list[str]:
    """The auctions in which other laws are at work, but which differ then, too."""
    found: list[str] = []
    for also in finding.also:
        both = (behaviour.a, also.clauses_a), (behaviour.b, also.clauses_b)
        by = "; ".join(f"{edition.name} {listed(cited(clauses))}" for edition, clauses in both)
        found.append(f"Also {also.witness.notation} (dealer {seat_name(also.witness.dealer)}): {by}.")
    return found


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def answer_questions(witness: Witness) -> Iterator[Question]:
    """What was ruled on the last act and how the auction then stands, question by question, under both editions."""
    answers = (witness.a, witness.b)
    yield Question("ruling", tuple(tuple(_ruling(answer)) for answer in answers))
    if any(answer.afterwards for answer in answers):
        yield Question("of itself", tuple(tuple(_afterwards(answer)) or ("nothing",) for answer in answers))
    yield from questions(answers)


def _ruling(answer: Answer) -> Iterator[str]:
    if answer.verdict is None:
        yield "no such act"
        return
    yield answer.verdict.value
    offences = [offence.phrase for offence in answer.offences] + (["unpenalised"] if answer.unpenalised else [])
    if offences:
        yield ", ".join(offences)


def _afterwards(answer: Answer) -> Iterator[str]:
    for happening in answer.afterwards:
        yield f"{phrase(answer.edition, happening.act)}, {laws_named(happening.because)}"


# -- for a reader ------------------------------------------------------------------------------------------------------


def behaviour_text(behaviour: Behaviour, page: Page) -> Iterator[str]:
    """Each difference for a reader: when they differ, by which laws, the shortest auction, and both answers to it."""
    yield from page.wrap(findings_sentence(behaviour))
    verdict, searched, *notes = coverage_sentences(behaviour.coverage)
    yield from page.wrap(f"{verdict} {searched}")
    for number, finding in enumerate(behaviour.findings, start=1):
        yield ""
        yield page.rule(f"{number}: {finding.kind.value}")
        yield from page.wrap(finding_sentence(finding))
        for line in unread_sentences(behaviour, finding):
            yield from page.wrap(line)
        yield ""
        yield from _columns(behaviour, finding, page)
        if finding.witness is not None:
            yield ""
            yield from page.wrap(positions_sentence(finding))
            for line in also_sentences(behaviour, finding):
                yield from page.wrap(line, 2, 4)
            for line in removal_sentences(behaviour, finding):
                yield from page.wrap(line, 2, 4)
    yield ""
    yield page.rule("what was searched")
    for note in notes:
        yield from page.wrap(note, 0, 2)
    if behaviour.scores is not None:
        yield ""
        yield from scores_text(behaviour.scores, page)


def _columns(behaviour: Behaviour, finding: Finding, page: Page) -> Iterator[str]:
    width = (page.width - _LEFT - 2 * _GAP) // 2
    widths = [_LEFT, width, width]
    names = (behaviour.a.name, behaviour.b.name)
    for line in beside([[""], *(name_lines(name, width) for name in names)], widths, _GAP):
        yield page.paint(line, "bold")
    clauses = (finding.clauses_a, finding.clauses_b)
    by = [[line for text in cited(found) for line in folded(text, width)] for found in clauses]
    yield from beside([["  by"], *by], widths, _GAP)
    witness = finding.witness
    if witness is None:
        return
    yield from page.wrap(f"  auction      {witness.notation}  (dealer {seat_name(witness.dealer)})", 0, _LEFT + _GAP)
    says = [folded(answer.text, width) for answer in (witness.a, witness.b)]
    for question in answer_questions(witness):
        sign = " " if question.alike else page.paint("≠", "mark")
        cells = [[line for text in texts for line in folded(text, width)] for texts in question.answers]
        yield from beside([[f"{sign} {question.name}"], *cells], widths, _GAP)
        if question.name == "ruling":
            yield from beside([["  because"], *says], widths, _GAP)
