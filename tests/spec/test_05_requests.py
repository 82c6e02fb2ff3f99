"""Chapter 05, sections 8, 9, 14 and 15: the asks of one application, backoff, and what an ask remembers.

Recorded cases of the request order are in conformance/app_sort.yaml.
"""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

NO_PREEMPTION = {"enabled": False}
NOWHERE = ("nope",)
"""Allowed nodes of an ask that every node refuses."""
PREDICATE = "node(s) didn't match node selector"


def requests(scene: Scene, app: str = "x") -> list[str]:
    return [ask.key for ask in scene.application(app).ask_order]


def refusals(decision, app: str = "x") -> dict[str, str]:
    """Ask key -> code of its refusal in a traced cycle."""
    level = next(level for level in decision.levels if (level.kind, level.subject) == ("ask", app))
    return {each.name: each.refusal.code for each in level.candidates if each.refusal is not None}


# -- order ------------------------------------------------------------------------------------------------------------


def test_requests_go_by_priority_and_then_by_age():
    scene = Scene().app("x")
    for key, priority, created_s in (("b", 1, 5), ("c", 1, 7), ("a", 1, 3), ("low", 0, 1), ("high", 9, 9)):
        scene.ask("x", key, priority=priority, created_ns=created_s * 10**9)
    assert requests(scene) == ["high", "a", "b", "c", "low"]


def test_an_allocated_ask_keeps_its_place_until_it_is_removed():
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "k1", priority=2).ask("x", "k2")
    assert scene.cycles(1) == ["k1"]
    assert requests(scene) == ["k1", "k2"]
    scene.release("x", "k1")
    assert requests(scene) == ["k2"]


def test_of_equal_asks_the_later_goes_behind_when_it_is_appended_and_in_front_when_a_lower_one_is_there():
    scene = Scene().app("x")
    for key, priority in (("a", 5), ("b", 5), ("low", 1), ("c", 5), ("d", 5)):
        scene.ask("x", key, priority=priority, created_ns=0)
    assert requests(scene) == ["d", "c", "a", "b", "low"]


def test_the_documented_case_of_equal_asks():
    scene = Scene().app("x")
    for key, priority in (("a", 5), ("low", 1), ("c", 5), ("d", 5)):
        scene.ask("x", key, priority=priority, created_ns=0)
    assert requests(scene) == ["d", "c", "a", "low"]


# -- the turn of an application (section 9) ---------------------------------------------------------------------------


def test_allocated_asks_are_skipped():  # section 9 step 2
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "k1", priority=2).ask("x", "k2")
    scene.cycles(1)
    assert refusals(scene.cycle()) == {"k1": "A-08"}


def test_a_real_ask_waits_while_a_placeholder_of_its_group_can_be_replaced():  # section 9 step 3, R-715
    scene = Scene().node("n1", vcore=2).app("g", gang={"vcore": 4}).placeholders("g", 1, vcore=3).ask("g", "real", group="tg")
    assert refusals(scene.cycle(), "g")["real"] == "W-09"


def test_the_user_is_asked_before_the_queue_and_an_ask_he_has_no_room_for_is_not_even_attempted():  # section 9 steps 4 and 5
    scene = Scene(
        "a: {max: {vcore: 5}, limits: [{limit: u, users: [user], maxresources: {vcore: 3}}]}", preemption=NO_PREEMPTION
    ).node("n1", vcore=9)
    scene.app("x").ask("x", "over-both", vcore=6).app("y", user="other").ask("y", "over-queue", vcore=6)
    decision = scene.cycle()
    assert (refusals(decision)["over-both"], refusals(decision, "y")["over-queue"]) == ("W-10", "W-11")
    over_both, over_queue = scene.application("x").asks["over-both"], scene.application("y").asks["over-queue"]
    assert (list(over_both.log), over_both.scheduling_attempted) == (["Not enough user quota"], False)
    assert (list(over_queue.log), over_queue.scheduling_attempted) == (["Not enough queue quota"], True)


def test_the_queue_is_asked_before_the_required_node():  # section 9 steps 5 and 6
    scene = Scene("a: {max: {vcore: 5}}", preemption=NO_PREEMPTION).node("n1", vcore=9).app("x")
    scene.ask("x", "k", vcore=6, required="unknown")
    assert refusals(scene.cycle()) == {"k": "W-14"}


def test_an_ask_that_yields_nothing_leaves_the_turn_to_the_next_ask_and_then_to_the_next_application():  # section 9
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=9)
    scene.app("x").ask("x", "x1", allowed=NOWHERE).ask("x", "x2", allowed=NOWHERE).app("y").ask("y", "y1").ask("x", "x3")
    assert scene.cycles(2) == ["x3", "y1"]


# -- backoff ----------------------------------------------------------------------------------------------------------


def backing_off(threshold: int = 2, delay: str = "10s") -> Scene:
    return (
        Scene(
            f"a: {{application.unschedasks.backoff: {threshold}, application.unschedasks.backoff.delay: {delay}}}",
            preemption=NO_PREEMPTION,
        )
        .node("n1", vcore=9)
        .app("x")
    )


def deadline_s(scene: Scene) -> float | None:
    until = scene.application("x").backoff_until_ns
    return None if until is None else until / 10**9


def test_after_so_many_unschedulable_asks_the_application_backs_off():
    scene = backing_off(2)
    for key in ("k1", "k2", "k3"):
        scene.ask("x", key, allowed=NOWHERE)
    now = scene.now_s
    decision = scene.cycle()
    assert refusals(decision) == {"k1": "W-18", "k2": "W-18", "k3": "W-08"}
    assert deadline_s(scene) == now + 10


@pytest.mark.parametrize("count, backs_off", [(1, False), (2, False), (3, True)])
def test_backoff_needs_another_entry_behind_the_last_failure(count, backs_off):
    scene = backing_off(2)
    for number in range(count):
        scene.ask("x", f"k{number}", allowed=NOWHERE)
    scene.cycles(1)
    assert (deadline_s(scene) is not None) == backs_off


@pytest.mark.parametrize("threshold", ["0", "-1", "two"])
def test_backoff_is_off_unless_its_threshold_is_a_positive_number(threshold):
    scene = backing_off(threshold)
    for number in range(5):
        scene.ask("x", f"k{number}", allowed=NOWHERE)
    scene.ask("x", "good")
    assert scene.cycles(1) == ["good"]


@pytest.mark.parametrize("delay", ["0s", "-5s", "soon"])
def test_a_delay_that_is_no_positive_duration_means_thirty_seconds(delay):
    scene = backing_off(1, delay).ask("x", "k1", allowed=NOWHERE).ask("x", "k2", allowed=NOWHERE)
    now = scene.now_s
    scene.cycles(1)
    assert deadline_s(scene) == now + 30


def test_until_its_deadline_the_application_is_skipped_in_the_regular_pass():
    scene = backing_off(1).ask("x", "k1", allowed=NOWHERE, priority=1).ask("x", "good")
    assert scene.cycles(1) == []
    applications = next(level for level in scene.cycle().levels if level.kind == "application")
    assert applications.candidates[0].refusal.code == "W-07"
    scene.advance(10 - 0.203).release("x", "k1")
    assert scene.cycles(1) == ["good"]


def test_new_and_removed_asks_do_not_clear_the_deadline():
    scene = backing_off(1).ask("x", "k1", allowed=NOWHERE).ask("x", "k2")
    scene.cycles(1)
    scene.release("x", "k1").ask("x", "k3", priority=9)
    assert scene.cycles(1) == []


def test_the_reserved_pass_ignores_the_deadline():
    scene = backing_off(1).node("n2", vcore=9).ask("x", "a", vcore=6).ask("x", "b", vcore=6)
    scene.cycles(2)
    scene.ask("x", "late", vcore=6, priority=9).advance(3).cycles(1)
    scene.release("x", "b").ask("x", "k1", allowed=NOWHERE).ask("x", "k2")
    assert scene.application("x").reservations == {"late": "n1"}
    scene.drain("n2").cycles(1)
    assert deadline_s(scene) > scene.now_s
    scene.release("x", "a")
    assert scene.cycles(1) == ["late"]


@pytest.mark.parametrize(
    "fields",
    [{"vcore": 50}, {"required": "unknown"}, {"group": "tg"}],
    ids=["no headroom", "required node", "waits for a placeholder"],
)
def test_only_asks_that_reached_the_node_walk_count(fields):
    scene = backing_off(1)
    if "group" in fields:
        scene.placeholders("x", 1, vcore=50)
    for number in range(3):
        scene.ask("x", f"k{number}", **fields)
    scene.cycles(1)
    assert deadline_s(scene) is None


def test_a_trailing_allocated_entry_is_another_entry():
    scene = backing_off(1).ask("x", "held", priority=-1)
    assert scene.cycles(1) == ["held"]
    scene.ask("x", "k1", allowed=NOWHERE)
    assert requests(scene) == ["k1", "held"]
    scene.cycles(1)
    assert deadline_s(scene) is not None


def test_what_was_running_when_it_was_reported_is_no_entry():
    scene = backing_off(1).ask("x", "recovered", on="n1", priority=-1).ask("x", "k1", allowed=NOWHERE)
    assert requests(scene) == ["k1"]
    scene.cycles(1)
    assert deadline_s(scene) is None


def test_counting_starts_again_with_every_attempt():
    scene = backing_off(2).ask("x", "k1", allowed=NOWHERE, priority=5).ask("x", "good").ask("x", "better")
    assert scene.cycles(2) == ["good", "better"]


def test_an_application_of_another_leaf_has_its_own_backoff():
    scene = Scene("a: {application.unschedasks.backoff: 1}\nb: {}", preemption=NO_PREEMPTION).node("n1", vcore=9)
    for name, queue in (("x", "root.a"), ("y", "root.b")):
        scene.app(name, queue).ask(name, f"{name}1", allowed=NOWHERE).ask(name, f"{name}2")
    assert scene.cycles(2) == ["y2"]


# -- what an ask remembers --------------------------------------------------------------------------------------------


def test_a_predicate_that_refuses_in_allocate_mode_is_noted_node_by_node():  # R-580, section 11
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=9).node("n2", vcore=9).app("x").ask("x", "k", allowed=NOWHERE)
    scene.cycles(1)
    assert {text: count for text, (count, _) in scene.application("x").asks["k"].log.items()} == {PREDICATE: 2}


def test_a_predicate_that_refuses_in_reserve_mode_is_not_noted():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=2).node("n2", vcore=2).node("n3", vcore=9).drain("n3")
    scene.app("x").ask("x", "a", vcore=1).ask("x", "b", vcore=1).cycles(2)
    scene.ask("x", "k", vcore=2, allowed=NOWHERE).advance(3)
    assert scene.cycle().outcome == "nothing"
    assert scene.application("x").asks["k"].log == {}


def test_no_room_on_any_node_has_no_text_of_its_own_but_a_reason_in_the_trace():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=4).node("n2", vcore=4).app("x").ask("x", "k", vcore=6)
    decision = scene.cycle()
    assert scene.application("x").asks["k"].log == {}
    assert refusals(decision) == {"k": "W-16"}


def test_with_preemption_enabled_the_log_of_such_an_ask_shows_its_texts():
    scene = Scene().node("n1", vcore=4).node("n2", vcore=4).app("x").ask("x", "k", vcore=6).advance(60)
    scene.cycles(1)
    assert "Preemption does not help" in scene.application("x").asks["k"].log


def test_quota_texts_count_every_attempt():
    scene = Scene("a: {limits: [{limit: u, users: [user], maxresources: {vcore: 1}}]}", preemption=NO_PREEMPTION)
    scene.node("n1", vcore=9).app("x").ask("x", "k", vcore=2).cycles(2)
    assert [(text, count) for text, (count, _) in scene.application("x").asks["k"].log.items()] == [("Not enough user quota", 2)]
    assert scene.application("x").pending == amounts(vcore=2)
