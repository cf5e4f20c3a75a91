"""Texts: a user's own transcriptions of the laws, read law by law and shown beside the clauses.

Lawbook comes with no text of any law. `passages` finds the laws in a text, `shelf` keeps texts in the user's folder.
"""

from lawbook.texts.passages import Passage, Transcription, check_characters, no_laws, read_text
from lawbook.texts.shelf import Kept, Shelf, words_of

__all__ = ["Kept", "Passage", "Shelf", "Transcription", "check_characters", "no_laws", "read_text", "words_of"]
