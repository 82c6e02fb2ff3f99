"""A verb of the workbench happens as a whole or not at all, wherever it fails; what is known of one state is told of no other."""

from __future__ import annotations

from functools import partial

import pytest
from breaking import Broken, broken_at_line, lines_of

from workbench import CommandError, ConfigError, Workbench
from workbench.scheduler import invariants
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, UpdateConfig
from workbench.scheduler.records.events import ConfigRejected
from workbench.simulation.scenario.model import LAST_MS
from workbench.simulation.simulation import Simulation
from workbench.values.resources import Resource

POINTS = 12


def made() -> Workbench:
    wb = Workbench.example("multitenancy")
    wb.run(max_steps=3)
    wb.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=60)
    wb.set("root.tenants", "priority.offset", 7)
    wb.run(max_steps=2)
    wb.undo()
    wb.back(2)
    wb.select("root.tenants")
    return wb


def everything(wb: Workbench) -> tuple:
    sim = wb.simulation
    return (
        sim.digest(),
        sim.position,
        sim.recorded,
        sim.inputs,
        sim.planned,
        sim.played,
        len(sim.said),
        str(wb.to_yaml()),
        wb.name,
        wb.selected,
        wb.selected_request,
        wb.edits,
        wb.view,
        wb.past,
        wb.future,
        wb.calls,
        wb.score,
        wb.differs_at,
        wb.pictures,
        dict(wb.turns),
    )


def reload(wb: Workbench) -> None:
    wb.edits = "reload"
    try:
        wb.set("root.tenants", "priority.offset", 9)
    finally:
        wb.edits = "rerun"


VERBS = {
    "step": lambda wb: wb.step(),
    "cycle": lambda wb: wb.cycle(),
    "advance": lambda wb: wb.advance(70),
    "back": lambda wb: wb.back(),
    "goto": lambda wb: wb.goto(5),
    "reset": lambda wb: wb.reset(),
    "add_request": lambda wb: wb.add_request("new", "k", {"vcore": "1"}, queue="root.system.system-high", repeat=3),
    "add_gang": lambda wb: wb.add_gang("gang", "root.system.system-low", 2, {"vcore": "1"}, at=9),
    "remove_node": lambda wb: wb.remove_node("node-1"),
    "remove_input": lambda wb: wb.remove_input(len(wb.simulation.inputs) + 1),
    "set": lambda wb: wb.set("root.tenants", "priority.offset", 9),
    "set as a reload": reload,
    "add_queue": lambda wb: wb.add_queue("root", "new"),
    "delete_queue": lambda wb: wb.delete_queue("root.tenants"),
    "release": lambda wb: wb.release("1.4"),
    "load": lambda wb: wb.load("two-tenants"),
    "undo": lambda wb: wb.undo(),
    "redo": lambda wb: wb.redo(),
    "predict": lambda wb: wb.predict("nothing"),
    "select": lambda wb: wb.select("root.system"),
}


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
@pytest.mark.parametrize("name", VERBS)
def test_a_verb_that_fails_anywhere_changes_nothing_and_says_so(name, error):  # U-9
    act, wb = VERBS[name], made()
    within = ("bench",) if error is Broken else ("bench", "simulation", "scheduler")
    lines = lines_of(partial(act, made()), within)
    whole = made()
    act(whole)
    before, after = everything(wb), everything(whole)
    failed = 0
    for point in range(POINTS):
        broken_at_line(partial(act, wb), 1 + lines * point // POINTS, error, within)
        found = everything(wb)
        if found != before:
            assert found == after, point  # it came when all was done
            wb = made()
        elif wb.status.is_error:
            failed += 1
            assert error.__name__ in wb.status.text and "unchanged" in wb.status.text
    assert failed


@pytest.mark.parametrize("name", ["step", "add_request", "set", "undo", "run"])
def test_an_interrupt_at_the_very_end_of_a_verb_leaves_no_state_without_its_call(name):
    act = VERBS.get(name, lambda wb: wb.run(max_steps=2))
    whole = made()
    act(whole)
    after = everything(whole)
    lines = lines_of(partial(act, made()), ("bench",))
    for number in range(max(1, lines - 25), lines + 1):
        wb = made()
        before = everything(wb)
        broken_at_line(partial(act, wb), number, KeyboardInterrupt, ("bench",))
        assert everything(wb) in (before, after), number


def test_a_run_that_fails_keeps_its_whole_steps(monkeypatch):  # U-18
    wb, real = Workbench.example("multitenancy"), Simulation.step

    def failing(self):
        if self.position == 4:
            raise Broken("no more steps")
        return real(self)

    monkeypatch.setattr(Simulation, "step", failing)
    with pytest.raises(Broken):
        wb.run()
    assert wb.simulation.position == 4 and "steps taken until then are whole" in wb.status.text
    assert wb.calls[-1] == "bench.run(max_steps=4)"
    monkeypatch.undo()
    other = Workbench.example("multitenancy")
    other.run(max_steps=4)
    assert wb.simulation.digest() == other.simulation.digest()


@pytest.mark.parametrize(
    "look",
    [
        lambda wb: wb.why(),
        lambda wb: wb.why_not("P9"),
        lambda wb: wb.why(step=1),
        lambda wb: wb.what_changed(1, 3),
        lambda wb: wb.table("pending"),
        lambda wb: wb.table("inputs"),
        lambda wb: wb.turns,
        lambda wb: wb.use_since(0),
        lambda wb: wb.why_placed("child-a-1"),
        lambda wb: repr(wb),
        lambda wb: wb.tree_text(),
    ],
)
@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
def test_a_look_that_fails_anywhere_changes_nothing(look, error):  # U-1
    wb = made()
    wb.goto(2)
    within = ("bench", "explain", "simulation/waiting", "simulation/remedies") if error is Broken else ("",)
    fresh = made()
    fresh.goto(2)
    lines = lines_of(partial(look, fresh), within)
    before = everything(wb)
    for point in range(POINTS):
        wb.refresh()
        broken_at_line(partial(look, wb), 1 + lines * point // POINTS, error, within)
        assert everything(wb) == before, point


def test_what_would_help_is_tried_anew_after_an_edit_and_in_every_other_state():
    wb = Workbench.example("multitenancy")
    told = {}
    for _ in range(3):
        for offset in (0, 500, None):
            wb.set("root.tenants.tenant-b", "priority.offset", offset)
            fresh = Workbench.from_yaml(str(wb.to_yaml()))
            fresh.simulation = Simulation.from_scenario(wb.study().scenario)
            told[offset] = str(wb.why_not("P9"))
            assert told[offset] == str(fresh.why_not("P9"))
    assert len(set(told.values())) > 1


def test_of_two_branches_with_one_step_and_one_clock_each_has_its_own_remedies():
    wb = Workbench.example("multitenancy")
    wb.run(max_steps=1)
    wb.add_node("n8", {"vcore": "1"})
    first = wb.simulation.instant
    wb.back()
    wb.step()
    wb.add_node("n9", {"vcore": "16", "memory": "64Gi"})
    assert wb.simulation.instant != first and wb.simulation.instant == wb.simulation.instant
    here = wb.simulation.instant
    wb.why(), wb.why_not("P9"), wb.why(step=1), wb.turns, wb.use_since(0)
    assert wb.simulation.instant == here


# ---- bounds --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [LAST_MS / 1000 + 1, 1e12, 1e300, float("inf"), float("nan"), "60", None, True])
def test_the_clock_has_an_end_and_says_so(seconds):  # U-9
    wb = Workbench.example("multitenancy")
    wb.run(max_steps=2)
    before = everything(wb)
    with pytest.raises(CommandError, match="hundred years|number of seconds"):
        wb.advance(seconds)
    assert everything(wb) == before
    wb.step()


def test_at_the_end_of_the_clock_everything_goes_on():
    wb = Workbench.example("multitenancy")
    wb.advance(LAST_MS / 1000 - 10)
    wb.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=LAST_MS / 1000)
    wb.run()
    assert wb.simulation.planned_played == 2 and wb.simulation.now_ns > LAST_MS * 10**6
    wb.cycle(), wb.add_node("n9", {"vcore": "1"}), wb.undo(), wb.back(), wb.step()
    with pytest.raises(CommandError, match="hundred years"):
        wb.advance(1)


@pytest.mark.parametrize("text", ["partitions: []", "partitions: [{name: default}]"])
def test_a_configuration_without_partitions_or_queues_is_an_answer(text):
    with pytest.raises(ConfigError, match="partition"):
        Simulation(text)
    with pytest.raises(ConfigError, match="partition"):
        Workbench.from_yaml(text)
    wb = Workbench.example("multitenancy")
    before = everything(wb)
    for mode in ("rerun", "reload"):
        wb.edits = mode
        with pytest.raises(ConfigError, match="partition"):
            wb.edit_yaml(text)
    wb.edits = "rerun"
    assert everything(wb) == before


def test_nor_can_an_input_take_the_last_partition_away():
    wb = Workbench.example("multitenancy")
    (event,) = [each for each in wb.apply(UpdateConfig(config="partitions: []")) if isinstance(each, ConfigRejected)]
    assert "no partition" in event.reason
    wb.step(), wb.undo(), wb.why()


TWO = """
partitions:
- name: default
  queues: [{name: root, submitacl: "*", queues: [{name: a}]}]
- name: other
  queues: [{name: root, submitacl: "*", queues: [{name: a}]}]
"""


def test_what_waits_for_a_partition_that_is_gone_by_then_is_ignored_and_said():
    sim = Simulation(TWO)
    sim.plan(AddNode(node_id="late", capacity=Resource(vcore=1000), partition="other"), 60_000)
    sim.apply(UpdateConfig(config=TWO[: TWO.index("- name: other")]))
    with pytest.raises(CommandError, match="no partition 'other'"):
        sim.plan(AddNode(node_id="late", capacity=Resource(vcore=1000), partition="other"), 60_000)
    sim.advance(70)
    assert sim.planned_played == 1 and "no partition 'other'" in sim.said[-1].event.reason
    before = sim.digest()
    sim.step(), sim.preview()
    sim.goto(0)
    assert sim.digest() == before


@pytest.mark.parametrize("style", ["Hard", "Soft"])
@pytest.mark.parametrize("seconds", [1, 3, 40])
def test_a_gang_past_its_time_out_does_not_hold_up_a_partition_that_goes(style, seconds):  # C-150, R-721
    sim = Simulation(TWO)
    gang = ApplicationSpec(
        id="g", queue="root.a", user="u", placeholder_ask=Resource(vcore=2000), gang_style=style, execution_timeout_ns=2 * 10**9
    )
    sim.apply(AddNode(node_id="n", capacity=Resource(vcore=4000), partition="other"))
    sim.apply(AddApplication(application=gang, partition="other"))
    ask = AskSpec(application_id="g", key="p", resource=Resource(vcore=1000), task_group="t", placeholder=True)
    sim.apply(AddAsk(ask=ask, partition="other"))
    sim.run()
    sim.advance(seconds)
    sim.apply(UpdateConfig(config=TWO[: TWO.index("- name: other")]))
    sim.advance(100)
    assert list(sim.state.partitions) == ["default"]
    assert not invariants.check(sim.state)


def test_a_configuration_with_a_root_and_nothing_else_schedules_nothing():
    sim = Simulation("partitions: [{name: default, queues: []}]")
    assert sim.step().outcome == "nothing"
