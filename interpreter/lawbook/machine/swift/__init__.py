"""Acts ruled on without saying why, as fast as a search of many millions of them wants it.

folding.py      core trees with what is known put in: numbers, or text of Python expressions
steps.py        the effects of one step of an act as straight-line text
clauses.py      clauses folded for an act or a right: does it apply, who holds it
acts.py         functions for what acts do to the table
open_rights.py  functions for what acts do to rights, and for what rights offer
alone.py        acts where nothing is open, ruled on once for all tables that they read alike
programs.py     the functions put together: a program for each act
"""

from lawbook.machine.swift.programs import Swift

__all__ = ["Swift"]
