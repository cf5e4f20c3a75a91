"""Formatting: one canonical form of law, edition and vocabulary files, with every comment kept in its place.

`comments` reads the remarks that nodes do not hold, `style` says in which order and layout each key is written,
`scalars` writes texts, `layout` puts them together, and `spelling` gives conditions their canonical words. `formatter`
does all of it for a file.
"""

from lawbook.formatting.formatter import Formatted, format_file, format_files, format_text

__all__ = ["Formatted", "format_file", "format_files", "format_text"]
