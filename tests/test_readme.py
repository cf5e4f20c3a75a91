"""What the pages for readers show is what happens: their sessions are run, and their output compared."""

from __future__ import annotations

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

from lawbook import loading
from lawbook.data import data_folder
from lawbook.shell.application import run
from lawbook.shell.terminal import Terminal

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "laws/README.md", "editions/README.md", "interpreter/README.md", "tests/README.md")
# A session: a command after a dollar sign, then what it prints. A page may also show files, in blocks whose first line
# is a comment with the name: `# house/values.yaml` is a file that its reader writes, and the sessions after it find it;
# `# in house/values.yaml` has lines that he writes in the place of those with the same keys, and
# `# house/values.yaml, as it is now` is what a command has written.
BLOCK = re.compile(r"^```(console|yaml|text)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (in )?([\w/.-]+\.(?:yaml|txt))(, as it is now)?\n")
KEY = re.compile(r"(\s*(?:- )?[^:]+:)")


def session(command: str) -> str:
    out, error = io.StringIO(), io.StringIO()
    words = shlex.split(command)
    assert words[0] == "lawbook"
    # Each command is a process of its own, which knows nothing of files as they were before.
    loading._loaded.cache_clear()
    status = run(words[1:], Terminal(out, error))
    # Where the laws that come with Lawbook lie is another place on every machine.
    text = (out.getvalue() + error.getvalue()).replace(str(data_folder("laws")), "laws")
    return text + (f"(exit status {status})\n" if status else "")


def write(body: str, folder: Path) -> str:
    """Write what a block shows of a file; what the block is to show."""
    named = FILE.match(body)
    if named is None:
        return body
    changes, name, written = named.groups()
    file, text = folder / name, body[named.end() :]
    if written:
        return f"{named[0]}{file.read_text(encoding='utf-8')}"
    if changes:
        lines = file.read_text(encoding="utf-8").splitlines()
        for line in text.splitlines():
            key = KEY.match(line)
            assert key is not None, f"{line!r} has no key"
            (at,) = [at for at, old in enumerate(lines) if old.startswith(key[1])]
            lines[at] = line
        text = "\n".join(lines) + "\n"
    else:
        text = body if name.endswith(".yaml") else text
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return body


@pytest.mark.parametrize("page", [p for p in PAGES if (ROOT / p).exists()])
def test_sessions(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LAWBOOK_TEXTS", str(tmp_path / "texts"))

    def ran(match: re.Match[str]) -> str:
        kind, body = match[1], match[2]
        if kind != "console":
            return f"```{kind}\n{write(body, tmp_path)}```\n"
        commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        assert commands, f"{page} has a session without a command"
        printed = [(command, session(command)) for command in commands]
        assert [line for _, told in printed for line in told.splitlines() if len(line) > 80] == []
        return "```console\n" + "".join(f"$ {command}\n{told}" for command, told in printed) + "```\n"

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
