"""`count`: how many lawful auctions there are."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, edition_of, wrong_usage
from lawbook.shell.searching import require_level_told
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument(
        "--bids", metavar="BIDS", help="count only the auctions in which no other bids are made, such as 1C,1D,7N"
    )


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.auction import call_number, machine_of
    from lawbook.loading import signs_of
    from lawbook.machine.lawful import Lawful, count
    from lawbook.values import Bid, lettered

    edition = edition_of(arguments.edition, arguments, terminal)
    bids: list[int] | None = None
    named = ""
    if arguments.bids is not None:
        bids = []
        for text in arguments.bids.replace(",", " ").split():
            bid = Bid.parse(text, signs_of(edition))
            number = call_number(edition.universe, bid)
            if number is None:
                raise wrong_usage(f"{edition.id} has no bid {text}")
            require_level_told(text, bid)
            bids.append(number)
        # A sign is read, and the letter written.
        named = lettered(arguments.bids, signs_of(edition))
        if not bids:
            raise wrong_usage("--bids names no bid", help="name some, such as 1C,1D,7N, or leave it out for all")
    try:
        auctions, longest = count(Lawful(machine_of(edition), bids).start(0))
    except ValueError as error:
        raise wrong_usage(str(error)) from None
    if arguments.json:
        terminal.json({"schema": 1, "edition": edition.name, "auctions": str(auctions), "longest": longest})
    else:
        only = f" with no bids but {named}" if bids is not None else ""
        page = terminal.page()
        terminal.lines(
            page.wrap(f"{edition.name} knows {auctions:,} lawful auctions{only}; the longest has {longest} calls.")
        )
    return 0


COUNT = Command(
    "count",
    "The exact number of auctions in which every call is in order, and how many calls the longest has.",
    ("count whist-club-1912", "count whist-club-1912 --bids 1C,1D,7N --json"),
    _configure,
    _run,
)
