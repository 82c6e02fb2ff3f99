"""A study: a design, its inputs and a place among them, as data. It is what undo goes back to and what a session keeps.

Playing a study again leads to exactly the state it was taken from, because the same commands give the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.bench.work import Progress, Work, finish
from workbench.config import DEFAULT_CONFIG_TEXT
from workbench.config.model import SchedulerConfig
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
        recorded: steps that exist, the present one and those ahead included; never fewer than `step`.
        stays: for each step after which something was put in or time passed before the next, how far in the scenario that led:
            (step, events, cycles of the event after these). The cycles of stepping itself are not told: they are found again.
        planned_played: inputs with a time that have happened.
    """

    scenario: Scenario
    step: int
    played: int
    name: str = ""
    recorded: int = 0
    stays: tuple[tuple[int, int, int], ...] = ()
    planned_played: int = 0


def study_of(simulation: Simulation, name: str = "") -> Study:
    """The present state as a study."""
    config = simulation.config.text or simulation.config
    scenario = replace(simulation.scenario, config=config, events=simulation.inputs, planned=simulation.planned, expect=None)
    stays = tuple((step, events, cycles) for step, (events, cycles) in simulation.stays.items())
    return Study(
        scenario,
        simulation.position,
        simulation.played,
        name,
        simulation.recorded,
        stays,
        simulation.planned_played,
    )


def replayed(study: Study, at: int | None = None) -> Work[Simulation | None]:
    """Work: the simulation that stands where the study does, steps ahead included. None if it was stopped.

    With `at` it then goes to that step, or to the last there is, as if somebody had gone there. Under another design than that
    of the study there can be fewer steps: then what had happened has happened all the same, as far as that needs no further step.
    """
    goal = study.step if at is None else at
    stays = {step: place for step, *place in study.stays}
    stays.setdefault(study.step, [study.played, 0])
    simulation = Simulation.from_scenario(study.scenario)
    while True:
        position = simulation.position
        if position in stays and position <= max(study.recorded, study.step):
            simulation.settle(*stays[position])
        if position >= max(study.recorded, study.step, goal):
            break
        if not simulation.step_if_any().changed_something:
            if position < study.step:
                simulation.settle(study.played)
            break
        if (yield Progress(running_again(simulation.position, max(study.step, goal)))):
            return None
    simulation.goto(min(goal, simulation.position))
    return simulation


def up_to_here(study: Study) -> Study:
    """The study without the steps ahead of it, which an edit drops."""
    return replace(study, recorded=study.step, stays=tuple(each for each in study.stays if each[0] <= study.step))


def with_design(study: Study, present: SchedulerConfig, config: SchedulerConfig) -> Study:
    """The study under another design: `config` in the place of `present`, be it the design at the start or that of a reload."""
    new = config.text or config
    events = list(study.scenario.events)
    for index in range(min(study.played, len(events)) - 1, -1, -1):
        command = events[index].command
        if isinstance(command, UpdateConfig) and _brought(command, present):
            events[index] = replace(events[index], command=UpdateConfig(config=new))
            return replace(study, scenario=replace(study.scenario, events=tuple(events)))
    planned = list(study.scenario.planned)
    for index in range(study.planned_played - 1, -1, -1):
        command = planned[index].command
        if isinstance(command, UpdateConfig) and _brought(command, present):
            planned[index] = replace(planned[index], command=UpdateConfig(config=new))
            return replace(study, scenario=replace(study.scenario, planned=tuple(planned)))
    return replace(study, scenario=replace(study.scenario, config=new))


def _brought(command: UpdateConfig, present: SchedulerConfig) -> bool:
    """Whether it is this command's configuration that is in force, which is there as it came: as a text, or as it was edited."""
    if isinstance(command.config, str):
        return (command.config or DEFAULT_CONFIG_TEXT) == present.text
    return command.config == present and not present.text


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
