"""The public GPU cluster trace of Alibaba (cluster-trace-gpu-v2023) as a scenario: arrivals and departures in time order.

What becomes what:

- A node keeps its name; cpu_milli is vcore, memory_mib becomes bytes, and each GPU is 1000 of the type `gpu-milli`, since
  tasks may ask for a part of one. The parts of a node's GPUs are one amount: that a task cannot have halves of two GPUs
  is not modelled. The GPU model is the node attribute `gpu-model`.
- A task is an application with one ask, both named like the task: it arrives at creation_time, and the resource manager
  stops it at deletion_time, whether it runs or still waits. When the trace placed it (scheduled_time) and how it ended
  (pod_phase) are left out: that is for the scheduler to decide here.
- qos is the leaf: root.guaranteed, root.ls, root.burstable, root.be.
- gpu_spec is a predicate: the nodes whose model it names.

Each second in which something happens sends its departures, then its arrivals, then runs a cycle for each of them and
some to spare, so that waiting tasks can use the room that is left. Simulated time follows the trace as long as these
cycles, of 101 ms each, do not take longer than the time to the next such second.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from workbench.config import load_path
from workbench.importers.csv_table import Row, read_rows
from workbench.importers.registry import Importer, Option, register_importer
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Release
from workbench.simulation.scenario import CYCLE_MS, SETTLE_MS, AdvanceMs, Scenario, ScenarioEvent, Schedule
from workbench.simulation.scenario.model import Happening
from workbench.values.errors import ScenarioError
from workbench.values.resources import Resource

GPU_TYPE = "gpu-milli"
MODEL_ATTRIBUTE = "gpu-model"
USER = "trace"
"""The trace names no users."""

QUEUES = {"Guaranteed": "guaranteed", "LS": "ls", "Burstable": "burstable", "BE": "be"}
"""qos -> leaf below root. LS is latency sensitive, BE best effort."""

CONFIG = """\
partitions:
  - name: default
    # Tasks end when the trace says so, not when another one needs their place.
    preemption:
      enabled: false
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: guaranteed
            properties:
              priority.offset: "30"
          - name: ls
            properties:
              priority.offset: "20"
          - name: burstable
            properties:
              priority.offset: "10"
          - name: be
"""
"""The configuration used when none is given: the classes of service in order, oldest task first within a class."""

_NODE_COLUMNS = ("sn", "cpu_milli", "memory_mib", "gpu", "model")
_TASK_COLUMNS = ("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "creation_time", "deletion_time")
_MOST_GPUS = 1000


class _Task(NamedTuple):
    name: str
    qos: str
    resource: Resource
    allowed_nodes: tuple[str, ...] | None
    created_s: int
    deleted_s: int | None


class _Moment(NamedTuple):
    """When something happens: a task that leaves in the second of its arrival leaves after that second's cycles."""

    second: int
    late: bool


class _Move(NamedTuple):
    moment: _Moment
    arrives: bool
    place: int
    """Row of the task; closes ties."""
    task: _Task


def load_alibaba(
    nodes_csv: str | Path,
    tasks_csv: str | Path,
    *,
    nodes: int | None = None,
    tasks: int | None = None,
    config: str = CONFIG,
    spare_cycles: int = 1,
) -> Scenario:
    """The two tables of the trace as one scenario.

    Args:
        nodes_csv: the table of nodes: sn, cpu_milli, memory_mib, gpu, model.
        tasks_csv: the table of tasks: name, cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec, qos, creation_time,
            deletion_time; times in seconds, an empty deletion_time for a task that stays.
        nodes, tasks: take only so many of the first nodes and tasks.
        config: text of the queues.yaml; it needs the leaves root.guaranteed, root.ls, root.burstable and root.be.
        spare_cycles: cycles in each second with something to do, beyond one for each arrival and departure.

    Raises:
        ScenarioError: with file, line and column, what was found and what is allowed.
    """
    machines, models = _nodes(nodes_csv, nodes)
    happenings: list[Happening] = list(machines)
    moves = _moves(_tasks(tasks_csv, tasks, models))
    happenings.extend(_script(moves, started_ms=SETTLE_MS * (1 + len(machines)), spare_cycles=spare_cycles))
    return Scenario(
        name="alibaba-gpu-2023",
        description=f"{len(machines)} nodes and {sum(move.arrives for move in moves)} tasks of the Alibaba trace "
        "cluster-trace-gpu-v2023, in the order of the trace.",
        config=config,
        events=tuple(ScenarioEvent(command, index=index) for index, command in enumerate(happenings)),
    )


def _nodes(path: str | Path, most: int | None) -> tuple[list[AddNode], dict[str, tuple[str, ...]]]:
    """The nodes, and their ids by GPU model."""
    found: dict[str, AddNode] = {}
    by_model: dict[str, list[str]] = {}
    for row in islice(read_rows(path, _NODE_COLUMNS), most):
        node_id, model, gpus = row.name("sn"), row.texts["model"], _gpus(row, "gpu")
        if node_id in found:
            raise row.fault("sn", f"node {node_id!r} occurs twice")
        amounts = {"vcore": row.count("cpu_milli"), "memory": row.count("memory_mib") * 2**20}
        if gpus:
            amounts[GPU_TYPE] = 1000 * gpus
        found[node_id] = AddNode(
            node_id=node_id, capacity=_resource(row, amounts), attributes={MODEL_ATTRIBUTE: model} if model else {}
        )
        by_model.setdefault(model, []).append(node_id)
    if not found:
        raise ScenarioError("the table has no nodes", source=str(path))
    return list(found.values()), {model: tuple(ids) for model, ids in by_model.items()}


def _tasks(path: str | Path, most: int | None, models: dict[str, tuple[str, ...]]) -> Iterator[_Task]:
    seen: set[str] = set()
    allowed: dict[str, tuple[str, ...]] = {}
    for row in islice(read_rows(path, _TASK_COLUMNS), most):
        name, qos, spec = row.name("name"), row.texts["qos"], row.texts["gpu_spec"]
        if name in seen:
            raise row.fault("name", f"task {name!r} occurs twice")
        seen.add(name)
        if qos not in QUEUES:
            raise row.fault("qos", f"unknown class {qos[:40]!r}", f"allowed are {', '.join(QUEUES)}")
        if spec and spec not in allowed:
            allowed[spec] = tuple(node_id for model in dict.fromkeys(spec.split("|")) for node_id in models.get(model, ()))
            if not allowed[spec]:
                raise row.fault(
                    "gpu_spec",
                    f"no node has a GPU of model {spec[:40]!r}",
                    f"the nodes have {', '.join(sorted(filter(None, models))) or 'no GPU'}",
                )
        created_s, deleted_s = row.count("creation_time"), row.count_or_none("deletion_time")
        if deleted_s is not None and deleted_s < created_s:
            raise row.fault("deletion_time", f"{deleted_s} is before the creation_time {created_s}")
        yield _Task(name, qos, _demand(row), allowed.get(spec), created_s, deleted_s)


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


def _moves(tasks: Iterator[_Task]) -> list[_Move]:
    """All arrivals and departures in order: by second, departures before arrivals, then as in the table."""
    moves = []
    for place, task in enumerate(tasks):
        moves.append(_Move(_Moment(task.created_s, False), True, place, task))
        if task.deleted_s is not None:
            moves.append(_Move(_Moment(task.deleted_s, task.deleted_s == task.created_s), False, place, task))
    moves.sort(key=lambda move: move[:3])
    return moves


def _script(moves: list[_Move], *, started_ms: int, spare_cycles: int) -> Iterator[Happening]:
    """The moves with the time between them and the cycles after them."""
    clock_ms = started_ms
    for moment, group in groupby(moves, key=lambda move: move.moment):
        wait_ms = moment.second * 1000 - clock_ms - SETTLE_MS
        if wait_ms > 0:
            yield AdvanceMs(wait_ms)
            clock_ms += wait_ms + SETTLE_MS
        cycles = spare_cycles
        for move in group:
            cycles += 1
            for command in _arrival(move.task) if move.arrives else _departure(move.task):
                yield command
                clock_ms += SETTLE_MS
        yield Schedule(cycles)
        clock_ms += cycles * (CYCLE_MS + SETTLE_MS)


def _arrival(task: _Task) -> tuple[Happening, ...]:
    spec = ApplicationSpec(id=task.name, queue=f"root.{QUEUES[task.qos]}", user=USER)
    ask = AskSpec(application_id=task.name, key=task.name, resource=task.resource, allowed_nodes=task.allowed_nodes)
    return AddApplication(application=spec), AddAsk(ask=ask)


def _departure(task: _Task) -> tuple[Happening, ...]:
    return (Release(application_id=task.name, key=task.name),)


def _read(
    nodes: Path, tasks: Path, first_nodes: int | None = None, first_tasks: int | None = None, config: Path | None = None
) -> Scenario:
    text = load_path(config).text if config else CONFIG
    return load_alibaba(nodes, tasks, nodes=first_nodes, tasks=first_tasks, config=text)


register_importer(
    "alibaba",
    Importer(
        "Alibaba's GPU cluster, cluster-trace-gpu-v2023",
        "Reads the tables of nodes and tasks of Alibaba's cluster-trace-gpu-v2023. Every task becomes an application with one ask, "
        "in a leaf queue for its class of service.",
        (
            Option("nodes", "the table of nodes", Path, "NODES.csv", required=True),
            Option("tasks", "the table of tasks", Path, "TASKS.csv", required=True),
            Option("first_nodes", "only the first N nodes", int, "N"),
            Option("first_tasks", "only the first N tasks", int, "N"),
            Option("config", "a queues.yaml with the leaves root.guaranteed, root.ls, root.burstable and root.be", Path, "FILE"),
        ),
        _read,
    ),
)
