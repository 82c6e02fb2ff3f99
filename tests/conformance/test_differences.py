"""Where the core surprises: sums that leave their parts behind, keys that are known already, queues that were parents for a while.

Each kind was found by playing random events on the core and on this engine; the core's answers are recorded, and come out
here as they did there. What goes astray is told as a known surprise, with the rule that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench import explain
from workbench.config import load_config
from workbench.conformance.replay import replay
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.events import Surprised
from workbench.simulation import Simulation, driver
from workbench.simulation.digest import digest
from workbench.simulation.scenario import load_scenario

RECORDED = Path(__file__).parent / "differences"
KINDS = {
    "real-1": ("a counter above its maximum falls to it when it is raised", "R-426"),
    "real-2-": ("a foreign allocation on a node that does not list it is listed, but not counted", "R-415"),
    "real-2b": ("a node keeps one table for own and foreign keys", "R-415"),
    "real-3": ("a placeholder that is gone gets another size", "R-475"),
    "real-4": ("an old reservation is cancelled on a node where the request that preempts could not run", ""),
    "real-d3": ("a placeholder reported for a Completing application leaves it so", ""),
    "real-d5": ("what is being preempted gets another size", "R-475"),
    "real-d6": ("an application without asks is removed", ""),
    "real-d7": ("a queue is to give back more than it holds", "R-424"),
    "real-d8": ("a queue was a parent for a while", ""),
}
"""First letters of the file -> what happens, and the rule of the surprise that is told; "" where nothing goes astray."""
FILES = sorted(RECORDED.glob("*.json"))


def kind_of(path: Path) -> str:
    (kind,) = [kind for kind in KINDS if path.name.startswith(kind)]
    return kind


def test_every_kind_is_recorded():
    assert {kind_of(path) for path in FILES} == set(KINDS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_comes_out_as_recorded(path):
    report = replay(load_scenario(path))
    assert report.agrees, str(report)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_told_as_a_known_surprise_and_nothing_else_goes_astray(path):
    told = set()
    for engine, item in played(path):
        assert invariants.check(engine.state) == []
        told |= {event.rule for event in item.events + item.confirmed if isinstance(event, Surprised)}
    rule = KINDS[kind_of(path)][1]
    assert rule in told or not rule


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_undone_one_by_one_every_state_is_as_it_was(path):
    before = [(engine, engine.mark, digest(engine.state)) for engine, _ in played(path)]
    for engine, mark, was in reversed(before):
        engine.unwind(mark)
        assert digest(engine.state) == was


def played(path: Path) -> Iterator[tuple[Engine, driver.Item]]:
    """The engine after everything that happened."""
    scenario = load_scenario(path)
    engine = Engine(load_config(scenario.text), release=scenario.engine)
    driver.begin(engine, scenario.pace)
    for item in driver.items(engine, scenario):
        yield engine, item


TABLES = (
    explain.application_rows,
    explain.balance_rows,
    explain.headroom_rows,
    explain.limit_rows,
    explain.node_rows,
    explain.queue_rows,
    explain.running_rows,
    explain.usage_rows,
)
TABLES_OF_STEPS = (explain.event_rows, explain.order_rows, explain.pending_rows, explain.step_rows)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sums_astray_and_below_zero_are_shown_and_explained_as_any_others(path):
    sim = Simulation.from_scenario(load_scenario(path))
    for _ in range(6):
        assert all(explain.render(table(sim.state)) for table in TABLES)
        assert all(explain.render(table(sim)) for table in TABLES_OF_STEPS)
        decision = sim.preview()
        assert explain.why(decision).headline
        for item in sim.waiting():
            told = explain.why_not(item, decision, sim.remedies(item))
            assert all(sentence.endswith(".") for sentence in told)
        if not sim.step().changed_something:
            break
    surprises = [told for told in sim.said if isinstance(told.event, Surprised)]
    shown = explain.render(explain.event_rows(sim))
    assert shown.count("known surprise") == len(surprises)
    assert all(f"({told.event.rule})" in shown for told in surprises)
