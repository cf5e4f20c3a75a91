"""What resolving has found before, so that many editions, and many readings of one, share the work.

Everything is kept by the very nodes it was made from, so it holds exactly as long as a file is as it was. What one
clause means depends on the setting it is read in and, for some kinds, on clauses it speaks of; the rest of an edition
has no influence, which is why a file that is being written can be checked at every keystroke.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from lawbook.edition.clauses import Built, Clauses
from lawbook.edition.definitions import Defined, read_definition
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import Clause, Kind, Law
from lawbook.edition.setting import Setting
from lawbook.source.reader import Mapping as MappingNode

_T = TypeVar("_T")

# An edition has some two hundred clauses, and its readings share nearly all of them.
MOST_KEPT: Final = 20_000


@dataclass(slots=True)
class Memory:
    """Results by what they were made from; what was not asked for longest is forgotten first."""

    _kept: dict[Hashable, tuple[object, Any]] = field(default_factory=dict)

    def recall(self, key: Hashable, made_from: object, make: Callable[[], _T]) -> _T:
        """What `make` gives, kept under a key.

        A key may name nodes by their `id`; `made_from` holds on to them, so that no other node can have that id.
        """
        found = self._kept.pop(key, None)
        if found is None:
            found = (made_from, make())
            if len(self._kept) >= MOST_KEPT:
                for old in list(self._kept)[: MOST_KEPT // 4]:
                    del self._kept[old]
        self._kept[key] = found
        result: _T = found[1]
        return result

    def clause(self, builder: Clauses, node: MappingNode, kind: Kind | None, law: Law) -> Clause | None:
        """A clause as the builder reads it; of a definition only what every clause has."""
        key = ("clause", id(node), id(law), id(builder.declarations), builder.depends_on(node, kind))
        made_from = (node, law, builder.declarations)
        built: Built = self.recall(key, made_from, lambda: builder.build_apart(node, law))
        return builder.take(built)

    def defining(self, clause: Clause, normal: tuple[str, ...]) -> Clause:
        """A definition clause with its normal form."""
        return self.recall(("normal", id(clause), normal), clause, lambda: replace(clause, normal=normal))

    def definition(self, setting: Setting, node: MappingNode, law: Law) -> Defined | Expressions:
        """A definition clause."""
        key = ("definition", id(node), law.number, id(setting))
        return self.recall(key, (node, setting), lambda: read_definition(setting.expressions, law, node))
