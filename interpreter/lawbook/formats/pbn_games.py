"""Which tokens of a PBN text make a game, and the names of the tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lawbook.errors import Collector
from lawbook.formats.board import BOARD, CONTRACT, DEAL, DEALER, DECLARER, PLAY, RESULT, VULNERABLE
from lawbook.formats.scanner import Scanned, Text, TokenKind, scan

AUCTION: Final = "Auction"
OWN_AUCTION: Final = "LawbookAuction"
NOTE: Final = "Note"
EVENT: Final = "Event"

IDENTIFYING: Final = (
    EVENT,
    "Site",
    "Date",
    BOARD,
    "West",
    "North",
    "East",
    "South",
    DEALER,
    VULNERABLE,
    DEAL,
    "Scoring",
    DECLARER,
    CONTRACT,
    RESULT,
)
"""The tags that every game has where it is complete, in their order."""

MOST_NOTES: Final = 32
"""The highest number of a note."""

OWN_VALUES: Final = frozenset({DEALER, VULNERABLE, DEAL, DECLARER, CONTRACT, AUCTION, OWN_AUCTION, PLAY, NOTE})
"""The tags that never take their value from a game before."""


@dataclass(slots=True)
class _Group:
    """Tokens without an empty line between them."""

    tokens: list[Scanned] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    @property
    def is_comment(self) -> bool:
        return all(token.kind is TokenKind.COMMENT for token in self.tokens)

    @property
    def last_tag(self) -> str | None:
        return next((token.name for token in reversed(self.tokens) if token.kind is TokenKind.TAG), None)

    def add(self, token: Scanned) -> None:
        self.tokens.append(token)
        if token.kind is TokenKind.TAG and token.name != NOTE:
            self.names.add(token.name)


def games(source: Text, problems: Collector) -> Iterator[list[Scanned]]:
    """The tokens of each game. A game that an empty line tears apart is put together again, and two that no empty
    line keeps apart are separated; both are told of."""
    game: _Group | None = None
    comments: list[Scanned] = []
    for group in _groups(source, problems):
        if group.is_comment:
            comments.extend(group.tokens)
            continue
        if game is not None and _goes_on(game, group):
            first = next(token for token in group.tokens if token.kind is not TokenKind.COMMENT)
            problems.warning(
                "empty-line-in-game",
                "an empty line ends a game, and this seems to belong to the one before",
                source.span(first.start, first.end),
            )
            game.tokens.extend([*comments, *group.tokens])
            game.names |= group.names
        else:
            if game is not None:
                yield game.tokens
            game = _Group([*comments, *group.tokens], group.names)
        comments = []
    if game is not None:
        yield [*game.tokens, *comments]


def _goes_on(game: _Group, group: _Group) -> bool:
    first = next(token for token in group.tokens if token.kind is not TokenKind.COMMENT)
    if first.kind is TokenKind.WORD and game.last_tag not in (AUCTION, OWN_AUCTION, PLAY):
        return False
    return not group.names & {*game.names, EVENT, BOARD}


def _groups(source: Text, problems: Collector) -> Iterator[_Group]:
    group = _Group()
    for token in scan(source, problems):
        if token.kind is TokenKind.EMPTY_LINE:
            if group.tokens:
                yield group
            group = _Group()
            continue
        if token.kind is TokenKind.TAG and token.name in group.names and _begins(token, group):
            problems.warning(
                "games-not-separated",
                f"a new game seems to begin here: an empty line should stand before a second [{token.name}]",
                source.span(token.start, token.end),
            )
            yield group
            group = _Group()
        group.add(token)
    if group.tokens:
        yield group


def _begins(token: Scanned, group: _Group) -> bool:
    """Whether a tag that is there already begins another game, and is not only written twice."""
    return token.name in (EVENT, BOARD) or bool(group.names & {AUCTION, OWN_AUCTION, PLAY})
