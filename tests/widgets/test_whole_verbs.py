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
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=3)
    bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=60)
    bench.set("root.tenants", "priority.offset", 7)
    bench.run(max_steps=2)
    bench.undo()
    bench.back(2)
    bench.select("root.tenants")
    return bench


def everything(bench: Workbench) -> tuple:
    sim = bench.simulation
    return (
        sim.digest(),
        sim.position,
        sim.recorded,
        sim.inputs,
        sim.planned,
        sim.played,
        len(sim.said),
        str(bench.to_yaml()),
        bench.name,
        bench.selected,
        bench.selected_request,
        bench.edits,
        bench.view,
        bench.past,
        bench.future,
        bench.calls,
        bench.score,
        bench.differs_at,
        bench.pictures,
        dict(bench.turns),
    )


def reload(bench: Workbench) -> None:
    bench.edits = "reload"
    try:
        bench.set("root.tenants", "priority.offset", 9)
    finally:
        bench.edits = "rerun"


VERBS = {
    "step": lambda bench: bench.step(),
    "cycle": lambda bench: bench.cycle(),
    "advance": lambda bench: bench.advance(70),
    "back": lambda bench: bench.back(),
    "goto": lambda bench: bench.goto(5),
    "reset": lambda bench: bench.reset(),
    "add_request": lambda bench: bench.add_request("new", "k", {"vcore": "1"}, queue="root.system.system-high", repeat=3),
    "add_gang": lambda bench: bench.add_gang("gang", "root.system.system-low", 2, {"vcore": "1"}, at=9),
    "remove_node": lambda bench: bench.remove_node("node-1"),
    "remove_input": lambda bench: bench.remove_input(len(bench.simulation.inputs) + 1),
    "set": lambda bench: bench.set("root.tenants", "priority.offset", 9),
    "set as a reload": reload,
    "add_queue": lambda bench: bench.add_queue("root", "new"),
    "delete_queue": lambda bench: bench.delete_queue("root.tenants"),
    "release": lambda bench: bench.release("1.4"),
    "load": lambda bench: bench.load("two-tenants"),
    "undo": lambda bench: bench.undo(),
    "redo": lambda bench: bench.redo(),
    "predict": lambda bench: bench.predict("nothing"),
    "select": lambda bench: bench.select("root.system"),
}


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
@pytest.mark.parametrize("name", VERBS)
def test_a_verb_that_fails_anywhere_changes_nothing_and_says_so(name, error):  # U-9
    act, bench = VERBS[name], made()
    within = ("bench",) if error is Broken else ("bench", "simulation", "scheduler")
    lines = lines_of(partial(act, made()), within)
    whole = made()
    act(whole)
    before, after = everything(bench), everything(whole)
    failed = 0
    for point in range(POINTS):
        broken_at_line(partial(act, bench), 1 + lines * point // POINTS, error, within)
        found = everything(bench)
        if found != before:
            assert found == after, point  # it came when all was done
            bench = made()
        elif bench.status.is_error:
            failed += 1
            assert error.__name__ in bench.status.text and "unchanged" in bench.status.text
    assert failed


@pytest.mark.parametrize("name", ["step", "add_request", "set", "undo", "run"])
def test_an_interrupt_at_the_very_end_of_a_verb_leaves_no_state_without_its_call(name):
    act = VERBS.get(name, lambda bench: bench.run(max_steps=2))
    whole = made()
    act(whole)
    after = everything(whole)
    lines = lines_of(partial(act, made()), ("bench",))
    for number in range(max(1, lines - 25), lines + 1):
        bench = made()
        before = everything(bench)
        broken_at_line(partial(act, bench), number, KeyboardInterrupt, ("bench",))
        assert everything(bench) in (before, after), number


def test_a_run_that_fails_keeps_its_whole_steps(monkeypatch):  # U-18
    bench, real = Workbench.example("multitenancy"), Simulation.step

    def failing(self):
        if self.position == 4:
            raise Broken("no more steps")
        return real(self)

    monkeypatch.setattr(Simulation, "step", failing)
    with pytest.raises(Broken):
        bench.run()
    assert bench.simulation.position == 4 and "steps taken until then are whole" in bench.status.text
    assert bench.calls[-1] == "bench.run(max_steps=4)"
    monkeypatch.undo()
    other = Workbench.example("multitenancy")
    other.run(max_steps=4)
    assert bench.simulation.digest() == other.simulation.digest()


@pytest.mark.parametrize(
    "look",
    [
        lambda bench: bench.why(),
        lambda bench: bench.why_not("P9"),
        lambda bench: bench.why(step=1),
        lambda bench: bench.what_changed(1, 3),
        lambda bench: bench.table("pending"),
        lambda bench: bench.table("inputs"),
        lambda bench: bench.turns,
        lambda bench: bench.use_since(0),
        lambda bench: bench.why_placed("child-a-1"),
        lambda bench: repr(bench),
        lambda bench: bench.tree_text(),
    ],
)
@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
def test_a_look_that_fails_anywhere_changes_nothing(look, error):  # U-1
    bench = made()
    bench.goto(2)
    within = ("bench", "explain", "simulation/waiting", "simulation/remedies") if error is Broken else ("",)
    fresh = made()
    fresh.goto(2)
    lines = lines_of(partial(look, fresh), within)
    before = everything(bench)
    for point in range(POINTS):
        bench.refresh()
        broken_at_line(partial(look, bench), 1 + lines * point // POINTS, error, within)
        assert everything(bench) == before, point


def test_what_would_help_is_tried_anew_after_an_edit_and_in_every_other_state():
    bench = Workbench.example("multitenancy")
    told = {}
    for _ in range(3):
        for offset in (0, 500, None):
            bench.set("root.tenants.tenant-b", "priority.offset", offset)
            fresh = Workbench.from_yaml(str(bench.to_yaml()))
            fresh.simulation = Simulation.from_scenario(bench.study().scenario)
            told[offset] = str(bench.why_not("P9"))
            assert told[offset] == str(fresh.why_not("P9"))
    assert len(set(told.values())) > 1


def test_of_two_branches_with_one_step_and_one_clock_each_has_its_own_remedies():
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=1)
    bench.add_node("n8", {"vcore": "1"})
    first = bench.simulation.instant
    bench.back()
    bench.step()
    bench.add_node("n9", {"vcore": "16", "memory": "64Gi"})
    assert bench.simulation.instant != first and bench.simulation.instant == bench.simulation.instant
    here = bench.simulation.instant
    bench.why(), bench.why_not("P9"), bench.why(step=1), bench.turns, bench.use_since(0)
    assert bench.simulation.instant == here


# ---- bounds --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [LAST_MS / 1000 + 1, 1e12, 1e300, float("inf"), float("nan"), "soon", None, True])
def test_the_clock_has_an_end_and_says_so(seconds):  # U-9
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=2)
    before = everything(bench)
    with pytest.raises(CommandError, match="hundred years|number of seconds"):
        bench.advance(seconds)
    assert everything(bench) == before
    bench.step()


def test_at_the_end_of_the_clock_everything_goes_on():
    bench = Workbench.example("multitenancy")
    bench.advance(LAST_MS / 1000 - 10)
    bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=LAST_MS / 1000)
    bench.run()
    assert bench.simulation.planned_played == 2 and bench.simulation.now_ns > LAST_MS * 10**6
    bench.cycle(), bench.add_node("n9", {"vcore": "1"}), bench.undo(), bench.back(), bench.step()
    with pytest.raises(CommandError, match="hundred years"):
        bench.advance(1)


@pytest.mark.parametrize("text", ["partitions: []", "partitions: [{name: default}]"])
def test_a_configuration_without_partitions_or_queues_is_an_answer(text):
    with pytest.raises(ConfigError, match="partition"):
        Simulation(text)
    with pytest.raises(ConfigError, match="partition"):
        Workbench.from_yaml(text)
    bench = Workbench.example("multitenancy")
    before = everything(bench)
    for mode in ("rerun", "reload"):
        bench.edits = mode
        with pytest.raises(ConfigError, match="partition"):
            bench.edit_yaml(text)
    bench.edits = "rerun"
    assert everything(bench) == before


def test_nor_can_an_input_take_the_last_partition_away():
    bench = Workbench.example("multitenancy")
    (event,) = [each for each in bench.apply(UpdateConfig(config="partitions: []")) if isinstance(each, ConfigRejected)]
    assert "no partition" in event.reason
    bench.step(), bench.undo(), bench.why()


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
