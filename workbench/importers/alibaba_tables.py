"""The two tables of Alibaba's cluster-trace-gpu-v2023, row by row: what they say of nodes and tasks, checked.

cpu_milli is vcore, memory_mib becomes bytes, and each GPU is 1000 of the type `gpu-milli`, since tasks may ask for a part of one.
The parts of a node's GPUs are one amount: that a task cannot have halves of two GPUs is not modelled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from workbench.importers.csv_table import Broken, Row, read_rows
from workbench.values.errors import ScenarioError
from workbench.values.resources import Resource

GPU_TYPE = "gpu-milli"
MODEL_ATTRIBUTE = "gpu-model"
USER = "trace"
"""The trace names no users."""

QUEUES = {"Guaranteed": "guaranteed", "LS": "ls", "Burstable": "burstable", "BE": "be"}
"""qos -> leaf below root. LS is latency sensitive, BE best effort."""

NODE_COLUMNS = ("sn", "cpu_milli", "memory_mib", "gpu", "model")
TASK_COLUMNS = ("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "creation_time", "deletion_time")
PLACED_COLUMNS = (*TASK_COLUMNS, "pod_phase", "scheduled_time")
_MOST_GPUS = 1000


class Machine(NamedTuple):
    """A node; `model` is that of its GPUs, empty if it has none."""

    name: str
    capacity: Resource
    model: str


class Task(NamedTuple):
    """A task.

    Attributes:
        models: of the GPUs that it may have; empty for any.
        deleted_s: None for one that stays.
        scheduled_s: when the trace placed it; None if it did not, or was not asked.
        phase: how it ended, as Kubernetes calls it; empty if not asked.
        line: where it stands in the table.
    """

    name: str
    qos: str
    resource: Resource
    models: tuple[str, ...]
    created_s: int
    deleted_s: int | None
    scheduled_s: int | None
    phase: str
    line: int


def read_machines(path: str | Path, most: int | None = None) -> list[Machine]:
    """The first `most` nodes, or all. ScenarioError with file, line and column; also if there are none."""
    found: dict[str, Machine] = {}
    for row in islice(read_rows(path, NODE_COLUMNS), most):
        name, gpus = row.name("sn"), _gpus(row, "gpu")
        if name in found:
            raise row.fault("sn", f"node {name!r} occurs twice")
        amounts = {"vcore": row.count("cpu_milli"), "memory": row.count("memory_mib") * 2**20}
        if gpus:
            amounts[GPU_TYPE] = 1000 * gpus
        found[name] = Machine(name, _resource(row, amounts), row.texts["model"])
    if not found:
        raise ScenarioError("the table has no nodes", source=str(path))
    return list(found.values())


def read_tasks(
    path: str | Path, models: Collection[str] | None, *, placed: bool = False, broken: Broken | None = None
) -> Iterator[Task]:
    """The tasks in the order of the table.

    Args:
        models: of the nodes that there are; a task that may use none of them is a fault. None if the nodes are not known.
        placed: also read when the trace placed a task, and how it ended.
        broken: told of a row that cannot be read, which is then left out; without it, the first one is raised.

    Raises:
        ScenarioError: with file, line and column, what was found and what is allowed.
    """
    seen: set[str] = set()
    known: dict[str, tuple[str, ...]] = {"": ()}
    for row in read_rows(path, PLACED_COLUMNS if placed else TASK_COLUMNS, broken=broken):
        try:
            task = _task(row, seen, known, models, placed)
        except ScenarioError as error:
            if broken is None:
                raise
            broken(error)
        else:
            yield task


def _task(row: Row, seen: set[str], known: dict[str, tuple[str, ...]], models: Collection[str] | None, placed: bool) -> Task:
    name, qos, spec = row.name("name"), row.texts["qos"], row.texts["gpu_spec"]
    if name in seen:
        raise row.fault("name", f"task {name!r} occurs twice")
    if qos not in QUEUES:
        raise row.fault("qos", f"unknown class {qos[:40]!r}", f"allowed are {', '.join(QUEUES)}")
    if spec not in known:
        wanted = tuple(dict.fromkeys(filter(None, spec.split("|"))))
        known[spec] = wanted if models is None else tuple(each for each in wanted if each in models)
    if spec and not known[spec]:
        there = ", ".join(sorted(filter(None, models or ()))) or "no GPU"
        raise row.fault("gpu_spec", f"no node has a GPU of model {spec[:40]!r}", f"the nodes have {there}")
    created_s, deleted_s = row.count("creation_time"), row.count_or_none("deletion_time")
    if deleted_s is not None and deleted_s < created_s:
        raise row.fault("deletion_time", f"{deleted_s} is before the creation_time {created_s}")
    scheduled_s = row.count_or_none("scheduled_time") if placed else None
    if scheduled_s is not None and not created_s <= scheduled_s <= (scheduled_s if deleted_s is None else deleted_s):
        raise row.fault(
            "scheduled_time",
            f"{scheduled_s} is not between creation_time {created_s} and deletion_time {row.texts['deletion_time']}",
        )
    resource = _demand(row)
    seen.add(name)
    phase = row.texts["pod_phase"] if placed else ""
    return Task(name, qos, resource, known[spec], created_s, deleted_s, scheduled_s, phase, row.line)


def _demand(row: Row) -> Resource:
    amounts = {"vcore": row.count("cpu_milli"), "memory": row.count("memory_mib") * 2**20}
    gpus, share = _gpus(row, "num_gpu"), row.count("gpu_milli")
    if share > 1000 or (gpus > 1 and share != 1000):
        raise row.fault(
            "gpu_milli",
            f"{share} thousandths of each of {gpus} GPUs",
            "a share is at most 1000, and exactly 1000 if num_gpu is above 1",
        )
    if gpus and share:
        amounts[GPU_TYPE] = gpus * share
    return _resource(row, amounts)


def _gpus(row: Row, column: str) -> int:
    gpus = row.count(column)
    if gpus > _MOST_GPUS:
        raise row.fault(column, f"{gpus} GPUs are more than {_MOST_GPUS}")
    return gpus


def _resource(row: Row, amounts: dict[str, int]) -> Resource:
    try:
        return Resource(amounts)
    except ValueError:  # 15 digits of MiB are more bytes than 64 bits hold
        raise row.fault("memory_mib", "is more than 64 bits of bytes") from None
