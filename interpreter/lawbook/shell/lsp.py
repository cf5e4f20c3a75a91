"""`lsp`: the language server that editors start."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from lawbook.shell.command import Arguments, Command, library_of
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output; the only way, and so if not given"
    )


def _serve(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.server.protocol import serve

    library_of(arguments)
    folders: list[Path] = arguments.laws
    # The answers have a stream of their own, which is closed at the end; and nothing else may get between them.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers, contextlib.redirect_stdout(sys.stderr):
        stopped = serve(sys.stdin.buffer, answers, [folder.resolve() for folder in folders])
    return 0 if stopped else 1


LSP = Command(
    "lsp",
    "Serve an editor over standard input and output (Language Server Protocol): diagnostics, completion, hover texts,\n"
    "definitions, quick fixes, the outline and formatting of laws, editions and vocabularies. The editor starts it;\n"
    "laws/EDITORS.md shows how to set it up.",
    ("lsp",),
    _configure,
    _serve,
)
