"""Chapter 04, sections 3 and 10: queues, and the states of queues and partitions."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.objects import lifecycle
from workbench.scheduler.objects.limits import over_maximum
from workbench.scheduler.records.events import QueueRemoved

BY_NAME = [{"name": "provided", "create": True}]
"""Placement that creates the queue that an application names."""


# -- kinds of queues --------------------------------------------------------------------------------------------------


def test_children_or_the_word_parent_make_a_parent_and_root_is_always_one():
    scene = Scene("p: {c: {}}\nq: {parent: true}\nl: {}")
    assert {path: scene.queue(path).is_leaf for path in ("root", "root.p", "root.p.c", "root.q", "root.l")} == {
        "root": False,
        "root.p": False,
        "root.p.c": True,
        "root.q": False,
        "root.l": True,
    }


def test_names_and_paths_are_lower_case():
    scene = Scene("Prod: {Web: {}}")
    assert scene.queue("root.prod.web").path == "root.prod.web"
    assert scene.queue("ROOT.Prod.WEB").name == "web"


def test_configured_queues_are_managed_and_placed_ones_are_dynamic():
    scene = Scene(placementrules=BY_NAME).app("x", "root.made")
    assert scene.queue("root.a").is_managed
    assert not scene.queue("root.made").is_managed


def test_a_dynamic_leaf_takes_its_settings_from_the_child_template_of_its_parent():
    scene = Scene(
        "p: {parent: true, template: {maxapplications: 3, resources: {max: {vcore: 4}, guaranteed: {vcore: 2}}, "
        "properties: {application.sort.policy: fair}}}",
        placementrules=BY_NAME,
    ).app("x", "root.p.made")
    made = scene.queue("root.p.made")
    assert (made.max_applications, made.maximum, made.guaranteed) == (3, amounts(vcore=4), amounts(vcore=2))
    assert made.settings.application_sort_policy == "fair"


def test_a_dynamic_parent_passes_the_template_on():
    scene = Scene("p: {parent: true, template: {maxapplications: 3}}", placementrules=BY_NAME).app("x", "root.p.mid.made")
    assert scene.queue("root.p.mid").max_applications == 0
    assert scene.queue("root.p.mid.made").max_applications == 3


def test_a_dynamic_queue_that_shows_up_in_the_configuration_becomes_managed():
    scene = Scene("a: {}", placementrules=BY_NAME).app("x", "root.made")
    scene.reload("a: {}\nmade: {}", placementrules=BY_NAME)
    assert scene.queue("root.made").is_managed


def test_what_a_queue_does_not_set_is_unlimited_and_unguaranteed():
    plain = Scene().queue("root.a")
    assert (plain.maximum, plain.guaranteed, plain.max_applications) == (None, None, 0)
    assert (plain.settings.application_sort_policy, plain.settings.priority_sorting) == ("fifo", True)
    assert (plain.settings.priority_policy, plain.settings.priority_offset, plain.status) == ("default", 0, "Active")


def test_an_all_zero_maximum_or_guarantee_counts_as_not_set():
    queue = Scene("a: {max: {vcore: 0, memory: 0}, guaranteed: {vcore: 0}}").queue("root.a")
    assert (queue.maximum, queue.guaranteed) == (None, None)


def test_a_zero_next_to_a_positive_maximum_forbids_its_type():
    scene = Scene("a: {max: {vcore: 4, gpu: 0}}", preemption={"enabled": False}).node("n1", vcore=9, gpu=9)
    scene.app("x").ask("x", "gpu", vcore=1, gpu=1).ask("x", "plain", vcore=1)
    assert scene.queue("root.a").maximum == amounts(vcore=4, gpu=0)
    assert scene.cycles(2) == ["plain"]


# -- sums -------------------------------------------------------------------------------------------------------------


def test_a_parent_holds_the_sums_of_its_children_placeholders_included():
    scene = Scene("p: {a: {}, b: {}}").node("n1", vcore=9)
    scene.app("x", "root.p.a").ask("x", "k", on="n1", vcore=2).ask("x", "wait", vcore=20)
    scene.app("y", "root.p.b").ask("y", "ph", on="n1", placeholder=True, group="tg", vcore=3)
    assert scene.used("root.p.a") == 2 and scene.used("root.p.b") == 3
    assert scene.queue("root.p").allocated == scene.queue("root").allocated == amounts(vcore=5)
    assert scene.queue("root.p").pending == scene.queue("root").pending == amounts(vcore=20)


def test_an_allocation_of_a_cycle_respects_every_maximum_of_the_path():
    scene = Scene("p: {max: {vcore: 3}, a: {max: {vcore: 2}}, b: {}}", preemption={"enabled": False}).node("n1", vcore=9)
    scene.app("x", "root.p.a").asks("x", 3)
    assert scene.cycles(3) == ["x-0", "x-1"]
    scene.app("y", "root.p.b").asks("y", 3)
    assert scene.cycles(3) == ["y-0"]


@pytest.mark.parametrize(
    "size, refused_by",
    [
        (amounts(vcore=2), None),
        (amounts(vcore=3), "root.p.a"),
        (amounts(memory=4), "root.p"),
        (amounts(memory=3), None),
        (amounts(gpu=1), "root"),
        (amounts(gpu=0), None),
    ],
    ids=["fits", "over the leaf", "over the parent", "no maximum in the leaf", "type that the cluster lacks", "none of that type"],
)
def test_the_maxima_are_checked_leaf_first_and_root_refuses_types_it_does_not_have(size, refused_by):
    scene = Scene("p: {max: {memory: 3}, a: {max: {vcore: 2}}}").node("n1", vcore=9, memory=9)
    refusal = over_maximum(scene.queue("root.p.a"), size)
    assert (refusal and refusal.subject) == refused_by


def test_what_the_resource_manager_reports_may_exceed_a_maximum():
    scene = Scene("a: {max: {vcore: 2}}").node("n1", vcore=9).app("x").ask("x", "k", on="n1", vcore=5)
    assert scene.used("root.a") == 5
    scene.ask("x", "k", vcore=7)
    assert scene.used("root.a") == 7


# -- running applications ---------------------------------------------------------------------------------------------


def test_running_applications_count_in_the_leaf_and_all_its_ancestors():
    scene = Scene("p: {a: {}}").node("n1", vcore=9).app("x", "root.p.a").app("y", "root.p.a").ask("x", "k").ask("y", "k2")
    scene.cycles(2)
    assert [scene.queue(path).running_applications for path in ("root.p.a", "root.p", "root")] == [2, 2, 2]
    scene.release("x", "k")
    assert [scene.queue(path).running_applications for path in ("root.p.a", "root.p", "root")] == [1, 1, 1]


def test_a_clamped_counter_falls_too_low_so_that_more_applications_run_than_allowed():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=9)
    scene.app("x").ask("x", "x1", on="n1").app("y").ask("y", "y1", on="n1")
    assert scene.queue("root.a").running_applications == 1
    scene.release("x", "x1").app("z").ask("z", "z1")
    assert scene.queue("root.a").running_applications == 0
    assert scene.cycles(1) == ["z1"]
    assert (scene.state("y"), scene.state("z")) == ("Running", "Running")


def test_a_counter_above_its_maximum_falls_to_it_when_it_is_raised():
    scene = Scene("a: {maxapplications: 3}").node("n1", vcore=9)
    for name in "xyz":
        scene.app(name).ask(name, f"{name}-k", on="n1")
    scene.release("x", "x-k").reload("a: {maxapplications: 1}").forget()
    assert [scene.queue(path).running_applications for path in ("root.a", "root")] == [2, 2]
    scene.ask("x", "again")
    assert (scene.state("x"), scene.cycles(1)) == ("Running", ["again"])
    assert [scene.queue(path).running_applications for path in ("root.a", "root")] == [1, 3]
    assert [(rule, subject) for rule, subject, *_ in scene.surprises()] == [("R-426", "queue root.a")]
    scene.release("y", "y-k").app("new").ask("new", "new-k")
    assert scene.cycles(1) == ["new-k"]


def test_an_application_with_some_of_its_placeholders_takes_a_slot_until_it_runs():
    scene = Scene("p: {maxapplications: 1, a: {maxapplications: 1}}").node("n1", vcore=2)
    scene.app("g", "root.p.a", gang={"vcore": 4}).placeholders("g", 2, vcore=2).cycles(1)
    assert [list(scene.queue(path).allocating_accepted) for path in ("root.p.a", "root.p", "root")] == [["g"]] * 3
    scene.node("n2", vcore=9).cycles(1)
    assert scene.state("g") == "Running"
    assert [list(scene.queue(path).allocating_accepted) for path in ("root.p.a", "root.p", "root")] == [[]] * 3


def test_a_removed_application_gives_its_slot_back():
    scene = Scene("a: {maxapplications: 1}").node("n1", vcore=2)
    scene.app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2).cycles(1)
    scene.app("y").ask("y", "k").remove_app("g")
    assert list(scene.queue("root.a").allocating_accepted) == []
    assert scene.cycles(1) == ["k"]


# -- properties -------------------------------------------------------------------------------------------------------


def test_children_start_with_the_properties_of_their_parent_and_their_own_win():
    scene = Scene(
        "p: {application.sort.policy: fair, application.unschedasks.backoff: 3, application.sort.priority: disabled, "
        "preemption.delay: 7s, a: {}, b: {application.sort.policy: fifo, application.sort.priority: enabled}}"
    )
    a, b = scene.queue("root.p.a").settings, scene.queue("root.p.b").settings
    assert (a.application_sort_policy, a.backoff_threshold, a.priority_sorting) == ("fair", 3, False)
    assert a.preemption_delay_ns == 7 * 10**9
    assert (b.application_sort_policy, b.backoff_threshold, b.priority_sorting) == ("fifo", 3, True)


def test_priority_policy_and_offset_are_not_inherited():
    scene = Scene("p: {priority.policy: fence, priority.offset: 5, a: {}}")
    assert (scene.queue("root.p").settings.priority_policy, scene.queue("root.p").settings.priority_offset) == ("fence", 5)
    assert (scene.queue("root.p.a").settings.priority_policy, scene.queue("root.p.a").settings.priority_offset) == ("default", 0)


@pytest.mark.parametrize("policy, of_child", [("fence", "default"), ("disabled", "disabled")])
def test_of_the_preemption_policies_only_disabled_is_inherited(policy, of_child):
    scene = Scene(f"p: {{preemption.policy: {policy}, a: {{}}}}")
    assert scene.queue("root.p.a").settings.preemption_policy == of_child


def test_a_property_that_a_reload_no_longer_lists_stays_in_force():
    scene = Scene("a: {priority.offset: 100}").reload("a: {}")
    assert scene.queue("root.a").settings.priority_offset == 100
    scene.reload("a: {priority.offset: 0}")
    assert scene.queue("root.a").settings.priority_offset == 0


@pytest.mark.parametrize(
    "written, in_force",
    [
        ("fair", "fair"),
        ("fifo", "fifo"),
        ("stateaware", "fifo"),
        ("FAIR", "fifo"),
        ("nonsense", "fifo"),
    ],
)
def test_a_leaf_sorts_its_applications_as_written_and_by_fifo_when_the_word_is_unknown(written, in_force):
    scene = Scene(f"a: {{application.sort.policy: {written}}}")
    assert scene.queue("root.a").settings.application_sort_policy == in_force


def test_the_recovery_queue_is_always_fifo():
    scene = Scene("a: {}", placementrules=BY_NAME).app("x", "root.@recovery@", tags={"application.create.force": "true"})
    assert scene.queue("root.@recovery@").settings.application_sort_policy == "fifo"


# -- draining ---------------------------------------------------------------------------------------------------------


def test_a_draining_queue_takes_no_new_application_but_schedules_those_inside():
    scene = Scene("a: {}\nb: {}").node("n1", vcore=9).app("x").asks("x", 2)
    scene.reload("b: {}")
    assert scene.queue("root.a").status == "Draining"
    scene.app("y", "root.a")
    assert scene.state("y") == "Rejected"
    assert scene.cycles(2) == ["x-0", "x-1"]


def test_placement_skips_a_draining_queue_for_the_next_rule():
    rules = [{"name": "provided"}, {"name": "fixed", "value": "root.b"}]
    scene = Scene("a: {}\nb: {}", placementrules=rules).app("x").ask("x", "k")
    scene.reload("b: {}", placementrules=rules).app("y", "root.a")
    assert scene.application("y").queue_path == "root.b"


# -- states of queues and partitions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state, event, new",
    [
        ("Active", "Remove", "Draining"),
        ("Active", "Start", "Active"),
        ("Active", "Stop", "Stopped"),
        ("Draining", "Remove", "Draining"),
        ("Draining", "Start", "Active"),
        ("Draining", "Stop", None),
        ("Stopped", "Remove", None),
        ("Stopped", "Start", "Active"),
        ("Stopped", "Stop", "Stopped"),
    ],
)
def test_queues_and_partitions_change_their_state_as_in_the_table(state, event, new):
    assert lifecycle.next_state(lifecycle.OBJECT_TRANSITIONS, state, event) == new
    if new is None:
        assert lifecycle.refusal_text(state, event) == f"event {event} inappropriate in current state {state}"


def test_a_queue_missing_from_the_configuration_drains_with_its_descendants_and_starts_when_it_is_back():
    scene = Scene("p: {a: {}}\nb: {}").app("x", "root.p.a").ask("x", "k")
    scene.reload("b: {}")
    assert [scene.queue(path).status for path in ("root.p", "root.p.a", "root.b")] == ["Draining", "Draining", "Active"]
    scene.reload("p: {a: {}}\nb: {}")
    assert [scene.queue(path).status for path in ("root.p", "root.p.a")] == ["Active", "Active"]


def test_no_child_is_created_below_a_draining_parent():
    scene = Scene("p: {parent: true, submitacl: '*', a: {}}\nb: {}", placementrules=BY_NAME).app("x", "root.p.a").ask("x", "k")
    scene.reload("b: {}", placementrules=BY_NAME).app("y", "root.p.made")
    assert scene.state("y") == "Rejected"
    assert not scene.has_queue("root.p.made")


def test_an_empty_draining_queue_goes_with_the_next_clean_up():
    scene = Scene("a: {}\nb: {}").reload("b: {}").forget().advance(10)
    assert [event.queue for event in scene.events if isinstance(event, QueueRemoved)] == ["root.a"]


def test_a_stopped_queue_is_passed_over_with_everything_below_it():
    scene = Scene("p: {a: {}}\nb: {}").node("n1", vcore=9).app("x", "root.p.a").ask("x", "k").app("y", "root.b").ask("y", "k2")
    scene.queue("root.p").status = "Stopped"
    assert scene.cycles(2) == ["k2"]


def test_a_stopped_partition_schedules_nothing_and_refuses_everything():
    scene = Scene().node("n1", vcore=9).app("x").ask("x", "k").forget()
    scene.partition.status = "Stopped"
    decision = scene.cycle()
    assert (decision.outcome, decision.skipped.code) == ("nothing", "W-01")
    scene.ask("x", "k2").ask("x", "k3", on="n1").app("y").node("n2", vcore=1)
    p = "partition [rm:1]default is stopped"
    assert scene.refused() == [
        f"{p}; cannot process allocation k2",
        f"{p}; cannot process allocation k3",
        f"{p} cannot add a new application y",
        f"failure while adding new node, node rejected with error: \n{p} cannot add a new node n2",
    ]


def test_a_draining_partition_refuses_applications_and_nodes_but_not_asks():
    scene = Scene().node("n1", vcore=9).app("x").forget()
    scene.partition.status = "Draining"
    scene.ask("x", "k").app("y").node("n2", vcore=1)
    assert len(scene.refused()) == 2
    assert scene.cycles(1) == ["k"]


def test_a_dynamic_queue_is_active_for_all_its_life():
    scene = Scene("a: {}", placementrules=BY_NAME).app("x", "root.made").reload("b: {}", placementrules=BY_NAME)
    assert scene.queue("root.made").status == "Active"
