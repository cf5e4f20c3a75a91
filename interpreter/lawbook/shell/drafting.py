"""`new`: files to begin with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lawbook.shell.command import Arguments, Command, wrong_usage
from lawbook.shell.files import make_folder, write_file
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.drafting import Draft, Folder
    from lawbook.edition.library import Library
    from lawbook.edition.model import Edition


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="edition|law|house-rule",
        choices=("edition", "law", "house-rule"),
        help="an edition based on another; a law of an edition of yours; or both, to change one clause",
    )
    parser.add_argument("name", metavar="NAME", help="what the edition is called, or the topic of the law")
    parser.add_argument("--based-on", metavar="EDITION", help="the edition that a new one takes everything from")
    parser.add_argument("--edition", metavar="EDITION", help="the edition of yours that a new law is of")
    parser.add_argument(
        "--law",
        metavar="CLAUSE|TOPIC",
        help="of a house rule: the clause that it changes, which is copied; or the topic of a law it adds to",
    )


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.drafting import Folder, is_name, schema_drafts
    from lawbook.edition.library import Library
    from lawbook.report.drafting import new_json, new_text

    if not is_name(arguments.name):
        raise wrong_usage(
            f"`{arguments.name}` is no name for {'a topic' if arguments.what == 'law' else 'an edition'}",
            help="names are small letters and figures, words joined by hyphens, as in `our-table`",
        )
    needed = {"edition": "based_on", "law": "edition"}.get(arguments.what)
    for option in ("based_on", "edition", "law"):
        shown = f"--{option.replace('_', '-')}"
        if option == needed and getattr(arguments, option) is None:
            raise wrong_usage(f"`new {arguments.what}` needs {shown} EDITION")
        if option not in (needed, *_USED.get(arguments.what, ())) and getattr(arguments, option) is not None:
            raise wrong_usage(f"`new {arguments.what}` has no use for {shown}")
    folder = Folder(arguments.laws[0] if arguments.laws else Path())
    library = Library.shipped([*arguments.laws] or [folder.path])
    drafts, edition = _drafts(arguments, folder, library)
    drafts += schema_drafts(folder, ("edition", "law"))
    for draft in drafts:
        if draft.before is None and draft.path.exists():
            raise wrong_usage(f"{draft.path} is there already", help="nothing was written; choose another name")
    for draft in drafts:
        make_folder(draft.path.parent)
        write_file(str(draft.path), draft.text)
    if arguments.json:
        terminal.json(new_json(edition, drafts))
    else:
        terminal.lines(new_text(edition, drafts, folder, terminal.page()))
    return 0


_USED = {"house-rule": ("based_on", "law")}


def _drafts(arguments: Arguments, folder: Folder, library: Library) -> tuple[list[Draft], str]:
    """The files to be written, and the edition they are of."""
    from lawbook.drafting import draft_edition, draft_law
    from lawbook.loading import load

    if arguments.what == "law":
        law = draft_law(folder, arguments.name, load(arguments.edition, library))
        return [law, _added(law, arguments.edition, folder, library)], arguments.edition
    if arguments.what == "house-rule":
        return _house_rule(arguments, folder, library), arguments.name
    if arguments.name in library.edition_files():
        raise wrong_usage(f"there is an edition {arguments.name} already", help="nothing was written")
    return [draft_edition(folder, arguments.name, load(arguments.based_on, library))], arguments.name


def _added(law: Draft, edition: str, folder: Folder, library: Library) -> Draft:
    """The file of an edition in the folder with a law more. Raises LawbookError if it does not lie there."""
    from lawbook.drafting import with_law

    path = library.edition(edition)
    if not path.resolve().is_relative_to(folder.path.resolve()):
        raise wrong_usage(
            f"{edition} is not in {folder.path}, so no law can be added to it",
            help=f"make an edition of your own: `lawbook new edition NAME --based-on {edition}`",
        )
    return with_law(path, law.path.relative_to(folder.laws).as_posix())


def _house_rule(arguments: Arguments, folder: Folder, library: Library) -> list[Draft]:
    """A law that changes one clause, with a new edition for it, or one more in an edition of the user's own."""
    from lawbook.drafting import draft_amendment, draft_edition
    from lawbook.loading import load

    name, given = arguments.name, arguments.based_on
    if name in library.edition_files():
        own = load(name, library)
        base = load(own.chain[1], library) if len(own.chain) > 1 else own
        if given not in (None, base.id) or base is own:
            based = f"is based on {base.id}" if base is not own else "is based on no other"
            raise wrong_usage(f"the edition {name} is there already and {based}", help="nothing was written")
    elif given is None:
        raise wrong_usage("`new house-rule` needs --based-on EDITION")
    else:
        own, base = None, load(given, library)
    if arguments.law is None:
        raise wrong_usage("`new house-rule` needs --law CLAUSE", help=f"`lawbook show {base.id}` prints every clause")
    what = _named(base, arguments.law)
    clause = own.by_id.get(what) if own is not None else None
    if clause is not None and clause.law.source.edition == name:
        raise wrong_usage(f"{name} has `{what}` in {clause.law.file} already", help="change it there")
    law = draft_amendment(folder, name, base, library, what)
    if own is not None:
        return [law, _added(law, name, folder, library)]
    return [draft_edition(folder, name, base, [law.path.relative_to(folder.laws).as_posix()]), law]


def _named(base: Edition, law: str) -> str:
    """The clause or the topic that is meant, by any of the names that `show` takes. Raises LawbookError."""
    from lawbook.report.editions import select

    if law in base.by_id:
        return law
    topics = list(dict.fromkeys(found.topic for found, _ in select(base, law).laws))
    if len(topics) > 1:
        raise wrong_usage(f"`{law}` is of several topics: {', '.join(topics)}", help="name one of them, or a clause")
    return topics[0]


NEW = Command(
    "new",
    "Write files to begin with, in order as they stand, with remarks that say what\n"
    "to write where. A house rule is an edition of your own that changes one clause\n"
    "of another. They go to the first --laws, else to the working folder; no file\n"
    "that is there already is written over.",
    (
        "new house-rule our-table --based-on whist-club-1912 --law bar-ends",
        "new edition our-club --based-on whist-club-1912",
        "new law slow-play --edition our-club",
    ),
    _configure,
    _run,
)
