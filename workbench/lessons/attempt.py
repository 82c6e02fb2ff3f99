"""What a learner made of a design, as a check looks at it: run from the start, and compared with what was given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.explain.refusals import reason
from workbench.explain.wording import name
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, UpdateConfig
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation.scenario import AdvanceMs, Scenario, Schedule, Until
from workbench.simulation.simulation import Simulation

NOT_LET_IN = "its application {} was rejected when it was submitted, because no placement rule led it to a queue that lets it in."
NOTHING_LEFT = "when the run ends, it does not wait for anything."
MOST_STEPS = 1000
"""Steps that a check runs at most; lessons are small."""


@dataclass(frozen=True)
class Attempt:
    """What a learner made of the design.

    Attributes:
        scenario: the learner's design and inputs.
        given: those of the exercise.
    """

    scenario: Scenario
    given: Scenario

    @cached_property
    def simulation(self) -> Simulation:
        """The learner's design, run from the start until nothing more is decided."""
        simulation = Simulation.from_scenario(self.scenario)
        simulation.run(max_steps=MOST_STEPS)
        return simulation

    @property
    def nodes_only(self) -> Simulation:
        """The learner's design with nothing but the nodes of the exercise: where another workload is tried."""
        nodes = tuple(event for event in self.given.events if isinstance(event.command, AddNode))
        return Simulation.from_scenario(replace(self.given, config=self.scenario.config, events=nodes, planned=(), expect=None))

    def afresh(self) -> Simulation:
        """The learner's design with the inputs as given, at the start; whatever the learner stepped or waited is left out."""
        return Simulation.from_scenario(replace(self.given, config=self.scenario.config))

    @property
    def config(self) -> SchedulerConfig:
        return self.simulation.state.config

    @property
    def partition(self) -> Partition:
        """The state at the end of the run."""
        return self.simulation.state.partitions[self.config.partitions[0].name.lower()]

    def held(self, application: str, kind: str = "vcore") -> int:
        """What an application holds of a type at the end, in base units; 0 if it was rejected."""
        known = self.partition.applications.get(application)
        return known.allocated.get(kind, 0) if known is not None else 0

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was decided, step by step."""
        return tuple(step.decision for step in self.simulation.steps)

    @property
    def order(self) -> tuple[str, ...]:
        """The request of each step."""
        return tuple(decision.key for decision in self.decisions)

    def step_of(self, key: str, application: str = "") -> int | None:
        """The first step that served a request, from 1; None if none did."""
        return next(
            (
                number
                for number, decision in enumerate(self.decisions, 1)
                if decision.key == key and application in ("", decision.application_id)
            ),
            None,
        )

    def why_waits(self, key: str, application: str) -> str:
        """Why a request waits at the end of the run, as a sentence: it does not fit, its application was rejected, or it lost."""
        if application in self.partition.rejected or application not in self.partition.applications:
            return NOT_LET_IN.format(name(application))
        for item in self.simulation.waiting():
            if (item.ask.key, item.application.id) == (key, application) and item.refusal is not None:
                return first_small(reason(item.refusal))
        return NOTHING_LEFT

    def priorities_of(self, path: str) -> tuple[int, ...]:
        """What a queue shows before each step, and at the end; `NO_PRIORITY` while nothing waits in it. KeyError: no such queue."""
        simulation, shown = Simulation.from_scenario(self.scenario), []
        for _ in range(MOST_STEPS):
            queue = find(next(iter(simulation.state.partitions.values())), path)
            if queue is None:
                raise KeyError(path)
            shown.append(queue.priority)
            if not simulation.step().changed_something:
                break
        return tuple(shown)

    @property
    def changed_design(self) -> bool:
        """Whether the configuration is another than the one that was given, at the start or by a reload."""
        given = load_config(self.given.text).partitions
        return load_config(self.scenario.text).partitions != given or self.config.partitions != given

    @property
    def added_requests(self) -> tuple[tuple[str, str], ...] | None:
        """(key, application) of every request that was put in, in this order; None if anything given is missing or other things
        came in, but applications are let pass: a request may come with a new one."""
        given, added = _inputs(self.given), []
        for command in _inputs(self.scenario):
            if command in given:
                given.remove(command)
            elif isinstance(command, AddAsk):
                added.append((command.ask.key, command.ask.application_id))
            elif not isinstance(command, AddApplication):
                return None
        return None if given else tuple(added)

    @property
    def put_in_after_steps(self) -> bool:
        """Whether an input that was not given came, or is to come, after the scheduler had run."""
        given, scheduled = _inputs(self.given), False
        for event in self.scenario.events:
            if isinstance(event.command, Schedule):
                scheduled = True
            elif scheduled and event.command not in given:
                return True
        return any(each.command not in given for each in self.scenario.planned)

    @property
    def same_inputs(self) -> bool:
        """Whether requests, applications and nodes are as they were given."""
        return _inputs(self.scenario) == _inputs(self.given)


def first_small(sentence: str) -> str:
    """The sentence as it goes on behind a colon.

    >>> first_small("Needs vcore 2; nothing is left.")
    'needs vcore 2; nothing is left.'
    """
    return sentence[:1].lower() + sentence[1:]


def _inputs(scenario: Scenario) -> list[Any]:
    """What is put in, at once or at a time of its own, without when the scheduler runs, or time passes, between two inputs.

    A design that was applied on the way is no input: the one in force is looked at.
    """
    left_out = (Schedule, AdvanceMs, Until, UpdateConfig)
    at_once = [event.command for event in scenario.events if not isinstance(event.command, left_out)]
    return at_once + [each.command for each in scenario.planned if not isinstance(each.command, UpdateConfig)]


def in_force(study: Scenario, config: SchedulerConfig) -> Scenario:
    """The inputs of a study under the design that is in force at its end, however it came into force."""
    events = tuple(event for event in study.events if not isinstance(event.command, UpdateConfig))
    planned = tuple(each for each in study.planned if not isinstance(each.command, UpdateConfig))
    return replace(study, config=config.text or config, events=events, planned=planned)
