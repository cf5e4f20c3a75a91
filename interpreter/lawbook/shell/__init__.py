"""The command line: the only part of Lawbook that prints."""
