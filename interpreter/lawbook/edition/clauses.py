"""Clause nodes in, resolved clauses out: one function for each kind of clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lawbook.diagnostics import Span, nearest
from lawbook.edition.declarations import Declarations, slug
from lawbook.edition.effects import effects_of, fate_of
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Choice,
    Clause,
    Effect,
    Kind,
    Law,
    Remedy,
    Scoring,
    Step,
    Trigger,
)
from lawbook.edition.nodes import text_of, texts_of
from lawbook.language import core, tree, types
from lawbook.language.check import NO_FACTS, Facts
from lawbook.language.lexer import Scope, Unreadable, Variable
from lawbook.language.types import SetOf, Type
from lawbook.language.words import Category
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence

# The types of what means one player or several.
PLAYERS: Final = (types.SEAT, SetOf(types.SEAT), types.Optional(types.SEAT))

_COMMON: Final = frozenset({"id", "says", "under", "note", "silence"})
_CONDITION_KEYS: Final = ("", " all of", " any of", " none of")


def _conditions(*heads: str) -> frozenset[str]:
    return frozenset(f"{head}{which}" for head in heads for which in _CONDITION_KEYS)


_IF: Final = _conditions("if", "unless")
_TRIGGERS: Final = frozenset({"before", "when", "when stands", "when taken back"})
# What is refused does not happen, so it is no offence; but a law may attach something to the attempt.
_PROCEDURES: Final = _TRIGGERS | {"when refused"}
# The keys each kind of clause may have, and the key (one of them) that makes it that kind.
KEYS: Final[Mapping[Kind, tuple[frozenset[str], frozenset[str]]]] = {
    Kind.DEFINITION: (
        frozenset({"term", "function", "relation", "quality", "table"}),
        frozenset({"is", "is the first", "or else", "rows", "names the denominations", "penalty for"})
        | _conditions("means", "such that", "provided"),
    ),
    Kind.REMEDY: (
        frozenset({"remedy for"}),
        frozenset({"holder", "until", "choices", "settles", "outlasts"})
        | _IF
        | _conditions("opened if", "opened unless"),
    ),
    Kind.WAIVER: (frozenset({"choice in"}), frozenset({"choices"}) | _IF),
    Kind.LAPSE: (frozenset({"lapse of"}), frozenset({"when"}) | _conditions("once") | _IF),
    Kind.OF_ITSELF: (frozenset({"of itself"}), frozenset({"by"}) | _IF | frozenset({"effects"})),
    Kind.REFUSAL: (frozenset({"refused when"}), _IF),
    Kind.EXCEPTION: (frozenset({"exception to"}), _IF | {"except"}),
    Kind.STATUS: (frozenset({"status"}), frozenset({"ends when", "ends when stands", "for"}) | _IF),
    Kind.ENTITLEMENT: (frozenset({"entitled when"}), frozenset({"effects"}) | _IF),
    Kind.SCORE: (frozenset({"score"}), frozenset({"for each", "effects", "penalty for"}) | _IF),
    Kind.PROHIBITION: (
        frozenset({"offence", "the call"}),
        _TRIGGERS | _IF | frozenset({"effects", "offence", "the call", "for each"}),
    ),
    Kind.PROCEDURE: (_PROCEDURES, _PROCEDURES | _IF | frozenset({"effects", "for each", "penalty for"})),
}


def kind_of(node: MappingNode) -> Kind | None:
    """The kind of a clause, told by its keys; None if no key tells."""
    keys = {key.text for key, _ in node.entries}
    return next((kind for kind, (heads, _) in KEYS.items() if keys & heads), None)


@dataclass(frozen=True, slots=True)
class Built:
    """A clause as it was read apart from all others, if it could be; and what was found on the way."""

    clause: Clause | None
    scope: Scope | None
    targets_at: Mapping[tuple[str, str], Span]
    role_meanings: Mapping[str, tuple[str, ...]]
    expressions: Expressions


@dataclass(slots=True)
class Clauses:
    """Builds the clauses of one edition."""

    expressions: Expressions
    declarations: Declarations
    # For each offence the acts by which it is committed; filled before the remedies are built.
    offence_acts: dict[int, frozenset[str]] = field(default_factory=dict)
    # For each offence what is known to be present where it is committed; filled likewise.
    offence_facts: dict[int, Facts] = field(default_factory=dict)
    # For each clause what its conditions can speak of: what an exception to it can speak of.
    scopes: dict[str, Scope] = field(default_factory=dict)
    # Where each clause names another.
    targets_at: dict[tuple[str, str], Span] = field(default_factory=dict)
    # What each role means that a clause speaks of, in canonical text.
    role_meanings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def learn(self, clause: Clause) -> None:
        """Remember what a prohibition tells of its offence, for the remedies."""
        if clause.offence is None or clause.trigger is None:
            return
        # What is known before an earlier call is taken back is not known once it has been.
        before = clause.trigger.step is Step.BEFORE
        facts = NO_FACTS if before else self.expressions.checker.learned(clause.condition)
        known = self.offence_facts.get(clause.offence)
        self.offence_facts[clause.offence] = facts if known is None else known & facts
        self.offence_acts[clause.offence] = self.offence_acts.get(clause.offence, frozenset()) | clause.trigger.acts

    def depends_on(self, node: MappingNode, kind: Kind | None) -> tuple[object, ...]:
        """What other clauses have to say about how this one is read."""
        match kind:
            case Kind.REMEDY:
                named = [self.declarations.offence(text_of(s)) for s in texts_of(node.get("remedy for"))]
                return tuple((o, self.offence_acts.get(o), self.offence_facts.get(o)) for o in named if o is not None)
            case Kind.WAIVER | Kind.EXCEPTION:
                named_clauses = [s.text for s in texts_of(node.get("choice in") or node.get("exception to"))]
                scopes = [(name, self.scopes.get(name)) for name in named_clauses]
                return tuple((name, None if scope is None else tuple(scope.items())) for name, scope in scopes)
            case _:
                return ()

    def build_apart(self, node: MappingNode, law: Law) -> Built:
        """A clause read apart from all others: nothing is added to what this builder has found."""
        apart = Clauses(self.expressions.apart(), self.declarations, self.offence_acts, self.offence_facts)
        apart.scopes = dict(self.scopes)
        clause = apart.build(node, law)
        scope = None if clause is None else apart.scopes.get(clause.id)
        return Built(clause, scope, apart.targets_at, apart.role_meanings, apart.expressions)

    def take(self, built: Built) -> Clause | None:
        """Add a clause that was read apart, and what was found on the way."""
        self.expressions.take(built.expressions)
        self.targets_at |= built.targets_at
        self.role_meanings |= built.role_meanings
        if built.clause is not None and built.scope is not None:
            self.scopes[built.clause.id] = built.scope
        return built.clause

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
            if key.text not in heads | rest | _COMMON:
                exprs.problems.error(
                    "misplaced-key",
                    f"`{key.text}` has no place in a {kind.value}",
                    key.span,
                    suggestion=nearest(key.text, heads | rest | _COMMON),
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

    # -- parts ---------------------------------------------------------------------------------------------

    def scope(self, names: Mapping[str, Type]) -> dict[str, Variable]:
        """The phrases by which bound names can be spoken of."""
        found = {"side": Variable("that", names["that"])} if "that" in names else {}
        return found | {
            phrase: Variable(name, of)
            for name, of in names.items()
            if name != "that"
            for phrase in self.declarations.bindings.get(name, (name,))
        }

    def _conditioned(self, node: MappingNode, base: Clause, scope: Scope) -> Clause:
        self.scopes[base.id] = scope
        condition = self.expressions.block(node, "if", scope)
        facts = self.expressions.checker.learned(condition) if condition is not None else frozenset()
        unless = self.expressions.block(node, "unless", scope, facts)
        return replace(base, condition=condition or core.TRUE, unless=unless)

    def _effects(
        self, node: Node | None, scope: Scope, allowed: frozenset[str], facts: core.Truth | None = None
    ) -> tuple[Effect, ...]:
        known = self.expressions.checker.learned(facts) if facts is not None else frozenset()
        return effects_of(self.expressions, self.declarations, node, scope, allowed, known)

    def _trigger(
        self, node: MappingNode, key: str, step: Step, extra: Mapping[str, Type]
    ) -> tuple[Trigger | None, dict[str, Variable]]:
        """The trigger under a key, and what it binds."""
        exprs = self.expressions
        bound: dict[str, Type] = {"caller": types.SEAT, **extra}
        exprs.normal.append(f"[{key}]")
        if step in (Step.BEFORE, Step.MADE, Step.REFUSED):
            parsed = exprs.tree(node.get(key), "trigger", {})
            if not isinstance(parsed, tree.Trigger):
                return None, self.scope(bound)
            acts = frozenset(name for word in parsed.acts for name in word.target.split())
            role = self._role(parsed.role.phrase, self.scope({k: v for k, v in bound.items() if k != "caller"}))
            if by_table := parsed.role.phrase in self.declarations.table_roles:
                del bound["caller"]
        else:
            parsed = exprs.tree(node.get(key), "stands", {})
            if not isinstance(parsed, tree.StandsTrigger):
                return None, self.scope(bound)
            acts = frozenset(name for word in parsed.kinds for name in word.target.split())
            role, by_table = None, False
        if step is Step.BEFORE and not acts <= EVERY_CALL:
            exprs.problems.error(
                "not-a-call",
                "only what is called can have something before it; another act takes effect as it is done",
                None if (written := node.get(key)) is None else written.span,
                help="write `when:` for other acts",
                law=exprs.law,
                clause=exprs.clause,
            )
        if acts <= EVERY_CALL:
            bound["call"] = types.CALL
        if acts == {"bid"}:
            bound["bid"] = types.BID
        arguments = {self.declarations.acts[a].argument for a in acts if a in self.declarations.acts}
        if arguments == {"call"} and not acts & EVERY_CALL:
            bound["argument"] = types.CALL
        # Where a choice is refused there is nothing it would be about, nor where it is kept from being one.
        chosen = step is not Step.REFUSED and key != "refused when" and all(
            a in self.declarations.acts and self.declarations.acts[a].chooses for a in acts
        )
        if chosen or step is Step.TAKEN_BACK:
            bound["offender"] = types.SEAT
        if chosen:
            bound["offence"] = types.OFFENCE
        return Trigger(step, acts, role, by_table), self.scope(bound)

    def _role(self, phrase: str, scope: Scope) -> core.Value | None:
        means = self.declarations.roles.get(phrase)
        if means is None:
            return None
        before = list(self.expressions.normal)
        found = self.expressions.value(means, scope, None, f"the role `{phrase}`")
        self.role_meanings[phrase] = tuple(self.expressions.normal[len(before) :])
        self.expressions.normal = before
        if found is not None and found.type not in PLAYERS:
            message = f"`{phrase}` must mean a player or several, but this is {types.described(found.type)}"
            self.expressions.problems.error("not-a-player", message, means.span)
            return None
        return found

    def _holder(self, node: Node | None, scope: Scope) -> core.Value | None:
        """The holder of a remedy: a role or a value; a seat or a set of seats."""
        if not isinstance(node, Scalar):
            return None
        word = self.declarations.vocabulary.find(Category.ROLE, _without_article(node.text))
        if word is not None:
            self.expressions.normal.append(word.phrase)
            return self._role(word.phrase, scope)
        found = self.expressions.value(node, scope, None, "the holder")
        if found is not None and found.type not in PLAYERS:
            self.expressions.report(
                node,
                Unreadable("the holder of a remedy is a player or several", 0, len(node.text), code="not-a-player"),
            )
        return found

    def _choices(
        self, node: Node | None, scope: Scope, condition: core.Truth = core.TRUE, offences: frozenset[int] = frozenset()
    ) -> tuple[Choice, ...]:
        """The choices of a remedy. A choice that puts the call back is offered, and its effects done, on the table as
        it was when the offence was committed, so what the offence's prohibition asked for is known there."""
        choices = []
        facts = self.expressions.checker.learned(condition)
        known = [self.offence_facts.get(o, NO_FACTS) for o in offences]
        put_back = known[0].intersection(*known[1:]) if known else NO_FACTS
        for key, value in node.entries if isinstance(node, MappingNode) else ():
            name = slug(key.text)
            if name not in self.declarations.acts:
                self.expressions.unknown(
                    "unknown-act", key, "act", [a.replace("-", " ") for a in self.declarations.acts]
                )
                continue
            if not self.declarations.acts[name].chooses:
                self.expressions.problems.error(
                    "not-a-choice",
                    f"`{key.text}` is not declared as something that is chosen under a remedy",
                    key.span,
                    help="mark the act with `chooses: yes` in the vocabulary",
                    law=self.expressions.law,
                    clause=self.expressions.clause,
                )
            self.expressions.normal.append(f"[choice {name}]")
            listed = value if isinstance(value, Sequence | Scalar) else None
            allowed = frozenset({"stand", "goes to"})
            effects = effects_of(self.expressions, self.declarations, listed, scope, allowed, facts, put_back)
            choice = Choice(name, effects)
            if choice.puts_back and all(variable.name != "call" for variable in scope.values()):
                self.expressions.problems.error(
                    "misplaced-effect",
                    "there may be no call to put back here: not only a call can be this offence",
                    value.span,
                    law=self.expressions.law,
                    clause=self.expressions.clause,
                )
            choices.append(choice)
        return tuple(choices)

    def _offence(self, node: Node | None) -> int | None:
        if not isinstance(node, Scalar):
            return None
        number = self.declarations.offence(text_of(node))
        if number is None:
            self.expressions.unknown("unknown-offence", node, "offence", [o.phrase for o in self.declarations.offences])
            return None
        self.expressions.normal.append(f"[offence] {self.declarations.offences[number].phrase}")
        return number

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
        offences = frozenset(
            number for scalar in texts_of(node.get("remedy for")) if (number := self._offence(scalar)) is not None
        )
        bound: dict[str, Type] = {"offender": types.SEAT, "offence": types.OFFENCE}
        if self._only_by(offences, EVERY_CALL):
            bound["call"] = types.CALL
        if self._only_by(offences, frozenset({"bid"})):
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
        scopes = [general.get(t, self.scopes.get(t)) for t in targets]
        found = [dict(scope) for scope in scopes if scope is not None]
        first = found[0] if found else {}
        return {p: variable for p, variable in first.items() if all(other.get(p) == variable for other in found)}

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


def _without_article(text: str) -> str:
    words = text.split()
    return " ".join(words[1:] if words and words[0].lower() in ("a", "an", "the", "either", "both") else words)
