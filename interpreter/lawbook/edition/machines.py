"""An edition runs two machines, the auction and the score sheet; no clause of the one reads registers of the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lawbook.edition.model import Clause, Effect, Register
from lawbook.errors import Collector
from lawbook.language import core
from lawbook.records import dataclass


@dataclass(frozen=True, slots=True)
class Mentions:
    """The registers that something reads or writes itself, and the definitions and primitives it uses."""

    registers: frozenset[str]
    definitions: frozenset[str]
    primitives: frozenset[str]


_NOTHING: Final = Mentions(frozenset(), frozenset(), frozenset())

# Editions share most of their clauses, and the same is asked of each again and again.
_MOST_KNOWN: Final = 20_000
_known: Final[dict[int, tuple[object, Mentions]]] = {}


def mentions_of(node: object) -> Mentions:
    """What a clause, a definition or a tree mentions, not what the definitions it uses do."""
    if node is None:
        return _NOTHING
    if isinstance(node, tuple):
        found = [mentions_of(part) for part in node]
        return Mentions(
            frozenset().union(*(part.registers for part in found)),
            frozenset().union(*(part.definitions for part in found)),
            frozenset().union(*(part.primitives for part in found)),
        )
    known = _known.get(id(node))
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        # What is told by its identity has to live as long as what is known of it.
        known = _known[id(node)] = (node, _looked_through(node))
    return known[1]


def _looked_through(node: object) -> Mentions:
    registers: set[str] = set()
    used: set[str] = set()
    primitives: set[str] = set()
    for part in parts_of(node.body if isinstance(node, core.Definition) else node):
        register = getattr(part, "register", None)
        if isinstance(register, str):
            registers.add(register)
        if isinstance(part, core.Use):
            used.add(part.definition)
        elif isinstance(part, core.Operate):
            primitives.add(part.primitive)
    return Mentions(frozenset(registers), frozenset(used), frozenset(primitives))


def registers_of(node: object, definitions: Mapping[str, core.Definition]) -> set[str]:
    """The registers that a clause or a tree reads or writes, through definitions too."""
    return set().union(*(mentions.registers for mentions in _mentioned(node, definitions)))


def primitives_of(node: object, definitions: Mapping[str, core.Definition]) -> set[str]:
    """The primitives that a clause or a tree uses, through definitions too."""
    return set().union(*(mentions.primitives for mentions in _mentioned(node, definitions)))


def definitions_of(node: object, definitions: Mapping[str, core.Definition]) -> set[str]:
    """The definitions that a clause or a tree uses, through definitions too."""
    return set().union(*(mentions.definitions for mentions in _mentioned(node, definitions))) & definitions.keys()


def _mentioned(node: object, definitions: Mapping[str, core.Definition]) -> Iterator[Mentions]:
    used: set[str] = set()
    pending: list[object] = [node]
    while pending:
        direct = mentions_of(pending.pop())
        yield direct
        pending.extend(definitions[name] for name in direct.definitions - used if name in definitions)
        used |= direct.definitions


def check_machines(
    clauses: Iterable[Clause],
    definitions: Mapping[str, core.Definition],
    auction: Mapping[str, Register],
    sheet: Mapping[str, Register],
    problems: Collector,
) -> None:
    """Report every clause that reads or writes, itself or through definitions, what its machine does not have."""
    kinds = {clause.id: clause for clause in clauses}
    behind = {name: registers_of(definition, definitions) for name, definition in definitions.items()}
    # Nearly all clauses speak of nothing foreign, which is seen without gathering what they do speak of.
    of_auction = frozenset(name for name, found in behind.items() if not found.isdisjoint(auction))
    of_sheet = frozenset(name for name, found in behind.items() if not found.isdisjoint(sheet))
    for clause in kinds.values():
        scores = clause.scores is not None or any(t in kinds and kinds[t].scores is not None for t in clause.targets)
        foreign, through = (auction, of_auction) if scores else (sheet, of_sheet)
        direct = mentions_of(clause)
        if direct.registers.isdisjoint(foreign) and direct.definitions.isdisjoint(through):
            continue
        for name in sorted(registers_of(clause, definitions) & foreign.keys()):
            problems.error(
                "foreign-register",
                f"`{clause.id}` is a clause of the {'score sheet' if scores else 'auction'}, which does not know "
                f"the {name}",
                clause.span,
                law=clause.law.number,
                clause=clause.id,
            )


def effects_of(clause: Clause) -> Iterator[Effect]:
    """Everything a clause can do, by itself or by what it lets somebody choose."""
    yield from clause.effects
    for choice in (*clause.choices, *(clause.remedy.choices if clause.remedy is not None else ())):
        yield from choice.effects


def variables_of(node: object) -> set[str]:
    """The names that a tree expects to be bound."""
    return {part.name for part in parts_of(node) if isinstance(part, core.Variable)}


def parts_of(node: object) -> Iterator[object]:
    """A tree's nodes, itself first; a clause's law and place are no part of its meaning."""
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, tuple | frozenset):
            pending.extend(reversed(tuple(part)))
        elif names := _fields_of(type(part)):
            pending.extend(getattr(part, name) for name in reversed(names))


_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a tree's node that are part of its meaning; none of what is no such node."""
    found = _fields.get(kind)
    if found is None:
        every: tuple[str, ...] = getattr(kind, "__match_args__", ())
        found = _fields[kind] = tuple(name for name in every if name not in ("law", "span", "type"))
    return found
