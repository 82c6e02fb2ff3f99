"""Who is asked: a scheduler in simulated time, when its time began, and what belongs to a process of the real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.rest.past.past import Past
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.state import Cluster, Partition

if TYPE_CHECKING:
    from workbench.simulation import Simulation

EPOCH_NS = 946_684_800_000_000_000
"""The instant that simulated time counts from, in nanoseconds since 1970: the first of January 2000, UTC."""
RM_ID = "rm:1"
"""The name under which the one resource manager is registered."""


@dataclass(eq=False)
class Source:
    """One scheduler that answers.

    Attributes:
        engine: gives the engine as it is now; a simulation may put another in its place. It has to keep history.
        epoch_ns: when simulated time began, in ns since 1970.
        instance: name of this start of the scheduler, which goes with events.
        build: what the resource manager says about its build.
        extra: further settings that came with the configuration.
        past: what happened so far, as far as answers tell of it.
    """

    engine: Callable[[], Engine]
    epoch_ns: int = EPOCH_NS
    instance: str = "00000000-0000-4000-8000-000000000001"
    build: Mapping[str, str] = field(default_factory=lambda: {"rmId": RM_ID})
    extra: Mapping[str, str] = field(default_factory=dict)
    past: Past = field(init=False)

    def __post_init__(self) -> None:
        self.past = Past(self.engine)

    @classmethod
    def of(cls, simulation: Simulation, *, epoch_ns: int = EPOCH_NS) -> Source:
        """The very simulation: what is done to it is seen in the next answer. CommandError if it keeps no history."""
        return cls(simulation.core, epoch_ns)

    @property
    def state(self) -> Cluster:
        """The state as it is now."""
        return self.engine().state

    @property
    def now_ns(self) -> int:
        """Simulated time as an instant, in ns since 1970."""
        return self.epoch_ns + self.state.now_ns

    def at(self, time_ns: int) -> int:
        """A simulated time as an instant, in ns since 1970. RE-4."""
        return self.epoch_ns + time_ns

    def partition(self, name: str) -> Partition | None:
        """The partition of that name, or None."""
        found = self.state.partitions.get(name.lower())
        return found if found is not None and found.name == name else None
