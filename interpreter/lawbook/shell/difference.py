"""`diff`: what a change of files, or of edition, changes in the laws."""

from __future__ import annotations

import argparse

from lawbook.diagnostics import render
from lawbook.shell.command import Arguments, Command, wrong_usage
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        metavar="A [B]",
        nargs="+",
        help="two editions, two files, two folders of editions and laws, or two git revisions; a revision alone is "
        "held against the working tree. After revisions, the files that are asked about",
    )
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if they rule otherwise")


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.compare.changes import changes_of
    from lawbook.compare.sides import Choosing
    from lawbook.report.difference import diff_json, diff_text

    for folder in arguments.laws:
        if not folder.is_dir():
            raise wrong_usage(f"there is no folder {folder}", help="--laws takes a folder of editions and laws")
    with Choosing(arguments.laws) as choosing:
        a, b = choosing.sides(arguments.words)
        found = []
        whole = len({*a.editions, *b.editions})
        for done, compared in enumerate(changes_of(a, b)):
            terminal.progress(done, whole, compared.edition)
            found.append(compared)
        terminal.progress(whole, whole, "")
    problems = [problem for compared in found for problem in compared.problems]
    if arguments.json:
        terminal.json(diff_json(a, b, found))
    else:
        terminal.lines(diff_text(a, b, found, terminal.page()))
        page = terminal.error_page()
        terminal.complain(render(problems, colour=page.colour, width=page.width, source=terminal.source))
    if problems:
        return 2
    return int(arguments.exit_code and any(compared.rules_differ for compared in found))


DIFF = Command(
    "diff",
    "Show what has changed in the laws, not in the text: clauses that came, went or\n"
    "rule otherwise, and in which words; readings, examples, what words mean. Where\n"
    "only wording or layout differs, it says so.",
    (
        "diff whist-club-1912 whist-club-1912-decisions",
        "diff old/insufficient.yaml new/insufficient.yaml",
        "diff HEAD",
        "diff HEAD~1 HEAD laws/declaration/dealer/whist-club-1912.yaml",
        "diff v1 v2 --laws our-rules --exit-code",
    ),
    _configure,
    _run,
)
