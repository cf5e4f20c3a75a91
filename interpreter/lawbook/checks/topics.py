"""Topics: laws on one question have one topic in all codes, so one that a single law has is probably a slip where it is
nearly that of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.library import Library, beginning_of
from lawbook.edition.nodes import text_of
from lawbook.edition.taking import Taken

_TOPIC: Final = re.compile(r"^topic:[ \t]*[\"']?([a-z0-9-]+)", re.MULTILINE)
# One letter in so many may be wrong in a slip; names of different questions are further apart.
_LETTERS_FOR_A_SLIP: Final = 8


@dataclass(slots=True)
class Topics:
    """The topics of all law files of a library, each with the files that have it; the user's own come first."""

    library: Library
    _files: dict[str, list[Path]] = field(default_factory=dict)
    # What was probably meant by a topic that one file has alone.
    _told: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def check(self, laws: Iterable[Taken]) -> Iterator[Diagnostic]:
        """`unlikely-topic`: the topic of one law alone that is nearly one that others have."""
        for taken in laws:
            topic = taken.node.get("topic")
            key = (text_of(topic), taken.law.file)
            if key not in self._told:
                self._told[key] = self._meant(*key)
            meant = self._told[key]
            if topic is not None and meant is not None:
                message = f"no other law has the topic `{key[0]}`"
                help = "laws on one question have the same topic in all codes, and are compared by it"
                yield Diagnostic(
                    "unlikely-topic",
                    Severity.WARNING,
                    message,
                    topic.span,
                    help=help,
                    suggestion=meant,
                    law=taken.law.number,
                )

    def _meant(self, topic: str, file: str) -> str | None:
        known = self._known()
        if known.get(topic, []) not in ([], [self.library.law(file)]):
            return None
        # Of two topics that one law has each, the one that was read first is in doubt.
        order = list(known)
        at = order.index(topic) if topic in known else -1
        others = (other for place, other in enumerate(order) if place > at or len(known[other]) > 1)
        return nearest(topic, others, one_in=_LETTERS_FOR_A_SLIP)

    def _known(self) -> Mapping[str, list[Path]]:
        seen: set[Path] = set()
        for folder in self.library.laws if not self._files else ():
            for path in sorted(folder.rglob("*.yaml")):
                if path not in seen and (found := _TOPIC.search(beginning_of(path) or "")):
                    self._files.setdefault(found[1], []).append(path)
                seen.add(path)
        return self._files
