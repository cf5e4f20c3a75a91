"""The stream on which an editor speaks, guarded against a message that nobody could mean."""

from __future__ import annotations

from typing import BinaryIO, Final

# The longest message that is read: many times the largest file that is.
LONGEST_MESSAGE: Final = 64_000_000


class Guarded:
    """A stream of messages. One that is said to be longer than any could be is passed over."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """The next line, with its end."""
        return self._stream.readline()

    def read(self, size: int) -> bytes:
        """The next bytes; of a message that is too long an empty one in its place."""
        if size <= LONGEST_MESSAGE:
            return self._stream.read(size)
        while size > 0 and (passed := self._stream.read(min(size, 1_000_000))):
            size -= len(passed)
        return b"{}"
