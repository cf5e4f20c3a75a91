"""What was meant where a text cannot be read: the nearest phrase that could stand there, or how else it is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lawbook.contrary import drops_negation, is_contraction
from lawbook.diagnostics import nearest
from lawbook.language import types
from lawbook.language.lexemes import ARTICLES, Accepted, Entry, Lexeme, Piece, Unreadable, Variable, compared
from lawbook.language.words import Category, Vocabulary

_HEAD_HELP: Final = "a word that a law defines is first declared, under `words:` of a vocabulary or of `declares:`"
# The kinds of word of which there are few enough to list them.
_FEW: Final = frozenset({"VERB", "ROLE", "ACT", "KIND", "TYPE", "QUALITY", "RELATION", "BECOMES"})
_MOST_LISTED: Final = 12
# How many words of a phrase can have been read already, and how many it has at most.
_WORDS_BEFORE, _WORDS = 3, 4
_NOT_HELP: Final = "say the contrary with `is not` or a word's negative form, or list it under `none of:`"


@dataclass(frozen=True, slots=True)
class Halt:
    """Where the reading of a text came to a halt: its pieces and which of them could not be placed, what was read
    before, and what could have been: the phrases of the start rule, the bound names, the terminals that may follow."""

    pieces: list[Piece]
    at: int
    found: list[Lexeme]
    start: str
    table: Mapping[str, Entry]
    bound: Mapping[str, Variable]
    accepted: Accepted
    vocabulary: Vocabulary

    def told(self) -> Unreadable:
        """The message."""
        attempts = (self._notation, self._contraction, self._apostrophe, self._misspelt)
        for attempt in (*attempts, self._negation, self._head, self._absent):
            told = attempt()
            if told is not None:
                return told
        piece, can_follow = self.pieces[self.at], self.accepted(self.found)
        meant = nearest(piece.text, self._choices(can_follow))
        help = None if meant is not None else self._what_can_stand(can_follow)
        return Unreadable(f"unknown term `{piece.text}`", piece.start, piece.end, meant, help)

    def _run(self, first: int, size: int) -> list[Piece]:
        """So many pieces, if they are there and all of them words; else none."""
        run = self.pieces[first : first + size]
        return run if first >= 0 and len(run) == size and all(piece.kind == "word" for piece in run) else []

    def _notation(self) -> Unreadable | None:
        """A bid as auctions write it, a number with letters at once behind it: how it is said in words."""
        piece, before = self.pieces[self.at], self.pieces[self.at - 1] if self.at else None
        if before is None or before.kind != "number" or before.end != piece.start:
            return None
        words = (w for w in self.vocabulary.canonical.values() if (w.meaning, w.target) == ("primitive", "bid"))
        function = next((word for word in words if len(word.arguments) == 2), None)
        if function is None:
            return None
        (first, _), (second, _) = function.arguments
        said = f"the {function.phrase} {first} {before.text} {second}"
        denominations = [word.phrase for word in self.vocabulary.values_of(types.DENOMINATION)]
        meant = [phrase for phrase in denominations if piece.text.lower() in (phrase[:1], _initials(phrase))]
        message = f"`{before.text}{piece.text}` is how auctions are written; laws say a bid in words"
        suggestion = f"{said} {meant[0]}" if len(meant) == 1 else None
        help = None if suggestion is not None else f"write `{said}` and a denomination: {', '.join(denominations)}"
        return Unreadable(message, before.start, piece.end, suggestion, help)

    def _contraction(self) -> Unreadable | None:
        """A `not` that is drawn into a verb: how it is written in full."""
        pieces, at = self.pieces, self.at
        there = pieces[at].text.lower() == "there" and at + 1 < len(pieces)
        verb = at + 1 if there else at
        if not is_contraction(pieces[verb].text):
            return None
        last = verb
        while last + 1 < len(pieces) and pieces[last + 1].start == pieces[last].end:
            last += 1
        written = "".join(piece.text for piece in pieces[verb : last + 1])
        meant = None
        if pieces[verb].text.lower().startswith(("isn", "aren")):
            meant = "there is no" if there else "is not"
        if there and last + 1 < len(pieces) and pieces[last + 1].text.lower() in ARTICLES:
            last += 1
        first = pieces[at]
        return Unreadable(f"unknown term `{written}`", first.start, pieces[last].end, meant, _NOT_HELP)

    def _apostrophe(self) -> Unreadable | None:
        """A noun with an `s` and what is asked of it: an apostrophe is missing."""
        for size in range(_WORDS, 0, -1):
            run = self._run(self.at, size)
            noun = " ".join(compared(piece.text) for piece in run).removesuffix("s")
            if not run or not run[-1].text.endswith("s") or not self._is_noun(noun):
                continue
            if any(terminal.startswith("FUNCTION") for terminal in self._terminals(self.at + size)):
                words = " ".join(piece.text for piece in run)
                return Unreadable(f"unknown term `{words}`", run[0].start, run[-1].end, f"{words[:-1]}'s")
        return None

    def _is_noun(self, phrase: str) -> bool:
        return phrase in self.bound or (phrase in self.table and self.table[phrase].terminal == "NOUN")

    def _terminals(self, first: int) -> Iterator[str]:
        """What the words from a piece on can be read as."""
        for size in range(_WORDS, 0, -1):
            phrase = " ".join(compared(piece.text) for piece in self._run(first, size))
            if phrase in self.table:
                yield self.table[phrase].terminal

    def _misspelt(self) -> Unreadable | None:
        # The words before may belong to a misspelt phrase: in "is debared" the `is` was read alone.
        for back in range(min(self.at, _WORDS_BEFORE) + 1):
            first = self.at - back
            before = [lexeme for lexeme in self.found if lexeme.end <= self.pieces[first].start]
            choices = self._choices(self.accepted(before))
            for size in range(_WORDS, back, -1):
                run = self._run(first, size)
                words = " ".join(piece.text.lower() for piece in run)
                if not run or words == "not":
                    continue
                near = nearest(words, (choice for choice in choices if len(choice.split()) == size))
                if near is None or not _is_near_in_each_word(words, near):
                    continue
                follower = self.pieces[first + size].text.lower() if first + size < len(self.pieces) else ""
                last = run[-1]
                if near.endswith(" no") and follower in ARTICLES:
                    # `there is now a last bid` denies nothing.
                    if not drops_negation(words, ""):
                        continue
                    last = self.pieces[first + size]
                return Unreadable(f"unknown term `{words}`", run[0].start, last.end, near)
        return None

    def _negation(self) -> Unreadable | None:
        piece = self.pieces[self.at]
        if piece.text.lower() != "not":
            return None
        return Unreadable("unknown term `not`", piece.start, piece.end, None, _NOT_HELP)

    def _head(self) -> Unreadable | None:
        if self.start != "head":
            return None
        rest = " ".join(piece.text for piece in self.pieces[self.at :])
        first, last = self.pieces[self.at], self.pieces[-1]
        return Unreadable(f"unknown term `{rest}`", first.start, last.end, None, _HEAD_HELP)

    def _absent(self) -> Unreadable | None:
        """A phrase that is declared and still no word of this edition."""
        for size in (3, 2, 1):
            run = self.pieces[self.at : self.at + size]
            words = " ".join(piece.text.lower() for piece in run)
            reason = self.vocabulary.absent.get(words)
            if reason is not None:
                message = f"this edition has no {words}"
                return Unreadable(message, run[0].start, run[-1].end, None, reason, "no-such-denomination")
        return None

    def _choices(self, accepted: frozenset[str]) -> list[str]:
        names = list(self.bound) if "NOUN" in accepted else []
        if "TYPE" in accepted:
            # A type can be spoken of by the phrase of a noun, which hides it in the table.
            names += [phrase for phrase, _, _ in self.vocabulary.phrases(frozenset({Category.TYPE}))]
        return [*names, *(phrase for phrase, entry in self.table.items() if entry.terminal in accepted)]

    def _what_can_stand(self, accepted: frozenset[str]) -> str | None:
        """The words of which one could stand here, where these are few kinds; nouns are too many."""
        names = sorted(phrase for phrase, entry in self.table.items() if entry.terminal in accepted & _FEW)
        if not names:
            return None
        more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        return f"what can stand here: {', '.join(names[:_MOST_LISTED])}{more}"


def unpossessed(lexemes: list[Lexeme], at: int, can_follow: frozenset[str]) -> Unreadable | None:
    """Where a function cannot stand behind a noun as it is: that the noun lacks its `'s`. None if that is not it.

    `can_follow` are the terminals that may follow what stands before the function.
    """
    function, noun = lexemes[at], lexemes[at - 1]
    if at == 0 or not function.terminal.startswith("FUNCTION") or noun.terminal != "NOUN":
        return None
    if "POSSESSIVE" not in can_follow:
        return None
    message = f"`{noun.text}` lacks an `'s` before `{function.text}`"
    meant = f"{noun.text}'s {function.text}"
    return Unreadable(message, noun.start, function.end, meant, code="misplaced-word")


def _is_near_in_each_word(written: str, meant: str) -> bool:
    """Whether each word of what was meant is near one that is written: `is fewer than` is not `is higher than`."""
    words = written.split()
    return all(word in words or any(nearest(each, (word,)) for each in words) for word in meant.lower().split())


def _initials(phrase: str) -> str:
    return "".join(word[:1] for word in phrase.split())
