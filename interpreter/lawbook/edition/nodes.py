"""Small questions asked of YAML nodes."""

from __future__ import annotations

from lawbook.source.reader import Node, Scalar


def text_of(node: Node | None) -> str:
    """The text of a scalar with white space folded, or nothing."""
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def texts_of(node: Node | None) -> list[Scalar]:
    """The scalars of a list, or of a single scalar taken as a list of one."""
    if node is None:
        return []
    if isinstance(node, Scalar):
        return [node]
    return [item for item in getattr(node, "items", ()) if isinstance(item, Scalar)]
