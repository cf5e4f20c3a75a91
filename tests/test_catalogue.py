"""The catalogue: every code in the source has a page and a recorded message, and the other way round; and what a page
shows as an example of a mistake is part of what was recorded."""

from __future__ import annotations

import ast
import functools
import importlib
import io
import json
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from test_cli import lawbook_command, validate

import lawbook
from lawbook import catalogue
from lawbook.diagnostics import render
from lawbook.errors import LawbookError

PACKAGE = Path(lawbook.__file__).parent
BAD = Path(__file__).parent / "bad"
SAID = BAD / "said"
INVENTED = Path(__file__).parent / "good" / "invented"

# -- the codes in the source -------------------------------------------------------------------------------------------


@dataclass
class Module:
    """The functions and classes of a module that take a `code`, by name, and what it imports from where."""

    tree: ast.Module
    takers: dict[str, tuple[int | None, ast.expr | None]] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    imported: dict[str, str] = field(default_factory=dict)


def _taker(node: ast.AST) -> tuple[int | None, ast.expr | None] | None:
    """Where among its positional arguments a function or class takes a `code` (None: by keyword only), and the code
    where none is given; None if it takes none."""
    if isinstance(node, ast.ClassDef):
        fields = [s for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        for at, field_ in enumerate(fields):
            assert isinstance(field_.target, ast.Name)
            if field_.target.id == "code":
                return at, field_.value
        return None
    if not isinstance(node, ast.FunctionDef):
        return None
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    bound = int(names[:1] in (["self"], ["cls"]))
    if "code" in names:
        at = names.index("code")
        defaults = [None] * (len(names) - len(node.args.defaults)) + list(node.args.defaults)
        return at - bound, defaults[at]
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if argument.arg == "code":
            return None, default
    return None


def _modules() -> dict[str, Module]:
    found: dict[str, Module] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        module = Module(ast.parse(path.read_text(encoding="utf-8")))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                module.defined.add(node.name)
                # The catalogue's own functions take codes to look them up, not to say them.
                if (taker := _taker(node)) is not None and name != "lawbook.catalogue":
                    module.takers[node.name] = taker
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                module.imported.update({alias.asname or alias.name: node.module for alias in node.names})
        found[name] = module
    return found


def _told(argument: ast.expr) -> set[str] | None:
    """The codes that an expression can be; None where that cannot be seen."""
    match argument:
        case ast.Constant(value=str() as code):
            return {code}
        case ast.IfExp(body=one, orelse=other):
            first, second = _told(one), _told(other)
            return None if first is None or second is None else first | second
        case _:
            return None


def _assigned(name: str, function: ast.AST) -> set[str] | None:
    """The codes given to a name in a function, alone or among others in one line."""
    found: set[str] = set()
    for node in ast.walk(function):
        for target, value in _assignments(node):
            if isinstance(target, ast.Name) and target.id == name:
                told = _told(value)
                if told is None:
                    return None
                found |= told
    return found or None


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


@functools.cache
def codes_in_the_source() -> tuple[dict[str, str], list[str]]:
    """Every code with a place that says it, and the places where the code cannot be seen."""
    modules = _modules()
    anywhere = {name for module in modules.values() for name in module.takers}
    found: dict[str, str] = {}
    unseen: list[str] = []
    for name, module in modules.items():
        for default in (default for _, default in module.takers.values() if default is not None):
            found.update(dict.fromkeys(_told(default) or (), name))
        for function in [node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef)]:
            for call in ast.walk(function):
                argument = _code_of(call, module, modules, anywhere)
                if argument is None:
                    continue
                codes = _told(argument)
                if codes is None and isinstance(argument, ast.Name):
                    codes = _assigned(argument.id, function)
                place = f"{name}:{argument.lineno}"
                if codes is not None:
                    found.update(dict.fromkeys(codes, place))
                elif not _handed_on(argument, function):
                    unseen.append(place)
    return found, unseen


def _code_of(call: ast.AST, module: Module, modules: dict[str, Module], anywhere: set[str]) -> ast.expr | None:
    """The argument that is the code, of a call that has one."""
    match call:
        case ast.Call(func=ast.Name(id=name)):
            home = module if name in module.defined else modules.get(module.imported.get(name, ""))
        case ast.Call(func=ast.Attribute(attr=name)):
            home = (
                module
                if name in module.defined
                else modules["lawbook.errors"]
                if name in ("error", "warning")
                else None
            )
            if home is None and name in anywhere:
                home = next(other for other in modules.values() if name in other.takers)
        case _:
            return None
    if home is None or name not in home.takers:
        return None
    assert isinstance(call, ast.Call)
    for keyword in call.keywords:
        if keyword.arg == "code":
            return keyword.value
    at, _ = home.takers[name]
    return call.args[at] if at is not None and at < len(call.args) else None


def _handed_on(argument: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether a code is what the function was given, or what another diagnostic or error has."""
    match argument:
        case ast.Name(id="code"):
            return any(a.arg == "code" for a in (*function.args.args, *function.args.kwonlyargs))
        case ast.Attribute(attr="code"):
            return True
        case _:
            return False


# -- the messages recorded ---------------------------------------------------------------------------------------------

_HEAD = re.compile(r"^(error|warning)\[([a-z0-9-]+)\]", re.MULTILINE)
_IN_JSON = re.compile(r'"code":"([a-z0-9-]+)","severity":"(error|warning)"')
_OF_A_TEXT = re.compile(r"^ +[0-9]+-[0-9]+ ([a-z0-9-]+): ", re.MULTILINE)


@functools.cache
def recorded_messages() -> dict[str, dict[str, list[Path]]]:
    """For each code recorded below `bad/`: the severities it was recorded with, and where."""
    found: dict[str, dict[str, list[Path]]] = {}
    for path in sorted(BAD.rglob("*.txt")):
        text = path.read_text(encoding="utf-8")
        told = [(code, severity) for severity, code in _HEAD.findall(text)] + _IN_JSON.findall(text)
        told += [(code, "error") for code in _OF_A_TEXT.findall(text)]
        for code, severity in told:
            found.setdefault(code, {}).setdefault(severity, []).append(path)
    return found


def _beside(path: Path) -> str:
    """What was recorded in a file, and the files with the mistakes that lie beside it."""
    folder = path.parent
    if path.name == "expected.txt":
        files = [path, *sorted(folder.glob("*.yaml"))]
    elif folder == SAID:
        files = [path, *sorted(file for file in folder.iterdir() if file.suffix != ".txt")]
    else:
        files = sorted(folder.glob(f"{path.stem}.*"))
    return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)


def test_every_code_in_the_source_can_be_seen() -> None:
    _, unseen = codes_in_the_source()
    assert unseen == []


def test_codes_pages_and_messages_are_the_same_set() -> None:
    said, _ = codes_in_the_source()
    pages, messages = catalogue.codes(), recorded_messages()
    assert sorted(set(said) - set(pages)) == [], "said, without a page"
    assert sorted(set(pages) - set(said)) == [], "pages of what nobody says"
    assert sorted(set(said) - set(messages)) == [], "said, without a recorded message"
    assert sorted(set(messages) - set(said)) == [], "recorded, and said by nobody"


@pytest.mark.parametrize("code", catalogue.codes())
def test_a_page(code: str) -> None:
    page = catalogue.page(code)
    messages = recorded_messages().get(code, {})
    assert page.severity == " or ".join(sorted(messages))
    assert page.title[0].isupper() or page.title[0] == "`"
    assert not page.title.endswith(".")
    assert len(page.title) <= 76
    shown = "\n".join(line for line in page.example.splitlines() if line.startswith("    "))
    lines = [line.strip().removeprefix("- ") for line in textwrap.dedent(shown).splitlines() if line.strip()]
    assert lines
    for path in {path for paths in messages.values() for path in paths}:
        text = _beside(path).replace("condition: ", "if: ")
        recorded = [line.strip().removeprefix("- ") for line in text.splitlines() if line.strip()]
        recorded += [""] * len(lines)
        if any(all(map(_is_line, recorded[at : at + len(lines)], lines)) for at in range(len(recorded))):
            return
    pytest.fail(f"what the page shows is part of no mistake that was recorded: {lines}")


def _is_line(recorded: str, shown: str) -> bool:
    """Whether a line was recorded as it is shown; an ellipsis at its end stands for the rest of a long one."""
    return recorded == shown or (shown.endswith("...") and recorded.startswith(shown.removesuffix("...").rstrip()))


# -- messages that no law file gives -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(SAID.glob("*.txt")), ids=lambda path: path.stem)
def test_what_is_said(
    path: Path,
    recorded: Callable[[Path, str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    registries: None,
) -> None:
    """A file of commands (`$`), of expressions (`>>>`) and of what they read (`<`), each with what is said of it."""
    shutil.copytree(INVENTED, tmp_path / "invented")
    for file in SAID.iterdir():
        if file.suffix != ".txt":
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    lines: list[str] = []
    for command, given in _sessions(path.read_text(encoding="utf-8")):
        lines += [command, *(f"< {line}" for line in given)]
        lines += [line.rstrip() for line in _answer(command, given, monkeypatch).splitlines()]
        lines.append("")
    recorded(path, "\n".join(lines))


def _sessions(text: str) -> Iterator[tuple[str, list[str]]]:
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith(("$ ", ">>> ")):
            given = []
            for follows in lines[at + 1 :]:
                if not follows.startswith("< "):
                    break
                given.append(follows.removeprefix("< "))
            yield line, given


def _answer(command: str, given: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    if command.startswith("$ "):
        content = "".join(f"{line}\n" for line in given).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        _, *argv = shlex.split(command.removeprefix("$ "))
        _, out, error = lawbook_command(*argv)
        # What the engine answers to a request that is in order is recorded elsewhere.
        kept = [line for line in out.splitlines() if not (argv == ["engine"] and '"ok":true' in line)]
        return "\n".join(kept) + error
    with pytest.MonkeyPatch.context() as patch:
        try:
            told = eval(command.removeprefix(">>> "), {"patch": patch, **_names()})
        except LawbookError as error:
            return render(error.diagnostics).replace(f"{PACKAGE.parents[1]}/", "")
    assert isinstance(told, str)
    return told


def _names() -> dict[str, object]:
    """What an expression can use: the facade, the parts of the package that are for other programs, and a little."""
    from lawbook import adapters, auction, data, notation, scoring, values
    from lawbook.adapters import bidding, cards, conformance, open_spiel, returns
    from lawbook.engine import session, wire
    from lawbook.source import reader

    modules = (
        adapters, auction, data, notation, scoring, values, bidding, cards, conformance, open_spiel, returns, session,
        wire, reader,
    )  # fmt: skip
    names = {name: value for module in modules for name, value in vars(module).items() if not name.startswith("__")}
    own = {"importlib": importlib, "sys": sys, "lawbook_command": lawbook_command, "Deaf": Deaf, "corrected": corrected}
    return {**names, **own}


def corrected(edition: str) -> None:
    """A rubber of one deal under an edition, and the deal corrected."""
    from lawbook.auction import load
    from lawbook.deals import Deal
    from lawbook.scoring import Rubber

    deal = Deal.of({"contract": "4H", "declarer": "N", "tricks": 10})
    rubber = Rubber(load(edition))
    rubber.enter(deal)
    rubber.correct(1, deal)


class Deaf:
    """An adapter whose table never hears a call."""

    def __init__(self, edition: str, dealer: str, tricks: int) -> None:
        self._dealer = dealer

    def turn(self) -> str | None:
        return self._dealer

    def legal_calls(self) -> list[str]:
        return []


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_list_fits_its_schema_and_the_page() -> None:
    status, out, _ = lawbook_command("explain", "--json")
    assert status == 0
    validate(json.loads(out), "explain")
    _, out, _ = lawbook_command("explain")
    assert max(len(line) for line in out.splitlines()) <= 80
    assert all(f"  {code}" in out for code in catalogue.codes())


@pytest.mark.parametrize("code", catalogue.codes())
def test_a_page_as_text_and_as_json(code: str) -> None:
    status, out, _ = lawbook_command("explain", code)
    assert status == 0
    assert max(len(line) for line in out.splitlines()) <= 80
    _, out, _ = lawbook_command("explain", code, "--json")
    validate(json.loads(out), "explain")
