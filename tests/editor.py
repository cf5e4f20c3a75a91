"""An editor for tests: it starts `lawbook lsp` and speaks with it; and the house rules it writes."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

VALUES = """\
title: What each odd trick is worth at our table
topic: trick-values
in: [{edition: our-table, law: none, evidence: custom}]
summary: As in the code, but royal spades count five.
clauses:
  - id: value-of-tricks
    says: Royal spades count five.
    table: the value of a denomination
    names the denominations: yes
    rows: {spades: 2, clubs: 6, diamonds: 7, hearts: 8, royal spades: 5, no trump: 10}
  - {id: seven-odd-tricks, says: "♠ 😀", term: the most odd tricks, is: 7}
  - id: low-bids
    says: A bid of spades when nothing has been bid is laughed at.
    when: a player bids
    if all of:
      - there is no last bid
      - the bid's denomination is spades
    offence: late correction
    the call: stands
    under: {seven-too-low: [seven-stands, raise-over]}
examples:
  - that: one club beats one royal spade
    auction: 1R
    act: 1C
    verdict: legal
    because: [may-overbid]
  - that: one spade is laughed at
    auction: ""
    act: 1S
    offences: [late-correction]
    because: [low-bids]
"""
TABLE = """\
edition: our-table
title: The rules of our table
based on: whist-club-1912
amends: {values/tricks/whist-club-1912.yaml: values.yaml}
"""


def write_house(folder: Path) -> Path:
    """An edition of one's own and its law, in a folder."""
    (folder / "values.yaml").write_text(VALUES, encoding="utf-8")
    (folder / "our-table.yaml").write_text(TABLE, encoding="utf-8")
    return folder


class Editor:
    """An editor as far as the server can tell: it starts `lawbook lsp` and speaks with it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lawbook", "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self._numbers = itertools.count(1)
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._published: queue.Queue[dict[str, Any]] = queue.Queue()
        self._versions: dict[str, int] = {}
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            if header.startswith(b"Content-Length:"):
                while stream.readline().strip():
                    pass
                message = json.loads(stream.read(int(header.split(b":")[1])))
                if message.get("method") == "textDocument/publishDiagnostics":
                    self._published.put(message["params"])
                elif "method" not in message:
                    self._answers.put(message)
        self._answers.put(None)

    def send_bytes(self, content: bytes, length: int | None = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % (len(content) if length is None else length) + content)
        self.process.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def ask(self, method: str, params: object) -> dict[str, Any]:
        number = next(self._numbers)
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        answer = self._answers.get(timeout=60)
        assert answer is not None, "the server has ended"
        assert answer["id"] == number
        return answer

    def request(self, method: str, params: object) -> Any:
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def initialise(self, *folders: Path) -> dict[str, Any]:
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": named}
        result: dict[str, Any] = self.request("initialize", params)["capabilities"]
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None) -> None:
        content = path.read_text(encoding="utf-8") if text is None else text
        # No version is used twice, so that what is said of a file is known to be said of it as it is.
        self._versions[path.as_uri()] = next(self._numbers)
        version = self._versions[path.as_uri()]
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": version, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def close_all(self) -> None:
        for uri in list(self._versions):
            self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            del self._versions[uri]

    def change(self, path: Path, text: str) -> None:
        self._versions[path.as_uri()] = next(self._numbers)
        document = {"uri": path.as_uri(), "version": self._versions[path.as_uri()]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def problems(self, path: Path) -> list[dict[str, Any]]:
        """What is first said to be wrong with a file as it is now."""
        while True:
            published = self._published.get(timeout=60)
            version = published.get("version")
            if published["uri"] == path.as_uri() and version == self._versions[path.as_uri()]:
                found: list[dict[str, Any]] = published["diagnostics"]
                return found

    def until(self, path: Path, code: str) -> dict[str, Any]:
        """The problem of that kind in a file, as soon as it is told."""
        while True:
            for problem in self.problems(path):
                if problem["code"] == code:
                    return problem

    def at(self, path: Path, line: int, character: int, **more: object) -> dict[str, object]:
        document = {"uri": path.as_uri()}
        return {"textDocument": document, "position": {"line": line, "character": character}, **more}

    def stop(self) -> int:
        """End the session as the protocol has it; returns the exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.end()[0]

    def end(self) -> tuple[int, str]:
        """Wait until the server has ended; its exit status, and what it has complained of."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        status = self.process.wait(timeout=60)
        self._listening.join(timeout=60)
        complaints = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, complaints


def line_of(text: str, needle: str) -> tuple[int, int]:
    """Where a text begins, as an editor counts: line from 0, column in UTF-16."""
    at = text.index(needle)
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return text.count("\n", 0, at), len(before.encode("utf-16-le")) // 2
