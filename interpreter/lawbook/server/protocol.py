"""The Language Server Protocol over standard input and output: what an editor sends, in the terms of this package, and
the answers in the editor's.

Checking at a keystroke waits until the editor has said all that it had to say; thorough checking goes on between
messages, a step at a time, and begins anew when a file changes.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from lawbook import __version__
from lawbook.adapters import missing_extra
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.formatting import format_text
from lawbook.formatting.spelling import spelling_of
from lawbook.mending import fixes_of
from lawbook.server.completion import ItemKind, Proposal, complete
from lawbook.server.editors import path_of, place_of, position_of, range_of, uri_of
from lawbook.server.guarded import Guarded
from lawbook.server.hover import declarations, definitions, hover
from lawbook.server.symbols import Symbol, outline
from lawbook.server.texts import Encoding, Text
from lawbook.server.workbench import Workbench

try:
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol, default_converter
except ImportError as error:
    raise missing_extra("pygls", "lsp") from error

# How long after a change the file is checked, and how long after the last one thoroughly: seconds.
SETTLED: Final = 0.01
IDLE: Final = 0.4

_ENCODINGS: Final[tuple[Encoding, ...]] = ("utf-8", "utf-16", "utf-32")
_T = TypeVar("_T")
_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}
_ITEM_KINDS: Final = {
    ItemKind.KEY: types.CompletionItemKind.Property,
    ItemKind.NAME: types.CompletionItemKind.Reference,
    ItemKind.VALUE: types.CompletionItemKind.EnumMember,
    ItemKind.NOUN: types.CompletionItemKind.Variable,
    ItemKind.FUNCTION: types.CompletionItemKind.Function,
    ItemKind.RELATION: types.CompletionItemKind.Operator,
    ItemKind.VERB: types.CompletionItemKind.Method,
    ItemKind.GRAMMAR: types.CompletionItemKind.Keyword,
}
_SYMBOL_KINDS: Final = {
    "section": types.SymbolKind.Namespace,
    "clause": types.SymbolKind.Function,
    "item": types.SymbolKind.Constant,
}


class _Protocol(LanguageServerProtocol):
    """The protocol, with an answer also to a request that makes no sense: an editor waits for one."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], None, error.to_response_error())
            raise


class Server(LanguageServer):
    """The server: the workbench, the tasks that are under way, and how the editor counts."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        super().__init__(
            "lawbook",
            __version__,
            # A law is some tens of kilobytes: sent whole, it cannot drift away from what the editor has.
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=_Protocol,
            converter_factory=default_converter,
        )
        # The user's own folders besides those that the editor names.
        self.folders = tuple(folders)
        self.workbench = Workbench(self.folders)
        self.encoding: Encoding = "utf-16"
        self.was_told_to_stop = False
        self._versions: dict[Path, int | None] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._thorough: asyncio.Task[None] | None = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What goes wrong is for whoever runs the server to read, and no reason to disturb whoever writes a law."""
        logging.getLogger(__name__).log(logging.ERROR, "%s: %s", source, error)

    # -- files -----------------------------------------------------------------------------------------------------

    def text_of(self, path: Path) -> Text:
        """The text of a file, open or not, as the editor counts in it."""
        return Text(self.workbench.text(path) or "", self.encoding)

    def changed(self, path: Path, text: str, version: int | None) -> None:
        """A file is open with that text, for the first time or changed."""
        self.workbench.open(path, text)
        self._versions[path] = version
        self._later(path)

    def saved(self, path: Path) -> None:
        """A file was saved; others may have been as well."""
        self.workbench.look_again()
        self._later(path)

    def closed(self, path: Path) -> None:
        """A file is open no more."""
        self.workbench.close(path)
        self._versions.pop(path, None)
        if (waiting := self._waiting.pop(path, None)) is not None:
            waiting.cancel()

    def on_disk(self) -> None:
        """Files have changed outside of the editor."""
        self.workbench.look_again()
        for path in list(self._versions):
            self._later(path)

    def _later(self, path: Path) -> None:
        if (waiting := self._waiting.get(path)) is not None:
            waiting.cancel()
        if self._thorough is not None:
            self._thorough.cancel()
        self._waiting[path] = asyncio.get_running_loop().call_later(SETTLED, self._check, path)

    def _check(self, path: Path) -> None:
        self._waiting.pop(path, None)
        try:
            self._publish(path, self.workbench.quick(path))
        finally:
            self._thorough = asyncio.get_running_loop().create_task(self._check_thoroughly(path))

    async def _check_thoroughly(self, path: Path) -> None:
        await asyncio.sleep(IDLE)
        for findings in self.workbench.thorough(path):
            for file, diagnostics in findings.items():
                self._publish(file, diagnostics)
            # Whatever the editor has said meanwhile comes first.
            await asyncio.sleep(0)
        # What is kept from now on need not be gone through whenever memory is tidied up, which a keystroke would feel.
        gc.collect()
        gc.freeze()

    # -- answers ---------------------------------------------------------------------------------------------------

    def _publish(self, path: Path, diagnostics: tuple[Diagnostic, ...]) -> None:
        text = self.text_of(path)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                uri=uri_of(path),
                diagnostics=[self.diagnostic(found, text) for found in diagnostics],
                version=self._versions.get(path),
            )
        )

    def diagnostic(self, found: Diagnostic, text: Text) -> types.Diagnostic:
        """A diagnostic as editors show it."""
        span = found.span or Span("", 1, 1, 1, 1)
        message = found.message
        if found.suggestion is not None:
            message += f"\ndid you mean `{found.suggestion}`?"
        if found.help is not None:
            message += f"\nhelp: {found.help}"
        related = [
            types.DiagnosticRelatedInformation(self.location(label.span), label.text)
            for label in found.labels
            if label.span.file
        ]
        return types.Diagnostic(
            range=range_of(text.range(span)),
            message=message,
            severity=_SEVERITIES[found.severity],
            code=found.code,
            source="lawbook",
            related_information=related or None,
        )

    def location(self, span: Span) -> types.Location:
        """A stretch of any file."""
        path = Path(span.file)
        return types.Location(uri=uri_of(path), range=range_of(self.text_of(path).range(span)))

    def actions(self, path: Path, wanted: types.Range) -> Iterator[types.CodeAction]:
        """What would mend the problems in a stretch of a file."""
        text = self.text_of(path)
        for found in self.workbench.quick(path):
            there = range_of(text.range(found.span or Span("", 1, 1, 1, 1)))
            if place_of(there.end) < place_of(wanted.start) or place_of(wanted.end) < place_of(there.start):
                continue
            for fix in fixes_of(found, text.without_mark):
                edits = [types.TextEdit(range_of(text.range(edit.span)), edit.text) for edit in fix.edits]
                yield types.CodeAction(
                    title=fix.title,
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[self.diagnostic(found, text)],
                    # An editor may apply what is preferred without asking.
                    is_preferred=fix.safe,
                    edit=types.WorkspaceEdit(changes={uri_of(path): edits}),
                )

    def item(self, proposal: Proposal, rank: int, text: Text) -> types.CompletionItem:
        """A proposal as editors list it, in the order given."""
        about = types.MarkupContent(types.MarkupKind.Markdown, proposal.about) if proposal.about else None
        return types.CompletionItem(
            label=proposal.label,
            kind=_ITEM_KINDS[proposal.kind],
            detail=proposal.detail or None,
            documentation=about,
            sort_text=f"{rank:04}",
            filter_text=proposal.text.partition("\n")[0],
            insert_text_mode=types.InsertTextMode.AsIs,
            text_edit=types.TextEdit(range_of(text.range(proposal.span)), proposal.text),
        )

    def symbol(self, symbol: Symbol, text: Text) -> types.DocumentSymbol:
        """A line of a file's outline."""
        return types.DocumentSymbol(
            name=symbol.name,
            kind=_SYMBOL_KINDS[symbol.what],
            detail=symbol.detail or None,
            range=range_of(text.range(symbol.span)),
            selection_range=range_of(text.range(symbol.naming)),
            children=[self.symbol(inside, text) for inside in symbol.inside],
        )

    def formatted(self, path: Path) -> list[types.TextEdit]:
        """The edit that gives a file its canonical form; none where it has it, or is not in order."""
        text = self.text_of(path)
        desk = self.workbench.room(path).desk
        spelling = spelling_of(desk, [path])
        shown = desk.shown(path)
        found = format_text(text.content, shown, spelling.words)
        if not found.changed or found.after is None or spelling.problems.get(shown):
            return []
        last = len(text.lines)
        whole = Span("", 1, 1, last, len(text.lines[last - 1]) + 1)
        return [types.TextEdit(range_of(text.range(whole)), found.after)]


def _answering(server: Server) -> None:
    """Tell the server which of its methods answers what."""

    def feature(name: str, options: Any = None) -> Callable[[Callable[..., _T]], Callable[..., _T]]:
        return server.feature(name, options)

    @feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [path_of(params.root_uri)]
        there = [folder for folder in folders if folder is not None and folder.is_dir()]
        server.workbench = Workbench([*server.folders, *there])

    @feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        encoding = server.workspace.position_encoding
        server.encoding = next((known for known in _ENCODINGS if known == encoding), "utf-16")
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            watched = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*.yaml")])
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched)
            server.client_register_capability(types.RegistrationParams([registration]))

    @feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.was_told_to_stop = True

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        if (path := path_of(params.text_document.uri)) is not None:
            server.changed(path, params.text_document.text, params.text_document.version)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None and params.content_changes:
            server.changed(path, params.content_changes[-1].text, params.text_document.version)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        if (path := path_of(params.text_document.uri)) is not None:
            server.saved(path)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        if (path := path_of(params.text_document.uri)) is not None:
            server.closed(path)

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.on_disk()

    @feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", "'", ":", "{", "["]))
    def completion(params: types.CompletionParams) -> types.CompletionList:
        path = path_of(params.text_document.uri)
        if path is None:
            return types.CompletionList(is_incomplete=False, items=[])
        text = server.text_of(path)
        desk, outlook = server.workbench.room(path).desk, server.workbench.outlook(path)
        proposals = complete(desk, outlook, path, *text.place(position_of(params.position)))
        items = [server.item(proposal, rank, text) for rank, proposal in enumerate(proposals)]
        # Of a phrase of several words other parts can be proposed with each letter.
        return types.CompletionList(is_incomplete=True, items=items)

    @feature(types.TEXT_DOCUMENT_HOVER)
    def hovering(params: types.HoverParams) -> types.Hover | None:
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        text = server.text_of(path)
        desk, outlook = server.workbench.room(path).desk, server.workbench.outlook(path)
        found = hover(desk, outlook, path, *text.place(position_of(params.position)))
        if found is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found[0]), range_of(text.range(found[1])))

    def places(find: Callable[..., list[Span]], uri: str, position: types.Position) -> list[types.Location]:
        path = path_of(uri)
        if path is None:
            return []
        desk, outlook = server.workbench.room(path).desk, server.workbench.outlook(path)
        line, column = server.text_of(path).place(position_of(position))
        return [server.location(span) for span in find(desk, outlook, path, line, column) if span.file]

    @feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        return places(definitions, params.text_document.uri, params.position)

    @feature(types.TEXT_DOCUMENT_DECLARATION)
    def declaration(params: types.DeclarationParams) -> list[types.Location]:
        return places(declarations, params.text_document.uri, params.position)

    @feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        if path is None:
            return []
        text = server.text_of(path)
        return [server.symbol(symbol, text) for symbol in outline(server.workbench.room(path).desk, path)]

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of(params.text_document.uri)
        return [] if path is None else list(server.actions(path, params.range))

    @feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        path = path_of(params.text_document.uri)
        return [] if path is None else server.formatted(path)


def new_server(folders: Iterable[Path] = ()) -> Server:
    """A server that answers everything it can; `folders` are the user's own besides those that the editor names."""
    server = Server(folders)
    _answering(server)
    return server


def serve(given: BinaryIO, answers: BinaryIO, folders: Iterable[Path] = ()) -> bool:
    """Serve one editor over two streams until it stops; whether it said that it would, as the protocol asks of it."""
    # What the library tells of every message is for whoever looks into the library.
    logging.getLogger("pygls").setLevel(logging.ERROR)
    server = new_server(folders)
    server.start_io(Guarded(given), answers)  # type: ignore[arg-type]
    return server.was_told_to_stop
