"""A moment of a run or scenario to be looked at: what the simulation was like, what is decided next, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from workbench import explain
from workbench.measures import units
from workbench.runs import Run
from workbench.runs.record import NEVER
from workbench.scheduler.records.events import Allocated, Event, Released
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario, ScenarioEvent, Until
from workbench.values.errors import CommandError

MOST_PLAYED = 20_000
"""Placements that are played again to tell why; `simulation()` plays them all."""
LATE = "It is late in the run; open the moment to see why."

Task = tuple[str, str]
"""(application, key)"""
What = Literal["placed", "stopped", ""]


@dataclass(frozen=True)
class Moment:
    """A moment.

    Attributes:
        source: the run or the scenario that it is a moment of.
        at_ns: up to when things have happened; None for all of a scenario.
        what: `placed` or `stopped`: the next step does that with `task`. Empty: everything has happened until then.
        task: whom the step is about.
        waits: who waits meanwhile, and is asked why.
        queue: where to look.
        about: what went wrong, in a sentence.
    """

    source: Run | Scenario
    at_ns: int | None = None
    what: What = ""
    task: Task | None = None
    waits: Task | None = None
    queue: str = ""
    about: str = ""

    @cached_property
    def scenario(self) -> Scenario:
        """What led to it, to be played: up to the moment of a run, all of a scenario."""
        if not isinstance(self.source, Run):
            return self.source
        made = self.source.scenario(until_ns=self.at_ns)
        events = made.events
        if self.at_ns and not self.what:
            events += (ScenarioEvent(Until(self.at_ns), index=len(events)),)
        return replace(made, events=events, description=self.about)

    def simulation(self) -> Simulation:
        """The simulation as it stands at this moment: the next step is the one that breaks the expectation.

        Raises:
            CommandError: the moment is not found again.
        """
        simulation = Simulation.from_scenario(self.scenario)
        if not self.what:
            while not simulation.done:
                simulation.step()
            return simulation
        while simulation.step().changed_something:
            if any(self._is_it(event) for event in simulation.steps[-1].events):
                simulation.stand(simulation.position - 1)
                return simulation
        raise CommandError(f"the moment at which {self.task} is {self.what} was not found again")

    @property
    def when(self) -> str:
        """The moment in words; empty for the end of a scenario."""
        return "" if self.at_ns is None else units.short(self.at_ns / units.NS, units.SECONDS)

    def why(self) -> tuple[str, ...]:
        """Why it came to this, in sentences; short where much would have to be played for it."""
        if isinstance(self.source, Run):
            until = self.source.record.ended_ns if self.at_ns is None else self.at_ns
            if sum(NEVER < placed < until for placed in self.source.record.placed_ns) > MOST_PLAYED:
                return (LATE,)
        return tuple(self._why())

    def _why(self) -> Iterator[str]:
        simulation = self.simulation()
        preview = simulation.preview()
        if self.what == "placed":
            found = explain.why(preview)
            yield from (found.headline, *found.sentences)
        elif self.what == "stopped":
            found = explain.why(preview)
            yield found.headline
            told = [explain.why_preempt(each) for each in explain.attempts(preview) if each.succeeded]
            for each in told:
                yield from (each.headline, *each.sentences)
            if not told:
                yield from found.sentences
        if self.waits is not None:
            for item in simulation.waiting():
                if (item.application.id, item.ask.key) == self.waits:
                    yield from explain.why_not(item, preview)

    def _is_it(self, event: Event) -> bool:
        if self.what == "placed":
            return isinstance(event, Allocated) and (event.application_id, event.key) == self.task
        is_stop = isinstance(event, Released) and event.type == "PREEMPTED_BY_SCHEDULER"
        return is_stop and (event.application_id, event.key) == self.task  # type: ignore[union-attr]
