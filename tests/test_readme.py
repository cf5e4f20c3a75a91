"""What the pages for readers show is what happens: their sessions are run, and their output compared."""

from __future__ import annotations

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

from lawbook.shell.application import run
from lawbook.shell.terminal import Terminal

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "laws/README.md", "editions/README.md", "interpreter/README.md", "tests/README.md")
# A session: a command after a dollar sign, then what it prints. A page may first show a file: its name stands as a
# comment on the first line of a YAML block, and the sessions after it find it in their folder.
BLOCK = re.compile(r"^```(console|yaml)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w/.-]+\.yaml)\n")


def session(command: str) -> str:
    out, error = io.StringIO(), io.StringIO()
    words = shlex.split(command)
    assert words[0] == "lawbook"
    status = run(words[1:], Terminal(out, error))
    text = out.getvalue() + error.getvalue()
    return text + (f"(exit status {status})\n" if status else "")


@pytest.mark.parametrize("page", [p for p in PAGES if (ROOT / p).exists()])
def test_sessions(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def ran(match: re.Match[str]) -> str:
        kind, body = match[1], match[2]
        if kind == "yaml":
            named = FILE.match(body)
            if named is not None:
                file = tmp_path / named[1]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body, encoding="utf-8")
            return match[0]
        commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        assert commands, f"{page} has a session without a command"
        return "```console\n" + "".join(f"$ {c}\n{session(c)}" for c in commands) + "```\n"

    again = BLOCK.sub(ran, text)
    if request.config.getoption("--record"):
        path.write_text(again, encoding="utf-8", newline="\n")
    assert again == path.read_text(encoding="utf-8")


def test_the_python_session() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, verbose=False)
    assert ">>> from lawbook import" in text
    assert tried > 5
    assert failed == 0


def test_the_set_up_commands_are_the_ones_that_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = 'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/pytest'
    assert command in readme
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
