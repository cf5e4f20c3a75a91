"""Declarations in, vocabulary out: types, calls, acts, offences, words and registers that the law data declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lawbook.diagnostics import Label, Span, nearest
from lawbook.edition.model import CALL_KINDS, EVERY_CALL, ActWord, Column, Offence, PutBack
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.language import types
from lawbook.language.lexer import PREPOSITIONS, clashes, is_phrase, normal
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import SetOf, Type, has_members, parse_type, type_names, type_text
from lawbook.language.words import Category, Vocabulary, Word
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence


def slug(phrase: str) -> str:
    """A declared name as the notation and the JSON write it: hyphens for spaces."""
    return phrase.replace(" ", "-")


def entries(node: Node | None, key: str) -> Iterator[MappingNode]:
    """The mappings of a list under a key."""
    listed = node.get(key) if isinstance(node, MappingNode) else None
    for item in listed.items if isinstance(listed, Sequence) else ():
        if isinstance(item, MappingNode):
            yield item


@dataclass(frozen=True, slots=True)
class RegisterNode:
    """A declared register before its conditions are read."""

    node: MappingNode
    phrase: str
    type: Type
    indices: tuple[Type, ...]
    put_back: PutBack
    per_right: bool
    together: frozenset[str]
    starts: Scalar
    totals: str | None


@dataclass(slots=True)
class Declarations:
    """All that the vocabulary files and the laws of one edition declare."""

    problems: Collector
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    enumerations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    offences: list[Offence] = field(default_factory=list)
    acts: dict[str, ActWord] = field(default_factory=dict)
    registers: dict[str, RegisterNode] = field(default_factory=dict)
    facts: dict[str, RegisterNode] = field(default_factory=dict)
    sheet: dict[str, RegisterNode] = field(default_factory=dict)
    columns: dict[str, Column] = field(default_factory=dict)
    letters: dict[str, str] = field(default_factory=dict)
    signs: dict[str, str] = field(default_factory=dict)
    bindings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _bound_at: dict[str, tuple[Span, str]] = field(default_factory=dict)
    roles: dict[str, Scalar] = field(default_factory=dict)
    # The roles that are no player's but the table's own.
    table_roles: set[str] = field(default_factory=set)
    interface: dict[str, Scalar] = field(default_factory=dict)
    held_while: MappingNode | None = None

    def register(self, name: str) -> RegisterNode | None:
        """A declared register of either machine; facts are given, so nothing can be written to them."""
        return self.registers.get(name) or self.sheet.get(name)

    def offence(self, phrase: str) -> int | None:
        """The number of the offence that a phrase names, or None."""
        words = self.vocabulary.words.get(phrase, ())
        named = (w.target for w in words if w.category is Category.VALUE and w.gives == types.OFFENCE)
        return next((int(target) for target in named), None)

    def read(self, nodes: list[MappingNode], denominations: tuple[str, ...]) -> None:
        """Read every declaration. Types first, whatever the order of files: there is no file order."""
        for node in nodes:
            for item in entries(node, "enumerations"):
                self._enumeration(item)
            for item in entries(node, "denominations"):
                self.letters[text_of(item.get("denomination"))] = text_of(item.get("letter"))
                if item.get("sign") is not None:
                    self.signs[text_of(item.get("denomination"))] = text_of(item.get("sign"))
        for name in self.letters.keys() - set(denominations):
            reason = "the table that names the denominations of this edition has no row for it"
            self.vocabulary.absent[name] = reason
        for place, name in enumerate(denominations):
            self._add(Word(Category.VALUE, name, "value", str(place), types.DENOMINATION), None)
        for name in types.PLAIN:
            self._add(Word(Category.TYPE, name, "type", name, parse_type(name, ()), article="a"), None)
        for name in self.enumerations:
            self._add(Word(Category.TYPE, name, "type", name, types.Enumeration(name), article="a"), None)
        # In the head of a definition `a number` means whichever numbers the word is declared of.
        self._add(Word(Category.TYPE, "number", "type", "number", None, article="a"), None)
        for node in nodes:
            for item in entries(node, "offences"):
                self._offence(item)
            for item in entries(node, "calls"):
                self._call(item)
            for item in entries(node, "acts"):
                self._act(item)
            for item in entries(node, "bindings"):
                self._binding(item)
            for item in entries(node, "words"):
                self._word(item)
            for item in entries(node, "registers"):
                self._register(item, self.registers)
            score = node.get("score sheet")
            for item in entries(score, "columns"):
                self._column(item)
            for item in entries(score, "facts"):
                self._register(item, self.facts)
            for item in entries(score, "registers"):
                self._register(item, self.sheet)
            for item in entries(node, "roles"):
                self._role(item)
            if isinstance(interface := node.get("interface"), MappingNode):
                self.interface |= {k.text: v for k, v in interface.entries if isinstance(v, Scalar)}
            if isinstance(held := node.get("a call may be put back"), MappingNode):
                self.held_while = held
        for node in nodes:
            for item in entries(node, "acts"):
                self._groups(item)
            for item in entries(node, "words"):
                self._check_verb(item)
        self._check_said_already()
        for node in nodes:
            if isinstance(everything := node.get("everything"), MappingNode):
                acts = " ".join((*CALL_KINDS, *sorted(self.acts)))
                word = Word(Category.ACT, text_of(everything.get("says")), "acts", acts, span=everything.span)
                self._add(word, everything.span)
        for name, phrases in self.bindings.items():
            span, gloss = self._bound_at[name]
            for phrase in phrases:
                self._add(Word(Category.NOUN, phrase, "binding", name, types.TRUTH, gloss=gloss, span=span), span)

    def _add(self, word: Word, span: Span | None) -> None:
        for phrase in (word.phrase, *word.synonyms, *([word.negative] if word.negative else [])):
            if not is_phrase(phrase) and word.category is not Category.TYPE:
                self.problems.error(
                    "unreadable-phrase",
                    f"`{phrase}` could never be found in a text",
                    span,
                    help="a phrase is made of words: letters, and hyphens inside a word",
                )
        for phrase in clashes(word):
            self.problems.error("phrase-clash", f"`{phrase}` would swallow a word of the grammar", span)
        other = self.vocabulary.add(word)
        if other is not None:
            labels = () if other.span is None else (Label(other.span, "already declared here"),)
            self.problems.error(
                "phrase-clash",
                f"`{word.phrase}` is already a {other.category.value}; a phrase has one meaning",
                span,
                labels=labels,
            )

    def _type(self, node: Node | None) -> Type:
        names = self.enumerations
        found = parse_type(text_of(node), names)
        if found is None:
            self.problems.error(
                "unknown-type",
                f"there is no type `{text_of(node)}`",
                None if node is None else node.span,
                suggestion=nearest(text_of(node), type_names(names)),
            )
            return types.SEAT
        return found

    def _enumeration(self, node: MappingNode) -> None:
        name = text_of(node.get("enumeration"))
        members = tuple(text_of(m) for m in texts_of(node.get("members")))
        self.enumerations[name] = members
        of = types.Enumeration(name)
        for place, member in enumerate(members):
            gloss = text_of(node.get("gloss"))
            self._add(Word(Category.VALUE, member, "value", str(place), of, gloss=gloss, span=node.span), node.span)

    def _offence(self, node: MappingNode) -> None:
        phrase = text_of(node.get("offence"))
        number = len(self.offences)
        gloss = text_of(node.get("gloss"))
        self.offences.append(Offence(number, slug(phrase), phrase, gloss))
        word = Word(Category.VALUE, phrase, "value", str(number), types.OFFENCE, gloss=gloss, span=node.span)
        self._add(word, node.span)

    def _binding(self, node: MappingNode) -> None:
        name = text_of(node.get("binding"))
        synonyms = (text_of(s) for s in texts_of(node.get("synonyms")))
        self.bindings[name] = (text_of(node.get("phrase")), *synonyms)
        self._bound_at[name] = (node.span, text_of(node.get("gloss")))

    def _call(self, node: MappingNode) -> None:
        kind, says = text_of(node.get("call")), text_of(node.get("says"))
        kinds = EVERY_CALL if kind == "call" else frozenset({kind})
        gloss = text_of(node.get("gloss"))
        self._add(Word(Category.ACT, says, "kinds", " ".join(sorted(kinds)), gloss=gloss, span=node.span), node.span)
        self._add(
            Word(Category.KIND, kind, "kinds", " ".join(sorted(kinds)), article="a", gloss=gloss, span=node.span),
            node.span,
        )
        if kind in CALL_KINDS[:3]:
            place = str(CALL_KINDS.index(kind))
            self._add(Word(Category.VALUE, kind, "value", place, types.CALL, article="a", span=node.span), node.span)

    def _act(self, node: MappingNode) -> None:
        phrase, says = text_of(node.get("act")), text_of(node.get("says"))
        name = slug(phrase)
        groups = frozenset(text_of(g) for g in texts_of(node.get("groups")))
        argument = text_of(node.get("argument")) or "none"
        chooses = text_of(node.get("chooses")) == "yes"
        self.acts[name] = ActWord(name, says, argument, groups, chooses, text_of(node.get("gloss")))
        self._add(Word(Category.ACT, says, "acts", name, gloss=text_of(node.get("gloss")), span=node.span), node.span)

    def _groups(self, node: MappingNode) -> None:
        for group in texts_of(node.get("groups")):
            if self.vocabulary.find(Category.ACT, group.text) is None:
                members = sorted(a.name for a in self.acts.values() if group.text in a.groups)
                self._add(Word(Category.ACT, group.text, "acts", " ".join(members), span=node.span), node.span)

    def _word(self, node: MappingNode) -> None:
        category = next(c for c in ("noun", "function", "relation", "quality", "verb") if node.get(c) is not None)
        phrase_node = node.get(category)
        assert isinstance(phrase_node, Scalar)
        phrase = text_of(phrase_node)
        arguments = tuple((key.text, self._type(value)) for key, value in node.entries if key.text in PREPOSITIONS)
        between = [self._type(item) for item in texts_of(node.get("between"))]
        gives: Type | None = None if node.get("gives") is None else self._type(node.get("gives"))
        meaning, target = "definition", phrase
        if isinstance(primitive := node.get("primitive"), Scalar):
            meaning, target = "primitive", primitive.text
            if target not in PRIMITIVES:
                self.problems.error(
                    "unknown-primitive",
                    f"the table has no operation `{target}`",
                    primitive.span,
                    suggestion=nearest(target, PRIMITIVES),
                )
        match category:
            case "relation":
                arguments = tuple(("", t) for t in (between if len(between) == 2 else between * 2))
                gives = types.TRUTH
            case "quality":
                gives = types.TRUTH
            case "verb":
                meaning = "joins" if node.get("joins") is not None else "leaves"
                register = node.get("joins") or node.get("leaves")
                target = text_of(register)
            case _:
                pass
        self._add(
            Word(
                Category[category.upper()],
                phrase,
                meaning,
                target,
                gives,
                arguments,
                text_of(node.get("negative")) or None,
                tuple(text_of(s) for s in texts_of(node.get("synonyms"))),
                "the" if node.get("article") is None else text_of(node.get("article")),
                text_of(node.get("plural")) == "yes",
                text_of(node.get("gloss")),
                span=phrase_node.span,
            ),
            phrase_node.span,
        )

    def _check_said_already(self) -> None:
        """A law may not define what `is` and a declared word say already: nobody could tell the two apart."""
        for word in self.vocabulary.canonical.values():
            if word.meaning != "definition" or not word.phrase.startswith("is "):
                continue
            said = word.phrase.removeprefix("is ")
            if word.category is Category.RELATION:
                said = said.rpartition(" ")[0]
            category = Category.FUNCTION if word.category is Category.RELATION else Category.NOUN
            other = self.vocabulary.find(category, normal(said))
            found = other if other is not None and said == f"{other.article} {other.phrase}" else None
            if found is not None:
                self.problems.error(
                    "phrase-clash",
                    f"`{word.phrase}` is said by `is` and the {found.category.value} `{found.phrase}` already",
                    word.span,
                    help="leave it out, or call it otherwise",
                )

    def _check_verb(self, node: MappingNode) -> None:
        """What a verb joins or leaves is a register that holds a set."""
        for scalar in (node.get("joins"), node.get("leaves")):
            register = self.register(text_of(scalar))
            if scalar is not None and (register is None or not isinstance(register.type, SetOf)):
                sets = [r.phrase for r in (*self.registers.values(), *self.sheet.values()) if isinstance(r.type, SetOf)]
                self.problems.error(
                    "unknown-register",
                    f"there is no register `{text_of(scalar)}` that is a set",
                    scalar.span,
                    suggestion=nearest(text_of(scalar), sets),
                )

    def _column(self, node: MappingNode) -> None:
        phrase, gloss = text_of(node.get("column")), text_of(node.get("gloss"))
        self.columns[phrase] = Column(phrase, text_of(node.get("key")), gloss)
        self._add(
            Word(
                Category.FUNCTION, phrase, "column", phrase, types.COLUMN, (("of", types.SIDE),),
                gloss=gloss, span=node.span,
            ),
            node.span,
        )  # fmt: skip

    def _register(self, node: MappingNode, among: dict[str, RegisterNode]) -> None:
        phrase_node = node.get("register")
        assert isinstance(phrase_node, Scalar)
        phrase, of = text_of(phrase_node), self._type(node.get("type"))
        each = node.get("for each")
        per_right = text_of(each) == "right"
        indices: tuple[tuple[str, Type], ...] = ()
        if isinstance(each, MappingNode):
            indices = tuple((key.text, self._type(value)) for key, value in each.entries)
            for key, _ in each.entries:
                if key.text not in PREPOSITIONS:
                    self.problems.error(
                        "unknown-key",
                        f"`{key.text}` is not a preposition",
                        key.span,
                        help=f"the prepositions are: {', '.join(PREPOSITIONS)}",
                    )
            for (_, index), (_, value) in zip(indices, each.entries, strict=True):
                if not has_members(index):
                    self.problems.error(
                        "not-a-domain",
                        f"nothing can be kept for each {type_text(index)}",
                        value.span,
                        help="a register is kept for each member of a list, each player, side, denomination or number",
                    )
        starts = node.get("starts")
        assert isinstance(starts, Scalar)
        if phrase in among:
            self.problems.error("duplicate-register", f"the register `{phrase}` is declared twice", phrase_node.span)
            return
        among[phrase] = RegisterNode(
            node,
            phrase,
            of,
            tuple(t for _, t in indices),
            PutBack(text_of(node.get("put back")) or "always"),
            per_right,
            frozenset(text_of(t) for t in texts_of(node.get("present with"))),
            starts,
            text_of(node.get("totals")) or None,
        )
        self._add(
            Word(
                Category.FUNCTION if indices else Category.NOUN,
                phrase,
                "register",
                phrase,
                of,
                indices,
                synonyms=tuple(text_of(s) for s in texts_of(node.get("synonyms"))),
                plural=text_of(node.get("plural")) == "yes" or isinstance(of, SetOf),
                gloss=text_of(node.get("gloss")),
                span=phrase_node.span,
            ),
            phrase_node.span,
        )

    def _role(self, node: MappingNode) -> None:
        phrase = text_of(node.get("role"))
        means = node.get("means")
        if isinstance(means, Scalar):
            self.roles[phrase] = means
        if text_of(node.get("is the table")) == "yes":
            self.table_roles.add(phrase)
        synonyms = tuple(text_of(s) for s in texts_of(node.get("synonyms")))
        article = text_of(node.get("article")) or ("an" if phrase[0] in "aeiou" else "a")
        word = Word(
            Category.ROLE, phrase, "role", phrase, synonyms=synonyms, article=article,
            gloss=text_of(node.get("gloss")), span=node.span,
        )  # fmt: skip
        self._add(word, node.span)


def declarations_of(nodes: list[MappingNode], denominations: tuple[str, ...]) -> Declarations:
    """All that these nodes declare, with the problems found; the denominations come in the edition's order."""
    declarations = Declarations(Collector())
    declarations.read(nodes, denominations)
    return declarations
