"""Mutants: laws with one thing altered, and whether the examples notice."""
