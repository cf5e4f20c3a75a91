"""`fmt`: files in their canonical form."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lawbook.diagnostics import render
from lawbook.shell.command import Arguments, Command, wrong_usage
from lawbook.shell.files import STANDARD_INPUT, write_file
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import Library
    from lawbook.formatting import Formatted


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets",
        metavar="FILE|DIR",
        nargs="*",
        help="files, or folders with all the files in them; `-` is standard input, formatted to standard output; "
        "if not given, the folders of --laws",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file would be changed")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would be changed")


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.formatting import format_files
    from lawbook.report.formatting import diff_lines, fmt_json, fmt_summary

    targets: list[str] = arguments.targets or [str(folder) for folder in arguments.laws]
    if not targets:
        raise wrong_usage("nothing is named that could be formatted", help="name files or folders, or give --laws")
    if "-" in targets:
        if len(targets) > 1:
            raise wrong_usage("standard input is formatted alone", help="leave the other files out")
        return _standard_input(arguments, terminal)
    paths = list(dict.fromkeys(path for target in targets for path in _files(Path(target))))
    found = []
    for done, formatted in enumerate(format_files(_library(arguments, targets), paths)):
        terminal.progress(done, len(paths), formatted.file)
        found.append((paths[done], formatted))
    terminal.progress(len(paths), len(paths), "")
    keep = arguments.check or arguments.diff
    for path, formatted in found:
        if formatted.changed and formatted.after is not None and not keep:
            write_file(str(path), formatted.after)
    results = [formatted for _, formatted in found]
    if arguments.json:
        terminal.json(fmt_json(results, written=not keep, with_diff=arguments.diff))
    else:
        _complain(results, terminal)
        if arguments.diff:
            terminal.lines(line for result in results for line in diff_lines(result, terminal.page()))
        terminal.lines(fmt_summary(results, written=not keep, named=not arguments.diff))
    return _status(results, arguments.check)


def _standard_input(arguments: Arguments, terminal: Terminal) -> int:
    """Standard input to standard output. No edition takes it, so conditions keep their words."""
    from lawbook.formatting import format_text
    from lawbook.report.formatting import diff_lines, fmt_json

    content = sys.stdin.buffer.read()
    terminal.sources[STANDARD_INPUT] = content.decode("utf-8", "replace")
    result = format_text(content, STANDARD_INPUT)
    if arguments.json:
        terminal.json(fmt_json([result], written=False, with_diff=True))
    elif result.after is None:
        _complain([result], terminal)
    elif arguments.diff:
        terminal.lines(diff_lines(result, terminal.page()))
    elif not arguments.check:
        terminal.text(result.after)
    return _status([result], arguments.check)


def _files(target: Path) -> Iterator[Path]:
    """The files that are meant by one target: of a folder those that are laws, editions or vocabularies.

    Raises LawbookError if there is none.
    """
    if target.is_dir():
        seen = [path for path in sorted(target.rglob("*.yaml")) if path.is_file() and not _is_hidden(path, target)]
        found = [path for path in seen if _is_ours(path)]
        if not found:
            raise wrong_usage(f"there is no file of laws in {target}")
        yield from found
    elif target.exists():
        yield target
    else:
        raise wrong_usage(f"there is no file {target}")


def _is_ours(path: Path) -> bool:
    from lawbook.edition.library import is_ours

    try:
        return is_ours(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        # Why it cannot be read is told where it is formatted.
        return True


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _library(arguments: Arguments, targets: list[str]) -> Library:
    """The library, with the folders of what is formatted among the user's own."""
    from lawbook.edition.library import Library, home_of

    own: list[Path] = list(arguments.laws)
    for target in map(Path, targets):
        folder = target if target.is_dir() else target.parent
        library = Library.shipped(own)
        if not any(folder.resolve().is_relative_to(f.resolve()) for f in (*library.laws, *library.editions)):
            own.append(home_of(folder))
    return Library.shipped(own)


def _complain(results: list[Formatted], terminal: Terminal) -> None:
    page = terminal.error_page()
    problems = [problem for result in results for problem in result.problems]
    terminal.complain(render(problems, colour=page.colour, width=page.width, source=terminal.source))


def _status(results: list[Formatted], check: bool) -> int:
    if any(result.after is None for result in results):
        return 2
    return 1 if check and any(result.changed for result in results) else 0


FMT = Command(
    "fmt",
    "Write files of laws, editions and vocabularies in their one canonical form: the\n"
    "order of keys, quotes, lists, long lines, and the words of conditions. Comments\n"
    "stay where they are, and no meaning changes: an edition has the same hash as\n"
    "before. A file that cannot be read is left as it is. Exits with 2 if there is\n"
    "one.",
    (
        "fmt my-rules",
        "fmt --check --laws my-rules",
        "fmt --diff my-rules/our-table.yaml",
    ),
    _configure,
    _run,
)
