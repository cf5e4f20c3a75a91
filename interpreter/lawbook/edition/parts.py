"""The parts that clauses are made of: triggers, conditions, roles, effects, choices, offences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lawbook.diagnostics import Span, nearest
from lawbook.edition.declarations import Declarations, slug
from lawbook.edition.effects import effects_of
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import EVERY_CALL, Choice, Clause, Effect, Step, Trigger
from lawbook.edition.nodes import text_of
from lawbook.language import core, tree, types
from lawbook.language.check import NO_FACTS, Facts
from lawbook.language.lexemes import Scope, Unreadable, Variable
from lawbook.language.parser import parse
from lawbook.language.types import SetOf, Type
from lawbook.language.words import Category
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence

# The types of what means one player or several.
PLAYERS: Final = (types.SEAT, SetOf(types.SEAT), types.Optional(types.SEAT))
# What a clause may be able to speak of, where it cannot be told what it can: its trigger or what it speaks of is
# misspelt. That is told, and of what would follow from it nothing is.
ANYTHING: Final[Mapping[str, Type]] = {
    "caller": types.SEAT,
    "call": types.CALL,
    "bid": types.BID,
    "argument": types.CALL,
    "offender": types.SEAT,
    "offence": types.OFFENCE,
    "holder": types.SEAT,
}


@dataclass(slots=True)
class Parts:
    """Reads parts of clauses, and holds what is known of the clauses of one edition."""

    expressions: Expressions
    declarations: Declarations
    # For each offence the acts by which it is committed; filled before the remedies are built.
    offence_acts: dict[int, frozenset[str]] = field(default_factory=dict)
    # For each offence what is known to be present where it is committed; filled likewise.
    offence_facts: dict[int, Facts] = field(default_factory=dict)
    # For each clause what its conditions can speak of: what an exception to it can speak of.
    scopes: dict[str, Scope] = field(default_factory=dict)
    # The ids of all clauses that there are.
    names: frozenset[str] = frozenset()
    # Where each clause names another.
    targets_at: dict[tuple[str, str], Span] = field(default_factory=dict)
    # What each role means that a clause speaks of, in canonical text.
    role_meanings: dict[str, tuple[str, ...]] = field(default_factory=dict)

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
                return None, self.scope({**ANYTHING, **bound})
            acts = frozenset(name for word in parsed.acts for name in word.target.split())
            role = self._role(parsed.role.phrase, self.scope({k: v for k, v in bound.items() if k != "caller"}))
            if by_table := parsed.role.phrase in self.declarations.table_roles:
                del bound["caller"]
        else:
            parsed = exprs.tree(node.get(key), "stands", {})
            if not isinstance(parsed, tree.StandsTrigger):
                return None, self.scope({**ANYTHING, **bound})
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
        chosen = (
            step is not Step.REFUSED
            and key != "refused when"
            and all(a in self.declarations.acts and self.declarations.acts[a].chooses for a in acts)
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
        if (misspelt := self._misspelt_role(node, scope)) is not None:
            self.expressions.report(node, misspelt)
            return None
        found = self.expressions.value(node, scope, None, "the holder")
        if found is not None and found.type not in PLAYERS:
            self.expressions.report(
                node,
                Unreadable("the holder of a remedy is a player or several", 0, len(node.text), code="not-a-player"),
            )
        return found

    def _misspelt_role(self, node: Scalar, scope: Scope) -> Unreadable | None:
        """That a holder is nearly a role, where it is nothing else that can be read."""
        written = _without_article(node.text)
        meant = nearest(written, self.declarations.roles)
        if meant is None or not node.text.rstrip().endswith(written):
            return None
        try:
            parse(node.text, "sum", self.expressions.lexer, scope, suggest=False)
        except Unreadable:
            end = len(node.text.rstrip())
            return Unreadable(f"there is no role `{written}`", end - len(written), end, meant)
        return None

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


def _without_article(text: str) -> str:
    words = text.split()
    return " ".join(words[1:] if words and words[0].lower() in ("a", "an", "the", "either", "both") else words)
