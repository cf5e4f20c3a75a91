"""Where the laws and editions that come with Lawbook are found."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError


def data_folder(name: Literal["laws", "editions"]) -> Path:
    """The folder of the law files or of the editions: inside the installed package, else beside the checkout.

    Raises `LawbookError` if it is in neither place.

    >>> data_folder("laws").is_dir()
    True
    """
    # The package is found by its own file: an editable install leaves an older copy of the data among the
    # installed packages, and that one must not win over the checkout.
    package = Path(__file__).resolve().parent
    places = (package / name, package.parents[1] / name)
    for place in places:
        if place.is_dir():
            return place
    raise LawbookError(
        [
            Diagnostic(
                "data-not-found",
                Severity.ERROR,
                f"the {name} that come with Lawbook are missing: there is no folder {places[0]} or {places[1]}",
                help="install Lawbook again, or run it from a complete checkout",
            )
        ]
    )
