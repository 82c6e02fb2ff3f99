"""Chapter 05, section 4: which child queue comes first.

Recorded cases of the same order are in conformance/queue_sort.yaml.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.policies import fair_maximum

NO_PREEMPTION = {"enabled": False}


def scene_of(queues: str, *, vcore: float = 100, memory: int = 0) -> Scene:
    return Scene(queues, preemption=NO_PREEMPTION).node("n1", vcore=vcore, memory=memory)


def load(scene: Scene, queue: str, *, priority: int = 0, pending: dict | None = None, **allocated: float) -> None:
    """One application in root.<queue> that holds `allocated` and waits for `pending`, or for 50 cores."""
    scene.app(queue, f"root.{queue}")
    if allocated:
        scene.ask(queue, f"{queue}-held", on="n1", **allocated)
    scene.ask(queue, f"{queue}-wait", priority=priority, **(pending or {"vcore": 50}))


def ranked(scene: Scene, parent: str = "root") -> list:
    """(key, name) of the children of a queue in the order in which one cycle comes to them."""
    level = next(level for level in scene.cycle().levels if (level.kind, level.subject) == ("queue", parent))
    return [(candidate.key, candidate.name) for candidate in level.candidates]


def names(scene: Scene, parent: str = "root") -> list[str]:
    return [name for _, name in ranked(scene, parent)]


def shares(scene: Scene, parent: str = "root") -> dict[str, float]:
    return {name: key.share for key, name in ranked(scene, parent)}


# -- filter -----------------------------------------------------------------------------------------------------------


def test_children_that_are_stopped_or_wait_for_nothing_are_left_out():
    scene = scene_of("a: {}\nb: {}\nc: {}")
    load(scene, "a")
    load(scene, "c")
    scene.queue("root.c").status = "Stopped"
    level = scene.cycle().levels[0]
    assert [each.name for each in level.candidates] == ["a"]
    assert {each.subject: each.code for each in level.filtered} == {"b": "A-03", "c": "W-02"}


def test_a_draining_child_stays():
    scene = scene_of("a: {}\nb: {}")
    load(scene, "a")
    scene.reload("b: {}", preemption=NO_PREEMPTION)
    assert names(scene) == ["a"]


# -- share ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "queue, allocated, share",
    [
        ("{}", {}, 0),
        ("{}", {"vcore": 10}, 0.1),
        ("{max: {vcore: 20}}", {"vcore": 10}, 0.5),
        ("{guaranteed: {vcore: 40}}", {"vcore": 10}, 0.25),
        ("{guaranteed: {vcore: 5}, max: {vcore: 20}}", {"vcore": 10}, 2.0),
        ("{guaranteed: {memory: 10}, max: {vcore: 20}}", {"vcore": 10, "memory": 4}, 0.5),
        ("{guaranteed: {memory: 10}, max: {vcore: 20}}", {"vcore": 4, "memory": 8}, 0.8),
        ("{guaranteed: {vcore: 0, memory: 10}}", {"vcore": 1}, 1.0),
        ("{max: {vcore: 0, memory: 90}}", {"vcore": 1}, 1.0),
        ("{max: {gpu: 4}}", {"gpu": 1}, 0.25),
        ("{}", {"gpu": 3}, 0),
    ],
    ids=[
        "nothing",
        "of the cluster",
        "of the maximum",
        "of the guarantee before the maximum",
        "above one",
        "largest type, by maximum",
        "largest type, by guarantee",
        "guarantee of zero in use",
        "maximum of zero in use",
        "type that only the queue knows",
        "type that nobody knows",
    ],
)
def test_the_share_is_the_largest_ratio_of_use_to_guarantee_or_else_to_the_fair_maximum(queue, allocated, share):
    scene = scene_of(f"a: {queue}", memory=100)
    load(scene, "a", **allocated)
    assert shares(scene)["a"] == pytest.approx(share)


def test_only_the_guarantee_of_the_queue_itself_counts():
    scene = scene_of("p: {guaranteed: {vcore: 10}, a: {}}")
    load(scene, "p.a", vcore=10)
    levels = scene.cycle().levels
    assert [(level.subject, level.candidates[0].key.share) for level in levels[:2]] == [("root", 1.0), ("root.p", 0.1)]


@pytest.mark.parametrize(
    "queues, expected",
    [
        ("p: {a: {}}", amounts(vcore=100, memory=50)),
        ("p: {max: {vcore: 40}, a: {}}", amounts(vcore=40, memory=50)),
        ("p: {max: {vcore: 40}, a: {max: {vcore: 30, memory: 20}}}", amounts(vcore=30, memory=20)),
        ("p: {max: {memory: 400}, a: {}}", amounts(vcore=100, memory=400)),
        ("p: {a: {max: {vcore: 9, memory: 0, gpu: 2}}}", amounts(vcore=9, memory=0, gpu=2)),
    ],
    ids=["of the cluster", "of the parent", "own", "upwards", "zero and unknown types"],
)
def test_the_fair_maximum_is_the_parents_with_every_type_of_the_own_maximum_overriding_it(queues, expected):
    scene = scene_of(queues, memory=50)
    above = fair_maximum(fair_maximum(None, scene.queue("root")), scene.queue("root.p"))
    assert fair_maximum(above, scene.queue("root.p.a")) == expected


def test_an_empty_fair_maximum_stays_empty():
    scene = Scene("a: {max: {vcore: 5}}")
    assert fair_maximum(fair_maximum(None, scene.queue("root")), scene.queue("root.a")) is None


# -- keys -------------------------------------------------------------------------------------------------------------


def test_priority_comes_before_the_share():
    scene = scene_of("a: {}\nb: {}")
    load(scene, "a", priority=1, vcore=10)
    load(scene, "b", vcore=5)
    assert names(scene) == ["a", "b"]


def test_with_priorities_disabled_on_the_parent_the_share_comes_first():
    scene = scene_of("p: {application.sort.priority: disabled, a: {}, b: {}}")
    load(scene, "p.a", priority=1, vcore=10)
    load(scene, "p.b", vcore=5)
    assert names(scene, "root.p") == ["b", "a"]


def test_disabled_priorities_still_decide_equal_shares():
    scene = scene_of("p: {application.sort.priority: disabled, a: {}, b: {}}")
    load(scene, "p.a", vcore=5)
    load(scene, "p.b", vcore=5, priority=1)
    assert names(scene, "root.p") == ["b", "a"]


@pytest.mark.parametrize(
    "left, right, first",
    [
        ({"vcore": 5}, {"vcore": 6}, "b"),
        ({"vcore": 6}, {"vcore": 5}, "a"),
        ({"vcore": 5}, {"vcore": 5}, "a"),
        ({"vcore": 5, "memory": 1}, {"vcore": 6}, "a"),
        ({"vcore": 5}, {"vcore": 5, "memory": 1}, "b"),
    ],
    ids=["larger", "smaller", "equal", "incomparable", "one type more"],
)
def test_of_equal_queues_the_one_whose_pending_dominates_comes_first(left, right, first):
    scene = scene_of("a: {}\nb: {}")
    load(scene, "a", pending=left)
    load(scene, "b", pending=right)
    assert names(scene)[0] == first


def test_queues_equal_in_everything_keep_the_order_of_their_creation():
    scene = scene_of("c: {}\na: {}\nb: {}")
    for name in "bca":
        load(scene, name)
    assert names(scene) == ["c", "a", "b"]


@pytest.mark.parametrize("base, expected", [("xyz", "xyz"), ("xzy", "zxy")])
def test_dominance_is_a_partial_order_so_the_creation_order_can_matter(base, expected):
    scene = scene_of("\n".join(f"{name}: {{}}" for name in base))
    for name, pending in (("x", {"vcore": 5}), ("y", {"memory": 5}), ("z", {"vcore": 6})):
        load(scene, name, pending=pending)
    assert "".join(names(scene)) == expected


@pytest.mark.parametrize("base", ["".join(each) for each in permutations("abc")])
def test_every_queue_is_measured_by_its_own_fair_maximum_whatever_the_base_order(base):
    limits = {"a": 100, "b": 20, "c": 50}
    scene = scene_of("\n".join(f"{name}: {{max: {{memory: {limits[name]}}}}}" for name in base), memory=100)
    for name, held in (("a", 40), ("b", 10), ("c", 15)):
        load(scene, name, memory=held)
    assert "".join(names(scene)) == "cab"


@pytest.mark.parametrize("policy", ["fifo", "fair"])
def test_parents_know_no_other_order_whatever_policy_they_name(policy):
    scene = scene_of(f"p: {{application.sort.policy: {policy}, a: {{}}, b: {{}}}}")
    load(scene, "p.a", vcore=10)
    load(scene, "p.b", vcore=5)
    assert names(scene, "root.p") == ["b", "a"]


def test_the_key_names_what_decided():
    scene = scene_of("a: {}\nb: {}")
    load(scene, "a", pending={"vcore": 1})
    load(scene, "b", pending={"vcore": 2})
    (first, _), (second, _) = ranked(scene)
    assert (first._fields, first.pending, second.pending) == (("priority", "share", "pending", "seq"), 0, 1)
