"""Comparison: the structure of two editions, several as a matrix, what a search hands over, and how all that is shown."""

from __future__ import annotations

import json
import shlex

import pytest
from test_cli import lawbook_command, validate

# -- JSON --------------------------------------------------------------------------------------------------------------

ANSWERS = [
    "compare whist-club-1912 whist-club-1913",
    "compare portland-bath-1908 whist-club-1912 whist-club-1912-decisions whist-club-1913",
    "compare whist-club-1912 whist-club-1912@correction-after-notice=literal-52 whist-club-1912-decisions",
]


@pytest.mark.parametrize("command", ANSWERS)
def test_json_fits_its_schema(command: str) -> None:
    status, out, error = lawbook_command(*shlex.split(command), "--json")
    validate(json.loads(out), "compare")
    assert (status, error) == (0, "")
