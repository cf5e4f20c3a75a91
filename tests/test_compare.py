"""Comparison: two editions clause by clause, several as a matrix, a topic's history, what a search hands over."""

from __future__ import annotations

import json
import shlex

import pytest
from test_cli import lawbook_command, validate

# -- JSON --------------------------------------------------------------------------------------------------------------

ANSWERS = [
    ("compare", "compare whist-club-1912 whist-club-1913"),
    ("compare", "compare portland-bath-1908 whist-club-1912 whist-club-1912-decisions whist-club-1913"),
    ("compare", "compare whist-club-1912 whist-club-1912@correction-after-notice=literal-52 whist-club-1912-decisions"),
    ("history", "history correction"),
    ("history", "history 50 --edition whist-club-1912"),
    ("error", "history corection"),
    ("error", "history 50"),
    ("error", "compare whist-club-1912 whist-club-1913 --other-readings"),
]


@pytest.mark.parametrize("name, command", ANSWERS, ids=[command for _, command in ANSWERS])
def test_json_fits_its_schema(name: str, command: str) -> None:
    status, out, error = lawbook_command(*shlex.split(command), "--json")
    validate(json.loads(out), name)
    assert error == ""
    assert (status == 2) == (name == "error")
