"""Examples of the codes an edition is based on: whether there are those which it declares to be changed.

Whether they are changed is seen only where they are run, by `lawbook test`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.nodes import text_of, texts_of
from lawbook.edition.taking import Taken
from lawbook.source.reader import Mapping, Scalar


def check_changed(declared: Iterable[Mapping], edition: str, laws: Iterable[Taken]) -> Iterator[Diagnostic]:
    """`unknown-example`: what is declared under `changed examples` of law files that the edition does not inherit, or
    of sentences that no example of them has."""
    inherited = {taken.law.file: taken for taken in laws if taken.law.source.edition != edition}
    for node in declared:
        of = node.get("of")
        if not isinstance(of, Scalar):
            continue
        taken = inherited.get(of.text)
        if taken is None:
            message = f"{edition} inherits no law file {of.text}"
            yield _unknown(message, of, inherited)
            continue
        known = {text_of(example.get("that")) for key in ("examples", "deals") for example in entries(taken.node, key)}
        for that in texts_of(node.get("that")):
            if text_of(that) not in known:
                yield _unknown(f"no example of {of.text} is called so", that, known)


def _unknown(message: str, scalar: Scalar, names: Iterable[str]) -> Diagnostic:
    meant = nearest(text_of(scalar), names)
    return Diagnostic("unknown-example", Severity.ERROR, message, scalar.span, suggestion=meant)
