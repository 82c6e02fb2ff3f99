"""A scheduler's own events, saved: answers of events/batch or lines of events/stream, with answers of applications beside. WL-12.

A folder with files whose names tell what they are: `events` (batches, or a line for each event of the stream), `applications`
(active, completed and rejected ones, in one file or several) and, where they were saved, `nodes`. What becomes of it is what
becomes of what `workbench record` follows: see `workbench.workloads.recording.made`. Events that are in several files count once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.files.reading import entries, is_folder, read_text
from workbench.importers.rest_answers import of_word
from workbench.values.errors import WorkloadError
from workbench.workloads.faults import Faults
from workbench.workloads.recording.made import workload_of
from workbench.workloads.recording.record import Record
from workbench.workloads.recording.seen import Unreadable, event_of, node_of, told_of
from workbench.workloads.sources.lines import Progress
from workbench.workloads.sources.registry import Read, Source, register_source

_ENDINGS = (".json", ".jsonl", ".txt", "")
_HINT = "save /ws/v1/events/batch as events.json, and /ws/v1/partition/default/applications/active as applications.json"


def read_events(
    path: str | os.PathLike[str], *, keep_going: bool = False, first: int | None = None, progress: Progress | None = None
) -> Read:
    """The workload that the files in a folder tell of. WorkloadError with the file for what cannot be read."""
    folder = Path(path)
    there = [each.name for each in entries(folder, error=WorkloadError) if os.path.isfile(each)]
    record, faults = Record(), Faults(keep_going=keep_going)

    def taken(name: str, take: Callable[[], None]) -> None:
        try:
            take()
        except Unreadable as error:
            faults.meet(WorkloadError(str(error), source=str(folder / name), hint=_HINT))

    for name in of_word(there, "nodes"):
        for value in _values(folder / name):
            taken(name, lambda: record.nodes.append(node_of(value)))  # noqa: B023 - asked at once
    seen: set[str] = set()
    names = _events(there)
    for number, name in enumerate(names):
        if progress is not None:
            progress(number / len(names), f"reading {name}")
        for value in _values(folder / name):
            same = json.dumps(value, sort_keys=True)
            if same not in seen:
                seen.add(same)
                taken(name, lambda: record.happened(event_of(value)))  # noqa: B023 - asked at once
    for name in of_word(there, "applications"):
        for value in _values(folder / name):
            taken(name, lambda: record.told([told_of(value)]))  # noqa: B023 - asked at once
    made = workload_of(record, name=folder.resolve().name)
    notes = [*made.notes, *faults.notes("entry")]
    if first is not None and first < len(made.jobs):
        notes.append(f"Only the first {first:,} of {len(made.jobs):,} jobs.")
        made = replace(made, jobs=made.jobs[:first])
    return Read(replace(made, notes=tuple(notes)))


def _events(names: list[str]) -> list[str]:
    """The files with events, in the order of their names."""
    return sorted(name for name in names if "events" in Path(name).stem.lower() and Path(name).suffix.lower() in _ENDINGS)


def _values(path: Path) -> Iterator[Any]:
    """What is in a file: the entries of a list or of a batch, or the values of its lines. The stream begins with the instance."""
    text = read_text(path, error=WorkloadError)
    try:
        whole = [json.loads(text)]
    except (ValueError, RecursionError):
        whole = [_line(path, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for value in whole:
        if isinstance(value, list):
            yield from value
        elif isinstance(value, dict) and "EventRecords" in value:
            yield from value["EventRecords"] or ()
        elif value is not None and not (isinstance(value, dict) and value.keys() <= {"InstanceUUID"}):
            yield value


def _line(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise WorkloadError("not valid JSON", line=number, source=str(path), hint=_HINT) from None


def _recognises(path: Path, start: bytes) -> bool:
    if not is_folder(path, error=WorkloadError):
        return False
    there = [each.name for each in entries(path, error=WorkloadError) if os.path.isfile(each)]
    return bool(_events(there)) and bool(of_word(there, "applications"))


YUNIKORN = register_source(
    "yunikorn",
    Source(
        title="events and applications of a scheduler, saved",
        description="A folder with answers of events/batch (or lines of events/stream) and of applications, known by these words "
        "in the names of the files. 'workbench record' makes a workload of a scheduler that runs.",
        suffixes=(".json",),
        recognises=_recognises,
        read=read_events,
        folders=True,
    ),
)
