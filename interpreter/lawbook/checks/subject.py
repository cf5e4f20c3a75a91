"""What is checked: an edition under one choice of its readings, with the files it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawbook.edition.memory import Memory
from lawbook.edition.model import Edition
from lawbook.edition.setting import Setting
from lawbook.edition.taking import Taken


@dataclass(frozen=True, slots=True)
class Subject:
    """An edition, its law files as they were read, what its clauses were read in, and what was found before."""

    edition: Edition
    taken: tuple[Taken, ...]
    setting: Setting
    memory: Memory


def excepted(edition: Edition) -> Mapping[str, frozenset[str]]:
    """For each clause the clauses that speak of it by name: exceptions, lapses, waivers."""
    found: dict[str, set[str]] = {}
    for clause in edition.clauses:
        for target in (*clause.targets, *(clause.remedy.outlasts if clause.remedy is not None else ())):
            found.setdefault(target, set()).add(clause.id)
    return {name: frozenset(by) for name, by in found.items()}
