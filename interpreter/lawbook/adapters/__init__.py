"""Adapters: auctions under an edition as other programs' games, and the test that an adapter keeps to the edition.

Each is a thin layer over the facade: `open_spiel` and `pettingzoo` over `bidding`, the auction as a game in which one
player is asked at a time. `conformance` plays any adapter and the facade side by side. `README.md` is the guide.

The libraries are imported with the adapter that needs them, never with `lawbook` itself.
"""

from __future__ import annotations

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError


class MissingExtra(LawbookError, ImportError):
    """A library is not installed; the message names the extra that brings it."""


def missing_extra(library: str, extra: str) -> MissingExtra:
    """The error, to be raised, for a library that is not installed.

    >>> print(missing_extra("pyspiel", "open_spiel"))
    pyspiel is not installed: pip install "lawbook[open_spiel]"
    """
    message = f'{library} is not installed: pip install "lawbook[{extra}]"'
    return MissingExtra([Diagnostic("missing-extra", Severity.ERROR, message)])
