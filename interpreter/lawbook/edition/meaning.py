"""What an edition means, as lines of text, and the hash of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from lawbook.edition.declarations import Declarations
from lawbook.edition.model import Clause, Register
from lawbook.language import core, types
from lawbook.language.types import Universe


def content_hash(clauses: Iterable[Clause], meanings: Iterable[str]) -> str:
    """The hash of what an edition means: its clauses in normal form with their law numbers, and what they are read in.
    How anything is explained, and the order of files, has no part in it."""
    digest = hashlib.sha256()
    lines = sorted({*(" | ".join((c.id, c.law.number or "-", *c.normal)) for c in clauses), *meanings})
    digest.update("".join(f"{line}\n" for line in lines).encode())
    return digest.hexdigest()


def meanings_of(
    registers: Mapping[str, Register],
    declarations: Declarations,
    universe: Universe,
    held_while: core.Truth | None,
) -> frozenset[str]:
    """What clauses are read in, a line each: the registers, acts and domains."""
    lines = []
    for r in registers.values():
        indices = [types.type_text(i) for i in r.indices]
        lines.append(
            f"register {r.name} {types.type_text(r.type)} {indices} {r.start} {r.starts_with_dealer} "
            f"{r.put_back.value} {_plain(r.kept_while)} {sorted(r.together)} {r.per_right} {r.totals}"
        )
        for of in (r.type, *r.indices):
            if isinstance(of, types.Enumeration):
                lines.append(f"enumeration {of.name} {universe.enumerations[of.name]}")
    lines += [f"denominations {universe.denominations} {universe.letters}", f"held while {_plain(held_while)}"]
    lines += [f"act {a.name} {a.argument} {sorted(a.groups)} {a.chooses}" for a in declarations.acts.values()]
    lines += [f"binding {phrase} {name}" for name, phrases in declarations.bindings.items() for phrase in phrases]
    lines += [f"column {c.name} {c.key}" for c in declarations.columns.values()]
    lines += [f"interface {k} {v.text}" for k, v in declarations.interface.items()]
    return frozenset(lines)


def _plain(truth: core.Truth | None) -> str:
    """A condition as text, without places."""
    match truth:
        case None:
            return "-"
        case core.Leaf(_, text):
            return text
        case core.All(parts):
            return f"all of({', '.join(map(_plain, parts))})"
        case core.AnyOf(parts):
            return f"any of({', '.join(map(_plain, parts))})"
        case core.Not(inner):
            return f"not({_plain(inner)})"
        case _:
            return repr(truth)
