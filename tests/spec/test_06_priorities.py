"""Chapter 06: priorities of asks, applications and queues.

Recorded cases are in conformance/priorities.yaml.
"""

from __future__ import annotations

import pytest
from scenes import Scene

from workbench.scheduler.objects import priority

NONE = MIN = -(2**31)
MAX = 2**31 - 1
NO_PREEMPTION = {"enabled": False}


def values(scene: Scene) -> dict[str, int]:
    """Queue path without root -> current priority; root itself as "root"."""
    found = {}
    stack = [scene.queue("root")]
    while stack:
        queue = stack.pop()
        found[queue.path.removeprefix("root.")] = queue.priority
        stack.extend(queue.children.values())
    return found


def changes(decision) -> dict[str, int]:
    """Queue path -> new value, for every queue whose priority a traced cycle changed."""
    return {
        change.subject: change.after
        for change in decision.changes
        if change.what == "priority" and change.subject.startswith("root")
    }


def one_ask(queues: str, leaf: str, ask_priority: int) -> Scene:
    return Scene(queues, preemption=NO_PREEMPTION).node("n1", vcore=10).app("x", leaf).ask("x", "k", priority=ask_priority)


# -- values -----------------------------------------------------------------------------------------------------------


def test_larger_priorities_go_first_over_the_whole_32_bit_range():
    scene = Scene().node("n1", vcore=10).app("x")
    for key, value in (("min", MIN), ("max", MAX), ("zero", 0), ("minus", -1)):
        scene.ask("x", key, priority=value)
    assert scene.cycles(4) == ["max", "zero", "minus", "min"]


def test_nothing_waiting_is_no_priority_and_sorts_last():
    scene = one_ask("a: {}\nb: {}", "root.a", MIN + 1)
    assert (values(scene)["a"], values(scene)["b"]) == (MIN + 1, NONE)
    assert Scene().app("x").application("x").priority == NONE


def test_an_ask_of_the_lowest_priority_counts_as_nothing_waiting_but_is_scheduled():
    scene = one_ask("a: {priority.offset: 5}", "root.a", MIN)
    assert values(scene) == {"root": NONE, "a": NONE}
    assert scene.cycles(1) == ["k"]


# -- applications -----------------------------------------------------------------------------------------------------


def test_an_application_shows_the_highest_of_its_waiting_asks():
    scene = Scene().node("n1", vcore=10).app("x").ask("x", "k10", priority=10).ask("x", "k20", priority=20)
    shown = [scene.application("x").priority]
    for _ in range(2):
        scene.cycles(1)
        shown.append(scene.application("x").priority)
    assert shown == [20, 10, NONE]


def test_placeholders_count_for_the_priority():
    scene = Scene().app("x").ask("x", "ph", placeholder=True, group="tg", priority=7)
    assert scene.application("x").priority == 7


# -- queues -----------------------------------------------------------------------------------------------------------


def test_a_leaf_takes_the_highest_of_its_applications_and_a_parent_that_of_its_children():
    scene = Scene("p: {a: {}, b: {}}")
    for name, queue, value in (("x", "a", 3), ("y", "a", 8), ("z", "b", 5)):
        scene.app(name, f"root.p.{queue}").ask(name, name, priority=value)
    assert values(scene) == {"root": 8, "p": 8, "p.a": 8, "p.b": 5}


@pytest.mark.parametrize(
    "raw, policy, offset, shown",
    [
        (NONE, "default", 5, NONE),
        (NONE, "fence", 5, NONE),
        (99, "fence", 10, 10),
        (-99, "fence", 0, 0),
        (10, "default", 5, 15),
        (10, "default", -25, -15),
        (10, "default", MAX, MAX),
        (-10, "default", MIN, MIN),
    ],
    ids=[
        "nothing waits",
        "nothing waits behind a fence",
        "fence",
        "fence without offset",
        "offset",
        "negative offset",
        "saturates above",
        "saturates below",
    ],
)
def test_a_queue_shows_its_raw_value_with_offset_or_the_offset_of_its_fence(raw, policy, offset, shown):
    settings = Scene(f"a: {{priority.policy: {policy}, priority.offset: {offset}}}").queue("root.a").settings
    assert priority.adjusted(raw, settings) == shown


def test_a_fenced_queue_shows_its_offset_instead_of_its_childrens_priority():
    scene = one_ask("tenants: {priority.policy: fence, priority.offset: 10, a: {}}", "root.tenants.a", 99)
    assert values(scene) == {"root": 10, "tenants": 10, "tenants.a": 99}


@pytest.mark.parametrize("ask_priority", [-1, 0])
def test_a_sum_that_saturates_to_the_lowest_value_looks_like_nothing_waiting_even_for_a_fence(ask_priority):
    queues = f"p: {{priority.policy: fence, priority.offset: 50, a: {{priority.offset: {MIN}}}}}"
    scene = one_ask(queues, "root.p.a", ask_priority)
    assert values(scene) == {"root": NONE, "p": NONE, "p.a": NONE}
    assert scene.cycles(1) == ["k"]


def test_every_child_counts_stopped_ones_and_those_without_positive_pending_too():
    scene = Scene("p: {a: {}, b: {}}").app("x", "root.p.a").ask("x", "kx", priority=9).app("y", "root.p.b")
    scene.queue("root.p.a").status = "Stopped"
    scene.ask("y", "ky", priority=3)
    assert values(scene)["p"] == 9


def test_the_offset_of_the_root_is_applied_and_compared_with_nothing():
    scene = Scene("priority.offset: -1\na: {}").app("x").ask("x", "k", priority=4)
    assert values(scene) == {"root": 3, "a": 4}


def test_offsets_add_up_along_the_path():
    scene = one_ask("priority.offset: -1\np: {priority.offset: -10, l: {priority.offset: -100}}", "root.p.l", 1)
    assert values(scene) == {"root": -110, "p": -109, "p.l": -99}


def test_a_leaf_with_an_offset_follows_the_asks_that_are_left():
    scene = Scene("a: {priority.offset: 5}").node("n1", vcore=10)
    scene.app("x").ask("x", "k10", priority=10).app("y").ask("y", "k20", priority=20)
    assert values(scene)["a"] == 25
    scene.cycles(1)
    assert values(scene)["a"] == 15


def test_a_fence_without_an_offset_shows_zero_while_anything_waits_below():
    scene = one_ask("a: {priority.policy: fence}", "root.a", -7)
    assert values(scene)["a"] == 0
    scene.cycles(1)
    assert values(scene)["a"] == NONE


# -- updates ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("new, shown", [(9, 9), (5, 5), (1, 5)], ids=["higher", "equal", "lower"])
def test_only_a_new_maximum_is_passed_up(new, shown):
    scene = Scene("p: {a: {}}").app("x", "root.p.a").ask("x", "k", priority=5).ask("x", "new", priority=new)
    assert values(scene) == {"root": shown, "p": shown, "p.a": shown}


def test_an_ask_that_is_no_new_maximum_leaves_a_stale_parent_stale():
    scene = Scene("a: {}").node("n1", vcore=10).app("x").ask("x", "k", priority=5).reload("a: {priority.offset: 100}")
    assert values(scene) == {"root": 5, "a": 105}
    scene.ask("x", "lower", priority=1)
    assert values(scene) == {"root": 5, "a": 105}
    scene.cycles(1)
    assert values(scene) == {"root": 101, "a": 101}


@pytest.mark.parametrize("gone, shown", [("high", 5), ("mid", 9), ("low", 9)])
def test_when_the_highest_ask_goes_the_rest_decides(gone, shown):
    scene = Scene("p: {a: {}}").app("x", "root.p.a")
    for key, value in (("high", 9), ("mid", 5), ("low", 1)):
        scene.ask("x", key, priority=value)
    scene.release("x", gone)
    assert values(scene) == {"root": shown, "p": shown, "p.a": shown}


def test_an_ask_that_waits_again_raises_the_value():
    scene = Scene(confirm=False).node("n1", vcore=4).app("g", gang={"vcore": 2}).placeholders("g", 1, vcore=2)
    scene.cycles(1)
    scene.node("n2", vcore=4).ask("g", "real", group="tg", vcore=2, priority=8, allowed=("n2",))
    scene.ask("g", "low", vcore=90, priority=1)
    assert values(scene)["a"] == 8
    scene.cycles(1)
    assert values(scene)["a"] == 1
    scene.remove_node("n2")
    assert values(scene)["a"] == 8


def test_all_asks_dropped_leave_no_priority():
    scene = Scene("p: {a: {}}").app("x", "root.p.a").ask("x", "k", priority=5).ask("x", "k2", priority=3).release("x")
    assert values(scene) == {"root": NONE, "p": NONE, "p.a": NONE}


def test_an_application_that_leaves_takes_its_entry_along():
    scene = Scene("p: {a: {}}").app("x", "root.p.a").ask("x", "kx", priority=5).app("y", "root.p.a").ask("y", "ky", priority=3)
    scene.remove_app("x")
    assert values(scene) == {"root": 3, "p": 3, "p.a": 3}
    assert scene.queue("root.p.a").priority_inputs == {"y": 3}


def test_each_queue_stores_what_it_received_and_passes_its_adjusted_value():
    scene = Scene("p: {priority.offset: 10, a: {priority.offset: 1}}").app("x", "root.p.a").ask("x", "k", priority=5)
    assert scene.queue("root.p.a").priority_inputs == {"x": 5}
    assert scene.queue("root.p").priority_inputs == {"a": 6}
    assert scene.queue("root").priority_inputs == {"p": 16}


def test_a_cycle_orders_by_the_values_of_its_start_and_changes_them_at_its_end():
    scene = Scene("a: {}\nb: {}").node("n1", vcore=10)
    scene.app("x").ask("x", "kx", priority=9).app("y", "root.b").ask("y", "ky", priority=5)
    decision = scene.cycle()
    assert [-each.key.priority for each in decision.levels[0].candidates] == [9, 5]
    assert changes(decision) == {"root": 5, "root.a": NONE}


def test_who_has_nothing_waiting_keeps_an_entry_of_no_priority():
    scene = Scene("p: {a: {}}").app("x", "root.p.a")
    assert scene.queue("root.p.a").priority_inputs == {"x": NONE}
    assert scene.queue("root.p").priority_inputs == {"a": NONE}


# -- configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written, offset",
    [
        ("12", 12),
        ("+12", 12),
        ("-7", -7),
        ("abc", 0),
        (" 5", 0),
        (str(MAX), MAX),
        (str(MIN), MIN),
        ("2147483648", 0),
        ("1.5", 0),
    ],
)
def test_an_offset_is_a_32_bit_decimal_number_and_anything_else_is_zero(written, offset):
    assert Scene(f"a: {{priority.offset: '{written}'}}").queue("root.a").settings.priority_offset == offset


@pytest.mark.parametrize("written, policy", [("fence", "fence"), ("FENCE", "fence"), ("Default", "default"), ("wall", "default")])
def test_a_priority_policy_is_read_in_any_case_and_anything_else_is_the_default(written, policy):
    assert Scene(f"a: {{priority.policy: {written}}}").queue("root.a").settings.priority_policy == policy


@pytest.mark.parametrize("written, counts", [("disabled", False), ("DISABLED", False), ("Enabled", True), ("no", True)])
def test_sorting_by_priority_is_off_only_when_disabled(written, counts):
    assert Scene(f"a: {{application.sort.priority: {written}}}").queue("root.a").settings.priority_sorting is counts


def test_sorting_by_priority_is_inherited_and_offset_and_policy_are_not():
    scene = Scene("p: {application.sort.priority: disabled, priority.policy: fence, priority.offset: 9, a: {}}")
    child = scene.queue("root.p.a").settings
    assert (child.priority_sorting, child.priority_policy, child.priority_offset) == (False, "default", 0)


def test_a_reloaded_offset_counts_among_the_siblings_at_once():
    scene = Scene("a: {}\nb: {}").node("n1", vcore=1).app("x").ask("x", "kx").app("y", "root.b").ask("y", "ky", priority=5)
    scene.reload("a: {priority.offset: 100}\nb: {}")
    assert scene.cycles(1) == ["kx"]


# -- effective priority -----------------------------------------------------------------------------------------------


def test_the_effective_priority_is_what_the_ask_alone_would_show():
    scene = Scene("p: {priority.offset: 10, a: {priority.offset: 1}, f: {priority.policy: fence, priority.offset: 3}}")
    assert priority.effective_path(scene.queue("root.p.a"), 5) == (("root.p.a", 6), ("root.p", 16), ("root", 16))
    assert priority.effective_path(scene.queue("root.p.f"), 5) == (("root.p.f", 3), ("root.p", 13), ("root", 13))


def test_behind_a_fence_everything_looks_alike_to_the_outside_and_differs_inside():
    scene = Scene("f: {priority.policy: fence, priority.offset: 5, a: {}, b: {}}\nc: {}").node("n1", vcore=10)
    for name, queue, value in (("x", "root.f.a", 1), ("y", "root.f.b", 100), ("z", "root.c", 6)):
        scene.app(name, queue).ask(name, name, priority=value)
    assert scene.cycles(3) == ["z", "y", "x"]


def test_a_queue_is_chosen_by_its_highest_ask_even_if_that_one_cannot_be_placed():
    scene = Scene("a: {}\nb: {}", preemption=NO_PREEMPTION).node("n1", vcore=10)
    scene.app("x").ask("x", "impossible", priority=9, vcore=99).ask("x", "low", priority=1)
    scene.app("y", "root.b").ask("y", "middle", priority=5)
    assert scene.cycles(2) == ["low", "middle"]


# -- the documented example -------------------------------------------------------------------------------------------

MULTITENANCY = """
system: {system-normal: {priority.offset: 0}, system-high: {priority.offset: 1000}, system-low: {priority.offset: -1000}}
tenants:
  priority.policy: fence
  tenant-a: {priority.policy: fence, priority.offset: 10, child-a-1: {}, child-a-2: {}}
  tenant-b: {priority.policy: fence, priority.offset: 0, child-b-1: {}, child-b-2: {}}
"""
WORKLOAD = {
    "system.system-normal": (10, 2),
    "system.system-high": (1,),
    "system.system-low": (3,),
    "tenants.tenant-a.child-a-1": (8, 5),
    "tenants.tenant-a.child-a-2": (6, 4),
    "tenants.tenant-b.child-b-1": (9, 7),
    "tenants.tenant-b.child-b-2": (8,),
}
STEPS = [
    ("system-high", 1, {"system.system-high": NONE, "system": 10, "root": 10}),
    ("system-normal", 10, {"system.system-normal": 2, "system": 2, "root": 2}),
    ("system-normal", 2, {"system.system-normal": NONE, "system": -997, "root": 0}),
    ("child-a-1", 8, {"tenants.tenant-a.child-a-1": 5}),
    ("child-a-2", 6, {"tenants.tenant-a.child-a-2": 4}),
    ("child-a-1", 5, {"tenants.tenant-a.child-a-1": NONE}),
    ("child-a-2", 4, {"tenants.tenant-a.child-a-2": NONE, "tenants.tenant-a": NONE}),
    ("child-b-1", 9, {"tenants.tenant-b.child-b-1": 7}),
    ("child-b-2", 8, {"tenants.tenant-b.child-b-2": NONE}),
    ("child-b-1", 7, {"tenants.tenant-b.child-b-1": NONE, "tenants.tenant-b": NONE, "tenants": NONE, "root": -997}),
    ("system-low", 3, {"system.system-low": NONE, "system": NONE, "root": NONE}),
]


def multitenancy(*, one_application_per_ask: bool) -> Scene:
    scene = Scene(MULTITENANCY).node("n1", vcore=100)
    for leaf, priorities in WORKLOAD.items():
        name = leaf.rpartition(".")[2]
        for value in priorities:
            app = f"{name}-{value}" if one_application_per_ask else name
            if app not in scene.partition.applications:
                scene.app(app, f"root.{leaf}")
            scene.ask(app, f"{name} P{value}", priority=value)
    return scene


def test_the_priorities_before_the_documented_example():
    assert values(multitenancy(one_application_per_ask=False)) == {
        "root": 1001,
        "system": 1001,
        "system.system-normal": 10,
        "system.system-high": 1001,
        "system.system-low": -997,
        "tenants": 0,
        "tenants.tenant-a": 10,
        "tenants.tenant-a.child-a-1": 8,
        "tenants.tenant-a.child-a-2": 6,
        "tenants.tenant-b": 0,
        "tenants.tenant-b.child-b-1": 9,
        "tenants.tenant-b.child-b-2": 8,
    }


@pytest.mark.parametrize("one_application_per_ask", [False, True], ids=["an application per leaf", "an application per ask"])
def test_the_documented_example_step_by_step(one_application_per_ask):
    scene = multitenancy(one_application_per_ask=one_application_per_ask)
    for leaf, value, changed in STEPS:
        decision = scene.cycle()
        assert decision.key == f"{leaf} P{value}"
        assert {path.removeprefix("root."): shown for path, shown in changes(decision).items()} == changed
    assert scene.cycle().outcome == "nothing"
