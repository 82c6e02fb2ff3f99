"""New advice, the comparison, what people are told and the way back: parts 4 to 7 of a rollout. RO-1"""

from __future__ import annotations

from rollout_scenes import Cluster, design

from workbench.rollouts import read_live, rollout
from workbench.rollouts.arrivals import pools
from workbench.scheduler.records.commands import AddAllocation, AddNode, AskSpec, DrainNode
from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload

PLAIN = design("a:\nb:")
QUOTA = {"preemption": "{quotapreemptionenabled: true}"}


def told(found) -> dict[str, str]:
    return {each.queue: each.text for each in found.tidings}


# ---- 4 -----------------------------------------------------------------------------------------------------------------


def test_only_advice_that_the_old_file_did_not_get_is_new():
    today = design("a: {properties: {application.sort.policy: best}}\nb:")
    new = design("a: {properties: {application.sort.policy: best}}\nb: {properties: {priority.offset: much}}")
    found = rollout(new, Cluster(today).scenario)
    assert [(each.path, each.key) for each in found.advice.new] == [("root.b", "properties.priority.offset")]
    assert found.advice.gone == ()
    back = rollout(today, Cluster(new).scenario)
    assert [(each.path, each.key) for each in back.advice.gone] == [("root.b", "properties.priority.offset")]


def test_what_stays_until_a_restart_is_told_once_and_not_again_as_advice():
    found = rollout(PLAIN, Cluster(design("a: {properties: {priority.offset: '5'}}\nb:")).scenario)
    assert found.effects is not None and len(found.effects.stays) == 1
    assert found.advice.new == ()


# ---- 5 -----------------------------------------------------------------------------------------------------------------


def jobs() -> Workload:
    """Each queue wants all ten cores at once, b a moment later."""
    tasks = Tasks(resource=Resource(vcore=1000), count=10, duration_ms=60_000)
    return Workload(
        jobs=(
            Job(id="first", submit_ms=0, tasks=(tasks,), queue="root.a", user="sue"),
            Job(id="second", submit_ms=1000, tasks=(tasks,), queue="root.b", user="ben"),
        )
    )


def test_with_a_workload_the_two_are_compared_on_the_nodes_of_the_cluster():
    found = rollout(design("a: {resources: {max: {vcore: 5}}}\nb:"), Cluster(PLAIN).scenario, jobs())
    assert found.comparison is not None
    assert [side.name for side in found.comparison.sides] == ["today", "new"]
    # Half of the first job comes after the other half.
    assert found.comparison.sentence.startswith("With new, root.a waits at most 1 min 1 s instead of 0 s")
    assert found.comparison.sentence in str(found)


def test_nodes_of_the_cluster_count_without_what_others_occupy_and_without_those_that_take_no_work():
    cluster = Cluster(PLAIN)
    cluster.events += [AddNode(node_id=f"small-{number}", capacity=Resource(vcore=4000)) for number in range(3)]
    taken = AskSpec(application_id="", key="daemon", resource=Resource(vcore=1000))
    cluster.events += [AddAllocation(ask=taken, node_id="small-2", foreign=True), DrainNode(node_id="small-1")]
    engine, _ = read_live(cluster.scenario).engine()
    assert [(each.count, each.capacity) for each in pools(engine.state)] == [
        (1, Resource(vcore=10_000)),
        (1, Resource(vcore=4000)),
        (1, Resource(vcore=3000)),
    ]


def test_without_a_workload_there_is_no_comparison():
    assert rollout(PLAIN, Cluster(PLAIN).scenario).comparison is None


# ---- 6 -----------------------------------------------------------------------------------------------------------------


def test_people_are_told_the_numbers_and_what_they_mean_for_what_they_have_there():
    today = design("a: {resources: {max: {vcore: 8}}, properties: {quota.preemption.delay: 2m}}\nb:", **QUOTA)
    new = design("a: {resources: {max: {vcore: 4}}, properties: {quota.preemption.delay: 2m}}\nb:", **QUOTA)
    found = rollout(new, Cluster(today, release="1.9").runs("x", "root.a", 6).runs("y", "root.b", 2).scenario)
    assert told(found) == {
        "root.a": "root.a may hold at most vcore 4 instead of vcore 8. 2 of its pods are stopped after 2 min 1 s (x-5 and x-4)."
    }


def test_people_of_a_queue_over_its_maximum_are_told_that_nothing_starts():
    found = rollout(design("a: {resources: {max: {vcore: 2}}}\nb:"), Cluster(PLAIN).runs("x", "root.a", 4).scenario)
    assert told(found) == {
        "root.a": "root.a may hold at most vcore 2 instead of any amount. "
        "It holds vcore 4 now, and nothing more starts before that is within the maximum."
    }


def test_people_of_a_queue_that_goes_away_are_told_what_becomes_of_what_is_there():
    found = rollout(design("a:"), Cluster(PLAIN).runs("x", "root.b", 2).scenario)
    assert told(found) == {
        "root.b": "root.b goes away: it takes no new applications, and the application that is there goes on to the end "
        "(2 pods running, 0 waiting). Applications like x are refused from now on."
    }


def test_people_who_wait_longer_are_told_so_although_nothing_of_their_queue_was_edited():
    live = Cluster(PLAIN, vcore=2).waits("x", "root.a", 2).waits("y", "root.b", 2)
    found = rollout(design("a:\nb: {properties: {priority.offset: '10'}}"), live.scenario)
    assert told(found) == {
        "root.a": "root.a: 1 waiting pod starts no more within 10 minutes.",
        "root.b": "root.b counts with a priority offset of 10 instead of 0. "
        "1 waiting pod starts within 10 minutes, which would wait longer today.",
    }


# ---- 7 -----------------------------------------------------------------------------------------------------------------


def grown() -> tuple[str, str, Cluster]:
    """A maximum of four cores that becomes eight: what waits starts then, and is over the old maximum."""
    today = design("a: {resources: {max: {vcore: 4}}, properties: {quota.preemption.delay: 2m}}", **QUOTA)
    live = Cluster(today, release="1.9").runs("x", "root.a", 4).waits("y", "root.a", 4)
    return today, today.replace("vcore: 4", "vcore: 8"), live


def test_going_back_stops_those_who_came_over_the_old_maximum():
    today, new, live = grown()
    found = rollout(new, live.scenario)
    assert found.exit_code == 0
    assert found.back is not None
    assert {each.who for each in found.back.stopped} == {("y", f"y-{number}") for number in range(4)}
    assert found.back.text == today
    assert found.sentence.endswith(" But going back after 10 minutes would stop 4 pods.")


def test_going_back_from_what_let_nobody_in_stops_nobody():
    today, new, _ = grown()
    found = rollout(new, Cluster(today, release="1.9").runs("x", "root.a", 4).scenario)
    assert found.back is not None and found.back.stopped == ()
    assert "Going back after 10 minutes stops nobody." in str(found)


def test_who_would_be_stopped_by_staying_too_is_not_put_down_to_going_back():
    today = design("a: {resources: {max: {vcore: 8}}, properties: {quota.preemption.delay: 15m}}\nb:", **QUOTA)
    new = today.replace("vcore: 8", "vcore: 4")
    found = rollout(new, Cluster(today, release="1.9").runs("x", "root.a", 6).scenario, minutes=10)
    assert found.back is not None
    assert found.effects is not None and found.effects.stopped == ()
    assert found.back.stopped == ()


def test_a_property_that_only_the_new_file_has_survives_going_back_until_a_restart():  # C-153
    found = rollout(design("a: {properties: {priority.offset: '10'}}\nb:"), Cluster(PLAIN).scenario)
    assert found.back is not None
    [stays] = found.back.stays
    assert (stays.path, stays.setting, stays.stays, stays.wanted) == ("root.a", "priority.offset", "10", "0")


def test_a_queue_that_only_the_new_file_has_goes_again():
    found = rollout(design("a:\nb:\nc:"), Cluster(PLAIN).scenario)
    assert found.back is not None
    assert [(each.queue, each.applications) for each in found.back.drained] == [("root.c", 0)]
