"""What all tests share: expected output that lies beside its input and can be recorded anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import thorough


def pytest_configure(config: pytest.Config) -> None:
    thorough.asked = config.getoption("--thorough")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record",
        action="store_true",
        help="write expected outputs anew instead of comparing with them; review the difference before committing",
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="hold the search of two editions against enumeration at length, and draw more examples of much else: "
        "minutes, not seconds",
    )


@pytest.fixture(scope="session", autouse=True)
def kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Editions are kept in a folder of the test run's own, by the commands that tests start as well; and nothing of
    whoever runs the tests shows in what is said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWBOOK_CACHE", str(tmp_path_factory.mktemp("kept")))
        # Whoever runs the tests may have a width of the page and texts of the laws of his own.
        patch.delenv("COLUMNS", raising=False)
        patch.setenv("LAWBOOK_TEXTS", str(tmp_path_factory.mktemp("texts")))
        yield


@pytest.fixture
def recorded(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`recorded(path, text)`: the text must be what the file holds; with --record the file is written instead."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--record"):
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        if not path.exists():
            pytest.fail(f"{path.name} is not recorded yet: run pytest --record and review it")
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that a test registers with the adapters are forgotten when it ends."""
    from lawbook.adapters import cards, returns

    for module in (cards, returns):
        monkeypatch.setattr(module, "_named", dict(module._named))
