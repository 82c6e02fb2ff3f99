"""When things happen: the time rules by which the recorded scenarios were played."""

from __future__ import annotations

import pytest

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    DrainNode,
    Release,
)
from workbench.scheduler.records.events import Allocated, Released
from workbench.simulation import driver
from workbench.simulation.scenario import (
    AdvanceMs,
    Pace,
    Planned,
    Scenario,
    ScenarioEvent,
    Schedule,
    Until,
    parse_scenario,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.simulation.snapshot import snapshot
from workbench.values.resources import Resource

CONFIG = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]"
MS = driver.MS_NS
NODE = AddNode(node_id="n", capacity=Resource(vcore=10))
GANG = AddApplication(
    application=ApplicationSpec(
        id="gang", queue="root.a", user="sue", gang_style="Soft", placeholder_ask=Resource(vcore=2), execution_timeout_ns=5000 * MS
    )
)


def ask(key, *, app="gang", **more):
    return AddAsk(ask=AskSpec(application_id=app, key=key, resource=Resource(vcore=1), **more))


def play(*commands, confirm_releases=True):
    """(engine, items) of the whole script."""
    script = Scenario(
        config=CONFIG,
        confirm_releases=confirm_releases,
        events=tuple(ScenarioEvent(command, index=index) for index, command in enumerate(commands)),
    )
    engine = Engine(load_config(CONFIG))
    driver.begin(engine)
    return engine, list(driver.items(engine, script))


def test_one_millisecond_passes_after_the_registration():
    engine = Engine(load_config(CONFIG))
    driver.begin(engine)
    assert engine.state.now_ns == 1 * MS


@pytest.mark.parametrize(
    ("command", "times_ms"),
    [
        (NODE, [2]),
        (DrainNode(node_id="unknown"), [2]),
        (AdvanceMs(500), [502]),
        (Schedule(1), [102]),
        (Schedule(3), [102, 203, 304]),
    ],
    ids=["an event: 1 ms", "an event without effect: 1 ms", "advance_ms: its time, then 1 ms", "a cycle: 101 ms", "three cycles"],
)
def test_time_after_each_item(command, times_ms):
    _, items = play(command)
    assert [item.now_ns // MS for item in items] == times_ms


def test_cycles_are_counted_within_their_event_and_the_last_one_ends_it():
    _, items = play(NODE, Schedule(2), AdvanceMs(1))
    assert [(item.event, item.cycle, item.ends_event) for item in items] == [
        (0, 0, True),
        (1, 1, False),
        (1, 2, True),
        (2, 0, True),
    ]
    assert [len(item.decisions) for item in items] == [0, 1, 1, 0]


def test_an_item_holds_what_the_scheduler_answered():
    _, items = play(
        NODE, AddApplication(application=ApplicationSpec(id="app", queue="root.a", user="sue")), ask("k", app="app"), Schedule(1)
    )
    assert Allocated("k", "app", "n") in items[-1].events


def timed_out_gang(**more):
    """One of two placeholders runs when the time-out of 5 s comes."""
    return play(
        NODE,
        GANG,
        ask("p1", placeholder=True, task_group="t"),
        ask("p2", placeholder=True, task_group="t"),
        Schedule(1),
        AdvanceMs(6000),
        Schedule(1),
        **more,
    )


def test_releases_that_the_scheduler_decides_are_confirmed_one_millisecond_each():
    engine, items = timed_out_gang()
    released = driver.announced(items[5].events)
    assert [(event.key, event.type) for event in released] == [("p1", "TIMEOUT"), ("p2", "TIMEOUT")]
    assert items[6].now_ns == items[5].now_ns + 2 * MS + 101 * MS
    assert not engine.state.partitions["default"].nodes["n"].allocations


def test_unconfirmed_releases_still_use_their_node():
    engine, items = timed_out_gang(confirm_releases=False)
    assert items[6].now_ns == items[5].now_ns + 101 * MS
    assert list(engine.state.partitions["default"].nodes["n"].allocations) == ["p1"]


def test_releases_by_the_resource_manager_need_no_confirmation():
    assert driver.announced([Released("k", "app", "STOPPED_BY_RM"), Released("l", "app", "TIMEOUT")]) == (
        Released("l", "app", "TIMEOUT"),
    )


def test_playing_can_stop_anywhere_and_go_on_from_the_place():
    commands = (NODE, GANG, ask("p1", placeholder=True, task_group="t"), Schedule(2), AdvanceMs(10), Schedule(1))
    whole, _ = play(*commands)
    script = Scenario(config=CONFIG, events=tuple(map(ScenarioEvent, commands)))
    engine = Engine(load_config(CONFIG))
    driver.begin(engine)
    place = driver.START
    while not driver.finished(script, place):
        _, place = driver.step(engine, script, place)
    assert snapshot(engine.state) == snapshot(whole.state)
    assert engine.state.now_ns == whole.state.now_ns


def test_a_place_is_a_value_that_can_be_come_back_to():
    script = Scenario(config=CONFIG, events=(ScenarioEvent(NODE), ScenarioEvent(Schedule(2))))
    engine = Engine(load_config(CONFIG))
    driver.begin(engine)
    _, second = driver.step(engine, script, driver.START)
    mark = engine.mark
    first_time, _ = driver.step(engine, script, second)
    engine.unwind(mark)
    assert driver.step(engine, script, second)[0].now_ns == first_time.now_ns


# -- snapshots --------------------------------------------------------------------------------------------------------


def test_a_snapshot_leaves_zero_amounts_out_where_they_mean_nothing_and_keeps_them_in_capacities():
    engine, _ = play(
        AddNode(node_id="n", capacity=Resource(vcore=10, memory=0)),
        AddApplication(application=ApplicationSpec(id="app", queue="root.a", user="sue")),
        AddAllocation(ask=AskSpec(application_id="app", key="k", resource=Resource(vcore=3)), node_id="n"),
    )
    seen = snapshot(engine.state)
    assert seen["nodes"]["n"] == {
        "capacity": {"vcore": 10, "memory": 0},
        "allocated": {"vcore": 3},
        "available": {"vcore": 7},
        "occupied": {},
        "schedulable": True,
        "allocations": ["k"],
        "reservations": [],
    }
    assert seen["queues"]["root.a"]["pending"] == {}
    assert seen["apps"]["app"] == {
        "state": "Running",
        "queue": "root.a",
        "allocated": {"vcore": 3},
        "pending": {},
        "placeholder": {},
    }


def test_a_snapshot_shows_of_completed_applications_state_and_queue_and_of_rejected_ones_the_state():
    engine, _ = play(
        AddApplication(application=ApplicationSpec(id="lost", queue="root.none", user="sue")),
        AddApplication(application=ApplicationSpec(id="app", queue="root.a", user="sue")),
        ask("k", app="app"),
        Release(application_id="app", key="k"),
        AdvanceMs(31_000),
    )
    assert snapshot(engine.state)["apps"] == {"lost": {"state": "Rejected"}, "app": {"state": "Completed", "queue": "root.a"}}


def test_another_pace_has_its_own_times():
    """Messages and cycles take as long as the scenario says, and `Until` ends at its instant, whatever came before."""
    pace = Pace(message_ns=1_000, cycle_ns=0)
    happenings = (NODE, GANG, Schedule(2), Until(5_000_000_000), Until(7), AdvanceMs(1))
    script = Scenario(config=CONFIG, pace=pace, events=tuple(ScenarioEvent(each) for each in happenings))
    engine = Engine(load_config(CONFIG))
    driver.begin(engine, pace)
    assert [item.now_ns for item in driver.items(engine, script)] == [2000, 3000, 4000, 5000, 5 * 10**9, 5 * 10**9, 5_001_001_000]


def test_a_planned_input_interrupts_time_that_passes_up_to_an_instant():
    script = Scenario(config=CONFIG, events=(ScenarioEvent(Until(90 * MS)),), planned=(Planned(40, NODE),))
    engine = Engine(load_config(CONFIG))
    driver.begin(engine)
    assert [item.now_ns // MS for item in driver.items(engine, script)] == [40, 41, 90]


def test_pace_and_instants_are_read_as_they_were_written():
    script = Scenario(config=CONFIG, pace=Pace(1_000, 0), events=(ScenarioEvent(Until(5), index=0),))
    assert parse_scenario(scenario_to_yaml(script)) == script
    assert parse_scenario(scenario_to_json(script), "json") == script
