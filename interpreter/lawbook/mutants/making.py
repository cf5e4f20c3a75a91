"""Making: a clause in, every mutant of it out: the clause with one thing altered.

A mutant is a way through a clause's tree and what stands at its end instead, so that it can be made of the clause in
every edition that takes it. The edition around it stays what was resolved; no file is read again.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, assert_never

from lawbook.coverage.goals import What, choices_of, place_of
from lawbook.edition.model import Assign, Clause, Edition, Effect, Fate, FateKind, Kind, LetStand
from lawbook.language import core
from lawbook.language.types import SEAT, Number, Optional, SetOf
from lawbook.sections import sections_of

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
"""A way through a tree: names of fields, places in lists. It begins at the clause or, with `body` or `table`, at what
the clause defines."""

_DEFINED: Final = frozenset({"body", "table"})
_GONE: Final = object()


class Change(enum.Enum):
    """What is altered."""

    LEFT_OUT = "clause left out"
    NEGATED = "condition negated"
    DROPPED = "condition dropped"
    NUMBER = "number changed by one"
    HOLDER = "holder changed"
    DEADLINE = "deadline dropped"
    CHOICE = "choice removed"
    EFFECT = "effect removed"
    TARGET = "one of several taken from a list"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One alteration of a clause: what is changed, in words, the way to it, and what is there instead.

    `leaf` is the place (line, column) of the condition it is in, if in one; `seen` what must have been seen of the
    condition or the clause for the alteration to change anything.
    """

    clause: Clause
    change: Change
    text: str
    path: Path = ()
    instead: object = None
    leaf: tuple[int, int] | None = None
    seen: What | None = None

    def __str__(self) -> str:
        return f"{self.clause.id}: {self.change.value}" + (f": {self.text}" if self.text else "")


def made(mutant: Mutant, edition: Edition) -> Edition | None:
    """The edition with the alteration; None where it does not take the clause."""
    place = place_of(mutant.clause)
    clause = edition.by_id.get(mutant.clause.id)
    if clause is None or place_of(clause) != place:
        return None
    if mutant.path and mutant.path[0] in _DEFINED:
        definitions = {
            word: _altered(definition, mutant.path, mutant.instead) if definition.clause == clause.id else definition
            for word, definition in edition.definitions.items()
        }
        return replace(edition, definitions=definitions)
    clauses = [c for c in edition.clauses if c is not clause]
    if mutant.change is not Change.LEFT_OUT:
        changed = _altered(clause, mutant.path, mutant.instead)
        clauses = [changed if c is clause else c for c in edition.clauses]
    return replace(edition, clauses=tuple(clauses), by_id={c.id: c for c in clauses})


def _altered(node: Any, path: Path, instead: object) -> Any:
    """The tree with something else at the end of a way, or nothing where a list's member is gone."""
    if not path:
        return instead(node) if callable(instead) else instead
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        if not rest and instead is _GONE:
            return (*node[:step], *node[step + 1 :])
        return (*node[:step], _altered(node[step], rest, instead), *node[step + 1 :])
    return replace(node, **{step: _altered(getattr(node, step), rest, instead)})


# -- every mutant of a clause ------------------------------------------------------------------------------------------


def mutants_of(clause: Clause, edition: Edition) -> Iterator[Mutant]:
    """Every mutant of a clause, as it stands in an edition, in a fixed order."""
    if clause.kind is not Kind.DEFINITION:
        yield Mutant(clause, Change.LEFT_OUT, "")
    for path, tree in conditions_of(clause, edition):
        yield from _of_condition(clause, path, tree)
    yield from _numbers(clause, edition)
    yield from _of_remedy(clause, edition)
    yield from _of_effects(clause, edition)
    yield from _of_lists(clause, edition)


def conditions_of(clause: Clause, edition: Edition) -> Iterator[tuple[Path, core.Truth]]:
    """The conditions of a clause, each with the way to it."""
    if clause.kind is Kind.DEFINITION:
        for definition in edition.definitions.values():
            if definition.clause == clause.id:
                yield from _of_body(("body",), definition.body)
        return
    if clause.remedy is not None:
        yield ("remedy", "opened"), clause.remedy.opened
    if clause.once is not None:
        yield ("once",), clause.once
    yield ("condition",), clause.condition
    if clause.unless is not None:
        yield ("unless",), clause.unless


def _of_body(path: Path, body: object) -> Iterator[tuple[Path, core.Truth]]:
    match body:
        case core.Leaf() | core.All() | core.AnyOf() | core.Not():
            yield path, body
        case core.Provided(condition, value):
            yield (*path, "condition"), condition
            yield from _of_body((*path, "value"), value)
        case core.First(_, _, such_that, otherwise):
            yield (*path, "such_that"), such_that
            yield from _of_body((*path, "otherwise"), otherwise)
        case _:
            return


def _of_condition(clause: Clause, path: Path, tree: core.Truth) -> Iterator[Mutant]:
    leaves = list(_leaves(path, tree, None))
    if len(leaves) > 1:
        yield Mutant(clause, Change.NEGATED, "all that is asked together", path, core.Not(tree))
    for leaf_path, leaf, _ in leaves:
        place = (leaf.line, leaf.column)
        yield Mutant(clause, Change.NEGATED, leaf.text, leaf_path, _negated, place)
    for leaf_path, leaf, within in leaves:
        place = (leaf.line, leaf.column)
        if within is not None:
            # Taken from a list, a condition counts as true among those that must all be so, else as false.
            seen = What.FAILS if within is core.All else What.HOLDS
            yield Mutant(clause, Change.DROPPED, leaf.text, leaf_path, _GONE, place, seen)
        elif path != ("unless",):
            yield Mutant(clause, Change.DROPPED, leaf.text, leaf_path, core.TRUE, place, What.FAILS)
    if path == ("unless",):
        yield Mutant(clause, Change.DROPPED, "all of its `unless`", path, None, seen=What.SETS_ASIDE)


def _negated(node: core.Truth) -> core.Truth:
    return core.Not(node)


def _leaves(
    path: Path, tree: core.Truth, within: type[core.All] | type[core.AnyOf] | None
) -> Iterator[tuple[Path, core.Leaf, type[core.All] | type[core.AnyOf] | None]]:
    """The conditions of a tree, each with the way to it and what kind of list it is one of several in."""
    match tree:
        case core.Leaf():
            yield path, tree, within
        case core.All(parts) | core.AnyOf(parts):
            for at, part in enumerate(parts):
                yield from _leaves((*path, "parts", at), part, type(tree) if len(parts) > 1 else None)
        case core.Not(inner):
            yield from _leaves((*path, "of"), inner, None)
        case _:
            return


def _numbers(clause: Clause, edition: Edition) -> Iterator[Mutant]:
    """Every number a clause names, one more and one less."""
    roots: list[tuple[Path, object, str]] = [
        (path, tree, "") for path, tree in conditions_of(clause, edition) if clause.kind is not Kind.DEFINITION
    ]
    if clause.kind is Kind.DEFINITION:
        for definition in edition.definitions.values():
            if definition.clause == clause.id:
                roots.append((("body",), definition.body, definition.word))
                yield from _rows(clause, definition, edition)
    else:
        texts = effect_texts(clause, edition)
        roots += [(path, effect, texts.get(path, "")) for path, effect in effects_of(clause)]
    for path, root, text in roots:
        for at, constant, leaf in _constants(path, root, None):
            assert constant.value is not None
            for other in (constant.value + 1, constant.value - 1):
                if other < 0 or not _fits(root, path, at, other, edition):
                    continue
                said = f"{constant.value} becomes {other} in: {text if leaf is None else leaf.text}"
                place = None if leaf is None else (leaf.line, leaf.column)
                instead = replace(constant, value=other, type=Number(other, other))
                seen = None if leaf is not None or clause.kind is Kind.DEFINITION else _done(at)
                yield Mutant(clause, Change.NUMBER, said, at, instead, place, seen)


def _constants(
    path: Path, node: object, leaf: core.Leaf | None
) -> Iterator[tuple[Path, core.Constant, core.Leaf | None]]:
    if isinstance(node, core.Constant):
        if isinstance(node.type, Number) and node.value is not None:
            yield path, node, leaf
    elif isinstance(node, tuple):
        for at, item in enumerate(node):
            yield from _constants((*path, at), item, leaf)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        inside = node if isinstance(node, core.Leaf) else leaf
        for field in dataclasses.fields(node):
            yield from _constants((*path, field.name), getattr(node, field.name), inside)


def _fits(root: object, path: Path, at: Path, value: int, edition: Edition) -> bool:
    """Whether a register could still take all that may be written to it, as the checker asks."""
    if not isinstance(root, Assign) or at[: len(path) + 1] != (*path, "value"):
        return True
    known = {**edition.facts, **edition.sheet, **edition.registers}
    of = known[root.register].type
    of = of.of if isinstance(of, Optional) else of
    if not isinstance(of, Number):
        return True
    low, high = _range(_altered(root.value, at[len(path) + 1 :], core.Constant(value, Number(value, value))))
    return of.low <= low and high <= of.high


def _range(node: core.Value) -> tuple[int, int]:
    """The least and the most that a number can come to."""
    if isinstance(node, core.Arithmetic):
        (a, b), (c, d) = _range(node.left), _range(node.right)
        match node.operator:
            case "plus":
                return a + c, b + d
            case "minus":
                return a - d, b - c
            case "times":
                products = (a * c, a * d, b * c, b * d)
                return min(products), max(products)
            case "lesser":
                return min(a, c), min(b, d)
            case "greater":
                return max(a, c), max(b, d)
            case _:
                assert_never(node.operator)
    return (node.type.low, node.type.high) if isinstance(node.type, Number) else (0, 0)


def _rows(clause: Clause, definition: core.Definition, edition: Edition) -> Iterator[Mutant]:
    """The numbers of a table, one more and one less."""
    word = next((w for w in edition.vocabulary.canonical.values() if w.target == definition.word), None)
    if definition.table is None or word is None or not isinstance(word.gives, Number):
        return
    rows = next((s.items for s in sections_of(clause, edition) if s.heading == "rows"), ())
    for at, value in enumerate(definition.table):
        name = str(rows[at]) if at < len(rows) else f"{at}"
        for other in (value + 1, value - 1):
            if word.gives.low <= other <= word.gives.high:
                yield Mutant(clause, Change.NUMBER, f"{value} becomes {other} in: {name}", ("table", at), other)


def _of_remedy(clause: Clause, edition: Edition) -> Iterator[Mutant]:
    remedy = clause.remedy
    if remedy is not None:
        said = next((str(s.items[0]) for s in sections_of(clause, edition) if s.heading == "holder" and s.items), "")
        offender = core.Variable("offender", SEAT)
        if isinstance(remedy.holder.type, SetOf):
            for side in ("left", "right"):
                who = core.Operate(side, (offender,), SEAT)
                text = f"{said} becomes the offender's {side} neighbour"
                yield Mutant(clause, Change.HOLDER, text, ("remedy", "holder"), who, seen=What.APPLIES)
        else:
            who = core.Operate("partner", (remedy.holder,), SEAT)
            if not isinstance(remedy.holder.type, Optional):
                text = f"{said} becomes the partner of {said}"
                yield Mutant(clause, Change.HOLDER, text, ("remedy", "holder"), who, seen=What.APPLIES)
        if clause.trigger is not None:
            until = next((str(s.items[0]) for s in sections_of(clause, edition) if s.heading == "until"), "")
            yield Mutant(clause, Change.DEADLINE, until, ("trigger",), None, seen=What.APPLIES)
    for at, choice in enumerate(choices_of(clause)):
        path: Path = ("choices", at) if remedy is None else ("remedy", "choices", at)
        yield Mutant(clause, Change.CHOICE, choice.act, path, _GONE)


def effects_of(clause: Clause) -> Iterator[tuple[Path, Effect]]:
    """The effects of a clause and of its choices, each with the way to it."""
    for at, effect in enumerate(clause.effects):
        yield ("effects", at), effect
    head: Path = ("choices",) if clause.remedy is None else ("remedy", "choices")
    for number, choice in enumerate(choices_of(clause)):
        for at, effect in enumerate(choice.effects):
            yield (*head, number, "effects", at), effect


def effect_texts(clause: Clause, edition: Edition) -> dict[Path, str]:
    """What each effect says, by the way to it."""
    sections = {section.heading: section.items for section in sections_of(clause, edition)}
    own = sections.get("effects") or sections.get("for") or ()
    head: Path = ("choices",) if clause.remedy is None else ("remedy", "choices")
    found: dict[Path, str] = {("effects", at): str(text) for at, text in enumerate(own)}
    for number, choice in enumerate(choices_of(clause)):
        for at, text in enumerate(sections.get(f"choice {choice.act}", ())):
            found[(*head, number, "effects", at)] = str(text)
    return found


def _of_effects(clause: Clause, edition: Edition) -> Iterator[Mutant]:
    texts = effect_texts(clause, edition)
    for path, effect in effects_of(clause):
        # To let a call stand is to do nothing to it.
        if not isinstance(effect, LetStand):
            yield Mutant(clause, Change.EFFECT, texts.get(path, type(effect).__name__), path, _GONE, seen=_done(path))
    if clause.fate is not None and clause.fate.kind not in (FateKind.STANDS, FateKind.STANDS_MEANWHILE):
        said = next((str(s.items[0]) for s in sections_of(clause, edition) if s.heading == "the call"), "")
        yield Mutant(clause, Change.EFFECT, f"the call {said}", ("fate",), Fate(FateKind.STANDS), seen=What.APPLIES)


def _done(path: Path) -> What:
    """What must have been seen for an effect to have been done."""
    return What.APPLIES if path[0] == "effects" else What.CHOSEN


def _of_lists(clause: Clause, edition: Edition) -> Iterator[Mutant]:
    """Lists of what a clause speaks of, shorter by one."""
    if len(clause.targets) > 1:
        for at, target in enumerate(clause.targets):
            yield Mutant(clause, Change.TARGET, target, ("targets", at), _GONE)
    if clause.remedy is not None and len(clause.remedy.offences) > 1:
        for number in sorted(clause.remedy.offences):
            others = clause.remedy.offences - {number}
            yield Mutant(
                clause, Change.TARGET, edition.offences[number].phrase, ("remedy", "offences"), frozenset(others)
            )
