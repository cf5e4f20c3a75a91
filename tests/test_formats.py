"""Formats of other programs: what is read of every thing that PBN and LIN can hold, with its place; that writing and
reading are inverse; that nothing, however mutilated, raises; and the commands that read and write files."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.auction import load
from lawbook.boards import completed, rule_file
from lawbook.diagnostics import Severity, render
from lawbook.errors import LawbookError
from lawbook.formats import Format, decode, format_of_name, format_of_text, read_boards
from lawbook.formats.board import Board, Contract, Declarer, Ending, Entry, Note, Record, Result, Tag
from lawbook.formats.lin import read_lin
from lawbook.formats.pbn import read_pbn
from lawbook.formats.pbn_words import can_say_all
from lawbook.formats.pbn_writer import write_pbn
from lawbook.formats.records import read_notation, read_records, write_notation, write_records
from lawbook.values import CARD_RANKS, DOUBLE, PASS, REDOUBLE, Act, Bid, Seat, Side

HERE = Path(__file__).parent
GOOD_PBN = sorted((HERE / "good" / "pbn").glob("*.pbn"))
GOOD_LIN = sorted((HERE / "good" / "lin").glob("*.lin"))
BAD = sorted([*(HERE / "bad" / "pbn").glob("*.pbn"), *(HERE / "bad" / "lin").glob("*.lin")])


def stem(path: Path) -> str:
    return path.stem


def edition_for(text: str) -> str:
    """The edition that a file is to be ruled on by: an escape line may name it."""
    found = re.match(r"% edition: (\S+)", text)
    return found[1] if found else "contract-2017"


def read(text: str) -> Board:
    """The one board of a text that is in order."""
    reading = read_pbn(text, "x.pbn")
    assert reading.diagnostics == ()
    (board,) = reading.boards
    return board


def codes(text: str) -> list[str]:
    return [problem.code for problem in read_pbn(text, "x.pbn").diagnostics]


# -- whole files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*GOOD_PBN, *GOOD_LIN], ids=stem)
def test_good_file(path: Path, recorded: Callable[[Path, str], None]) -> None:
    text = decode(path.read_bytes())
    form = format_of_name(path.name)
    assert form is format_of_text(text)
    reading = read_boards(text, path.name, form)
    assert [d.message for d in reading.diagnostics] == []
    recorded(path.with_suffix(".jsonl"), write_records(reading.boards))
    assert read_pbn(write_pbn(reading.boards), "x.pbn").boards == reading.boards
    assert read_records(write_records(reading.boards), "x.jsonl").boards == reading.boards


@pytest.mark.parametrize("path", [*GOOD_PBN, *GOOD_LIN], ids=stem)
def test_good_file_agrees_with_its_rulings(path: Path) -> None:
    text = decode(path.read_bytes())
    form = format_of_name(path.name)
    assert form is not None
    ruled = rule_file(load(edition_for(text)), text, path.name, form)
    findings = [*ruled.findings, *(f for board in ruled.boards for f in board.findings)]
    assert [f.message for f in findings if f.severity is Severity.ERROR] == []
    assert all(b.contract_agrees is not False and b.declarer_agrees is not False for b in ruled.boards)


@pytest.mark.parametrize("path", BAD, ids=stem)
def test_bad_file(path: Path, recorded: Callable[[Path, str], None]) -> None:
    text = decode(path.read_bytes())
    form = format_of_name(path.name)
    assert form is not None
    ruled = rule_file(load(edition_for(text)), text, path.name, form)
    findings = [*ruled.findings, *(f for board in ruled.boards for f in board.findings)]
    assert findings
    assert all(f.span is not None for f in findings)
    boards = [
        f"board {b.board.number or '-'}: {b.auction.notation if b.auction else 'not ruled'}".rstrip()
        for b in ruled.boards
    ]
    recorded(path.with_suffix(".txt"), "\n".join([*boards, "", render(findings, source=lambda _: text)]))


# -- the parts of PBN, one by one --------------------------------------------------------------------------------------


def test_every_part_knows_its_place() -> None:
    text = '[Dealer "E"]\n[Contract "1NT"]\n[Auction "N"]\n-  1C=2= {c}\n  ^S ^I 1D $4 AP\n[Note "2:two"]\n'
    board = read(text)
    lines = text.splitlines()

    def at(span: object) -> str:
        from lawbook.diagnostics import Span

        assert isinstance(span, Span)
        assert span.line == span.end_line
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    assert board.auction is not None
    assert [at(entry.span) for entry in board.auction.entries] == ["1C", "1D"]
    assert [entry.token for entry in board.auction.entries] == ["1C", "1D"]
    assert at(board.auction.ending_span) == "AP"
    assert at(board.auction.span) == '[Auction "N"]'
    contract = board.tag("Contract")
    assert contract is not None
    assert (at(contract.span), at(contract.value_span)) == ('[Contract "1NT"]', "1NT")
    assert at(board.notes[0].span) == "2:two"


def test_skipped_seats_are_told_by_the_seats_of_the_calls() -> None:
    board = read('[Dealer "N"]\n[Auction "W"]\n- ^S 1D ^I 1C\n4S ^I 3NT ^S ^S\nX 5H X AP')
    assert [str(act) for act in board.acts] == ["E:1D", "S:1C", "W:4S", "N:3N", "W:X", "N:5H", "E:X"]
    assert board.auction is not None
    assert [entry.insufficient for entry in board.auction.entries] == [False, True, False, True, False, False, False]
    assert write_pbn([board]).splitlines()[3:] == ["^S 1D ^I 1C 4S", "^I 3NT ^S ^S X", "5H X AP"]


def test_what_the_tags_say() -> None:
    board = read(
        '[Board "7"]\n[Dealer "N"]\n[Vulnerable "EW"]\n[Declarer "^S"]\n[Contract "3NTXX"]\n[Result "EW 4 NS 9"]\n'
    )
    assert board.number == "7"
    assert board.vulnerable == {Side.EW}
    assert board.declarer == Declarer(Seat.S, swapped=True)
    assert board.declarer.by_the_auction is Seat.N
    assert board.contract == Contract(Bid(3, "N"), 2)
    assert board.result == Result(None, ((Side.EW, 4), (Side.NS, 9)))
    nobody_knows = read('[Dealer "?"]\n[Vulnerable "?"]\n[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n')
    assert nobody_knows.dealer is None
    assert nobody_knows.vulnerable is None
    assert (nobody_knows.contract, nobody_knows.declarer, nobody_knows.result) == (None, None, None)
    assert read('[Vulnerable "Love"]').vulnerable == set()
    assert read('[Declarer ""]\n[Contract "Pass"]').declarer == Declarer(None)


def test_no_trump_is_read_and_never_written_short() -> None:
    board = read('[Dealer "N"]\n[Auction "N"]\n1N 2n 3NT 4nt AP')
    assert write_pbn([board]).splitlines()[-1] == "AP"
    assert write_pbn([board]).splitlines()[-2] == "1NT 2NT 3NT 4NT"


def test_a_bad_game_does_not_lose_the_next() -> None:
    good = '[Board "9"]\n[Dealer "S"]\n[Auction "S"]\n1H AP\n'
    for bad in (
        '[Board "1"]\n[Dealer "N"]\n[Auction "N"]\n1C {never closed\n',
        '[Board "1"]\n[Dealer "N]\n[Auction "N\n1C XS\n',
        '[Board "1"\n[[[ ]] " " \' }}} ^^^ %%%\n',
        '[Board "1"]\n[Auction "N"]\n' + "Xass " * 1000 + "\n",
        "\x00\xff\u2028\u00a0[\n",
    ):
        reading = read_pbn(bad + "\n" + good, "x.pbn")
        last = reading.boards[-1]
        assert (last.number, last.dealer, [str(act) for act in last.acts]) == ("9", Seat.S, ["1H"])
        assert reading.diagnostics


def test_a_cut_auction_keeps_what_stands_before_the_corrupt_word() -> None:
    reading = read_pbn('[Dealer "N"]\n[Auction "N"]\n1C Pass XS 1H AP', "x.pbn")
    (board,) = reading.boards
    assert board.auction is not None
    assert board.auction.ending is Ending.CUT
    assert [str(act) for act in board.acts] == ["1C", "P"]
    assert write_pbn([board]).splitlines()[-1] == "1C Pass *"


@pytest.mark.parametrize("tag", ["Auction", "LawbookAuction"])
@pytest.mark.parametrize(
    "words, code",
    [
        ("1C $255", None),
        ("1C $256", "unknown-annotation"),
        ("1C $1000000001", "unknown-annotation"),
        ("1C =1= =2=", "second-note"),
        ("$1 1C", "annotation-misplaced"),
        ("1C =1000000001=", "note-missing"),
    ],
)
def test_annotations_are_held_to_their_numbers(tag: str, words: str, code: str | None) -> None:
    found = codes(f'[Dealer "N"]\n[{tag} "N"]\n{words}\n[Note "1:one"]\n')
    assert found == ([] if code is None else [code])


def test_encodings() -> None:
    text = '[Event "Müller"]\n[Dealer "N"]\n'
    for data in (text.encode("utf-8"), text.encode("latin-1"), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        assert read(decode(data)).value("Event") == "Müller"


def test_an_act_that_the_edition_lacks_is_told_of_with_its_place() -> None:
    text = '[Dealer "N"]\n[LawbookAuction "N"]\n2H 2D S:penalize P P P'
    ruled = rule_file(load("whist-club-1912"), text, "x.pbn", Format.PBN)
    (finding,) = [f for board in ruled.boards for f in board.findings if f.severity is Severity.ERROR]
    assert (finding.code, finding.suggestion) == ("unknown-act", "penalise")
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (3, 9)


def test_names_and_contents_tell_the_format() -> None:
    assert format_of_name("A.PBN") is Format.PBN
    assert format_of_name("a.lin.txt") is Format.NOTATION
    assert format_of_name("pbn") is None
    assert format_of_text("% PBN 2.1\n") is Format.PBN
    assert format_of_text("dealer=N 1C S:1H E:consult") is Format.NOTATION
    assert format_of_text('\ufeff\n{"auction": "AP"}') is Format.RECORDS


# -- LIN ---------------------------------------------------------------------------------------------------------------


def test_lin_calls_and_remarks_know_their_places() -> None:
    text = "md|1,,,|mb|1N!|an|15 to\n17 !H|mb|d|mb|r|mb|p|\n"
    (board,) = read_lin(text, "x.lin").boards
    assert board.dealer is Seat.S
    assert [str(act) for act in board.acts] == ["1N", "X", "XX", "P"]
    assert board.notes == (Note(1, "15 to 17 \\H"),)
    assert board.auction is not None
    spans = [entry.span for entry in board.auction.entries]
    assert [(s.line, s.column, s.end_column) for s in spans if s is not None][:2] == [(1, 12, 15), (2, 10, 11)]


def test_lin_without_the_last_hand() -> None:
    (board,) = read_lin("md|3S9TAH2D234JC3689A,S23467H4DQKC27TJQ,SQH679JKD5678TAC5,|", "x.lin").boards
    assert board.value("Deal") == "S:AT9.2.J432.A9863 76432.4.KQ.QJT72 Q.KJ976.AT8765.5 KJ85.AQT853.9.K4"


def test_lin_with_more_meanings_than_notes() -> None:
    calls = "".join(f"mb|p|an|meaning {n}|" for n in range(40))
    (board,) = read_lin(f"md|1|{calls}", "x.lin").boards
    assert len(board.notes) == 32
    assert board.auction is not None
    assert board.auction.entries[35].comments == ("meaning 35",)
    assert read_pbn(write_pbn([board]), "x.pbn").boards == (board,)


# -- writing and reading are inverse -----------------------------------------------------------------------------------

_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
# A comment may have several lines, and one line may have braces.
_COMMENT = st.one_of(_LINE, st.lists(_LINE.map(lambda t: t.replace("}", "")), max_size=3).map("\n".join)).filter(
    lambda text: "[" not in text
)
_COMMENTS = st.lists(_COMMENT, max_size=2).map(tuple)
_BIDS = st.builds(Bid, st.integers(1, 7), st.sampled_from("CDHSN"))
_CALLS = st.one_of(st.sampled_from([PASS, DOUBLE, REDOUBLE]), _BIDS)
_NOTES = st.lists(st.tuples(st.integers(1, 32), _LINE), max_size=3, unique_by=lambda note: note[0]).map(
    lambda notes: tuple(Note(*note) for note in notes)
)
_OWN_ACTS = st.one_of(
    st.builds(Act.of_call, st.one_of(_CALLS, st.builds(Bid, st.integers(1, 8), st.sampled_from("CDHRSNZ")))),
    st.builds(Act.of_call, _CALLS, st.sampled_from(Seat)),
    st.builds(Act, st.sampled_from(Seat), st.sampled_from(["penalise", "new-deal"])),
    st.builds(lambda rank: Act(Seat.E, "expose", argument=f"H{rank}"), st.sampled_from(CARD_RANKS)),
)
_ENDINGS = st.sampled_from([Ending.PLAIN, Ending.ALL_PASS, Ending.STOPPED, Ending.UNFINISHED])
_TAG_NAMES = st.sampled_from(["Event", "Site", "Board", "West", "Scoring", "Contract", "Annotator", "Result", "Home_1"])
_VALUES = {
    "Contract": st.sampled_from(["Pass", "1C", "7NTXX", "?", ""]),
    "Result": st.sampled_from(["0", "13", "^9", "NS 9", "EW 4 NS 9", "?", ""]),
}
_SECTIONS = st.sampled_from(["", "S2 S3 SA S4\n*", "C2", "- - HA", 'a "word [in quotes]" {b\n\nc} d'])


@st.composite
def recorded_auctions(draw: st.DrawFn, notes: tuple[Note, ...], dealer: Seat | None) -> Record:
    """An auction as a reader makes it: bare calls, and calls that name their seat from the first that is skipped."""
    own = draw(st.booleans())
    numbers = st.sampled_from([None, *(note.number for note in notes)])
    glyphs = st.lists(st.integers(0, 255), max_size=1).map(tuple)
    entries: list[Entry] = []
    named, due = False, dealer
    for _ in range(draw(st.integers(0, 8))):
        insufficient = False
        if own:
            act = draw(_OWN_ACTS)
        else:
            call = draw(_CALLS)
            skips = draw(st.integers(0, 3)) if dealer is not None and draw(st.integers(0, 5)) == 0 else 0
            named = named or skips > 0
            seat = None if due is None else Seat((due + skips) % 4)
            act = Act.of_call(call, seat if named else None)
            due = None if seat is None else seat.left
            has_bid = any(isinstance(entry.act.call, Bid) for entry in entries)
            insufficient = isinstance(call, Bid) and has_bid and draw(st.integers(0, 3)) == 0
        entries.append(Entry(act, insufficient, draw(numbers), draw(glyphs), draw(_COMMENTS)))
    return Record(tuple(entries), draw(_ENDINGS), own, draw(_COMMENTS))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    dealer = draw(st.sampled_from([*Seat, None]))
    notes = draw(_NOTES)
    record = draw(st.one_of(st.none(), recorded_auctions(notes, dealer)))
    names = draw(st.lists(_TAG_NAMES, max_size=4, unique=True))
    tags = [
        Tag(name, draw(_VALUES.get(name, _LINE.filter(lambda v: not v.startswith("#")))), draw(_COMMENTS))
        for name in names
    ]
    sections = draw(st.lists(st.sampled_from(["Play", "ScoreTable", "OptimumTable"]), max_size=2, unique=True))
    tags += [Tag(name, draw(st.sampled_from(["N", "W"])), draw(_COMMENTS), draw(_SECTIONS)) for name in sections]
    return Board(dealer, tuple(tags), record, notes if record is not None else (), draw(_COMMENTS))


@given(st.lists(boards(), max_size=3).map(tuple))
def test_pbn_that_is_written_reads_as_the_same_boards(written: tuple[Board, ...]) -> None:
    reading = read_pbn(write_pbn(written), "x.pbn")
    assert [problem.message for problem in reading.diagnostics] == []
    assert reading.boards == written


@given(st.lists(boards(), max_size=3).map(tuple))
def test_json_lines_that_are_written_read_as_the_same_boards(written: tuple[Board, ...]) -> None:
    text = write_records(written)
    reading = read_records(text, "x.jsonl")
    assert [problem.message for problem in reading.diagnostics] == []
    # What PBN has no words for is known to be our own, whoever wrote it.
    assert reading.boards == tuple(_known_as_own(board) for board in written)
    for line in text.splitlines():
        validate(json.loads(line), "record")


def _known_as_own(board: Board) -> Board:
    record = board.auction
    if record is None or can_say_all(record.entries, board.dealer):
        return board
    return replace(board, auction=replace(record, own=True))


@given(st.lists(boards(), max_size=3).map(tuple))
def test_notation_that_is_written_reads_as_the_same_acts(written: tuple[Board, ...]) -> None:
    told = tuple(b for b in written if b.auction is not None and b.dealer is not None)
    reading = read_notation(write_notation(told), "x.txt")
    assert reading.diagnostics == ()
    assert [(b.dealer, b.auction and b.auction.items) for b in reading.boards] == [
        (b.dealer, b.auction and b.auction.items) for b in told
    ]


@pytest.mark.parametrize(
    "board",
    [
        Board(tags=(Tag("Event", "two\nlines"),)),
        Board(tags=(Tag("Event", "#"),)),
        Board(tags=(Tag("Event", "##Cup"),)),
        Board(tags=(Tag("no name", "x"),)),
        Board(comments=("} and\nanother line",)),
        Board(comments=('a\n\n[Event "torn"]',)),
        Board(tags=(Tag("Play", "N", section="S2\n\nS3"),)),
        Board(tags=(Tag("Play", "N", section='S2 [Event "x"]'),)),
        Board(Seat.N, auction=Record((Entry(Act(Seat.N, "consult", argument='a"b')),), own=True)),
    ],
)
def test_what_pbn_cannot_hold_is_refused(board: Board) -> None:
    with pytest.raises(LawbookError) as caught:
        write_pbn([board])
    assert [problem.code for problem in caught.value.diagnostics] == ["not-in-format"]


# -- nothing raises ----------------------------------------------------------------------------------------------------

_FILES = [path.read_bytes() for path in (*GOOD_PBN, *GOOD_LIN, *BAD)]
_SCRAPS = st.sampled_from(
    [
        *b'^ [ ] " { } ; % * - + | = \r \x00 \xff'.split(b" "),
        b"^S",
        b"=1=",
        b"\n\n",
        b'[Auction "N"]\n',
        b"md|",
        b"mb|1H|",
    ]
)


@st.composite
def mutilated(draw: st.DrawFn) -> bytes:
    """A file with bytes cut out, put in twice, or strewn with scraps."""
    data = bytearray(draw(st.sampled_from(_FILES)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(start + draw(st.integers(0, 40)), len(data))
        match draw(st.integers(0, 3)):
            case 0:
                del data[start:end]
            case 1:
                data[start:start] = data[start:end]
            case 2:
                data[start:start] = draw(_SCRAPS)
            case _:
                data[start:start] = draw(st.binary(max_size=8))
    return bytes(data)


@settings(max_examples=300)
@given(mutilated(), st.sampled_from(Format))
@example(b"", Format.PBN)
@example(b"[" * 5000, Format.PBN)
@example(b"{" * 5000, Format.PBN)
@example(b"|" * 5000, Format.LIN)
@example(b"[[" * 2000 + b'{"a":' * 2000, Format.RECORDS)
def test_mutilated_bytes_give_boards_and_diagnostics(data: bytes, form: Format) -> None:
    text = decode(data)
    reading = read_boards(text, "x", form)
    for problem in reading.diagnostics:
        assert problem.span is not None
        assert problem.message
    render(reading.diagnostics, source=lambda _: text)
    # Whatever was made out of it can be written, or is refused in words; and then it reads as what was written.
    try:
        written = write_pbn(reading.boards)
    except LawbookError:
        return
    again = read_pbn(written, "x.pbn")
    assert write_pbn(again.boards) == written


@settings(max_examples=100, deadline=None)
@given(mutilated(), st.sampled_from(["contract-2017", "whist-club-1912", "portland-bath-1908"]))
def test_mutilated_bytes_are_ruled_on(data: bytes, edition: str) -> None:
    text = decode(data)
    ruled = rule_file(load(edition), text, "x", format_of_text(text))
    assert all(finding.message for board in ruled.boards for finding in board.findings)
    for board in ruled.boards:
        completed(load(edition), board.board)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), lambda x: st.lists(x, max_size=3)))
def test_json_of_the_wrong_shape_is_told_of(value: object) -> None:
    for key in ("dealer", "auction", "ending", "own", "remarks", "tags", "notes", "comments", "auction_comments"):
        line = json.dumps({"auction": "1C AP", key: value})
        for problem in read_records(line, "x.jsonl").diagnostics:
            assert problem.span is not None
    read_records(json.dumps(value), "x.jsonl")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"board": "1", "auction": "1C", "auction": "2C"}', "auction"),
        ('{"auction": "1C AP", "tags": [{"name": "Event", "value": "a", "value": "b"}]}', "value"),
    ],
)
def test_a_line_of_json_that_gives_a_key_twice_is_left_out(line: str, key: str) -> None:
    reading = read_records(f'{line}\n{{"board": "2", "auction": "1D AP"}}\n', "x.jsonl")
    assert [board.number for board in reading.boards] == ["2"]
    (problem,) = reading.diagnostics
    assert (problem.code, problem.message) == ("duplicate-key", f"the key `{key}` is given twice")
    assert problem.span is not None
    assert (problem.span.line, problem.span.end_column) == (1, len(line) + 1)


def test_a_large_file_takes_seconds() -> None:
    games = [path.read_text(encoding="utf-8") for path in GOOD_PBN if path.stem in ("all-pass", "notes", "padding")]
    text = "\n".join(games * 120)
    edition = load("contract-2017")
    rule_file(edition, games[0], "x.pbn", Format.PBN)
    start = time.perf_counter()
    ruled = rule_file(edition, text, "x.pbn", Format.PBN)
    assert len(ruled.boards) == 720
    assert time.perf_counter() - start < 20


# -- the commands ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("irregularities", "contract-and-declarer", "corrupt-tokens", "royals"):
        source = next(path for path in (*GOOD_PBN, *BAD) if path.stem == name and path.suffix == ".pbn")
        (tmp_path / f"{name}.pbn").write_bytes(source.read_bytes())
    (tmp_path / "match.lin").write_bytes((HERE / "good" / "lin" / "match.lin").read_bytes())
    return tmp_path


def test_rule_a_file(folder: Path, recorded: Callable[[Path, str], None]) -> None:
    status, out, error = lawbook_command("rule", "contract-2017", "contract-and-declarer.pbn")
    assert (status, error) == (0, "")
    table = out.partition("\n\nwarning[")[0].splitlines()
    assert max(map(len, table)) <= 80
    recorded(HERE / "good" / "pbn" / "rule-file.txt", out)


def test_rule_a_file_in_json(folder: Path) -> None:
    for name in ("contract-and-declarer.pbn", "corrupt-tokens.pbn", "match.lin"):
        status, out, _ = lawbook_command("rule", "contract-2017", name, "--json", "--explain")
        answer = json.loads(out)
        validate(answer, "rule-file")
        assert status == (1 if name == "corrupt-tokens.pbn" else 0)
        assert answer["file"] == name
    status, out, _ = lawbook_command("rule", "whist-club-1912", "irregularities.pbn", "--json")
    answer = json.loads(out)
    validate(answer, "rule-file")
    assert answer["summary"]["boards"] == 3
    first = answer["boards"][0]
    assert first["ruling"]["auction"] == "E:1D 1C P P P"
    assert [call["token"] for call in first["calls"]] == ["1D", "1C", "AP", "AP", "AP"]
    finding = first["findings"][0]
    assert (finding["token"], finding["span"]["line"], finding["span"]["column"]) == ("1D", 5, 6)
    event = first["ruling"]["events"][first["calls"][0]["event"]]
    assert (event["call"], event["verdict"], event["offences"]) == ("1D", "irregular", ["declaration-out-of-turn"])


@pytest.mark.parametrize(
    ("lines", "status", "shown"),
    [
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}'], 0, "1C by N"),
        # An act that the laws refuse is ruled on.
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}', '{"dealer": "N", "auction": "XX AP"}'], 0, "1C by N"),
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}', '{"auction": 7}'], 1, "1C by N"),
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}', '{"auction": "1C foo"}'], 1, "1C by N"),
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}', '{"auction": "1C AP"}'], 1, "1C by N"),
        # This edition has no royal spades.
        (['{"board": "1", "dealer": "N", "auction": "1C AP"}', '{"dealer": "E", "auction": "1R AP"}'], 1, "1C by N"),
        (['{"auction": 7}'], 2, "0 boards"),
    ],
)
def test_the_exit_status_tells_whether_all_of_a_file_was_ruled_on(
    folder: Path, lines: list[str], status: int, shown: str
) -> None:
    (folder / "x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found, out, _ = lawbook_command("rule", "contract-2017", "--file", "x.jsonl")
    assert found == status
    assert shown in out


def test_contract_and_declarer_are_compared(folder: Path) -> None:
    _, out, _ = lawbook_command("rule", "contract-2017", "contract-and-declarer.pbn", "--json")
    boards_found = json.loads(out)["boards"]
    assert [(b["contract"]["agrees"], b["declarer"]["agrees"]) for b in boards_found] == [
        (False, True),
        (False, True),
        (False, False),
        (False, False),
        (True, False),
        (False, True),
    ]
    assert boards_found[0]["contract"] == {"tag": "3N", "auction": "3NX", "agrees": False}
    assert boards_found[2]["contract"]["auction"] == "Pass"
    assert boards_found[4]["declarer"] == {"tag": "^N", "auction": "N", "agrees": False}


def test_rule_reads_any_name_with_file(folder: Path) -> None:
    (folder / "royals.pbn").rename(folder / "kept")
    status, out, _ = lawbook_command("rule", "whist-club-1912", "--file", "kept", "--explain")
    assert status == 0
    assert "4R by S" in out
    assert "East bids one club" in out
    assert out.splitlines()[-1].startswith("3 boards: ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["contract-2017", "missing.pbn"], "missing.pbn cannot be read: No such file or directory"),
        (["contract-2017", "--file", "."], ". cannot be read: Is a directory"),
        (["contract-2017", "royals.pbn", "--dealer", "N"], "--dealer is for an auction"),
        (["contract-2017", "1C", "--file", "royals.pbn"], "either an auction is given or a file"),
    ],
)
def test_a_file_that_cannot_be_ruled_on(folder: Path, arguments: list[str], message: str) -> None:
    status, out, error = lawbook_command("rule", *arguments)
    assert (status, out) == (2, "")
    assert message in error


def test_convert_there_and_back(folder: Path) -> None:
    for name in ("royals.pbn", "irregularities.pbn"):
        status, out, error = lawbook_command("convert", name, "--to", "jsonl")
        assert (status, error) == (0, "")
        (folder / "x.jsonl").write_text(out, encoding="utf-8")
        status, out, error = lawbook_command("convert", "x.jsonl", "--output", "again.pbn")
        assert (status, out, error) == (0, "", "")
        first, again = ((folder / n).read_text(encoding="utf-8") for n in (name, "again.pbn"))
        assert read_pbn(first, "x").boards == read_pbn(again, "x").boards


def test_convert_notation(folder: Path) -> None:
    (folder / "auctions.txt").write_text("# two\ndealer=E 1C 2H 2D P AP\n1C 2R AP\n", encoding="utf-8")
    _, out, _ = lawbook_command("convert", "auctions.txt", "--dealer", "W")
    assert out == (
        '% PBN 2.1\n[Dealer "E"]\n[Auction "E"]\n1C 2H 2D Pass\nAP\n\n[Dealer "W"]\n[LawbookAuction "W"]\n1C 2R AP\n'
    )
    _, out, _ = lawbook_command("convert", "auctions.txt", "--edition", "contract-2017")
    assert '[Dealer "E"]\n[Declarer "W"]\n[Contract "2D"]\n[Auction "E"]\n1C 2H ^I 2D Pass\nAP' in out
    (folder / "x.pbn").write_text(out, encoding="utf-8")
    assert lawbook_command("convert", "x.pbn")[1] == "dealer=E 1C 2H 2D P AP\ndealer=N 1C 2R AP\n"


def test_an_edition_with_other_denominations_keeps_its_auctions_apart(folder: Path) -> None:
    (folder / "a.txt").write_text("1S AP\n", encoding="utf-8")
    _, out, _ = lawbook_command("convert", "a.txt", "--edition", "whist-club-1912")
    assert '[LawbookAuction "N"]\n1S AP' in out
    _, out, _ = lawbook_command("convert", "a.txt", "--edition", "portland-bath-1908")
    assert '[Auction "N"]\n1S AP' in out


@pytest.mark.parametrize("written", ["dealer=E 1♣ 2♡ AP\n", '{"dealer": "E", "auction": "1♣ 2♡ AP"}\n'])
def test_signs_of_denominations_are_read_where_an_edition_is_named(folder: Path, written: str) -> None:
    (folder / "a").write_text(written, encoding="utf-8")
    status, out, _ = lawbook_command("rule", "contract-2017", "--file", "a")
    assert (status, "2H by S" in out) == (0, True)
    status, out, _ = lawbook_command("convert", "a", "--edition", "contract-2017", "--to", "notation")
    assert (status, out) == (0, "dealer=E 1C 2H AP\n")
    # Which letters they stand for is for an edition to say.
    status, _, error = lawbook_command("convert", "a", "--to", "notation")
    assert status != 0
    assert "`1♣` is neither a call nor an act" in error


def test_convert_lin(folder: Path) -> None:
    status, out, error = lawbook_command("convert", "match.lin")
    assert (status, error) == (0, "")
    assert '[Auction "S"]\n1S =1=\n{said the\ncommentator}' in out
    assert read_pbn(out, "x").boards == read_lin((folder / "match.lin").read_text(encoding="utf-8"), "x").boards


def test_convert_tells_what_it_could_not_read(folder: Path) -> None:
    status, out, error = lawbook_command("convert", "corrupt-tokens.pbn")
    assert status == 1
    assert out == "dealer=N 1C\ndealer=E 1C AP\n"
    assert "`XS` is no call" in error
    assert "1C XS 1H Xass" in error
    status, out, error = lawbook_command("convert", "corrupt-tokens.pbn", "--json")
    answer = json.loads(out)
    validate(answer, "convert")
    assert (status, error, answer["boards"], answer["from"], answer["to"]) == (1, "", 2, "pbn", "notation")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["royals.pbn", "--to", "lin"], "LIN is read, and not written"),
        (["royals.pbn", "--to", "pnb"], "there is no format `pnb`"),
        (["royals.pbn", "-o", "no/such/folder.pbn"], "no/such/folder.pbn cannot be written"),
        (["missing.pbn"], "missing.pbn cannot be read"),
    ],
)
def test_convert_wrongly(folder: Path, arguments: list[str], message: str) -> None:
    status, out, error = lawbook_command("convert", *arguments)
    assert (status, out) == (2, "")
    assert message in error
