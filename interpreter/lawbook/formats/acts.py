"""Names of acts where no edition is at hand to declare them: every name that an act could have is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawbook.notation import ArgumentKind
from lawbook.values import is_act_name


class AnyActs(Mapping[str, ArgumentKind]):
    """Takes every well-formed name for an act, with or without an argument.

    For reading and writing records only: what an act is, and what argument it has, an edition says when it rules.

    >>> AnyActs()["new-deal"], "No Deal" in AnyActs()
    (<ArgumentKind.OPTIONAL_TEXT: 'optional text'>, False)
    """

    def __getitem__(self, name: str) -> ArgumentKind:
        if is_act_name(name):
            return ArgumentKind.OPTIONAL_TEXT
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        # They cannot be told one by one, so that nothing is suggested from them.
        return iter(())

    def __len__(self) -> int:
        return 0
