"""Reports: what was found, as dictionaries for other programs and as text for a reader. Nothing here prints."""
