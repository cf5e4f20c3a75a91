"""Effects and fates: their texts in, the closed list of effects out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from lawbook.edition.declarations import Declarations
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import (
    Assign,
    Effect,
    Fate,
    FateKind,
    JudgeAgain,
    LapseRight,
    LetStand,
    Move,
    Score,
    StandAs,
    TakeBack,
    TakeBackEarlier,
)
from lawbook.language import core, tree, types
from lawbook.language.check import NO_FACTS, Facts
from lawbook.language.lexemes import Scope, Unreadable
from lawbook.language.printing import canonical
from lawbook.language.types import Number, SetOf, fits
from lawbook.source.reader import Node, Scalar, Sequence


def effects_of(
    exprs: Expressions,
    declarations: Declarations,
    node: Node | None,
    scope: Scope,
    allowed: frozenset[str],
    facts: Facts,
    facts_put_back: Facts = NO_FACTS,
) -> tuple[Effect, ...]:
    """The effects a list states. `allowed` names the kinds that make sense where the list stands.

    Where an effect puts the call back, `facts_put_back` are known too: what held when the call was made.
    """
    if isinstance(node, Sequence):
        items: tuple[Node, ...] = node.items
    else:
        items = () if node is None else (node,)
    parsed = [(item, exprs.tree(item, "effect", scope)) for item in items]
    if any(isinstance(t, tree.TakenBack) or (isinstance(t, tree.CallStands) and t.instead) for _, t in parsed):
        facts |= facts_put_back
    found: list[Effect] = []
    for item, effect in parsed:
        if effect is None or not isinstance(item, Scalar):
            continue
        try:
            found.extend(_effect(exprs, declarations, effect, allowed, facts))
        except Unreadable as error:
            exprs.report(item, error, scope)
    return tuple(found)


def _effect(
    exprs: Expressions, declarations: Declarations, node: tree.Tree, allowed: frozenset[str], facts: Facts
) -> Iterator[Effect]:
    checker = exprs.checker
    match node:
        case tree.Becomes(_, target, value):
            yield _assign(exprs, declarations, target, value, facts)
        case tree.Does(_, word, value):
            register = declarations.register(word.target)
            # A verb that joins or leaves anything else is refused where it is declared.
            assert register is not None
            assert isinstance(register.type, SetOf)
            member = checker.solid(value, facts)
            if not (fits(register.type.of, member.type) or member.type == register.type):
                raise Unreadable(
                    f"`{word.phrase}` is done to {types.described(register.type.of)}, "
                    f"but {canonical(value)} is {types.described(member.type)}",
                    value.place.start,
                    value.place.end,
                    code="wrong-type",
                )
            yield Move(register.phrase, member, word.meaning == "joins")
        case tree.Points(_, amount, side):
            _permit(node.place, "goes to", allowed)
            points = checker.solid(amount, facts)
            if not isinstance(points.type, Number):
                raise Unreadable("points are a number", amount.place.start, amount.place.end, code="not-a-number")
            if not isinstance(side, tree.Apply) or side.word.meaning != "column":
                raise Unreadable(
                    f"{canonical(side)} is no column of the score",
                    side.place.start,
                    side.place.end,
                    code="not-a-column",
                    help="points go to a column of a side, such as `the honour score of the offender's side`",
                )
            scores = checker.wanted(side.arguments[0], types.SIDE, facts, "who scores")
            yield Score(points, side.word.target, scores)
        case tree.CallStands(_, None):
            _permit(node.place, "stand", allowed)
            yield LetStand()
        case tree.CallStands(_, instead) if instead is not None:
            _permit(node.place, "stand", allowed)
            yield StandAs(checker.wanted(instead, types.CALL, facts, "what the call stands as"))
        case tree.TakenBack():
            _permit(node.place, "stand", allowed)
            yield TakeBack()
        case tree.EarlierTakenBack(_, own):
            _permit(node.place, "take back own" if own else "take back earlier", allowed)
            yield TakeBackEarlier(own)
        case tree.JudgedAgain(_, instead):
            _permit(node.place, "judge again", allowed)
            yield JudgeAgain(checker.wanted(instead, types.CALL, facts, "what the call is judged as"))
        case tree.RightLapses():
            _permit(node.place, "lapse", allowed)
            yield LapseRight()
        case _:
            raise AssertionError(f"{node!r} is not an effect")


def _permit(place: tree.Place, what: str, allowed: frozenset[str]) -> None:
    if what not in allowed:
        raise Unreadable(
            "this effect has no meaning in a clause of this kind", place.start, place.end, code="misplaced-effect"
        )


def _assign(
    exprs: Expressions, declarations: Declarations, target: tree.Value, value: tree.Value, facts: Facts
) -> Assign:
    word = target.word if isinstance(target, tree.Name | tree.Apply) else None
    register = None if word is None or word.meaning != "register" else declarations.register(word.target)
    if word is None or register is None:
        raise Unreadable(
            f"{canonical(target)} is not a register, so it cannot become anything",
            target.place.start,
            target.place.end,
            code="not-a-register",
        )
    arguments: tuple[core.Value, ...] = ()
    if isinstance(target, tree.Apply):
        arguments = tuple(
            exprs.checker.wanted(a, of, facts, f"what `{word.phrase}` is kept for")
            for (_, of), a in zip(word.arguments, target.arguments, strict=True)
        )
    given = exprs.checker.wanted(value, register.type, facts, f"the {register.phrase}")
    return Assign(register.phrase, arguments, given)


def fate_of(exprs: Expressions, node: Node, scope: Scope, facts: Facts) -> Fate | None:
    """The fate of a call, or None with the problem reported."""
    parsed = exprs.tree(node, "fate", scope)
    if not isinstance(parsed, tree.Fate) or not isinstance(node, Scalar):
        return None
    match parsed.kind:
        case "stands":
            return Fate(FateKind.STANDS)
        case "stands meanwhile":
            return Fate(FateKind.STANDS_MEANWHILE)
        case "counts as a pass":
            return Fate(FateKind.COUNTS_AS_A_PASS)
        case "is ignored":
            return Fate(FateKind.IS_IGNORED)
        case "stands as":
            assert parsed.instead is not None
            try:
                return Fate(
                    FateKind.STANDS_AS,
                    exprs.checker.wanted(parsed.instead, types.CALL, facts, "what the call stands as"),
                )
            except Unreadable as error:
                exprs.report(node, error, scope)
                return None
        case _:
            assert_never(parsed.kind)
