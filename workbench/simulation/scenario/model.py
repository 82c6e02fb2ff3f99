"""A scenario as frozen values: what a file says, whoever plays it.

Three events are for the driver and no commands of the scheduler: `Schedule`, `AdvanceMs` and `Until`. All others carry the command
that they send. When things happen is told by `workbench.simulation.driver`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

from workbench.config.model import SchedulerConfig
from workbench.config.write.export import text_of
from workbench.scheduler.records.commands import Command
from workbench.scheduler.releases.profiles import DEFAULT

SETTLE_MS = 1
"""Passes after the registration, after every event, after every cycle and after every confirmation."""
CYCLE_MS = 100
"""Passes after every cycle, before that."""
LAST_MS = 36_525 * 24 * 3600 * 1000
"""No input has a later time, and nobody lets time pass beyond it: a hundred years after the start. The engine's own clock goes
further, so that what is put in at the very end can still be scheduled."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """So many scheduling cycles, at least 1; time passes after each of them."""

    cycles: int


@dataclass(frozen=True, slots=True)
class AdvanceMs:
    """So many milliseconds of simulated time pass, at least 1."""

    ms: int


@dataclass(frozen=True, slots=True)
class Until:
    """Simulated time passes until this instant, in nanoseconds since the start; none if it has come already."""

    at_ns: int


Happening = Union[Command, Schedule, AdvanceMs, Until]
"""What an event of a scenario can be."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much simulated time what happens takes. The usual pace is that of the recorded scenarios.

    Attributes:
        message_ns: passes after the registration, after every message, after every cycle and after every confirmation.
        cycle_ns: passes after every cycle, before that.
    """

    message_ns: int = SETTLE_MS * 1_000_000
    cycle_ns: int = CYCLE_MS * 1_000_000


RECORDED = Pace()


@dataclass(frozen=True, slots=True)
class ScenarioEvent:
    """One event of a scenario.

    Attributes:
        command: what happens.
        snapshot: the state after it is of interest; recorded scenarios expect one there.
        index: its place among the events of the scenario, from 0.
    """

    command: Happening
    snapshot: bool = False
    index: int = 0


@dataclass(frozen=True, slots=True)
class Planned:
    """An input with a time of its own, `at_ms` since the start. It waits for the clock, whatever else happens until then."""

    at_ms: int
    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A configuration and what happens after the scheduler registered with it at time 0.

    Attributes:
        config: text of the queues.yaml, not yet checked; or a loaded configuration, whose text is written when it is wanted.
        events: in order.
        planned: inputs with a time, the earliest first.
        confirm_releases: the resource manager confirms the releases that the scheduler decides.
        pace: how much time messages and cycles take.
        engine: the release of the core by whose rules it is played; its name is that of the key in a file, which stays.
        expect: what the real core did, as recorded; None in a scenario made by hand. Treated as read-only.
    """

    config: str | SchedulerConfig
    name: str = ""
    description: str = ""
    events: tuple[ScenarioEvent, ...] = ()
    planned: tuple[Planned, ...] = ()
    confirm_releases: bool = True
    pace: Pace = RECORDED
    engine: str = DEFAULT.version
    expect: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """Text of the queues.yaml."""
        return text_of(self.config)
