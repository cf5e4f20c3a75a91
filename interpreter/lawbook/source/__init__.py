"""The first stage: YAML text becomes nodes that know their places, checked for their shape.

`reader` reads and refuses what YAML offers beyond plain lists, keys and text; `shape` checks against a JSON Schema.
"""

from lawbook.source.reader import Mapping, Node, Scalar, Sequence, plain, read, read_file
from lawbook.source.shape import validate

__all__ = ["Mapping", "Node", "Scalar", "Sequence", "plain", "read", "read_file", "validate"]
