"""Chapter 08, section 15: preemption for an ask that must run on one node, as the pods of a DaemonSet must.

n1 is full; `v` and others run there. n2 is drained: it only gives the cluster the free cores without which such an ask
does not even start (P-126). The daemon `d` asks in the first cycle and preempts in the second.
"""

from __future__ import annotations

import pytest
from scenes import Scene, amounts, no_preemption, refusals

from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Preempted, Released


def full_node(queues: str = "{a: {}, b: {}, d: {}}", *, cores: int = 4, free: int = 9, **scene) -> Scene:
    """n1 of so many cores, and n2, drained, with so many free ones."""
    return Scene(queues, **scene).node("n1", vcore=cores).node("n2", vcore=free).drain("n2")


def daemon(scene: Scene, **fields) -> Decision:
    """What the second cycle decides for a daemon of n1."""
    scene.app("d", "root.d").ask("d", "daemon", required="n1", **fields)
    assert scene.cycle().outcome == "reserved"
    return scene.cycle()


def test_it_reserves_at_once_and_preempts_in_the_reserved_phase_without_any_delay():  # P-120
    scene = full_node().runs("v", "root.b", 4).app("d", "root.d").ask("d", "daemon", required="n1")
    decision = scene.cycle()
    assert (decision.outcome, decision.phase, scene.now_s < 1) == ("reserved", "regular", True)
    decision = scene.cycle()
    assert (decision.outcome, decision.phase, decision.victims) == ("preempted", "reserved", ("v-3",))
    assert scene.cycles(1) == ["daemon"]


def test_normal_reservations_of_the_node_are_cancelled_and_daemons_share_it():  # P-120
    scene = full_node().runs("v", "root.b", 4).wants("x", "root.a").advance(3)
    scene.cycle()
    assert scene.on("n1").reservations == {"x-0": "x"}
    scene.app("d", "root.d").ask("d", "one", required="n1", vcore=5).ask("d", "two", required="n1")
    scene.cycle()
    assert "x-0" not in scene.on("n1").reservations
    scene = full_node(confirm=False).runs("v", "root.b", 4).app("d", "root.d")
    scene.ask("d", "one", required="n1", priority=1).ask("d", "two", required="n1").run_for(0.3)
    assert scene.on("n1").reservations == {"one": "d", "two": "d"}


@pytest.mark.parametrize(("change", "victims"), [
    ({"preemption": {"enabled": False}}, ("v-3",)), ({}, ("v-3",)),
], ids=["switched off in the partition", "switched on"])  # fmt: skip
def test_no_switch_and_no_permission_is_asked(change, victims):  # P-120
    scene = full_node(**change).runs("v", "root.b", 4)
    assert daemon(scene, may_preempt=False).victims == victims


def test_it_preempts_once_in_its_life():  # P-120
    scene = full_node(confirm=False).runs("v", "root.b", 4)
    assert daemon(scene).victims == ("v-3",)
    scene.run_for(20)
    assert scene.released("PREEMPTED_BY_SCHEDULER") == ["v-3"]


def test_who_can_be_a_candidate():  # P-121
    scene = Scene("{b: {}, d: {}}", confirm=False).node("n1", vcore=9, memory=1).node("n2", vcore=9).drain("n2")
    scene.node("n3", vcore=1).app("v", "root.b").ask("v", "elsewhere", on="n3")
    scene.ask("v", "daemon-too", on="n1", required="n1").ask("v", "higher", on="n1", priority=6)
    scene.ask("v", "memory-only", on="n1", memory=1).ask("", "foreign", on="n1", foreign=True, vcore=2)
    scene.ask("v", "equal", on="n1", priority=5).ask("v", "lower", on="n1", priority=-9).ask("v", "rest", on="n1", vcore=3)
    assert sorted(daemon(scene, vcore=5, priority=5).victims) == ["equal", "lower", "rest"]


def test_what_is_going_already_is_no_candidate_and_is_not_counted_as_free():  # P-121
    scene = full_node(confirm=False, cores=2).runs("v", "root.b", 2)
    assert daemon(scene).victims == ("v-1",)
    scene.app("e", "root.d").ask("e", "second", required="n1")
    scene.cycle()
    assert scene.cycle().victims == ("v-0",)
    scene.app("f", "root.d").ask("f", "third", required="n1")
    scene.run_for(0.3)
    assert scene.log("f", "third") == ["No fit on required node, preemption does not help"]


def test_raw_priorities_count_without_offsets_and_fences():  # P-121
    scene = full_node("{a: {}, b: {priority.policy: fence, priority.offset: 99}, d: {priority.offset: 50}}")
    scene.runs("v", "root.b", 4, priority=1)
    assert daemon(scene, priority=1).outcome == "preempted"
    scene = full_node("{a: {}, b: {}, d: {priority.offset: 50}}").runs("v", "root.b", 4, priority=1)
    assert daemon(scene, priority=0).outcome == "nothing"


@pytest.mark.parametrize("queues", [
    "{a: {}, b: {guaranteed: {vcore: 9}}, d: {}}", "{a: {}, b: {preemption.policy: disabled}, d: {}}",
    "{a: {}, b: {}, d: {preemption.policy: fence}}",
], ids=["a queue within its guarantee", "a disabled queue", "a fence around the daemon"])  # fmt: skip
def test_guarantees_fences_and_disabled_play_no_role(queues):  # P-122
    assert daemon(full_node(queues).runs("v", "root.b", 4)).victims == ("v-3",)


def test_even_an_allocation_of_the_same_application_goes():  # P-122
    scene = full_node(cores=1).app("d", "root.d").ask("d", "mine", on="n1").ask("d", "daemon", required="n1")
    scene.cycle()
    assert scene.cycle().victims == ("mine",)


@pytest.mark.parametrize(
    ("asked", "victims"),
    [
        (1, ["small"]),
        (2, ["small", "large"]),
        (3, ["small", "large"]),
        (4, ["small", "large", "young"]),
        (5, ["small", "large", "young", "old"]),
        (6, ["small", "large", "young", "old", "higher"]),
        (7, ["small", "large", "young", "old", "higher", "opted-out"]),
        (8, ["small", "large", "young", "old", "higher", "opted-out", "driver"]),
    ],
)
def test_the_order_is_by_kind_then_priority_then_age_then_size(asked, victims):  # P-123
    scene = full_node(cores=8).app("v", "root.b")
    scene.ask("v", "driver", on="n1", priority=-9, originator=True, may_be_victim=False)
    scene.ask("v", "opted-out", on="n1", priority=-9, may_be_victim=False).ask("v", "higher", on="n1", priority=2)
    scene.ask("v", "old", on="n1").ask("v", "young", on="n1")
    born_ns = scene.engine.state.now_ns
    scene.ask("v", "large", on="n1", vcore=2, created_ns=born_ns).ask("v", "small", on="n1", created_ns=born_ns)
    assert list(daemon(scene, vcore=asked, priority=9).victims) == victims


def test_free_space_is_not_credited_while_collecting_so_one_too_many_goes():  # P-124, a quirk
    scene = full_node(cores=4).runs("v", "root.b", 3)
    assert daemon(scene, vcore=2).victims == ("v-2", "v-1")


def test_free_space_counts_when_all_candidates_together_are_short():  # P-124
    scene = full_node(cores=4).runs("v", "root.b", 1).app("w", "root.b").ask("w", "high", on="n1", priority=5)
    assert daemon(scene, vcore=3).victims == ("v-0",)


def test_nobody_goes_when_even_all_do_not_suffice():  # P-124
    scene = full_node(cores=4).runs("v", "root.b", 1).app("w", "root.b").ask("w", "high", on="n1", priority=5, vcore=3)
    assert daemon(scene, vcore=2).outcome == "nothing"
    assert scene.released() == []


def test_every_type_is_covered():  # P-124
    scene = Scene("{b: {}, d: {}}").node("n1", vcore=4, memory=4).node("n2", vcore=9, memory=9).drain("n2").app("v", "root.b")
    scene.ask("v", "both", on="n1", vcore=1, memory=4).ask("v", "cores-1", on="n1", vcore=1).ask("v", "cores-2", on="n1", vcore=2)
    assert daemon(scene, vcore=1, memory=2).victims == ("cores-2", "cores-1", "both")


def test_nobody_goes_on_a_node_that_holds_too_much_of_another_type():  # P-124
    scene = full_node(cores=1).app("v", "root.b").ask("v", "memory-only", on="n1", memory=1).ask("v", "cores", on="n1")
    assert daemon(scene).outcome == "nothing"


def test_at_least_one_candidate_is_needed():  # P-124
    scene = full_node(cores=4).app("w", "root.b").ask("w", "high", on="n1", priority=5, vcore=4)
    assert daemon(scene).outcome == "nothing"


def test_a_success_marks_tells_and_keeps_the_reservation():  # P-125
    scene = full_node(confirm=False).runs("v", "root.b", 4).app("d", "root.d").ask("d", "daemon", required="n1")
    scene.cycle()
    scene.forget().cycle()
    text = "preempting allocations to free up resources to run daemon set ask: daemon"
    assert scene.events == [Released("v-3", "v", "PREEMPTED_BY_SCHEDULER", text), Preempted("daemon", "d", "n1", ("v-3",))]
    assert scene.allocation("v", "v-3").preempted
    assert scene.allocation("d", "daemon").preemption_triggered
    assert scene.queue("root.b").preempting == scene.queue("root").preempting == amounts(vcore=1)
    assert scene.application("d").reservations == {"daemon": "n1"}


def test_a_failure_is_logged_and_tried_again_in_every_cycle():  # P-125
    scene = full_node().app("w", "root.b").ask("w", "high", on="n1", priority=5, vcore=4)
    daemon(scene)
    scene.cycles(2)
    assert scene.allocation("d", "daemon").log["No fit on required node, preemption does not help"][0] == 3
    scene.release("w", "high").runs("v", "root.b", 4)
    assert scene.cycle().victims == ("v-3",)


@pytest.mark.parametrize(("free", "outcome"), [(0, "nothing"), (1, "nothing"), (2, "preempted")])
def test_the_free_space_of_the_whole_cluster_has_to_hold_the_ask(free, outcome):  # P-126, a quirk
    scene = full_node(free=free) if free else Scene("{b: {}, d: {}}").node("n1", vcore=4)
    scene.runs("v", "root.b", 4).app("d", "root.d").ask("d", "daemon", required="n1", vcore=2)
    first, second = scene.cycle(), scene.cycle()
    assert second.outcome == outcome
    if outcome == "nothing":
        assert refusals(first, "ask") == {"daemon": "W-14"}
        assert no_preemption(first) == {"daemon": "V-06"}


def test_the_maximum_of_its_queue_blocks_it_the_same_way():  # P-126
    scene = full_node("{b: {}, d: {max: {vcore: 1}}}").runs("v", "root.b", 3).runs("m", "root.d", 1)
    scene.app("d", "root.d").ask("d", "daemon", required="n1")
    assert scene.cycles(3) == []
    assert scene.released() == []


# -- Its reasons ------------------------------------------------------------------------------------------------------


def test_every_allocation_on_the_node_has_its_verdict():  # chapter 09, section 4.2
    scene = Scene("{a: {}, b: {}}", confirm=False).node("n1", vcore=4).node("n2", vcore=4).app("v", "root.b")
    scene.ask("v", "high", on="n1", priority=9).ask("v", "bound", on="n1", required="n1").ask("v", "low", on="n1").ask(
        "v", "old", on="n1"
    )
    scene.app("d", "root.a").ask("d", "daemon", required="n1", priority=5)
    reserved, decision = scene.cycle(), scene.cycle()
    (told,) = decision.stoppings
    assert (reserved.outcome, decision.outcome, told.kind, told.subject, told.key) == (
        "reserved",
        "preempted",
        "required-node",
        "n1",
        "daemon",
    )
    assert {each.key: each.refusal.code if each.refusal else "taken" for each in told.verdicts} == {
        "old": "taken",
        "low": "X-16",
        "high": "X-08",
        "bound": "X-06",
    }
    assert [(each.key, each.position, each.queue) for each in told.taken] == [("old", 1, "root.b")]


def test_where_stopping_does_not_help_the_reasons_are_told_too():  # P-124
    scene = Scene("{a: {}, b: {}}", confirm=False).node("n1", vcore=4).node("n2", vcore=4).app("v", "root.b")
    scene.ask("v", "high", on="n1", priority=9, vcore=3).ask("v", "low", on="n1")
    scene.app("d", "root.a").ask("d", "daemon", required="n1", priority=5, vcore=2)
    scene.cycle()
    (told,) = scene.cycle().stoppings
    assert {each.key: each.refusal.code for each in told.verdicts} == {"high": "X-08", "low": "X-20"} and told.taken == ()
