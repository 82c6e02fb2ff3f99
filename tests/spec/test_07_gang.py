"""Chapter 07, gang scheduling: placeholders, task groups, replacement and time-out."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler import invariants
from workbench.scheduler.records.events import Released


def gang(count: int = 2, *, node: int = 10, style: str = "", timeout_s: int = 0, **fields) -> Scene:
    """An application `g` with so many placeholders of 2 cores in one group, on one node."""
    scene = Scene(**fields).node("n1", vcore=node)
    scene.app("g", gang={"vcore": 2 * count}, style=style, timeout_s=timeout_s)
    return scene.placeholders("g", count, vcore=2)


def test_the_scheduler_makes_no_placeholders_of_its_own():
    scene = Scene().node("n1", vcore=10).app("g", gang={"vcore": 4})
    assert scene.cycles(3) == []
    assert scene.application("g").asks == {}


@pytest.mark.parametrize("style", ["Soft", "hard", "", "Anything"])
def test_every_style_but_exactly_hard_is_soft(style):
    scene = gang(node=2, style=style, timeout_s=5)
    scene.cycles(2)
    scene.forget().advance(5)
    assert scene.states("g") == ["Resuming", "Accepted"]


def test_a_gang_needs_a_fifo_leaf():  # R-702, PL-90, PL-91
    scene = Scene("a: {application.sort.policy: fair}").app("g", gang={"vcore": 2})
    assert scene.refused() == ["queue root.a cannot run application g with task group request: unsupported sort type"]


def test_a_gang_must_fit_the_maxima_of_its_path_but_not_the_cluster():  # R-702, PL-91
    tree = "p: {max: {vcore: 5}, a: {max: {memory: 100}}}"
    assert Scene(tree).app("g", "root.p.a", gang={"vcore": 5}).refused() == []
    assert Scene(tree).app("g", "root.p.a", gang={"vcore": 6}).refused() == [
        "queue root.p.a cannot fit application g: task group request map[vcore:6000] larger than max queue allocation "
        "map[memory:100 vcore:5000]"
    ]


def test_placeholders_without_a_total_never_complete_the_gang():
    scene = Scene().node("n1", vcore=10).app("g").placeholders("g", 2, vcore=2)
    assert len(scene.cycles(2)) == 2
    assert scene.state("g") == "Accepted"


def test_a_placeholder_counts_in_queue_and_node_but_not_as_allocated_of_its_application():
    scene = gang(3)
    scene.cycle()
    g = scene.application("g")
    assert (g.allocated, g.placeholder_allocated) == (amounts(), amounts(vcore=2))
    assert scene.used("root.a") == 2
    assert scene.on("n1").allocated == amounts(vcore=2)


def test_the_application_runs_when_its_placeholder_total_is_complete_type_by_type():
    scene = gang(2)
    scene.cycle()
    assert scene.state("g") == "Accepted"
    scene.cycle()
    assert scene.state("g") == "Running"


def test_the_timer_starts_with_the_first_placeholder_of_an_accepted_application():
    scene = gang(2, node=2, timeout_s=5)
    scene.advance(60)
    assert scene.application("g").placeholder_timer is None
    scene.cycle()
    assert scene.application("g").placeholder_timer is not None


def test_no_timer_starts_when_a_real_ask_came_first():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 4}, timeout_s=5).ask("g", "real", priority=1)
    scene.placeholders("g", 2, vcore=2).cycles(3)
    assert scene.state("g") == "Running"
    assert scene.application("g").placeholder_timer is None


def test_from_its_first_placeholder_on_an_accepted_application_takes_a_slot():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=2).app("g", gang={"vcore": 4})
    scene.placeholders("g", 2, vcore=2).app("other").ask("other", "o")
    scene.cycles(1)
    scene.resize_node("n1", vcore=10)
    assert "o" not in scene.cycles(3)


def test_a_task_group_counts_what_was_ever_added_replaced_and_timed_out():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    scene.release("g", "g-ph-1", "TIMEOUT")
    group = scene.application("g").task_groups["tg"]
    assert (group.count, group.replaced, group.timed_out) == (2, 1, 1)


def test_a_real_ask_of_an_open_group_waits_for_a_replacement_even_if_it_would_fit():  # R-715, W-09
    scene = gang(2)
    scene.ask("g", "real", group="tg", vcore=2, priority=5)
    decision = scene.cycle()
    assert decision.key == "g-ph-0"
    level = next(level for level in decision.levels if level.kind == "ask")
    assert level.candidates[0].refusal.code == "W-09"


def test_real_asks_of_no_or_an_unknown_group_are_placed_normally():
    scene = gang(2)
    scene.ask("g", "free", priority=9).ask("g", "unknown", group="other", priority=8)
    assert scene.cycles(2) == ["free", "unknown"]
    assert scene.state("g") == "Running"


def test_the_time_out_is_fifteen_minutes_unless_the_application_says_otherwise():
    scene = gang(2, node=2)
    scene.cycle()
    scene.advance(899)
    assert scene.state("g") == "Accepted"
    scene.advance(2)
    assert scene.state("g") == "Accepted"  # resumed, and back after the confirmation
    assert scene.states("g")[-2:] == ["Resuming", "Accepted"]


def test_a_creation_tag_shortens_the_time_out():
    created = 946_684_800 - 100
    scene = Scene().node("n1", vcore=2)
    scene.app("g", gang={"vcore": 4}, timeout_s=110, tags={"yunikorn.apache.org/creationTime": str(created)})
    scene.placeholders("g", 2, vcore=2).cycle()
    scene.forget().advance(9)
    assert scene.states("g") == []
    scene.advance(2)
    assert "Resuming" in scene.states("g")


def test_timing_out_while_running_releases_the_placeholders_only():  # R-722 case 1
    scene = gang(2, timeout_s=5)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    scene.forget().advance(5)
    assert scene.released("TIMEOUT") == ["g-ph-1"]
    assert scene.state("g") == "Running"
    assert list(scene.application("g").allocations) == ["real"]


def test_timing_out_an_incomplete_gang_releases_everything_and_drops_all_asks():  # R-722 case 2, R-724
    scene = gang(2, node=2, timeout_s=5)
    scene.cycle()
    scene.forget().advance(5)
    assert sorted(scene.released("TIMEOUT")) == ["g-ph-0", "g-ph-1"]
    assert scene.states("g") == ["Resuming", "Accepted"]
    assert not scene.application("g").asks  # unlike the time-out of a complete gang, which keeps the records
    scene.ask("g", "again", group="tg", vcore=2)
    assert scene.cycles(1) == ["again"]


def test_a_pending_real_ask_without_placeholders_is_removed_where_the_core_would_crash():
    scene = gang(2, node=2, timeout_s=5)
    scene.cycle()
    scene.ask("g", "free", vcore=9)
    scene.forget().advance(5)
    assert "free" in scene.released("TIMEOUT")
    assert [(rule, subject) for rule, subject, *_ in scene.surprises()] == [("R-723", "'free' of 'g'")]
    assert "the core crashes here" in scene.surprised()[0]


def test_a_placeholder_reported_for_a_completing_application_leaves_it_completing():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 2}).ask("g", "k").release("g", "k")
    scene.forget().ask("g", "late", on="n1", placeholder=True, group="tg", vcore=1)
    assert (scene.placed(), scene.states("g"), scene.state("g")) == (["late"], [], "Completing")


def test_an_application_left_without_asks_by_its_gangs_time_out_is_completing_when_it_is_removed():
    scene = gang(2, node=2, timeout_s=5)
    scene.cycle()
    scene.advance(5).forget().remove_app("g")
    assert scene.states("g") == ["Completing"]


def test_a_hard_gang_fails_with_its_time_out():
    scene = gang(2, node=2, style="Hard", timeout_s=5)
    scene.cycle()
    scene.forget().advance(5)
    assert scene.states("g") == ["Failing", "Failed"]


def test_the_timer_stops_with_the_last_placeholder():
    scene = gang(1, timeout_s=60)
    scene.cycle()
    scene.release("g", "g-ph-0")
    assert scene.application("g").placeholder_timer is None


def test_a_real_ask_replaces_a_placeholder_on_its_node_without_asking_for_room():
    scene = gang(2, node=4, confirm=False)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2)
    decision = scene.cycle()
    assert (decision.outcome, decision.placeholder, decision.phase) == ("replaced", "g-ph-0", "placeholder")
    assert scene.released("PLACEHOLDER_REPLACED") == ["g-ph-0"]
    g = scene.application("g")
    assert "real" not in scene.placed()
    assert (g.pending, g.allocated) == (amounts(), amounts())


def test_a_replacement_moves_to_another_node_when_its_own_refuses():
    scene = gang(1, node=2, confirm=False).node("n2", vcore=2)
    scene.cycle()
    scene.ask("g", "real", group="tg", vcore=2, allowed=("n2",)).cycle()
    assert scene.on("n1").allocated == scene.on("n2").allocated == amounts(vcore=2)
    assert scene.used("root.a") == 2


def test_only_the_first_compatible_pair_is_tried_on_another_node():
    scene = gang(2, node=4)
    scene.cycles(2)
    scene.node("n2", vcore=2).ask("g", "nowhere", group="tg", vcore=2, priority=5, allowed=("gone",))
    scene.ask("g", "elsewhere", group="tg", vcore=2, allowed=("n2",))
    assert scene.cycle().outcome == "nothing"


def test_a_real_ask_that_is_larger_releases_every_free_placeholder_of_its_group():
    scene = gang(2)
    scene.cycles(2)
    scene.forget().ask("g", "large", group="tg", vcore=3)
    scene.cycle()
    assert scene.released("TIMEOUT") == ["g-ph-0", "g-ph-1"]
    assert scene.cycles(1) == ["large"]


def test_a_type_that_the_placeholder_lacks_counts_as_larger():
    scene = gang(1)
    scene.cycle()
    scene.ask("g", "other", group="tg", vcore=1, gpu=1).forget().cycle()
    assert scene.released("TIMEOUT") == ["g-ph-0"]


def test_a_smaller_ask_takes_the_first_compatible_placeholder():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "small", group="tg", vcore=1)
    assert scene.cycle().placeholder == "g-ph-0"
    assert scene.used("root.a") == 3


def test_a_preempted_placeholder_is_not_replaced():  # R-735, P-111
    scene = gang(2)
    scene.cycles(2)
    scene.allocation("g", "g-ph-0").preempted = True
    scene.queue("root.a").preempting = scene.queue("root").preempting = amounts(vcore=2)
    scene.ask("g", "real", group="tg", vcore=2)
    assert scene.cycle().placeholder == "g-ph-1"


def test_the_confirmation_swaps_the_two_and_reports_the_real_one():
    scene = gang(2)
    scene.cycles(2)
    scene.forget().ask("g", "real", group="tg", vcore=1).cycle()
    g = scene.application("g")
    assert scene.placed() == ["real"]
    assert g.allocations.keys() == {"g-ph-1", "real"}
    assert g.asks.keys() == {"g-ph-1", "real"}
    assert scene.on("n1").allocations.keys() == {"g-ph-1", "real"}
    assert scene.on("n1").allocated == amounts(vcore=3)
    assert (g.allocated, g.placeholder_allocated) == (amounts(vcore=1), amounts(vcore=2))


def test_the_second_replacement_of_an_incomplete_gang_makes_it_run():
    scene = gang(3, node=4)
    scene.cycles(2)
    scene.forget().ask("g", "one", group="tg", vcore=2).cycle()
    assert scene.states("g") == []
    scene.ask("g", "two", group="tg", vcore=2).cycle()
    assert scene.states("g") == ["Running"]


def test_replacing_the_last_placeholder_passes_through_completing():
    scene = gang(1)
    scene.cycle()
    scene.forget().ask("g", "real", group="tg", vcore=2).cycle()
    assert scene.states("g") == ["Completing", "Running"]
    assert scene.queue("root.a").running_applications == 1


def test_a_second_confirmation_is_ignored_and_one_without_a_replacement_removes_the_placeholder():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    before = scene.used("root.a")
    scene.release("g", "g-ph-0", "PLACEHOLDER_REPLACED")
    assert scene.used("root.a") == before
    scene.release("g", "g-ph-1", "PLACEHOLDER_REPLACED")
    assert scene.application("g").allocations.keys() == {"real"}


@pytest.mark.parametrize(("leave", "states"), [
    ("nothing", ["Completing"]),
    ("a real one", []),
], ids=["idle applications complete", "others go on"])  # fmt: skip
def test_what_the_end_of_the_last_placeholder_does(leave, states):
    scene = gang(1)
    scene.cycle()
    if leave == "a real one":
        scene.ask("g", "free").cycle()
    scene.forget().release("g", "g-ph-0")
    assert scene.states("g") == states


def test_a_completing_application_completes_at_once_with_its_last_placeholder():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    scene.release("g", "real")
    assert scene.state("g") == "Completing"
    scene.release("g", "g-ph-1")
    assert scene.state("g") == "Completed"


def test_thirty_seconds_of_completing_release_the_placeholders_that_are_left():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    scene.release("g", "real")
    scene.forget().advance(31)
    message = next(event.message for event in scene.events if isinstance(event, Released))
    assert message == "releasing placeholders on app complete"
    assert scene.state("g") == "Completed"


def test_a_placeholder_that_ends_unreplaced_counts_as_timed_out():
    scene = gang(2)
    scene.cycles(2)
    scene.release("g", "g-ph-0")
    assert scene.application("g").task_groups["tg"].timed_out == 1


def test_leftover_placeholders_stay_for_later_asks_of_the_group():
    scene = gang(2)
    scene.cycles(2)
    scene.ask("g", "one", group="tg", vcore=2).cycle()
    scene.ask("g", "other").cycle()
    scene.release("g", "one")
    scene.ask("g", "two", group="tg", vcore=2)
    assert scene.cycle().placeholder == "g-ph-1"


def test_a_replacement_does_not_change_what_the_queue_may_hold():
    scene = gang(1, node=2, queues="a: {max: {vcore: 2}}").node("n2", vcore=2)
    scene.cycle()
    scene.ask("g", "real", group="tg", vcore=2, allowed=("n2",)).cycle()
    assert scene.used("root.a") == 2
    assert scene.on("n2").allocations.keys() == {"real"}


def test_placeholders_beyond_the_total_are_bounded_by_the_queue_only():
    scene = Scene("a: {max: {vcore: 6}}").node("n1", vcore=20).app("g", gang={"vcore": 2}).placeholders("g", 5, vcore=2)
    assert len(scene.cycles(5)) == 3


def test_the_partition_counts_its_placeholder_allocations():
    scene = gang(2)
    scene.cycles(2)
    assert scene.partition.placeholder_count == 2
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    assert scene.partition.placeholder_count == 1


@pytest.mark.parametrize(("lost", "outcome"), [
    ("n1", "confirmed"),
    ("n2", "pending"),
], ids=["the placeholder's node", "the real one's node"])  # fmt: skip
def test_losing_a_node_during_a_replacement(lost, outcome):  # R-414 a and c
    scene = gang(2, node=2, confirm=False).node("n2", vcore=2)
    scene.cycle()
    scene.ask("g", "real", group="tg", vcore=1, allowed=("n2",)).cycle()
    scene.forget().remove_node(lost)
    real = scene.allocation("g", "real")
    if outcome == "confirmed":
        assert scene.placed() == ["real"]
        assert scene.released("STOPPED_BY_RM") == ["g-ph-0"]
    else:
        assert not real.allocated
        assert scene.allocation("g", "g-ph-0").released


def test_losing_the_node_of_both_gives_the_real_ask_back():  # R-414 b
    scene = gang(2, node=4, confirm=False)
    scene.cycles(2)
    scene.ask("g", "real", group="tg", vcore=2).cycle()
    scene.forget().remove_node("n1")
    assert sorted(scene.released("STOPPED_BY_RM")) == ["g-ph-0", "g-ph-1"]
    assert not scene.allocation("g", "real").allocated


def test_older_versions_are_described_but_1_8_counts_time_outs_on_removal():
    scene = gang(2, timeout_s=5, confirm=False)
    scene.cycles(2)
    scene.advance(5)
    assert scene.application("g").task_groups["tg"].timed_out == 0


def test_the_key_of_an_ask_that_is_replacing_a_placeholder_is_not_free_even_after_the_time_out():
    # Otherwise the confirmation would count the ask a second time.
    scene = gang(2, node=4, timeout_s=60, confirm=False)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=2)
    decision = scene.cycle()
    while decision.outcome not in ("replaced", "nothing"):
        decision = scene.cycle()
    assert decision.key == "real"
    scene.forget().advance(60)
    assert "real" not in scene.application("g").asks
    scene.ask("g", "real", on="n1", vcore=2)
    assert scene.on("n1").allocated == amounts(vcore=2)
    scene.confirm_releases()
    g = scene.application("g")
    assert sorted(g.allocations) == sorted({allocation.key for allocation in g.allocations.values()})
    assert invariants.check(scene.engine.state) == []
