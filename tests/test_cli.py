"""The command line: whole outputs, the shapes of all JSON, exit statuses, and that nothing ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import PUBLISHED, validator

from lawbook.shell import application
from lawbook.shell.application import COMMANDS, run
from lawbook.shell.command import parser_of
from lawbook.shell.terminal import Terminal

GOOD = Path(__file__).parent / "good" / "cli"
SAID = Path(__file__).parent / "bad" / "said"
README_COMMAND = ["compare", "whist-club-1912", "whist-club-1913", "--auction", "2H 2D S:penalise P 3N"]


class Stream(io.StringIO):
    """A stream of a given encoding that may be a terminal."""

    def __init__(self, *, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


def lawbook_command(*argv: str, terminal: bool = False, encoding: str = "utf-8") -> tuple[int, str, str]:
    """Run the command; its exit status, standard output and standard error."""
    out = Stream(terminal=terminal, encoding=encoding)
    error = Stream(terminal=terminal, encoding=encoding)
    status = run(list(argv), Terminal(out, error))
    return status, out.getvalue(), error.getvalue()


# -- whole outputs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(GOOD.glob("*.txt")), ids=lambda path: path.stem)
def test_output(path: Path, recorded: Callable[[Path, str], None]) -> None:
    command = path.read_text(encoding="utf-8").splitlines()[0]
    prompt, name, *argv = shlex.split(command)
    assert (prompt, name) == ("$", "lawbook")
    status, out, error = lawbook_command(*argv)
    text = f"{command}\n{out}{error}" + (f"[exit status {status}]\n" if status else "")
    recorded(path, text)


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        *(f"{name} --help" for name in COMMANDS),
        *(f"show {name}" for name in ("portland-bath-1908", "whist-club-1912-decisions", "whist-club-1913")),
        *(f"history {topic}" for topic in ("bonus", "finality", "correction")),
        "compare whist-club-1912 whist-club-1913 --laws-only --side-by-side",
    ],
)
def test_what_is_printed_fits_eighty_columns(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = lawbook_command(*shlex.split(command))
    lines = (out + capsys.readouterr().out).splitlines()
    assert (status, bool(lines)) == (0, True)
    assert [line for line in lines if len(line) > 80] == []


def test_help_keeps_the_lines_of_what_is_laid_out(capsys: pytest.CaptureFixture[str]) -> None:
    lawbook_command("engine", "--help")
    lines = capsys.readouterr().out.splitlines()
    assert '  > {"id": 2, "do": "act", "auction": "a", "act": "2H"}' in lines
    assert "  close auction                       forget it" in lines
    # Other paragraphs are filled.
    assert "Answer requests on standard input, for a bot, a server or a tool: each line a" in lines


# -- JSON --------------------------------------------------------------------------------------------------------------


def validate(value: object, name: str) -> None:
    validator(f"{name}.schema.json", documented=True).validate(value)


ANSWERS = [
    ("editions", "editions"),
    ("laws", "laws whist-club-1913"),
    ("show", "show whist-club-1913"),
    ("show", "show whist-club-1912 50"),
    ("readings", "readings whist-club-1912"),
    ("rule", 'rule whist-club-1912 "2H 2D S:penalise P 3N S:penalise E:correct=3D W:expose=HA"'),
    ("rule", 'rule whist-club-1913 "1C S:P P 2C 8H N:penalise W:2C" --explain'),
    ("rule", 'rule portland-bath-1908 "1C 2R" --explain'),
    ("rule", 'rule whist-club-1912 "1C X XX P P P" --dealer W'),
    ("rule", "rule whist-club-1912"),
    ("replay", 'replay "2H 2D S:penalise P 3N" whist-club-1912 whist-club-1913 portland-bath-1908'),
    ("replay", 'compare whist-club-1912 whist-club-1913 --auction "1C S:P P AP"'),
    ("compare", "compare whist-club-1912 whist-club-1913 --irregularities 0 --bids 1S,1C --acts notice"),
    ("compare", "compare whist-club-1912 portland-bath-1908 --laws-only"),
    ("check", "check portland-bath-1908"),
    ("test", "test portland-bath-1908"),
    ("error", "rule whist-club-1921 1C"),
    ("error", 'rule whist-club-1912 "1C 2Q:P zz"'),
    ("error", "nonsense"),
    ("error", "show whist-club-1912 rotaton"),
]


@pytest.mark.parametrize("name, command", ANSWERS, ids=[command for _, command in ANSWERS])
def test_json_fits_its_schema(name: str, command: str) -> None:
    status, out, error = lawbook_command(*shlex.split(command), "--json")
    validate(json.loads(out), name)
    assert error == ""
    assert (status == 2) == (name == "error")


def test_every_schema_is_of_a_command_or_shared() -> None:
    names = {name.removesuffix(".schema.json") for name in PUBLISHED}
    spoken = {"engine-request", "engine-reply"}
    options = {"rule-file", "test-coverage", "test-mutants"}
    assert names == ({*COMMANDS, "common", "error", "record"} | options | spoken) - {"engine", "lsp", "schema"}


def test_rule_tells_of_an_open_decision() -> None:
    _, out, _ = lawbook_command("rule", "whist-club-1913", "2H 2D S:penalise P 3N", "--json")
    answer = json.loads(out)
    last = answer["events"][-1]
    assert (last["seat"], last["call"], last["verdict"]) == ("W", "3N", "irregular")
    assert last["offences"] == ["declares-while-debarred"]
    assert last["because"] == [{"law": "50a", "clause": "declares-while-under-a-bar"}]
    assert [(o["seat"], o["act"]) for o in answer["options"]] == [
        ("N", "let-stand"),
        ("N", "refuse"),
        ("S", "let-stand"),
        ("S", "refuse"),
    ]
    assert all(o["until"].startswith("an adversary calls or ") for o in answer["options"])
    assert answer["contract"] is None


def test_explained_refusal_says_when_the_right_ended() -> None:
    _, out, _ = lawbook_command("rule", "whist-club-1912", "2H 2D P S:penalise", "--explain", "--json")
    last = json.loads(out)["events"][-1]
    assert last["verdict"] == "refused"
    assert last["needed"] == [
        "a right under Law 50 (insufficient declaration) would have to be open; it ended when South passed"
    ]
    assert last["text"] == ("South demands the penalty, and is refused (Law 50): the right ended when South passed.")


def test_explained_conditions_hold_for_what_fired() -> None:
    _, out, _ = lawbook_command("rule", "whist-club-1912", "2H 2D", "--explain", "--json")
    conditions = json.loads(out)["events"][-1]["conditions"]
    outranks = next(c for c in conditions if c["condition"] == "the bid does not outrank the last bid")
    assert outranks["holds"] is True
    assert outranks["values"] == {"bid": "2D", "last bid": "2H"}


def test_ledger_json_marks_the_first_divergence() -> None:
    _, out, _ = lawbook_command(*README_COMMAND, "--json")
    answer = json.loads(out)
    assert answer["divergence"] == 5
    assert [bool(act["differs"]) for act in answer["acts"]] == [False, False, False, False, True]
    assert [[event["because"][0]["law"] for event in ruling] for ruling in answer["acts"][4]["rulings"]] == [
        ["50"],
        ["50a"],
    ]
    assert [[cause["clause"] for cause in causes] for causes in answer["causes"]] == [
        ["bids-while-debarred"],
        ["declares-while-under-a-bar", "stand-or-not"],
    ]
    assert (answer["instead"], answer["earlier"]) == ([[], []], False)


def test_structure_names_what_changed() -> None:
    _, out, _ = lawbook_command("compare", "whist-club-1912", "whist-club-1913", "--laws-only", "--json")
    answer = json.loads(out)
    topics = {entry["topic"]: entry for entry in answer["structure"]}
    assert topics["time-of-penalties"]["change"] == "added"
    assert topics["time-of-penalties"]["laws"] == [None, "50b"]
    assert topics["rotation"]["change"] == "equal"
    assert topics["insufficient-declaration"]["change"] == "changed"
    assert "differences" not in answer
    assert answer["coverage"]["complete"] is False


# -- exit statuses and complaints --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command, status",
    [
        ("compare whist-club-1912 whist-club-1912 --exit-code", 0),
        ("compare whist-club-1912 whist-club-1913 --laws-only --exit-code", 1),
        ("compare whist-club-1912 whist-club-1913 --laws-only", 0),
        ('compare whist-club-1912 whist-club-1913 --exit-code --auction "1C AP"', 0),
        ('compare whist-club-1912 whist-club-1913 --exit-code --auction "1H P X"', 1),
        ("rule whist-club-1912 1C XX", 0),
        ("", 2),
        ("--version", 0),
        ("help", 0),
        ("help rule", 0),
        ("rule", 2),
        ("rule whist-club-1912 1C --laws nowhere-at-all", 2),
        ("check nowhere.yaml", 2),
        ("check whist-club-1921", 2),
        (f"rule whist-club-1912 {SAID / 'empty.pbn'}", 2),
        (f"rule whist-club-1912 {SAID / 'empty.pbn'} --json", 2),
        (f"rule whist-club-1912 {SAID / 'zeros.pbn'}", 2),
        (f"convert {SAID / 'empty.pbn'}", 2),
    ],
)
def test_exit_status(command: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert lawbook_command(*shlex.split(command))[0] == status


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_takes_an_empty_value_but_an_auction(name: str) -> None:
    for action in parser_of(application._command(name))._actions:
        if action.option_strings and action.nargs is None and action.dest != "auction":
            for empty in ("", " "):
                status, _, error = lawbook_command(name, f"{action.option_strings[0]}={empty}")
                assert (status, " takes a value, not an empty one" in error) == (2, True), (
                    action.option_strings,
                    error,
                )


# The files that examples speak of.
RECORDS = {
    "my-rules/our-table.yaml": "edition: our-table\ntitle: Our table\nbased on: whist-club-1912\n",
    "laws-of-1912.txt": "50. A law of our own.\n",
    "boards.pbn": '[Dealer "N"]\n[Auction "N"]\n1C Pass 1NT AP\n',
    "match.lin": "md|3|mb|1C|mb|p|mb|p|mb|p|\n",
    "auctions.txt": "dealer=E 1C 1N AP\n",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_the_help_of_a_command_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-rules").mkdir()
    (tmp_path / "rubber.jsonl").write_text('{"contract": "4H", "declarer": "N", "tricks": 10}\n', encoding="utf-8")
    for file, text in RECORDS.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    command = application._command(name)
    assert command.name == name
    help_text = parser_of(command).format_help()
    for example in command.examples:
        assert f"lawbook {example}" in help_text.replace(" \\\n    ", " ")
        if name in ("check", "test", "diff", "example", "gaps"):
            # They take long, need a repository, or write into laws; what they answer is asked elsewhere.
            parser_of(command).parse_intermixed_args(shlex.split(example)[1:])
            continue
        status, _, error = lawbook_command(*shlex.split(example))
        assert status in (0, 1), error


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["1C", "2H", "2D", "8H", "3R", "7N", "P", "X", "XX", "S:1H", "N:P", "W:X", "AP", "E:expose", "W:expose=HA"]
            + [f"{s}:{a}" for s in "NESW" for a in ("penalise", "new-deal", "let-stand", "refuse", "points", "notice")]
            + [f"{s}:{a}" for s in "NESW" for a in ("consult", "refer", "ask", "inform", "make-final", "call-a-lead")]
            + [f"{s}:{a}={c}" for s in "NESW" for a in ("correct", "raise") for c in ("3D", "8S", "P", "X")]
            + ["TABLE:penalise", "TABLE:notice", "zz", "2Q"]
        ),
        max_size=9,
    ),
    st.sampled_from(["whist-club-1912", "whist-club-1913", "portland-bath-1908"]),
)
def test_every_auction_is_answered(acts: list[str], edition: str) -> None:
    status, out, error = lawbook_command("rule", edition, " ".join(acts), "--explain", "--json")
    assert status in (0, 2)
    assert error == ""
    answer = json.loads(out)
    validate(answer, "error" if status else "rule")
    if status:
        assert "internal-error" not in out
        return
    for event in answer["events"]:
        assert event["text"].endswith(".")
        assert not event["text"].endswith("..")
        assert ": ." not in event["text"]
        assert (event["verdict"] == "refused") == bool(event["needed"])
        assert (event["verdict"] == "irregular") == bool(event["offences"])
    assert lawbook_command("rule", edition, " ".join(acts), "--explain")[0] == 0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["1C", "2H", "2D", "P", "X", "S:1H", "S:P", "E:correct=3D", "S:penalise"]), max_size=7))
def test_an_edition_never_parts_from_itself(acts: list[str]) -> None:
    status, out, _ = lawbook_command(
        "compare", "whist-club-1912", "whist-club-1912", "--auction", " ".join(acts), "--exit-code"
    )
    assert status == 0
    assert "≠" not in out


def test_a_mistake_of_our_own_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the roof is on fire")

    monkeypatch.setattr("lawbook.report.auction.rulings_text", fail)
    status, out, error = lawbook_command("rule", "whist-club-1912", "1C")
    assert (status, out) == (2, "")
    said = "error[internal-error]: Lawbook has a mistake of its own: RuntimeError: the roof is on fire"
    assert " ".join(error.split()).startswith(said)


def test_interruption_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lawbook.report.auction.rulings_text", interrupt)
    assert lawbook_command("rule", "whist-club-1912", "1C") == (130, "", "\n")


def test_broken_pipe_is_quiet() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "lawbook", "show", "whist-club-1912"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_auction_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1C\n2R\n"))
    _, out, _ = lawbook_command("rule", "whist-club-1912", "-", "--json")
    assert json.loads(out)["auction"] == "1C 2R"


# -- the terminal ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signs", "letters"),
    [
        (
            'rule whist-club-1912 "1♠ 2♥ 2♦ S:notice E:correct=3♦"',
            'rule whist-club-1912 "1S 2H 2D S:notice E:correct=3D"',
        ),
        ('replay "1♣ 1♠" whist-club-1912 portland-bath-1908', 'replay "1C 1S" whist-club-1912 portland-bath-1908'),
        (
            'compare whist-club-1912 whist-club-1913 --auction "1♡ S:2♧"',
            'compare whist-club-1912 whist-club-1913 --auction "1H S:2C"',
        ),
        (
            "score contract-2017 --contract 4♥x --declarer N --tricks 10",
            "score contract-2017 --contract 4Hx --declarer N --tricks 10",
        ),
        ("count contract-2017 --bids 7♦,7♠", "count contract-2017 --bids 7D,7S"),
    ],
)
def test_signs_of_denominations_are_read_and_letters_written(signs: str, letters: str) -> None:
    found = lawbook_command(*shlex.split(signs))
    assert found[0] == 0
    assert found == lawbook_command(*shlex.split(letters))
    assert not set("♠♡♥♦♣♧") & set(found[1])


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ('rule whist-club-1912 "9S"', " 1. North bids nine spades (the levels are 1 to 7)\n    irregular  Law 50"),
        ('rule contract-2017 "1C 12N"', " 2. East bids twelve no trump (the levels are 1 to 7)\n    irregular  Law 38"),
        ('rule contract-2017 "1C 8S"', " 2. East bids eight spades\n    irregular  Law 38"),
        ("rule whist-club-1912 " + "9" * 30 + "S", "bids 999999999999999999999... spades (the levels are 1 to 7)"),
        ('rule whist-club-1912 "2H 2D S:notice E:correct=9D"', "corrects his call to nine diamonds (the levels"),
        ('replay "9S" whist-club-1912 contract-2017', "1 N 9S "),
    ],
)
def test_a_level_above_the_highest_is_shown_as_it_was_written(command: str, shown: str) -> None:
    status, out, error = lawbook_command(*shlex.split(command))
    assert (status, error) == (0, "")
    assert shown in out


def test_colours_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = lawbook_command(*README_COMMAND)[1]
    coloured = lawbook_command(*README_COMMAND, terminal=True)[1]
    assert "\x1b[" not in plain
    assert "\x1b[33mirregular\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert lawbook_command(*README_COMMAND, terminal=True)[1] == plain


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    ("told", "width"), [("40", 40), ("60", 60), ("10", 40), ("400", 100), ("", 80), ("0", 80), ("-5", 80), ("wide", 80)]
)
def test_the_width_told_is_kept_to(told: str, width: int, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", told)
    monkeypatch.setenv("NO_COLOR", "1")
    if terminal and width == 80:
        # Nothing is told, so the width is that of the terminal the tests run in.
        monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((80, 24)))
    _, out, _ = lawbook_command(*README_COMMAND, terminal=terminal)
    rules = [line for line in out.splitlines() if line.endswith("───")]
    assert {len(line) for line in rules} == {width}
    assert max(map(len, out.splitlines())) <= width
    _, _, error = lawbook_command("rule", "whist-club-1912", "1Z", terminal=terminal)
    assert max(map(len, error.splitlines())) <= width


def test_output_of_a_poor_encoding() -> None:
    _, out, _ = lawbook_command(*README_COMMAND, encoding="ascii")
    assert out.isascii()
    assert "-- here they part ---" in out
    assert "> 5 W 3N" in out


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    # What was found before is shown at once.
    monkeypatch.setenv("LAWBOOK_CACHE", "off")
    check = ("check", "whist-club-1912@correction-after-notice=literal-52")
    assert lawbook_command(*check)[2] == ""
    assert "\r" in lawbook_command(*check, terminal=True)[2]


# -- one's own folder --------------------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a house rule: an edition that takes one law of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(
        "edition: house\ntitle: House rules\nbody: The club\ndate: '1920'\nsource: the notice board\n"
        "based on: whist-club-1912\nlaws: [four-passes.yaml]\n"
        "repeals: [declaration/finality/whist-club-1912.yaml]\n",
        encoding="utf-8",
    )
    shipped = Path(__file__).parents[1] / "laws" / "declaration" / "finality" / "whist-club-1912.yaml"
    law = shipped.read_text(encoding="utf-8").partition("examples:")[0]
    law = law.replace("edition: whist-club-1912", "edition: house").replace("is: 3", "is: 2")
    law += "examples:\n  - that: two passes close\n    auction: 1C P\n    act: P\n    status: final\n"
    (tmp_path / "four-passes.yaml").write_text(law, encoding="utf-8")
    return tmp_path


def test_house_rule(house: Path) -> None:
    _, out, _ = lawbook_command("rule", "house", "1C P P", "--laws", ".", "--json")
    assert json.loads(out)["status"] == "final"
    status, out, error = lawbook_command("check", "house.yaml")
    assert (status, error) == (0, "")
    assert re.fullmatch(r"checked 1 edition, \d+ other readings: no findings\n", out)


def test_check_finds_a_mistake_with_its_place(house: Path) -> None:
    path = house / "four-passes.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("there is a last bid", "there is a lost bid"))
    status, out, error = lawbook_command("check", "four-passes.yaml")
    assert (status, error) == (1, "")
    assert "four-passes.yaml:" in out
    assert "there is a lost bid" in out
    assert "^" in out
    assert "`last bid`" in out
    assert out.endswith("error\n") or out.endswith("errors\n")
    status, out, _ = lawbook_command("check", "four-passes.yaml", "--json")
    assert status == 1
    validate(json.loads(out), "check")


def test_check_finds_a_file_that_no_edition_takes(house: Path) -> None:
    (house / "stray.yaml").write_text((house / "four-passes.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    status, out, _ = lawbook_command("check", "stray.yaml")
    assert status == 1
    assert "warning[file-not-taken]: no edition takes this file" in out


def test_failing_example_is_shown(house: Path) -> None:
    path = house / "four-passes.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("status: final\n", "status: open\n"), encoding="utf-8")
    status, out, _ = lawbook_command("test", "house", "--laws", ".")
    assert status == 1
    assert "example-failed" in out
    assert "found: final" in out
    status, out, _ = lawbook_command("test", "house", "--laws", ".", "--json")
    answer = json.loads(out)
    validate(answer, "test")
    failures = [f for f in answer["failures"] if f["example"] == "two passes close"]
    assert [f["mismatches"] for f in failures] == [[{"key": "status", "expected": "open", "found": "final"}]]


# -- nothing of a clause is lost ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["whist-club-1912", "whist-club-1913", "portland-bath-1908"])
def test_every_text_of_a_clause_is_shown(name: str) -> None:
    from lawbook.auction import load
    from lawbook.report.clauses import lines_of, sections_of

    edition = load(name)
    for clause in edition.clauses:
        shown = "\n".join(lines_of(clause, edition))
        assert sections_of(clause, edition)
        for text in clause.normal[1:]:
            if text != ")" and not text.startswith("[") and not text.endswith("("):
                assert text in shown, (clause.id, text)
