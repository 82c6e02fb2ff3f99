"""The kinds of files and folders that are read as a cluster: what each is recognised by, its options, and what reads it.

A module of this folder registers its importers when it is imported. `opening.opened` finds the one that recognises a path; those
that make something else of what they read are subcommands of `workbench import`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from workbench.importers.imported import Imported
from workbench.importers.look import Look
from workbench.values.errors import CommandError
from workbench.values.registry import Registry


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of an importer.

    Attributes:
        name: as a keyword of `read`; on the command line a place, or `--name` for one that may be left out.
        kind: `Path`, `str`, `int` for a number from 1 on, or `bool` for a switch.
        required: it takes a place and must be given.
        many: it takes a place, and there may be several: `read` gets a tuple of at least one.
    """

    name: str
    help: str
    kind: type = str
    metavar: str = ""
    required: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Importer:
    """Attributes:
    summary: one line in the list of what there is, such as "saved answers of a scheduler's REST interface".
    description: what becomes of what.
    options: its arguments, in order.
    read: `read(**options)` -> what it made; an option that was not given is None. WorkbenchError for what cannot be read.
    recognises: whether what lies at a path is of this kind, by what is in it; None for a kind that is only read when named.
        Pure, and quick: it sees the beginning of a file, or the names in a folder and the beginnings of its files.
    known_by: what that looks for, as the end of a sentence, such as "a file with partitions at the top".
    places: the options of `read` for a path that is recognised; None: the path is the first option, and the only one.
    command: whether it is a subcommand of `workbench import`; what the workbench reads anyway need not be made into something.
    makes: what that command writes: a scenario, or a queues.yaml for what has nothing but queues.
    tells_progress: `read` takes `progress`, too, which it calls with how far it is, from 0 to 1, and with what.
    """

    summary: str
    description: str
    options: tuple[Option, ...]
    read: Callable[..., Imported]
    recognises: Callable[[Look], bool] | None = None
    known_by: str = ""
    places: Callable[[Look], Mapping[str, Any]] | None = None
    command: bool = True
    makes: Literal["scenario", "queues"] = "scenario"
    tells_progress: bool = False


IMPORTERS: Registry[Importer] = Registry("importer")
"""Name -> importer, in the order in which help lists them."""


def register_importer(name: str, importer: Importer) -> Importer:
    """Add a kind of file or folder, with `command` a subcommand of `workbench import`. CommandError if the name is taken."""
    return IMPORTERS.register(name, importer)


def import_from(name: str, /, progress: Callable[[float, str], None] | None = None, **options: Any) -> Imported:
    """What an importer makes of what its options name. `progress` is called by those that tell how far they are.

    Raises:
        CommandError: there is no importer of that name, it has no such option, or one that it needs is missing.
        WorkbenchError: what is there cannot be read.
    """
    if name not in IMPORTERS:
        raise CommandError(f"there is no importer {name!r}; there are {', '.join(IMPORTERS)}")
    known = {each.name: each for each in IMPORTERS[name].options}
    wrong = [each for each in options if each not in known]
    missing = [each.name for each in known.values() if each.required and options.get(each.name) in (None, ())]
    if wrong or missing:
        said = [f"has no option {wrong[0]!r}"] if wrong else []
        said += [f"needs {', '.join(missing)}"] if missing else []
        raise CommandError(f"the importer {name!r} {' and '.join(said)}; its options are {', '.join(known)}")
    told = {"progress": progress} if IMPORTERS[name].tells_progress and progress is not None else {}
    return IMPORTERS[name].read(**{each: _as(option, options.get(each)) for each, option in known.items()}, **told)


def _as(option: Option, value: Any) -> Any:
    """A value as the option wants it."""
    if value is None:
        return None
    if option.many:
        several = value if isinstance(value, list | tuple) else (value,)
        return tuple(Path(each) for each in several) if option.kind is Path else tuple(several)
    return Path(value) if option.kind is Path else value
