"""Expressions inside YAML: scalars and lists of conditions in, core trees out, problems at their column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from lawbook.diagnostics import nearest
from lawbook.errors import Collector
from lawbook.language import core, tree
from lawbook.language.check import NO_FACTS, Checker, Facts, decided
from lawbook.language.lexemes import Scope, Unreadable, Variable
from lawbook.language.lexer import Lexer
from lawbook.language.parser import parse
from lawbook.language.printing import canonical
from lawbook.language.types import Type
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence

Listener: TypeAlias = Callable[[Scalar, str, Scope, Type | None], None]

# An expression: the grammar's start rule, the text, and what it may speak of; what comes of it: the tree, its canonical
# text, and what the declared words in it mean.
_Question: TypeAlias = tuple[str, str, tuple[tuple[str, Variable], ...]]
_Said: TypeAlias = tuple[tree.Tree, str, tuple[str, ...]]

LONGEST_EXPRESSION: Final = 400
_MOST_KNOWN: Final = 20_000
# The kinds of sentence by the grammar's start rule: what each is, and how one is written.
_SENTENCES: Final = {
    "condition": ("a condition", "a condition says what is so: `there is a last bid`, `the status is open`"),
    "trigger": (
        "a trigger",
        "a trigger says who does what: `an adversary calls`; that something is so stands under `if:`, or under `once:` "
        "in a clause with `lapse of:`",
    ),
    "stands": ("a list of calls", "write the kinds of call that stand: `a bid or a double`"),
    "effect": ("an effect", "an effect says what changes: `the status becomes final`"),
    "fate": ("what becomes of a call", "write what becomes of the call: `stands meanwhile`, `counts as a pass`"),
}
_LISTS: Final = ("all of", "any of", "none of")


@dataclass(slots=True)
class Expressions:
    """Reads expressions of one edition. `normal` gathers the canonical text of all that is read for a clause."""

    lexer: Lexer
    checker: Checker
    problems: Collector
    law: str | None = None
    clause: str | None = None
    normal: list[str] = field(default_factory=list)
    # What the declared words mean that stand in any of the expressions.
    spoken: dict[str, None] = field(default_factory=dict)
    # Told of every expression before it is read: the scalar, the grammar's start rule, what it may speak of, and the
    # type its value must have, where that is known.
    listener: Listener | None = None
    # What has been read before, in this setting and whichever clause.
    known: dict[_Question, _Said] = field(default_factory=dict)

    def apart(self) -> Expressions:
        """The same, with nothing found yet; `take` brings back what it finds."""
        checker = replace(self.checker, used=set())
        return Expressions(self.lexer, checker, Collector(), listener=self.listener, known=self.known)

    def take(self, other: Expressions) -> None:
        """Add what another one of the same edition has found: problems, and which words were met."""
        if not other.problems.is_empty:
            self.problems.extend(other.problems.diagnostics)
        self.spoken |= other.spoken
        self.checker.used.update(other.checker.used)

    def report(self, scalar: Scalar, error: Unreadable, scope: Scope | None = None) -> None:
        """An unreadable place as a diagnostic at its column inside the scalar; `scope` is what it could speak of."""
        help = error.help
        if error.code == "unknown-here" and scope is not None:
            help = _known_in(scope)
        span = scalar.span if scalar.content is None else scalar.content.within(error.start, error.end)
        self.problems.error(
            error.code,
            error.message,
            span,
            suggestion=error.suggestion,
            help=help,
            law=self.law,
            clause=self.clause,
        )

    def tree(self, node: Node | None, start: str, scope: Scope, expected: Type | None = None) -> tree.Tree | None:
        """The syntax tree of a scalar, or None with the problem reported."""
        if self.listener is not None and isinstance(node, Scalar):
            self.listener(node, start, scope, expected)
        if not isinstance(node, Scalar):
            if node is not None:
                self.problems.error(
                    "wrong-shape", "one line of text was expected here", node.span, law=self.law, clause=self.clause
                )
            return None
        if len(node.text) > LONGEST_EXPRESSION:
            self.problems.error(
                "too-long-expression",
                f"an expression has at most {LONGEST_EXPRESSION} characters; this one has {len(node.text)}",
                node.span,
                help="define a part of it as a word of its own",
                law=self.law,
                clause=self.clause,
            )
            return None
        if node.content is None:
            folded = node.style in ("literal", "folded") or node.span.end_line > node.span.line
            self.problems.error(
                "multi-line-expression" if folded else "escaped-expression",
                "an expression is written on one line" if folded else "an expression is written without escapes",
                node.span,
                help=None if folded else "leave the quotes out, or use the other kind",
                law=self.law,
                clause=self.clause,
            )
            return None
        question = (start, node.text, tuple(scope.items()))
        said = self.known.get(question)
        if said is None:
            try:
                parsed = parse(node.text, start, self.lexer, scope)
            except Unreadable as error:
                self.report(node, self._of_another_kind(node.text, start, scope) or error)
                return None
            said = (parsed, canonical(parsed), tuple(word.meant for word in tree.words_of(parsed)))
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            self.known[question] = said
        self.normal.append(said[1])
        self.spoken.update(dict.fromkeys(said[2]))
        return said[0]

    def _of_another_kind(self, text: str, start: str, scope: Scope) -> Unreadable | None:
        """That a text which cannot be read here is a good sentence of another kind; None if it is not."""
        if start not in _SENTENCES:
            return None
        for other, (name, _) in _SENTENCES.items():
            if other == start:
                continue
            try:
                # In triggers the words for players are roles, whoever else the clause calls so.
                parse(text, other, self.lexer, {} if other in ("trigger", "stands") else scope, suggest=False)
            except Unreadable:
                continue
            wanted, help = _SENTENCES[start]
            message = f"this is {name}, where {wanted} was expected"
            return Unreadable(message, 0, len(text), None, help, "wrong-sentence")
        return None

    def value(
        self, node: Node | None, scope: Scope, expected: Type | None, what: str, facts: Facts = NO_FACTS
    ) -> core.Value | None:
        """The core of a value that must fit a type (any, if None; then it may be missing)."""
        parsed = self.tree(node, "sum", scope, expected)
        if parsed is None or not isinstance(node, Scalar):
            return None
        assert isinstance(parsed, tree.Name | tree.Figure | tree.Literal_ | tree.Nothing | tree.Apply | tree.Sum)
        try:
            if expected is None:
                return self.checker.value(parsed, facts)
            return self.checker.wanted(parsed, expected, facts, what)
        except Unreadable as error:
            self.report(node, error, scope)
            return None

    def condition(self, node: Scalar, scope: Scope, facts: Facts, within: str = "") -> core.Truth | None:
        """The core of one condition, as a leaf that keeps its text and place; `within` is the list it is an item of,
        such as `all of`, or the key that it stands under alone."""
        parsed = self.tree(node, "condition", scope)
        if parsed is None:
            return None
        assert isinstance(parsed, tree.Exists | tree.Compare | tree.Holds | tree.Quantified)
        try:
            truth = self.checker.condition(parsed, facts)
        except Unreadable as error:
            if error.guard is not None and within:
                error.help = _guarded(error.guard, within)
            self.report(node, error, scope)
            return None
        always = decided(truth)
        if always is not None:
            self.problems.warning(
                "always-true" if always else "never-true",
                f"{canonical(parsed)}: this is {'always' if always else 'never'} true here",
                node.content or node.span,
                law=self.law,
                clause=self.clause,
            )
        column = node.content.column if node.content is not None else node.span.column
        return core.Leaf(truth, canonical(parsed), node.span.line, column)

    def block(self, owner: MappingNode, key: str, scope: Scope, facts: Facts = NO_FACTS) -> core.Truth | None:
        """The condition under `key`, `key all of`, `key any of` or `key none of`; None if there is none.

        A condition that could not be read is reported and left out.
        """
        found: list[core.Truth] = []
        self.normal.append(f"[{key}]")
        present = False
        if (single := owner.get(key)) is not None:
            present = True
            self.normal.append("all of(")
            found.append(self._item(single, scope, facts, key))
            self.normal.append(")")
        for which in _LISTS:
            if (listed := owner.get(f"{key} {which}")) is not None:
                present = True
                known = facts.union(*(self.checker.learned(t) for t in found)) if found else facts
                found.append(self._list(listed, which, scope, known))
        if not present:
            self.normal.pop()
            return None
        return found[0] if len(found) == 1 else core.All(tuple(found))

    def _item(self, node: Node, scope: Scope, facts: Facts, within: str) -> core.Truth:
        if isinstance(node, Scalar):
            return self.condition(node, scope, facts, within) or core.TRUE
        if isinstance(node, MappingNode):
            parts = []
            for key, value in node.entries:
                if key.text not in _LISTS:
                    self.problems.error(
                        "unknown-key",
                        f"`{key.text}` cannot head a list of conditions",
                        key.span,
                        suggestion=nearest(key.text, _LISTS),
                        help=f"a list of conditions is headed by one of: {', '.join(_LISTS)}",
                        law=self.law,
                        clause=self.clause,
                    )
                    continue
                parts.append(self._list(value, key.text, scope, facts))
            return parts[0] if len(parts) == 1 else core.All(tuple(parts))
        self.problems.error(
            "wrong-shape",
            "a condition or a list headed `all of`, `any of` or `none of` was expected",
            node.span,
            law=self.law,
            clause=self.clause,
        )
        return core.TRUE

    def _list(self, node: Node, which: str, scope: Scope, facts: Facts) -> core.Truth:
        items = node.items if isinstance(node, Sequence) else (node,)
        if not items:
            self.problems.error(
                "wrong-count", f"the list under `{which}` is empty", node.span, law=self.law, clause=self.clause
            )
        known = facts
        parts = []
        self.normal.append(f"{which}(")
        for item in items:
            part = self._item(item, scope, known, which)
            parts.append(part)
            learned = self.checker.learned(part) if which == "all of" else self.checker.learned_if_false(part)
            known = known | learned
        self.normal.append(")")
        match which:
            case "all of":
                return core.All(tuple(parts))
            case "any of":
                return core.AnyOf(tuple(parts))
            case _:
                return core.Not(core.AnyOf(tuple(parts)))

    def unknown(self, code: str, node: Scalar, what: str, choices: Iterable[str]) -> None:
        """Report a name that is not among those declared."""
        self.problems.error(
            code,
            f"there is no {what} `{node.text}`",
            node.span,
            suggestion=nearest(node.text, choices),
            law=self.law,
            clause=self.clause,
        )


def _known_in(scope: Scope) -> str:
    """What can be spoken of, each thing by the first of its names."""
    names: dict[str, str] = {}
    for phrase, variable in scope.items():
        names.setdefault(variable.name, f"the {phrase}")
    if not names:
        return "nobody does anything here of whom it could be said; what the table remembers is known"
    return f"what is known here: {', '.join(names.values())}"


def _guarded(guard: str, within: str) -> str:
    """Where the condition that asks for a value first is to stand, by where the condition stands that needs it."""
    if within == "all of":
        return f"put `{guard}` before it in the same `all of` list"
    if within in _LISTS:
        return f"put `{guard}` before it, both in a list under `all of:` in its place"
    return f"put `{guard}` before it, both in a list under `{within} all of:`"
