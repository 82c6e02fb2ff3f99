"""Alibaba's cluster-trace-gpu-v2023 with its true times, from the folder with its tables or from the table of tasks. WL-14.

What becomes of the columns:

- *name*: the id of a job with one task. *qos*: its class, and the leaf root.guaranteed, root.ls, root.burstable or root.be.
- *cpu_milli*, *memory_mib*, *num_gpu*, *gpu_milli*: what it asks for; a GPU is 1000 of the resource `gpu-milli`.
- *gpu_spec*: it runs only on nodes with such a GPU.
- *creation_time*: when it arrives. *scheduled_time* to *deletion_time*: how long it runs. One that the trace never placed runs for
  as long as it was there, which is how long it waited until somebody gave up (`unplaced="leave_out"` leaves it out). One without
  a deletion_time ends with the record.
- *pod_phase*: the tag `phase`.
- Of the nodes, *sn* is left out: equal ones are a pool that is named like the model of their GPUs, or `cpu`. The model is their
  attribute `gpu-model`.

Nobody is named in the trace: the user is `trace`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from workbench.files.reading import entries, is_folder
from workbench.importers.alibaba_tables import (
    MODEL_ATTRIBUTE,
    NODE_COLUMNS,
    PLACED_COLUMNS,
    QUEUES,
    USER,
    Machine,
    Task,
    read_machines,
    read_tasks,
)
from workbench.values.errors import PlacedError, ScenarioError, WorkloadError
from workbench.values.found import shown
from workbench.values.resources import Resource
from workbench.workloads.faults import Faults
from workbench.workloads.model import LAST_MS, NOTHING, Job, Pool, Tasks, Workload
from workbench.workloads.sources.lines import Progress, head
from workbench.workloads.sources.registry import Option, Read, Source, register_source
from workbench.workloads.sources.tally import Tally

UNPLACED: Final = ("lifetime", "leave_out")
WITHOUT_GPU: Final = "cpu"
"""The name of a pool of nodes without GPUs."""
TOLD_EVERY: Final = 1000

_LIFETIME = "Were never placed in the trace, and are taken to run as long as they waited there until they were deleted"
_LEFT_OUT = "Left out, since they were never placed in the trace"
_OPEN = "Were not deleted in the trace, and are taken to end with it"
_AT_ONCE = "Ran for less than a second, which is a duration of 0"
_WITH_THE_END = "End in the last second of the trace, which may have cut them off"
_ANY_MODEL = "May run on several models of GPUs, which is left out since the nodes are not known"
_LATE = "Left out, since they come more than a hundred years after the start"


def read_alibaba(
    path: str | os.PathLike[str],
    *,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
    node_table: str | None = None,
    first_nodes: int | None = None,
    unplaced: str = UNPLACED[0],
) -> Read:
    """The workload in the tables of the trace.

    Args:
        path: the folder with both tables, or the table of tasks.
        keep_going: leave out rows of tasks that cannot be read, and count them, instead of stopping at the first.
        first: only so many of the first tasks.
        progress: told now and then how much was made.
        node_table: the table of nodes; without it, the one that is in the folder.
        first_nodes: only so many of the first nodes.
        unplaced: what the trace never placed runs for its `lifetime`, or is left out (`leave_out`).

    Raises:
        WorkloadError: with file, line and column.
    """
    if unplaced not in UNPLACED:
        raise WorkloadError(f"unplaced is {shown(str(unplaced))}", hint=f"allowed are {', '.join(UNPLACED)}")
    faults, tally, notes = Faults(keep_going=keep_going), Tally(), []
    try:
        tasks_path, nodes_path = _tables(Path(path), None if node_table is None else Path(node_table))
        machines = read_machines(nodes_path, first_nodes) if nodes_path is not None else None
        models = None if machines is None else {each.model for each in machines}
        rows = read_tasks(tasks_path, models, placed=True, broken=lambda error: faults.meet(_as_workload_error(error)))
        found, cut = _first(rows, first)
    except ScenarioError as error:
        raise _as_workload_error(error) from None
    if machines is None:
        notes.append("There is no table of nodes beside that of tasks; nodes have to be given (the option 'node_table' names one).")
    if cut:
        notes.append(f"Only the first {first:,} tasks were read.")
    pools = _Pools(machines or ())
    end_s = max((second for each in found for second in (each.created_s, each.deleted_s or 0, each.scheduled_s or 0)), default=0)
    jobs = []
    for done, task in enumerate(found):
        if progress is not None and done % TOLD_EVERY == 0:
            progress(done / len(found), f"{done:,} tasks of {tasks_path.name}")
        job = _job(task, end_s, pools, tally, known=machines is not None, leave_out=unplaced == "leave_out")
        if job is not None:
            jobs.append(job)
    in_order = all(left.submit_ms <= right.submit_ms for left, right in zip(jobs, jobs[1:]))
    if not in_order:
        jobs.sort(key=lambda job: job.submit_ms)
        notes.append("The rows do not follow each other in time; the jobs were sorted.")
    workload = Workload(jobs=tuple(jobs), pools=pools.pools, name="alibaba-gpu-2023")
    return Read(workload, (*faults.notes("row"), *tally.notes(), *notes))


def _job(task: Task, end_s: int, pools: _Pools, tally: Tally, *, known: bool, leave_out: bool) -> Job | None:
    start_s, stop_s = task.scheduled_s, task.deleted_s
    if max(task.created_s, stop_s or 0) * 1000 > LAST_MS:
        tally.add(_LATE, line=task.line)
        return None
    if start_s is None:
        tally.add(_LEFT_OUT if leave_out else _LIFETIME, line=task.line)
        if leave_out:
            return None
        start_s = task.created_s
    if stop_s is None:
        tally.add(_OPEN, line=task.line)
        stop_s = end_s
    elif stop_s == end_s and task.phase == "Running":
        tally.add(_WITH_THE_END, line=task.line)
    if stop_s == start_s:
        tally.add(_AT_ONCE, line=task.line)
    several = len(task.models) > 1
    if several and not known:
        tally.add(_ANY_MODEL, line=task.line)
    tasks = Tasks(
        resource=task.resource,
        duration_ms=(stop_s - start_s) * 1000,
        node_selector=pools.selector(task.models[0]) if len(task.models) == 1 else NOTHING,
        allowed_nodes=pools.with_models(task.models) if several and known else None,
    )
    return Job(
        id=task.name,
        submit_ms=task.created_s * 1000,
        tasks=(tasks,),
        user=USER,
        queue=f"root.{QUEUES[task.qos]}",
        tags=pools.phase(task.phase),
        kind=task.qos,
    )


class _Pools:
    """Equal nodes together, and what tasks say about them, each held once."""

    def __init__(self, machines: Iterable[Machine]):
        counts: dict[tuple[str, Resource], int] = {}
        for each in machines:
            counts[each.model, each.capacity] = counts.get((each.model, each.capacity), 0) + 1
        found: dict[str, Pool] = {}
        for (model, capacity), count in counts.items():
            name = base = model or WITHOUT_GPU
            number = 1
            while name in found:
                number += 1
                name = f"{base}-{number}"
            found[name] = Pool(
                name=name, capacity=capacity, count=count, attributes={MODEL_ATTRIBUTE: model} if model else dict(NOTHING)
            )
        self.pools = tuple(found.values())
        self._allowed: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._selectors: dict[str, MappingProxyType[str, str]] = {}
        self._phases: dict[str, MappingProxyType[str, str]] = {}

    def with_models(self, models: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of the nodes that have one of these GPUs."""
        if models not in self._allowed:
            self._allowed[models] = tuple(
                pool.node_id(number)
                for pool in self.pools
                if pool.attributes.get(MODEL_ATTRIBUTE) in models
                for number in range(pool.count)
            )
        return self._allowed[models]

    def selector(self, model: str) -> MappingProxyType[str, str]:
        """The nodes that have this GPU, by their attribute."""
        return self._selectors.setdefault(model, MappingProxyType({MODEL_ATTRIBUTE: model}))

    def phase(self, phase: str) -> MappingProxyType[str, str]:
        """The tag for how a task ended."""
        return self._phases.setdefault(phase, MappingProxyType({"phase": phase} if phase else {}))


def _first(tasks: Iterator[Task], first: int | None) -> tuple[list[Task], bool]:
    """The first tasks, and whether there is more, be it a row that cannot be read."""
    found = list(islice(tasks, first))
    if first is None or len(found) < first:
        return found, False
    try:
        return found, next(tasks, None) is not None
    except PlacedError:
        return found, True


def _tables(path: Path, nodes: Path | None) -> tuple[Path, Path | None]:
    """The table of tasks, and that of nodes if there is one."""
    if not is_folder(path, error=WorkloadError):
        return path, nodes or _only("nodes", [each for each in _beside(path.parent) if _has(each, NODE_COLUMNS)], path, nodes)
    tasks = [each for each in _beside(path) if _has(each, PLACED_COLUMNS)]
    found = _only("tasks", tasks, path, None)
    if found is None:
        raise WorkloadError(
            "no file in the folder has the columns of the table of tasks",
            source=str(path),
            hint=f"they are {', '.join(PLACED_COLUMNS)}",
        )
    return found, nodes or _only("nodes", [each for each in _beside(path) if _has(each, NODE_COLUMNS)], path, nodes)


def _only(what: str, found: list[Path], path: Path, given: Path | None) -> Path | None:
    if len(found) > 1 and given is None:
        names = ", ".join(each.name for each in found)
        hint = "name one with node_table" if what == "nodes" else "name one of them instead of the folder"
        raise WorkloadError(f"there are several tables of {what}: {names}", source=str(path), hint=hint)
    return found[0] if found else None


def _beside(folder: Path) -> list[Path]:
    return [each for each in entries(folder, error=WorkloadError) if each.suffix.lower() == ".csv" and each.is_file()]


def _has(path: Path, columns: tuple[str, ...]) -> bool:
    try:
        return _names(head(path)).issuperset(columns)
    except WorkloadError:  # what cannot be read is no table of ours
        return False


def _names(start: bytes) -> set[str]:
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = start.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")
    return {each.strip().strip('"') for each in text.splitlines()[0].split(",")} if text else set()


def _recognises(path: Path, start: bytes) -> bool:
    if is_folder(path, error=WorkloadError):
        return any(_has(each, PLACED_COLUMNS) for each in _beside(path))
    return _names(start).issuperset(PLACED_COLUMNS)


def _as_workload_error(error: ScenarioError) -> WorkloadError:
    return WorkloadError(error.text, line=error.line, source=error.source, hint=error.hint)


ALIBABA = register_source(
    "alibaba",
    Source(
        title="Alibaba's GPU cluster, cluster-trace-gpu-v2023",
        description="The folder with the tables of the trace, or the table of tasks. A task is a job that runs as long as it did "
        "there, in a leaf for its class of service; equal nodes are a pool.",
        suffixes=(".csv",),
        recognises=_recognises,
        read=read_alibaba,
        options=(
            Option("node_table", "the table of nodes; without it, the one in the same folder", str, "FILE"),
            Option("first_nodes", "take only the first N nodes", int, "N"),
            Option("unplaced", "how long tasks run that the trace never placed", str, choices=UNPLACED),
        ),
        folders=True,
    ),
)
