"""A run: a workload that was played under a design, what happened in it, and any moment of it to look at."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.files.writing import write_file
from workbench.runs.moments import moment_ns
from workbench.runs.player import Player, pace_of
from workbench.runs.record import Record
from workbench.runs.rows import JobRow, job_rows
from workbench.runs.shown import Telling, telling
from workbench.scheduler.records.events import Allocated
from workbench.simulation import Simulation
from workbench.simulation.scenario import Pace, Scenario, ScenarioEvent, Schedule
from workbench.simulation.scenario.model import Happening
from workbench.values.errors import CommandError
from workbench.workloads.model import Workload

Tell = Callable[[float, str], None]


@dataclass(eq=False)
class Run:
    """What became of a workload under a design.

    Attributes:
        config: the design.
        workload: what arrived, with the nodes that were there.
        release: of the core whose rules held.
        seed: of what happened at random.
        rate: at most so many placements a second; None for as fast as can be.
        until_ns: where it was told to end; None for its own end.
        record: what happened.
        stopped: somebody stopped it before its end; what is there, holds.
    """

    config: SchedulerConfig
    workload: Workload
    release: str
    seed: int = 0
    rate: float | None = None
    until_ns: int | None = None
    record: Record = field(default_factory=lambda: Record(Workload()))
    stopped: bool = False

    @cached_property
    def jobs(self) -> tuple[JobRow, ...]:
        """One row for every job, in the order of the workload."""
        return tuple(job_rows(self.record))

    # ---- told ------------------------------------------------------------------------------------------------

    @cached_property
    def _telling(self) -> Telling:
        return telling(self)

    @property
    def measures(self) -> Any:
        """What came of it in numbers, a `workbench.measures.MeasureTable`: `run.measures["wait.p95", "root.prod"]`."""
        return self._telling.measures

    @property
    def sentence(self) -> str:
        """What came of it, in a sentence or two."""
        return self._telling.sentence

    def picture(self, resource: str | None = None, theme: str = "light", **size: int) -> Any:
        """What was used and who waited over time, as a plotly figure; its sentence is its title.

        Args:
            resource: which one is drawn; None for vcore.
            theme: "light" or "dark".
            size: `width` and `height` in pixels.

        Raises:
            CommandError: there is no such resource or theme.
        """
        return self._telling.picture(resource, theme, **size)

    def picture_table(self, resource: str | None = None) -> Any:
        """What the picture shows, as a table. CommandError if there is no such resource."""
        return self._telling.picture_table(resource)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """What came of it as one HTML page that needs no network; written to a file, too, if a path is given.

        Raises:
            FileError: it cannot be written.
        """
        made = self._telling.page()
        if path is not None:
            write_file(path, made)
        return made

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.measures}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._telling.html()

    def _ipython_display_(self) -> None:
        self._telling.display()

    def digest(self) -> str:
        """Equal for runs in which the same happened. Hexadecimal."""
        record, made = self.record, sha256()
        for column in (record.job, record.group, record.number, record.restart, record.arrived_ns, record.placed_ns):
            made.update(repr(column.tolist()).encode())
        for column in (record.ended_at_ns, record.fate, record.order, record.job_state, record.job_ended_ns):
            made.update(repr(column.tolist()).encode())
        made.update(repr([record.nodes[node] if node >= 0 else "" for node in record.node]).encode())
        made.update(repr([(change.at_ns, record.nodes[change.node]) for change in record.node_changes]).encode())
        return made.hexdigest()

    # ---- moments ---------------------------------------------------------------------------------------------

    def scenario(self, *, until_ns: int | None = None) -> Scenario:
        """Everything that the scheduler was told, as a scenario that decides the same. WL-6

        Args:
            until_ns: up to this instant, and what happens at it; None for all of it.
        """
        commands: list[Happening] = []
        end_ns = self.until_ns if until_ns is None else until_ns if self.until_ns is None else min(until_ns, self.until_ns)
        self._player(commands=commands, until_ns=end_ns).play()
        events = tuple(ScenarioEvent(command, index=index) for index, command in enumerate(_together(commands)))
        return Scenario(
            name=self.workload.name or "run",
            description=f"A run of {len(self.workload.jobs)} jobs, as the scheduler was told of it.",
            config=self.config.text or self.config,
            events=events,
            pace=self._pace,
            engine=self.release,
        )

    def at(self, at_ns: int | str) -> Simulation:
        """The simulation as it stood at an instant, everything at it having happened: to look at, step on, explain.

        Args:
            at_ns: nanoseconds since the workload's zero, or a span of time such as "2h30m".

        Raises:
            CommandError: the text is no span of time.
        """
        if isinstance(at_ns, str):
            at_ns = moment_ns(at_ns)
        return _played(self.scenario(until_ns=at_ns))

    def before_placement(self, order: int) -> Simulation:
        """The simulation right before the placement with this number, from 0: `preview()` decides it, `explain` tells why.

        Raises:
            CommandError: there is no such placement.
        """
        record = self.record
        attempt = next((index for index in range(len(record)) if record.order[index] == order), None)
        if attempt is None:
            raise CommandError(f"there is no placement {order}; the run has {len(record.placements())}, from 0 on")
        simulation = Simulation.from_scenario(self.scenario(until_ns=record.placed_ns[attempt]))
        placed = 0
        while placed <= order:
            decision = simulation.step()
            if not decision.changed_something:
                raise CommandError(f"placement {order} was not found again")
            placed += sum(isinstance(event, Allocated) for event in simulation.steps[-1].events)
        simulation.back()
        return simulation

    @property
    def _pace(self) -> Pace:
        return pace_of(self.rate)

    def _player(self, *, commands: list[Happening] | None = None, until_ns: int | None = None) -> Player:
        return Player(
            self.config,
            self.workload,
            release=self.release,
            seed=self.seed,
            pace=self._pace,
            until_ns=until_ns,
            commands=commands,
        )


def _played(scenario: Scenario) -> Simulation:
    simulation = Simulation.from_scenario(scenario)
    while not simulation.done:
        simulation.step()
    return simulation


def _together(commands: list[Happening]) -> list[Happening]:
    """Cycles that follow each other, as one event."""
    found: list[Happening] = []
    for command in commands:
        if isinstance(command, Schedule) and found and isinstance(found[-1], Schedule):
            found[-1] = Schedule(found[-1].cycles + command.cycles)
        else:
            found.append(command)
    return found
