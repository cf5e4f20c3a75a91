"""The hooks for pre-commit: what they run can be run, as pre-commit would, on files of one's own."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from editor import VALUES, write_house

from lawbook.shell import application
from lawbook.shell.application import COMMANDS, run
from lawbook.shell.command import parser_of
from lawbook.shell.terminal import Terminal

FILE = Path(__file__).parents[1] / ".pre-commit-hooks.yaml"
HOOKS: dict[str, dict[str, Any]] = {hook["id"]: hook for hook in yaml.safe_load(FILE.read_text(encoding="utf-8"))}
# What pre-commit asks of a hook, and what else it may say.
NEEDED, ALLOWED = {"id", "name", "entry", "language"}, {"description", "types", "pass_filenames"}


def status(hook: dict[str, Any], folder: Path) -> int:
    names = [str(path) for path in sorted(folder.glob("*.yaml"))] if hook.get("pass_filenames", True) else []
    argv = [*shlex.split(hook["entry"])[1:], "--laws", str(folder), *names]
    return run(argv, Terminal(io.StringIO(), io.StringIO()))


def test_hooks_say_what_they_must() -> None:
    assert set(HOOKS) == {"lawbook-fmt", "lawbook-check", "lawbook-test"}
    for hook in HOOKS.values():
        assert NEEDED <= hook.keys() <= NEEDED | ALLOWED
        program, command = shlex.split(hook["entry"])
        assert program == "lawbook"
        assert command in COMMANDS


@pytest.mark.parametrize("name", ["lawbook-fmt", "lawbook-check"])
def test_a_hook_passes_good_files_and_stops_bad_ones(name: str, tmp_path: Path) -> None:
    house = write_house(tmp_path)
    assert status(HOOKS["lawbook-fmt"], house) == 0
    assert status(HOOKS[name], house) == 0
    (house / "values.yaml").write_text(VALUES.replace("hearts: 8", "hearts: [8"), encoding="utf-8")
    assert status(HOOKS[name], house) != 0


def test_examples_are_run_for_editions_not_files() -> None:
    hook = HOOKS["lawbook-test"]
    assert hook["pass_filenames"] is False
    _, name, *rest = shlex.split(hook["entry"])
    parsed = parser_of(application._command(name)).parse_intermixed_args([*rest, "--laws", "house"])
    assert (parsed.editions, parsed.laws) == ([], [Path("house")])
