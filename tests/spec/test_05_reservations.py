"""Chapter 05, sections 9 (node walk), 12 and 13: reservations, and asks that must run on one node."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects import reservations
from workbench.scheduler.records.events import Preempted, Reserved, Unreserved

NO_PREEMPTION = {"enabled": False}
DELAY_S = 2


def full(queues: str = "a: {}\nb: {}", nodes: int = 2, **partition) -> Scene:
    """Nodes of 10 with 6 used on each, by application `load` in root.b."""
    scene = Scene(queues, **{"preemption": NO_PREEMPTION, **partition})
    scene.app("load", "root.b")
    for number in range(1, nodes + 1):
        scene.node(f"n{number}", vcore=10).ask("load", f"load-{number}", on=f"n{number}", vcore=6)
    return scene


def waiting(**fields) -> Scene:
    """Ask `late` (6) of x in root.a, older than the delay, holds a reservation."""
    scene = full().app("x").ask("x", "late", **{"vcore": 6, **fields}).advance(3)
    assert scene.cycle().outcome == "reserved"
    return scene.forget()


def reserved(scene: Scene) -> dict[str, list[str]]:
    """Node -> the ask keys that hold it."""
    return {id: sorted(node.reservations) for id, node in sorted(scene.partition.nodes.items()) if node.reservations}


# -- making one -------------------------------------------------------------------------------------------------------


def test_a_reservation_stands_with_the_ask_the_node_the_leaf_and_the_partition():
    scene = waiting()
    assert scene.application("x").reservations == {"late": "n1"}
    assert scene.on("n1").reservations == {"late": "x"}
    assert scene.queue("root.a").reserved_applications == {"x": 1}
    assert scene.partition.reservation_count == 1


def test_an_ask_holds_one_node_and_a_node_is_held_by_one_ask():
    scene = waiting().ask("x", "second", vcore=6).advance(3)
    assert [scene.cycle().outcome for _ in range(2)] == ["reserved", "nothing"]
    assert reserved(scene) == {"n1": ["late"], "n2": ["second"]}


def test_asks_that_require_a_node_share_it():
    scene = full().app("d").ask("d", "d1", required="n1", vcore=6).ask("d", "d2", required="n1", vcore=6)
    scene.cycles(2)
    assert reserved(scene) == {"n1": ["d1", "d2"]}


@pytest.mark.parametrize("age_s, outcome", [(1.99, "nothing"), (2.0, "nothing"), (2.001, "reserved")])
def test_an_ask_reserves_when_it_is_older_than_two_seconds(age_s, outcome):
    scene = full().app("x").ask("x", "k", vcore=6).advance(age_s - 0.001)
    assert scene.cycle().outcome == outcome


def test_the_age_is_measured_from_the_creation_time():
    scene = full().advance(60).app("x").ask("x", "k", vcore=6, created_ns=0)
    assert scene.cycle().outcome == "reserved"


@pytest.mark.parametrize(
    "spoil, text",
    [
        (lambda scene: scene.cycles(1), "ask already allocated, no reservation allowed"),
        (lambda scene: setattr(scene.application("x"), "reservations", {"k": "n2"}), "reservation already exists"),
        (lambda scene: setattr(scene.on("n1"), "reservations", {"late": "y"}), "node is already reserved"),
        (lambda scene: scene.resize_node("n1", vcore=1), "reservation does not fit on node"),
        (lambda scene: None, None),
    ],
    ids=["allocated", "reserved", "node reserved", "too small", "possible"],
)
def test_why_an_ask_cannot_reserve_a_node(spoil, text):
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=10).node("n2", vcore=10).app("y").ask("y", "late")
    scene.app("x").ask("x", "k", vcore=4, priority=9)
    spoil(scene)
    x = scene.application("x")
    assert reservations.fault(scene.partition, x, scene.on("n1"), x.asks["k"]) == text


def test_an_ask_without_headroom_reserves_nothing():
    scene = Scene("a: {}", preemption=NO_PREEMPTION).node("n1", vcore=10).app("x").ask("x", "a", vcore=6).ask("x", "k", vcore=6)
    scene.cycles(1)
    assert scene.advance(3).cycle().outcome == "nothing"


def test_a_reserved_node_is_invisible_to_the_regular_walk_of_every_ask():
    scene = waiting().ask("x", "small", vcore=1, priority=-1).ask("x", "other", vcore=4, priority=-2)
    scene.cycles(2)
    assert sorted(scene.on("n2").allocations) == ["load-2", "small"]
    assert list(scene.on("n1").allocations) == ["load-1"]


# -- which node -------------------------------------------------------------------------------------------------------


def test_the_lowest_fit_score_wins_although_another_node_lacks_less():
    scene = Scene("a: {}\nb: {}", preemption=NO_PREEMPTION, nodesortpolicy={"type": "binpacking"})
    scene.node("n1", vcore=10, memory=100).node("n2", vcore=10, memory=100).app("load", "root.b")
    scene.ask("load", "l1", on="n1", vcore=9, memory=90).ask("load", "l2", on="n2", vcore=5, memory=5)
    scene.app("x").ask("x", "k", vcore=6, memory=5).advance(3).cycles(1)
    assert reserved(scene) == {"n1": ["k"]}


@pytest.mark.parametrize("policy, first", [("binpacking", "n1"), ("fair", "n2")])
def test_of_equal_fit_scores_the_first_in_node_order_wins(policy, first):
    scene = Scene("a: {}\nb: {}", preemption=NO_PREEMPTION, nodesortpolicy={"type": policy})
    scene.node("n1", vcore=10).node("n2", vcore=10).app("load", "root.b")
    scene.ask("load", "l1", on="n1", vcore=9).ask("load", "l2", on="n2", vcore=2)
    scene.app("x").ask("x", "k", vcore=9).advance(3).cycles(1)
    assert reserved(scene) == {first: ["k"]}


def test_nodes_that_drain_or_are_too_small_are_no_candidates():
    scene = full(nodes=3).resize_node("n1", vcore=5).drain("n2").app("x").ask("x", "k", vcore=6).advance(3)
    scene.cycles(1)
    assert reserved(scene) == {"n3": ["k"]}


def test_when_predicates_refuse_the_best_node_no_other_is_reserved():
    scene = full(nodes=3).app("x").ask("x", "k", vcore=6, allowed=("n3",)).advance(3)
    assert scene.cycle().outcome == "nothing"
    assert reserved(scene) == {}


def test_an_ask_that_holds_a_reservation_makes_no_other():
    scene = waiting()
    assert [scene.cycle().outcome for _ in range(3)] == ["nothing"] * 3


# -- the reserved pass ------------------------------------------------------------------------------------------------


def test_the_reserved_node_is_used_as_soon_as_it_has_room():
    scene = waiting().release("load", "load-1")
    decision = scene.cycle()
    assert (decision.phase, decision.key, decision.node_id) == ("reserved", "late", "n1")
    assert reserved(scene) == {}


def test_another_node_with_room_is_used_and_the_reservation_ends():
    scene = waiting().node("n3", vcore=10)
    decision = scene.cycle()
    assert (decision.phase, decision.key, decision.node_id) == ("reserved", "late", "n3")
    assert reserved(scene) == {}
    assert [(event.key, event.node_id) for event in scene.events if isinstance(event, Unreserved)] == [("late", "n1")]


def test_the_reserved_node_comes_first_even_if_another_has_room():
    scene = waiting().node("n3", vcore=10).release("load", "load-1")
    assert scene.cycle().node_id == "n1"


def test_the_other_nodes_must_be_schedulable_unreserved_and_large_enough():
    scene = waiting().node("n3", vcore=10).drain("n3").node("n4", vcore=5)
    assert scene.cycle().outcome == "nothing"


def test_an_ask_that_requires_its_node_is_tried_nowhere_else():
    scene = full(queues="a: {preemption.policy: disabled}\nb: {preemption.policy: disabled}").app("d")
    scene.ask("d", "daemon", required="n1", vcore=6, may_preempt=False).cycles(1)
    assert reserved(scene) == {"n1": ["daemon"]}
    scene.node("n3", vcore=10)
    assert scene.cycles(1) == []


def test_without_headroom_a_reserved_ask_waits_with_its_reservation():
    scene = full(queues="a: {max: {vcore: 8}}\nb: {}").app("x").ask("x", "late", vcore=6).advance(3)
    scene.cycles(1)
    scene.ask("x", "held", on="n2", vcore=3).release("load", "load-1")
    assert scene.cycle().outcome == "nothing"
    assert reserved(scene) == {"n1": ["late"]}
    scene.release("x", "held")
    assert scene.cycle().key == "late"


def test_a_reservation_whose_ask_runs_already_is_dropped_in_the_next_reserved_pass():
    scene = waiting().node("n3", vcore=10).ask("x", "late", on="n3", vcore=6)
    assert reserved(scene) == {"n1": ["late"]}
    assert scene.cycle().outcome == "nothing"
    scene.ask("x", "k", vcore=1).cycles(1)
    assert reserved(scene) == {}


# -- the end of one ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        lambda scene: scene.release("x", "late"),
        lambda scene: scene.release("x"),
        lambda scene: scene.remove_app("x"),
        lambda scene: scene.remove_node("n1"),
        lambda scene: scene.app("d").ask("d", "daemon", required="n1", vcore=6).cycle(),
    ],
    ids=[
        "the ask is removed",
        "all asks are removed",
        "the application is removed",
        "the node is removed",
        "an ask that requires the node claims it",
    ],
)
def test_a_reservation_ends_when(end):
    scene = waiting()
    end(scene)
    assert [(event.key, event.node_id) for event in scene.events if isinstance(event, Unreserved)] == [("late", "n1")]
    assert scene.on("n2").reservations == {}


def test_a_reservation_never_expires():
    scene = waiting().advance(3600)
    scene.cycles(1)
    assert reserved(scene) == {"n1": ["late"]}


def test_a_reservation_survives_draining_and_is_used_on_the_draining_node():
    scene = waiting().drain("n1").release("load", "load-1")
    decision = scene.cycle()
    assert (decision.key, decision.node_id) == ("late", "n1")


# -- required node ----------------------------------------------------------------------------------------------------


def test_an_unknown_required_node_is_passed_over_and_counts_for_no_backoff():
    scene = Scene("a: {application.unschedasks.backoff: 1}", preemption=NO_PREEMPTION).node("n1", vcore=10).app("x")
    scene.ask("x", "lost", required="nope", priority=1).ask("x", "k")
    assert scene.cycles(1) == ["k"]


def test_every_attempt_cancels_the_normal_reservations_of_the_node_even_if_it_fails():
    scene = waiting().app("d").ask("d", "daemon", required="n1", vcore=6, priority=9)
    scene.cycles(1)
    assert reserved(scene) == {"n1": ["daemon"]}


def test_a_cancelled_ask_may_reserve_another_node_later():
    scene = waiting().app("d").ask("d", "daemon", required="n1", vcore=6, priority=9, may_preempt=False)
    scene.partition.preemption_enabled = False
    scene.cycle()
    scene.ask("load", "load-1", vcore=6)
    scene.cycles(1)
    assert "late" in reserved(scene).get("n2", [])


def test_an_ask_that_requires_a_node_takes_it_at_once_if_it_fits_even_when_draining():
    scene = full().drain("n1").app("d").ask("d", "daemon", required="n1", vcore=4)
    decision = scene.cycle()
    assert (decision.phase, decision.key, decision.node_id) == ("regular", "daemon", "n1")


def test_an_ask_that_requires_a_full_node_reserves_it_at_once():
    scene = full().app("d").ask("d", "daemon", required="n1", vcore=6).forget()
    assert scene.cycle().outcome == "reserved"
    assert [event.key for event in scene.events if isinstance(event, Reserved)] == ["daemon"]


def test_holding_its_reservation_it_leaves_the_turn_to_the_next_ask():
    scene = full().app("d").ask("d", "daemon", required="n1", vcore=6, priority=9).ask("d", "k", vcore=4)
    first, second = scene.cycle(), scene.cycle()
    assert (first.outcome, first.key) == ("reserved", "daemon")
    assert (second.outcome, second.key, second.victims) == ("allocated", "k", ("load-1",))


def test_a_required_node_that_is_too_small_ends_the_pass_for_everything_behind():
    scene = Scene("a: {}\nb: {}", preemption=NO_PREEMPTION).node("n1", vcore=5).node("n2", vcore=20)
    scene.app("x").ask("x", "big", required="n1", vcore=10, priority=5).app("y", "root.b").ask("y", "behind")
    scene.app("z", "root.b").ask("z", "before", priority=9)
    assert scene.cycles(3) == ["before"]
    assert list(scene.queue("root.a").allocating_accepted) == ["x"]
    refusal = next(level for level in scene.cycle().levels if level.subject == "x").candidates[0].refusal
    assert (refusal.code, refusal.fault) == ("W-13", "node-available")
    scene.release("x", "big")
    assert scene.cycles(1) == ["behind"]


def test_room_is_made_once_per_ask_by_preempting_on_the_node():
    scene = Scene("a: {}\nb: {}").node("n1", vcore=10).node("n2", vcore=10).drain("n2")
    scene.app("load", "root.b").ask("load", "six", on="n1", vcore=6)
    scene.app("d").ask("d", "d1", required="n1", vcore=5).ask("d", "d2", required="n1", vcore=5).forget()
    first = scene.cycle()
    assert (first.outcome, first.key, reserved(scene)) == ("reserved", "d1", {"n1": ["d1"]})
    scene.cycle()
    assert [event.victims for event in scene.events if isinstance(event, Preempted)] == [("six",)]
    assert reserved(scene) == {"n1": ["d1", "d2"]}
    assert scene.cycles(2) == ["d1", "d2"]
    assert scene.used("root.a") == 10 and scene.on("n1").available == amounts()
