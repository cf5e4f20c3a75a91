"""The parser's events, from whichever of PyYAML's two parsers can give them.

The one in C is ten times as fast, and gives the same events with the same places for texts such as authors write. For
some it is more lenient or counts otherwise, and what it refuses it explains in other words; those texts are for the
parser in Python alone, whose complaints are told to authors. So what is read does not depend on whether the one in C
is installed.
"""

from __future__ import annotations

import re
from typing import Any, Final

from yaml import events as yaml_events
from yaml.error import YAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

# Tabs, question marks and tags within brackets are read by the one and refused by the other; behind a colon with no
# value before a comma or a bracket they place the missing value differently.
_UNLIKE: Final = re.compile(r"[\t?!&*%\x85\u2028\u2029\ufeff]|:\s*[,\]}]")


class Events(Reader, Scanner, Parser):
    """PyYAML's parser in Python without the stages after it, which compose by recursion and guess types."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def next_event(self) -> yaml_events.Event | None:
        """The next event; None after the last."""
        event: yaml_events.Event | None = self.get_event()  # type: ignore[no-untyped-call]
        return event


def _parser_in_c() -> Any:
    """PyYAML's parser in C, or None where PyYAML was built without it."""
    try:
        from yaml import cyaml
    except ImportError:
        return None
    return cyaml.CParser  # type: ignore[attr-defined]


_IN_C: Final = _parser_in_c()


def quick_events(text: str) -> list[yaml_events.Event] | None:
    """All events of a text that both parsers read alike; None where it is for the one in Python to read or refuse."""
    if _IN_C is None or _UNLIKE.search(text) is not None:
        return None
    try:
        parser = _IN_C(text)
        found = []
        while (event := parser.get_event()) is not None:
            found.append(event)
        return found
    except (YAMLError, UnicodeError, ValueError, OverflowError):
        return None
