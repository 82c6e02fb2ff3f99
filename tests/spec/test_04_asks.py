"""Chapter 04, sections 7 to 9: asks and allocations, what the resource manager sends, releases."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.records.commands import AddApplication, AddAsk, ApplicationSpec, AskSpec
from workbench.scheduler.records.events import Allocated, ApplicationUpdated, Ignored, Released


def running() -> Scene:
    """Application x in root.a with allocation `k` of one core on a node of ten."""
    scene = Scene(preemption={"enabled": False}).node("n1", vcore=10).app("x").ask("x", "k")
    scene.cycles(1)
    return scene.forget()


# -- asks -------------------------------------------------------------------------------------------------------------


def test_an_ask_becomes_the_allocation_with_its_key_and_priority():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k", priority=7)
    ask = scene.application("x").asks["k"]
    assert (ask.node_id, ask.allocated) == ("", False)
    scene.cycles(1)
    assert scene.application("x").allocations["k"] is ask
    assert (ask.node_id, ask.allocated, ask.key, ask.priority) == ("n1", True, "k", 7)


def test_one_ask_is_one_allocation():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k")
    assert scene.cycles(3) == ["k"]


@pytest.mark.parametrize(
    "size, reason",
    [
        ({"vcore": 0}, "allocation contains no resources"),
        ({"vcore": 0, "memory": 0}, "allocation contains no resources"),
        ({"vcore": -1}, "allocation contains negative resources"),
        ({"vcore": 2, "memory": -1}, "allocation contains negative resources"),
    ],
    ids=["nothing", "all zero", "negative", "one negative"],
)
def test_an_ask_needs_a_size(size, reason):
    scene = Scene().node("n1", vcore=10).app("x").forget().ask("x", "k", **size)
    assert scene.refused() == [reason]
    assert (scene.application("x").asks, scene.state("x")) == ({}, "New")


def test_an_ask_without_any_type_is_refused_as_well():
    scene = Scene().app("x").send(AddAsk(ask=AskSpec(application_id="x", key="k", resource=amounts())))
    assert scene.refused() == ["allocation contains no resources"]


def test_a_placeholder_without_a_task_group_is_dropped_silently():
    scene = Scene().app("x").forget().ask("x", "k", placeholder=True)
    assert [type(event) for event in scene.events] == [Ignored]
    assert (scene.application("x").asks, scene.state("x")) == ({}, "New")


def test_a_task_group_without_a_placeholder_is_allowed():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k", group="tg")
    assert scene.cycles(1) == ["k"]


def test_an_ask_is_as_old_as_it_says_or_as_its_arrival():
    scene = Scene().advance(10).app("x")
    now = scene.engine.state.now_ns
    scene.ask("x", "new").ask("x", "old", created_ns=5 * 10**9)
    assert (scene.application("x").asks["new"].created_ns, scene.application("x").asks["old"].created_ns) == (now, 5 * 10**9)


def test_released_and_preempted_exclude_each_other():
    scene = Scene(confirm=False).node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=2).cycles(1)
    placeholder = scene.application("g").allocations["g-ph-0"]
    assert (placeholder.released, placeholder.preempted) == (True, False)
    assert placeholder.replacement is scene.application("g").asks["real"]
    # A daemon ask looks for victims on the node: what is released already is none.
    scene.app("d").ask("d", "daemon", required="n1", vcore=4).cycles(3)
    assert (placeholder.released, placeholder.preempted) == (True, False)


def test_an_ask_remembers_that_the_scheduler_tried_it():
    scene = Scene("a: {max: {vcore: 5}}", preemption={"enabled": False}).node("n1", vcore=10).app("x").ask("x", "big", vcore=6)
    assert not scene.application("x").asks["big"].scheduling_attempted
    scene.cycles(1)
    assert scene.application("x").asks["big"].scheduling_attempted


def test_an_ask_counts_why_it_was_not_placed_and_when_last():
    scene = Scene("a: {max: {vcore: 5}}", preemption={"enabled": False}).node("n1", vcore=10).app("x").ask("x", "big", vcore=6)
    scene.cycles(3)
    last = scene.engine.state.now_ns - 101 * 10**6
    assert scene.application("x").asks["big"].log == {"Not enough queue quota": (3, last)}


def test_a_waiting_ask_that_is_sent_again_changes_its_size():
    scene = Scene().app("x").ask("x", "k", vcore=2).ask("x", "k", vcore=5)
    assert scene.application("x").pending == scene.queue("root.a").pending == scene.queue("root").pending == amounts(vcore=5)


def test_a_running_allocation_that_is_sent_again_changes_its_size_everywhere():
    scene = Scene("a: {limits: [{limit: u, users: [user], maxresources: {vcore: 50}}]}").node("n1", vcore=10).app("x")
    scene.ask("x", "k", on="n1", vcore=2).ask("x", "k", vcore=12)
    assert scene.application("x").allocated == scene.queue("root").allocated == scene.on("n1").allocated == amounts(vcore=12)
    assert scene.on("n1").available == amounts(vcore=-2)
    assert scene.partition.users.users["user"].levels["root.a"].usage == amounts(vcore=12)


def too_small() -> Scene:
    """A placeholder of 2 that a larger real ask made useless: it is gone, its ask is still known."""
    scene = Scene().node("n1", vcore=9).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=3).cycle()
    assert "g-ph-0" in scene.application("g").asks and not scene.application("g").allocations
    return scene.forget()


@pytest.mark.parametrize(("size", "change"), [(3, 1), (1, -1)], ids=["larger", "smaller"])
def test_a_placeholder_that_is_gone_and_is_sent_again_moves_all_sums_by_the_difference(size, change):
    scene = too_small().ask("g", "g-ph-0", placeholder=True, group="tg", vcore=size)
    moved = amounts(vcore=change)
    assert scene.application("g").allocated == moved
    assert (scene.used("root.a"), scene.used("root"), scene.on("n1").allocated) == (change, change, moved)
    assert scene.surprises() == [("R-475", "application g", "allocated", moved), ("R-475", "node n1", "allocated", moved)]
    assert any("below zero" in text for text in scene.surprised()) == (change < 0)


def test_a_queue_below_zero_takes_nothing_back():
    scene = too_small().ask("g", "g-ph-0", placeholder=True, group="tg", vcore=1)
    assert scene.cycles(1) == ["real"] and scene.used("root.a") == 2
    scene.forget().release("g", "real")
    assert scene.used("root.a") == 2 and scene.application("g").allocated == amounts(vcore=-1)
    assert scene.surprises() == [("R-424", "queue root.a", "allocated", amounts(vcore=3))]


def test_a_queue_keeps_what_was_booked_as_real_for_a_placeholder_that_ended():
    scene = Scene().node("n1", vcore=9).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=1)
    scene.cycles(1)
    scene.ask("g", "g-ph-0", placeholder=True, group="tg", vcore=2).release("g", "g-ph-0").forget().remove_app("g")
    assert (scene.used("root.a"), scene.used("root"), scene.on("n1").allocated) == (1, 1, amounts())
    assert scene.surprises() == [("R-424", "queue root.a", "allocated", amounts(vcore=1))]


@pytest.mark.parametrize("size", [1, 3])
def test_what_is_being_preempted_goes_on_counting_with_its_old_size(size):
    scene = Scene(confirm=False).node("n1", vcore=2).app("x").app("d").ask("x", "k", vcore=2)
    scene.cycles(1)
    scene.node("n2", vcore=2).ask("d", "daemon", priority=5, required="n1", vcore=2).cycles(2)
    scene.forget().ask("x", "k", vcore=size)
    queue = scene.queue("root.a")
    assert (queue.allocated, queue.preempting) == (amounts(vcore=size), amounts(vcore=2))
    assert scene.surprises() == [("R-475", "queue root.a", "preempting", amounts(vcore=2 - size))]
    scene.release("x", "k")
    assert scene.queue("root.a").preempting == amounts(vcore=2 - size)


def test_only_the_size_of_an_update_counts():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k", priority=3).ask("x", "k", priority=9, required="nope", vcore=2)
    ask = scene.application("x").asks["k"]
    assert (ask.priority, ask.required_node, scene.application("x").priority) == (3, "", 3)
    assert ask.resource == amounts(vcore=2)


def test_a_waiting_ask_that_is_sent_with_a_node_runs_there_unchecked():
    scene = Scene("a: {max: {vcore: 1}}").node("n1", vcore=2).drain("n1").app("x").ask("x", "k", vcore=5).forget()
    scene.ask("x", "k", on="n1", vcore=5)
    assert [event for event in scene.events if isinstance(event, Allocated)] == [Allocated("k", "x", "n1")]
    assert (scene.on("n1").available, scene.used("root.a")) == (amounts(vcore=-3), 5)
    assert scene.application("x").pending == amounts() and scene.state("x") == "Running"


def test_placed_by_the_resource_manager_it_has_the_size_that_is_sent_then():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k", vcore=5).ask("x", "k", on="n1", vcore=2)
    assert (scene.application("x").allocated, scene.application("x").pending) == (amounts(vcore=2), amounts())


def test_a_task_group_counts_its_placeholders_and_keeps_the_size_of_the_first():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2)
    group = scene.application("g").task_groups["tg"]
    assert (group.name, group.size, group.count, group.replaced, group.timed_out) == ("tg", amounts(vcore=2), 2, 0, 0)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycles(1)
    scene.release("g", "g-ph-1")
    assert (group.count, group.replaced, group.timed_out) == (2, 1, 1)


# -- messages ---------------------------------------------------------------------------------------------------------


def test_a_refused_ask_keeps_no_other_from_being_taken():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "bad", vcore=0).ask("x", "good")
    assert scene.cycles(1) == ["good"]


@pytest.mark.parametrize(
    "message, reason",
    [
        (lambda scene: scene.ask("no", "k"), "failed to find application no"),
        (lambda scene: scene.ask("no", "k", on="no"), "failed to find application no"),
        (lambda scene: scene.ask("x", "k", on="no"), "failed to find node no"),
        (lambda scene: scene.ask("x", "k", on="no", vcore=0), "failed to find node no"),
        (lambda scene: scene.ask("x", "k", on="n1", vcore=0), "allocation contains no resources"),
    ],
    ids=["application", "application before node", "node", "node before size", "size"],
)
def test_what_is_unknown_is_named(message, reason):
    scene = Scene().node("n1", vcore=10).app("x").forget()
    message(scene)
    assert scene.refused() == [reason]


def test_a_message_for_an_unknown_partition_is_a_mistake_of_the_caller():
    from workbench.values.errors import CommandError

    with pytest.raises(CommandError, match="no partition 'gpu'; the configuration has: default"):
        Scene().send(AddApplication(application=ApplicationSpec(id="x"), partition="gpu"))


# -- releases ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type", ["STOPPED_BY_RM", "UNKNOWN_TERMINATION_TYPE"])
def test_the_resource_manager_stops_an_allocation_and_its_ask_and_gets_an_answer(type):
    scene = running().release("x", "k", type)
    assert [event for event in scene.events if isinstance(event, Released)] == [Released("k", "x", "STOPPED_BY_RM")]
    assert scene.application("x").asks == scene.application("x").allocations == {}


def test_a_confirmed_time_out_removes_the_allocation_and_keeps_the_record_of_the_ask():
    scene = running().ask("x", "k2").release("x", "k", "TIMEOUT")
    assert scene.released() == []
    assert (list(scene.application("x").allocations), list(scene.application("x").asks)) == ([], ["k", "k2"])


def test_a_confirmed_preemption_removes_both_without_an_answer():
    scene = running().release("x", "k", "PREEMPTED_BY_SCHEDULER")
    assert scene.released() == []
    assert scene.application("x").asks == scene.application("x").allocations == {}


def test_a_confirmed_replacement_is_answered_with_the_real_allocation():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=2).forget().cycles(1)
    assert [event for event in scene.events if isinstance(event, Released | Allocated)] == [
        Released("g-ph-0", "g", "PLACEHOLDER_REPLACED", "replacing allocationKey: real"),
        Allocated("real", "g", "n1"),
    ]


def test_a_release_without_a_key_is_for_all_allocations_and_asks():
    scene = running().ask("x", "k2", on="n1").ask("x", "wait", vcore=20).release("x")
    assert scene.released() == ["k", "k2"]
    assert scene.application("x").asks == {} and scene.application("x").pending == amounts()
    assert scene.state("x") == "Completing"


def test_a_time_out_without_a_key_leaves_the_asks():
    scene = running().ask("x", "wait", vcore=20).release("x", "", "TIMEOUT")
    assert list(scene.application("x").asks) == ["k", "wait"]
    assert scene.application("x").allocations == {}


def test_everything_of_an_application_is_released_as_replaced_too_where_the_core_crashes():
    scene = running().ask("x", "waits", vcore=99).forget().release("x", "", "PLACEHOLDER_REPLACED")
    assert not scene.application("x").allocations and not scene.application("x").asks
    assert (scene.states("x"), scene.used("root.a"), scene.released()) == (["Completing"], 0, [])
    assert [rule for rule, *_ in scene.surprises()] == ["R-494"]


def test_only_asks_are_released_as_replaced_without_a_surprise():
    scene = Scene().node("n1", vcore=1).app("x").ask("x", "k", vcore=9).forget().release("x", "", "PLACEHOLDER_REPLACED")
    assert (scene.states("x"), scene.surprises()) == (["Completing"], [])


def test_a_replacement_of_everything_leaves_the_real_one_to_nobody():
    scene = Scene(confirm=False).node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=1).cycle()
    scene.forget().release("g", "", "PLACEHOLDER_REPLACED")
    assert (scene.placed(), scene.states("g"), scene.used("root.a")) == (["real"], ["Completing"], 1)
    assert list(scene.on("n1").allocations) == ["real"] and not scene.application("g").allocations
    assert scene.surprises() == [("R-491", "queue root.a", "allocated", amounts(vcore=1))]


def test_a_waiting_ask_cannot_time_out():
    scene = Scene().app("x").ask("x", "k").forget().release("x", "k", "TIMEOUT")
    assert list(scene.application("x").asks) == ["k"]
    assert scene.released() == []


@pytest.mark.parametrize("app, key", [("no", "k"), ("no", ""), ("x", "no")])
def test_a_release_of_something_unknown_is_ignored(app, key):
    scene = running().release(app, key)
    assert not [event for event in scene.events if not isinstance(event, Ignored)]
    assert scene.used("root.a") == 1


def test_the_state_changes_before_the_answer_and_before_the_ask_disappears():
    scene = running().release("x", "k")
    assert [type(event) for event in scene.events] == [ApplicationUpdated, Released]


def test_a_replacement_that_nothing_is_linked_to_is_a_plain_removal():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.forget().release("g", "g-ph-0", "PLACEHOLDER_REPLACED")
    assert scene.placed() == [] and scene.application("g").placeholder_allocated == amounts()
