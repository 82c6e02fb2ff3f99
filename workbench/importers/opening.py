"""What is this file or folder? One answer for `workbench lab`, the screen's Open, `simulate` and whoever else opens a path."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.files.reading import read_text
from workbench.importers.imported import Imported
from workbench.importers.look import is_url, look
from workbench.importers.registry import IMPORTERS, import_from
from workbench.values.errors import CommandError, ScenarioError


@dataclass(frozen=True, slots=True)
class Opened:
    """Attributes:
    kind: the name of the importer that read it.
    summary: what it is, for people: "saved answers of a scheduler's REST interface".
    imported: what was made of it.
    """

    kind: str
    summary: str
    imported: Imported


def recognised(path: str | os.PathLike[str]) -> str:
    """The name of the importer that recognises what lies at a path.

    Raises:
        ScenarioError: none does, with what was looked for, or several do; or it cannot be looked at.
    """
    seen = look(path)
    found = [name for name, each in IMPORTERS.items() if each.recognises is not None and each.recognises(seen)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ScenarioError(
            f"it may be {' or '.join(IMPORTERS[name].summary for name in found)}",
            source=str(path),
            hint=f"say which: {' or '.join(found)}",
        )
    if not seen.is_folder:
        read_text(path, error=ScenarioError, packed=seen.path.name.lower().endswith(".gz"))  # what is no text is told as such
    raise ScenarioError(
        f"nothing here tells what this {'folder' if seen.is_folder else 'file'} is",
        source=str(path),
        hint=f"looked for {'; '.join(each.known_by for each in IMPORTERS.values() if each.recognises is not None)}",
    )


def opened(path: str | os.PathLike[str], kind: str | None = None, **options: Any) -> Opened:
    """What lies at a path as a cluster, with notes on what was left out, approximated or assumed.

    Args:
        path: a file or a folder, or the address of a scheduler that runs.
        kind: name of the importer that reads it; None to recognise it by what is in it.
        options: of that importer.

    Raises:
        ScenarioError: nothing, or more than one thing, recognises it, or it cannot be read.
        ConfigError: the scheduler would refuse the configuration.
        CommandError: there is no such importer, or it has no such option.
    """
    if is_url(path):
        return Opened("rest", IMPORTERS["rest"].summary, import_from("rest", source=path, **options))
    name = recognised(path) if kind is None else kind
    if name not in IMPORTERS:
        raise CommandError(f"there is no importer {name!r}; there are {', '.join(IMPORTERS)}")
    importer = IMPORTERS[name]
    first = importer.options[0]
    places = importer.places(look(path)) if importer.places else {first.name: Path(path) if first.kind is Path else str(path)}
    return Opened(name, importer.summary, import_from(name, **{**places, **options}))
