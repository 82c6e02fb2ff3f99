"""The script of a simulation: the scenario's events, what was applied by hand, and the cycles that stepping added.

Cycles added by stepping are remembered as such: they are dropped when a new branch starts, and not kept when the inputs are
played again under another design, unless an input follows them. Those that an input follows stay, for they are what keeps it
apart from the inputs before them: without them it would happen too early.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace

from workbench.simulation.driver import Place
from workbench.simulation.scenario import AdvanceMs, Happening, Pace, Planned, Scenario, ScenarioEvent, Schedule, Until
from workbench.simulation.scenario.model import RECORDED


@dataclass(slots=True)
class Script:
    """Events to play, in order. `stepped` marks, event by event, those that stepping added; `planned` are those with a time."""

    events: list[ScenarioEvent]
    confirm_releases: bool = True
    stepped: list[bool] = field(default_factory=list)
    planned: list[Planned] = field(default_factory=list)
    pace: Pace = RECORDED

    @classmethod
    def of(cls, scenario: Scenario) -> Script:
        return cls(
            list(scenario.events),
            scenario.confirm_releases,
            [False] * len(scenario.events),
            list(scenario.planned),
            scenario.pace,
        )

    def __len__(self) -> int:
        return len(self.events)

    def add_cycle(self) -> None:
        """One more cycle at the end, because somebody stepped past it."""
        self.events.append(ScenarioEvent(Schedule(1)))
        self.stepped.append(True)

    def add_wait(self, ms: int) -> None:
        """Time passes at the end, because nothing else can happen before the next planned input."""
        self.events.append(ScenarioEvent(AdvanceMs(ms)))
        self.stepped.append(True)

    def keep(self, index: int) -> None:
        """A cycle that changed nothing is as if somebody had let its time pass."""
        self.stepped[index] = False

    def keep_waits(self, length: int) -> None:
        """Time that passed from index `length` on without any step is as if somebody had let it pass."""
        for index in range(length, len(self)):
            if isinstance(self.events[index].command, AdvanceMs | Until):
                self.stepped[index] = False

    def plan(self, planned: Planned) -> None:
        """One more input with a time, after those of the same time."""
        self.planned.insert(bisect_right(self.planned, planned.at_ms, key=lambda each: each.at_ms), planned)

    def cut(self, length: int) -> None:
        """Drop everything from index `length` on."""
        del self.events[length:], self.stepped[length:]

    def branch(self, place: Place) -> None:
        """A new branch starts at `place`: the cycles that stepping added ahead of it, behind the last input, are forgotten."""
        length, least = len(self), place.event + (place.cycle > 0)
        while length > least and self.stepped[length - 1]:
            length -= 1
        self.cut(length)

    def insert(self, place: Place, command: Happening, *, stepped: bool = False) -> Place:
        """Put an event where the script is being played, splitting a run of cycles that is half played. The place now."""
        assert not place.passed_ns, "nothing is put in while time passes"
        if place.cycle:
            event = self.events[place.event]
            assert isinstance(event.command, Schedule), "only these have cycles"
            played, left = Schedule(place.cycle), Schedule(event.command.cycles - place.cycle)
            self.events[place.event : place.event + 1] = [
                replace(event, command=played, snapshot=False),
                replace(event, command=left),
            ]
            self.stepped.insert(place.event, self.stepped[place.event])
            place = replace(place, event=place.event + 1, cycle=0)
        self.events.insert(place.event, ScenarioEvent(command))
        self.stepped.insert(place.event, stepped)
        return place

    def inputs(self) -> tuple[ScenarioEvent, ...]:
        """The events without the cycles that stepping added after the last input."""
        last = len(self)
        while last and self.stepped[last - 1]:
            last -= 1
        return tuple(self.events[:last])
