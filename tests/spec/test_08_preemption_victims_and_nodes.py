"""Chapter 08, sections 9 to 13: which nodes an ask can use, who would have to go there, and who finally goes.

`x` in root.a, with a large guarantee, asks; `v`, `w` and others run in root.b, which has none, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scenes import MS_NS, Scene, amounts, attempt, keys, no_preemption

from workbench.scheduler.preemption import general
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.preemption.on_node import room_predicate
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Unreserved
from workbench.scheduler.records.state import Allocation, Node

SECOND_NS = 10**9
QUEUES = "{a: {guaranteed: {vcore: 9, memory: 9}}, b: {}, c: {}}"


def scene_of(queues: str = QUEUES, *, nodes: Sequence[int] = (4,), **scene) -> Scene:
    """Nodes n1, n2, ... of so many cores."""
    made = Scene(queues, **scene)
    for number, cores in enumerate(nodes, start=1):
        made.node(f"n{number}", vcore=cores)
    return made


def offers(decision: Decision) -> dict[str, tuple[list[str] | None, int]]:
    """Usable node -> its accepted list, None if it is rejected, and the index."""
    return {offer.node.id: (keys(offer.victims), offer.index) for offer in attempt(decision).per_node}


def look(scene: Scene, key: str = "x-0", *, predicate=None, nodes_tried: bool = False) -> Attempt:
    """An attempt for an ask with another answer of the resource manager, None for a resource manager that has none."""
    application = scene.application("x")
    return general.attempt(
        scene.partition,
        application.queue,
        application.asks[key],
        scene.engine.state.now_ns,
        nodes_tried=nodes_tried,
        predicate=predicate,
    )


# -- 9 Usable nodes --------------------------------------------------------------------------------------------------


def test_a_node_is_usable_when_it_is_schedulable_and_its_capacity_holds_the_ask():  # P-66
    scene = scene_of(nodes=(2, 2, 1)).runs("v", "root.b", 2).runs("w", "root.b", 2, on="n2").runs("u", "root.b", 1, on="n3")
    decision = scene.drain("n2").wants("x", "root.a", vcore=2).later()
    assert list(offers(decision)) == ["n1"]
    assert {refusal.subject: refusal.code for refusal in attempt(decision).refused_nodes} == {
        "n2": "node-unschedulable",
        "n3": "node-capacity",
    }


def test_allocations_on_unusable_nodes_stay_candidates_for_additional_victims():  # P-66, P-90
    scene = scene_of(nodes=(1, 1)).runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2").drain("n2")
    assert keys(attempt(scene.wants("x", "root.a").later()).extra_victims) == ["w-0"]


def reserved_by(*, age_s: float, **holder) -> Decision:
    """What an ask of priority 1 can do about n1, which an ask of root.c holds for so long."""
    scene = scene_of(nodes=(4, 2)).drain("n2").runs("v", "root.b", 4)
    scene.app("h", "root.c").ask("h", "holder", **({"may_preempt": False} | holder))
    born_ns = scene.engine.state.now_ns - MS_NS
    scene.advance(3).cycle()
    assert scene.application("h").reservations == {"holder": "n1"}
    scene.advance(age_s - 40)
    scene.wants("x", "root.a", priority=1)
    left_ns = born_ns + round(age_s * 1000) * MS_NS - scene.engine.state.now_ns
    return scene.later(left_ns / SECOND_NS)


HOUR_S = 3600


@pytest.mark.parametrize(("age_s", "holder", "cancelled"), [
    (2 * HOUR_S + 2.001, {}, True),
    (2 * HOUR_S + 2, {}, False),
    (HOUR_S + 3, {}, False),
    (2 * HOUR_S + 60, {"priority": 1}, False),
    (2 * HOUR_S + 60, {"required": "n1"}, False),
], ids=["older than two hours and two seconds", "exactly so old: the timeout counts twice, a quirk", "older than one hour",
        "no lower priority", "a daemon's"])  # fmt: skip
def test_a_stale_reservation_of_a_lower_priority_is_given_up(age_s, holder, cancelled):  # P-67
    decision = reserved_by(age_s=age_s, **holder)
    if cancelled:
        assert decision.victims == ("v-3",)
        assert [(node.id, key) for node, key in attempt(decision).cancelled] == [("n1", "holder")]
    else:
        assert no_preemption(decision)["x-0"] == "V-13"


def test_the_reservation_of_an_ask_that_triggered_preemption_is_kept_however_old():  # P-67
    scene = scene_of("{a: {guaranteed: {vcore: 9}}, b: {}, c: {guaranteed: {vcore: 9}}}", nodes=(4, 2), confirm=False)
    scene.drain("n2").runs("v", "root.b", 4).wants("h", "root.c").advance(30).run_for(1)
    assert scene.allocation("h", "h-0").preemption_triggered
    scene.advance(3 * HOUR_S).wants("x", "root.a", priority=1)
    assert no_preemption(scene.later())["x-0"] == "V-13"


def test_giving_up_a_reservation_is_told():  # P-67
    scene = scene_of(nodes=(4, 2)).drain("n2").runs("v", "root.b", 4).app("h", "root.c").ask("h", "old", may_preempt=False)
    scene.advance(3).cycle()
    scene.advance(3 * HOUR_S).wants("x", "root.a", priority=1).advance(30).forget().cycle()
    assert Unreserved("old", "h", "n1") in scene.events


def test_a_node_reserved_for_the_ask_itself_is_usable():  # P-67
    scene = scene_of(nodes=(4, 2)).drain("n2").runs("v", "root.b", 4).wants("x", "root.a")
    assert scene.later().outcome == "reserved"
    decision = scene.cycle()
    assert (decision.outcome, decision.node_id) == ("preempted", "n1")


@pytest.mark.parametrize(("foreign", "index"), [(0, -1), (2, 0)], ids=["three free", "one of them foreign pods use"])
def test_available_is_what_neither_allocations_nor_foreign_pods_use(foreign, index):  # P-68
    scene = scene_of(
        "{a: {guaranteed: {vcore: 9}, max: {vcore: 9}}, b: {}, p: {max: {vcore: 2}, c: {guaranteed: {vcore: 2}}, d: {}}}",
        nodes=(5,),
    ).runs("v", "root.p.d", 2)
    if foreign:
        scene.ask("", "pod", on="n1", foreign=True, vcore=foreign)
    decision = scene.wants("x", "root.p.c", vcore=2).later()
    assert offers(decision)["n1"][1] == index


# -- 10 Victims per node ---------------------------------------------------------------------------------------------


def test_every_node_is_judged_on_its_own_with_the_whole_budget():  # P-70, P-76
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, b: {}}", nodes=(2, 2))
    scene.runs("v", "root.b", 2).runs("w", "root.b", 2, on="n2").wants("x", "root.a", vcore=2)
    assert offers(scene.later()) == {"n1": (["v-1", "v-0"], 1), "n2": (["w-1", "w-0"], 1)}


LIMITED = "{p: {max: {vcore: 2}, a: {guaranteed: {vcore: 2}}, b: {}}, c: {}}"


def test_a_node_with_room_needs_no_victims_when_a_queue_is_what_limits():  # P-71
    scene = scene_of(LIMITED, nodes=(1, 4)).runs("w", "root.p.b", 1, on="n2").runs("v", "root.p.b", 1).wants("x", "root.p.a")
    decision = scene.later()
    assert offers(decision)["n2"] == ([], -1)
    assert (decision.victims, decision.node_id) == (("v-0",), "n2")


def test_regular_ones_go_first_then_drivers_then_the_opted_out_and_the_newest_of_each():  # P-72, law 1
    scene = scene_of(nodes=(8,)).app("v", "root.b")
    for key, fields in {
        "old": {},
        "opted-old": {"may_be_victim": False},
        "driver-old": {"originator": True},
        "both": {"originator": True, "may_be_victim": False},
        "new-low": {"priority": -9, "vcore": 2},
        "opted-new": {"may_be_victim": False},
        "driver-new": {"originator": True},
    }.items():
        scene.ask("v", key, on="n1", **fields)
    (offer,) = attempt(scene.wants("x", "root.a").later()).per_node
    assert keys(offer.potential) == ["new-low", "old", "driver-new", "driver-old", "opted-new", "opted-old", "both"]


def test_opted_out_allocations_go_when_nothing_else_is_left():  # P-72, law 1
    scene = scene_of(nodes=(2,)).runs("v", "root.b", 2, may_be_victim=False).wants("x", "root.a")
    assert scene.later().victims == ("v-1",)


def test_victims_that_help_come_before_those_that_do_not():  # P-73 step 4
    scene = Scene(QUEUES).node("n1", memory=4, gpu=4).app("v", "root.b")
    scene.ask("v", "gpu", on="n1", gpu=4).ask("v", "old", on="n1", memory=2).ask("v", "new", on="n1", memory=2)
    assert offers(scene.wants("x", "root.a", memory=1, gpu=1).later())["n1"] == (["new", "gpu", "old"], 1)


def test_a_leaf_gives_only_while_it_is_over_in_a_type_of_the_ask():  # P-73 step 2
    scene = Scene("{a: {guaranteed: {vcore: 9}}, b: {guaranteed: {vcore: 4, memory: 1}}}").node("n1", vcore=4, memory=9)
    scene.runs("v", "root.b", 4, vcore=1, memory=1)
    assert offers(scene.wants("x", "root.a").later())["n1"] == (None, -1)
    scene = Scene("{a: {guaranteed: {vcore: 9}}, b: {guaranteed: {vcore: 2, memory: 9}}}").node("n1", vcore=4, memory=9)
    scene.runs("v", "root.b", 4, vcore=1, memory=1)
    assert offers(scene.wants("x", "root.a").later())["n1"] == (["v-3", "v-2"], 0)


def test_the_budget_of_the_ask_shrinks_by_the_size_of_the_victims():  # P-73 step 3, P-74 c
    queues = "{a: {guaranteed: {vcore: 5}}, b: {}}"
    scene = scene_of(queues, nodes=(6,)).runs("v", "root.b", 3, vcore=2).wants("x", "root.a", vcore=5)
    assert offers(scene.later())["n1"] == (None, -1)  # the third victim of 2 would be 6 in all
    scene = scene_of(queues, nodes=(5,)).runs("v", "root.b", 5).wants("x", "root.a", vcore=5)
    assert len(scene.later().victims) == 5


def test_one_large_victim_takes_its_queue_below_its_guarantee():  # P-74 a, a quirk, law 2
    scene = scene_of("{a: {guaranteed: {vcore: 5}}, b: {guaranteed: {vcore: 5}}}", nodes=(6,)).runs("v", "root.b", 2, vcore=3)
    assert scene.wants("x", "root.a").later().victims == ("v-1",)
    assert scene.used("root.b") == 3


@pytest.mark.parametrize(("order", "victims"), [
    (("small", "large"), ()), (("large", "small"), ("small",)),
], ids=["as the newest it ends the search", "as the oldest it is harmless"])  # fmt: skip
def test_a_victim_larger_than_what_is_left_of_the_guarantee_ends_the_scan(order, victims):  # P-74 b, a quirk
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, b: {}}", nodes=(4,)).app("v", "root.b")
    for key in order:
        scene.ask("v", key, on="n1", vcore={"small": 1, "large": 3}[key])
    assert scene.wants("x", "root.a").later().victims == victims


def test_the_index_is_where_the_ask_fits_and_the_accepted_list_goes_on_behind_it():  # P-75
    scene = scene_of(nodes=(5,)).runs("v", "root.b", 5).wants("x", "root.a", vcore=2)
    assert offers(scene.later())["n1"] == (["v-4", "v-3", "v-2", "v-1", "v-0"], 1)


def test_a_node_whose_victims_do_not_suffice_is_rejected():  # P-75
    scene = scene_of(nodes=(3,)).app("d", "root.b").ask("d", "daemon", on="n1", required="n1", vcore=2).runs("v", "root.b", 1)
    assert offers(scene.wants("x", "root.a", vcore=2).later())["n1"] == (None, -1)


def test_victims_on_different_nodes_never_add_up():  # P-76
    scene = scene_of(nodes=(2, 2)).app("d", "root.b")
    for node in ("n1", "n2"):
        scene.ask("d", f"daemon-{node}", on=node, required=node)
    scene.runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2").wants("x", "root.a", vcore=2)
    decision = scene.later()
    assert offers(decision) == {"n1": (None, -1), "n2": (None, -1)}
    assert no_preemption(decision) == {"x-0": "V-14"}


# -- 11 Choosing the node, predicates --------------------------------------------------------------------------------


def test_a_node_without_victims_counts_only_while_the_nodes_were_not_tried():  # P-80
    scene = scene_of(LIMITED, nodes=(2, 4)).runs("v", "root.p.b", 2).wants("x", "root.p.a")
    assert look(scene, nodes_tried=False).node.id == "n2"  # it has room and no victims
    assert look(scene, nodes_tried=True).node.id == "n1"


def test_no_candidate_is_no_preemption():  # P-80
    scene = scene_of(nodes=(1,)).app("d", "root.b").ask("d", "daemon", on="n1", required="n1").wants("x", "root.a")
    assert attempt(scene.later()).reason == "no-node"


@pytest.mark.parametrize(("first", "second", "chosen"), [
    ({"count": 2, "vcore": 1}, {"count": 1, "vcore": 2}, "n2"),
    ({"count": 1, "vcore": 2}, {"count": 1, "vcore": 2}, "n1"),
], ids=["fewer victims first", "then by name"])  # fmt: skip
def test_candidates_are_taken_by_index_and_name(first, second, chosen):  # P-81
    scene = scene_of(nodes=(2, 2)).runs("v", "root.b", **first).runs("w", "root.b", **second, on="n2")
    assert scene.wants("x", "root.a", vcore=2).later().node_id == chosen


def test_names_are_compared_bytewise():  # P-81
    scene = Scene(QUEUES).node("n10", vcore=1).node("n9", vcore=1)
    scene.runs("v", "root.b", 1, on="n9").runs("w", "root.b", 1, on="n10")
    assert scene.wants("x", "root.a").later().node_id == "n10"


DRIVER_OR_TWO = {"queues": QUEUES, "nodes": (2, 2)}


@pytest.mark.parametrize("flag", [{"originator": True}, {"may_be_victim": False}], ids=["driver", "opted out"])
def test_whether_a_driver_goes_or_two_others_depends_on_being_asked(flag):  # P-82, P-84
    scene = scene_of(**DRIVER_OR_TWO).runs("v", "root.b", 1, vcore=2, **flag).runs("w", "root.b", 2, on="n2")
    scene.wants("x", "root.a", vcore=2)
    assert keys(look(scene, predicate=None).victims) == ["v-0"]
    assert keys(look(scene, predicate=room_predicate).victims) == ["w-1", "w-0"]


def test_a_driver_goes_rather_than_an_opted_out_one():  # P-84
    scene = scene_of(**DRIVER_OR_TWO).runs("v", "root.b", 1, vcore=2, may_be_victim=False)
    scene.runs("w", "root.b", 1, vcore=2, originator=True, on="n2").wants("x", "root.a", vcore=2)
    assert scene.later().victims == ("w-0",)


def test_the_nodes_that_the_ask_may_run_on_decide():  # P-83
    scene = scene_of(nodes=(1, 1)).runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2")
    assert scene.wants("x", "root.a", allowed=("n2",)).later().victims == ("w-0",)
    scene = scene_of(nodes=(1, 1)).runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2")
    assert no_preemption(scene.wants("x", "root.a", allowed=("gone",)).later()) == {"x-0": "V-15"}


def test_the_resource_manager_may_need_more_victims_and_then_another_node_can_win():  # P-83, P-84
    scene = scene_of(nodes=(3, 3)).runs("v", "root.b", 3).runs("w", "root.b", 3, on="n2").wants("x", "root.a")
    told = look(scene, predicate=lambda node, ask, victims, index: index + 1 if node.id == "n1" else index)
    assert keys(told.node_victims) == ["w-2"]


def test_a_victim_that_only_the_resource_manager_needs_is_collected_and_then_dropped():  # P-83, P-101
    scene = scene_of(nodes=(3,)).runs("v", "root.b", 3).wants("x", "root.a")
    told = look(scene, predicate=lambda node, ask, victims, index: index + 1)
    assert keys(told.node_victims) == ["v-2", "v-1"]
    assert keys(told.victims) == ["v-2"]


@pytest.mark.parametrize(("refusing", "asked"), [(0, 10), (10, 12)], ids=["a good one among the first ten", "none among them"])
def test_nodes_are_asked_about_in_batches_of_ten(refusing, asked):  # P-83, P-84
    scene = Scene(QUEUES)
    for number in range(12):
        scene.node(f"n{number:02}", vcore=1).runs(f"v{number:02}", "root.b", 1, on=f"n{number:02}")
    scene.wants("x", "root.a")
    seen: list[str] = []

    def answer(node: Node, ask: Allocation, victims: Sequence[Allocation], index: int) -> int | None:
        seen.append(node.id)
        return None if len(seen) <= refusing else index

    assert keys(look(scene, predicate=answer).victims) == [f"v{refusing:02}-0"]
    assert len(seen) == asked


def test_a_bad_score_in_the_first_batch_leads_to_the_next():  # P-84
    scene = Scene(QUEUES)
    for number in range(11):
        scene.node(f"n{number:02}", vcore=1)
        scene.runs(f"v{number:02}", "root.b", 1, on=f"n{number:02}", originator=number < 10)
    assert scene.wants("x", "root.a").later().victims == ("v10-0",)


def test_the_score_reads_the_flags_of_allocations_that_will_not_go():  # P-84, a quirk
    scene = Scene("{a: {guaranteed: {vcore: 9}}, b: {}, c: {guaranteed: {vcore: 9, memory: 1}}}")
    scene.node("n1", vcore=3, memory=9).node("n2", vcore=2).runs("opted", "root.b", 1, vcore=2, may_be_victim=False)
    scene.runs("kept", "root.c", 1, vcore=1, memory=2).runs("w", "root.b", 2, vcore=1, on="n2")
    decision = scene.wants("x", "root.a", vcore=2).later()
    assert decision.victims == ("opted-0",)
    assert keys(attempt(decision).per_node[0].potential) == ["kept-0", "opted-0"]


def test_a_node_with_room_but_without_any_eligible_allocation_serves_only_if_no_other_does():  # P-84, a quirk
    scene = scene_of(LIMITED, nodes=(2, 4)).runs("v", "root.p.b", 2).wants("x", "root.p.a")
    assert offers(scene.later())["n2"] == ([], -1)
    assert scene.application("x").reservations == {"x-0": "n1"}


def test_an_index_beyond_the_accepted_list_ends_the_attempt_without_trying_other_nodes():  # P-85, a quirk
    scene = scene_of(nodes=(1, 1)).runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2").wants("x", "root.a")
    told = look(scene, predicate=lambda node, ask, victims, index: 7 if node.id == "n1" else None)
    assert (told.reason, told.node) == ("no-node", None)


def test_the_victims_are_the_accepted_list_up_to_the_index():  # P-85
    scene = scene_of(nodes=(5,)).runs("v", "root.b", 5).wants("x", "root.a", vcore=3)
    assert keys(attempt(scene.later()).node_victims) == ["v-4", "v-3", "v-2"]


# -- 12 Additional victims -------------------------------------------------------------------------------------------


def test_additional_victims_come_from_any_node_regular_ones_first_then_the_newest():  # P-90
    scene = scene_of(nodes=(1, 4)).runs("v", "root.b", 1).app("w", "root.b")
    for key, fields in {"old": {}, "opted": {"may_be_victim": False}, "driver": {"originator": True}, "new": {}}.items():
        scene.ask("w", key, on="n2", **fields)
    told = attempt(scene.drain("n2").wants("x", "root.a").later())
    assert keys(told.node_victims) == ["v-0"]
    assert keys(told.extra_victims) == ["new", "old", "driver", "opted"]


def test_additional_victims_are_collected_up_to_all_that_is_left_of_the_guarantee():  # P-91
    scene = scene_of("{a: {guaranteed: {vcore: 3}}, b: {}}", nodes=(9,)).runs("v", "root.b", 9).wants("x", "root.a")
    decision = scene.later()
    assert keys(attempt(decision).node_victims) == ["v-8"]
    assert keys(attempt(decision).extra_victims) == ["v-7", "v-6", "v-5"]  # the node victim is not charged
    assert decision.victims == ("v-8",)


def test_a_victim_that_does_not_fit_the_budget_ends_the_collecting():  # P-91
    scene = scene_of("{a: {guaranteed: {vcore: 3}}, b: {}}", nodes=(9,)).runs("u", "root.b", 4)
    scene.runs("large", "root.b", 1, vcore=4).runs("v", "root.b", 1).wants("x", "root.a")
    told = attempt(scene.later())
    assert (keys(told.node_victims), keys(told.extra_victims)) == (["v-0"], [])


BELOW_USED_UP = "p: {guaranteed: {vcore: 3, memory: 20}, max: {vcore: 4}, a: {}, b: {}}"


def below_an_ancestor_over_its_guarantee() -> Scene:
    """The nodes have room, the queues have none; `v` in root.p.b uses one core more than root.p is guaranteed."""
    scene = Scene(BELOW_USED_UP).node("n1", vcore=10, memory=100).runs("v", "root.p.b", 4)
    return scene.app("m", "root.p.b").ask("m", "memory-only", on="n1", memory=1)


def test_additional_victims_that_leave_the_asks_queue_over_its_guarantee_fail_the_attempt():  # P-92
    decision = below_an_ancestor_over_its_guarantee().wants("x", "root.p.a", vcore=1, memory=1).later()
    assert keys(attempt(decision).extra_victims) == ["memory-only"]
    assert no_preemption(decision) == {"x-0": "V-16"}


def test_without_any_victims_there_is_no_preemption():  # P-92
    scene = below_an_ancestor_over_its_guarantee().wants("x", "root.p.a", vcore=1)
    told = attempt(scene.later())
    assert (told.extra_victims, told.extra_ok, told.reason) == ([], True, "no-victims")


# -- 13 Final selection ----------------------------------------------------------------------------------------------


def test_node_victims_go_before_additional_ones():  # P-100
    scene = scene_of(nodes=(2, 2)).runs("v", "root.b", 1, vcore=2).runs("w", "root.b", 2, on="n2")
    decision = scene.wants("x", "root.a", vcore=2).later()
    assert decision.victims == ("v-0",)
    assert keys(attempt(decision).extra_victims) == ["w-1", "w-0"]


def test_victims_on_other_nodes_count_only_when_the_chosen_node_has_room_already():  # P-101
    scene = scene_of(LIMITED, nodes=(2, 4)).runs("w", "root.p.b", 1, on="n2").runs("v", "root.p.b", 1)
    decision = scene.wants("x", "root.p.a", vcore=2).later()
    assert (decision.node_id, decision.victims) == ("n2", ("v-0", "w-0"))
    scene = scene_of("{a: {guaranteed: {vcore: 9}}, b: {}}", nodes=(3, 3)).runs("v", "root.b", 3).runs("w", "root.b", 3, on="n2")
    assert scene.wants("x", "root.a", vcore=3).later().victims == ("v-2", "v-1", "v-0")


def short_of_resources(spare: int) -> Decision:
    """An ask of 3 on a node with one core free; root.b can give only so much."""
    scene = scene_of("{a: {guaranteed: {vcore: 5}}, b: {guaranteed: {vcore: " + str(9 - spare) + "}}}", nodes=(10,))
    return scene.runs("v", "root.b", 9).wants("x", "root.a", vcore=3).later()


def test_free_space_is_not_credited_so_one_victim_too_many_goes():  # P-103 a, a quirk
    decision = short_of_resources(7)
    assert attempt(decision).per_node[0].index == 1
    assert decision.victims == ("v-8", "v-7", "v-6")


def test_free_space_is_not_credited_so_enough_victims_can_be_too_few():  # P-102, P-103 a, a quirk
    decision = short_of_resources(2)
    assert keys(attempt(decision).node_victims) == ["v-8", "v-7"]
    assert (decision.victims, attempt(decision).log) == ((), ["Preemption helped but short of resources"])
    assert no_preemption(decision) == {"x-0": "V-17"}


def test_the_first_type_that_overshoots_ends_the_collecting_and_the_ask_cannot_be_placed():  # P-103 b, a quirk
    scene = Scene("{a: {guaranteed: {memory: 8, gpu: 8}}, b: {}}").node("n1", memory=10, gpu=10).app("v", "root.b")
    for key, memory, gpu in (("v3", 2, 7), ("v2", 4, 2), ("v1", 4, 1)):
        scene.ask("v", key, on="n1", memory=memory, gpu=gpu)
    decision = scene.wants("x", "root.a", memory=3, gpu=3).later()
    assert keys(attempt(decision).node_victims) == ["v1", "v2"]
    assert decision.victims == ("v1",)
    assert scene.cycles(3) == []


def test_an_ask_for_zero_of_a_type_succeeds_without_victims():  # P-103 c, a quirk
    scene = Scene("{a: {guaranteed: {memory: 4}}, b: {}}").node("n1", memory=4, gpu=4).runs("v", "root.b", 2, memory=2)
    decision = scene.wants("x", "root.a", memory=1, gpu=0).later()
    assert (decision.outcome, decision.victims, decision.node_id) == ("preempted", (), "n1")
    assert scene.allocation("x", "x-0").preemption_triggered
    assert scene.application("x").reservations == {"x-0": "n1"}
    assert scene.cycles(3) == []


def test_choosing_and_marking_is_one_step_here_so_no_victim_is_lost_between():  # P-104
    scene = scene_of(nodes=(3,), confirm=False).runs("v", "root.b", 3).wants("x", "root.a", vcore=3)
    decision = scene.later()
    assert decision.victims == ("v-2", "v-1", "v-0")
    assert all(scene.allocation("v", key).preempted and not scene.allocation("v", key).released for key in decision.victims)
    assert scene.queue("root.b").preempting == amounts(vcore=3)
