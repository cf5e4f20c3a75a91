"""Web pages: well-formed, self-contained, readable by eye and by ear; nothing that an edition says becomes markup."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_cli import lawbook_command
from test_findings import BEHAVIOURS, behaviour_of

from lawbook.compare.lineage import history_of
from lawbook.compare.matrix import compare_many
from lawbook.compare.structure import compare_structure
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.library import Library
from lawbook.loading import load
from lawbook.report.html import document
from lawbook.report.html.comparison import comparison_page
from lawbook.report.html.elements import tag, text
from lawbook.report.html.history import history_page
from lawbook.report.html.matrix import matrix_page

STYLE = (Path(document.__file__).parent / "style.css").read_text(encoding="utf-8")
PAIRS = {
    "codes": ["whist-club-1912", "whist-club-1913"],
    "readings": ["whist-club-1912", "whist-club-1912@correction-after-notice=literal-52"],
}
COMMANDS = {
    "compare-itself": ["compare", "whist-club-1912", "whist-club-1912"],
    "compare-many": [
        "compare",
        "portland-bath-1908",
        "whist-club-1912-decisions",
        "whist-club-1913",
        "contract-2017",
        "--laws-only",
    ],
    "history": ["history", "50", "--edition", "whist-club-1912"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, command in COMMANDS.items():
        file = folder / f"{name}.html"
        status, out, error = lawbook_command(*command, "--html", str(file))
        assert (status, error) == (0, "")
        # Nothing else is said on the terminal.
        assert " ".join(out.split()) == f"{file} is written."
        found[name] = file.read_text(encoding="utf-8")
    for name, (a, b) in PAIRS.items():
        found[name] = comparison_page(compare_structure(load(a), load(b)))
    for name, case in BEHAVIOURS.items():
        behaviour = behaviour_of(case)
        found[f"behaviour-{name}"] = comparison_page(compare_structure(behaviour.a, behaviour.b), behaviour)
    return found


NAMES = [*COMMANDS, *PAIRS, *(f"behaviour-{name}" for name in BEHAVIOURS)]
EVERY = pytest.mark.parametrize("name", NAMES)


def tree_of(page: str) -> ElementTree.Element:
    """The page as XML: what is well-formed as XML is so as HTML, every element closed and every attribute quoted."""
    doctype, _, rest = page.partition("\n")
    assert doctype == "<!DOCTYPE html>"
    return ElementTree.fromstring(rest)


@EVERY
def test_page_is_well_formed_and_stands_alone(pages: dict[str, str], name: str) -> None:
    root = tree_of(pages[name])
    assert {element.tag for element in root.iter()}.isdisjoint({"script", "link", "img", "iframe", "object", "form"})
    for element in root.iter():
        assert not [key for key in element.attrib if key in ("src", "style") or key.startswith("on")]
        assert element.get("href", "#").startswith("#")
    assert "url(" not in STYLE
    assert "@import" not in STYLE


@EVERY
def test_links_lead_somewhere_and_ids_are_used_once(pages: dict[str, str], name: str) -> None:
    root = tree_of(pages[name])
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert set(ids.values()) == {1}
    named = {element.get("href", "")[1:] for element in root.iter("a")}
    described = {element.get("aria-labelledby", "") for element in root.iter()} - {""}
    assert named | described <= set(ids)


@EVERY
def test_page_can_be_heard(pages: dict[str, str], name: str) -> None:
    root = tree_of(pages[name])
    assert root.get("lang")
    levels = [int(element.tag[1]) for element in root.iter() if re.fullmatch(r"h\d", element.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))
    for table in root.iter("table"):
        assert list(table.iter("th")), "a table without headings"
        assert all(cell.get("scope") for cell in table.iter("th"))
    assert len(list(root.iter("main"))) == len(list(root.iter("nav"))) == 1


@EVERY
def test_tables_have_as_many_cells_in_every_row(pages: dict[str, str], name: str) -> None:
    for table in tree_of(pages[name]).iter("table"):
        widths = {sum(int(cell.get("colspan", "1")) for cell in row) for row in table.iter("tr")}
        assert len(widths) == 1


# -- escaping ----------------------------------------------------------------------------------------------------------

HOSTILE = """</title></style><script>alert("1")</script><b onmouseover='x'>&amp; ]]> -->"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    quoted = json.dumps(HOSTILE)
    (tmp_path / "house.yaml").write_text(
        f"edition: house\ntitle: {quoted}\nbody: {quoted}\nsource: {quoted}\nbased on: whist-club-1912\n"
        "amends: {values/tricks/whist-club-1912.yaml: values.yaml}\n",
        encoding="utf-8",
    )
    (tmp_path / "values.yaml").write_text(
        f"title: {quoted}\ntopic: trick-values\nin: [{{edition: house, law: none, evidence: custom}}]\n"
        f"summary: {quoted}\nclauses:\n"
        f"  - id: value-of-tricks\n    says: {quoted}\n    table: the value of a denomination\n"
        "    names the denominations: yes\n"
        "    rows: {spades: 2, clubs: 6, diamonds: 7, hearts: 8, royal spades: 5, no trump: 10}\n"
        f"  - id: seven-odd-tricks\n    says: {quoted}\n    term: the most odd tricks\n    is: 7\n",
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize("kind", ["pair", "matrix", "history"])
def test_what_an_edition_says_never_becomes_markup(hostile: Path, kind: str) -> None:
    library = Library.shipped([hostile])
    editions = [load("whist-club-1912", library), load("house", library), load("whist-club-1913", library)]
    if kind == "pair":
        page = comparison_page(compare_structure(*editions[:2]))
    elif kind == "matrix":
        page = matrix_page(compare_many(editions, library))
    else:
        wrong = Diagnostic("missing-file", Severity.ERROR, HOSTILE)
        page = history_page([history_of("trick-values", editions, library)], {HOSTILE: wrong}, HOSTILE)
    root = tree_of(page)
    assert {element.tag for element in root.iter()}.isdisjoint({"script", "b"})
    assert not any("onmouseover" in element.attrib for element in root.iter())
    shown = " ".join("".join(root.itertext()).split())
    # It is there to be read, word for word.
    assert HOSTILE in shown


def test_elements_escape_whatever_is_not_markup() -> None:
    assert text('<&>"') == "&lt;&amp;&gt;&quot;"
    assert tag("td", ["a<b", None, tag("em", "c&d")], title='"', hidden=True, colspan=0) == (
        '<td title="&quot;" hidden="hidden" colspan="0">a&lt;b<em>c&amp;d</em></td>\n'
    )


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    status, out, error = lawbook_command("compare", "whist-club-1912", "whist-club-1912", "--html", str(tmp_path))
    assert (status, out) == (2, "")
    assert "cannot be written" in " ".join(error.split())


def test_json_comes_with_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    _, out, _ = lawbook_command("history", "finality", "--html", str(file), "--json")
    assert json.loads(out)["topics"][0]["topic"] == "finality"
    assert file.exists()


# -- colours -----------------------------------------------------------------------------------------------------------

# What is written in which colour on which: at least 4.5 to 1, as the guidelines for accessible pages ask of text.
CONTRASTS = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "band"),
    ("faint", "paper"),
    ("faint", "card"),
    ("faint", "band"),
    ("link", "paper"),
    ("link", "band"),
    ("red", "paper"),
    ("red", "mark"),
    ("new-ink", "new"),
    ("old-ink", "old"),
    ("mark-ink", "mark"),
    ("faint", "mark"),
]


def _schemes() -> Iterator[tuple[str, dict[str, str]]]:
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    base: dict[str, str] = {}
    for name, block in zip(("light", "dark", "print"), blocks, strict=True):
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", block))
        base = base or colours
        yield name, {**base, **colours}


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme, colours", list(_schemes()), ids=lambda value: value if isinstance(value, str) else "")
def test_colours_can_be_read(scheme: str, colours: dict[str, str]) -> None:
    for ink, ground in CONTRASTS:
        lighter, darker = sorted((_luminance(colours[ink]), _luminance(colours[ground])), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, f"{scheme}: {ink} on {ground}"
