"""A study: a design, its inputs and a place among them, as data. It is what undo goes back to and what a session keeps.

Playing a study again leads to exactly the state it was taken from, because the same commands give the same state. This is
the only module of the screen that looks into a `Simulation`'s script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.config.export import to_yaml
from workbench.config.model import SchedulerConfig
from workbench.errors import ConfigError
from workbench.explain import catalogue
from workbench.scheduler.commands import UpdateConfig
from workbench.scheduler.decision import Decision
from workbench.scheduler.events import ConfigRejected
from workbench.simulation.scenario import Scenario, ScenarioEvent, Schedule
from workbench.simulation.simulation import Simulation
from workbench.widgets.work import Progress, Work, finish


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
    scenario = replace(simulation.scenario, config=config, events=simulation._script.inputs(), expect=None)
    return Study(scenario, simulation.position, simulation._place.event, name)


def replayed(study: Study) -> Work:
    """Work: the simulation that stands where the study does, or where nothing more happens before. None if it was stopped."""
    simulation = Simulation.from_scenario(study.scenario)
    while simulation.position < study.step:
        if not simulation.step().changed_something:
            break
        _take_inputs(simulation, study.played)
        if (yield Progress(catalogue.running_again(simulation.position, study.step))):
            return None
    _settle(simulation, study.played)
    return simulation


def _take_inputs(simulation: Simulation, played: int) -> None:
    """Let the inputs that came at this very step, and had been put in by then, happen."""
    events = simulation._script.events
    while simulation._place.event < min(played, len(events)) and not _takes_time(events[simulation._place.event]):
        simulation._play()
    simulation._after[simulation.position] = simulation._here()


def _takes_time(event: ScenarioEvent) -> bool:
    return isinstance(event.command, Schedule)


def _settle(simulation: Simulation, played: int) -> None:
    """Let everything that had happened happen, cycles that change nothing included, up to the next step."""
    while simulation._place.event < min(played, len(simulation._script)):
        here = simulation._here()
        if any(decision.changed_something for decision in simulation._play().decisions):
            simulation._return_to(here)
            break
    simulation._after[simulation.position] = simulation._here()


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


def reload(simulation: Simulation, config: SchedulerConfig) -> None:
    """Apply a design now, as on a live cluster. ConfigError if the scheduler rejects it; the state is then as before."""
    here, script = simulation._here(), simulation._script.copy()
    steps, after = list(simulation._steps), list(simulation._after)
    for event in simulation.apply(UpdateConfig(text=config.text or to_yaml(config))):
        if isinstance(event, ConfigRejected):
            simulation._return_to(here)
            simulation._script, simulation._steps, simulation._after = script, steps, after
            raise ConfigError(event.reason)


def ahead(simulation: Simulation, most: int) -> tuple[Decision, ...]:
    """What the next steps, `most` at most, would decide if nothing else were put in; the state stays as it is."""
    here, length = simulation._here(), len(simulation._script)
    previewed = simulation.preview()
    found: list[Decision] = []
    while len(found) < most:
        decision, _ = simulation._play_step()
        if not decision.changed_something:
            break
        found.append(decision)
    simulation._script.cut(length)
    simulation._return_to(here)
    simulation._previewed = previewed
    return tuple(found)


def reloads(simulation: Simulation) -> tuple[int, ...]:
    """The recorded steps after which, or while which, a reload took place."""
    return tuple(_reload_steps(simulation))


def _reload_steps(simulation: Simulation) -> Iterator[int]:
    for index, event in enumerate(simulation._script.events):
        if isinstance(event.command, UpdateConfig):
            at = next((step for step, here in enumerate(simulation._after) if here.place.event > index), None)
            if at is not None:
                yield at


def inputs(simulation: Simulation) -> tuple[tuple[int, ScenarioEvent, bool], ...]:
    """Every input: its index, the event, and whether it has happened. Cycles between inputs are counted, but not listed."""
    events = simulation._script.inputs()
    return tuple((index, event, index < simulation._place.event) for index, event in enumerate(events))


def at_once(study: Study) -> Simulation:
    """The simulation that stands where the study does."""
    return finish(replayed(study))
