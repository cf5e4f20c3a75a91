"""What is said of a word, a name or a clause when somebody points at it, in Markdown."""

from __future__ import annotations

from pathlib import Path

from lawbook.diagnostics import Span
from lawbook.edition.model import Clause
from lawbook.language.lexemes import Lexeme
from lawbook.language.lexer import normal
from lawbook.language.types import Number, type_text
from lawbook.language.words import Category, Word
from lawbook.sentences import law_name
from lawbook.server.desk import Desk
from lawbook.server.names import Name
from lawbook.server.outlook import Outlook

_BEHIND = {
    "register": "remembered by the table",
    "primitive": "told by the table itself",
    "joins": "puts into a set",
    "leaves": "takes out of a set",
}


def word_text(word: Word, outlook: Outlook, desk: Desk) -> str:
    """A declared word: what it is and gives, its gloss, the law that says what it means, and where it is declared."""
    lines = [f"**{_heading(word)}**", ""]
    kind = word.category.value
    if word.gives is not None and word.category not in (Category.RELATION, Category.QUALITY, Category.TYPE):
        kind += f", {type_text(word.gives)}"
    lines.append(f"*{kind}*")
    if word.negative:
        lines += ["", f"the contrary: `{word.negative}`"]
    if word.synonyms:
        lines += ["", "also: " + ", ".join(f"`{synonym}`" for synonym in word.synonyms)]
    if word.gloss:
        lines += ["", word.gloss]
    defining = defining_clause(word, outlook)
    if defining is not None:
        lines += ["", f"{law_name(defining.law.number)}, `{defining.id}`", "", *_says(defining)]
    elif word.meaning in _BEHIND:
        lines += ["", _BEHIND[word.meaning]]
    return "\n".join([*lines, *_declared(word.span, desk)])


def lexeme_text(lexeme: Lexeme, outlook: Outlook, desk: Desk) -> str | None:
    """A phrase of an expression; None for the grammar's own words, which say nothing but what they say."""
    if lexeme.variable is not None:
        lines = [f"**{lexeme.text}**", "", f"*{type_text(lexeme.variable.type)}, at hand in this clause*"]
        word = bound_word(lexeme, outlook)
        if word is not None:
            lines += ["", word.gloss, *_declared(word.span, desk)]
        return "\n".join(lines)
    return None if lexeme.word is None else word_text(lexeme.word, outlook, desk)


def bound_word(lexeme: Lexeme, outlook: Outlook) -> Word | None:
    """The declared phrase for something that a clause has at hand."""
    word = outlook.setting.declarations.vocabulary.find(Category.NOUN, normal(lexeme.text))
    return word if word is not None and word.meaning == "binding" else None


def name_text(name: Name, desk: Desk) -> str:
    """A name that is no word of an expression."""
    lines = [f"**{name.text}**", "", f"*{name.what}*"]
    if name.about:
        lines += ["", name.about]
    return "\n".join([*lines, *_declared(name.span, desk)])


def defining_clause(word: Word, outlook: Outlook) -> Clause | None:
    """The clause that says what a word means, if a law of the edition does."""
    definition = outlook.definitions.get(word.target) if word.meaning == "definition" else None
    return None if definition is None else outlook.clause(definition.clause)


def place_text(span: Span, desk: Desk) -> str:
    """Where something is declared, as an author would name the file."""
    path = Path(span.file)
    folders = [folder.resolve() for folder in (*desk.laws, *desk.editions)]
    inside = [path.relative_to(folder).as_posix() for folder in folders if path.is_relative_to(folder)]
    return f"{min(inside, key=len) if inside else path.name}, line {span.line}"


def _heading(word: Word) -> str:
    match word.category:
        case Category.RELATION:
            one, other = (type_text(of) for _, of in word.arguments)
            return f"{one} {word.phrase} {other}"
        case Category.QUALITY:
            of = word.arguments[0][1]
            return f"{'number' if isinstance(of, Number) else type_text(of)} {word.phrase}"
        case Category.FUNCTION:
            arguments = " ".join(f"{preposition} {type_text(of)}" for preposition, of in word.arguments)
            return f"{word.article} {word.phrase} {arguments}".strip()
        case Category.NOUN | Category.ROLE:
            return f"{word.article} {word.phrase}".strip()
        case _:
            return word.phrase


def _says(clause: Clause) -> list[str]:
    return [clause.says] if clause.says else []


def _declared(span: Span | None, desk: Desk) -> list[str]:
    return [] if span is None or not span.file else ["", f"declared in {place_text(span, desk)}"]
