"""Chapter 08, section 16: after the maximum of a queue was lowered below its use, and a delay, allocations are stopped.

`v` runs in root.a; `x` keeps an ask waiting there, without which quota preemption never starts (P-133).
"""

from __future__ import annotations

from typing import Any

import pytest
from scenes import Scene, amounts

from workbench.config.properties import DOCUMENTED_QUOTA_PREEMPTION_DELAY, PROPERTIES, settings
from workbench.scheduler.preemption import quota
from workbench.scheduler.records.commands import Cycle
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Released
from workbench.values.resources import Resource

ON = {"quotapreemptionenabled": True}
SECOND_NS = 10**9


def leaf(maximum: Any = 10, *, delay: str = "10s", guaranteed: Any = None) -> str:
    """The queue root.a; numbers are cores."""
    parts = [f"preemption.quota.delay: {delay}"] if delay else []
    for name, amount in (("max", maximum), ("guaranteed", guaranteed)):
        if amount is not None:
            parts.append(f"{name}: {amount if isinstance(amount, str) else f'{{vcore: {amount}}}'}")
    return "a: {" + ", ".join(parts) + "}"


def running(count: int = 5, *, size: int = 2, queues: str = "", partition: dict[str, bool] = ON, **fields) -> Scene:
    """`v-0` (the oldest) to `v-4` of 2 cores each in root.a, at its maximum, and an ask that waits."""
    scene = Scene(queues or leaf(), preemption=partition, **fields).node("n1", vcore=100, memory=100)
    return scene.runs("v", "root.a", count, vcore=size).wants("x", "root.a")


def starts_in(scene: Scene, path: str = "root.a") -> float | None:
    """Seconds from now until quota preemption of the queue may start, rounded; None if it will not."""
    start_ns = scene.queue(path).quota_start_ns
    return None if start_ns is None else round((start_ns - scene.engine.state.now_ns) / SECOND_NS, 1)


def stopped(scene: Scene) -> list[str]:
    """What quota preemption stops within the next cycles."""
    scene.forget().run_for(1)
    return scene.released("PREEMPTED_BY_SCHEDULER")


# -- Switches and the delay ------------------------------------------------------------------------------------------


def test_a_lowered_maximum_is_enforced_after_the_delay():  # P-130
    scene = running().reload(leaf(6), preemption=ON).advance(9)
    assert stopped(scene) == []
    assert stopped(scene) == ["v-4", "v-3"]
    assert scene.used("root.a") == 6


@pytest.mark.parametrize(
    "partition", [{}, {"enabled": True}, {"quotapreemptionenabled": False}], ids=["the default", "the other switch", "switched off"]
)
def test_the_switch_of_the_partition_is_off_unless_it_is_set(partition):  # P-130
    scene = running(partition=partition).reload(leaf(6), preemption=partition).advance(11)
    assert stopped(scene) == []


def test_the_switch_of_general_preemption_does_not_matter():  # P-130
    switches = {"enabled": False, "quotapreemptionenabled": True}
    scene = running(partition=switches).reload(leaf(6), preemption=switches).advance(11)
    assert stopped(scene) == ["v-4", "v-3"]


def test_a_dynamic_queue_is_never_enforced():  # P-130
    rules = [{"name": "provided", "create": True}]
    template = "p: {parent: true, template: {resources: {max: {vcore: %s}}, properties: {preemption.quota.delay: 10s}}}"
    scene = Scene(template.replace("%s", "10"), preemption=ON, placementrules=rules).node("n1", vcore=100)
    scene.runs("v", "root.p.made", 5, vcore=2).wants("x", "root.p.made")
    scene.reload(template.replace("%s", "6"), preemption=ON, placementrules=rules).advance(11)
    assert stopped(scene) == []


@pytest.mark.parametrize("delay", ["0s", "-10s", "soon", "10", ""])
def test_only_a_positive_delay_switches_it_on(delay):  # P-130, P-131
    scene = running(queues=leaf(10, delay=delay)).reload(leaf(6, delay=delay), preemption=ON)
    assert starts_in(scene) is None
    assert stopped(scene.advance(60)) == []


def test_the_documented_key_is_unknown_and_the_one_that_works_is_another():  # P-131, a quirk
    assert DOCUMENTED_QUOTA_PREEMPTION_DELAY == "quota.preemption.delay"
    assert DOCUMENTED_QUOTA_PREEMPTION_DELAY not in PROPERTIES
    assert settings({"quota.preemption.delay": "10s"}, is_leaf=True).quota_preemption_delay_ns == 0
    assert settings({"preemption.quota.delay": "10s"}, is_leaf=True).quota_preemption_delay_ns == 10 * SECOND_NS


# -- When it starts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after", "starts"), [
    (leaf(10), leaf(6), 10.0),
    (leaf(10), leaf("{vcore: 0}"), None),
    (leaf(10), leaf(None), None),
    (leaf(10), leaf(10), None),
    (leaf(10, delay=""), leaf(10, delay="20s"), 20.0),
    (leaf("{vcore: 10, memory: 0}", delay=""), leaf(10, delay="20s"), 20.0),
    (leaf(10), leaf(12), None),
    (leaf(None), leaf(6), None),
    (leaf("{vcore: 10, memory: 5}"), leaf("{vcore: 6, memory: 6}"), None),
    (leaf(10), leaf("{vcore: 10, memory: 1}"), None),
    (leaf("{vcore: 10, memory: 5}"), leaf(10), 10.0),
    (leaf(10), leaf(6, delay=""), None),
], ids=[
    "lowered", "only zeros left", "no maximum any more", "nothing changed", "a delay where there was none",
    "the same, as a missing type is 0", "raised",
    "quirk: the first maximum", "quirk: one type lowered and one raised", "quirk: a limit for a type that had none",
    "quirk: a type left out counts as lowered", "quirk: the delay was in force but is not listed",
])  # fmt: skip
def test_when_a_change_schedules_it(before, after, starts):  # P-132
    scene = running(queues=before).reload(after, preemption=ON)
    assert starts_in(scene) == starts
    scene.ask("v", "more", on="n1", vcore=2).advance(31)
    assert bool(stopped(scene)) is (starts is not None)


@pytest.mark.parametrize(("after", "starts"), [
    (leaf(6), 8.0),
    (leaf(6, delay="30s"), 28.0),
    (leaf(4), 8.0),
    (leaf(4, delay="5s"), 3.0),
    (leaf(8), 8.0),
    (leaf(None), None),
    (leaf(6, delay=""), 8.0),
], ids=[
    "nothing else changed", "the delay changed", "lowered again", "lowered again with another delay", "raised a little",
    "no maximum any more", "the property removed: a quirk",
])  # fmt: skip
def test_what_a_second_change_does_to_a_scheduled_run(after, starts):  # P-132
    scene = running().reload(leaf(6), preemption=ON).advance(2).reload(after, preemption=ON)
    assert starts_in(scene) == starts


def test_lowering_schedules_it_even_while_the_use_is_within_the_new_maximum():  # P-132
    scene = running(3, queues=leaf(10)).release("x", "x-0").reload(leaf(8), preemption=ON)
    assert starts_in(scene) == 10.0
    scene.runs("w", "root.a", 4).wants("y", "root.a").advance(11)
    assert stopped(scene) == ["w-3", "w-2"]


def test_creating_a_queue_never_schedules_it():  # P-132
    scene = running().reload(leaf() + "\nb: {max: {vcore: 1}, preemption.quota.delay: 10s}", preemption=ON)
    assert starts_in(scene, "root.b") is None


def test_an_inherited_delay_has_no_effect():  # P-132
    tree = "p: {preemption.quota.delay: 10s, a: {max: {vcore: %s}}}"
    scene = Scene(tree.replace("%s", "10"), preemption=ON).node("n1", vcore=100).runs("v", "root.p.a", 5, vcore=2)
    assert scene.queue("root.p.a").settings.quota_preemption_delay_ns == 10 * SECOND_NS
    scene.wants("x", "root.p.a").reload(tree.replace("%s", "6"), preemption=ON)
    assert starts_in(scene, "root.p.a") is None


# -- What triggers it ------------------------------------------------------------------------------------------------


def test_it_starts_strictly_after_the_start_time():  # P-133
    scene = running().reload(leaf(6), preemption=ON)
    scene.advance((scene.queue("root.a").quota_start_ns - scene.engine.state.now_ns) / SECOND_NS)
    scene.forget().cycle()
    assert scene.released() == []
    scene.cycle()
    assert scene.released() == ["v-4", "v-3"]


def test_use_that_fell_clears_the_start():  # P-133
    scene = running().reload(leaf(6), preemption=ON).release("v", "v-0").release("v", "v-1").run_for(1)
    assert starts_in(scene) is None


def test_a_raised_maximum_clears_the_start():  # P-133
    scene = running().reload(leaf(6), preemption=ON).reload(leaf(10), preemption=ON).run_for(1)
    assert starts_in(scene) is None


def test_a_queue_that_has_no_maximum_for_a_while_keeps_its_start():  # P-132, P-133, a quirk
    scene = running().reload(leaf(6), preemption=ON).reload(leaf(None, delay="0s"), preemption=ON).run_for(1)
    assert starts_in(scene) is not None
    scene.reload(leaf(6), preemption=ON).wants("y", "root.a").advance(11)
    assert stopped(scene) == ["x-0", "v-4", "v-3"]  # x-0 was placed in between


def test_types_that_only_one_side_knows_do_not_count():  # P-133, P-134
    scene = running(queues=leaf("{vcore: 10, gpu: 5}")).reload(leaf("{vcore: 10, gpu: 1}"), preemption=ON)
    assert stopped(scene.advance(11)) == []


def test_what_has_to_go_is_chosen_after_the_cycle_has_placed_something():  # P-133
    memory = "{memory: %s}"
    scene = Scene(leaf(memory.replace("%s", "9")), preemption=ON).node("n1", vcore=100, memory=100)
    scene.runs("v", "root.a", 3, vcore=2, memory=3).reload(leaf(memory.replace("%s", "3"), guaranteed="{vcore: 5}"), preemption=ON)
    scene.advance(11).wants("x", "root.a", vcore=50).forget()
    assert scene.cycle().key == "x-0"  # with its cores the queue is above its guarantee, and can give
    assert scene.released("PREEMPTED_BY_SCHEDULER") == ["v-2", "v-1"]


def test_without_a_waiting_ask_below_the_queue_it_does_not_start():  # P-133, a quirk
    scene = running().release("x", "x-0").reload(leaf(6), preemption=ON).advance(60)
    assert stopped(scene) == []
    scene.wants("later", "root.a")
    assert stopped(scene) == ["v-4", "v-3"]


def test_below_a_queue_that_starts_nothing_else_starts_in_the_same_cycle():  # P-133
    tree = "p: {max: {vcore: %s}, preemption.quota.delay: 10s, a: {max: {vcore: %s}, preemption.quota.delay: 10s}}"
    scene = Scene(tree.replace("%s", "10"), preemption=ON, confirm=False).node("n1", vcore=100)
    scene.runs("v", "root.p.a", 5, vcore=2).wants("x", "root.p.a").reload(tree.replace("%s", "8"), preemption=ON)
    scene.advance(11).forget().cycle()
    assert scene.released() == ["v-4"]


# -- How much --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("maximum", "used", "target"), [
    ("{memory: 50, vcore: 50}", (80, 80), {"memory": 30, "vcore": 30_000}),
    ("{memory: 90, vcore: 50}", (80, 80), {"vcore": 30_000}),
    ("{memory: 50}", (80, 90), {"memory": 30}),
], ids=["both types", "only the exceeded type", "only the limited type"])  # fmt: skip
def test_the_target_is_what_is_above_the_maximum(maximum, used, target):  # P-134
    memory, vcore = used
    scene = Scene(leaf("{memory: 90, vcore: 90}"), preemption=ON).node("n1", vcore=100, memory=100)
    scene.app("v", "root.a").ask("v", "all", on="n1", memory=memory, vcore=vcore).reload(leaf(maximum), preemption=ON)
    assert quota.target(scene.queue("root.a")) == Resource(target)


def test_what_is_going_already_is_not_asked_for_again():  # P-134
    scene = running(confirm=False).reload(leaf(6), preemption=ON)
    assert stopped(scene.advance(11)) == ["v-4", "v-3"]
    scene.reload(leaf(5), preemption=ON)
    assert quota.target(scene.queue("root.a")) == amounts(vcore=1)


def test_who_can_be_a_victim_of_a_leaf():  # P-135
    scene = Scene(leaf(10), preemption=ON, confirm=False).node("n1", vcore=100, memory=9).app("v", "root.a")
    scene.ask("v", "plain", on="n1", vcore=2).ask("v", "daemon", on="n1", required="n1", vcore=2)
    scene.ask("v", "memory-only", on="n1", memory=1).ask("v", "more", on="n1", vcore=2).ask("v", "released", on="n1", vcore=2)
    scene.allocation("v", "released").released = True
    scene.wants("x", "root.a", vcore=9).reload(leaf(1), preemption=ON)
    assert stopped(scene.advance(11)) == ["more", "plain"]


def test_the_order_is_by_kind_then_priority_then_age():  # P-135, P-123
    scene = Scene(leaf(10), preemption=ON, confirm=False).node("n1", vcore=100).app("v", "root.a")
    for key, fields in {
        "high": {"priority": 9},
        "old": {},
        "driver": {"originator": True, "priority": -9},
        "new": {},
        "opted-out": {"may_be_victim": False, "priority": -9},
    }.items():
        scene.ask("v", key, on="n1", vcore=2, **fields)
    scene.wants("x", "root.a", vcore=9).reload(leaf("{vcore: 1m}"), preemption=ON)
    assert stopped(scene.advance(11)) == ["new", "old", "high", "opted-out", "driver"]


@pytest.mark.parametrize(
    "own", ["preemption.policy: disabled", "preemption.policy: fence", "priority.policy: fence", "preemption.delay: 1h"]
)
def test_priorities_fences_and_policies_are_ignored(own):  # P-135
    tree = "a: {max: {vcore: %s}, preemption.quota.delay: 10s, " + own + "}"
    scene = running(queues=tree.replace("%s", "10"), confirm=False).reload(tree.replace("%s", "6"), preemption=ON)
    assert stopped(scene.advance(11)) == ["v-4", "v-3"]


@pytest.mark.parametrize(("maximum", "guaranteed", "sizes", "expected"), [
    (6, 5, [2, 2, 2, 2, 2], ["v-4", "v-3"]),
    (6, 5, [3, 3, 3], ["v-2"]),
    (8, 7, [3, 3, 3], []),
    (7, None, [2, 2, 2, 2, 2], ["v-4", "v-3"]),
    (7, None, [1, 2, 2, 5], ["v-2", "v-1"]),
    (6, 5, [4, 4, 2], ["v-2"]),
    (8, 6, [1, 1, 1, 1, 1, 4, 3], ["v-6", "v-4", "v-3", "v-2"]),
], ids=[
    "documented: successful", "documented: best effort", "documented: none, as each is larger than the target",
    "the last one may overshoot", "one larger than the target is skipped", "the guarantee holds one back",
    "quirk: after holding one back more than the target goes",
])  # fmt: skip
def test_what_a_leaf_gives(maximum, guaranteed, sizes, expected):  # P-136, section 18.9
    scene = Scene(leaf(sum(sizes), guaranteed=guaranteed), preemption=ON, confirm=False).node("n1", vcore=100)
    scene.app("v", "root.a")
    for number, size in enumerate(sizes):
        scene.ask("v", f"v-{number}", on="n1", vcore=size)
    scene.wants("x", "root.a", vcore=50).reload(leaf(maximum, guaranteed=guaranteed), preemption=ON)
    assert stopped(scene.advance(11)) == expected


def test_one_type_may_fall_below_its_guarantee_while_another_is_above():  # P-136, a quirk
    both = "{vcore: 12, gpu: %s}"
    scene = Scene(leaf(both.replace("%s", "12"), guaranteed="{vcore: 5, gpu: 1}"), preemption=ON, confirm=False)
    scene.node("n1", vcore=100, gpu=100).runs("v", "root.a", 3, vcore=2, gpu=2).wants("x", "root.a", vcore=50)
    scene.reload(leaf(both.replace("%s", "4"), guaranteed="{vcore: 5, gpu: 1}"), preemption=ON)
    assert stopped(scene.advance(11)) == ["v-2"]


def test_one_that_is_passed_over_counts_and_can_start_the_taking_again():  # P-136, a quirk
    scene = Scene(leaf("{vcore: 10, memory: 9}"), preemption=ON, confirm=False).node("n1", vcore=100, memory=100).app("v", "root.a")
    for key, fields in {"c2": {"vcore": 2, "priority": 1}, "c3": {"vcore": 3, "priority": 1}, "m": {"memory": 6}}.items():
        scene.ask("v", key, on="n1", **fields)
    scene.wants("x", "root.a", vcore=50).reload(leaf("{vcore: 1, memory: 0}"), preemption=ON)
    # After m, which is all of the memory, c3 is passed over; with it the total has cores, and too few of them.
    assert stopped(scene.advance(11)) == ["m", "c2"]


def test_the_guarantee_of_an_ancestor_does_not_protect():  # P-136
    tree = "p: {guaranteed: {vcore: 9}, a: {max: {vcore: %s}, preemption.quota.delay: 10s}}"
    scene = Scene(tree.replace("%s", "10"), preemption=ON, confirm=False).node("n1", vcore=100)
    scene.runs("v", "root.p.a", 5, vcore=2).wants("x", "root.p.a").reload(tree.replace("%s", "6"), preemption=ON)
    assert stopped(scene.advance(11)) == ["v-4", "v-3"]


# -- Parents ---------------------------------------------------------------------------------------------------------


def shares(tree: str, target: dict[str, int], **used: dict[str, int]) -> dict[str, dict[str, int]]:
    """How a target is split below root.p, when its leaves hold so much (counts of gpus and bytes of memory)."""
    scene = Scene(tree).node("n1", gpu=100, memory=100)
    for name, amount in used.items():
        path = next(f"{parent}.{name}" for parent in ("root.p", "root.p.m") if scene.has_queue(f"{parent}.{name}"))
        scene.app(name, path).ask(name, f"{name}-all", on="n1", **amount)
    return {found.path: dict(share) for found, share in quota.distribution(scene.queue("root.p"), Resource(target))}


@pytest.mark.parametrize(("tree", "target", "used", "expected"), [
    ("p: {x: {}, y: {}}", {"gpu": 4}, {"x": {"gpu": 6}, "y": {"gpu": 2}}, {"root.p.x": {"gpu": 3}, "root.p.y": {"gpu": 1}}),
    ("p: {x: {guaranteed: {gpu: 2}}, y: {}}", {"gpu": 4}, {"x": {"gpu": 6}, "y": {"gpu": 4}},
     {"root.p.x": {"gpu": 2}, "root.p.y": {"gpu": 2}}),
    ("p: {x: {guaranteed: {gpu: 6}}, y: {}}", {"gpu": 4}, {"x": {"gpu": 6}, "y": {"gpu": 4}}, {"root.p.y": {"gpu": 4}}),
    ("p: {x: {}, idle: {}}", {"gpu": 4}, {"x": {"gpu": 6}}, {"root.p.x": {"gpu": 4}}),
    ("p: {x: {}, y: {}}", {"gpu": 5}, {"x": {"gpu": 5}, "y": {"gpu": 5}}, {"root.p.x": {"gpu": 2}, "root.p.y": {"gpu": 2}}),
    ("p: {x: {}, y: {}}", {"gpu": 3}, {"x": {"gpu": 5}, "y": {"gpu": 5}}, {"root.p.x": {"gpu": 2}, "root.p.y": {"gpu": 2}}),
    ("p: {m: {x: {}, y: {}}, z: {}}", {"gpu": 6}, {"x": {"gpu": 4}, "y": {"gpu": 4}, "z": {"gpu": 4}},
     {"root.p.m.x": {"gpu": 2}, "root.p.m.y": {"gpu": 2}, "root.p.z": {"gpu": 2}}),
    ("p: {x: {guaranteed: {memory: 5}}, y: {}}", {"gpu": 4}, {"x": {"gpu": 6}, "y": {"gpu": 4}}, {"root.p.y": {"gpu": 4}}),
    ("p: {x: {guaranteed: {memory: 2, gpu: 5}}, y: {}}", {"gpu": 2}, {"x": {"memory": 5, "gpu": 2}, "y": {"memory": 6, "gpu": 6}},
     {"root.p.x": {"gpu": 1}, "root.p.y": {"gpu": 1}}),
], ids=[
    "in proportion to the use", "only use above the guarantee counts", "a child within its guarantee is left out",
    "a child without use is left out", "halves are rounded to even: less than the target", "or more than the target",
    "down through all levels", "quirk: a guarantee of another type only leaves the child out",
    "quirk: a type under its guarantee counts as excess",
])  # fmt: skip
def test_how_a_parent_splits_what_has_to_go(tree, target, used, expected):  # P-137
    assert shares(tree, target, **used) == expected


PARENT = "p: {max: {vcore: %s}, preemption.quota.delay: 10s, x: {guaranteed: {vcore: 2}}, y: {}}"


def parent_lowered(**fields) -> Scene:
    """root.p lowered from 10 to 6; x, guaranteed 2, uses 6, and y 4."""
    scene = Scene(PARENT.replace("%s", "10"), preemption=ON, **fields).node("n1", vcore=100)
    scene.runs("x", "root.p.x", 6).runs("y", "root.p.y", 4).wants("w", "root.p.y")
    return scene.reload(PARENT.replace("%s", "6"), preemption=ON)


def test_what_is_going_is_not_deducted_from_the_excess_of_a_child():  # P-137, a quirk
    scene = parent_lowered(confirm=False)
    scene.advance(11).run_for(1)
    assert scene.queue("root.p.x").preempting == amounts(vcore=2)
    assert dict(quota.distribution(scene.queue("root.p"), amounts(vcore=2))) == {
        scene.queue("root.p.x"): amounts(vcore=1),
        scene.queue("root.p.y"): amounts(vcore=1),
    }


# -- Effects ---------------------------------------------------------------------------------------------------------


def test_the_victims_are_marked_counted_and_told_and_the_start_is_cleared():  # P-138
    scene = running(confirm=False).reload(leaf(6), preemption=ON)
    scene.advance(11).forget().cycle()
    text = "preempting allocations to enforce new max quota for queue : root.a"
    assert [event for event in scene.events if isinstance(event, Released)] == [
        Released(key, "v", "PREEMPTED_BY_SCHEDULER", text) for key in ("v-4", "v-3")
    ]
    assert scene.allocation("v", "v-4").preempted
    assert scene.queue("root.a").preempting == scene.queue("root").preempting == amounts(vcore=4)
    assert starts_in(scene) is None


def test_one_change_is_enforced_once():  # P-138
    scene = Scene(leaf(9, guaranteed=7), preemption=ON).node("n1", vcore=100).runs("v", "root.a", 3, vcore=3)
    scene.wants("x", "root.a").reload(leaf(8, guaranteed=7), preemption=ON)
    assert stopped(scene.advance(11)) == []
    scene.ask("v", "small", on="n1")
    assert stopped(scene.advance(60)) == []


def test_a_parent_runs_until_all_that_is_too_much_goes_where_the_core_crashes():  # P-139; the recorded runs have those that go on
    scene = parent_lowered(confirm=False)
    assert stopped(scene.advance(11)) == ["x-5", "x-4", "y-3", "y-2"]
    assert starts_in(scene, "root.p") is None
    assert stopped(scene.advance(60)) == []


def test_a_restart_forgets_the_start_time():  # P-140
    scene = running().reload(leaf(6), preemption=ON)
    assert starts_in(scene) == 10.0
    restarted = running(queues=leaf(6))
    assert (restarted.used("root.a"), starts_in(restarted)) == (10, None)
    assert stopped(restarted.advance(60)) == []


def test_an_added_allocation_above_the_maximum_starts_no_timer():  # P-140
    scene = running(3, queues=leaf(6)).runs("w", "root.a", 2, vcore=2)
    assert (scene.used("root.a"), starts_in(scene)) == (10, None)
    assert stopped(scene.advance(60)) == []


# -- A step of its own, with its reasons ------------------------------------------------------------------------------


def enforced(scene: Scene) -> Decision:
    """The cycle in which the lowered maximum is enforced."""
    return scene.reload(leaf(6), preemption=ON).advance(11).cycle()


def test_a_cycle_that_only_enforces_a_quota_changes_something():  # P-134
    decision = enforced(running(confirm=False).ask("x", "large", vcore=200))
    assert (decision.outcome, decision.path, decision.victims) == ("enforced", ("root", "root.a"), ("v-4", "v-3"))
    assert decision.changed_something and decision.key == decision.node_id == ""


def test_everything_that_runs_in_the_queue_has_its_verdict():  # P-135, P-136
    scene = running(confirm=False)
    scene.app("big", "root.a").ask("big", "big", on="n1", vcore=6, created_ns=1)
    scene.app("own", "root.a").ask("own", "bound", on="n1", vcore=1, required="n1").ask("own", "none", on="n1", memory=1)
    (told,) = enforced(scene).stoppings
    assert (told.kind, told.subject, told.wanted) == ("quota", "root.a", amounts(vcore=11))
    verdicts = {each.key: each.refusal.code if each.refusal else "taken" for each in told.verdicts}
    assert verdicts == {
        "bound": "X-06",
        "none": "X-22",
        "v-4": "taken",
        "v-3": "taken",
        "v-2": "taken",
        "v-1": "taken",
        "v-0": "taken",
        "big": "taken",
    }
    assert [(each.key, each.used_before["vcore"]) for each in told.taken][:2] == [("v-4", 17000), ("v-3", 15000)]


def test_what_the_guarantee_keeps_and_what_is_no_longer_needed_is_told():  # P-136
    scene = running(queues=leaf(guaranteed=5), confirm=False).reload(leaf(4, guaranteed=4), preemption=ON).advance(11)
    (told,) = scene.cycle().stoppings
    assert {each.key: each.refusal.code for each in told.verdicts if each.refusal} == {"v-1": "X-25", "v-0": "X-25"}


def test_a_traced_cycle_stops_the_same_as_a_plain_one():  # E-1
    stopped_keys = []
    for traced in (True, False):
        scene = running(confirm=False).reload(leaf(6), preemption=ON).advance(11)
        scene.engine.apply(Cycle(), traced=traced)
        stopped_keys.append(scene.engine.decisions[0].victims)
    assert stopped_keys == [("v-4", "v-3")] * 2
