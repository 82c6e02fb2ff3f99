"""Chapter 05, sections 1 to 3: what a cycle is, its passes, the walk over the queues."""

from __future__ import annotations

from scenes import Scene, amounts

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Cycle
from workbench.scheduler.records.events import Allocated
from workbench.simulation.scenario import RECORDED

NO_PREEMPTION = {"enabled": False}


def order(decision, kind: str, subject: str) -> list[str]:
    """Names in the order in which one level was tried."""
    return next(
        [each.name for each in level.candidates] for level in decision.levels if (level.kind, level.subject) == (kind, subject)
    )


def waiting_with_reservation(queues: str = "a: {}", **app) -> Scene:
    """Nodes n1 and n2 hold 6 of 10 each; ask `late` (6) of x, older than 2 s, has n1 reserved."""
    scene = Scene(queues, preemption=NO_PREEMPTION).node("n1", vcore=10).node("n2", vcore=10)
    scene.app("x").ask("x", "a", vcore=6).ask("x", "b", vcore=6).cycles(2)
    scene.ask("x", "late", vcore=6, **app).advance(3).cycles(1)
    assert scene.application("x").reservations == {"late": "n1"}
    return scene.forget()


# -- driving ----------------------------------------------------------------------------------------------------------


def test_a_pause_between_cycles_changes_no_decision():
    def placed(pause_s: float) -> list[str]:
        scene = Scene().node("n1", vcore=4).app("x").ask("x", "low").ask("x", "high", priority=2).ask("x", "mid", priority=1)
        return [key for _ in range(3) for key in scene.advance(pause_s).cycles(1)]

    assert placed(0) == placed(60) == ["high", "mid", "low"]


def test_a_cycle_takes_no_time_and_the_driver_lets_100_ms_and_a_message_of_1_ms_follow():
    scene = Scene().node("n1", vcore=4)
    before = scene.engine.state.now_ns
    assert scene.cycle().now_ns == before
    assert scene.engine.state.now_ns - before == RECORDED.cycle_ns + RECORDED.message_ns == 101 * 10**6


def test_a_message_has_all_its_effects_before_the_next_cycle():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k").app("y").ask("y", "k2")
    scene.remove_app("x")
    assert scene.cycles(2) == ["k2"]
    scene.ask("y", "k3").remove_node("n1")
    assert scene.cycles(1) == []
    assert scene.application("y").pending == amounts(vcore=1)


# -- passes -----------------------------------------------------------------------------------------------------------


def test_a_partition_without_resources_is_skipped():
    scene = Scene().app("x").ask("x", "k")
    decision = scene.cycle()
    assert (decision.outcome, decision.skipped.code, decision.levels) == ("nothing", "W-01", ())


def test_nothing_is_tried_when_nothing_waits():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k")
    scene.cycles(1)
    assert scene.cycle().levels == ()


def test_every_partition_has_its_own_decision_and_places_one_ask_in_a_cycle():
    part = "- name: {}\n  queues:\n  - name: root\n    submitacl: '*'\n    queues: [{{name: a}}]\n"
    engine = Engine(load_config("partitions:\n" + part.format("default") + part.format("gpu")))
    for name in ("default", "gpu"):
        engine.apply(AddNode(node_id="n1", capacity=amounts(vcore=4), partition=name))
        engine.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u"), partition=name))
        for key in ("k1", "k2"):
            engine.apply(AddAsk(ask=AskSpec(application_id="x", key=key, resource=amounts(vcore=1)), partition=name))
    engine.apply(Cycle())
    assert [(each.partition, each.outcome, each.key) for each in engine.decisions] == [
        ("default", "allocated", "k1"),
        ("gpu", "allocated", "k1"),
    ]


def test_a_cycle_places_at_most_one_ask():
    scene = Scene("a: {}\nb: {}").node("n1", vcore=9).app("x").asks("x", 3).app("y", "root.b").asks("y", 3).forget()
    scene.cycle()
    assert len(scene.placed()) == 1


def test_the_reserved_pass_comes_before_the_regular_one():
    scene = waiting_with_reservation().release("x", "a").ask("x", "important", priority=9)
    decision = scene.cycle()
    assert (decision.phase, decision.key) == ("reserved", "late")


def test_the_placeholder_pass_comes_before_the_regular_one():
    scene = Scene().node("n1", vcore=9).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=2).ask("g", "important", priority=9)
    decision = scene.cycle()
    assert (decision.phase, decision.outcome, decision.key) == ("placeholder", "replaced", "real")


def test_the_reserved_pass_comes_before_the_placeholder_pass():
    scene = waiting_with_reservation().app("g", gang={"vcore": 1}).placeholders("g", 1, vcore=1)
    scene.cycles(1)
    scene.ask("g", "real", group="tg", vcore=1).release("x", "a")
    assert [scene.cycle().phase for _ in range(2)] == ["reserved", "placeholder"]


def test_a_reservation_ends_its_pass_and_places_nothing():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=10).node("n2", vcore=10)
    scene.app("x").ask("x", "a", vcore=6).ask("x", "b", vcore=6).cycles(2)
    scene.ask("x", "wait", priority=5, vcore=6).advance(3).ask("x", "small", vcore=1)
    first, second = scene.cycle(), scene.cycle()
    assert (first.outcome, first.key) == ("reserved", "wait")
    assert (second.outcome, second.key) == ("allocated", "small")


def test_dropping_a_stale_reservation_lets_the_other_passes_run():
    scene = waiting_with_reservation().node("n3", vcore=10).ask("x", "late", on="n3", vcore=6).ask("x", "k")
    assert scene.application("x").reservations == {"late": "n1"}
    assert scene.cycles(1) == ["k"]
    assert scene.application("x").reservations == {}


def test_a_dropped_reservation_is_what_the_cycle_did_when_nothing_else_was_placed():
    scene = waiting_with_reservation().node("n3", vcore=10).ask("x", "late", on="n3", vcore=6).ask("x", "big", vcore=40)
    decision = scene.cycle()
    assert (decision.outcome, decision.key, decision.node_id) == ("unreserved", "late", "n1")


def test_a_placement_is_reported_as_a_new_allocation():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k").forget()
    scene.cycles(1)
    assert Allocated("k", "x", "n1") in scene.events


# -- walking ----------------------------------------------------------------------------------------------------------


def test_a_queue_is_tried_completely_before_its_next_sibling():
    scene = Scene("p: {a: {}, b: {}}\nq: {}", preemption=NO_PREEMPTION).node("n1", vcore=4)
    scene.app("x", "root.p.a").ask("x", "too-big", priority=9, vcore=5).app("y", "root.p.b").ask("y", "small", priority=1)
    scene.app("z", "root.q").ask("z", "middle", priority=5)
    decision = scene.cycle()
    assert [(level.subject, level.winner and level.winner.name) for level in decision.levels if level.kind == "queue"] == [
        ("root", "p"),
        ("root.p", "b"),
    ]
    assert decision.key == "small"


def test_a_queue_that_yields_nothing_does_not_change_the_order():
    scene = Scene("a: {}\nb: {}\nc: {}", preemption=NO_PREEMPTION).node("n1", vcore=4)
    for number, queue in enumerate("abc"):
        scene.app(queue, f"root.{queue}").ask(queue, queue, vcore=9 if queue == "c" else 1, priority=number)
    decision = scene.cycle()
    assert order(decision, "queue", "root") == ["c", "b", "a"]
    assert decision.key == "b"


def test_headroom_is_that_of_the_arrival_at_the_leaf():
    scene = Scene("a: {max: {vcore: 3}}", preemption=NO_PREEMPTION).node("n1", vcore=9).app("x").ask("x", "x1", vcore=2, priority=1)
    scene.app("y").ask("y", "y1", vcore=2)
    first, second = scene.cycle(), scene.cycle()
    assert (first.key, second.outcome) == ("x1", "nothing")
    refusal = next(level for level in second.levels if level.subject == "y").candidates[0].refusal
    assert (refusal.code, refusal.headroom) == ("W-11", 1000)


def test_a_leaf_checks_limits_before_backoff_and_backoff_before_asks():
    scene = Scene("a: {maxapplications: 1, application.unschedasks.backoff: 1}", preemption=NO_PREEMPTION).node("n1", vcore=4)
    scene.app("x").ask("x", "x1", vcore=3).app("y").ask("y", "y1").ask("y", "y2")
    scene.cycles(1)
    scene.ask("x", "x2", allowed=("nope",)).ask("x", "x3")
    scene.cycles(1)
    applications = next(level for level in scene.cycle().levels if level.kind == "application")
    assert {each.name: each.refusal.code for each in applications.candidates} == {"x": "W-07", "y": "W-05"}


def test_the_reserved_pass_visits_only_applications_with_reservations():
    scene = waiting_with_reservation().app("y").ask("y", "k", priority=9)
    reserved = [level for level in scene.cycle().levels if level.policy == "reservations"]
    assert [each.name for each in reserved[0].candidates] == ["x"]


def test_the_reserved_pass_skips_an_accepted_application_that_may_not_run():
    scene = Scene("a: {limits: [{limit: one, users: [ann], maxapplications: 1}]}\nb: {}", preemption=NO_PREEMPTION)
    scene.node("n1", vcore=10).node("n2", vcore=10).app("full", "root.b").ask("full", "f1", vcore=6).ask("full", "f2", vcore=6)
    scene.cycles(2)
    scene.app("x", user="ann").ask("x", "late", vcore=6).advance(3).cycles(1)
    assert scene.application("x").reservations == {"late": "n1"}
    # Another application of the same user is reported running, and the reserved node becomes free.
    scene.app("y", user="ann").ask("y", "y1", on="n1").release("full", "f1")
    decision = scene.cycle()
    assert decision.levels[1].policy == "reservations" and decision.levels[1].candidates[0].refusal.code == "W-06"
    assert decision.outcome == "nothing"
    scene.release("y", "y1")
    assert scene.cycles(1) == ["late"]


def test_the_placeholder_pass_knows_no_headroom_no_limit_and_no_backoff():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=9).app("g", gang={"vcore": 8}).placeholders("g", 2, vcore=2)
    scene.cycles(2)
    scene.reload("a: {max: {vcore: 1}, maxapplications: 1}").app("other").ask("other", "o", on="n1")
    scene.ask("g", "real", group="tg", vcore=2)
    assert (scene.state("g"), scene.queue("root.a").running_applications) == ("Accepted", 1)
    assert scene.cycle().outcome == "replaced"


def test_the_placeholder_pass_visits_only_applications_that_hold_placeholders():
    scene = Scene().node("n1", vcore=9).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2).app("h", gang={"vcore": 90})
    scene.placeholders("h", 1, vcore=90).cycles(1)
    scene.ask("h", "h-real", group="tg").ask("g", "real", group="tg", vcore=2)
    level = next(level for level in scene.cycle().levels if level.kind == "application")
    assert (level.policy, [each.name for each in level.candidates]) == ("placeholders", ["g"])


def test_a_mere_reservation_takes_a_slot_of_maxapplications():
    scene = Scene("a: {maxapplications: 1}\nb: {}", preemption=NO_PREEMPTION).node("n1", vcore=10).node("n2", vcore=10)
    scene.app("full", "root.b").ask("full", "a", vcore=6).ask("full", "b", vcore=6).cycles(2)
    scene.app("x").ask("x", "wait", vcore=6, priority=1).advance(3).cycles(1)
    assert scene.application("x").reservations == {"wait": "n1"}
    assert list(scene.queue("root.a").allocating_accepted) == ["x"]
    scene.app("y").ask("y", "k")
    assert scene.cycles(2) == []
    scene.release("x", "wait")
    assert scene.cycles(1) == []
    scene.remove_app("x")
    assert scene.cycles(1) == ["k"]


def test_a_trace_changes_no_decision():
    def placed(traced: bool) -> list[str]:
        scene = Scene("a: {}\nb: {}").node("n1", vcore=9).app("x").asks("x", 2).app("y", "root.b").asks("y", 2)
        events = [event for _ in range(4) for event in scene.engine.apply(Cycle(), traced=traced)]
        assert bool(scene.engine.decisions[0].levels) == traced
        return [event.key for event in events if isinstance(event, Allocated)]

    assert placed(False) == placed(True) == ["x-0", "y-0", "x-1", "y-1"]
