"""Chapter 04, sections 4 and 5: applications, their states and timers."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects import lifecycle
from workbench.scheduler.records.events import ApplicationRejected, ApplicationUpdated, Ignored, Released

BY_NAME = [{"name": "provided", "create": True}]
"""Placement that creates the queue that an application names."""
EVENTS = ("runApplication", "rejectApplication", "completeApplication", "failApplication", "expireApplication", "resumeApplication")


def running(**partition) -> Scene:
    """Application x in root.a with allocation `k`."""
    scene = Scene(**partition).node("n1", vcore=10).app("x").ask("x", "k")
    scene.cycles(1)
    return scene.forget()


# -- what an application is -------------------------------------------------------------------------------------------


def test_an_application_keeps_what_it_was_submitted_with():
    scene = Scene().app("x", "root.A", "ann", ("dev", "ops"), gang={"vcore": 2}, style="Hard", timeout_s=5, tags={"Zone": "1"})
    x = scene.application("x")
    assert (x.id, x.user, x.groups, dict(x.tags)) == ("x", "ann", ("dev", "ops"), {"Zone": "1"})
    assert (x.placeholder_ask, x.gang_style, x.placeholder_timeout_ns) == (amounts(vcore=2), "Hard", 5 * 10**9)
    assert (x.queue_path, x.state) == ("root.a", "New")


@pytest.mark.parametrize("tag", ["namespace.resourcemaxapps", "NAMESPACE.ResourceMaxApps"])
def test_tag_names_are_compared_in_any_case(tag):
    scene = Scene(placementrules=BY_NAME).app("x", "root.made", tags={tag: "3"})
    assert scene.queue("root.made").max_applications == 3


def test_quota_tags_set_the_limits_of_a_dynamic_leaf_with_every_application():
    quota = '{"resources": {"vcore": {"value": %d}}}'
    scene = Scene(placementrules=BY_NAME).app("x", "root.made", tags={"namespace.resourcequota": quota % 4000})
    assert scene.queue("root.made").maximum == amounts(vcore=4)
    scene.app("y", "root.made", tags={"namespace.resourcequota": quota % 2000, "namespace.resourceguaranteed": quota % 1000})
    assert (scene.queue("root.made").maximum, scene.queue("root.made").guaranteed) == (amounts(vcore=2), amounts(vcore=1))


def test_quota_tags_leave_a_managed_leaf_alone():
    quota = '{"resources": {"vcore": {"value": 4000}}}'
    scene = Scene(placementrules=BY_NAME).app("x", "root.a", tags={"namespace.resourcequota": quota})
    assert scene.queue("root.a").maximum is None


@pytest.mark.parametrize(
    "force, state",
    [
        ("true", "New"),
        ("True", "New"),
        ("1", "New"),
        ("false", "Rejected"),
        ("yes", "Rejected"),
    ],
)
def test_only_a_forced_application_gets_into_the_recovery_queue(force, state):
    scene = Scene(placementrules=[{"name": "provided"}]).app("x", "root.unknown", tags={"application.create.force": force})
    assert scene.state("x") == state
    assert scene.has_queue("root.@recovery@") == (state == "New")


def test_an_application_is_as_old_as_its_oldest_ask():
    scene = Scene().node("n1", vcore=9).advance(100).app("x")
    submitted = scene.application("x").submitted_ns
    scene.ask("x", "later")
    assert scene.application("x").submitted_ns == submitted
    scene.ask("x", "older", created_ns=40 * 10**9).ask("x", "oldest", created_ns=30 * 10**9, on="n1")
    assert scene.application("x").submitted_ns == 30 * 10**9


def test_totals_keep_real_allocations_placeholders_and_pending_apart():
    scene = Scene().node("n1", vcore=20).app("x").ask("x", "real", on="n1", vcore=5)
    scene.ask("x", "ph", on="n1", placeholder=True, group="tg", vcore=2)
    scene.ask("x", "wait", vcore=30, memory=0).ask("x", "waiting-ph", placeholder=True, group="tg", vcore=40)
    x = scene.application("x")
    assert (x.allocated, x.placeholder_allocated) == (amounts(vcore=5), amounts(vcore=2))
    assert x.pending == amounts(vcore=70)


def test_the_peak_is_the_most_that_was_allocated_at_once():
    scene = running().ask("x", "k2", on="n1", vcore=4).release("x", "k2").ask("x", "k3", on="n1", vcore=2)
    assert scene.application("x").peak == amounts(vcore=5)


def test_an_application_is_as_important_as_its_most_important_waiting_ask():
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "low", priority=3).ask("x", "high", priority=8)
    assert scene.application("x").priority == 8
    scene.cycles(1)
    assert scene.application("x").priority == 3


@pytest.mark.parametrize(
    "spoil, reason",
    [
        ({"status": "Draining"}, "partition [rm:1]default is stopped cannot add a new application x"),
        ({"queue": "root.nope"}, "adding application x to partition [rm:1]default, but application already existed"),
        ({"id": "y", "queue": "root.nope"}, "failed to place application y: application rejected: no placement rule matched"),
        ({"id": "y", "gang": {"vcore": 2}}, "queue root.a cannot run application y with task group request: unsupported sort type"),
    ],
    ids=["partition not active", "id in use", "no leaf", "gang in a fair leaf"],
)
def test_the_first_check_that_fails_rejects_an_application(spoil, reason):
    spoil = dict(spoil)
    scene = Scene("a: {application.sort.policy: fair}").app("x").forget()
    scene.partition.status = spoil.pop("status", "Active")
    scene.app(spoil.pop("id", "x"), **spoil)
    assert [event.reason for event in scene.events if isinstance(event, ApplicationRejected)] == [reason]
    assert next(iter(scene.partition.rejected.values())).state == "Rejected"


# -- removal ----------------------------------------------------------------------------------------------------------


def test_a_removed_application_leaves_everything_at_once_and_is_not_kept():
    scene = running().ask("x", "wait", vcore=20).forget().remove_app("x")
    assert scene.released("STOPPED_BY_RM") == ["k"]
    assert scene.partition.applications == scene.partition.completed == {}
    assert scene.used("root") == 0 and scene.queue("root").pending == amounts()
    assert scene.on("n1").allocations == {} and scene.queue("root.a").applications == {}


def test_a_removed_running_application_is_seen_completing():
    assert running().remove_app("x").states("x") == ["Completing"]


def test_a_removed_accepted_application_is_seen_completing_and_completed():
    scene = Scene().app("x").ask("x", "k").forget().remove_app("x")
    assert scene.states("x") == ["Completing", "Completed"]


def test_a_removed_new_application_is_seen_no_more():
    assert Scene().app("x").forget().remove_app("x").events == []


def test_removing_an_unknown_application_is_ignored():
    assert [type(event) for event in Scene().forget().remove_app("nope").events] == [Ignored]


def test_the_execution_timeout_never_ends_a_running_application():
    scene = Scene().node("n1", vcore=10).app("x", timeout_s=5).ask("x", "k")
    scene.cycles(1)
    assert scene.advance(3600).state("x") == "Running"


@pytest.mark.parametrize("timeout_s", [0, -5])
def test_a_timeout_of_zero_or_less_means_fifteen_minutes(timeout_s):
    assert Scene().app("x", timeout_s=timeout_s).application("x").placeholder_timeout_ns == 15 * 60 * 10**9


# -- states -----------------------------------------------------------------------------------------------------------

TABLE = {
    "New": ["Accepted", "Rejected", None, "Failing", None, "Resuming"],
    "Accepted": ["Running", None, "Completing", "Failing", None, "Resuming"],
    "Running": ["Running", None, "Completing", "Failing", None, None],
    "Completing": ["Running", None, "Completed", None, None, None],
    "Failing": [None, None, None, "Failed", None, None],
    "Resuming": ["Accepted", None, None, None, None, None],
    "Completed": [None, None, None, None, "Expired", None],
    "Failed": [None, None, None, None, "Expired", None],
    "Rejected": [None, None, None, None, "Expired", None],
    "Expired": [None] * 6,
}


@pytest.mark.parametrize("state", TABLE)
def test_applications_change_their_state_as_in_the_table(state):
    transitions = Scene().engine._ctx.profile.transitions
    row = [lifecycle.next_state(transitions, state, event) for event in EVENTS]
    assert row == TABLE[state]


def test_the_text_of_a_refused_event_names_it_and_the_state():
    assert lifecycle.refusal_text("Failing", "runApplication") == ("event runApplication inappropriate in current state Failing")


def test_the_first_ask_accepts_an_application_and_its_first_real_allocation_runs_it():
    scene = Scene().node("n1", vcore=10).app("x").forget().ask("x", "k")
    assert scene.states("x") == ["Accepted"]
    scene.cycles(1)
    assert scene.states("x") == ["Accepted", "Running"]


def test_a_reported_allocation_takes_a_new_application_to_running_in_two_steps():
    scene = Scene().node("n1", vcore=10).app("x").forget().ask("x", "k", on="n1")
    assert scene.states("x") == ["Accepted", "Running"]


def test_an_application_completes_when_its_last_ask_goes_and_nothing_runs():
    scene = Scene().app("x").ask("x", "k").ask("x", "k2").forget().release("x", "k")
    assert scene.states("x") == []
    scene.release("x", "k2")
    assert scene.states("x") == ["Completing"]


def test_the_last_ask_does_not_complete_an_application_that_still_holds_placeholders():
    scene = Scene().node("n1", vcore=9).app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2)
    scene.cycles(1)
    scene.forget().release("g", "g-ph-1")
    assert scene.states("g") == []


def test_an_application_completes_when_its_last_allocation_goes_and_nothing_waits():
    scene = running().ask("x", "wait", vcore=20).release("x", "k")
    assert scene.states("x") == []
    scene.release("x", "wait")
    assert scene.states("x") == ["Completing"]


def test_the_last_real_allocation_completes_it_whatever_placeholders_are_left():
    scene = running().ask("x", "ph", on="n1", placeholder=True, group="tg").release("x", "k")
    assert scene.states("x") == ["Completing"]


def test_all_allocations_released_in_one_request_complete_it_if_nothing_waits():
    scene = running().ask("x", "k2", on="n1").release("x")
    assert scene.states("x") == ["Completing"]


def test_releasing_all_of_nothing_ends_the_wait_of_a_completing_application():
    scene = running().release("x", "k").release("x")
    assert scene.states("x") == ["Completing", "Completed"]


def test_completing_ends_with_a_new_ask():
    scene = running().release("x", "k").advance(20).ask("x", "k2").advance(20)
    assert scene.states("x") == ["Completing", "Running"]


def test_a_refused_event_changes_nothing():
    scene = Scene().app("x").forget()
    lifecycle.fire(scene.engine._ctx, scene.partition, scene.application("x"), "completeApplication")
    assert (scene.state("x"), scene.events) == ("New", [])


def test_completing_takes_thirty_seconds():
    scene = running().release("x", "k")
    scene.advance(29.998)
    assert scene.state("x") == "Completing"
    scene.advance(0.001)
    assert scene.state("x") == "Completed"


def test_the_timer_of_a_state_that_was_left_does_nothing():
    scene = running().release("x", "k").advance(29).ask("x", "k2", vcore=20).advance(2)
    assert scene.state("x") == "Running"
    assert scene.application("x").state_timer is None


@pytest.mark.parametrize("end", ["Completed", "Rejected"])
def test_what_has_ended_expires_after_three_days(end):
    scene = running().release("x", "k").advance(30) if end == "Completed" else Scene().app("x", "root.nope")
    application = scene.application("x")
    assert application.state == end
    scene.advance(3 * 24 * 3600 - 1)
    assert application.state == end
    scene.advance(1)
    assert application.state == "Expired"


def test_entering_and_leaving_running_sets_the_start_time_and_moves_the_counter():
    scene = running()
    # Registration and the three events take 1 ms each.
    assert scene.application("x").started_ns == 4 * 10**6
    assert scene.queue("root.a").running_applications == 1
    scene.release("x", "k")
    assert scene.queue("root.a").running_applications == 0


def test_a_rejected_application_keeps_its_end_and_its_reason():
    scene = Scene().app("x", "root.nope")
    x = scene.application("x")
    assert (x.finished_ns, x.rejection) == (10**6, scene.refused()[0])


def test_a_completed_application_leaves_its_queue_and_drops_its_asks():
    scene = running().release("x", "k").advance(31)
    x = scene.application("x")
    assert (x.asks, x.ask_order, x.finished_ns is not None) == ({}, [], True)
    assert scene.queue("root.a").applications == scene.queue("root.a").priority_inputs == {}


def test_failing_releases_nothing_by_itself():
    scene = running()
    lifecycle.fire(scene.engine._ctx, scene.partition, scene.application("x"), "failApplication")
    assert scene.state("x") == "Failing"
    assert scene.used("root.a") == 1 and scene.released() == []


def test_every_transition_is_logged_and_reported_with_the_name_of_its_event():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k")
    scene.cycles(1)
    scene.release("x", "k").advance(30)
    assert [state for _, state in scene.application("x").state_log] == ["Accepted", "Running", "Completing", "Completed"]
    assert [(event.state, event.message) for event in scene.events if isinstance(event, ApplicationUpdated)] == [
        ("Accepted", "runApplication"),
        ("Running", "runApplication"),
        ("Completing", "completeApplication"),
        ("Completed", "completeApplication"),
    ]


def test_running_again_is_neither_logged_nor_reported():
    scene = running().ask("x", "k2")
    scene.cycles(1)
    assert scene.states("x") == []
    assert [state for _, state in scene.application("x").state_log] == ["Accepted", "Running"]


def test_a_rejection_is_logged_but_not_reported_as_an_update():
    scene = Scene().app("x", "root.nope")
    assert scene.states("x") == []
    assert [state for _, state in scene.application("x").state_log] == ["Rejected"]


def timed_out_gang(style: str) -> Scene:
    """Gang g of two placeholders in a queue of one application; one was placed, and the time of the gang is over."""
    scene = Scene("a: {maxapplications: 1}", confirm=False).node("n1", vcore=2)
    scene.app("g", gang={"vcore": 4}, style=style, timeout_s=5).placeholders("g", 2, vcore=2)
    scene.cycles(1)
    return scene.forget().advance(6)


def test_a_resuming_application_bypasses_the_limits_and_needs_two_allocations_to_run():
    scene = timed_out_gang("Soft")
    assert scene.state("g") == "Resuming"
    scene.node("n2", vcore=9).app("other").ask("other", "o", on="n2")
    assert scene.queue("root.a").running_applications == 1
    scene.ask("g", "first").ask("g", "second")
    assert scene.cycles(1) == ["first"]
    assert scene.state("g") == "Accepted"
    scene.release("other", "o").cycles(1)
    assert scene.state("g") == "Running"


def test_asks_of_a_failing_application_can_be_allocated():
    scene = timed_out_gang("Hard")
    assert scene.state("g") == "Failing"
    scene.node("n2", vcore=9).ask("g", "late")
    assert scene.application("g").pending == amounts(vcore=1)
    assert scene.cycles(1) == ["late"]
    assert scene.state("g") == "Failing"


def test_a_completed_application_is_no_longer_found():
    scene = running().release("x", "k").advance(31).forget().ask("x", "k2").release("x", "k2")
    assert scene.refused() == ["failed to find application x"]
    assert not [event for event in scene.events if isinstance(event, Released)]
