"""Clause nodes in, resolved clauses out: one function for each kind of clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from lawbook.diagnostics import Span, nearest
from lawbook.edition.effects import effects_of, fate_of
from lawbook.edition.expressions import Expressions
from lawbook.edition.kinds import COMMON, KEYS, kind_of
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Clause,
    Kind,
    Law,
    Remedy,
    Scoring,
    Step,
    Trigger,
)
from lawbook.edition.nodes import text_of, texts_of
from lawbook.edition.parts import ANYTHING, Parts
from lawbook.language import core, tree, types
from lawbook.language.check import NO_FACTS, Facts
from lawbook.language.lexemes import Scope, Variable
from lawbook.language.types import SetOf, Type
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar

# What a remedy cannot be without, and what is to be written there.
_OF_A_REMEDY: Final = {
    "holder": "write `holder:`, the player or players who may choose, as in `either adversary`",
    "choices": "write `choices:`, what may be chosen and what then happens",
}


@dataclass(frozen=True, slots=True)
class Built:
    """A clause as it was read apart from all others, if it could be; and what was found on the way."""

    clause: Clause | None
    facts: Facts
    """What a prohibition tells of its offence: what is present where it is committed."""
    scope: Scope | None
    targets_at: Mapping[tuple[str, str], Span]
    role_meanings: Mapping[str, tuple[str, ...]]
    expressions: Expressions


@dataclass(slots=True)
class Clauses(Parts):
    """Builds the clauses of one edition."""

    def depends_on(self, node: MappingNode, kind: Kind | None) -> tuple[object, ...]:
        """What other clauses have to say about how this one is read."""
        match kind:
            case Kind.REMEDY:
                named = [self.declarations.offence(text_of(s)) for s in texts_of(node.get("remedy for"))]
                return tuple((o, self.offence_acts.get(o), self.offence_facts.get(o)) for o in named if o is not None)
            case Kind.WAIVER | Kind.EXCEPTION:
                named_clauses = [s.text for s in texts_of(node.get("choice in") or node.get("exception to"))]
                scopes = [(name, self._scope_named(name)) for name in named_clauses]
                return tuple((name, None if scope is None else tuple(scope.items())) for name, scope in scopes)
            case _:
                return ()

    def build_apart(self, node: MappingNode, law: Law) -> Built:
        """A clause read apart from all others: nothing is added to what this builder has found."""
        apart = Clauses(self.expressions.apart(), self.declarations, self.offence_acts, self.offence_facts)
        apart.scopes, apart.names = dict(self.scopes), self.names
        clause = apart.build(node, law)
        scope = None if clause is None else apart.scopes.get(clause.id)
        facts = NO_FACTS
        # What is known before an earlier call is taken back is not known once it has been.
        if clause is not None and clause.trigger is not None and clause.trigger.step is not Step.BEFORE:
            facts = NO_FACTS if clause.offence is None else self.expressions.checker.learned(clause.condition)
        return Built(clause, facts, scope, apart.targets_at, apart.role_meanings, apart.expressions)

    def take(self, built: Built) -> Clause | None:
        """Add a clause that was read apart, and what was found on the way."""
        self.expressions.take(built.expressions)
        self.targets_at |= built.targets_at
        self.role_meanings |= built.role_meanings
        clause = built.clause
        if clause is None:
            return None
        if built.scope is not None:
            self.scopes[clause.id] = built.scope
        if clause.offence is not None and clause.trigger is not None:
            known, acts = self.offence_facts.get(clause.offence), self.offence_acts.get(clause.offence, frozenset())
            self.offence_facts[clause.offence] = built.facts if known is None else known & built.facts
            self.offence_acts[clause.offence] = acts | clause.trigger.acts
        return clause

    def build(self, node: MappingNode, law: Law) -> Clause | None:
        """The resolved clause, or None with the problems reported."""
        identifier = node.get("id")
        assert isinstance(identifier, Scalar)
        exprs = self.expressions
        exprs.law, exprs.clause, exprs.normal = law.number, identifier.text, []
        kind = kind_of(node)
        if kind is None:
            exprs.problems.error(
                "no-kind",
                f"nothing says what kind of clause `{identifier.text}` is",
                identifier.span,
                help="a clause has one of the keys: " + ", ".join(sorted(k for h, _ in KEYS.values() for k in h)),
                law=law.number,
                clause=identifier.text,
            )
            return None
        heads, rest = KEYS[kind]
        for key, _ in node.entries:
            if key.text not in heads | rest | COMMON:
                exprs.problems.error(
                    "misplaced-key",
                    f"`{key.text}` has no place in a {kind.value}",
                    key.span,
                    suggestion=nearest(key.text, heads | rest | COMMON),
                    law=law.number,
                    clause=identifier.text,
                )
        exprs.normal.append(kind.value)
        base = Clause(identifier.text, kind, law, identifier.span, text_of(node.get("says")), reading=_under(node))
        # What a penalty is for is said for whoever reads a table of penalties; no ruling or score depends on it.
        if (penalty_for := node.get("penalty for")) is not None:
            base = replace(base, penalty_for=self._offence(penalty_for))
            del exprs.normal[1:]
        built = self._of_kind(kind, node, base)
        return replace(built, normal=tuple(exprs.normal))

    def _of_kind(self, kind: Kind, node: MappingNode, base: Clause) -> Clause:
        match kind:
            case Kind.DEFINITION:
                return base
            case Kind.REMEDY:
                return self._remedy(node, base)
            case Kind.WAIVER:
                return self._waiver(node, base)
            case Kind.LAPSE:
                return self._lapse(node, base)
            case Kind.OF_ITSELF:
                return self._of_itself(node, base)
            case Kind.EXCEPTION:
                return self._exception(node, base)
            case Kind.STATUS:
                return self._status(node, base)
            case Kind.REFUSAL:
                trigger, scope = self._trigger(node, "refused when", Step.MADE, {})
                return self._conditioned(node, replace(base, trigger=trigger), scope)
            case Kind.ENTITLEMENT:
                trigger, scope = self._trigger(node, "entitled when", Step.MADE, {})
                made = self._conditioned(node, replace(base, trigger=trigger), scope)
                return replace(made, effects=self._effects(node.get("effects"), scope, frozenset({"judge again"})))
            case Kind.SCORE:
                return self._score(node, base)
            case Kind.PROHIBITION | Kind.PROCEDURE:
                return self._rule(node, base)

    # -- kinds ---------------------------------------------------------------------------------------------

    def _rule(self, node: MappingNode, base: Clause) -> Clause:
        keys = [step.value for step in Step if node.get(step.value) is not None]
        if len(keys) != 1:
            self.expressions.problems.error(
                "no-trigger",
                f"`{base.id}` needs exactly one of `before`, `when`, `when stands`, `when taken back` and "
                "`when refused`",
                base.span,
                law=base.law.number,
                clause=base.id,
            )
            return base
        step = Step(keys[0])
        each = text_of(node.get("for each")) == "open right"
        extra: dict[str, Type] = {}
        if each:
            self.expressions.normal.append("[for each open right]")
            extra = {"offender": types.SEAT, "offence": types.OFFENCE, "holders": SetOf(types.SEAT)}
        trigger, scope = self._trigger(node, keys[0], step, extra)
        made = self._conditioned(node, replace(base, trigger=trigger, each_right=each), scope)
        allowed = frozenset({"lapse"} if each else ()) | frozenset({"goes to"})
        if step is Step.BEFORE:
            allowed |= {"take back earlier"} if each else {"take back own"}
        facts = core.All((made.condition,))
        effects = self._effects(node.get("effects"), scope, allowed, facts)
        fate = None
        if (fate_node := node.get("the call")) is not None:
            self.expressions.normal.append("[the call]")
            known = NO_FACTS if step is Step.BEFORE else self.expressions.checker.learned(facts)
            fate = fate_of(self.expressions, fate_node, scope, known)
        return replace(made, effects=effects, offence=self._offence(node.get("offence")), fate=fate)

    def _remedy(self, node: MappingNode, base: Clause) -> Clause:
        exprs = self.expressions
        for key, help in _OF_A_REMEDY.items():
            if node.get(key) is None:
                exprs.problems.error("missing-key", f"the remedy `{base.id}` lacks its `{key}`", node.span, help=help)
        offences = frozenset(
            number for scalar in texts_of(node.get("remedy for")) if (number := self._offence(scalar)) is not None
        )
        bound: dict[str, Type] = {"offender": types.SEAT, "offence": types.OFFENCE}
        # What an offence that there is not can be committed by is not known, and nothing is told of it.
        unknown = any(self.declarations.offence(text_of(s)) is None for s in texts_of(node.get("remedy for")))
        if unknown or self._only_by(offences, EVERY_CALL):
            bound["call"] = types.CALL
        if unknown or self._only_by(offences, frozenset({"bid"})):
            bound["bid"] = types.BID
        scope = self.scope(bound)
        exprs.normal.append("[holder]")
        holder = self._holder(node.get("holder"), scope)
        opening = self.scope({**bound, "caller": types.SEAT})
        opened_if = exprs.block(node, "opened if", opening)
        opened_unless = exprs.block(node, "opened unless", opening)
        opened: list[core.Truth] = [] if opened_if is None else [opened_if]
        if opened_unless is not None:
            opened.append(core.Not(opened_unless))
        choosing = self.scope({**bound, "holder": types.SEAT})
        made = self._conditioned(node, base, choosing)
        choices = self._choices(node.get("choices"), choosing, made.condition, offences)
        settles = text_of(node.get("settles"))
        outlasts = [s.text for s in texts_of(node.get("outlasts"))]
        self.targets_at |= {(base.id, s.text): s.span for s in texts_of(node.get("outlasts"))}
        exprs.normal.append(f"[settles] {settles} [outlasts] {', '.join(sorted(outlasts))}")
        if (until := node.get("until")) is not None:
            exprs.normal.append("[until]")
            trigger = exprs.tree(until, "trigger", {})
            if isinstance(trigger, tree.Trigger):
                acts = frozenset(name for word in trigger.acts for name in word.target.split())
                by_table = trigger.role.phrase in self.declarations.table_roles
                made = replace(made, trigger=Trigger(Step.MADE, acts, self._role(trigger.role.phrase, scope), by_table))
        if holder is None:
            return made
        remedy = Remedy(
            offences,
            holder,
            core.All(tuple(opened)),
            choices,
            settles == "oldest first",
            "another choice" in outlasts,
            frozenset(outlasts) - {"another choice"},
        )
        return replace(made, remedy=remedy)

    def _only_by(self, offences: Iterable[int], acts: frozenset[str]) -> bool:
        """Whether every one of these offences can only be committed by one of these acts. One that no clause makes an
        offence is committed by none, which has a message of its own."""
        found = [self.offence_acts.get(o, frozenset()) for o in offences]
        return bool(found) and all(committed <= acts for committed in found)

    def _waiver(self, node: MappingNode, base: Clause) -> Clause:
        targets = self._targets(node.get("choice in"))
        scope = self._scope_of(targets)
        made = self._conditioned(node, replace(base, targets=targets), scope)
        return replace(made, choices=self._choices(node.get("choices"), scope))

    def _targets(self, node: Node | None) -> tuple[str, ...]:
        scalars = texts_of(node)
        assert self.expressions.clause is not None
        self.targets_at |= {(self.expressions.clause, s.text): s.span for s in scalars}
        targets = tuple(s.text for s in scalars)
        self.expressions.normal.append(f"[of] {', '.join(sorted(targets))}")
        return targets

    def _scope_of(self, targets: Iterable[str]) -> dict[str, Variable]:
        """What a clause that speaks of others can speak of: what every one of them can."""
        general = {
            EVERY_REMEDY: self.scope({"offender": types.SEAT, "offence": types.OFFENCE, "holder": types.SEAT}),
            EVERY_PROHIBITION: self.scope({"caller": types.SEAT, "call": types.CALL}),
        }
        scopes = [general.get(t, self._scope_named(t)) for t in targets]
        found = [dict(scope) for scope in scopes if scope is not None]
        first = found[0] if found else {}
        return {p: variable for p, variable in first.items() if all(other.get(p) == variable for other in found)}

    def _scope_named(self, name: str) -> Scope | None:
        """What a clause can speak of; where the name is none, what the clause can that was probably meant, or all there
        is: that the name is none is told, and what would follow from it is not."""
        found = self.scopes.get(name)
        if found is not None or name in self.names or name in (EVERY_REMEDY, EVERY_PROHIBITION):
            return found
        meant = nearest(name, self.scopes)
        return self.scope(ANYTHING) if meant is None else self.scopes[meant]

    def _lapse(self, node: MappingNode, base: Clause) -> Clause:
        bound: dict[str, Type] = {"offender": types.SEAT, "offence": types.OFFENCE}
        made = replace(base, targets=self._targets(node.get("lapse of")))
        scope = self.scope(bound)
        if node.get("when") is not None:
            trigger, scope = self._trigger(node, "when", Step.MADE, bound)
            made = replace(made, trigger=trigger)
        once = self.expressions.block(node, "once", self.scope(bound))
        return self._conditioned(node, replace(made, once=once), scope)

    def _exception(self, node: MappingNode, base: Clause) -> Clause:
        targets = self._targets(node.get("exception to"))
        spared = tuple(s.text for s in texts_of(node.get("except")))
        self.expressions.normal.append(f"[except] {', '.join(sorted(spared))}")
        return self._conditioned(node, replace(base, targets=targets, spared=spared), self._scope_of(targets))

    def _status(self, node: MappingNode, base: Clause) -> Clause:
        """A continuing bar and what ends it: those named leave its register when the trigger fires."""
        step, key = (Step.STANDS, "ends when stands") if node.get("ends when stands") else (Step.MADE, "ends when")
        trigger, scope = self._trigger(node, key, step, {})
        made = self._conditioned(node, replace(base, trigger=trigger), scope)
        effects = self._effects(node.get("for"), scope, frozenset())
        status = node.get("status")
        if isinstance(status, Scalar):
            name = text_of(status)
            if name not in self.declarations.registers:
                self.expressions.unknown("unknown-register", status, "register", self.declarations.registers)
            self.expressions.normal.append(f"[status] {name}")
        return replace(made, effects=effects)

    def _score(self, node: MappingNode, base: Clause) -> Clause:
        """What a deal scores, what the sheet makes of it, or what is no score at all."""
        scoring = Scoring(text_of(node.get("score")))
        each = text_of(node.get("for each")) or None
        self.expressions.normal.append(f"[score] {scoring.value} [for each] {each}")
        scope = {} if each is None else {each: Variable("that", types.SIDE if each == "side" else types.SEAT)}
        made = self._conditioned(node, replace(base, scores=scoring, each=each), scope)
        facts = self.expressions.checker.learned(made.condition)
        allowed = frozenset({"goes to"})
        effects = effects_of(self.expressions, self.declarations, node.get("effects"), scope, allowed, facts)
        return replace(made, effects=effects)

    def _of_itself(self, node: MappingNode, base: Clause) -> Clause:
        self.expressions.normal.append(f"[of itself] {text_of(node.get('of itself'))}")
        made = self._conditioned(node, base, {})
        actor = self.expressions.value(node.get("by"), {}, types.SEAT, "who acts")
        effects = self._effects(node.get("effects"), {}, frozenset())
        return replace(made, actor=actor, effects=effects)


def _under(node: MappingNode) -> tuple[tuple[str, tuple[str, ...]], ...]:
    under = node.get("under")
    if not isinstance(under, MappingNode):
        return ()
    return tuple((key.text, tuple(s.text for s in texts_of(value))) for key, value in under.entries)
