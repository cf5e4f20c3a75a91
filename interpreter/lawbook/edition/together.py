"""Registers declared `present with` one another: every effect keeps them so, or a guard for one would mislead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lawbook.edition.declarations import RegisterNode
from lawbook.edition.model import Assign, Clause, Effect, Register
from lawbook.errors import Collector
from lawbook.language import core
from lawbook.language.types import Optional


def check_together(
    clauses: Iterable[Clause],
    registers: Mapping[str, Register],
    declared: Mapping[str, RegisterNode],
    problems: Collector,
) -> None:
    """Report registers that cannot stay together as declared, and each clause that would tear them apart."""
    pairs = {frozenset({name, other}) for name, register in registers.items() for other in register.together}
    # What is no such pair at all has been reported where it is declared.
    optional = {name for name, register in registers.items() if isinstance(register.type, Optional)}
    pairs = {pair for pair in pairs if pair <= optional and len(pair) == 2}
    for one, other in sorted(sorted(pair) for pair in pairs):
        first, second = registers[one], registers[other]
        for what, differ in (
            ("start", (first.start is None) != (second.start is None)),
            ("are put back", first.put_back is not second.put_back),
            ("are kept", (first.kept_while is None) != (second.kept_while is None)),
            ("are kept for each", first.indices != second.indices),
        ):
            if differ:
                apart = f"`{one}` and `{other}` cannot be present together: they {what} differently"
                problems.error("torn-apart", apart, declared[one].node.span)
    paired = {name for pair in pairs for name in pair}
    for clause in clauses:
        for effects in _written_together(clause):
            if not effects:
                continue
            written = {effect.register for effect in effects if isinstance(effect, Assign)}
            if written.isdisjoint(paired):
                continue
            for one, other in sorted(sorted(pair) for pair in pairs if not written.isdisjoint(pair)):
                if (message := _torn(effects, one, other)) is not None:
                    problems.error(
                        "torn-apart",
                        message,
                        clause.span,
                        help=f"the {one} is present exactly when the {other} is: give both a value, or both nothing",
                        law=clause.law.number,
                        clause=clause.id,
                    )


def _written_together(clause: Clause) -> Iterator[tuple[Effect, ...]]:
    yield clause.effects
    for choice in (*clause.choices, *(clause.remedy.choices if clause.remedy is not None else ())):
        yield choice.effects


def _torn(effects: Iterable[Effect], one: str, other: str) -> str | None:
    """What tears two registers apart among effects that are written together, or None."""
    written: dict[str, dict[tuple[core.Value, ...], core.Value]] = {one: {}, other: {}}
    for effect in effects:
        if isinstance(effect, Assign) and effect.register in written:
            written[effect.register][effect.arguments] = effect.value
    for arguments in sorted({*written[one], *written[other]}, key=repr):
        values = [written[name].get(arguments) for name in (one, other)]
        if None in values:
            has, lacks = (one, other) if values[0] is not None else (other, one)
            return f"the {has} is written, and the {lacks} is not"
        present = [_is_present(value) for value in values if value is not None]
        if None in present or present[0] is not present[1]:
            return f"the {one} and the {other} may not both be there after this"
    return None


def _is_present(value: core.Value) -> bool | None:
    """Whether a value is there; None where that cannot be told."""
    if isinstance(value, core.Constant):
        return value.value is not None
    return None if isinstance(value.type, Optional) else True
