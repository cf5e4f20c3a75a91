"""Resolving: an edition's name in, the typed edition out, or every problem of its files at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from lawbook.diagnostics import Label, Span, nearest
from lawbook.edition.clauses import Clauses, kind_of
from lawbook.edition.declarations import Declarations, entries
from lawbook.edition.definitions import build_definitions
from lawbook.edition.expressions import Expressions
from lawbook.edition.library import Library
from lawbook.edition.machines import check_machines
from lawbook.edition.manifest import Manifest, read_manifest
from lawbook.edition.model import (
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Clause,
    Edition,
    Interface,
    Kind,
    Law,
    Register,
    Source,
)
from lawbook.edition.nodes import text_of, texts_of
from lawbook.edition.registers import build_registers
from lawbook.edition.together import check_together
from lawbook.errors import Collector
from lawbook.language import core, types
from lawbook.language.check import Checker
from lawbook.language.lexer import Lexer, Variable
from lawbook.language.types import Universe
from lawbook.notation import format_edition_name, parse_edition_name
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar

# Kinds of clause that are read after those they speak of.
_LATER = frozenset({Kind.REMEDY, Kind.WAIVER, Kind.EXCEPTION})
# Kinds of clause to which there can be exceptions.
_EXCEPTED = frozenset(Kind) - {Kind.DEFINITION}


@dataclass(frozen=True, slots=True)
class _Taken:
    """A law file as the edition takes it, with its clauses that stand under the readings chosen."""

    law: Law
    node: MappingNode
    clauses: tuple[MappingNode, ...]


@dataclass(slots=True)
class Resolver:
    """One resolution: the library, the problems found, and what has been read so far."""

    library: Library
    problems: Collector = field(default_factory=Collector)
    files: list[tuple[str, str, str]] = field(default_factory=list)

    def resolve(self, name: str) -> Edition:
        """The edition of that name (with readings after `@`). Raises LawbookError with every problem found."""
        identifier, chosen = parse_edition_name(name)
        manifest = read_manifest(self.library, identifier, chosen, self.problems)
        self.problems.raise_if_errors()
        assert manifest is not None
        self.files = [("edition", name, str(self.library.edition(name).absolute())) for name in manifest.chain]
        vocabulary = self._load(manifest.vocabulary, "vocabulary")
        taken = self._laws(manifest)
        # Words come before what is said in them: with a vocabulary in doubt, messages about clauses would mislead.
        self.problems.raise_if_errors()
        table, denominations = self._denominations(taken)
        declarations = Declarations(self.problems)
        declared = [node for _, node in vocabulary]
        declared += [d for t in taken if isinstance(d := t.node.get("declares"), MappingNode)]
        declarations.read(declared, denominations)
        self.problems.raise_if_errors()
        return self._build(manifest, taken, declarations, table, denominations)

    # -- files ---------------------------------------------------------------------------------------------

    def _load(self, paths: Mapping[str, Scalar], kind: str) -> list[tuple[str, MappingNode]]:
        found = []
        for text, scalar in paths.items():
            path = self.library.law(text)
            if path is None:
                self.problems.error(
                    "missing-file",
                    f"there is no file {text} among the laws",
                    scalar.span,
                    suggestion=nearest(text, self.library.law_paths()),
                )
                continue
            self.files.append(("law", text, str(path.absolute())))
            node = self.library.load(path, "law" if kind == "law" else "vocabulary", self.problems)
            if node is not None:
                found.append((text, node))
        return found

    def _laws(self, manifest: Manifest) -> list[_Taken]:
        taken = []
        seen: dict[str, Scalar] = {}
        for path, node in self._load(manifest.laws, "law"):
            source = self._source(manifest, path, node)
            if source is None:
                continue
            law = Law(
                text_of(node.get("topic")),
                text_of(node.get("title")),
                path.split("/", 1)[0] if "/" in path else "",
                source.law,
                source,
                text_of(node.get("summary")),
                path,
                node.span,
            )
            clauses = []
            for clause in entries(node, "clauses"):
                self._check_under(manifest, clause, node)
                if not _applies(manifest, clause):
                    continue
                identifier = clause.get("id")
                assert isinstance(identifier, Scalar)
                if identifier.text in seen:
                    self.problems.error(
                        "duplicate-clause",
                        f"two clauses of {manifest.id} are called `{identifier.text}`",
                        identifier.span,
                        labels=(Label(seen[identifier.text].span, "the other is here"),),
                    )
                seen[identifier.text] = identifier
                clauses.append(clause)
            taken.append(_Taken(law, node, tuple(clauses)))
        return taken

    def _source(self, manifest: Manifest, path: str, node: MappingNode) -> Source | None:
        found = {text_of(item.get("edition")): item for item in entries(node, "in")}
        for name in manifest.chain:
            if (item := found.get(name)) is not None:
                number = text_of(item.get("law"))
                return Source(
                    name,
                    None if number in ("", "none") else number,
                    text_of(item.get("source")),
                    text_of(item.get("evidence")) or "text",
                )
        self.problems.error(
            "law-not-of-edition",
            f"{path} does not say where it stands in {manifest.id}",
            manifest.laws[path].span,
            labels=(Label((node.get("in") or node).span, "the editions it stands in"),),
            help=f"add an entry for {manifest.id} under `in:`",
        )
        return None

    def _check_under(self, manifest: Manifest, clause: MappingNode, law: MappingNode) -> None:
        own = {text_of(item.get("edition")) for item in entries(law, "in")} <= set(manifest.chain)
        under = clause.get("under")
        for key, value in under.entries if isinstance(under, MappingNode) else ():
            reading = manifest.readings.get(key.text)
            if reading is None:
                # A file that several codes share may name readings that only some of them have.
                if own:
                    self.problems.error(
                        "unknown-reading",
                        f"{manifest.id} has no reading `{key.text}`",
                        key.span,
                        suggestion=nearest(key.text, manifest.readings),
                    )
                continue
            for choice in texts_of(value):
                if choice.text not in reading.alternatives:
                    self.problems.error(
                        "unknown-choice",
                        f"the reading `{key.text}` has no choice `{choice.text}`",
                        choice.span,
                        suggestion=nearest(choice.text, reading.alternatives),
                    )

    def _denominations(self, taken: list[_Taken]) -> tuple[str, tuple[str, ...]]:
        for law in taken:
            for clause in law.clauses:
                if text_of(clause.get("names the denominations")) == "yes":
                    rows = clause.get("rows")
                    assert isinstance(rows, MappingNode)
                    return text_of(clause.get("id")), tuple(key.text for key, _ in rows.entries)
        self.problems.error(
            "no-denominations",
            "no table of this edition says which denominations there are",
            None,
            help="mark one with `names the denominations: yes`",
        )
        self.problems.raise_if_errors()
        raise AssertionError

    # -- meaning -------------------------------------------------------------------------------------------

    def _build(
        self, manifest: Manifest, taken: list[_Taken], declarations: Declarations, table: str, names: tuple[str, ...]
    ) -> Edition:
        letters = tuple(declarations.letters.get(n, n[:1].upper()) for n in names)
        for law in taken:
            for clause in law.clauses:
                rows = clause.get("rows")
                if text_of(clause.get("id")) == table and isinstance(rows, MappingNode):
                    for key, _ in rows.entries:
                        if key.text not in declarations.letters:
                            self.problems.error(
                                "unknown-denomination",
                                f"no vocabulary declares the denomination `{key.text}`",
                                key.span,
                                suggestion=nearest(key.text, declarations.letters),
                            )
        self.problems.raise_if_errors()
        universe = Universe(names, letters, declarations.enumerations, tuple(o.name for o in declarations.offences))
        together = {name: register.together for name, register in declarations.registers.items()}
        checker = Checker(declarations.vocabulary, universe, together)
        exprs = Expressions(Lexer.of(declarations.vocabulary), checker, self.problems)
        registers = build_registers(declarations.registers, universe, exprs)
        facts = build_registers(declarations.facts, universe, exprs)
        # Facts come first among the values of the score sheet, then what it remembers.
        sheet = build_registers(declarations.sheet, universe, exprs, sum(r.size for r in facts.values()))
        definitions, normal_of = build_definitions(
            exprs, [(t.law, c) for t in taken for c in t.clauses if kind_of(c) is Kind.DEFINITION]
        )
        builder = Clauses(exprs, declarations)
        clauses = self._clauses(taken, builder, normal_of)
        by_id = {clause.id: clause for clause in clauses}
        check_machines(clauses, definitions, registers, {**facts, **sheet}, self.problems)
        check_together(clauses, registers, declarations.registers, self.problems)
        check_together(clauses, sheet, declarations.sheet, self.problems)
        interface = self._interface(declarations, exprs)
        scope = {p: Variable("caller", types.SEAT) for p in declarations.bindings.get("caller", ("caller",))}
        held = exprs.block(declarations.held_while, "while", scope) if declarations.held_while is not None else None
        self._check_defined(declarations, definitions, clauses)
        self.problems.raise_if_errors()
        assert interface is not None
        roles = [f"role {phrase} {' '.join(text)}" for phrase, text in builder.role_meanings.items()]
        meanings = [*roles, *exprs.spoken]
        chosen = {r.name: r.chosen for r in manifest.readings.values() if r.chosen != r.default}
        return Edition(
            manifest.id,
            format_edition_name(manifest.id, chosen),
            manifest.title,
            manifest.body,
            manifest.date,
            manifest.source,
            manifest.chain,
            tuple(t.law for t in taken),
            tuple(clauses),
            definitions,
            registers,
            facts,
            sheet,
            declarations.columns,
            declarations.acts,
            tuple(declarations.offences),
            tuple(manifest.readings.values()),
            universe,
            declarations.letters,
            by_id[table],
            declarations.vocabulary,
            interface,
            held or core.AnyOf(()),
            content_hash(clauses, {**registers, **facts, **sheet}, declarations, universe, held, meanings),
            by_id,
            {w.phrase: w for w in declarations.vocabulary.canonical.values()},
            manifest.not_at_hand,
            tuple(self.files),
        )

    def _clauses(
        self,
        taken: list[_Taken],
        builder: Clauses,
        normal_of: Mapping[str, tuple[str, ...]],
    ) -> list[Clause]:
        order = {id(node): at for at, node in enumerate(node for law in taken for node in law.clauses)}
        built: dict[int, Clause] = {}
        # What a remedy's call can be is known once the prohibitions that name its offences are; and what an
        # exception or a waiver can speak of, once the clauses it speaks of are.
        for kinds in (None, {Kind.REMEDY}, {Kind.WAIVER}, {Kind.EXCEPTION}):
            for law in taken:
                for node in law.clauses:
                    kind = kind_of(node)
                    if kind in (kinds or ()) or (kinds is None and kind not in _LATER):
                        clause = builder.build(node, law.law)
                        if clause is None:
                            continue
                        if clause.kind is Kind.DEFINITION:
                            clause = replace(clause, normal=normal_of.get(clause.id, ()))
                        builder.learn(clause)
                        built[order[id(node)]] = clause
        # The order of the files is kept for reading; it has no meaning for ruling.
        clauses = [built[at] for at in sorted(built)]
        self._check_targets(clauses, builder.targets_at)
        return clauses

    def _check_targets(self, clauses: list[Clause], places: Mapping[tuple[str, str], Span]) -> None:
        """What a clause says of others: that there are such clauses, and of a kind of which it can be said."""
        by_id = {clause.id: clause for clause in clauses}
        for clause in clauses:
            kinds: frozenset[Kind] = _EXCEPTED
            if clause.kind in (Kind.LAPSE, Kind.WAIVER):
                kinds = frozenset({Kind.REMEDY})
            general = (EVERY_REMEDY, EVERY_PROHIBITION) if clause.kind is Kind.EXCEPTION else (EVERY_REMEDY,)
            named = [(name, kinds) for name in clause.targets if name not in general]
            if clause.remedy is not None:
                named += [(name, frozenset({Kind.LAPSE})) for name in sorted(clause.remedy.outlasts)]
            for name, wanted in named:
                found = by_id.get(name)
                if found is not None and found.kind in wanted:
                    continue
                fitting = [c.id for c in clauses if c.kind in wanted]
                what = "clause" if len(wanted) > 1 else next(iter(wanted)).value
                code = "unknown-clause" if found is None else "wrong-kind-of-clause"
                if found is None:
                    message = f"this edition has no {what} `{name}`"
                elif found.kind is Kind.DEFINITION and len(wanted) > 1:
                    message = f"`{name}` is a definition, to which nothing is an exception"
                else:
                    message = f"`{name}` is a {found.kind.value}, not a {what}"
                self.problems.error(
                    code,
                    message,
                    places[clause.id, name],
                    suggestion=nearest(name, fitting),
                    law=clause.law.number,
                    clause=clause.id,
                )

    def _check_defined(
        self, declarations: Declarations, definitions: Mapping[str, core.Definition], clauses: list[Clause]
    ) -> None:
        # A definition that could not be read has been reported; that its word lacks one would be said twice.
        if len(definitions) < sum(clause.kind is Kind.DEFINITION for clause in clauses):
            return
        used: set[str] = set(declarations.vocabulary.used)
        for word in declarations.vocabulary.canonical.values():
            if word.meaning == "definition" and word.phrase in used and word.target not in definitions:
                self.problems.error(
                    "not-defined",
                    f"`{word.phrase}` is used, and no law of this edition defines it",
                    word.span,
                    help="add a definition clause for it to a law the edition takes",
                )

    def _interface(self, declarations: Declarations, exprs: Expressions) -> Interface | None:
        exprs.law, exprs.clause, exprs.normal = None, None, []
        values: dict[str, core.Value | None] = {}
        for key in ("status", "turn", "contract", "doubling", "declarer", "dummy"):
            scalar = declarations.interface.get(key)
            parsed = None if scalar is None else exprs.tree(scalar, "sum", {})
            if parsed is not None:
                values[key] = exprs.checker.value(parsed, frozenset())  # type: ignore[arg-type]
        debarred = declarations.interface.get("debarred")
        truth = None
        if debarred is not None:
            truth = exprs.condition(debarred, {"player": Variable("that", types.SEAT)}, frozenset())
        if len(values) < 6 or truth is None:
            missing = [k for k in ("status", "turn", "contract", "doubling", "declarer", "dummy") if k not in values]
            missing += ["debarred"] if truth is None else []
            self.problems.error(
                "no-interface", f"no vocabulary of this edition says what these are: {', '.join(missing)}", None,
                help="a vocabulary file names them under `interface:`",
            )  # fmt: skip
            return None
        return Interface(**values, debarred=truth)  # type: ignore[arg-type]


def _applies(manifest: Manifest, clause: MappingNode) -> bool:
    under = clause.get("under")
    if not isinstance(under, MappingNode):
        return True
    for key, value in under.entries:
        reading = manifest.readings.get(key.text)
        if reading is None or reading.chosen not in [s.text for s in texts_of(value)]:
            return False
    return True


def content_hash(
    clauses: Iterable[Clause],
    registers: Mapping[str, Register],
    declarations: Declarations,
    universe: Universe,
    held_while: core.Truth | None,
    meanings: Iterable[str],
) -> str:
    """The hash of what an edition means: its clauses in normal form with their law numbers, what the words in them
    mean, its registers, acts and domains. How anything is explained, and the order of files, has no part in it."""
    digest = hashlib.sha256()
    lines = [" | ".join((c.id, c.law.number or "-", *c.normal)) for c in clauses]
    for r in registers.values():
        indices = [types.type_text(i) for i in r.indices]
        lines.append(
            f"register {r.name} {types.type_text(r.type)} {indices} {r.start} {r.starts_with_dealer} "
            f"{r.put_back.value} {_plain(r.kept_while)} {sorted(r.together)} {r.per_right} {r.totals}"
        )
        for of in (r.type, *r.indices):
            if isinstance(of, types.Enumeration):
                lines.append(f"enumeration {of.name} {universe.enumerations[of.name]}")
    lines += [f"denominations {universe.denominations} {universe.letters}", f"held while {_plain(held_while)}"]
    lines += [f"act {a.name} {a.argument} {sorted(a.groups)} {a.chooses}" for a in declarations.acts.values()]
    lines += [f"binding {phrase} {name}" for name, phrases in declarations.bindings.items() for phrase in phrases]
    lines += [f"column {c.name} {c.key}" for c in declarations.columns.values()]
    lines += [f"interface {k} {v.text}" for k, v in declarations.interface.items()]
    for line in sorted({*lines, *meanings}):
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _plain(truth: core.Truth | None) -> str:
    """A condition as text, without places."""
    match truth:
        case None:
            return "-"
        case core.Leaf(_, text):
            return text
        case core.All(parts):
            return f"all of({', '.join(map(_plain, parts))})"
        case core.AnyOf(parts):
            return f"any of({', '.join(map(_plain, parts))})"
        case core.Not(inner):
            return f"not({_plain(inner)})"
        case _:
            return repr(truth)


def resolve(name: str, library: Library | None = None) -> Edition:
    """The edition of that name, such as `whist-club-1912@sufficient-denomination=offender-chooses`.

    Raises LawbookError with every problem of its files.
    """
    return Resolver(library or Library.shipped()).resolve(name)
