"""A check that depends on a workload, tried out: a small workload that brings it about, played in the engine (E-40)."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.advice.check import Check
from workbench.advice.edits import where
from workbench.advice.trials.plan import PLANS
from workbench.advice.trials.scene import Played
from workbench.config import load_config
from workbench.config.facts import designs
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import plain_yaml
from workbench.scheduler.engine import Engine
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario, ScenarioEvent
from workbench.values.errors import CommandError


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying: whether it happens, a sentence with the numbers, and the scenario that was played."""

    happens: bool
    text: str
    scenario: Scenario


def can_be_tried(check: Check) -> bool:
    """Whether there is a trial for what the check says."""
    return type(check.lint) in PLANS


def try_out(check: Check, config: SchedulerConfig) -> Trial:
    """Play a workload that should bring about what the check says of `config`, and say whether it does.

    Raises:
        CommandError: the check does not depend on a workload, or its queue is not in the configuration.
    """
    plan_for = PLANS.get(type(check.lint))
    found = next((design for design in designs(config) if design.name == check.partition), None)
    if plan_for is None or found is None or check.path not in found.queues:
        raise CommandError(f"there is nothing to try for check {check.code} of {check.path or 'the partition'}")
    plan = plan_for(check.lint, check.path, found)
    text = plain_yaml(plan.config)
    events = tuple(ScenarioEvent(command, index=number) for number, command in enumerate(plan.happenings))
    scenario = Scenario(config=text, name=f"{check.code} of {check.path}", description=str(check), events=events)
    engine = Engine(load_config(text))
    driver.begin(engine)
    answers = tuple(event for item in driver.items(engine, scenario) for event in (*item.events, *item.confirmed))
    outcome = plan.read(Played(engine, answers))
    happened = "and so it is" if outcome.happens else "and it did not happen"
    return Trial(outcome.happens, f"Tried, {happened}: {outcome.sentence(where(check.path))}", scenario)
