"""Where in a file's nodes a place is: the steps down to it, and the text that stands there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from lawbook.diagnostics import Span
from lawbook.server.texts import Text
from lawbook.source.reader import Mapping, Node, Scalar, Sequence
from lawbook.source.tolerant import read_tolerantly

Steps: TypeAlias = tuple[str | int, ...]

# Stands in the text where the cursor is; no keyboard has it.
MARK: Final = "\ue000"


@dataclass(frozen=True, slots=True)
class Spot:
    """A text in a file: the steps to it from the root (keys and numbers of items), the nodes on the way, the root first
    and not itself among them, and whether it is a key; the last step is then that key."""

    steps: Steps
    around: tuple[Node, ...]
    scalar: Scalar
    is_key: bool

    @property
    def mapping(self) -> Mapping | None:
        """The keys among which the text stands, or whose value it is or is an item of."""
        return next((node for node in reversed(self.around) if isinstance(node, Mapping)), None)


def spot_at(root: Node, line: int, column: int) -> Spot | None:
    """The key or text at a line and column, its ends included; None where there is none."""
    steps: Steps = ()
    around: tuple[Node, ...] = ()
    node = root
    while not isinstance(node, Scalar):
        around = (*around, node)
        if isinstance(node, Mapping):
            for key, _ in node.entries:
                if _holds(key.span, line, column):
                    return Spot((*steps, key.text), around, key, True)
            inside = [(key.text, value) for key, value in node.entries if _holds(value.span, line, column)]
            step: tuple[str | int, Node] | None = inside[-1] if inside else None
        else:
            items = [(at, item) for at, item in enumerate(node.items) if _holds(item.span, line, column)]
            step = items[-1] if items else None
        if step is None:
            return None
        steps, node = (*steps, step[0]), step[1]
    return Spot(steps, around, node, False) if _holds(node.span, line, column) else None


def marked(text: Text, line: int, column: int, file: str) -> tuple[Node, Spot] | None:
    """The nodes of a file with `MARK` where the cursor is, and the text that holds it."""
    at = text.offset(line, column)
    content = text.without_mark
    root = read_tolerantly(f"{content[:at]}{MARK}{content[at:]}", file)
    spot = spot_at(root, line, column + 1)
    return None if spot is None or MARK not in spot.scalar.text else (root, spot)


def node_at(root: Node, steps: Steps) -> Node | None:
    """The node at the end of some steps."""
    node: Node | None = root
    for step in steps:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
