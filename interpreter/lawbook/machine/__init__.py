"""The machine: a resolved edition's clauses run against the state of an auction."""
