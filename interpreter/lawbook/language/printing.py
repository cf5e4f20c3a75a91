"""Printing: a syntax tree as canonical source. Parsing what is printed gives the same tree again."""

from __future__ import annotations

from typing import assert_never

from lawbook.language import tree
from lawbook.language.words import Category, Word

_COMPARATORS = {
    "equal": ("is", "are"),
    "differs": ("is not", "are not"),
    "at_least": ("is at least", "are at least"),
    "at_most": ("is at most", "are at most"),
    "more_than": ("is more than", "are more than"),
    "less_than": ("is less than", "are less than"),
    "among": ("is among", "are among"),
    "not_among": ("is not among", "are not among"),
}

_NOTHING = ("nothing", "nobody")


def canonical(node: tree.Tree) -> str:
    """The canonical text of a tree: one spelling for each word, articles where a speaker puts them."""
    return _text(node, None)


def respelled(node: tree.Tree, written: str) -> str:
    """The same with what is left to its author as it stands in the text that was `written`: an owner may have `'s` or
    stand behind `of`, and where nothing is meant `nobody` may be said."""
    return _text(node, written)


def _text(node: tree.Tree, written: str | None) -> str:
    def canonical(part: tree.Tree) -> str:
        return _text(part, written)

    match node:
        case tree.Name(_, phrase, word, variable):
            if variable is not None or word is None:
                return f"the {_bare(phrase)}" if not phrase.lower().startswith("that ") else phrase.lower()
            return _with_article(word)
        case tree.Figure(_, value):
            return str(value)
        case tree.Literal_(_, phrase):
            return f"a {phrase}" if phrase in ("pass", "double", "redouble") else phrase
        case tree.Nothing(place):
            said = "" if written is None else written[place.start : place.end].lower()
            return said if said in _NOTHING else "nothing"
        case tree.Apply():
            return _application(node, written)
        case tree.Sum(_, ("lesser" | "greater") as which, left, right):
            return f"the {which} of {canonical(left)} and {canonical(right)}"
        case tree.Sum(_, operator, left, right):
            return f"{canonical(left)} {operator} {canonical(right)}"
        case tree.Exists(_, value, positive):
            if positive:
                return f"there is {_indefinite(canonical(value))}"
            return f"there is no {canonical(value).removeprefix('the ')}"
        case tree.Compare(_, comparator, left, right):
            # "is a pass" could be a declared quality, so a value after `is` goes without an article.
            other = right.phrase if isinstance(right, tree.Literal_) else canonical(right)
            return f"{canonical(left)} {_COMPARATORS[comparator][_is_plural(left)]} {other}"
        case tree.Holds(_, word, (subject,), positive):
            return f"{canonical(subject)} {_verb_form(word, positive)}"
        case tree.Holds(_, word, arguments, positive):
            return f"{canonical(arguments[0])} {_verb_form(word, positive)} {canonical(arguments[1])}"
        case tree.Quantified(_, quantifier, over, quality):
            return f"{quantifier} {over.phrase} {quality.phrase}"
        case tree.Becomes(_, target, value):
            return f"{canonical(target)} {'become' if _is_plural(target) else 'becomes'} {canonical(value)}"
        case tree.Does(_, word, value):
            return f"{word.phrase} {canonical(value)}"
        case tree.Points(_, amount, side):
            return f"{canonical(amount)} goes to {canonical(side)}"
        case tree.CallStands(_, None):
            return "the call stands"
        case tree.CallStands(_, instead) if instead is not None:
            return f"the call stands as {canonical(instead)}"
        case tree.TakenBack():
            return "the call is taken back"
        case tree.EarlierTakenBack(_, own):
            return "the own last call is taken back" if own else "the earlier call is taken back"
        case tree.JudgedAgain(_, instead):
            return f"the call is judged again as {canonical(instead)}"
        case tree.RightLapses():
            return "the right lapses"
        case tree.Fate(_, kind, instead):
            return kind if instead is None else f"{kind} {canonical(instead)}"
        case tree.Trigger(_, role, acts):
            return f"{_with_article(role)} {_listed([a.phrase for a in acts])}"
        case tree.StandsTrigger(_, kinds):
            return _listed([f"a {k.phrase}" for k in kinds])
        case tree.Head(_, word, arguments):
            return _head(word, arguments)
        case _:
            raise AssertionError(f"no text for {node!r}")


def _bare(phrase: str) -> str:
    return phrase.lower().removeprefix("the ")


def _with_article(word: Word) -> str:
    return f"{word.article} {word.phrase}".strip()


def _indefinite(text: str) -> str:
    """`the last bid` as `a last bid`, the way existence is said."""
    if not text.startswith("the "):
        return text
    rest = text.removeprefix("the ")
    return f"{'an' if rest[0] in 'aeiou' else 'a'} {rest}"


def _application(node: tree.Apply, written: str | None) -> str:
    word = node.word
    arguments = [_text(argument, written) for argument in node.arguments]
    if len(arguments) == 1:
        owner = node.arguments[0]
        if written is not None:
            # The owner stands first exactly where it is possessive.
            possessive = owner.place.start == node.place.start
        else:
            # A short owner reads as a possessive; a long one after its preposition.
            short = isinstance(owner, tree.Name) and word.arguments[0][0] == "of" and not word.plural
            possessive = short and " of " not in arguments[0]
        if possessive:
            return f"{arguments[0]}'s {word.phrase}"
    parts = [f"{preposition} {text}" for (preposition, _), text in zip(word.arguments, arguments, strict=True)]
    return f"{word.article} {word.phrase} {' '.join(parts)}".strip()


def _is_plural(value: tree.Value) -> bool:
    match value:
        case tree.Name(_, _, word, _):
            return word is not None and word.plural
        case tree.Apply(_, word, _):
            return word.plural
        case tree.Sum(_, _, left, _):
            return _is_plural(left)
        case tree.Figure() | tree.Literal_() | tree.Nothing():
            return False
        case _:
            assert_never(value)


def _verb_form(word: Word, positive: bool) -> str:
    return word.phrase if positive else word.negative or f"not {word.phrase}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _head(word: Word, arguments: tuple[Word, ...]) -> str:
    match word.category:
        case Category.RELATION:
            return f"one {arguments[0].phrase} {word.phrase} another"
        case Category.QUALITY:
            return f"a {arguments[0].phrase} {word.phrase}"
        case Category.NOUN:
            return _with_article(word)
        case _:
            parts = [f"{p} a {a.phrase}" for (p, _), a in zip(word.arguments, arguments, strict=True)]
            return f"the {word.phrase} {' '.join(parts)}"
