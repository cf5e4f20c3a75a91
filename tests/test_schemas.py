"""The published schemas: what they accept, the words in which they refuse, and the files that must fit them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from lawbook.data import data_folder
from lawbook.diagnostics import render
from lawbook.edition.kinds import KEYS
from lawbook.edition.model import CALL_KINDS
from lawbook.errors import Collector
from lawbook.language.lexer import PREPOSITIONS
from lawbook.notation import ArgumentKind
from lawbook.source import Node, read, read_file, validate

BAD = Path(__file__).parent / "bad" / "shape"
LAWS, EDITIONS = data_folder("laws"), data_folder("editions")
FILES = {
    "law": LAWS / "law.schema.json",
    "vocabulary": LAWS / "vocabulary.schema.json",
    "edition": EDITIONS / "edition.schema.json",
}
SCHEMAS: dict[str, dict[str, Any]] = {kind: json.loads(path.read_text("utf-8")) for kind, path in FILES.items()}
KINDS = pytest.mark.parametrize("kind", SCHEMAS)

# One file of each kind with every key there is, figures and truths unquoted as an author writes them.
VOCABULARY = """\
title: Auction bridge
silence: [{check: unused-word, clause: most, reason: for house rules}]
enumerations:
  - {enumeration: status, members: [open, final, 2, yes], gloss: how the auction stands}
denominations:
  - {denomination: no trump, letter: N, sign: ∅, gloss: no suit}
offences:
  - {offence: insufficient declaration, gloss: a bid that is too low}
calls:
  - {call: pass, says: passes, gloss: a call that declines}
  - {call: call, says: calls}
acts:
  - {act: correct, says: corrects his call, argument: call, chooses: no, groups: [speaks of it], gloss: he replaces it}
everything: {says: does anything, gloss: calls or does any other act}
bindings:
  - {binding: caller, phrase: caller, synonyms: [player], gloss: whoever calls}
words:
  - {noun: most odd tricks, gives: number from 1 to 8, plural: yes, gloss: how many there are to be won}
  - {noun: everybody, gives: set of seat, primitive: everybody, synonyms: [all], article: "", gloss: all four}
  - {function: declaration, of: number from 1 to 8, in: denomination, gives: bid, article: a, plural: no, gloss: a bid}
  - {relation: outranks, between: [bid, bid], negative: does not outrank, synonyms: [beats], gloss: is the higher}
  - {quality: is debarred, of: seat, negative: is not debarred, primitive: is debarred, gloss: may not declare}
  - {verb: debar, joins: debarred players, synonyms: [bar], gloss: put under a bar}
  - {verb: free, leaves: debarred players, gloss: release from a bar}
registers:
  - register: first namer
    for each: {of: denomination, for: side}
    type: optional seat
    starts: nothing
    put back: by a correction
    kept while: the status is open
    kept while all of: [the status is open, none of: [there is a last bid], all of: [there is a last bid]]
    kept while any of: [the status is open]
    kept while none of: [the status is final]
    present with: [last bid, last bidder]
    synonyms: [namer]
    plural: no
    gloss: who was the first to bid a denomination
  - {register: doubling, for each: right, type: number from 0 to 2, starts: 0, present with: last bid, gloss: how often}
score sheet:
  columns:
    - {column: honour score, key: honours, gloss: points apart from the game}
  facts:
    - {register: tricks won, type: number from 0 to 13, starts: 0, key: tricks, totals: honour score, gloss: tricks}
  registers:
    - {register: game score, for each: {of: side}, type: number from 0 to 29, starts: 0, gloss: points so far}
roles:
  - {role: adversary, article: an, means: the adversaries of the offender, synonyms: [opponent], gloss: of the other}
  - {role: player}
  - {role: table, article: the, is the table: yes}
interface:
  status: the status
  turn: the player in turn
  contract: the last bid
  doubling: the doubling
  declarer: the declarer
  dummy: the dummy
  debarred: the player is debarred
a call may be put back:
  while any of: [the correction is open, the status is open]
  while: the correction is open
  while all of: [the correction is open]
  while none of: [the correction is late]
"""
LAW = """\
title: Insufficient declarations
topic: insufficient
summary: A bid must outrank the last bid.
in:
  - {edition: whist-club-1912, law: 50, source: "Laws of 1912, New York", evidence: text, date: 1912-11}
  - {edition: whist-club-1913, law: 50a, evidence: paraphrase, date: 1913}
  - {edition: custom, law: none}
  - {edition: decisions, evidence: decision, date: 1913-02-28}
sets aside: [penalise-insufficient]
notes: [a remark]
silence: [{check: unused-word, clause: most, reason: for house rules}]
clauses:
  - {id: bonus, score: the deal, for each: side, effects: the fine goes to the score of the side, penalty for: revoke}
  - id: value
    table: the value of a denomination
    names the denominations: yes
    rows: {spades: 2, no trump: 10}
  - id: most
    term: the most odd tricks
    is: 7
  - id: dummy
    term: the dummy
    is: the partner of the declarer
    provided: there is a declarer
  - id: lowest
    function: the lowest sufficient bid in a denomination over a bid
    is the first: bid
    such that: that bid outranks the bid
    such that all of: [that bid outranks the bid]
    or else: 0
  - id: outranks
    relation: one bid outranks another
    means any of:
      - the points of the one are more than the points of the other
      - all of: [the points of the one are the points of the other]
        none of: [the tricks of the one are less than the tricks of the other]
    note: points come first
    silence:
      - check: shadowed-clause
        reason: said twice in print
  - id: in-turn
    quality: a player is in turn
    means: the player is the player in turn
  - id: insufficient
    when: a player bids
    if all of:
      - there is a last bid
    unless: the caller is debarred
    offence: insufficient declaration
    the call: stands meanwhile
    says: A bid must outrank the last bid.
    under: {seven-too-low: [raise-over, seven-stands], one-spade: yes}
  - id: bar-ends
    when stands: a bid or a double
    for each: open right
    effects: free both adversaries of the caller
  - id: comes-before
    before: a player bids
    for each: open right
    effects: the earlier call is taken back
  - id: put-back
    when taken back: a bid
    effects: [the passes becomes 0]
  - id: attempt
    when refused: a player chooses a remedy
    effects: the right lapses
  - id: penalise-insufficient
    remedy for: insufficient declaration
    holder: either adversary
    until: an adversary calls
    opened if: there is a last bid
    opened unless: the status is final
    opened unless none of: [there is a last bid]
    choices:
      penalise: [the call stands as a pass, debar the offender]
      let stand: []
      points: 50 points to the side of the holder
    settles: oldest first
    outlasts: another choice
  - id: waiver
    choice in: [penalise-insufficient]
    choices: {refuse: the call stands as a pass}
  - id: too-late
    lapse of: every remedy
    when: a player calls
    once: the status is final
  - id: refused
    refused when: a player corrects his call
    if none of: [the caller's correction is open]
  - id: save-the-dealer
    exception to: [insufficient, penalise-insufficient]
    if: the caller is the dealer
  - id: free-for-all
    exception to: every prohibition of a call
    except: insufficient
  - id: asks
    entitled when: a player asks
    effects: [the call is judged again as a pass]
  - id: bar
    status: debarred players
    ends when: a player bids
    for: the adversaries of the caller
  - id: bar-on-standing
    status: debarred players
    ends when stands: a bid
    for: [the adversaries of the caller]
  - id: passed-over
    of itself: pass
    by: the player in turn
    if: the status is open
examples:
  - that: two diamonds do not outrank two hearts
    auction: 2H
    act: 2D
    dealer: N
    editions: [whist-club-1912, whist-club-1912@seven-too-low=raise-over]
    verdict: irregular
    offences: [insufficient-declaration]
    because: [insufficient]
    unpenalised: no
    defeated: []
    options: ["S:penalise", "S:correct=3D"]
    may: ["S:let-stand", 2H]
    may not: ["N:penalise"]
    status: new-deal
    turn: none
    contract: 3CX by N
    debarred: [N, S]
    points: {NS: 50, EW: 0}
    lawful: [P, X, XX, 1N, 8NT]
    not lawful: [1C]
    only lawful: [P]
  - that: nothing has happened
    auction: ""
    turn: N
  - that: nothing at all has happened
    auction:
    contract: none
  - that: the codes part
    auction: 2H 2D
    expect:
      whist-club-1912: {verdict: legal}
      whist-club-1912@seven-too-low=raise-over,one-spade=capped: {verdict: refused, unpenalised: yes}
deals:
  - that: a deal is scored
    editions: [whist-club-1912]
    deal:
      {contract: 4HX, declarer: N, dealer: E, tricks: 10, honours: {N: 4, S: 1}, chicane: [E], revokes: [E],
       takes: tricks, vulnerable: both}
    because: [bonus]
    refused: [bonus]
    trick points: {NS: 64, EW: 0}
    honour points: {NS: 64, EW: 0}
    rubber points: {NS: 64, EW: 0}
    games: {NS: 64, EW: 0}
    below: {NS: 64, EW: 0}
    totals: {NS: 64, EW: 0}
  - that: a rubber is scored
    rubber: [{contract: 4NT, declarer: N, tricks: 10}, {corrects: 1, agreed: no, contract: 4NT, declarer: N, tricks: 9}]
    games: {NS: 1, EW: 0}
declares:
"""
EDITION = """\
edition: whist-club-1913
silence: [{check: missing-source, clause: most, reason: the text is at hand in part}]
title: The laws of auction bridge
body: The Whist Club, New York
date: 1913
source: Whitehead 1914
based on: whist-club-1912
vocabulary: [vocabulary/table.yaml]
laws: [declaration/insufficient/whist-club-1913.yaml]
amends: {general/turn/whist-club-1912.yaml: general/turn/whist-club-1913.yaml}
repeals: [general/slips.yaml]
readings:
  - name: double-is-declaration
    question: Is a double a declaration?
    default: no
    reason: the plain words
    choices: {no: Doubling is another thing., yes: It is.}
takes: {one-spade: yes, literal: 52}
changed examples: [{of: score/slam/period.yaml, that: [a slam counts], because: ours does not}]
not at hand: [the preface]
notes: [a remark, another]
"""
# What a law declares has the sections of a vocabulary file. Its title and its silences are the law's own.
SECTIONS = "".join(f"  {line}\n" for line in VOCABULARY.splitlines()[2:])
GOOD = {"vocabulary": VOCABULARY, "law": LAW + SECTIONS, "edition": EDITION}


class EditorLoader(yaml.SafeLoader):
    """Reads YAML as a language server does: `7` is a number and `yes` a truth, which its author may not have meant.

    Dates are left out; the YAML of language servers has none.
    """


EditorLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def named(value: Any) -> Any:
    """A value with all keys as texts: a language server knows no others."""
    if isinstance(value, dict):
        return {{True: "yes", False: "no"}.get(key, str(key)): named(below) for key, below in value.items()}
    return [named(item) for item in value] if isinstance(value, list) else value


def departures(kind: str, node: Node) -> Collector:
    collector = Collector()
    validate(node, SCHEMAS[kind], collector, what=f"the {kind} file")
    return collector


def departures_in_editor(kind: str, text: str) -> list[str]:
    value = named(yaml.load(text, EditorLoader))
    return [error.message for error in Draft202012Validator(SCHEMAS[kind]).iter_errors(value)]


def kind_of_file(path: Path) -> str:
    if path.is_relative_to(EDITIONS):
        return "edition"
    return "vocabulary" if path.relative_to(LAWS).parts[0] == "vocabulary" else "law"


def subschemas(schema: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, with the path to it."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for keyword in ("properties", "$defs"):
        for name, below in schema.get(keyword, {}).items():
            yield from subschemas(below, f"{at}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties", "propertyNames", "then", "else"):
        yield from subschemas(schema.get(keyword), f"{at}/{keyword}")
    for keyword in ("allOf", "anyOf"):
        for number, below in enumerate(schema.get(keyword, ())):
            yield from subschemas(below, f"{at}/{keyword}/{number}")


def keys(kind: str, definition: str) -> set[str]:
    return set(SCHEMAS[kind]["$defs"][definition]["properties"])


def choices(kind: str, definition: str, key: str) -> set[str]:
    return set(SCHEMAS[kind]["$defs"][definition]["properties"][key]["enum"])


# -- the schemas themselves ------------------------------------------------------------------------------------------


@KINDS
def test_a_schema_is_one(kind: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[kind])
    assert SCHEMAS[kind]["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert SCHEMAS[kind]["$id"] == FILES[kind].name


@KINDS
def test_references_are_met_and_definitions_used(kind: str) -> None:
    # The schemas stand alone, so that an editor needs one file and nothing is ever fetched.
    used = {schema["$ref"] for _, schema in subschemas(SCHEMAS[kind]) if "$ref" in schema}
    assert used == {f"#/$defs/{name}" for name in SCHEMAS[kind]["$defs"]}


def test_what_schemas_share_is_the_same() -> None:
    law, vocabulary, edition = (SCHEMAS[kind]["$defs"] for kind in ("law", "vocabulary", "edition"))
    assert vocabulary.items() <= law.items()
    for name in law.keys() & edition.keys():
        assert law[name] == edition[name]
    sections = dict(SCHEMAS["vocabulary"]["properties"])
    del sections["title"]
    del sections["silence"]
    assert SCHEMAS["law"]["properties"]["declares"]["properties"] == sections


@KINDS
def test_every_key_and_definition_can_be_pointed_at(kind: str) -> None:
    """Titles are nouns with their article, for messages; every key has a description, for hover texts and help."""
    nouns = re.compile(r"(a|an|the) \S|(what|which|who) \S")
    for path, schema in subschemas(SCHEMAS[kind]):
        if "title" in schema:
            assert nouns.match(schema["title"]), path
        target = SCHEMAS[kind]["$defs"][schema["$ref"].split("/")[-1]] if "$ref" in schema else {}
        if path.split("/")[-2:-1] in (["properties"], ["$defs"]):
            assert "title" in {**target, **schema}, path
        if path.split("/")[-2:-1] == ["properties"]:
            description = {**target, **schema}.get("description", "")
            assert description, path
            assert not description.endswith("."), path


@KINDS
def test_no_key_is_let_through_unseen(kind: str) -> None:
    for path, schema in subschemas(SCHEMAS[kind]):
        if schema.get("type") == "object":
            assert "additionalProperties" in schema, path
            assert schema["additionalProperties"] is False or "properties" not in schema, path


# -- the schemas and the interpreter ---------------------------------------------------------------------------------


def test_clauses_have_the_keys_the_interpreter_reads() -> None:
    assert keys("law", "clause") == {"id", "says", "under", "note", "silence"}.union(
        *(heads | rest for heads, rest in KEYS.values())
    )


def test_declarations_have_the_words_the_interpreter_reads() -> None:
    assert keys("vocabulary", "indices") == set(PREPOSITIONS)
    assert keys("vocabulary", "function") >= set(PREPOSITIONS)
    assert choices("vocabulary", "act-words", "argument") == {kind.value for kind in ArgumentKind}
    assert choices("vocabulary", "call-words", "call") == {*CALL_KINDS, "call"}


# -- what fits -------------------------------------------------------------------------------------------------------


@KINDS
def test_a_file_with_every_key_fits(kind: str) -> None:
    assert departures(kind, read(GOOD[kind], f"{kind}.yaml")).diagnostics == ()


@KINDS
def test_an_editor_accepts_what_the_loader_accepts(kind: str) -> None:
    assert departures_in_editor(kind, GOOD[kind]) == []


@KINDS
def test_the_file_has_every_key(kind: str) -> None:
    # Only so do the two tests above say something about every key.
    for path, schema in subschemas(SCHEMAS[kind]):
        for key in schema.get("properties", {}):
            # Lists of conditions are alike under all heads, and so are types behind all prepositions.
            if not key.endswith((" all of", " any of", " none of")) and key not in PREPOSITIONS:
                assert re.search(rf"(^|[{{ -]){re.escape(key)}:", GOOD[kind], re.MULTILINE), f"{path}: {key}"


def test_an_edition_on_its_own_fits() -> None:
    text = "edition: own\ntitle: My own\nvocabulary: [vocabulary/table.yaml]\nlaws: [own.yaml]\nnotes: a remark\n"
    assert departures("edition", read(text, "own.yaml")).diagnostics == ()


SHIPPED = sorted([*LAWS.rglob("*.yaml"), *EDITIONS.rglob("*.yaml")])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(LAWS.parent).as_posix())
def test_what_is_shipped_fits(path: Path) -> None:
    kind = kind_of_file(path)
    diagnostics = departures(kind, read_file(path, path.name)).diagnostics
    assert not diagnostics, render(diagnostics, source=lambda _: path.read_text("utf-8"))
    assert departures_in_editor(kind, path.read_text("utf-8")) == []


# -- what does not, and with which words -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_message(path: Path, recorded: Callable[[Path, str], None]) -> None:
    text = path.read_text("utf-8")
    collector = departures(path.stem.split("-")[0], read_file(path, path.name))
    assert collector.has_errors
    recorded(path.with_suffix(".txt"), render(collector.diagnostics, source=lambda _: text))


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_an_editor_refuses_it_too(path: Path) -> None:
    assert departures_in_editor(path.stem.split("-")[0], path.read_text("utf-8"))


def test_every_expected_message_has_its_mistake() -> None:
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in BAD.glob("*.yaml")}
