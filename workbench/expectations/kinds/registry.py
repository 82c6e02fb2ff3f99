"""What a kind of expectation is, and those that there are. Own kinds are added with `register_kind`:

    class Few:
        def __init__(self, most): self.most = most
        def judge(self, case):
            count = len(case.run.jobs)
            return Verdict(Outcome.PASSED if count <= self.most else Outcome.FAILED, f"{count} jobs")

    register_kind("few_jobs", Kind("few jobs", lambda at, given, place: Few(at.integer(0, 10**9)), by="workload"))

Then `{name: a quiet day, few_jobs: 100}` is an expectation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from workbench.config.model import SchedulerConfig
from workbench.expectations.verdicts import Verdict
from workbench.simulation.scenario.document import Cursor
from workbench.values.registry import Registry

if TYPE_CHECKING:
    from workbench.expectations.story import Story
    from workbench.measures import MeasureTable
    from workbench.runs import Run
    from workbench.simulation import Simulation

By = Literal["workload", "scenario", "design", "workload or scenario", "design or scenario"]
"""What an expectation is judged by."""


class Case(Protocol):
    """What one judgement is about: a design, in one run of a workload or in a scenario."""

    @property
    def design(self) -> SchedulerConfig:
        """The design that is tested."""

    @property
    def run(self) -> Run:
        """The run of the workload under it."""

    @property
    def table(self) -> MeasureTable:
        """The measures of that run."""

    @property
    def story(self) -> Story:
        """What happened in the run, or in the scenario."""

    @property
    def simulation(self) -> Simulation | None:
        """The scenario played to its end; None where there is none."""

    def against(self, design: SchedulerConfig) -> tuple[Run, MeasureTable]:
        """The run of the same arrivals under another design, with its measures."""


class Check(Protocol):
    """One expectation of some kind."""

    def judge(self, case: Case) -> Verdict:
        """What one run says of it.

        Raises:
            CannotFail: nothing in it could break the expectation.
            WorkbenchError: it cannot be judged.
        """

    def __str__(self) -> str:
        """It in words, where it has no name."""


class Place(Protocol):
    """Where an expectation stands: what it may refer to."""

    def is_design(self, at: Cursor) -> bool:
        """Whether the value of a key names the very design of the file."""

    def other(self, at: Cursor) -> SchedulerConfig:
        """Another design, by the value of a key. ScenarioError with its place if it cannot be read."""


Read = Callable[[Cursor, Mapping[str, Cursor], Place], Check]
"""(value of its key, all keys of the expectation, where it stands) -> the expectation. ScenarioError if it makes no sense."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of expectation, registered under the key by which it is known.

    Attributes:
        title: for people, a few words.
        read: makes one of what stands in a file.
        keys: what may stand beside its own key, other than name, workload and scenario.
        by: what it is judged by.
    """

    title: str
    read: Read
    keys: tuple[str, ...] = ()
    by: By = "workload"


KINDS: Registry[Kind] = Registry("kind of expectation")
"""Key -> kind."""


def register_kind(key: str, kind: Kind) -> Kind:
    """Add a kind. CommandError if its key is taken."""
    return KINDS.register(key, kind)


def designs_of(check: Check) -> tuple[SchedulerConfig, ...]:
    """Other designs that an expectation is judged with; runs are counted ahead by them."""
    found: tuple[SchedulerConfig, ...] = getattr(check, "designs", ())
    return found
