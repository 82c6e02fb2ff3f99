"""Chapter 04, sections 1 and 2: the partition and its nodes."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.records.commands import AddNode, Release, UpdateNode
from workbench.scheduler.records.events import Ignored, NodeRejected, Reserved, Unreserved

BY_NAME = [{"name": "provided", "create": True}]
"""Placement that creates the queue that an application names."""


def reserving(**partition) -> Scene:
    """Two full nodes and ask `late` of application x, which waits with a reservation of n1."""
    scene = Scene(preemption={"enabled": False}, **partition).node("n1", vcore=10).node("n2", vcore=10)
    scene.app("x").ask("x", "a", vcore=6).ask("x", "b", vcore=6).cycles(2)
    scene.ask("x", "late", vcore=6).advance(3).cycles(1)
    assert scene.application("x").reservations == {"late": "n1"}
    return scene


# -- partition --------------------------------------------------------------------------------------------------------


def test_people_see_the_plain_name_of_the_partition_and_messages_the_internal_one():
    scene = Scene().node("n1", vcore=1).node("n1", vcore=1)
    assert scene.cycle().partition == "default"
    assert "partition [rm:1]default has an existing node n1" in scene.refused()[0]


def test_a_partition_counts_its_reservations_and_placeholders():
    scene = reserving()
    assert (scene.partition.reservation_count, scene.partition.placeholder_count) == (1, 0)
    scene.ask("x", "ph", on="n1", placeholder=True, group="tg")
    assert scene.partition.placeholder_count == 1


def test_the_root_maximum_is_the_sum_of_all_capacities_draining_nodes_included():
    scene = Scene().node("n1", vcore=4, gpu=0).node("n2", vcore=6, memory=5).drain("n2")
    assert scene.partition.total == scene.queue("root").maximum == amounts(vcore=10, memory=5)


def test_without_a_node_or_with_nothing_but_zero_quantities_the_root_has_no_maximum():
    assert Scene().queue("root").maximum is None
    assert Scene().node("n1", vcore=0).queue("root").maximum is None
    assert Scene().node("n1", vcore=4).remove_node("n1").queue("root").maximum is None


def test_foreign_load_does_not_lower_the_root_maximum_so_its_headroom_promises_room_that_no_node_has():
    scene = Scene(preemption={"enabled": False}).node("n1", vcore=4).ask("", "f", on="n1", foreign=True, vcore=3)
    scene.app("x").ask("x", "k", vcore=2)
    assert queue_headroom(scene.queue("root")) == amounts(vcore=4)
    assert scene.cycles(1) == []


def test_an_application_id_is_unique_among_active_applications_only():
    scene = Scene().node("n1", vcore=4).app("x").app("x")
    assert scene.refused() == ["adding application x to partition [rm:1]default, but application already existed"]
    scene.forget().remove_app("x").app("x")
    assert scene.refused() == []


def test_the_application_that_had_the_id_first_goes_on():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k").app("x")
    assert scene.cycles(1) == ["k"]


def test_a_completed_application_is_kept_under_its_id_and_the_second_of_its_end():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k")
    scene.cycles(1)
    scene.release("x", "k").advance(31)
    assert scene.partition.applications == {}
    assert list(scene.partition.completed) == ["x-946684830"]
    assert "x" not in scene.queue("root.a").applications


def test_expired_applications_leave_all_tables_with_the_daily_job():
    scene = Scene().node("n1", vcore=4).app("x").ask("x", "k").app("rejected", "root.unknown")
    scene.release("x", "k").advance(31)
    three_days = 3 * 24 * 3600
    scene.advance(three_days - 60)
    assert (scene.state("x"), scene.state("rejected")) == ("Completed", "Rejected")
    scene.advance(61)
    assert (scene.state("x"), scene.state("rejected")) == ("Expired", "Expired")
    scene.advance(24 * 3600)
    assert scene.partition.completed == scene.partition.rejected == {}


def test_empty_dynamic_queues_go_with_the_next_job_of_ten_seconds_children_first():
    scene = Scene("a: {}", placementrules=BY_NAME).app("x", "root.made.below").remove_app("x")
    scene.advance(9.9)
    assert scene.has_queue("root.made.below")
    scene.advance(0.1)
    assert not scene.has_queue("root.made")
    assert scene.has_queue("root.a")


# -- node -------------------------------------------------------------------------------------------------------------


def test_a_second_node_of_the_same_id_is_rejected():  # section 2, table
    scene = Scene().node("n1", vcore=4).node("n1", vcore=8)
    assert [event.reason for event in scene.events if isinstance(event, NodeRejected)] == [
        "failure while adding new node, node rejected with error: \n"
        "failed to add node n1 to partition [rm:1]default, error: partition [rm:1]default has an existing node n1, "
        "node name must be unique"
    ]
    assert scene.partition.total == amounts(vcore=4)


def test_available_is_capacity_less_allocated_less_occupied():
    scene = Scene().node("n1", vcore=10, memory=7).app("x").ask("x", "k", on="n1", vcore=3, memory=7)
    scene.ask("", "f", on="n1", foreign=True, vcore=2)
    node = scene.on("n1")
    assert (node.allocated, node.occupied) == (amounts(vcore=3, memory=7), amounts(vcore=2))
    assert node.available == amounts(vcore=5)


def test_a_capacity_below_the_use_makes_available_negative_and_evicts_nothing():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k", on="n1", vcore=8).forget().resize_node("n1", vcore=5)
    assert scene.on("n1").available == amounts(vcore=-3)
    assert scene.released() == []


def test_a_type_that_a_node_does_not_have_counts_as_none_left():
    scene = Scene(preemption={"enabled": False}).node("n1", vcore=10).app("x").ask("x", "k", vcore=1, gpu=1)
    assert scene.cycles(1) == []


def test_a_node_can_register_draining():
    scene = Scene().send(AddNode(node_id="n1", capacity=amounts(vcore=4), schedulable=False)).app("x").ask("x", "k")
    assert scene.cycles(1) == []
    assert scene.undrain("n1").cycles(1) == ["k"]


def test_an_update_changes_the_capacity_by_the_difference_and_nothing_else():
    scene = Scene().send(AddNode(node_id="n1", capacity=amounts(vcore=4), attributes={"zone": "a"})).node("n2", vcore=2)
    scene.drain("n1").resize_node("n1", vcore=10)
    assert scene.partition.total == amounts(vcore=12)
    assert (scene.on("n1").schedulable, scene.on("n1").attributes) == (False, {"zone": "a"})


@pytest.mark.parametrize(
    "act",
    [
        lambda scene: scene.drain("nope"),
        lambda scene: scene.undrain("nope"),
        lambda scene: scene.remove_node("nope"),
        lambda scene: scene.send(UpdateNode(node_id="nope", capacity=amounts(vcore=1))),
    ],
    ids=["drain", "undrain", "remove", "update"],
)
def test_an_action_on_an_unknown_node_is_ignored(act):
    scene = Scene().node("n1", vcore=4).forget()
    act(scene)
    assert [type(event) for event in scene.events] == [Ignored]
    assert scene.partition.total == amounts(vcore=4)


def test_a_draining_node_takes_no_placement_of_the_node_walk():
    scene = Scene(preemption={"enabled": False}).node("n1", vcore=4).drain("n1").app("x").ask("x", "k")
    assert scene.cycles(1) == []


def test_a_draining_node_takes_an_ask_that_requires_it():
    scene = Scene().node("n1", vcore=4).drain("n1").app("x").ask("x", "k", required="n1")
    assert scene.cycles(1) == ["k"]


def test_a_draining_node_takes_the_ask_that_has_it_reserved():
    scene = reserving().drain("n1").release("x", "a")
    assert scene.cycles(1) == ["late"]
    assert "late" in scene.on("n1").allocations


def test_a_draining_node_lets_a_placeholder_be_replaced_in_place():
    scene = Scene().node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.drain("n1").ask("g", "real", group="tg", vcore=2)
    assert scene.cycle().outcome == "replaced"
    assert list(scene.on("n1").allocations) == ["real"]


# -- decommission -----------------------------------------------------------------------------------------------------


def test_what_ran_on_a_removed_node_is_released_and_does_not_wait_again():
    scene = Scene().node("n1", vcore=4).node("n2", vcore=4).app("x").ask("x", "k", on="n1", vcore=3).forget()
    scene.remove_node("n1")
    assert scene.released("STOPPED_BY_RM") == ["k"]
    assert scene.application("x").allocated == scene.application("x").pending == amounts()
    assert scene.used("root") == 0
    assert scene.partition.total == amounts(vcore=4)
    assert scene.states("x") == ["Completing"]


def test_reservations_of_a_removed_node_end_before_its_allocations():
    scene = reserving().forget().remove_node("n1")
    ended = next(i for i, event in enumerate(scene.events) if isinstance(event, Unreserved))
    assert ended == 0
    assert scene.application("x").reservations == {}
    assert scene.partition.reservation_count == 0


def test_the_key_of_a_lost_allocation_is_refused_until_it_is_released():
    scene = Scene().node("n1", vcore=4).node("n2", vcore=4).app("x").ask("x", "k", on="n1").remove_node("n1").forget()
    scene.ask("x", "k").ask("x", "k", on="n2")
    assert scene.refused() == ["failed to find node n1"] * 2
    scene.release("x", "k").forget().ask("x", "k")
    assert scene.refused() == []
    assert scene.cycles(1) == ["k"]


def replacing(*, real: str, placeholder: str = "n1") -> Scene:
    """A placeholder on one node being replaced by `real` on another or the same one; nothing is confirmed yet."""
    scene = Scene(confirm=False).node(placeholder, vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    allowed = (real,)
    if real != placeholder:
        scene.node(real, vcore=4)
    scene.ask("g", "real", group="tg", vcore=2, allowed=allowed)
    assert scene.cycle().outcome == "replaced"
    assert scene.application("g").asks["real"].node_id == real
    return scene.forget()


def test_losing_the_node_of_a_placeholder_confirms_its_replacement_elsewhere():
    scene = replacing(real="n2").remove_node("n1")
    assert scene.placed() == ["real"]
    assert list(scene.application("g").allocations) == ["real"]
    assert scene.application("g").allocated == amounts(vcore=2)


def test_losing_the_node_of_both_releases_the_placeholder_and_the_real_ask_waits_again():
    scene = replacing(real="n1").node("n2", vcore=4).remove_node("n1")
    assert scene.released("STOPPED_BY_RM") == ["g-ph-0"]
    assert scene.application("g").pending == amounts(vcore=2)
    assert scene.application("g").allocations == {}


def test_losing_the_node_of_the_real_allocation_makes_it_wait_while_the_placeholder_stays_released():
    scene = replacing(real="n2").remove_node("n2")
    assert scene.placed() == scene.released() == []
    assert scene.application("g").pending == amounts(vcore=2)
    placeholder = scene.application("g").allocations["g-ph-0"]
    assert (placeholder.released, placeholder.replacement) == (True, None)
    # The core crashes on the confirmation that follows; here it is a plain removal.
    scene.send(Release(application_id="g", key="g-ph-0", type="PLACEHOLDER_REPLACED"))
    assert scene.application("g").placeholder_allocated == amounts()


# -- foreign ----------------------------------------------------------------------------------------------------------


def test_foreign_load_needs_an_existing_node():
    scene = Scene().node("n1", vcore=4).ask("", "f", on="nope", foreign=True)
    assert scene.refused() == ["failed to find node nope for allocation f"]


def test_foreign_load_is_never_checked_for_room_and_changes_occupied_and_available_only():
    scene = Scene().node("n1", vcore=4).ask("", "f", on="n1", foreign=True, vcore=9)
    assert (scene.on("n1").occupied, scene.on("n1").available) == (amounts(vcore=9), amounts(vcore=-5))
    assert scene.used("root") == 0 and scene.on("n1").allocations == {}
    assert list(scene.partition.foreign) == ["f"]


def test_foreign_load_can_change_its_size_and_be_released():
    scene = Scene().node("n1", vcore=4).ask("", "f", on="n1", foreign=True, vcore=3)
    scene.ask("", "f", on="n1", foreign=True, vcore=1)
    assert scene.on("n1").occupied == amounts(vcore=1)
    scene.release("", "f")
    assert (scene.on("n1").occupied, scene.partition.foreign) == (amounts(), {})


def test_foreign_load_that_moved_is_listed_there_without_being_counted_and_stays_counted_where_it_was():
    scene = Scene().node("n1", vcore=4).node("n2", vcore=4).ask("", "f", on="n1", foreign=True, vcore=3).forget()
    scene.ask("", "f", on="n2", foreign=True, vcore=2)
    assert (scene.on("n1").occupied, scene.on("n2").occupied) == (amounts(vcore=3), amounts())
    assert scene.surprises() == [("R-415", "node n2", "occupied", amounts(vcore=-2))]
    scene.ask("", "f", on="n2", foreign=True, vcore=3)
    assert scene.on("n2").occupied == amounts(vcore=1)
    scene.release("", "f")
    assert (scene.on("n1").occupied, scene.on("n2").occupied) == (amounts(), amounts(vcore=1))


def test_foreign_load_is_gone_twice_where_its_node_came_back():
    scene = Scene().node("n1", vcore=4).ask("", "f", on="n1", foreign=True, vcore=3).remove_node("n1").node("n1", vcore=4)
    scene.ask("", "f", on="n1", foreign=True, vcore=3).release("", "f")
    assert (scene.on("n1").occupied, scene.on("n1").available) == (amounts(vcore=-3), amounts(vcore=7))


def test_a_node_keeps_one_table_for_own_and_foreign_keys():
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "k", on="n1", vcore=2).ask("", "k", on="n1", foreign=True, vcore=3)
    assert (scene.on("n1").allocations, scene.on("n1").allocated, scene.on("n1").occupied) == (
        {},
        amounts(vcore=2),
        amounts(vcore=3),
    )
    assert ("R-415", "node n1", "allocated", amounts(vcore=2)) in scene.surprises()
    scene.release("x", "k")
    assert (scene.on("n1").allocated, scene.on("n1").occupied, scene.used("root")) == (amounts(vcore=2), amounts(), 0)


def test_a_queue_keeps_what_its_node_does_not_know():
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "k", on="n1", vcore=2).ask("", "k", on="n1", foreign=True, vcore=3)
    scene.release("", "k").forget().release("x", "k")
    assert (scene.used("root.a"), scene.state("x"), scene.released()) == (2, "Completing", ["k"])
    assert scene.surprises() == [("R-415", "queue root.a", "allocated", amounts(vcore=2))]


def test_a_reservation_is_told_to_people():
    scene = reserving()
    assert [(event.key, event.node_id) for event in scene.events if isinstance(event, Reserved)] == [("late", "n1")]
