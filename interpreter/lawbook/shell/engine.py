"""`engine`: the engine protocol over standard input and output."""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import IO, BinaryIO, Final

from lawbook.shell.command import Arguments, Command, library_of
from lawbook.shell.terminal import Terminal

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_PIECE: Final = 1 << 16


class _Stopped(BaseException):
    """The session ends here and now. No handler of errors may take it for one."""


class _Stop:
    """Whether a signal has asked for the end: it comes when the reply that is being written is whole.

    A second signal ends the session wherever it is, for a client that reads no replies could hold it up for ever.
    """

    def __init__(self) -> None:
        self.is_asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked:
            raise _Stopped
        self.is_asked = True


def _run(arguments: Arguments, terminal: Terminal) -> int:
    stop = _Stop()
    with contextlib.suppress(_Stopped), _signals_to(stop) as bell:
        _serve(arguments, terminal, stop, bell)
    return 0


def _serve(arguments: Arguments, terminal: Terminal, stop: _Stop, bell: int | None) -> None:
    from lawbook.engine.protocol import Engine
    from lawbook.engine.wire import MOST_BYTES, write_reply

    engine = Engine(library_of(arguments))
    write = _writer(terminal.out)
    # What a line has beyond this is not kept: that it is too long is seen without it.
    for line in _lines(sys.stdin.buffer, MOST_BYTES + len("\r\n"), stop, bell):
        write(write_reply(engine.reply(line)) + "\n")
        if engine.ended or stop.is_asked:
            return


@contextlib.contextmanager
def _signals_to(stop: _Stop) -> Iterator[int | None]:
    """While this lasts signals go to `stop`; gives the end of a pipe that can be read once one has come."""
    # Only the main thread hears signals.
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield None
        return
    bell, rope = os.pipe()
    os.set_blocking(rope, False)
    rope_before = signal.set_wakeup_fd(rope, warn_on_full_buffer=False)
    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield bell
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(rope_before)
        os.close(bell)
        os.close(rope)


# -- reading and writing -----------------------------------------------------------------------------------------------


def _lines(source: BinaryIO, most: int, stop: _Stop, bell: int | None) -> Iterator[bytes]:
    """The lines of the input without their ends, until it ends or a signal comes; of each no more than about `most`
    bytes are kept."""
    descriptor = _descriptor(source)
    if bell is None or descriptor is None:
        while line := source.readline(most + 1):
            rest = line
            while not rest.endswith(b"\n") and (rest := source.readline(_PIECE)):
                pass
            yield line.removesuffix(b"\n")
        return
    # A signal between two steps of Python would not break off a read that has not begun; the bell is heard even then.
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.register(bell, select.POLLIN)
    held = b""
    while True:
        poll.poll()
        if stop.is_asked:
            return
        piece = os.read(descriptor, _PIECE)
        if not piece:
            break
        *whole, rest = (held + piece).split(b"\n")
        held = rest[:most]
        yield from whole
    if held:
        yield held


def _descriptor(source: BinaryIO) -> int | None:
    try:
        return source.fileno()
    except OSError:
        # What is read is no file, but something of Python's own.
        return None


def _writer(out: IO[str]) -> Callable[[str], None]:
    """Writes a text at once and whole."""
    out.flush()
    binary: BinaryIO | None = getattr(out, "buffer", None)
    descriptor = None if binary is None else _descriptor(binary)

    def write(text: str) -> None:
        if descriptor is None:
            out.write(text)
            out.flush()
            return
        rest = text.encode("ascii")
        # A pipe that is nearly full takes a part.
        while (written := os.write(descriptor, rest)) < len(rest):
            rest = rest[written:]

    return write


def _configure(parser: argparse.ArgumentParser) -> None:
    pass


ENGINE = Command(
    "engine",
    """\
Answer requests on standard input, for a bot, a server or a tool: each line a JSON object, each answered with a line
on standard output at once. Many auctions can be open. It ends at the end of the input, at `bye`, or at a signal.

  > {"id": 1, "do": "new", "edition": "whist-club-1912", "auction": "a"}
  < {"id":1,"ok":true,"answer":{"auction":"a","edition":"whist-club-1912",
     "edition_hash":"...","dealer":"N","status":"open","turn":"N"}}
  > {"id": 2, "do": "act", "auction": "a", "act": "2H"}
  < {"id":2,"ok":true,"answer":{"verdict":"legal","offences":[],
     "status":"open","turn":"E"}}
  > {"id": 3, "do": "act", "auction": "a", "act": "2D", "want": ["options"]}
  < {"id":3,"ok":true,"answer":{"verdict":"irregular",
     "offences":["insufficient-declaration"],"status":"open","turn":"S",
     "options":[...]}}
  > {"id": 4, "do": "act", "auction": "a", "act": "S:penalize"}
  < {"id":4,"ok":false,"errors":[{"code":"unknown-act","message":"...",
     "suggestion":"penalise",...}]}

requests (and their keys; those in brackets may be left out):
  hello [protocol]                    the version of the protocol, its limits
  editions                            as `lawbook editions --json`
  load edition                        its denominations, acts and offences
  new edition [auction dealer want]   begin an auction, under a name of yours
                                      or one that is given
  act auction act [want]              one act: `2H`, `S:penalise`
  play auction acts [want]            several, all or none:
                                      `2H 2D S:penalise AP`
  undo auction [count want]           take the last acts back
  legal-calls auction                 the lawful calls of the player in turn
  options auction                     the remedies that may be chosen now
  state auction [explain]             as `lawbook rule --json`
  explain auction [event]             the last event or the one of that number,
                                      as `lawbook rule --explain --json`
  score edition deal | rubber         as `lawbook score --json`; a rubber is a
                                      list of deals
  compare editions acts [dealer] | auction
                                      as `lawbook replay --json`
  close auction                       forget it
  bye                                 end the session

`want` lists what an answer shall hold besides verdict, status and turn: events, contract, debarred, points, options,
legal_calls. The schemas are engine-request.schema.json and engine-reply.schema.json.""",
    ("engine", "engine --laws my-rules"),
    _configure,
    _run,
)
