"""The YAML parser's complaints, said again for somebody who writes laws.

The parser says what it expected; an author needs to know what to change. `explain` turns the one into the other and
is the only place that knows the parser's wording.
"""

from __future__ import annotations

import contextlib
import re

import yaml
from yaml.error import Mark, MarkedYAMLError, YAMLError
from yaml.tokens import (
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ScalarToken,
)

from lawbook.diagnostics import Diagnostic, Label, Severity, Span
from lawbook.source.text import Places

_QUOTE_IT = "if it is meant as text, put it in quotes"


def explain(error: MarkedYAMLError, text: str, places: Places, offset: int) -> Diagnostic:
    """One diagnostic for one complaint.

    `text` is the whole file; `offset` says where in it the stretch that was being parsed begins. The diagnostic's
    span lies where the author should look first, which for something never closed is where it was opened.
    """
    return _Complaint(error, text, places, offset).diagnostic()


class _Complaint:
    """One complaint with its two places: where the parser stopped, and where that which it was reading began."""

    def __init__(self, error: MarkedYAMLError, text: str, places: Places, offset: int) -> None:
        self.problem = str(error.problem or "")
        self.context = str(error.context or "")
        self.text = text
        self.places = places
        self.offset = offset
        self.at = self._offset(error.problem_mark, offset)
        self.began = self._offset(error.context_mark or error.problem_mark, offset)

    def _offset(self, mark: Mark | None, offset: int) -> int:
        return min(offset + (0 if mark is None else mark.index), len(self.text))

    def diagnostic(self) -> Diagnostic:
        problem, context = self.problem, self.context
        if "\\t" in problem:
            return self._tab()
        if context.startswith(("while scanning an anchor", "while scanning an alias")):
            return self._anchor_or_alias()
        if "tag" in context or "tag handle" in problem:
            message = "tags (`!name`) cannot be used: every value is what is written"
            return self._say("tag", message, self._mark(self.began), _QUOTE_IT)
        if "directive" in context or "directive" in problem or "incompatible YAML" in problem:
            message = "directives (lines that begin with `%`) cannot be used"
            return self._say("directive", message, self._line_from(self.began))
        if "cannot start any token" in problem:
            letter = self.text[self.at : self.at + 1]
            shown = "a backquote" if letter == "`" else f"`{letter}`"
            message = f"a value cannot begin with {shown}"
            return self._say("needs-quotes", message, self._mark(self.at), _QUOTE_IT)
        if context != "while scanning a quoted scalar" and (quoted := self._quoted()) is not None:
            return self._quote_over_lines(*quoted)
        if "could not find expected ':'" in problem:
            return self._colon_missing(self._line_from(self.began))
        if "mapping values are not allowed" in problem:
            return self._stray_colon()
        if "sequence entries are not allowed" in problem:
            help = "begin a list on a line of its own, under its key and indented like the other items"
            return self._say("misplaced-line", "a list item (`- `) cannot begin here", self._mark(self.at), help)
        if "mapping keys are not allowed" in problem:
            message = "a question mark and a space cannot stand here"
            return self._say("needs-quotes", message, self._mark(self.at), _QUOTE_IT)
        if context == "while scanning a quoted scalar":
            help = "close it with the same quote; inside single quotes an apostrophe is written twice"
            return self._say("never-closed", "this quoted text is never closed", self._mark(self.began), help)
        if "escape" in problem or "code point" in problem:
            message = "inside double quotes a backslash begins an escape, and this is none that is known"
            help = "use single quotes, where a backslash is only a backslash"
            return self._say("unknown-escape", message, self._mark(self.at), help)
        if context == "while scanning a block scalar":
            message = "after `|` or `>` the text must begin on the next line, indented"
            return self._say("yaml-syntax", message, self._mark(self.at))
        if "expected the node content" in problem and (opened := self._opened()) is not None:
            self.context, self.began = opened
            return self._unclosed()
        if "but found '<block end>'" in problem or "expected the node content" in problem:
            return self._say("missing-value", "a value is missing here", self._mark(self.at))
        if context.startswith("while parsing a flow"):
            return self._unclosed()
        if "expected <block end>" in problem or "expected '<document start>'" in problem:
            return self._misplaced()
        return self._say("yaml-syntax", f"this is not well-formed YAML: {problem}", self._mark(self.at))

    # -- single complaints --------------------------------------------------------------------------------------

    def _tab(self) -> Diagnostic:
        if self._before_on_line(self.at).strip() == "":
            message = "a line is indented with a tab"
        else:
            message = "a tab stands where only spaces may"
        return self._say("tab", message, self._mark(self.at), "use spaces")

    def _anchor_or_alias(self) -> Diagnostic:
        code = "alias" if "alias" in self.context else "anchor"
        message = "aliases (`*name`) cannot be used" if code == "alias" else "anchors (`&name`) cannot be used"
        return self._say(code, message, self._mark(self.began), _QUOTE_IT)

    def _colon_missing(self, span: Span) -> Diagnostic:
        message = "a key must be followed by a colon and a space, on the same line"
        help = "write `key: value`; if the line goes on with the text before it, indent it further than its key"
        return self._say("missing-colon", message, span, help)

    def _stray_colon(self) -> Diagnostic:
        before = self._before_on_line(self.at)
        bare = self._key_without_colon(before)
        if bare is not None:
            return self._colon_missing(bare)
        if re.search(r":\s", before):
            message = "a colon and a space cannot stand inside text without quotes"
            return self._say("stray-colon", message, self._mark(self.at), "put the whole value in quotes")
        key = before.strip().removeprefix("- ").strip()
        message = f"the key `{key}` cannot stand here: what stands before it already has a value"
        help = "check how the line is indented: keys that belong together begin in the same column"
        key_span = self.places.span(self.at - len(before.lstrip()), self.at)
        return self._say("misplaced-line", message, key_span, help)

    def _key_without_colon(self, before: str) -> Span | None:
        """The line above a key if it is the first of its keys, in the same column, and lacks its colon.

        The parser takes such a line for text that has begun and only stumbles over the next.
        """
        line, _ = self.places.position(self.at)
        earlier = [self.text[self.places.start_of(n) : self.places.start_of(n + 1)].rstrip() for n in range(1, line)]
        numbers = [number for number, content in enumerate(earlier, start=1) if content.strip()]
        if not numbers or ":" in earlier[numbers[-1] - 1]:
            return None
        above = earlier[numbers[-1] - 1]
        text = re.sub(r"^ *(- +)?", "", above)
        indent = len(above) - len(text)
        opens = "- " in above[:indent] or len(numbers) == 1 or earlier[numbers[-2] - 1].endswith(":")
        if not opens or indent != len(before) - len(before.lstrip(" ")):
            return None
        return self._line_from(self.places.start_of(numbers[-1]) + indent)

    def _unclosed(self) -> Diagnostic:
        sequence = "sequence" in self.context
        opened, closed, name = ("[", "]", "list") if sequence else ("{", "}", "set of keys")
        ended = "<stream end>" in self.problem or self.at >= len(self.text)
        opening = self._mark(self.began)
        stopped = self._mark(self.at)
        if ended or (self._before_on_line(self.at).strip() == "" or stopped.line > opening.line):
            labels = () if ended else (Label(stopped, f"`{closed}` or a comma was expected before this"),)
            message = f"this `{opened}` is never closed"
            return self._say("never-closed", message, opening, f"end the {name} with `{closed}`", labels)
        message = f"a comma or the closing `{closed}` is missing before this"
        return self._say("missing-comma", message, stopped, None, (Label(opening, "opened here"),))

    def _opened(self) -> tuple[str, int] | None:
        """At the end of the text: what was being read and where it began, where that is a list or a set of keys in
        brackets; None where it is neither, and elsewhere."""
        if "<stream end>" not in self.problem:
            return None
        opened: list[tuple[str, int]] = []
        with contextlib.suppress(YAMLError):
            for token in yaml.scan(self.text[self.offset :]):
                match token:
                    case FlowSequenceStartToken():
                        opened.append(("while parsing a flow sequence", self.offset + token.start_mark.index))
                    case FlowMappingStartToken():
                        opened.append(("while parsing a flow mapping", self.offset + token.start_mark.index))
                    case FlowSequenceEndToken() | FlowMappingEndToken() if opened:
                        opened.pop()
        return opened[-1] if opened else None

    def _quoted(self) -> tuple[int, int] | None:
        """Where a quoted text begins and ends that was begun on an earlier line and ends on the one where the parser
        stopped, before that place; None if there is none. Its end is most often meant to open another."""
        found = None
        line, _ = self.places.position(self.at)
        if not {"'", '"'} & set(self._before_on_line(self.at)):
            return None
        with contextlib.suppress(YAMLError):
            for token in yaml.scan(self.text[self.offset :]):
                start, end = self.offset + token.start_mark.index, self.offset + token.end_mark.index
                if start > self.at:
                    break
                if isinstance(token, ScalarToken) and not token.plain and token.style in ("'", '"') and end <= self.at:
                    first, last = self.places.position(start)[0], self.places.position(end)[0]
                    found = (start, end) if first < last == line else found
        return found

    def _quote_over_lines(self, start: int, end: int) -> Diagnostic:
        message = "this quoted text is not closed before the line ends"
        help = "close it with the same quote; inside single quotes an apostrophe is written twice"
        label = Label(self._mark(end - 1), "so it goes on to here, and nothing may follow it")
        return self._say("never-closed", message, self._mark(start), help, (label,))

    def _misplaced(self) -> Diagnostic:
        if self._before_on_line(self.at).strip() == "":
            kind = "list begins" if self.text[self.began : self.began + 1] == "-" else "keys begin"
            label = Label(self._mark(self.began), f"the {kind} here")
            labels = (label,) if self.began < self.at else ()
            message = "this line does not fit what stands before it"
            help = "check how it is indented: what belongs together begins in the same column"
            return self._say("misplaced-line", message, self._line_from(self.at), help, labels)
        message = "nothing may follow on this line: the value before it is complete"
        if self.text[self.at - 1 : self.at] == "'":
            help = "an apostrophe ends text in single quotes: write it twice, or put the text in double quotes"
        else:
            help = "put the whole value in quotes, or begin a new line"
        return self._say("text-after-value", message, self._line_from(self.at), help)

    # -- places -------------------------------------------------------------------------------------------------

    def _say(
        self, code: str, message: str, span: Span, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> Diagnostic:
        return Diagnostic(code, Severity.ERROR, message, span, labels, help)

    def _mark(self, at: int) -> Span:
        """One character; none at the end of a line, where something is missing."""
        return self.places.span(at, at + (self.text[at : at + 1] not in ("", "\n", "\r")))

    def _line_from(self, at: int) -> Span:
        rest = re.compile(r"[^\r\n]*").match(self.text, at)
        return self.places.span(at, at + (0 if rest is None else len(rest.group().rstrip())))

    def _before_on_line(self, at: int) -> str:
        line, _ = self.places.position(at)
        return self.text[self.places.start_of(line) : at]
