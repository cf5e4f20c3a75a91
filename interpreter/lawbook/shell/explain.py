"""`explain`: what a diagnostic means, with an example and how to mend it."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="the name in brackets that a message begins with; all if not given"
    )


def _explain(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.catalogue import codes, page
    from lawbook.report.catalogue import list_json, list_text, page_json, page_text

    if arguments.code is None:
        pages = [page(code) for code in codes()]
        if arguments.json:
            terminal.json(list_json(pages))
        else:
            terminal.lines(list_text(pages, terminal.page()))
        return 0
    found = page(arguments.code)
    if arguments.json:
        terminal.json(page_json(found))
    else:
        terminal.lines(page_text(found, terminal.page()))
    return 0


EXPLAIN = Command(
    "explain",
    "Explain a diagnostic by its code: what it means, an example of the mistake, and how to mend it.",
    ("explain missing-guard", "explain"),
    _configure,
    _explain,
)
