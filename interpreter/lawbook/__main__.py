"""`lawbook`, the command, also as `python -m lawbook`."""

from __future__ import annotations

import gc
import sys
from typing import Final

_OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000


def main() -> int:
    """Run the command with the program's arguments; returns its exit status."""
    # A start makes many objects that stay and hardly any that refer to each other in a circle: it is not worth looking
    # for these as often as Python does.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        from lawbook.shell.application import run
    except KeyboardInterrupt:
        # Interrupted before there was anything to interrupt.
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
