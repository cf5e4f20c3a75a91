"""What is kept of an edition on disk is used only while it is whole and true."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lawbook.adapters.bidding import moves_of
from lawbook.data import data_folder
from lawbook.edition import store
from lawbook.edition.library import Library
from lawbook.loading import load

NAME = "whist-club-1913"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setenv("LAWBOOK_CACHE", str(folder))
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Library:
    for name in ("laws", "editions"):
        shutil.copytree(data_folder(name), tmp_path / name)  # type: ignore[arg-type]
    return Library((tmp_path / "laws",), (tmp_path / "editions",))


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.edition"))


def resolved_anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names resolved from now on."""
    from lawbook.edition import resolve

    asked: list[str] = []
    real = resolve.resolve

    def noted(name: str, library: Library | None = None):  # type: ignore[no-untyped-def]
        asked.append(name)
        return real(name, library)

    monkeypatch.setattr(resolve, "resolve", noted)
    return asked


def test_a_second_start_reads_what_is_kept(kept: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first = store.fetch(NAME, library)
    assert len(files(kept)) == 1
    asked = resolved_anew(monkeypatch)
    second = store.fetch(NAME, library)
    assert asked == []
    assert second.hash == first.hash
    assert [c.id for c in second.clauses] == [c.id for c in first.clauses]


def test_a_changed_law_is_read_anew(kept: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first = store.fetch(NAME, library)
    law = library.laws[0] / "values" / "tricks" / "whist-club-1912.yaml"
    law.write_text(law.read_text(encoding="utf-8").replace("royal spades: 9", "royal spades: 5"), encoding="utf-8")
    asked = resolved_anew(monkeypatch)
    assert store.fetch(NAME, library).hash != first.hash
    assert asked == [NAME]


def test_a_folder_is_another_one_from_another_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Editions that are loaded once in a process are known by where they lie."""
    found = {}
    for place in ("here", "there"):
        (tmp_path / place / "house").mkdir(parents=True)
        own = f"edition: ours\ntitle: {place}\nbased on: {NAME}\n"
        (tmp_path / place / "house" / "ours.yaml").write_text(own, encoding="utf-8")
        monkeypatch.chdir(tmp_path / place)
        found[place] = load("ours", Library.shipped([Path("house")])), moves_of("ours", "house").edition
    assert {place: {edition.title for edition in editions} for place, editions in found.items()} == {
        "here": {"here"},
        "there": {"there"},
    }
    monkeypatch.chdir(tmp_path / "here")
    assert load("ours", Library.shipped([Path("house")])) is found["here"][0]


def test_a_file_that_comes_before_is_noticed(kept: Path, library: Library, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    wider = Library((own, *library.laws), library.editions)
    first = store.fetch(NAME, wider)
    other = own / "values" / "tricks" / "whist-club-1912.yaml"
    other.parent.mkdir(parents=True)
    text = (library.laws[0] / "values" / "tricks" / "whist-club-1912.yaml").read_text(encoding="utf-8")
    other.write_text(text.replace("hearts: 8", "hearts: 7"), encoding="utf-8")
    assert store.fetch(NAME, wider).hash != first.hash


@pytest.mark.parametrize("damage", [b"", b"lawbook edition 1\n", b"nonsense", None])
def test_what_is_damaged_is_ignored(kept: Path, library: Library, damage: bytes | None) -> None:
    first = store.fetch(NAME, library)
    (place,) = files(kept)
    content = place.read_bytes()
    place.write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert store.fetch(NAME, library).hash == first.hash
    assert store.fetch(NAME, library).hash == first.hash


def test_a_flipped_byte_is_noticed(kept: Path, library: Library) -> None:
    first = store.fetch(NAME, library)
    (place,) = files(kept)
    content = bytearray(place.read_bytes())
    content[-100] ^= 1
    place.write_bytes(bytes(content))
    assert store.fetch(NAME, library).hash == first.hash


def test_a_place_that_cannot_be_written_does_no_harm(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "occupied"
    occupied.write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("LAWBOOK_CACHE", str(occupied))
    assert store.fetch(NAME, library).id == NAME


def test_nothing_is_kept_where_that_is_wished(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAWBOOK_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    store.fetch(NAME, library)
    assert not (tmp_path / "xdg").exists()


def test_a_second_start_reads_no_grammar_and_no_schema(tmp_path: Path) -> None:
    script = (
        "import sys; from lawbook.shell.application import run; run(['rule', 'whist-club-1912', '1C P']);"
        "print(sorted(m for m in ('lark', 'jsonschema', 'yaml') if m in sys.modules))"
    )
    told = {**os.environ, "LAWBOOK_CACHE": str(tmp_path / "kept")}
    for expected in ("['lark', 'yaml']", "[]"):
        done = subprocess.run([sys.executable, "-c", script], env=told, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == expected


def test_two_processes_that_write_do_not_meet(tmp_path: Path) -> None:
    script = "from lawbook import load; print(load('whist-club-1912').hash)"
    told = {**os.environ, "LAWBOOK_CACHE": str(tmp_path / "kept")}
    running = [
        subprocess.Popen([sys.executable, "-c", script], env=told, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert len({process.communicate()[0] for process in running}) == 1
    assert [p for p in (tmp_path / "kept").iterdir() if p.suffix != ".edition"] == []
