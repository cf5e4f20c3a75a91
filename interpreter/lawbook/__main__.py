"""`lawbook`, the command, also as `python -m lawbook`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command with the program's arguments; returns its exit status."""
    try:
        from lawbook.shell.application import run
    except KeyboardInterrupt:
        # Interrupted before there was anything to interrupt.
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
