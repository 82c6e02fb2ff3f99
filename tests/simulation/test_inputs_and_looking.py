"""What a simulation tells of its script, and what neither a refused input nor a look ahead may change."""

from __future__ import annotations

import pytest

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.scheduler.records.commands import AddNode, UpdateConfig
from workbench.simulation import Simulation
from workbench.simulation.scenario import example
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import Resource

NODE = AddNode(node_id="more", capacity=Resource({"vcore": 1000}))


@pytest.fixture
def simulation() -> Simulation:
    made = Simulation.from_scenario(example("multitenancy"))
    made.run(4)
    return made


def everything(simulation: Simulation) -> tuple:
    return (
        simulation.digest(),
        simulation.position,
        simulation.steps,
        simulation.inputs,
        simulation.played,
        simulation.preview(),
        simulation.reloads,
    )


def test_a_look_ahead_tells_the_steps_to_come_and_changes_nothing(simulation):
    before = everything(simulation)
    coming = simulation.ahead(2)
    assert everything(simulation) == before
    assert coming == tuple(simulation.step() for _ in coming)
    assert len(coming) == 2


def refuse(simulation: Simulation) -> None:
    with pytest.raises(CommandError):
        simulation.apply("no command")
    with pytest.raises(CommandError):
        simulation.advance(0)


def test_a_refused_input_loses_nothing_not_even_the_steps_ahead(simulation):
    simulation.back(2)
    before = everything(simulation)
    refuse(simulation)
    assert everything(simulation) == before
    assert simulation.recorded == 4
    simulation.goto(4)
    assert simulation.position == 4


def test_a_refused_input_without_history_changes_nothing():
    simulation = Simulation.from_scenario(example("multitenancy"), history=False)
    simulation.run(2)
    before = simulation.digest(), simulation.inputs, simulation.played
    refuse(simulation)
    assert (simulation.digest(), simulation.inputs, simulation.played) == before
    assert simulation.step().changed_something


def test_a_rejected_reload_loses_nothing(simulation):
    simulation.back(2)
    before = everything(simulation)
    with pytest.raises(ConfigError):
        simulation.reload(SchedulerConfig(text="partitions: [{name: default, queues: [{name: 'a b'}]}]"))
    assert everything(simulation) == before


def test_a_reload_is_an_input_of_its_step(simulation):
    simulation.back(2)
    simulation.reload(load_config(simulation.config.text))
    assert simulation.reloads == (2,)
    assert isinstance(simulation.inputs[simulation.played - 1].command, UpdateConfig)
    assert simulation.recorded == 2


def test_the_inputs_of_another_run_are_taken_up_to_where_it_was(simulation):
    simulation.apply(NODE)
    again = simulation.with_config(simulation.config)
    again.goto(4)
    assert "more" not in again.state.partitions["default"].nodes
    again.settle(simulation.played)
    assert again.digest() == simulation.digest()
    assert again.position == 4
