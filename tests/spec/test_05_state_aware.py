"""Chapter 05, sections 4 and 5, release 1.4: the sort policy `stateaware`, and queues compared by lists of shares."""

from __future__ import annotations

import pytest
from scenes import Scene, refusals

from workbench.conformance import build
from workbench.explain import reason, short_name
from workbench.scheduler import policies
from workbench.scheduler.objects.outstanding import outstanding_requests
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.refusals.taking_part import OneStart
from workbench.scheduler.records.state import Queue
from workbench.scheduler.releases.profiles import V1_4, V1_8
from workbench.values.resources import Resource

STATE_AWARE = "a: {application.sort.policy: stateaware}"
WAITING = Resource(vcore=1)
SECOND_NS = 10**9


def leaf(*applications: tuple[str, str, int, int], by_priority: bool = True, profile=V1_4) -> Queue:
    """A stateaware leaf of waiting applications (name, state, submission in s, priority); one named `idle...` waits for nothing."""
    made = build.queue(
        "leaf",
        profile=profile,
        properties={"application.sort.policy": "stateaware", "application.sort.priority": "enabled" if by_priority else "disabled"},
    )
    for seq, (name, state, submitted, priority) in enumerate(applications):
        build.application(
            name,
            made,
            seq=seq,
            state=state,
            state_log=((submitted * SECOND_NS, state),),
            priority=priority,
            submitted_ns=submitted * SECOND_NS,
            pending=Resource() if name.startswith("idle") else WAITING,
        )
    return made


def order(queue: Queue) -> list[str]:
    return [application.id for _, application in policies.order_applications(queue, 100 * SECOND_NS)[1]]


def kept_out(queue: Queue) -> dict[str, OneStart]:
    """Application -> refusal, of those that may not start."""
    filtered = policies.order_applications(queue, 100 * SECOND_NS)[2]
    return {refusal.subject: refusal for refusal in filtered if isinstance(refusal, OneStart)}


# -- who takes part ---------------------------------------------------------------------------------------------------


def test_of_accepted_applications_only_the_oldest_takes_part_whatever_its_priority():
    queue = leaf(("young", "Accepted", 30, 9), ("old", "Accepted", 20, 1), ("middle", "Accepted", 25, 5))
    assert order(queue) == ["old"]
    assert kept_out(queue) == {"young": OneStart("young", admitted="old"), "middle": OneStart("middle", admitted="old")}


def test_of_equally_old_ones_it_is_the_one_created_first():
    assert order(leaf(("x", "Accepted", 20, 0), ("y", "Accepted", 20, 9))) == ["x"]


def test_an_older_one_that_waits_for_nothing_is_not_the_chosen_one():
    assert order(leaf(("idle", "Accepted", 5, 0), ("x", "Accepted", 20, 0))) == ["x"]


def test_while_one_is_starting_no_accepted_one_takes_part():  # R-538, W-24
    queue = leaf(("s", "Starting", 10, 0), ("x", "Accepted", 5, 9), ("r", "Running", 20, 0))
    assert order(queue) == ["s", "r"]
    assert kept_out(queue) == {"x": OneStart("x", starting="s", age_ns=90 * SECOND_NS)}


def test_a_starting_one_that_waits_for_nothing_keeps_them_out_as_well():
    assert order(leaf(("idle", "Starting", 10, 0), ("x", "Accepted", 5, 0))) == []


def test_of_several_starting_ones_all_take_part_and_the_last_to_start_is_named():  # R-538, W-24
    queue = leaf(("s1", "Starting", 10, 0), ("s2", "Starting", 15, 0), ("x", "Accepted", 5, 0))
    assert order(queue) == ["s1", "s2"]
    assert kept_out(queue)["x"].starting == "s2"


def test_applications_in_any_other_state_take_part():
    states = ("New", "Resuming", "Completing", "Failing", "Running")
    queue = leaf(*((state, state, 10 + seq, 0) for seq, state in enumerate(states)), ("x", "Accepted", 99, 0))
    assert order(queue) == [*states, "x"]


# -- in which order ---------------------------------------------------------------------------------------------------


def test_those_that_take_part_are_in_the_order_of_fifo():
    applications = (("r1", "Running", 10, 1), ("x", "Accepted", 20, 9), ("r2", "Running", 30, 5))
    assert order(leaf(*applications)) == ["x", "r2", "r1"], "the accepted one is not put behind those that run"
    assert order(leaf(*applications, by_priority=False)) == ["r1", "x", "r2"]


def test_without_priority_a_younger_application_never_goes_first():
    assert order(leaf(("old", "Running", 10, 0), ("young", "Running", 20, 9), by_priority=False)) == ["old", "young"]


def test_in_1_8_it_is_another_word_for_fifo():  # C-183
    queue = leaf(("s", "Starting", 30, 0), ("x", "Accepted", 10, 0), ("y", "Accepted", 20, 0), profile=V1_8)
    assert queue.settings.application_sort_policy == "fifo"
    assert order(queue) == ["x", "y", "s"]


def test_in_1_4_the_word_keeps_its_meaning_through_a_reload():  # C-183, C-153
    scene = Scene("a: {}", release="1.4").reload(STATE_AWARE)
    assert scene.queue("root.a").settings.application_sort_policy == "stateaware"
    assert Scene("a: {}").reload(STATE_AWARE).queue("root.a").settings.application_sort_policy == "fifo"


# -- what comes of it -------------------------------------------------------------------------------------------------


def test_applications_get_going_one_after_the_other():
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=10)
    for name in ("x", "y", "z"):
        scene.wants(name, "root.a")
    assert scene.cycles(3) == ["x-0"]
    scene.ask("x", "x-1")
    assert scene.cycles(3) == ["x-1", "y-0"], "x runs, so the next one starts"
    scene.advance(300)
    assert scene.cycles(2) == ["z-0"], "y runs after five minutes with one allocation"


def test_with_the_tag_an_application_keeps_no_other_from_starting():
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=10)
    scene.app("x", tags={"application.stateaware.disable": "true"}).ask("x", "x-0").wants("y", "root.a")
    assert scene.cycles(2) == ["x-0", "y-0"]


def test_an_application_that_ends_while_it_starts_lets_the_next_one_start():
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=10).wants("x", "root.a").wants("y", "root.a")
    scene.cycles(2)
    assert scene.release("x", "x-0").cycles(1) == ["y-0"]


def test_each_leaf_starts_an_application_of_its_own():
    scene = Scene(f"{STATE_AWARE}\nb: {{application.sort.policy: stateaware}}", release="1.4").node("n1", vcore=10)
    scene.wants("x", "root.a").wants("y", "root.b").wants("z", "root.b")
    assert sorted(scene.cycles(3)) == ["x-0", "y-0"]


def test_a_waiting_application_is_told_who_is_starting_and_for_how_long():  # W-24, E-6
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=10).wants("x", "root.a").wants("y", "root.a")
    scene.cycle()
    level = next(level for level in scene.advance(12).cycle().levels if level.kind == "application")
    refusal = next(each for each in level.filtered if each.subject == "y")
    assert short_name(refusal) == "one-start"
    assert reason(refusal) == (
        "Application y may not start while x is Starting, for 12.101 s now: stateaware starts one application of a queue at a time."
    )
    (first,) = (each for each in policies.order_applications(leaf(("x", "Accepted", 1, 0), ("y", "Accepted", 2, 0)), 0)[2])
    assert reason(first) == (
        "Application y may not start before x, which is older: stateaware starts one application of a queue at a time."
    )


def test_the_oldest_one_keeps_its_turn_even_if_it_finds_no_room():
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=4).wants("big", "root.a", vcore=9).wants("y", "root.a")
    decision = scene.cycle()
    assert decision.outcome == "nothing"
    assert refusals(decision, "ask") == {"big-0": "W-11"}


def test_an_autoscaler_is_told_of_those_that_may_not_start_as_well():
    scene = Scene(STATE_AWARE, release="1.4").node("n1", vcore=1).wants("x", "root.a").wants("y", "root.a")
    scene.cycle()
    scene.allocation("y", "y-0").scheduling_attempted = True
    context = Context(Journal(history=False), scene.engine.state)
    assert [ask.key for _, ask in outstanding_requests(context, scene.partition)] == ["y-0"]


def test_a_stateaware_leaf_takes_gangs():  # R-702, C-135
    assert Scene(STATE_AWARE, release="1.4").app("g", gang={"vcore": 4}).refused() == []
    fair = Scene("a: {application.sort.policy: fair}", release="1.4").app("g", gang={"vcore": 4})
    assert fair.refused() == ["queue root.a cannot run application g with task group request: unsupported sort type"]


# -- queues -----------------------------------------------------------------------------------------------------------


def siblings(*queues: tuple[str, dict, dict | None], profile=V1_4, cluster: dict | None = None) -> list[str]:
    """The order of queues (name, allocated, guaranteed), all of the same priority and waiting for the same."""
    root = build.queue("root", is_leaf=False, maximum=cluster or {"vcore": 100, "memory": 100})
    for seq, (name, allocated, guaranteed) in enumerate(queues):
        build.queue(name, parent=root, seq=seq, allocated=allocated, guaranteed=guaranteed, pending={"vcore": 1}, priority=0)
    ranked = policies.order_queues(root, policies.fair_maximum(None, root), profile)[1]
    return [queue.name for _, queue in ranked]


def test_equal_largest_shares_are_settled_by_the_next_ones():
    half = {"vcore": 10, "memory": 10}
    queues = (("a", {"vcore": 5, "memory": 4}, half), ("b", {"vcore": 5, "memory": 3}, half), ("c", {"memory": 5}, half))
    assert siblings(*queues) == ["c", "b", "a"]
    assert siblings(*queues, profile=V1_8) == ["a", "b", "c"], "there only the largest share counts"


def test_a_type_without_guarantee_counts_with_its_raw_amount():
    queues = (("a", {"vcore": 5}, None), ("b", {"vcore": 9}, {"vcore": 10}))
    assert siblings(*queues) == ["b", "a"]
    assert siblings(*queues, profile=V1_8) == ["a", "b"]


def test_the_size_of_cluster_and_maxima_plays_no_part():
    queues = (("a", {"vcore": 5}, None), ("b", {"memory": 6}, None))
    for cluster in ({"vcore": 10, "memory": 1000}, {"vcore": 1000, "memory": 10}):
        assert siblings(*queues, cluster=cluster) == ["a", "b"]
    assert siblings(*queues, cluster={"vcore": 10, "memory": 1000}, profile=V1_8) == ["b", "a"]


@pytest.mark.parametrize("release, first", [("1.4", "b"), ("1.8", "a")])
def test_the_engine_compares_queues_by_the_rule_of_its_version(release, first):
    tree = "a: {}\nb: {guaranteed: {vcore: 4}}"
    scene = Scene(tree, release=release).node("n1", vcore=100).runs("x", "root.a", 1).runs("y", "root.b", 1)
    decision = scene.ask("x", "more-x").ask("y", "more-y").cycle()
    assert decision.path[-1] == f"root.{first}"
