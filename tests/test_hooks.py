"""The hooks for pre-commit: what each runs, on which files, and that it fails where it should."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from test_cli import lawbook_command

from lawbook import loading
from lawbook.data import data_folder

ROOT = Path(__file__).resolve().parents[1]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}


def hook(name: str, *files: str) -> int:
    """Run a hook on files, as pre-commit does; its exit status."""
    loading._loaded.cache_clear()
    command, *arguments = shlex.split(HOOKS[name]["entry"])
    assert command == "lawbook"
    return lawbook_command(*arguments, *files)[0]


def test_hooks_are_of_the_laws_and_of_nothing_else() -> None:
    assert set(HOOKS) == {"lawbook-check", "lawbook-fmt"}
    for found in HOOKS.values():
        assert (found["language"], found["types"]) == ("python", ["yaml"])
        for folder in ("laws", "editions"):
            for path in data_folder(folder).rglob("*.yaml"):  # type: ignore[arg-type]
                assert re.search(found["files"], f"{folder}/{path.relative_to(data_folder(folder)).as_posix()}")  # type: ignore[arg-type]
        for other in (".pre-commit-hooks.yaml", "laws/law.schema.json", "house/values.yaml", "outlaws/a.yaml"):
            assert not re.search(found["files"], other)


def test_files_in_order_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data_folder("laws").parent)
    assert hook("lawbook-check", "laws/doubling/reopens/whist-club-1912.yaml") == 0


def test_files_that_are_not_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "editions" / "ours.yaml"
    file.parent.mkdir()
    file.write_text("based on: whist-club-1912\nedition: ours\ntitle: Ours\n", encoding="utf-8")
    law = tmp_path / "laws" / "tea" / "ours.yaml"
    law.parent.mkdir(parents=True)
    law.write_text(
        "title: Tea\ntopic: tea\nin:\n  - edition: ours\n    evidence: custom\nsummary: Tea.\nclauses: []\n",
        encoding="utf-8",
    )
    file.write_text(file.read_text(encoding="utf-8") + "laws: [tea/ours.yaml]\n", encoding="utf-8")
    assert hook("lawbook-check", "editions/ours.yaml", "laws/tea/ours.yaml") == 0
    assert hook("lawbook-fmt", "editions/ours.yaml") == 0
    # Pre-commit fails where a hook has changed a file.
    assert file.read_text(encoding="utf-8").startswith("edition: ours\n")
    file.write_text("edition: ours\nbased on: whist-club-1931\n", encoding="utf-8")
    assert hook("lawbook-check", "editions/ours.yaml") == 1
    file.write_text("edition: [", encoding="utf-8")
    assert hook("lawbook-fmt", "editions/ours.yaml") == 2
