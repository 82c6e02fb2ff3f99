"""Chapter 11: what release 1.9 does differently. Most of it is shown by the recordings; here is what they leave to words.

`v` runs in root.a, `v-0` the oldest; unlike in 1.8 nobody has to wait for quota preemption to happen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scenes import Scene, amounts

from workbench.config import load_config
from workbench.config.properties import settings
from workbench.explain.refusals.preemption import why_fence
from workbench.scheduler.preemption import eligible, on_node, quota_each_second
from workbench.scheduler.records.events import QuotaPreempted, Surprised
from workbench.scheduler.releases.profiles import PROFILES, V1_8, V1_9
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource

ON = {"quotapreemptionenabled": True}
SECOND_NS = 10**9
STOPPED = "PREEMPTED_BY_SCHEDULER"


def leaf(maximum: Any = 10, *, delay: str = "10s", more: str = "") -> str:
    """The queue root.a; numbers are cores."""
    size = maximum if isinstance(maximum, str) else f"{{vcore: {maximum}}}"
    return f"a: {{max: {size}, quota.preemption.delay: {delay}{', ' + more if more else ''}}}"


def running(count: int = 5, *, size: int = 2, queues: str = "", **fields: Any) -> Scene:
    """`v-0` (the oldest) to `v-4` of 2 cores each in root.a, at its maximum. Nobody waits."""
    scene = Scene(queues or leaf(), preemption=ON, release="1.9", **fields).node("n1", vcore=100, memory=100)
    return scene.runs("v", "root.a", count, vcore=size)


def start_s(scene: Scene, path: str = "root.a") -> float | None:
    """When the run of the queue may start, in seconds, rounded; None if it will not."""
    start_ns = scene.queue(path).quota_start_ns
    return None if start_ns is None else round(start_ns / SECOND_NS, 1)


def stopped(scene: Scene, seconds: float) -> list[str]:
    """What is stopped while so much time passes without any cycle."""
    return sorted(scene.forget().advance(seconds).released(STOPPED))


# -- When -------------------------------------------------------------------------------------------------------------


def test_a_look_each_whole_second_needs_no_cycle_and_nobody_who_waits():
    scene = running().reload(leaf(6, delay="1500ms"), preemption=ON)
    due_s = start_s(scene)
    assert due_s is not None and 1 < due_s < 2
    assert stopped(scene, 1.9 - scene.now_s) == []
    assert len(stopped(scene, 0.1)) == 2
    assert scene.used("root.a") == 6


def test_nothing_is_stopped_while_the_switch_of_the_partition_is_off():  # read at the moment of the look
    scene = running().reload(leaf(6), preemption=ON).reload(leaf(6, more="maxapplications: 9"), preemption={})
    assert start_s(scene) is not None
    assert stopped(scene, 60) == []


def test_a_month_without_a_start_time_is_not_looked_through():  # a look that finds nothing to do is left out
    scene = running(3)
    assert quota_each_second.next_look_ns(scene.partition, scene.engine.state.now_ns) is None
    assert scene.engine.next_due_ns() is None
    scene.reload(leaf(4), preemption=ON)
    assert scene.engine.next_due_ns() == 11 * SECOND_NS


@pytest.mark.parametrize("release, key", [("1.8", "preemption.quota.delay"), ("1.9", "quota.preemption.delay")])
def test_each_release_reads_the_delay_by_a_name_of_its_own(release, key):
    other = {"preemption.quota.delay", "quota.preemption.delay"} - {key}
    table = PROFILES[release].properties
    assert settings({key: "5s"}, is_leaf=True, table=table).quota_preemption_delay_ns == 5 * SECOND_NS
    assert settings(dict.fromkeys(other, "5s"), is_leaf=True, table=table).quota_preemption_delay_ns == 0
    assert settings({key: "soon"}, is_leaf=True, table=table).quota_preemption_delay_ns == 0
    assert PROFILES[release].quota_property == key


NESTED = "p: {max: {vcore: %s}, quota.preemption.delay: 5s, a: {max: {vcore: %s}}}"


def test_parent_and_child_that_are_due_together_run_a_second_apart_the_parent_first():
    scene = Scene(NESTED % (10, 10), preemption=ON, release="1.9", confirm=False).node("n1", vcore=100)
    scene.runs("v", "root.p.a", 5, vcore=2).reload(NESTED % (8, 6), preemption=ON)
    assert start_s(scene, "root.p") == start_s(scene, "root.p.a")  # the delay is inherited
    assert len(stopped(scene, 6 - scene.now_s)) == 1
    assert start_s(scene, "root.p") is None
    assert start_s(scene, "root.p.a") is not None, "a leaf below keeps its time"
    assert len(stopped(scene, 1)) == 1
    assert stopped(scene, 60) == [], "one due time is one run"


def test_reloads_move_keep_and_clear_the_start_time():
    scene = running().reload(leaf(6), preemption=ON)
    first = start_s(scene)
    assert first is not None

    def after(text: str) -> float | None:
        return start_s(scene.reload(text, preemption=ON))

    assert after(leaf(6, delay="20s")) == first + 10  # 5: moved by the difference
    assert after(leaf(4, delay="20s")) == first + 10  # 7: kept
    assert after(leaf(4, delay="0s")) == first + 10  # 1: a delay of 0 cancels nothing
    assert after(leaf(4, delay="20s")) == first + 30  # and counts as a change of the delay, from 0
    assert after(leaf(5, delay="15s")) == first + 25  # 8: raised, and the delay changed
    assert after(leaf("{vcore: 4, memory: 9}", delay="9s")) == first + 25  # 9: one type up and another down
    assert after(leaf(10, delay="9s")) is None  # 3: the maximum holds the use
    assert after("a: {quota.preemption.delay: 9s}") is None  # 2
    assert after(leaf(4, delay="9s")) is None  # 9: a first maximum


def test_use_that_grows_other_than_by_scheduling_starts_the_clock():
    scene = running(3, queues=leaf(6))
    assert start_s(scene) is None
    scene.wants("x", "root.a", vcore=2)
    assert scene.cycles(2) == [], "scheduling keeps to the maximum"
    scene.ask("x", "x-0", on="n1", vcore=2)
    due_s = start_s(scene)
    assert due_s is not None
    scene.ask("v", "v-0", on="n1", vcore=3)
    assert start_s(scene) == due_s, "a time that is set is not moved"
    assert stopped(scene, 12) != []
    scene.ask("x", "more", on="n1", vcore=9)
    assert start_s(scene) is not None, "after the run it can have another"


def test_use_within_the_maximum_takes_the_start_time_back_at_the_next_look():
    scene = running().reload(leaf(6), preemption=ON).release("v", "v-0").release("v", "v-1")
    assert start_s(scene) is not None
    assert stopped(scene, 1) == []
    assert start_s(scene) is None


# -- How much ---------------------------------------------------------------------------------------------------------

BELOW = "p: {guaranteed: {vcore: %s}, a: {max: {vcore: %s}, quota.preemption.delay: 5s}}"


@pytest.mark.parametrize("guaranteed, goes", [(12, 4), (9, 1), (2, 4)])
def test_what_an_ancestor_is_guaranteed_bounds_what_goes(guaranteed, goes):
    scene = Scene(BELOW % (guaranteed, 10), preemption=ON, release="1.9").node("n1", vcore=100)
    scene.runs("v", "root.p.a", 10, vcore=1).reload(BELOW % (guaranteed, 6), preemption=ON)
    assert quota_each_second.target(scene.queue("root.p.a")) == amounts(vcore=goes)
    assert len(stopped(scene, 7)) == goes


def test_a_queue_without_a_guarantee_bounds_nothing():
    scene = running().reload(leaf(6), preemption=ON)
    assert quota_each_second.target(scene.queue("root.a")) == amounts(vcore=4)


SHARED = "p: {max: {vcore: %s}, quota.preemption.delay: 5s, a: {}, b: {}}"


def test_shares_are_rounded_down_and_a_share_of_nothing_stays():
    scene = Scene(SHARED % 10, preemption=ON, release="1.9").node("n1", vcore=100)
    scene.runs("v", "root.p.a", 3).runs("w", "root.p.b", 3)
    shared = list(quota_each_second.distribution(scene.queue("root.p"), Resource(vcore=1, memory=7)))
    assert [(queue.path, dict(share)) for queue, share in shared] == [("root.p.a", {"vcore": 0}), ("root.p.b", {"vcore": 0})]
    assert quota_each_second.victims(*shared[0]) == []


def test_nothing_is_stopped_where_the_core_would_crash_and_it_is_told():
    scene = Scene(SHARED % 6, preemption=ON, release="1.9", confirm=False).node("n1", vcore=100)
    scene.runs("v", "root.p.a", 6).reload(SHARED % 4, preemption=ON)
    assert len(stopped(scene, 6)) == 2
    scene.reload(SHARED % 5, preemption=ON).reload(SHARED % 4, preemption=ON)  # those that go are still there
    assert stopped(scene, 6) == []
    assert [(event.rule, event.subject) for event in scene.events if isinstance(event, Surprised)] == [("R-916", "root.p")]


# -- Who --------------------------------------------------------------------------------------------------------------


def victims(scene: Scene, maximum: int) -> list[str]:
    """In the order in which they go."""
    scene.reload(leaf(maximum), preemption=ON).forget().advance(11)
    return scene.released(STOPPED)


def test_who_opted_out_goes_first_then_originators_then_the_rest():  # R-911, a quirk: the documents say the reverse
    scene = running(0).app("v").ask("v", "rest", on="n1").ask("v", "origin", on="n1", originator=True)
    scene.ask("v", "out", on="n1", may_be_victim=False).ask("v", "both", on="n1", originator=True, may_be_victim=False)
    assert victims(scene, 1) == ["both", "out", "origin"]


def test_who_holds_little_else_than_what_is_wanted_goes_first():  # the types that are wanted, of all its types
    scene = running(0).app("v").ask("v", "mixed", on="n1", vcore=1, memory=1).ask("v", "plain", on="n1", vcore=1)
    assert victims(scene, 1) == ["plain"]


def test_then_priority_the_hour_and_the_size_decide():
    scene = running(0).app("v")
    for key, fields in {
        "urgent": {"priority": 5},
        "old": {"vcore": 1},
        "large": {"vcore": 2, "created_ns": 3600 * SECOND_NS},
        "small": {"vcore": 1, "created_ns": 3600 * SECOND_NS + 1},
        "low": {"priority": -1},
    }.items():
        scene.ask("v", key, on="n1", **fields)
    assert victims(scene, 1) == ["low", "small", "large", "old"]


def test_no_more_goes_than_is_too_much_in_any_type():  # best effort, and later smaller ones get their chance
    assert victims(running(3, size=3), 6) == ["v-2"]
    assert victims(running(3, size=3), 8) == []
    scene = running(0).app("v")
    for key, size in {"v-3": 3, "v-4": 4, "v-5": 5}.items():
        scene.ask("v", key, on="n1", vcore=size)
    assert victims(scene, 6) == ["v-3"]


def test_a_run_tells_what_it_came_to():
    scene = running().reload(leaf(6), preemption=ON).forget().advance(11)
    (told,) = [event for event in scene.events if isinstance(event, QuotaPreempted)]
    assert (told.queue, told.maximum) == ("root.a", amounts(vcore=6))
    assert told.text == (
        "Quota Preemption results summary: preemptable resources: map[vcore:4000], claimed resources: map[vcore:4000], "
        "selected victims: 5, preempted victims: 2"
    )
    scene = running(1, size=9).reload(leaf(8), preemption=ON).forget().advance(11)
    (told,) = [event for event in scene.events if isinstance(event, QuotaPreempted)]
    assert "claimed resources: nil resource, selected victims: 1, preempted victims: 0" in told.text


# -- Fences, reservations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "release, size, fence",
    [
        ("1.8", 1, "root"),
        ("1.8", 2, "root"),
        ("1.9", 1, "root"),
        ("1.9", 2, "root.p"),
        ("1.9", 7, "root.p.a"),
    ],
)
def test_a_maximum_that_the_ask_would_exceed_is_a_fence(release, size, fence):
    queues = "p: {max: {vcore: 5}, a: {max: {vcore: 5}}, b: {}}\nc: {}"
    scene = Scene(queues, release=release).node("n1", vcore=10).runs("v", "root.p.b", 4)
    scene.wants("x", "root.p.a", vcore=size)
    assert eligible.fence_of(scene.queue("root.p.a"), scene.allocation("x", "x-0"), scene.partition.profile).root.path == fence


def test_a_maximum_that_is_used_up_is_no_fence_for_an_ask_of_other_types():  # R-930, replaces P-32
    found = {}
    for release in ("1.8", "1.9"):
        scene = Scene("p: {max: {vcore: 4}, a: {}, b: {}}", release=release).node("n1", vcore=10, memory=9)
        scene.runs("v", "root.p.b", 4).wants("x", "root.p.a", memory=1)
        profile = scene.partition.profile
        found[release] = eligible.fence_of(scene.queue("root.p.a"), scene.allocation("x", "x-0"), profile).root.path
    assert found == {"1.8": "root.p", "1.9": "root"}


def reserved(release: str, queues: str = "a: {}\nb: {}") -> Scene:
    """`x` waits for the whole of a node that `v` uses, and reserves it after two seconds; the other node is too small."""
    scene = Scene(queues, release=release).node("n1", vcore=4, memory=9).node("n2", vcore=2)
    scene.runs("v", "root.b", 1, vcore=2).wants("x", "root.a", vcore=4).advance(3).cycle()
    assert scene.on("n1").reservations == {"x-0": "x"}
    return scene


def test_why_a_maximum_is_a_fence_is_told():
    told = {}
    for release in ("1.8", "1.9"):
        scene = Scene("p: {max: {vcore: 4}, a: {guaranteed: {vcore: 2}}, b: {}}\nc: {}", release=release).node("n1", vcore=8)
        scene.runs("v", "root.p.b", 4).runs("w", "root.c", 4).wants("x", "root.p.a", vcore=1)
        told[release] = eligible.fence_of(scene.queue("root.p.a"), scene.allocation("x", "x-0"), scene.partition.profile).reason
    assert {release: why_fence(reason) for release, reason in told.items()} == {
        "1.8": "it is exactly at its maximum",
        "1.9": "with this request it would exceed its maximum",
    }


def usable_nodes(scene: Scene, app: str, key: str, now_ns: int) -> set[str]:
    """On which nodes an ask may preempt."""
    return {node.id for node in on_node.usable_nodes(scene.partition, scene.allocation(app, key), now_ns)[0]}


@pytest.mark.parametrize("release, usable_after_s", [("1.8", 7202), ("1.9", 3600)])
def test_a_reservation_gets_in_the_way_no_longer_when_it_is_old(release, usable_after_s):  # R-931; 1.8: P-67
    scene = reserved(release).wants("y", "root.a", vcore=1, priority=5)
    made_ns = {"1.8": scene.allocation("x", "x-0").created_ns, "1.9": scene.on("n1").reserved_ns["x-0"]}[release]
    for late, usable in ((0, {"n2"}), (1, {"n1", "n2"})):
        now_ns = made_ns + usable_after_s * SECOND_NS + late
        assert usable_nodes(scene, "y", "y-0", now_ns) == usable


def test_a_node_is_in_the_way_as_long_as_any_reservation_is_left():
    scene = Scene(release="1.9").node("n1", vcore=4).node("n2", vcore=9).runs("v", "root.a", 1, vcore=4)
    scene.app("d").ask("d", "d-0", required="n1", vcore=4).cycle()
    scene.ask("d", "d-1", required="n1", vcore=4, priority=9).cycle()
    assert set(scene.on("n1").reservations) == {"d-0", "d-1"}
    scene.wants("y", "root.a", vcore=1, priority=99)
    assert usable_nodes(scene, "y", "y-0", 10**6 * SECOND_NS) == {"n2"}


def test_a_reservation_of_the_own_application_is_given_up_like_any_other():
    scene = reserved("1.9").ask("x", "x-1", vcore=1, priority=5)
    _, _, cancelled = on_node.usable_nodes(scene.partition, scene.allocation("x", "x-1"), 7200 * SECOND_NS)
    assert usable_nodes(scene, "x", "x-1", 7200 * SECOND_NS) == {"n1", "n2"}
    assert [(node.id, key) for node, key in cancelled] == [("n1", "x-0")]


@pytest.mark.parametrize("release, kept", [("1.8", True), ("1.9", False)])
def test_an_old_reservation_of_an_ask_that_no_longer_fits_its_queue_ends(release, kept):
    scene = reserved(release).reload("a: {max: {vcore: 3}}\nb: {}").wants("y", "root.b", memory=1)
    made_s = scene.on("n1").reserved_ns["x-0"] / SECOND_NS
    scene.advance(made_s + 3600 - scene.now_s - 0.1).cycle()
    assert scene.on("n1").reservations == {"x-0": "x"}, "not before the hour is over"
    scene.cycle()
    assert bool(scene.on("n1").reservations) is kept
    assert ("y-0" in scene.on("n1").allocations) is not kept, "the node is open to others in the same cycle"


def test_an_old_reservation_of_an_ask_that_fits_its_queue_stays():
    scene = reserved("1.9").advance(9000)
    scene.cycle()
    assert scene.on("n1").reservations == {"x-0": "x"}


# -- Reload -----------------------------------------------------------------------------------------------------------

PARENT = "p: {%s, a: {%s}}"


@pytest.mark.parametrize("release, policy", [("1.8", "fifo"), ("1.9", "fair")])
def test_a_reload_passes_on_what_a_parent_lists(release, policy):
    scene = Scene(PARENT % ("parent: true", ""), release=release)
    scene.reload(PARENT % ("application.sort.policy: fair", ""))
    assert scene.queue("root.p.a").settings.application_sort_policy == policy


@pytest.mark.parametrize("release, offset", [("1.8", 50), ("1.9", 0)])
def test_what_is_no_longer_listed_falls_back_only_where_the_parent_lists_it(release, offset):
    scene = Scene(PARENT % ("priority.offset: '3'", "priority.offset: '50'"), release=release)
    assert scene.reload(PARENT % ("priority.offset: '3'", "")).queue("root.p.a").settings.priority_offset == offset
    scene = Scene(PARENT % ("parent: true", "priority.offset: '50'"), release=release)
    assert scene.reload(PARENT % ("parent: true", "")).queue("root.p.a").settings.priority_offset == 50, "nothing is reset"


def test_a_dynamic_queue_that_becomes_configured_gets_what_its_parent_lists():
    rules = [{"name": "provided", "create": True}]
    text = "p: {parent: true, application.sort.policy: fair%s}"
    scene = Scene(text % "", release="1.9", placementrules=rules).app("x", "root.p.a")
    assert scene.queue("root.p.a").settings.application_sort_policy == "fifo"
    scene.reload(text % ", a: {}", placementrules=rules)
    assert scene.queue("root.p.a").settings.application_sort_policy == "fair"


@pytest.mark.parametrize("release, shown", [("1.8", {"own.x": "1"}), ("1.9", {"own.x": "1", "own.y": "2"})])
def test_after_a_reload_a_queue_shows_what_is_evaluated(release, shown):
    scene = Scene(PARENT % ("own.y: '2'", "own.x: '1'"), release=release)
    scene.reload((PARENT % ("own.y: '2'", "own.x: '1'")) + "\nnew: {}")
    assert scene.queue("root.p.a").properties == shown
    assert scene.queue("root.p.a").own_properties == {"own.x": "1"}


# -- Validation, nodes ------------------------------------------------------------------------------------------------


def test_limits_of_a_nested_root_are_compared_with_those_of_the_root():
    text = (
        "partitions: [{name: default, queues: [{name: root, limits: [{limit: l, users: [u], maxapplications: 5}],"
        " queues: [{name: root, parent: true, limits: [{limit: l, users: [u], maxapplications: 9}]}]}]}]"
    )
    assert load_config(text, limits_by_path=V1_8.limits_by_path).partitions
    with pytest.raises(ConfigError, match="user u max applications 9 of queue root is greater than"):
        load_config(text, limits_by_path=V1_9.limits_by_path)


@pytest.mark.parametrize("release, types", [("1.8", {"vcore", "gpu"}), ("1.9", {"vcore"})])
def test_a_node_has_no_types_of_which_it_has_nothing(release, types):
    scene = Scene(release=release).node("n1", vcore=4, gpu=0)
    assert set(scene.on("n1").capacity) == types
    assert set(scene.resize_node("n1", vcore=5, gpu=0).on("n1").capacity) == types


# -- What is the same -------------------------------------------------------------------------------------------------


def test_all_else_is_as_in_1_8():  # what the chapter does not name is unchanged
    named = {
        "version", "properties", "quota_preemption", "quota_property", "full_queue", "stale_reservation_ns", "reservations_age",
        "reload_passes_on", "keeps_empty_capacity", "limits_by_path",
    }  # fmt: skip
    as_before = replace(V1_9, **{name: getattr(V1_8, name) for name in named})
    assert all(getattr(as_before, name) == getattr(V1_8, name) for name in V1_8.__slots__)
