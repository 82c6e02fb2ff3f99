"""A study: a design, its inputs and a place among them, as data. It is what undo goes back to and what a session keeps.

Playing a study again leads to exactly the state it was taken from, because the same commands give the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.bench.work import Progress, Work, finish
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import to_yaml
from workbench.scheduler.records.commands import UpdateConfig
from workbench.simulation.scenario import Scenario, ScenarioEvent
from workbench.simulation.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Study:
    """Where somebody is.

    Attributes:
        scenario: the configuration at the start, and every input so far, with the cycles between them.
        step: steps taken.
        played: events of the scenario that have happened.
        name: of the design.
    """

    scenario: Scenario
    step: int
    played: int
    name: str = ""


def study_of(simulation: Simulation, name: str = "") -> Study:
    """The present state as a study."""
    config = simulation.config.text or to_yaml(simulation.config)
    scenario = replace(simulation.scenario, config=config, events=simulation.inputs, planned=simulation.planned, expect=None)
    return Study(scenario, simulation.position, simulation.played, name)


def replayed(study: Study) -> Work[Simulation | None]:
    """Work: the simulation that stands where the study does, or where nothing more happens before. None if it was stopped."""
    simulation = Simulation.from_scenario(study.scenario)
    while simulation.position < study.step:
        if not simulation.step().changed_something:
            break
        simulation.take_inputs(study.played)
        if (yield Progress(running_again(simulation.position, study.step))):
            return None
    simulation.settle(study.played)
    return simulation


def with_design(study: Study, present: SchedulerConfig, config: SchedulerConfig) -> Study:
    """The study under another design: `config` in the place of `present`, be it the design at the start or that of a reload."""
    text = config.text or to_yaml(config)
    events = list(study.scenario.events)
    for index in range(min(study.played, len(events)) - 1, -1, -1):
        command = events[index].command
        if isinstance(command, UpdateConfig) and command.text == present.text:
            events[index] = replace(events[index], command=UpdateConfig(text=text))
            return replace(study, scenario=replace(study.scenario, events=tuple(events)))
    return replace(study, scenario=replace(study.scenario, config=text))


def inputs(simulation: Simulation) -> tuple[tuple[int, ScenarioEvent, bool], ...]:
    """Every input: its index, the event, and whether it has happened. Cycles between inputs are counted, but not listed."""
    return tuple((index, event, index < simulation.played) for index, event in enumerate(simulation.inputs))


def at_once(study: Study) -> Simulation:
    """The simulation that stands where the study does."""
    simulation = finish(replayed(study))
    assert simulation is not None  # nobody stops what is finished at once
    return simulation


# ---- in words ---------------------------------------------------------------------------------------------------------


def running_again(position: int, goal: int) -> str:
    return f"Running again: step {position} of {goal}. Stop keeps the design as it was."
