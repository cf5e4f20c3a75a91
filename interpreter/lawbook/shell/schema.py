"""`schema`: the JSON Schemas of what an author writes, for editors."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from lawbook.shell.command import Arguments, Command
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import FileKind


def _configure(parser: argparse.ArgumentParser) -> None:
    from lawbook.edition.library import FileKind

    parser.add_argument("kind", metavar="KIND", choices=get_args(FileKind), help="law, vocabulary or edition")


def _print(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.edition.library import schema_text

    kind: FileKind = arguments.kind
    terminal.text(schema_text(kind))
    return 0


SCHEMA = Command(
    "schema",
    "Print the JSON Schema of law, vocabulary or edition files: the one they are checked by, every key explained.\n"
    "A YAML language server wants it for files in a folder of your own; laws/EDITORS.md shows how.",
    ("schema law", "schema edition"),
    _configure,
    _print,
)
