"""`history`: a topic across the editions."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lawbook.shell.command import Arguments, Command, edition_of, library_of, wrong_usage
from lawbook.shell.files import write_page
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.model import Edition


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "topic",
        metavar="TOPIC",
        help="a topic, as `lawbook laws EDITION` lists them; with --edition a law's number, a chapter or a clause too",
    )
    parser.add_argument("--edition", metavar="EDITION", help="the edition whose law is meant")
    parser.add_argument("--html", metavar="FILE", help="write the history to a web page")


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.compare.lineage import history_of, in_order
    from lawbook.inventory import inventory
    from lawbook.report.history import histories_json, histories_text

    library = library_of(arguments)
    found, broken = inventory(library)
    editions = in_order(found)
    histories = [history_of(topic, editions, library) for topic in _topics(arguments, terminal, editions, broken)]
    if arguments.html is not None:
        from lawbook.report.html.history import history_page

        edition = "" if arguments.edition is None else f" --edition {arguments.edition}"
        page = history_page(histories, broken, f"lawbook history {arguments.topic}{edition} --html FILE")
        write_page(arguments.html, page, terminal, quiet=arguments.json)
    if arguments.json:
        terminal.json(histories_json(histories, broken))
    elif arguments.html is None:
        terminal.lines(histories_text(histories, terminal.page(), broken))
    return 0


def _topics(
    arguments: Arguments, terminal: Terminal, editions: Sequence[Edition], broken: Collection[str]
) -> list[str]:
    """The topics that are meant. Raises LawbookError if there are none."""
    from lawbook.compare.lineage import topics_of
    from lawbook.diagnostics import nearest
    from lawbook.report.editions import select
    from lawbook.sentences import listed

    if arguments.edition is not None:
        selection = select(edition_of(arguments.edition, arguments, terminal), arguments.topic)
        return list(dict.fromkeys(law.topic for law, _ in selection.laws))
    # By whatever title one of them has a law on it.
    titled = {(law.topic, law.title) for edition in editions for law in edition.laws}
    wanted = " ".join(arguments.topic.split()).lower()
    named = {topic for topic, title in titled if wanted in (topic, title.lower())}
    found = [topic for topic in topics_of(editions) if topic in named]
    if not found:
        number = re.match(r"(laws? )?\d+[a-z]?$|decision \d+$", wanted)
        help = (
            "laws are numbered by each code for itself: say which with --edition"
            if number
            else "`lawbook laws EDITION` lists the topics of an edition"
        )
        raise wrong_usage(
            f"no edition has a topic `{arguments.topic}`",
            help=f"{help}; {listed(broken)} cannot be read: `lawbook editions` says why" if broken else help,
            suggestion=None if number else nearest(wanted, sorted({name for names in titled for name in names})),
        )
    return found


HISTORY = Command(
    "history",
    "Tell the history of a topic across the editions, the oldest first: since when there is a law on it, how it was\n"
    "changed, where it moved, when it was repealed, what had come before a change, and what is open to reading.",
    (
        "history correction",
        "history 50a --edition whist-club-1913",
        "history penalties-of-doubling --html doubling.html",
    ),
    _configure,
    _run,
)
