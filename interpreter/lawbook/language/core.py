"""The core: what a checked expression means, with every name resolved and every type known.

Values are whole numbers (see `types.Universe`), sets are bit masks, nothing is None. A core tree cannot fail to
evaluate: the checker made sure that every optional value is guarded and every bound is kept.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from lawbook.language.types import Operator, Type
from lawbook.records import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that stands for a value, or None for nothing."""

    value: int | None
    type: Type


@dataclass(frozen=True, slots=True)
class Variable:
    """A name bound by the clause or the definition around it."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a register, for the given side, seat or denomination where it is kept for each."""

    register: str
    arguments: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Operate:
    """An operation of the table itself: the partner of a seat, the tricks of a bid."""

    primitive: str
    arguments: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Use:
    """A function, term, table, relation or quality that a law defines."""

    definition: str
    arguments: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Plus, minus, times and the lesser of two."""

    operator: Operator
    left: Value
    right: Value
    type: Type


@dataclass(frozen=True, slots=True)
class First:
    """The first member of a domain of which a condition holds, or else another value."""

    variable: str
    domain: Type
    such_that: Truth
    otherwise: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Provided:
    """A value where a condition holds, and nothing where it does not."""

    condition: Truth
    value: Value
    type: Type


Value: TypeAlias = Constant | Variable | Read | Operate | Use | Arithmetic | First | Provided


@dataclass(frozen=True, slots=True)
class Present:
    """There is such a value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Ordered:
    """Equality or order of two numbers."""

    comparator: Literal["equal", "at_most", "less"]
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Among:
    """Membership of a set."""

    item: Value
    group: Value


@dataclass(frozen=True, slots=True)
class Not:
    """The contrary."""

    of: Truth


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds. No parts: true."""

    parts: tuple[Truth, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds. No parts: false."""

    parts: tuple[Truth, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Some member of a domain has it."""

    variable: str
    domain: Type
    body: Truth


@dataclass(frozen=True, slots=True)
class Leaf:
    """One condition as an author wrote it: the text in canonical form, and where it stands."""

    of: Truth
    text: str
    line: int
    column: int


Truth: TypeAlias = Present | Ordered | Among | Not | All | AnyOf | Some | Leaf | Operate | Use | Constant

TRUE = All(())


@dataclass(frozen=True, slots=True)
class Definition:
    """What a law says a word means: its parameters and its body, or a table over one finite domain."""

    word: str
    clause: str
    parameters: tuple[tuple[str, Type], ...]
    body: Value | Truth | None
    table: tuple[int, ...] | None = None
