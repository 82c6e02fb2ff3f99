"""The formats that workloads are read from and written to: what recognises a file, what reads it, what writes one.

A module of this folder registers its format when it is imported; `read` recognises a file by what is in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.files.reading import is_folder
from workbench.files.writing import write_file
from workbench.values.errors import CommandError, WorkloadError
from workbench.values.found import shown
from workbench.values.registry import Registry
from workbench.workloads.model import Workload
from workbench.workloads.seeded import AnyWorkload
from workbench.workloads.sources.lines import Progress, head


@dataclass(frozen=True, slots=True)
class Read:
    """What came of reading a file: the workload, and what could not be read or had to be assumed, in sentences for people."""

    workload: AnyWorkload
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A workload in a format: its text, and what the format could not say, in sentences for people."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a format wants to know: a keyword of `read`, `--name` on the command line.

    Attributes:
        name: the keyword, such as `map`.
        help: for people, one sentence.
        kind: `str`, `int` or `bool`; one that is `bool` is a switch.
        metavar: what stands for the value in the help.
        choices: the values that it may have; any if there are none.
    """

    name: str
    help: str
    kind: type = str
    metavar: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A format.

    Attributes:
        title: for people, such as "Standard Workload Format".
        description: what becomes of what, sentences.
        suffixes: endings of its files, such as `.swf`; `.gz` may stand behind each.
        recognises: `recognises(path, head)` -> whether a file with these first bytes, unpacked, is of this format.
        read: `read(path, *, keep_going, first, progress, **options) -> Read`. With `keep_going` what cannot be read is left out
            and counted in the notes, else the first such row is a `WorkloadError` with file and line. `first` takes only so many
            of the first jobs, and says so. `progress` is None or told now and then.
        write: the other way; None for a format that is only read.
        options: what `read` takes beyond that.
        general: it recognises much that is not its own: it is asked after all others.
        folders: it also recognises folders, with no first bytes.
    """

    title: str
    description: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Path, bytes], bool]
    read: Callable[..., Read]
    write: Callable[[Workload], Written] | None = None
    options: tuple[Option, ...] = ()
    general: bool = False
    folders: bool = False


SOURCES: Registry[Source] = Registry("format of workloads")
"""Name -> format, in the order in which lists show them."""


def register_source(name: str, source: Source) -> Source:
    """Add a format. CommandError if the name is taken."""
    return SOURCES.register(name, source)


def read(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> AnyWorkload:
    """The workload in a file, or the description of a synthetic one; what could not be read or had to be assumed is in its `notes`.

    Args:
        path: the file, packed with gzip or not.
        format: name of a format in `SOURCES`; None to recognise it by what is in the file.
        keep_going: leave out rows that cannot be read, and say how many, instead of stopping at the first.
        first: take only so many of the first jobs.
        progress: told now and then how much was read, from 0 to 1, with a few words.
        options: of the format; those that are None count as not given.

    Raises:
        WorkloadError: it cannot be read, with file and line, or nothing recognises it, with the formats that there are.
        CommandError: the format has no such option.
    """
    path = Path(path)
    name = recognised(path) if format is None else format
    source = _named(name)
    given = {key: value for key, value in options.items() if value is not None and value is not False}
    _refuse_unknown(name, source, given)
    if first is not None and (type(first) is not int or first < 1):
        raise CommandError(f"'first' must be a whole number from 1 up, found {shown(str(first))}")
    found = source.read(path, keep_going=keep_going, first=first, progress=progress, **given)
    workload = found.workload
    if not isinstance(workload, Workload):
        return workload
    new = tuple(each for each in found.notes if each not in workload.notes)
    return replace(workload, name=workload.name or _stem(path, source), notes=(*workload.notes, *new))


def recognised(path: str | os.PathLike[str]) -> str:
    """The name of the format of a file. WorkloadError if none or several recognise it, or it cannot be read."""
    path = Path(path)
    folder = any(source.folders for source in SOURCES.values()) and bool(is_folder(path, error=WorkloadError))
    start = b"" if folder else head(path)
    if not folder and not start.strip():
        raise WorkloadError("the file is empty", source=str(path), hint=f"there are the formats {_listed()}")
    asked = {name: source for name, source in SOURCES.items() if source.folders or not folder}
    for general in (False, True):
        found = [name for name, source in asked.items() if source.general is general and source.recognises(path, start)]
        if len(found) > 1:
            found = [name for name in found if _ends(path, SOURCES[name])] or found
        if len(found) > 1:
            raise WorkloadError(f"it may be {' or '.join(found)}", source=str(path), hint="name the format")
        if found:
            return found[0]
    raise WorkloadError(
        "nothing here tells what kind of workload this is", source=str(path), hint=f"there are the formats {_listed()}"
    )


def write(workload: Workload, path: str | os.PathLike[str], format: str | None = None) -> tuple[str, ...]:
    """Write the workload to a file in a format, that of the file's name if none is given: all of it or nothing.

    A name that ends in `.gz` has it packed. Returns what the format could not say, in sentences for people.

    Raises:
        WorkloadError: the name tells no format, or the format is only read.
        FileError: the file cannot be written; what was in it still is.
    """
    path = Path(path)
    written = as_text(workload, written_as(path) if format is None else format)
    data = written.text.encode("utf-8")
    if path.name.lower().endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)
    write_file(path, data)
    return written.notes


def as_text(workload: Workload, format: str) -> Written:
    """The workload in a format. WorkloadError if there is no such format, or it is only read."""
    source = _named(format)
    if source.write is None:
        raise WorkloadError(f"{format} is only read", hint=f"can be written: {', '.join(_writable())}")
    return source.write(workload)


def written_as(path: str | os.PathLike[str]) -> str:
    """The format that the name of a file to be written tells. WorkloadError if it tells none."""
    path = Path(path)
    for name, source in _writable().items():
        if _ends(path, source):
            return name
    endings = ", ".join(ending for source in _writable().values() for ending in source.suffixes)
    raise WorkloadError(
        f"cannot tell the format of {path} from its name", hint=f"it must end in {endings}, or in one of them and .gz"
    )


def _named(name: str) -> Source:
    if name not in SOURCES:
        raise WorkloadError(f"there is no format {shown(str(name))}", hint=f"there are {_listed()}")
    return SOURCES[name]


def _writable() -> dict[str, Source]:
    return {name: source for name, source in SOURCES.items() if source.write is not None}


def _listed() -> str:
    return ", ".join(f"{name} ({source.title})" for name, source in SOURCES.items()) or "none"


def _refuse_unknown(name: str, source: Source, given: Mapping[str, Any]) -> None:
    known = [each.name for each in source.options]
    wrong = [each for each in given if each not in known]
    if wrong:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise CommandError(f"the format {name} has no option {shown(wrong[0])}; {has}")


def _ends(path: Path, source: Source) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(source.suffixes)


def _stem(path: Path, source: Source) -> str:
    name = path.name.removesuffix(".gz")
    return next((name.removesuffix(each) for each in source.suffixes if name.endswith(each)), path.stem)
