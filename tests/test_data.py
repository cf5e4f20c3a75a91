"""The laws and editions are found inside an installed package, else beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook import data
from lawbook.errors import LawbookError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that has no data yet, two levels below its checkout."""
    folder = tmp_path / "interpreter" / "lawbook"
    folder.mkdir(parents=True)
    monkeypatch.setattr(data, "__file__", str(folder / "data.py"))
    return folder


def test_beside_the_checkout(package: Path) -> None:
    beside = package.parents[1] / "editions"
    beside.mkdir()
    assert data.data_folder("editions") == beside.resolve()


def test_inside_the_package_comes_first(package: Path) -> None:
    (package.parents[1] / "laws").mkdir()
    inside = package / "laws"
    inside.mkdir()
    assert data.data_folder("laws") == inside.resolve()


def test_in_neither_place(package: Path) -> None:
    with pytest.raises(LawbookError) as caught:
        data.data_folder("laws")
    (diagnostic,) = caught.value.diagnostics
    root = package.parents[1].resolve()
    assert diagnostic.code == "data-not-found"
    assert diagnostic.message == (
        "the laws that come with Lawbook are missing: there is no folder "
        f"{root / 'interpreter' / 'lawbook' / 'laws'} or {root / 'laws'}"
    )
    assert diagnostic.help == "install Lawbook again, or run it from a complete checkout"
