"""Chapter 08, section 18: the worked examples, played. One cycle every 0.1 s; a victim ends at once or 30 s later.

Where the outcome differs from the public documentation, the reason is the over-preemption of P-115.
"""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.records.events import Preempted, Released
from workbench.values.errors import ConfigError

DELAY = "preemption.policy: fence, preemption.delay: 10s"
AT_ONCE, SLOWLY = 0, 30


def cluster(queues: str, *, nodes: int, cores: int, grace_s: float) -> Scene:
    """Below a fenced root with a delay of 10 s, `queues`; so many nodes of so many cores."""
    scene = Scene("{" + DELAY + ", " + queues + "}", grace_s=grace_s)
    for number in range(1, nodes + 1):
        scene.node(f"n{number:02}", vcore=cores)
    return scene


def stopped(scene: Scene) -> list[str]:
    return scene.released("PREEMPTED_BY_SCHEDULER")


def newest(name: str, first: int, count: int) -> list[str]:
    """`count` allocations from `name-first` down."""
    return [f"{name}-{number}" for number in range(first, first - count, -1)]


# -- 18.1 ------------------------------------------------------------------------------------------------------------


def normal_case(**cluster_fields) -> Scene:
    guarantee = "{guaranteed: {vcore: 5}, max: {vcore: 10}}"
    scene = cluster(f"normal: {{max: {{vcore: 12}}, queue-1: {guarantee}, queue-2: {guarantee}}}", **cluster_fields)
    scene.wants("q1", "root.normal.queue-1", 10).run_for(5)
    return scene.wants("q2", "root.normal.queue-2", 10)


def test_the_first_queue_fills_up_and_the_second_gets_what_the_parent_has_left():  # 18.1
    scene = normal_case(nodes=1, cores=100, grace_s=AT_ONCE).run_for(3)
    assert (scene.used("root.normal.queue-1"), scene.used("root.normal.queue-2")) == (10, 2)


@pytest.mark.parametrize(("nodes", "cores", "grace_s", "victims", "use"), [
    (1, 100, AT_ONCE, 3, (7, 5)),
    (1, 100, SLOWLY, 3, (7, 5)),
    (5, 4, AT_ONCE, 3, (7, 5)),
    (5, 4, SLOWLY, 5, (5, 7)),
], ids=["one node", "one node, slow ends", "five nodes", "five nodes, slow ends: more than documented"])  # fmt: skip
def test_the_normal_case(nodes, cores, grace_s, victims, use):  # 18.1, P-32, P-60, P-115
    scene = normal_case(nodes=nodes, cores=cores, grace_s=grace_s).run_for(120)
    assert stopped(scene) == newest("q1", 9, victims)
    assert (scene.used("root.normal.queue-1"), scene.used("root.normal.queue-2")) == use


def test_the_asks_take_one_victim_each_until_nothing_is_left_of_the_guarantee():  # 18.1
    scene = normal_case(nodes=1, cores=100, grace_s=AT_ONCE).run_for(20)
    assert [(event.key, event.victims) for event in scene.events if isinstance(event, Preempted)] == [
        ("q2-2", ("q1-9",)),
        ("q2-3", ("q1-8",)),
        ("q2-4", ("q1-7",)),
    ]
    assert "Preemption queue guarantees check failed" in scene.log("q2", "q2-5")


# -- 18.2 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nodes", "cores", "grace_s", "use", "victims"), [
    (1, 100, AT_ONCE, [5, 8, 3], newest("q1", 7, 3)),
    (1, 100, SLOWLY, [5, 8, 3], newest("q1", 7, 3)),
    (6, 4, AT_ONCE, [5, 8, 3], newest("q1", 7, 3)),
    (6, 4, SLOWLY, [3, 7, 6], [*newest("q1", 7, 5), "q2-7"]),
], ids=["one node", "one node, slow ends", "six nodes", "six nodes, slow ends: more than documented"])  # fmt: skip
def test_opted_out_allocations_are_spared_while_others_serve(nodes, cores, grace_s, use, victims):  # 18.2, P-72
    queues = ", ".join(f"queue-{number}: {{guaranteed: {{vcore: 3}}, max: {{vcore: 8}}}}" for number in (1, 2, 3))
    scene = cluster("rt: {max: {vcore: 16}, " + queues + "}", nodes=nodes, cores=cores, grace_s=grace_s)
    scene.wants("q1", "root.rt.queue-1", 8).wants("q2", "root.rt.queue-2", 8, may_be_victim=False).run_for(5)
    scene.wants("q3", "root.rt.queue-3", 8).run_for(120)
    assert [scene.used(f"root.rt.queue-{number}") for number in (1, 2, 3)] == use
    assert stopped(scene) == victims


# -- 18.3 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asks", "nodes", "cores", "grace_s", "use", "victims"), [
    (5, 1, 100, AT_ONCE, [12, 6, 0], ["norm-4"]),
    (6, 1, 100, AT_ONCE, [12, 6, 0], ["norm-5", "norm-4"]),
    (6, 1, 100, SLOWLY, [12, 6, 0], ["norm-5", "norm-4"]),
    (6, 3, 6, AT_ONCE, [12, 6, 0], ["norm-3", "norm-0"]),
    (6, 3, 6, SLOWLY, [9, 9, 0], ["norm-3", "norm-4", "norm-5"]),
], ids=["five asks, one node", "six asks, one node", "slow ends", "three nodes: names decide, not age",
        "three nodes, slow ends: a third ask triggers"])  # fmt: skip
def test_offsets_decide_who_may_take(asks, nodes, cores, grace_s, use, victims):  # 18.3, P-35, P-81, P-115
    scene = cluster(
        "p: {max: {vcore: 18}, high: {priority.offset: 100, guaranteed: {vcore: 6}, max: {vcore: 10}}, "
        "norm: {guaranteed: {vcore: 6}, max: {vcore: 18}}, "
        "low: {priority.offset: -100, guaranteed: {vcore: 6}, max: {vcore: 10}}}",
        nodes=nodes,
        cores=cores,
        grace_s=grace_s,
    )
    scene.wants("norm", "root.p.norm", asks, vcore=3).run_for(5)
    scene.wants("high", "root.p.high", asks, vcore=3).wants("low", "root.p.low", asks, vcore=3).run_for(100)
    assert [scene.used(f"root.p.{name}") for name in ("norm", "high", "low")] == use
    assert stopped(scene) == victims


# -- 18.4 ------------------------------------------------------------------------------------------------------------


def fences(rt: int = 30) -> str:
    ten_a = (
        "ten-a: {guaranteed: {vcore: 5}, max: {vcore: 15}, preemption.policy: fence, "
        "queue-1: {guaranteed: {vcore: 2}, max: {vcore: 15}}, "
        "queue-2: {guaranteed: {vcore: 2}, max: {vcore: 15}, preemption.policy: fence}}"
    )
    ten_b = (
        "ten-b: {guaranteed: {vcore: 10}, max: {vcore: 15}, preemption.policy: fence, "
        "queue-3: {guaranteed: {vcore: 10}, max: {vcore: 15}}}"
    )
    return (
        f"rt: {{max: {{vcore: {rt}}}, preemption.policy: fence, {ten_a}, {ten_b}, "
        "sys: {guaranteed: {vcore: 10}, max: {vcore: 15}}}"
    )


@pytest.mark.parametrize(("nodes", "cores", "grace_s", "seconds"), [
    (1, 100, AT_ONCE, 40), (10, 4, AT_ONCE, 40), (10, 4, SLOWLY, 90),
], ids=["one node", "ten nodes", "ten nodes, slow ends"])  # fmt: skip
def test_a_hierarchy_of_fences(nodes, cores, grace_s, seconds):  # 18.4, P-30, P-31
    scene = cluster(fences(), nodes=nodes, cores=cores, grace_s=grace_s)
    scene.wants("q1", "root.rt.ten-a.queue-1", 15).run_for(2).wants("q2", "root.rt.ten-a.queue-2", 15).run_for(2)
    scene.wants("q3", "root.rt.ten-b.queue-3", 15).run_for(2).wants("sys", "root.rt.sys", 15).run_for(seconds)
    assert stopped(scene) == newest("q3", 14, 5) + newest("q1", 14, 5)
    assert [scene.used(f"root.rt.{name}") for name in ("ten-a", "ten-b", "sys")] == [10, 10, 10]
    assert scene.used("root.rt.ten-a.queue-2") == 0
    assert scene.log("q2", "q2-0") == ["Preemption preconditions failed", "Preemption does not help", "Not enough queue quota"]


def test_the_maximum_that_the_documentation_prints_for_it_is_refused():  # 18.4, C-42
    with pytest.raises(ConfigError, match="max resource of parent .* is smaller than maximum resource .* for queue ten-a"):
        Scene(fences(rt=3))


# -- 18.5 to 18.8 ----------------------------------------------------------------------------------------------------


def test_redistribution_between_regions():  # 18.5, P-44
    region = "{guaranteed: {vcore: 10}, country1: {state1: {}, state2: {}}}"
    scene = cluster(f"region1: {region}, region2: {region}", nodes=1, cores=20, grace_s=AT_ONCE)
    scene.runs("r2", "root.region2.country1.state1", 20, on="n01")
    scene.wants("r1", "root.region1.country1.state1", 12).run_for(40)
    assert stopped(scene) == newest("r2", 19, 10)
    assert (scene.used("root.region1"), scene.used("root.region2")) == (10, 10)
    assert scene.queue("root.region1").pending == amounts(vcore=2)


@pytest.mark.parametrize(("region2", "state1", "state2", "victims", "use"), [
    (8, "", "", [], [4, 4, 8]),
    (6, "", "", ["r2-7", "r2-6"], [5, 5, 6]),
    (8, "guaranteed: {vcore: 9}", "", newest("s2", 3, 4), [8, 0, 8]),
    (8, "guaranteed: {vcore: 5}", "guaranteed: {vcore: 5}", [], [4, 4, 8]),
    (8, "guaranteed: {vcore: 5}", "guaranteed: {vcore: 3}", ["s2-3"], [5, 3, 8]),
], ids=["no storm: siblings protect each other", "the other region gives", "a guaranteed leaf empties its sibling",
        "equal guarantees", "one more than the other"])  # fmt: skip
def test_pods_that_come_back_after_preemption_cause_no_storm(region2, state1, state2, victims, use):  # 18.6, P-45
    scene = cluster(
        "region1: {guaranteed: {vcore: 10}, state1: {" + state1 + "}, state2: {" + state2 + "}}, "
        "region2: {guaranteed: {vcore: " + str(region2) + "}}",
        nodes=1,
        cores=16,
        grace_s=AT_ONCE,
    )
    for name, path, count in (("s1", "root.region1.state1", 4), ("s2", "root.region1.state2", 4), ("r2", "root.region2", 8)):
        scene.runs(name, path, count, on="n01")
    for name in ("s1", "s2"):
        for number in range(5):
            scene.ask(name, f"{name}-more-{number}")
    for second in range(50):
        scene.forget().run_for(1)
        ended = [event for event in scene.events if isinstance(event, Released)]
        for event in ended:
            assert event.key == victims.pop(0)
            scene.ask(event.application_id, f"{event.key}-again-{second}")
    assert victims == []
    assert [scene.used(path) for path in ("root.region1.state1", "root.region1.state2", "root.region2")] == use


def test_asks_limited_by_nodes_take_more_than_they_need():  # 18.7, P-20, P-103 a
    scene = Scene("{a: {}, b: {guaranteed: {vcore: 4}}}").node("n1", vcore=3).node("n2", vcore=3)
    scene.wants("a", "root.a", 4).cycles(4)
    scene.wants("b", "root.b", 2, vcore=2).run_for(3)
    assert scene.application("b").reservations == {"b-0": "n1", "b-1": "n2"}
    assert stopped(scene) == []
    scene.run_for(30)
    assert [(event.key, event.victims) for event in scene.events if isinstance(event, Preempted)] == [
        ("b-0", ("a-2", "a-0")),
        ("b-1", ("a-3", "a-1")),
    ]


def test_the_example_of_the_kubernetes_shim():  # 18.8
    guarantee = "guaranteed: {memory: 300, vcore: 300m}"
    scene = Scene(
        "sandbox: {max: {memory: 1000, vcore: 1}, outside: {}, tenants: {preemption.policy: fence, "
        f"normal: {{{guarantee}}}, high: {{{guarantee}, priority.offset: 1000}}, low: {{priority.offset: -1000}}}}}}"
    )
    scene.node("n1", vcore=10, memory=100_000)
    scene.wants("out", "root.sandbox.outside", 5, vcore=0.1, memory=100)
    scene.wants("low", "root.sandbox.tenants.low", 10, vcore=0.1, memory=100).run_for(3)
    scene.wants("normal", "root.sandbox.tenants.normal", 10, vcore=0.1, memory=100).run_for(60)
    assert stopped(scene) == ["low-4", "low-3", "low-2"]
    assert [scene.used(f"root.sandbox.{path}", "memory") for path in ("outside", "tenants.low", "tenants.normal")] == [
        500,
        200,
        300,
    ]


# -- 18.9 (the cases of the documentation are with P-136) --------------------------------------------------------------


def quota(maximum: int, *, delay_s: int = 10) -> str:
    return f"a: {{max: {{vcore: {maximum}}}, preemption.quota.delay: {delay_s}s}}"


SWITCH = {"quotapreemptionenabled": True}


def lowered(to: int) -> Scene:
    """root.a at its maximum of 10, lowered; five allocations of 2."""
    scene = Scene(quota(10), preemption=SWITCH).node("n1", vcore=100).runs("v", "root.a", 5, vcore=2)
    return scene.wants("x", "root.a", vcore=9).reload(quota(to), preemption=SWITCH)


def test_the_time_line_of_quota_preemption():  # 18.9
    scene = lowered(6).run_for(5)
    assert stopped(scene) == []
    assert stopped(scene.run_for(6)) == ["v-4", "v-3"]


def test_raising_the_maximum_a_little_keeps_the_start_and_takes_less():  # 18.9, P-132
    scene = lowered(4).run_for(4).reload(quota(8), preemption=SWITCH).run_for(7)
    assert stopped(scene) == ["v-4"]


def test_raising_the_maximum_above_the_use_ends_it():  # 18.9, P-133
    scene = lowered(6).run_for(4).reload(quota(12), preemption=SWITCH).run_for(60)
    assert stopped(scene) == []


def test_another_delay_moves_the_start():  # 18.9, P-132
    scene = lowered(6).run_for(4).reload(quota(6, delay_s=30), preemption=SWITCH).run_for(25)
    assert stopped(scene) == []
    assert stopped(scene.run_for(2)) == ["v-4", "v-3"]


def test_a_parent_takes_from_its_children_by_their_excess():  # 18.9, P-137, P-139
    tree = "p: {max: {vcore: %s}, preemption.quota.delay: 10s, x: {guaranteed: {vcore: 2}}, y: {}}"
    scene = Scene(tree.replace("%s", "10"), preemption=SWITCH).node("n1", vcore=100)
    scene.runs("x", "root.p.x", 6).runs("y", "root.p.y", 4).wants("w", "root.p.y", vcore=9)
    scene.reload(tree.replace("%s", "6"), preemption=SWITCH).run_for(60)
    assert stopped(scene) == ["x-5", "x-4", "y-3", "y-2"]
    assert (scene.used("root.p.x"), scene.used("root.p.y")) == (4, 2)
