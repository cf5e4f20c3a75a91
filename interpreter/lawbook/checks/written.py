"""What is not written yet of a law: clauses, and what a clause says; examples in which nothing is ruled on, or which
cannot be told apart; readings between which nothing chooses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lawbook.diagnostics import Diagnostic, Label, Severity
from lawbook.edition.declarations import entries
from lawbook.edition.nodes import text_of, texts_of
from lawbook.edition.taking import Taken
from lawbook.source.reader import Mapping, Scalar

# What an example expects of the ruling on its last act.
_OF_A_RULING: Final = ("verdict", "offences", "because", "unpenalised", "defeated")


def check_written(taken: Taken) -> Iterator[Diagnostic]:
    """`no-clauses`, `missing-says`, `example-without-act` and `example-called-twice` in one law."""
    yield from _check_clauses(taken)
    yield from _check_acts(taken)
    yield from _check_sentences(taken)


def _check_clauses(taken: Taken) -> Iterator[Diagnostic]:
    law, clauses = taken.law.number, list(entries(taken.node, "clauses"))
    listed = taken.node.get("clauses")
    if not clauses and listed is not None and not any(taken.node.get(key) for key in ("sets aside", "declares")):
        message = "this law has no clauses, so nothing follows from it"
        help = "write its clauses, or under `sets aside` which clauses of the code no longer hold"
        yield Diagnostic("no-clauses", Severity.WARNING, message, listed.span, help=help, law=law)
    for clause in clauses:
        identifier = clause.get("id")
        if isinstance(identifier, Scalar) and clause.get("says") is None:
            name, place = identifier.text, identifier.span
            message = f"nothing tells in a sentence what `{name}` says"
            help = "write it under `says:`; rulings and comparisons show it as their reason"
            yield Diagnostic("missing-says", Severity.WARNING, message, place, help=help, law=law, clause=name)


def _check_acts(taken: Taken) -> Iterator[Diagnostic]:
    law = taken.law.number
    for example in entries(taken.node, "examples"):
        if text_of(example.get("act")) or text_of(example.get("auction")):
            continue
        expect = example.get("expect")
        each = [value for _, value in expect.entries] if isinstance(expect, Mapping) else []
        parts = (example, *(value for value in each if isinstance(value, Mapping)))
        expected = [key for part in parts for key, _ in part.entries if key.text in _OF_A_RULING]
        for key in expected[:1]:
            message = f"this example expects a ruling (`{key.text}`), and nobody does anything in it"
            help = "write under `act:` what is ruled on"
            yield Diagnostic("example-without-act", Severity.WARNING, message, key.span, help=help, law=law)


def _check_sentences(taken: Taken) -> Iterator[Diagnostic]:
    seen: dict[str, list[tuple[Scalar, frozenset[str]]]] = {}
    for example in (*entries(taken.node, "examples"), *entries(taken.node, "deals")):
        that = example.get("that")
        if not isinstance(that, Scalar):
            continue
        called, editions = seen.setdefault(text_of(that), []), _editions(example)
        # Codes that share a file may each have an example of one sentence.
        other = next((scalar for scalar, named in called if not (named and editions) or named & editions), None)
        if other is not None:
            message = f"two examples of this file are called `{text_of(that)}`"
            label = Label(other.span, "the other is here")
            help = "say in each what it shows; under `changed examples` they are told apart by it"
            yield Diagnostic(
                "example-called-twice",
                Severity.WARNING,
                message,
                that.span,
                (label,),
                help=help,
                law=taken.law.number,
            )
        called.append((that, editions))


def _editions(example: Mapping) -> frozenset[str]:
    """The editions for which an example is, without their readings; none where it is for all that take its file."""
    expect = example.get("expect")
    named = [key for key, _ in expect.entries] if isinstance(expect, Mapping) else texts_of(example.get("editions"))
    return frozenset(scalar.text.split("@")[0] for scalar in named)


def check_readings(readings: Iterable[Mapping], laws: Iterable[Taken]) -> Iterator[Diagnostic]:
    """`idle-reading`: choices of an edition's own readings under none of which any clause of its laws stands, so that
    it makes no difference which of them is taken. A reading of one choice only tells how the text is understood."""
    spoken: set[tuple[str, str]] = set()
    for law in laws:
        for clause in entries(law.node, "clauses"):
            under = clause.get("under")
            for reading, choices in under.entries if isinstance(under, Mapping) else ():
                spoken.update((reading.text, choice.text) for choice in texts_of(choices))
    for node in readings:
        name, offered = node.get("name"), node.get("choices")
        if not isinstance(name, Scalar) or not isinstance(offered, Mapping):
            continue
        idle = [choice.text for choice, _ in offered.entries if (name.text, choice.text) not in spoken]
        if len(idle) > 1:
            message = f"no clause stands under {_listed(idle)}, so it is all one which of them is chosen"
            first = next(choice for choice in idle if choice != text_of(node.get("default")))
            help = f"write a clause with `under: {{{name.text}: {first}}}` in the law that is open"
            yield Diagnostic("idle-reading", Severity.WARNING, message, name.span, help=help)


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
