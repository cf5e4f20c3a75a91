"""Examples: what a law file says should happen, and whether it does.

An example stands beside the clauses it shows. It is written by hand from the law's words, never recorded.
"""

from lawbook.examples.reading import Example, ScoredExample, Shown, examples_of, scored_of, shown_by
from lawbook.examples.running import Mismatch, Outcome, as_diagnostic, run, run_under

__all__ = [
    "Example",
    "Mismatch",
    "Outcome",
    "ScoredExample",
    "Shown",
    "as_diagnostic",
    "examples_of",
    "run",
    "run_under",
    "scored_of",
    "shown_by",
]
