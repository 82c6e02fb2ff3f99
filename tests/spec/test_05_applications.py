"""Chapter 05, sections 5 to 7: which application comes first, which may run, and how much room it sees.

Recorded cases of the order are in conformance/app_sort.yaml.
"""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects.limits import queue_headroom, user_headroom
from workbench.scheduler.objects.outstanding import outstanding_requests
from workbench.scheduler.passes.descent import held_back
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Noticed
from workbench.scheduler.records.journal import Journal

NO_PREEMPTION = {"enabled": False}
OFF = "application.sort.priority: disabled"


def leaf(properties: str = "", guaranteed: str = "") -> Scene:
    parts = [properties, f"guaranteed: {{{guaranteed}}}" if guaranteed else ""]
    return Scene(f"a: {{{', '.join(part for part in parts if part)}}}", preemption=NO_PREEMPTION).node("n1", vcore=100, memory=100)


def load(scene: Scene, name: str, priority: int = 0, **allocated: float) -> None:
    """An application that waits for one core and holds `allocated`."""
    scene.app(name)
    if allocated:
        scene.ask(name, f"{name}-held", on="n1", **allocated)
    scene.ask(name, f"{name}-wait", priority=priority)


def names(scene: Scene, leaf: str = "root.a") -> list[str]:
    """The applications of a leaf in the order in which the regular pass of one cycle comes to them."""
    level = next(
        level
        for level in scene.cycle().levels
        if (level.kind, level.subject) == ("application", leaf) and level.policy != "placeholders"
    )
    return [candidate.name for candidate in level.candidates]


def may_run(scene: Scene, name: str) -> bool:
    return held_back(scene.engine._ctx, scene.partition, scene.application(name)) is None


# -- order ------------------------------------------------------------------------------------------------------------


def test_applications_that_wait_for_nothing_are_left_out_and_placeholders_count_as_waiting():
    scene = leaf()
    load(scene, "x")
    scene.app("idle").app("g", gang={"vcore": 9}).placeholders("g", 1, vcore=1)
    assert names(scene) == ["x", "g"]


def test_fifo_takes_the_higher_priority_and_then_the_older_application():
    scene = leaf("application.sort.policy: fifo")
    for name, priority in (("old", 0), ("urgent", 2), ("young", 0), ("late-urgent", 2)):
        load(scene, name, priority)
    assert names(scene) == ["urgent", "late-urgent", "old", "young"]


def test_fifo_without_priorities_takes_the_older_application():
    scene = leaf(f"application.sort.policy: fifo, {OFF}")
    for name, priority in (("old", 0), ("urgent", 2)):
        load(scene, name, priority)
    assert names(scene) == ["old", "urgent"]


def test_fifo_without_priorities_settles_equal_ages_by_priority():
    scene = leaf(f"application.sort.policy: fifo, {OFF}")
    for name, priority in (("x", 0), ("urgent", 2)):
        scene.app(name).ask(name, f"{name}-k", priority=priority, created_ns=0)
    assert names(scene) == ["urgent", "x"]


def test_fair_takes_the_higher_priority_and_then_the_smaller_use_and_never_the_age():
    scene = leaf("application.sort.policy: fair", "vcore: 10")
    load(scene, "large", vcore=5)
    load(scene, "small", vcore=2)
    load(scene, "urgent", priority=1, vcore=9)
    assert names(scene) == ["urgent", "small", "large"]


def test_fair_without_priorities_takes_the_smaller_use_and_then_the_higher_priority():
    scene = leaf(f"application.sort.policy: fair, {OFF}", "vcore: 10")
    load(scene, "large", priority=9, vcore=5)
    load(scene, "small", vcore=2)
    load(scene, "urgent-small", priority=1, vcore=2)
    assert names(scene) == ["urgent-small", "small", "large"]


def test_priorities_disabled_on_a_parent_are_disabled_in_its_leaves_unless_they_say_otherwise():
    scene = Scene(f"p: {{{OFF}, a: {{}}, b: {{application.sort.priority: enabled}}}}", preemption=NO_PREEMPTION)
    scene.node("n1", vcore=1)
    for queue in "ab":
        for name, priority in (("old", 0), ("urgent", 1)):
            scene.app(f"{queue}-{name}", f"root.p.{queue}").ask(f"{queue}-{name}", f"{queue}-{name}", priority=priority, vcore=2)
    assert names(scene, "root.p.a") == ["a-old", "a-urgent"]
    assert names(scene, "root.p.b") == ["b-urgent", "b-old"]


def test_applications_equal_in_everything_keep_the_order_of_their_creation():
    scene = leaf("application.sort.policy: fair")
    for name in "cab":
        load(scene, name)
    assert names(scene) == ["c", "a", "b"]


@pytest.mark.parametrize(
    "guaranteed, x, y, first",
    [
        ("vcore: 10, memory: 10", {"vcore": 5, "memory": 1}, {"vcore": 1, "memory": 4}, "y"),
        ("vcore: 10, memory: 10", {"vcore": 5, "memory": 1}, {"vcore": 5, "memory": 2}, "x"),
        ("vcore: 10, memory: 10", {"vcore": 5}, {"vcore": 5, "memory": 2}, "x"),
        ("vcore: 10", {"vcore": 9}, {"vcore": 1, "memory": 2}, "x"),
        ("", {"memory": 90}, {"vcore": 1}, "x"),
    ],
    ids=[
        "largest share first",
        "then the second largest",
        "a missing one counts as none",
        "no guarantee: the raw amount",
        "so the type with the large numbers decides alone",
    ],
)
def test_usage_compares_the_shares_from_the_largest_on(guaranteed, x, y, first):
    scene = leaf("application.sort.policy: fair", guaranteed)
    load(scene, "y", **y)
    load(scene, "x", **x)
    assert names(scene)[0] == first


def test_placeholders_do_not_count_as_use():
    scene = leaf("application.sort.policy: fair", "vcore: 10")
    load(scene, "y", vcore=2)
    load(scene, "x", vcore=1)
    scene.ask("x", "ph", on="n1", placeholder=True, group="tg", vcore=9)
    assert names(scene) == ["x", "y"]


# -- limits on running applications -----------------------------------------------------------------------------------


def test_only_accepted_applications_are_held_back():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=10)
    scene.app("x").ask("x", "x1", on="n1").app("y").ask("y", "y1", on="n1").app("z").ask("z", "z1")
    assert {name: may_run(scene, name) for name in "xyz"} == {"x": True, "y": True, "z": False}
    scene.release("z", "z1")
    assert scene.state("z") == "Completing" and may_run(scene, "z")


@pytest.mark.parametrize(
    "queues",
    [
        "p: {maxapplications: 1, a: {maxapplications: 1}, b: {maxapplications: 1}}",
        "p: {a: {maxapplications: 1}, b: {}}",
        "p: {maxapplications: 2, a: {maxapplications: 1}, b: {maxapplications: 2}}",
    ],
)
def test_every_queue_of_the_path_must_have_a_slot_left(queues):
    scene = Scene(queues).node("n1", vcore=10).app("x", "root.p.a").ask("x", "x1", on="n1")
    scene.app("same", "root.p.a").ask("same", "s").app("other", "root.p.b").ask("other", "o")
    assert not may_run(scene, "same")
    assert may_run(scene, "other") == (scene.queue("root.p").max_applications != 1)


def test_an_application_that_already_takes_a_slot_may_run():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=2)
    scene.app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2).cycles(1)
    scene.app("y").ask("y", "k")
    assert (may_run(scene, "g"), may_run(scene, "y")) == (True, False)


def test_a_user_is_limited_in_applications_from_the_first_allocation_to_the_last():
    scene = Scene("a: {limits: [{limit: one, users: [ann], maxapplications: 1}]}").node("n1", vcore=10)
    for name, user in (("x", "ann"), ("y", "ann"), ("z", "bob")):
        scene.app(name, user=user).ask(name, f"{name}1")
    assert all(may_run(scene, name) for name in "xyz")
    assert scene.cycles(3) == ["x1", "z1"]
    assert not may_run(scene, "y")
    scene.release("x", "x1")
    assert scene.cycles(1) == ["y1"]


def test_a_group_is_limited_in_the_same_way():
    scene = Scene("a: {limits: [{limit: one, groups: [dev], maxapplications: 1}]}").node("n1", vcore=10)
    for name, user, groups in (("x", "ann", ("dev",)), ("y", "bob", ("dev",)), ("z", "cid", ("ops",))):
        scene.app(name, user=user, groups=groups).ask(name, f"{name}1")
    assert scene.cycles(3) == ["x1", "z1"]


def test_a_held_back_application_is_skipped_for_the_next_one():
    scene = Scene("a: {limits: [{limit: one, users: [ann], maxapplications: 1}]}").node("n1", vcore=10)
    scene.app("x", user="ann").ask("x", "x1").app("y", user="ann").ask("y", "y1", priority=5).app("z", user="bob").ask("z", "z1")
    assert scene.cycles(1) == ["y1"]
    decision = scene.cycle()
    assert decision.key == "z1"
    applications = next(level for level in decision.levels if level.kind == "application")
    assert applications.candidates[0].refusal.code == "W-06"


def test_a_running_application_in_a_full_queue_is_scheduled_all_the_same():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=10).app("x").asks("x", 3)
    assert scene.cycles(3) == ["x-0", "x-1", "x-2"]


def test_a_completing_application_does_not_count_as_running():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=10).app("x").ask("x", "k").app("y").ask("y", "k2")
    assert scene.cycles(2) == ["k"]
    scene.release("x", "k")
    assert scene.state("x") == "Completing"
    assert scene.cycles(1) == ["k2"]


# -- headroom ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "queues, expected",
    [
        ("p: {a: {}}", amounts(vcore=97, memory=48)),
        ("p: {max: {vcore: 10}, a: {}}", amounts(vcore=7, memory=48)),
        ("p: {max: {vcore: 10}, a: {max: {memory: 9, gpu: 5}}}", amounts(vcore=7, memory=7, gpu=5)),
        ("p: {max: {vcore: 2}, a: {}}", amounts(vcore=-1, memory=48)),
    ],
    ids=["cluster", "parent", "types of either side", "negative"],
)
def test_headroom_is_the_smallest_maximum_less_allocated_of_the_path_type_by_type(queues, expected):
    scene = Scene(queues).node("n1", vcore=100, memory=50).app("x", "root.p.a").ask("x", "k", on="n1", vcore=3, memory=2)
    assert queue_headroom(scene.queue("root.p.a")) == expected


def test_without_a_node_and_a_maximum_nothing_bounds_the_headroom():
    assert queue_headroom(Scene().queue("root.a")) is None


def test_user_headroom_is_the_smallest_over_the_levels_and_the_group():
    limit = "{limit: %s, %s: [%s], maxresources: {%s}}"
    scene = Scene(
        f"p: {{limits: [{limit % ('u', 'users', 'ann', 'vcore: 8')}, {limit % ('g', 'groups', 'dev', 'memory: 30')}], "
        f"a: {{limits: [{limit % ('u', 'users', 'ann', 'memory: 9')}]}}}}"
    ).node("n1", vcore=100, memory=100)
    scene.app("x", "root.p.a", "ann", ("dev",)).ask("x", "k", on="n1", vcore=3, memory=2)
    journal = scene.engine._ctx.journal
    assert user_headroom(journal, scene.partition, scene.application("x")) == amounts(vcore=5, memory=7)
    scene.app("y", "root.p.a", "bob")
    assert user_headroom(journal, scene.partition, scene.application("y")) is None


def test_an_ask_passes_if_it_fits_and_types_without_a_limit_are_free():
    scene = Scene("a: {max: {vcore: 2}}", preemption=NO_PREEMPTION).node("n1", vcore=9, memory=9).app("x")
    scene.ask("x", "too-large", vcore=3).ask("x", "fits", vcore=2, memory=9)
    assert scene.cycles(2) == ["fits"]


def test_negative_headroom_counts_as_none_so_what_needs_nothing_of_the_type_still_passes():
    scene = Scene("a: {max: {vcore: 2}}").node("n1", vcore=9, memory=9).app("x").ask("x", "k", on="n1", vcore=5)
    scene.ask("x", "memory-only", memory=1)
    assert scene.cycles(1) == ["memory-only"]


def test_types_that_the_cluster_does_not_know_pass_here_and_fail_on_the_nodes():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=9).app("x").ask("x", "k", vcore=1, gpu=1)
    refusal = next(level for level in scene.cycle().levels if level.kind == "ask").candidates[0].refusal
    assert (refusal.code, refusal.types) == ("W-16", ("gpu",))


def test_being_held_back_is_told_once_and_once_when_it_is_over():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=9).app("x").asks("x", 3).app("y").ask("y", "l")
    scene.cycles(2)
    told = [event.text for event in scene.events if isinstance(event, Noticed) and event.application_id == "y"]
    assert told == []  # x was always served first, so y was not considered
    scene.cycles(2)
    scene.cycles(2)
    told = [event.text for event in scene.events if isinstance(event, Noticed) and event.application_id == "y"]
    assert told == ["Maximum number of running applications reached the queue limit"]
    for key in ("x-0", "x-1", "x-2"):
        scene.release("x", key)
    scene.cycles(1)
    told = [event.text for event in scene.events if isinstance(event, Noticed) and event.application_id == "y"]
    assert told[1:] == ["Application is now runnable in queue"]


def test_lacking_headroom_is_told_once_and_once_when_it_is_over():
    scene = Scene("a: {max: {vcore: 1}}").node("n1", vcore=9).app("x").asks("x", 2)
    scene.cycles(3)
    scene.release("x", "x-0")
    scene.cycles(1)
    assert [event.text for event in scene.events if isinstance(event, Noticed)] == [
        "Request 'x-1' does not fit in queue 'root.a' (requested map[vcore:1000], available map[vcore:0])",
        "Request 'x-1' has become schedulable in queue 'root.a'",
    ]


def test_lacking_user_quota_is_told_in_its_own_words():
    scene = Scene("a: {limits: [{limit: l, users: [user], maxresources: {vcore: 1}}]}").node("n1", vcore=9).app("x").asks("x", 2)
    scene.cycles(3)
    assert [event.text for event in scene.events if isinstance(event, Noticed)] == [
        "Request 'x-1' exceeds the available user quota (requested map[vcore:1000], available map[vcore:0])"
    ]


def test_requests_that_wait_only_for_a_larger_cluster_can_be_listed():
    scene = Scene("a: {max: {vcore: 6}}\nb: {}").node("n1", vcore=2).node("n2", vcore=2)
    scene.app("x").asks("x", 4, vcore=3).app("y", "root.b").ask("y", "tied", vcore=3, required="n1")
    scene.cycles(1)
    context = Context(Journal(history=False), scene.engine.state)
    found = [ask.key for _, ask in outstanding_requests(context, scene.partition)]
    assert found == ["x-0", "x-1"]  # two fill the queue's quota; the one that needs n1 would gain nothing
