"""Resolving: an edition's name in, the typed edition out, or every problem of its files at once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Diagnostic, Label, Severity, Span, nearest
from lawbook.edition.clauses import Clauses
from lawbook.edition.declarations import Declarations, declarations_of, entries
from lawbook.edition.definitions import build_definitions
from lawbook.edition.expressions import Expressions, Listener
from lawbook.edition.library import Library
from lawbook.edition.machines import check_machines
from lawbook.edition.manifest import Manifest, read_manifest
from lawbook.edition.meaning import content_hash, meanings_of
from lawbook.edition.memory import Memory
from lawbook.edition.model import EVERY_PROHIBITION, EVERY_REMEDY, Clause, Edition, Kind, Law, Source
from lawbook.edition.nodes import text_of
from lawbook.edition.setting import Setting, setting_of
from lawbook.edition.taking import Taken, depends_on, law_of, readings_named, source_of, take, without_set_aside
from lawbook.edition.together import check_together
from lawbook.errors import Collector, LawbookError
from lawbook.language import core
from lawbook.notation import format_edition_name, parse_edition_name
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar
from lawbook.source.salvage import Torn

# Kinds of clause that are read after those they speak of, in this order.
_LATER: Final[Mapping[Kind | None, int]] = {Kind.REMEDY: 1, Kind.WAIVER: 2, Kind.EXCEPTION: 3}
# What follows from a part of a law that was left out.
_FOLLOWING = frozenset({"unknown-clause", "not-defined", "no-denominations"})
# What follows likewise from a part of an edition.
_FOLLOWING_AN_EDITION = frozenset({"unknown-reading", "unknown-choice"})
# Kinds of clause to which there can be exceptions.
_EXCEPTED = frozenset(Kind) - {Kind.DEFINITION}


@dataclass(slots=True)
class Resolver:
    """One resolution: the library, the problems found, and what is known from others."""

    library: Library
    problems: Collector = field(default_factory=Collector)
    memory: Memory = field(default_factory=Memory)
    # Told of every expression, once for each memory: what is remembered is not read again.
    listener: Listener | None = None
    files: list[tuple[str, str, str]] = field(default_factory=list)
    # What is wrong with laws of which enough is left to be looked at.
    _told: set[Diagnostic] = field(default_factory=set)
    # What is wrong with how laws stand beside each other and in the edition, which leaves nothing out.
    _beside: set[Diagnostic] = field(default_factory=set)
    # The files that cannot be read, of which something is left.
    torn: set[str] = field(default_factory=set)
    # How far the resolving has come, for whoever works with a part of an edition: what it takes, its law files, what
    # its clauses are read in, its definitions and its clauses.
    manifest: Manifest | None = None
    taken: list[Taken] = field(default_factory=list)
    # Where each clause is named that a law of the chain sets aside.
    set_aside: Mapping[str, Span] = field(default_factory=dict)
    setting: Setting | None = None
    # What the words mean that stand in any of its expressions.
    spoken: frozenset[str] = frozenset()
    definitions: Mapping[str, core.Definition] = field(default_factory=dict)
    builder: Clauses | None = None
    clauses: list[Clause] = field(default_factory=list)

    def resolve(self, name: str) -> Edition:
        """The edition of that name (with readings after `@`). Raises LawbookError with every problem found."""
        try:
            return self._resolve(name)
        except LawbookError:
            if not self._told:
                raise
            # Parts of a file were left out, and what speaks of them is not to blame; nor is what is left of a file that
            # cannot be read.
            told = self._told | self._beside
            found = [d for d in self.problems.diagnostics if d in told or not self._follows(d)]
            self.problems = Collector()
            self.problems.extend(found)
            raise LawbookError(self.problems.diagnostics) from None

    def _follows(self, problem: Diagnostic) -> bool:
        """Whether a problem comes of what was left out of a file, if anything was."""
        if self.manifest is not None and self.manifest.lacks_parts and problem.code in _FOLLOWING_AN_EDITION:
            return True
        return problem.code in _FOLLOWING or (problem.span is not None and problem.span.file in self.torn)

    def _resolve(self, name: str) -> Edition:
        identifier, chosen = parse_edition_name(name)
        manifest = read_manifest(self.library, identifier, chosen, self.problems)
        if manifest is None:
            self.problems.raise_if_errors()
            raise AssertionError("an edition without a manifest has errors")
        self.manifest = manifest
        self.torn |= manifest.torn
        self._told.update(manifest.faults)
        # Where a law could not be dropped, another may have been that should not.
        self._told.update(d for d in self.problems.diagnostics if d.code == "law-not-taken")
        self._beside.update(d for d in self.problems.diagnostics if not self._follows(d))
        found = ((name, self.library.edition_file(name)) for name in manifest.chain)
        self.files = [("edition", name, str(path.absolute())) for name, path in found if path is not None]
        vocabulary = self._load(manifest.vocabulary, "vocabulary")
        taken = self.taken = self._laws(manifest)
        # Words come before what is said in them: with a vocabulary in doubt, messages about clauses would mislead.
        self._stop_if_errors()
        table, rows = self._denominations(taken)
        denominations = tuple(key.text for key, _ in rows.entries)
        declared = [node for _, node in vocabulary]
        declared += [d for t in taken if isinstance(d := t.node.get("declares"), MappingNode)]
        declarations = self._declarations(declared, denominations)
        for key, _ in rows.entries:
            if key.text not in declarations.letters:
                self.problems.error(
                    "unknown-denomination",
                    f"no vocabulary declares the denomination `{key.text}`",
                    key.span,
                    suggestion=nearest(key.text, declarations.letters),
                )
        self._stop_if_errors()
        setting_key = ("setting", id(declarations), denominations)
        setting = self.memory.recall(
            setting_key, declarations, lambda: setting_of(declarations, denominations, self.listener)
        )
        self.setting = setting
        return self._build(manifest, taken, setting, table)

    def _declarations(self, declared: list[MappingNode], denominations: tuple[str, ...]) -> Declarations:
        key = ("declarations", tuple(map(id, declared)), denominations)
        found = self.memory.recall(key, declared, lambda: declarations_of(declared, denominations))
        self.problems.extend(found.problems.diagnostics)
        self._stop_if_errors()
        return found

    def _stop_if_errors(self) -> None:
        """Go no further where there are errors, but for those in laws that can be looked at in part."""
        known, follows = self._told | self._beside, self._follows if self._told else lambda _: False
        errors = (d for d in self.problems.diagnostics if d.severity is Severity.ERROR and d not in known)
        if not all(map(follows, errors)):
            self.problems.raise_if_errors()

    # -- files ---------------------------------------------------------------------------------------------

    def _load(self, paths: Mapping[str, Scalar], kind: str) -> list[tuple[str, MappingNode]]:
        found = []
        for text, scalar in paths.items():
            path = self.library.law(text)
            if path is None:
                meant = self.library.law_meant(text)
                message = f"there is no file {text} among the laws"
                told = Diagnostic("missing-file", Severity.ERROR, message, scalar.span, suggestion=meant)
                self.problems.add(told)
                path = None if meant is None or meant in paths else self.library.law(meant)
                if path is None:
                    continue
                # The file that was probably meant is looked at in its place.
                self._beside.add(told)
            self.files.append(("law", text, str(path.absolute())))
            found_there = Collector()
            node = self.library.load(path, "law" if kind == "law" else "vocabulary", found_there)
            self.problems.extend(found_there.diagnostics)
            if node is not None:
                self._told.update(found_there.diagnostics)
                self.torn |= {self.library.shown(path)} if isinstance(node, Torn) else set()
                found.append((text, node))
        return found

    def _laws(self, manifest: Manifest) -> list[Taken]:
        laws = [self._law(manifest, path, node) for path, node in self._load(manifest.laws, "law")]
        beside = Collector()
        taken, self.set_aside = without_set_aside(manifest, laws, beside)
        seen: dict[str, tuple[Scalar, str]] = {}
        for law in taken:
            self.problems.extend(law.problems)
            # A clause under a reading that there is not is left out.
            self._told.update(d for d in law.problems if not self._follows(d))
            taker = manifest.taken_by[law.law.file]
            for identifier, _, _ in law.clauses:
                other, other_taker = seen.setdefault(identifier.text, (identifier, taker))
                if other is identifier:
                    continue
                inherited = f"write `sets aside: [{identifier.text}]` in the law that is to hold instead of the other"
                beside.error(
                    "duplicate-clause",
                    f"two clauses of {manifest.id} are called `{identifier.text}`",
                    identifier.span,
                    labels=(Label(other.span, "the other is here"),),
                    help=inherited if taker != other_taker else None,
                )
        self.problems.extend(beside.diagnostics)
        self._beside.update(beside.diagnostics)
        return taken

    def _law(self, manifest: Manifest, path: str, node: MappingNode) -> Taken:
        printed = (manifest.id, *manifest.sources.items())
        source = self.memory.recall(("source", id(node), printed), node, lambda: source_of(manifest, node))
        if source is None:
            # A file without any `in` has been told of.
            if (places := node.get("in")) is not None:
                named_there = (text_of(item.get("edition")) for item in entries(node, "in"))
                near = nearest(manifest.id, set(named_there) - set(self.library.edition_files()))
                instead = f"write `edition: {manifest.id}` for `{near}`, or " if near is not None else ""
                told = Diagnostic(
                    "law-not-of-edition",
                    Severity.ERROR,
                    f"{path} does not say where it stands in {manifest.id}",
                    manifest.laws[path].span,
                    (Label(places.span, "the editions it stands in"),),
                    f"{instead}add an entry for {manifest.id} under `in:`",
                )
                self.problems.add(told)
                self._beside.add(told)
            source = Source(manifest.id, None, "", "")
        named = self.memory.recall(("readings", id(node)), node, lambda: readings_named(node))
        key = ("taken", path, id(node), depends_on(manifest, named))
        stands = source
        law = self.memory.recall(("law", path, id(node), stands), node, lambda: self._same(law_of(path, node, stands)))
        return self.memory.recall(key, node, lambda: take(manifest, law, node))

    def _same(self, law: Law) -> Law:
        """The law that is remembered, where it is the same: what is kept of its clauses is kept under the law itself,
        in every reading, and while another of its clauses is being written."""
        return self.memory.recall(("same", law), law, lambda: law)

    def _denominations(self, taken: list[Taken]) -> tuple[str, MappingNode]:
        """The id of the clause whose table names the denominations, and its rows."""
        clause = next((law.denominations for law in taken if law.denominations is not None), None)
        rows = None if clause is None else clause.get("rows")
        if clause is not None and isinstance(rows, MappingNode):
            return text_of(clause.get("id")), rows
        self.problems.error(
            "no-denominations",
            "no table of this edition says which denominations there are",
            None,
            help="mark one with `names the denominations: yes`",
        )
        self.problems.raise_if_errors()
        raise AssertionError

    # -- meaning -------------------------------------------------------------------------------------------

    def _build(self, manifest: Manifest, taken: list[Taken], setting: Setting, table: str) -> Edition:
        declarations, universe = setting.declarations, setting.universe
        registers, facts, sheet = setting.registers, setting.facts, setting.sheet
        exprs = setting.expressions.apart()
        exprs.problems = self.problems
        exprs.take(setting.expressions)
        read = (
            (law.law, identifier.text, self.memory.definition(setting, node, law.law))
            for law in taken
            for identifier, node, kind in law.clauses
            if kind is Kind.DEFINITION
        )
        definitions, normal_of = build_definitions(exprs, read)
        self.definitions = definitions
        self.builder = builder = Clauses(exprs, declarations)
        self.clauses = clauses = self._clauses(taken, builder, normal_of)
        by_id = {clause.id: clause for clause in clauses}
        machines = (registers, {**facts, **sheet})
        check_machines(clauses, definitions, *machines, self.problems)
        check_together(clauses, registers, declarations.registers, self.problems)
        check_together(clauses, sheet, declarations.sheet, self.problems)
        interface, held = setting.interface, setting.held_while
        self._check_defined(exprs, definitions, clauses)
        self.problems.raise_if_errors()
        assert interface is not None
        roles = [f"role {phrase} {' '.join(text)}" for phrase, text in builder.role_meanings.items()]
        every = {**registers, **facts, **sheet}
        read_in = self.memory.recall(
            ("meanings", id(setting)), setting, lambda: meanings_of(every, declarations, universe, held)
        )
        # What the words in use mean belongs to it too.
        meanings = tuple(sorted(read_in.union(roles, exprs.spoken)))
        self.spoken = frozenset(exprs.spoken)
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
            content_hash(clauses, meanings),
            by_id,
            {w.phrase: w for w in declarations.vocabulary.canonical.values()},
            manifest.not_at_hand,
            meanings,
            tuple(self.files),
            declarations.signs,
        )

    def _clauses(self, taken: list[Taken], builder: Clauses, normal_of: Mapping[str, tuple[str, ...]]) -> list[Clause]:
        nodes = [(law.law, node, kind) for law in taken for _, node, kind in law.clauses]
        built: dict[int, Clause] = {}
        builder.names = frozenset(identifier.text for law in taken for identifier, _, _ in law.clauses)
        # What a remedy's call can be is known once the prohibitions that name its offences are; and what an
        # exception or a waiver can speak of, once the clauses it speaks of are.
        for at in sorted(range(len(nodes)), key=lambda at: _LATER.get(nodes[at][2], 0)):
            law, node, kind = nodes[at]
            clause = self.memory.clause(builder, node, kind, law)
            if clause is not None:
                if kind is Kind.DEFINITION:
                    clause = self.memory.defining(clause, normal_of.get(clause.id, ()))
                built[at] = clause
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
                    labels=[Label(self.set_aside[name], "it is set aside here")] if name in self.set_aside else (),
                    suggestion=nearest(name, fitting),
                    law=clause.law.number,
                    clause=clause.id,
                )

    def _check_defined(
        self, exprs: Expressions, definitions: Mapping[str, core.Definition], clauses: list[Clause]
    ) -> None:
        # A definition that could not be read has been reported; that its word lacks one would be said twice.
        if len(definitions) < sum(clause.kind is Kind.DEFINITION for clause in clauses):
            return
        used = exprs.checker.used
        for word in exprs.lexer.vocabulary.canonical.values():
            if word.meaning == "definition" and word.phrase in used and word.target not in definitions:
                self.problems.error(
                    "not-defined",
                    f"`{word.phrase}` is used, and no law of this edition defines it",
                    word.span,
                    help="add a definition clause for it to a law the edition takes",
                )


# Readings of an edition, and editions based on it, share nearly everything, whoever asks for them and when.
_memory: Final = Memory()
_one_at_a_time: Final = threading.Lock()


def resolve(name: str, library: Library | None = None) -> Edition:
    """The edition of that name, such as `whist-club-1912@sufficient-denomination=offender-chooses`.

    Raises LawbookError with every problem of its files.
    """
    with _one_at_a_time:
        return Resolver(library or Library.shipped(), memory=_memory).resolve(name)
