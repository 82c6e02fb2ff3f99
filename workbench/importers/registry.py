"""The kinds of traces that `workbench import` reads: for each its name, its words, its options, and what makes the scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError
from workbench.values.registry import Registry


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of an importer.

    Attributes:
        name: as a keyword of `read`; on the command line a place, or `--name` for one that may be left out.
        kind: `Path`, `str`, or `int` for a number from 1 on.
        required: it takes a place and must be given.
    """

    name: str
    help: str
    kind: type = str
    metavar: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Importer:
    """Attributes:
    summary: one line in the list of traces.
    description: what becomes of what.
    options: its arguments, in order.
    read: `read(**options)` -> the scenario; an option that was not given is None. WorkbenchError for what cannot be read.
    """

    summary: str
    description: str
    options: tuple[Option, ...]
    read: Callable[..., Scenario]


IMPORTERS: Registry[Importer] = Registry("importer")
"""Name -> importer, in the order in which help lists them."""


def register_importer(name: str, importer: Importer) -> Importer:
    """Add a kind of trace, a subcommand of `workbench import`. CommandError if the name is taken."""
    return IMPORTERS.register(name, importer)


def read_trace(name: str, /, **options: Any) -> Scenario:
    """The scenario that an importer makes, as for `Workbench.from_scenario`.

    Raises:
        CommandError: there is no importer of that name, it has no such option, or one that it needs is missing.
    """
    if name not in IMPORTERS:
        raise CommandError(f"there is no importer {name!r}; there are {', '.join(IMPORTERS)}")
    known = {each.name: each for each in IMPORTERS[name].options}
    wrong = [each for each in options if each not in known]
    missing = [each.name for each in known.values() if each.required and options.get(each.name) is None]
    if wrong or missing:
        said = [f"has no option {wrong[0]!r}"] if wrong else []
        said += [f"needs {', '.join(missing)}"] if missing else []
        raise CommandError(f"the importer {name!r} {' and '.join(said)}; its options are {', '.join(known)}")
    given = {each: Path(value) if known[each].kind is Path and value is not None else value for each, value in options.items()}
    return IMPORTERS[name].read(**{each: given.get(each) for each in known})
