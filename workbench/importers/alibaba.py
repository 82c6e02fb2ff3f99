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

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from workbench.config import load_path
from workbench.importers.alibaba_tables import (
    GPU_TYPE,
    MODEL_ATTRIBUTE,
    NODE_COLUMNS,
    QUEUES,
    TASK_COLUMNS,
    USER,
    Machine,
    Task,
    read_machines,
    read_tasks,
)
from workbench.importers.imported import Imported
from workbench.importers.look import Look
from workbench.importers.registry import Importer, Option, register_importer
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Release
from workbench.simulation.scenario import CYCLE_MS, SETTLE_MS, AdvanceMs, Scenario, ScenarioEvent, Schedule
from workbench.simulation.scenario.model import Happening

__all__ = ["CONFIG", "GPU_TYPE", "MODEL_ATTRIBUTE", "load_alibaba"]

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


WHO_AND_WHERE = (
    "The trace names no users, and when it placed a task and how the task ended is left out: that is for the scheduler to decide."
)


class _Moment(NamedTuple):
    """When something happens: a task that leaves in the second of its arrival leaves after that second's cycles."""

    second: int
    late: bool


class _Move(NamedTuple):
    moment: _Moment
    arrives: bool
    place: int
    """Row of the task; closes ties."""
    task: Task
    allowed_nodes: tuple[str, ...] | None


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
    machines = read_machines(nodes_csv, nodes)
    by_model: dict[str, list[str]] = {}
    for machine in machines:
        by_model.setdefault(machine.model, []).append(machine.name)
    happenings: list[Happening] = [_added(each) for each in machines]
    moves = _moves(islice(read_tasks(tasks_csv, by_model), tasks), _Allowed(by_model))
    happenings.extend(_script(moves, started_ms=SETTLE_MS * (1 + len(machines)), spare_cycles=spare_cycles))
    return Scenario(
        name="alibaba-gpu-2023",
        description=f"{len(machines)} nodes and {sum(move.arrives for move in moves)} tasks of the Alibaba trace "
        "cluster-trace-gpu-v2023, in the order of the trace.",
        config=config,
        events=tuple(ScenarioEvent(command, index=index) for index, command in enumerate(happenings)),
    )


def _added(machine: Machine) -> AddNode:
    attributes = {MODEL_ATTRIBUTE: machine.model} if machine.model else {}
    return AddNode(node_id=machine.name, capacity=machine.capacity, attributes=attributes)


class _Allowed(dict[tuple[str, ...], tuple[str, ...] | None]):
    """Models of GPUs -> the nodes that have them, None for all; each is found once."""

    def __init__(self, by_model: Mapping[str, list[str]]):
        super().__init__({(): None})
        self._by_model = by_model

    def __missing__(self, models: tuple[str, ...]) -> tuple[str, ...]:
        found = self[models] = tuple(node_id for model in models for node_id in self._by_model[model])
        return found


def _moves(tasks: Iterable[Task], allowed: _Allowed) -> list[_Move]:
    """All arrivals and departures in order: by second, departures before arrivals, then as in the table."""
    moves = []
    for place, task in enumerate(tasks):
        nodes = allowed[task.models]
        moves.append(_Move(_Moment(task.created_s, False), True, place, task, nodes))
        if task.deleted_s is not None:
            moves.append(_Move(_Moment(task.deleted_s, task.deleted_s == task.created_s), False, place, task, nodes))
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
            for command in _arrival(move.task, move.allowed_nodes) if move.arrives else _departure(move.task):
                yield command
                clock_ms += SETTLE_MS
        yield Schedule(cycles)
        clock_ms += cycles * (CYCLE_MS + SETTLE_MS)


def _arrival(task: Task, allowed_nodes: tuple[str, ...] | None) -> tuple[Happening, ...]:
    spec = ApplicationSpec(id=task.name, queue=f"root.{QUEUES[task.qos]}", user=USER)
    ask = AskSpec(application_id=task.name, key=task.name, resource=task.resource, allowed_nodes=allowed_nodes)
    return AddApplication(application=spec), AddAsk(ask=ask)


def _departure(task: Task) -> tuple[Happening, ...]:
    return (Release(application_id=task.name, key=task.name),)


def _read(
    nodes: Path, tasks: Path, first_nodes: int | None = None, first_tasks: int | None = None, config: Path | None = None
) -> Imported:
    text = load_path(config).text if config else CONFIG
    scenario = load_alibaba(nodes, tasks, nodes=first_nodes, tasks=first_tasks, config=text)
    return Imported(scenario, (WHO_AND_WHERE,))


def _tables(look: Look) -> tuple[list[str], list[str]]:
    """The files of a folder that have the columns of nodes, and those that have the columns of tasks."""
    headers = {name: _columns(look.head_of(name)) for name in look.names if name.lower().endswith((".csv", ".csv.gz"))}
    return (
        [name for name, columns in headers.items() if columns.issuperset(NODE_COLUMNS)],
        [name for name, columns in headers.items() if columns.issuperset(TASK_COLUMNS)],
    )


def _columns(head: str) -> set[str]:
    return set(head.partition("\n")[0].strip().split(","))


def _recognises(look: Look) -> bool:
    return look.is_folder and [len(each) for each in _tables(look)] == [1, 1]


def _places(look: Look) -> dict[str, Path]:
    (nodes,), (tasks,) = _tables(look)
    return {"nodes": look.path / nodes, "tasks": look.path / tasks}


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
        recognises=_recognises,
        known_by="Alibaba's GPU trace (a folder with one table of nodes and one of tasks)",
        places=_places,
    ),
)
