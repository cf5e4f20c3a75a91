"""The catalogue: what every diagnostic means, with an example of the mistake and how to mend it.

One page for each code, `<stage>/<code>.md`, read only when it is asked for. A page is Markdown of a fixed form:

    # The mistake in one sentence, without a full stop

    severity: error

    What it means.

    ## For example

        the lines that are wrong

    ## How to mend it

    What to do, with the lines as they should be.

`severity` is `error`, `warning`, or `error or warning`. The lines of the example stand in a file of `tests/bad/` that
is recorded with the message they give, so a page cannot show what is not said any more.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.errors import LawbookError

STAGES: Final[Mapping[str, str]] = {
    "source": "reading YAML",
    "shape": "keys and values of a file",
    "language": "conditions and effects",
    "vocabulary": "words, registers and types",
    "edition": "editions, laws and clauses",
    "checks": "checks beyond types",
    "examples": "examples",
    "notation": "auctions in notation",
    "rulings": "rulings",
    "scores": "deals and scores",
    "formats": "files of boards",
    "engine": "the engine's protocol",
    "adapters": "adapters",
    "program": "the program itself",
}
"""The folders of the catalogue, and what the mistakes in them are about."""

_EXAMPLE: Final = "\n## For example\n"
_MENDING: Final = "\n## How to mend it\n"
_SEVERITY: Final = re.compile(r"\nseverity: (error|warning|error or warning)\n")


@dataclass(frozen=True, slots=True)
class Page:
    """One page: the parts are Markdown, of paragraphs and of lines indented by four."""

    code: str
    stage: str
    severity: str
    title: str
    meaning: str
    example: str
    mending: str

    @property
    def can_be_silenced(self) -> bool:
        """Whether a law may say, with a reason, that this is meant to be so."""
        return self.stage == "checks"

    @property
    def markdown(self) -> str:
        """The whole as Markdown, without the title."""
        return f"{self.meaning}\n\n**For example**\n\n{self.example}\n\n**How to mend it**\n\n{self.mending}\n"

    def as_json(self) -> dict[str, object]:
        """The page with the keys of `explain.schema.json`."""
        return {
            "code": self.code,
            "severity": self.severity,
            "stage": self.stage,
            "title": self.title,
            "meaning": self.meaning,
            "example": self.example,
            "mending": self.mending,
            "can_be_silenced": self.can_be_silenced,
        }


def codes() -> dict[str, str]:
    """Every code, with the stage its page is filed under, in the order of the stages."""
    return {code: stage for code, (stage, _) in _files().items()}


def page(code: str) -> Page:
    """The page of a code. Raises `LawbookError` if there is none, with the nearest code as a suggestion."""
    found = _files().get(code)
    if found is None:
        raise LawbookError(
            [
                Diagnostic(
                    "unknown-code",
                    Severity.ERROR,
                    f"no diagnostic has the code `{code}`",
                    suggestion=nearest(code, _files()),
                    help="`lawbook explain` lists all codes",
                )
            ]
        )
    stage, file = found
    return read_page(code, stage, file.read_text(encoding="utf-8"))


def read_page(code: str, stage: str, text: str) -> Page:
    """A page from its text. Raises ValueError where it does not have the form that all pages have."""
    head, example, rest = text.partition(_EXAMPLE)
    shown, mending, mended = rest.partition(_MENDING)
    severity = _SEVERITY.search(head)
    if not head.startswith("# ") or severity is None or not example or not mending:
        raise ValueError(f"the page of {code} lacks its title, its severity, an example or how to mend it")
    title = head[2 : head.index("\n")]
    return Page(code, stage, severity[1], title, head[severity.end() :].strip(), shown.strip("\n"), mended.strip("\n"))


@functools.cache
def _files() -> Mapping[str, tuple[str, Traversable]]:
    folder = resources.files(__package__)
    found: dict[str, tuple[str, Traversable]] = {}
    for stage in STAGES:
        pages = folder.joinpath(stage)
        for file in sorted(pages.iterdir() if pages.is_dir() else (), key=lambda file: file.name):
            found[file.name.removesuffix(".md")] = (stage, file)
    return found
