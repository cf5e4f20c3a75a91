"""Lawbook: the laws of auction bridge as data, ruled on and compared edition by edition.

The facade: `load` an edition, start an `Auction`, act, ask; `score_deal` and `Rubber` for the score. Everything that
goes wrong is a `LawbookError` with diagnostics.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lawbook.auction import Auction, Contract, Happening, Remedy, load
    from lawbook.deals import Deal
    from lawbook.edition.library import Library
    from lawbook.edition.model import Edition
    from lawbook.errors import LawbookError
    from lawbook.machine.ruling import Verdict
    from lawbook.scoring import NotScored, Rubber, Score, score_deal
    from lawbook.values import DOUBLE, PASS, REDOUBLE, Act, Bid, Call, Card, Seat, Side

__version__ = "0.1.0"

# Where each public name is defined. A module is imported when a name of it is first asked for, so that a command pays
# only for what it uses.
_DEFINED_IN: Final = {
    "Act": "values",
    "Auction": "auction",
    "Bid": "values",
    "Call": "values",
    "Card": "values",
    "Contract": "auction",
    "DOUBLE": "values",
    "Deal": "scoring",
    "Edition": "edition.model",
    "Happening": "auction",
    "LawbookError": "errors",
    "Library": "edition.library",
    "NotScored": "scoring",
    "PASS": "values",
    "REDOUBLE": "values",
    "Remedy": "auction",
    "Rubber": "scoring",
    "Score": "scoring",
    "Seat": "values",
    "Side": "values",
    "Verdict": "machine.ruling",
    "load": "auction",
    "score_deal": "scoring",
}

__all__ = [
    "DOUBLE",
    "PASS",
    "REDOUBLE",
    "Act",
    "Auction",
    "Bid",
    "Call",
    "Card",
    "Contract",
    "Deal",
    "Edition",
    "Happening",
    "LawbookError",
    "Library",
    "NotScored",
    "Remedy",
    "Rubber",
    "Score",
    "Seat",
    "Side",
    "Verdict",
    "load",
    "score_deal",
]


def __getattr__(name: str) -> object:
    if name not in _DEFINED_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_DEFINED_IN[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
