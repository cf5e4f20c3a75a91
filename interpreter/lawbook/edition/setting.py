"""Declarations in, the setting of an edition's clauses out: its words, the domains they speak of, its registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawbook.edition.declarations import Declarations
from lawbook.edition.expressions import Expressions, Listener
from lawbook.edition.model import Interface, Register
from lawbook.edition.registers import build_registers
from lawbook.errors import Collector
from lawbook.language import core, types
from lawbook.language.check import Checker
from lawbook.language.lexemes import Unreadable, Variable
from lawbook.language.lexer import Lexer
from lawbook.language.types import Universe

_TERMS = ("status", "turn", "contract", "doubling", "declarer", "dummy")


@dataclass(frozen=True, slots=True)
class Setting:
    """What clauses are read in. It is the same for every reading of an edition, since readings choose among clauses.

    `expressions` holds what was found in the registers' and the interface's own expressions, problems included;
    `interface` is None where the vocabulary does not say all of it.
    """

    declarations: Declarations
    universe: Universe
    expressions: Expressions
    registers: Mapping[str, Register]
    facts: Mapping[str, Register]
    sheet: Mapping[str, Register]
    interface: Interface | None
    held_while: core.Truth | None


def setting_of(declarations: Declarations, denominations: tuple[str, ...], listener: Listener | None = None) -> Setting:
    """The setting that declarations make, with the denominations in the edition's order.

    The listener is told of every expression that is read in it, its own included.
    """
    letters = tuple(declarations.letters.get(name, name[:1].upper()) for name in denominations)
    offences = tuple(offence.name for offence in declarations.offences)
    universe = Universe(denominations, letters, declarations.enumerations, offences)
    together = {name: register.together for name, register in declarations.registers.items()}
    checker = Checker(declarations.vocabulary, universe, together)
    exprs = Expressions(Lexer.of(declarations.vocabulary), checker, Collector(), listener=listener)
    registers = build_registers(declarations.registers, universe, exprs)
    facts = build_registers(declarations.facts, universe, exprs)
    # Facts come first among the values of the score sheet, then what it remembers.
    sheet = build_registers(declarations.sheet, universe, exprs, sum(r.size for r in facts.values()))
    interface = _interface(declarations, exprs)
    scope = {p: Variable("caller", types.SEAT) for p in declarations.bindings.get("caller", ("caller",))}
    held = exprs.block(declarations.held_while, "while", scope) if declarations.held_while is not None else None
    return Setting(declarations, universe, exprs, registers, facts, sheet, interface, held)


def _interface(declarations: Declarations, exprs: Expressions) -> Interface | None:
    exprs.law, exprs.clause, exprs.normal = None, None, []
    values: dict[str, core.Value | None] = {}
    for key in _TERMS:
        scalar = declarations.interface.get(key)
        parsed = None if scalar is None else exprs.tree(scalar, "sum", {})
        if parsed is not None and scalar is not None:
            try:
                values[key] = exprs.checker.value(parsed, frozenset())  # type: ignore[arg-type]
            except Unreadable as error:
                exprs.report(scalar, error)
    debarred = declarations.interface.get("debarred")
    truth = None
    if debarred is not None:
        truth = exprs.condition(debarred, {"player": Variable("that", types.SEAT)}, frozenset())
    if len(values) < len(_TERMS) or truth is None:
        missing = [key for key in _TERMS if key not in values]
        missing += ["debarred"] if truth is None else []
        exprs.problems.error(
            "no-interface",
            f"no vocabulary of this edition says what these are: {', '.join(missing)}",
            None,
            help="a vocabulary file names them under `interface:`",
        )
        return None
    return Interface(**values, debarred=truth)  # type: ignore[arg-type]
