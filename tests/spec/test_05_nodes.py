"""Chapter 05, sections 10 and 11: the order of the nodes, and what a node must pass to take an ask.

Recorded cases of the scores are in conformance/node_sort.yaml.
"""

from __future__ import annotations

import math

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects import nodes
from workbench.scheduler.passes import fitting

NO_PREEMPTION = {"enabled": False}


def cluster(policy: str = "fair", weights: dict[str, float] | None = None, queues: str = "a: {}") -> Scene:
    sort = {"type": policy, **({"resourceweights": weights} if weights else {})}
    return Scene(queues, preemption=NO_PREEMPTION, nodesortpolicy=sort).app("x")


def visited(scene: Scene, key: str = "k") -> list[str]:
    """The nodes in the order in which one cycle tries them for an ask."""
    level = next(level for level in scene.cycle().levels if (level.kind, level.subject) == ("node", key))
    return [candidate.name for candidate in level.candidates]


def codes(scene: Scene, key: str = "k") -> dict[str, str]:
    """Node -> code of its refusal in one cycle; nodes that are no candidates included."""
    level = next(level for level in scene.cycle().levels if (level.kind, level.subject) == ("node", key))
    found = {candidate.name: candidate.refusal.code for candidate in level.candidates if candidate.refusal is not None}
    return found | {refusal.subject: refusal.code for refusal in level.filtered}


# -- score ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "capacity, used, weights, score",
    [
        ({"vcore": 10, "memory": 10}, {"vcore": 9, "memory": 5}, None, 0.7),
        ({"vcore": 10, "memory": 10}, {"vcore": 9, "memory": 5}, {"vcore": 4, "memory": 1}, 0.82),
        ({"vcore": 10, "memory": 10}, {"vcore": 9, "memory": 5}, {"vcore": 1, "memory": 0.25}, 0.82),
        ({"vcore": 10, "gpu": 4}, {"vcore": 5, "gpu": 4}, None, 0.5),
        ({"vcore": 10, "gpu": 4}, {"vcore": 5, "gpu": 4}, {"gpu": 1}, 1.0),
        ({"vcore": 10}, {"vcore": 5}, {"vcore": 1, "gpu": 5}, 0.5),
        ({"vcore": 10, "memory": 0}, {"vcore": 5}, None, 0.5),
        ({"gpu": 4}, {"gpu": 1}, None, 0.0),
        ({"vcore": 10, "memory": 10}, {"vcore": 5}, {"vcore": 0, "memory": 1}, 0.0),
    ],
    ids=[
        "mean",
        "weighted",
        "only the ratio of the weights counts",
        "type without a weight",
        "weighted type alone",
        "weighted type that the node lacks",
        "none of none",
        "no weighted type",
        "weight of zero",
    ],
)
def test_the_score_is_the_weighted_mean_of_the_used_fractions(capacity, used, weights, score):
    scene = cluster(weights=weights).node("n1", **capacity).ask("x", "k", on="n1", **used)
    assert scene.on("n1").score == pytest.approx(score)


def test_binpacking_scores_one_minus_the_use():
    scene = cluster("binpacking").node("n1", vcore=10, memory=10).ask("x", "k", on="n1", vcore=9, memory=5)
    assert scene.on("n1").score == pytest.approx(0.3)


def test_use_of_a_type_without_capacity_is_infinite():
    scene = cluster().node("n1", vcore=10, memory=0).ask("x", "k", on="n1", vcore=1, memory=5)
    assert scene.on("n1").score == math.inf


def test_use_is_computed_as_one_minus_available_by_capacity_in_doubles():
    scene = cluster(weights={"memory": 1}).node("n1", memory=100).ask("x", "k", on="n1", memory=10)
    assert scene.on("n1").score == 0.09999999999999998


@pytest.mark.parametrize("policy, first", [("fair", "n2"), ("binpacking", "n1")])
def test_fair_takes_the_emptier_node_first_and_binpacking_the_fuller(policy, first):
    scene = cluster(policy).node("n1", vcore=10).node("n2", vcore=10).ask("x", "held", on="n1").ask("x", "k")
    assert visited(scene)[0] == first


def test_ties_go_to_the_smaller_id_byte_by_byte():
    scene = cluster().ask("x", "k")
    for name in ("node-2", "node-10", "node-B", "node-a"):
        scene.node(name, vcore=10)
    assert visited(scene) == ["node-10", "node-2", "node-B", "node-a"]


def test_only_the_percentage_counts_not_the_free_amount():
    scene = cluster().node("huge", vcore=1000).node("small", vcore=10)
    scene.ask("x", "h", on="huge", vcore=200).ask("x", "s", on="small", vcore=1).ask("x", "k")
    assert visited(scene)[0] == "small"


@pytest.mark.parametrize("policy, score", [("fair", 0.2), ("binpacking", 0.8), ("anything", 0.2)])
def test_there_are_two_policies_and_an_unknown_name_means_fair(policy, score):
    scene = cluster().node("n1", vcore=10).ask("x", "k", on="n1", vcore=2)
    assert nodes.score(scene.on("n1"), policy, {}) == pytest.approx(score)


# -- when the score is refreshed --------------------------------------------------------------------------------------

REFRESHING = {
    "an allocation is added": lambda scene: scene.ask("x", "new", on="n1", vcore=1, memory=1),
    "an allocation is removed": lambda scene: scene.release("x", "held"),
    "the capacity changes": lambda scene: scene.resize_node("n1", vcore=20, memory=10),
    "the node drains": lambda scene: scene.drain("n1"),
}
NOT_REFRESHING = {
    "an allocation changes its size": lambda scene: scene.ask("x", "held", vcore=3),
    "foreign load is added": lambda scene: scene.ask("", "f2", on="n1", foreign=True, vcore=1),
    "foreign load changes its size": lambda scene: scene.ask("", "f", on="n1", foreign=True, vcore=1),
    "foreign load is removed": lambda scene: scene.release("", "f"),
    "an open node is opened": lambda scene: scene.undrain("n1"),
    "the capacity is sent again": lambda scene: scene.resize_node("n1", vcore=10, memory=10, gpu=0),
}


def stale() -> Scene:
    """A node with 1 of 10 allocated and 4 foreign cores that its score does not know."""
    scene = cluster().node("n1", vcore=10, memory=10).ask("x", "held", on="n1", vcore=1)
    scene.ask("", "f", on="n1", foreign=True, vcore=4)
    assert scene.on("n1").score == pytest.approx(0.05)
    return scene


@pytest.mark.parametrize("change", REFRESHING.values(), ids=REFRESHING)
def test_the_score_is_refreshed_when(change):
    scene = stale()
    change(scene)
    assert scene.on("n1").score == nodes.score(scene.on("n1"), "fair", {})


@pytest.mark.parametrize("change", NOT_REFRESHING.values(), ids=NOT_REFRESHING)
def test_the_score_stays_as_it_was_when(change):
    scene = stale()
    before = scene.on("n1").score
    change(scene)
    assert scene.on("n1").score == before


def test_a_node_half_filled_by_foreign_load_still_gets_the_next_allocation_under_fair():
    scene = cluster().node("n1", vcore=10).node("n2", vcore=10).ask("", "f", on="n1", foreign=True, vcore=5).ask("x", "k")
    scene.cycles(1)
    assert list(scene.on("n1").allocations) == ["k"]


def test_a_swapped_placeholder_refreshes_the_score():
    scene = cluster().node("n1", vcore=10).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("", "f", on="n1", foreign=True, vcore=5).ask("g", "real", group="tg", vcore=1).cycles(1)
    assert scene.on("n1").score == pytest.approx(0.6)


# -- iterations -------------------------------------------------------------------------------------------------------


def test_the_walk_sees_unschedulable_nodes_and_skips_them_but_no_reserved_ones():
    scene = cluster().node("n1", vcore=10).node("n2", vcore=10).node("n3", vcore=10)
    scene.ask("x", "a", vcore=6).ask("x", "b", vcore=6).ask("x", "c", vcore=6).cycles(3)
    scene.ask("x", "late", vcore=6).advance(3).cycles(1)
    scene.drain("n2").ask("x", "k", vcore=6, priority=-1)
    assert codes(scene) == {"n1": "node-reserved", "n2": "node-unschedulable", "n3": "node-available"}


def test_a_node_too_small_for_the_ask_is_not_tried():
    scene = cluster().node("n1", vcore=2).node("n2", vcore=10).ask("x", "k", vcore=3)
    assert codes(scene) == {"n1": "node-capacity"}


# -- trying a node ----------------------------------------------------------------------------------------------------


def ask_and_node(**fields) -> tuple:
    scene = cluster(queues="a: {max: {vcore: 8}}").node("n1", vcore=10, memory=5).ask("x", "k", **fields)
    return scene.on("n1"), scene.application("x").asks["k"], scene.queue("root.a")


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"vcore": 2}, None),
        ({"vcore": 8, "memory": 5}, None),
        ({"vcore": 11}, "node-available"),
        ({"gpu": 1}, "node-available"),
        ({"vcore": 2, "allowed": ("n2",)}, "node-predicate"),
        ({"vcore": 2, "allowed": ("n2", "n1")}, None),
        ({"vcore": 9}, "queue-max"),
        ({"vcore": 11, "allowed": ("n2",)}, "node-available"),
        ({"vcore": 9, "allowed": ("n2",)}, "node-predicate"),
    ],
    ids=[
        "fits",
        "fits exactly",
        "too large",
        "type that the node lacks",
        "predicate refuses",
        "predicate accepts",
        "over a maximum",
        "room before predicates",
        "predicates before the queues",
    ],
)
def test_the_first_test_that_fails_keeps_an_ask_off_a_node(fields, code):  # section 11
    assert fitting.node_fault(*ask_and_node(**fields)) == code


def test_a_node_reserved_for_others_takes_only_its_own():  # section 11 test 2
    node, ask, leaf = ask_and_node(vcore=2)
    node.reservations["other"] = "y"
    assert fitting.node_fault(node, ask, leaf) == "node-reserved"
    node.reservations["k"] = "x"
    assert fitting.node_fault(node, ask, leaf) is None


def test_the_schedulable_flag_is_not_among_the_tests():
    node, ask, leaf = ask_and_node(vcore=2)
    node.schedulable = False
    assert fitting.node_fault(node, ask, leaf) is None


def test_a_placed_ask_is_on_the_node_in_every_queue_and_in_its_application():  # section 11 step 5
    scene = cluster(queues="a: {}").node("n1", vcore=10).ask("x", "k", vcore=3)
    decision = scene.cycle()
    assert (decision.outcome, decision.node_id, decision.path) == ("allocated", "n1", ("root", "root.a"))
    assert scene.on("n1").allocated == scene.queue("root").allocated == scene.application("x").allocated == amounts(vcore=3)
    assert scene.queue("root").pending == scene.application("x").pending == amounts()


# -- fit score --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "free, need, score",
    [
        ({"vcore": 1}, {"vcore": 9}, 0),
        ({"vcore": 8}, {"vcore": 9}, 0),
        ({"vcore": 1, "memory": 10}, {"vcore": 6, "memory": 5}, 0.5),
        ({"vcore": 5, "memory": 95}, {"vcore": 6, "memory": 5}, 90 / 95),
        ({"vcore": 5, "memory": 95}, {"vcore": 6}, 1),
        ({"vcore": 5, "memory": 95}, {"vcore": 6, "memory": 0}, 1),
        ({"memory": 0}, {"vcore": 6}, 0),
        ({}, {"vcore": 6}, 0),
    ],
    ids=[
        "little free",
        "more free",
        "the better of the documented pair",
        "the worse of it",
        "type not asked for",
        "none asked for",
        "nothing left of a type",
        "nothing left",
    ],
)
def test_the_fit_score_adds_up_what_would_be_left_of_each_free_type(free, need, score):
    scene = cluster().node("n1", **free).ask("x", "k", **need)
    assert fitting.fit_score(scene.on("n1"), scene.application("x").asks["k"]) == pytest.approx(score)
