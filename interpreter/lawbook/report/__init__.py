"""Reports: what was found, as dictionaries for other programs and as text for a reader. Nothing here prints."""

from typing import Final

SCHEMA: Final = 1
"""The version of the shapes of all answers in JSON; keys may be added within a version, never taken away."""
