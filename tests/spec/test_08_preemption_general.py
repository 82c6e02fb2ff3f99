"""Chapter 08, sections 1 to 4, 8 and 14: when an ask attempts general preemption, and what a success sets going.

In most scenes `v` in root.b fills the only node with allocations of one core, and `x` in root.a asks for its guarantee.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from scenes import MS_NS, Scene, amounts, attempt, no_preemption, refusals

from workbench.config import load_config
from workbench.config.properties import settings as queue_settings
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.preemption import general, required_node
from workbench.scheduler.records.commands import AskSpec
from workbench.scheduler.records.events import Noticed, Preempted, Released, Reserved, Unreserved
from workbench.values.errors import ConfigError
from workbench.values.resources import (
    Resource,
    component_wise_min,
    fit_in,
    fit_in_actual,
    fit_in_max_undef,
    match_any,
    strictly_greater_than_only_existing,
    sub_only_existing,
)

SECOND_NS = 10**9
CONTESTED = "{a: {guaranteed: {vcore: 5}}, b: {}}"


def contested(queues: str = CONTESTED, *, running: int = 10, node: int = 10, **scene) -> Scene:
    """The node n1, full of `v-0` (the oldest) to `v-9` in root.b."""
    return Scene(queues, **scene).node("n1", vcore=node).runs("v", "root.b", running)


# -- 1 Vocabulary --------------------------------------------------------------------------------------------------


def test_an_ask_that_says_nothing_may_preempt_and_be_preempted_as_the_kubernetes_shim_always_says():  # P-1
    spec = AskSpec(application_id="x", key="k", resource=amounts(vcore=1))
    assert (spec.allow_preempt_other, spec.allow_preempt_self, spec.originator) == (True, True, False)


@pytest.mark.parametrize(("operation", "left", "right", "result"), [
    (sub_only_existing, {"a": 5, "b": 1}, {"a": 2, "c": 9}, {"a": 3, "b": 1}),
    (sub_only_existing, None, {"a": 2}, None),
    (component_wise_min, {"a": 5, "b": 1}, {"a": 2, "c": 9}, {"a": 2, "b": 1, "c": 9}),
    (component_wise_min, None, {"a": 2}, {"a": 2}),
    (component_wise_min, None, None, None),
    (fit_in, {"a": 5}, {"a": 5}, True),
    (fit_in, {"b": 5}, {"a": 1}, False),
    (fit_in, {"a": -5}, {"a": 0}, True),
    (fit_in_actual, {"a": 5}, {"a": 5, "b": 9}, True),
    (fit_in_actual, {"a": -1}, {"a": 0}, False),
    (fit_in_max_undef, {"a": 5}, {"a": 5, "b": 9}, True),
    (fit_in_max_undef, {"a": -1}, {"a": 0}, True),
    (match_any, {"a": 1, "b": 0}, {"b": 9}, True),
    (match_any, {"a": 1}, {"b": 9}, False),
], ids=[
    "subtracting keeps the types of the first", "nothing minus something stays nothing",
    "a type on one side keeps its value in the minimum", "an absent side is ignored", "both absent is absent",
    "strict: equal fits", "strict: a missing type is 0", "strict: a negative value is 0",
    "budget: a missing type is unlimited", "budget: a negative value refuses even 0",
    "headroom: a missing type is unlimited", "headroom: a negative value is 0",
    "one common type is enough whatever its value", "no common type",
])  # fmt: skip
def test_the_operations_on_sparse_resources(operation, left, right, result):  # P-2
    def made(values):
        return Resource(values) if isinstance(values, dict) else values

    assert operation(made(left), made(right)) == made(result)


@pytest.mark.parametrize(("need", "collected", "exceeds"), [
    ({"a": 1, "b": 1}, {}, True),
    ({"a": 1, "b": 0}, {}, False),
    ({}, {}, False),
    ({"a": 1}, {"b": 9}, True),
    ({"a": 2}, {"a": 1}, True),
    ({"a": 2}, {"a": 2}, False),
    ({"a": 2, "b": 3}, {"a": 2, "b": 1}, True),
    ({"a": 2, "b": 3}, {"a": 3, "b": 1}, False),
], ids=[
    "nothing collected", "nothing collected for a type of which 0 is needed", "nothing needed", "no common type",
    "one short", "all equal", "one equal, one short", "quirk: one type overshoots although the other is short",
])  # fmt: skip
def test_more_is_needed_than_collected(need, collected, exceeds):  # P-3
    assert strictly_greater_than_only_existing(Resource(need), Resource(collected)) is exceeds


def test_a_release_takes_effect_when_the_resource_manager_confirms_it():  # P-4, P-111, P-112
    scene = contested(confirm=False).wants("x", "root.a")
    assert scene.later().victims == ("v-9",)
    assert scene.used("root.b") == 10
    assert "v-9" in scene.on("n1").allocations
    scene.confirm_releases()
    assert scene.used("root.b") == 9
    assert "v-9" not in scene.on("n1").allocations


# -- 2 The three kinds and their switches ----------------------------------------------------------------------------


@pytest.mark.parametrize("switch", ["enabled", "quotapreemptionenabled"])
def test_a_switch_of_the_partition_is_a_boolean(switch):  # P-10
    text = "partitions: [{name: default, preemption: {%s: %s}, queues: [{name: root}]}]"
    load_config(text % (switch, "false"))
    with pytest.raises(ConfigError):
        load_config(text % (switch, "sometimes"))


@pytest.mark.parametrize(
    ("key", "text", "field", "value"),
    [
        ("preemption.policy", "FENCE", "preemption_policy", "fence"),
        ("preemption.policy", "Disabled", "preemption_policy", "disabled"),
        ("preemption.policy", "", "preemption_policy", "default"),
        ("preemption.policy", "never", "preemption_policy", "default"),
        ("preemption.delay", "1m30s", "preemption_delay_ns", 90 * SECOND_NS),
        ("preemption.delay", "soon", "preemption_delay_ns", 30 * SECOND_NS),
        ("preemption.delay", "0s", "preemption_delay_ns", 30 * SECOND_NS),
        ("preemption.delay", "-5s", "preemption_delay_ns", 30 * SECOND_NS),
    ],
)
def test_a_queue_property_is_read_in_any_case_and_a_bad_value_is_the_default(key, text, field, value):  # P-11
    assert getattr(queue_settings({key: text}, is_leaf=True), field) == value


def test_a_disabled_leaf_gives_no_victims():  # P-11, P-52
    scene = contested("{a: {guaranteed: {vcore: 5}}, b: {preemption.policy: disabled}}").wants("x", "root.a")
    assert scene.later().outcome == "nothing"


def test_an_ask_in_a_disabled_queue_may_still_preempt_others():  # P-12
    scene = contested("{a: {guaranteed: {vcore: 5}, preemption.policy: disabled}, b: {}}").wants("x", "root.a")
    assert scene.later().victims == ("v-9",)


@pytest.mark.parametrize(
    ("leaf", "victims"),
    [("{}", ()), ("{preemption.policy: default}", ("v-9",))],
    ids=["an inheriting leaf", "a leaf with a policy of its own"],
)
def test_disabled_on_a_parent_acts_only_through_the_leaves_that_inherit_it(leaf, victims):  # P-12, P-13
    scene = Scene("{a: {guaranteed: {vcore: 5}}, p: {preemption.policy: disabled, b: " + leaf + "}}").node("n1", vcore=10)
    scene.runs("v", "root.p.b", 10).wants("x", "root.a")
    assert scene.later().victims == victims


def test_a_child_starts_with_the_delay_of_its_parent_but_not_with_its_fence_or_offset():  # P-13
    scene = Scene("p: {preemption.delay: 5s, preemption.policy: fence, priority.policy: fence, priority.offset: 7, a: {}}")
    leaf = scene.queue("root.p.a").settings
    assert leaf.preemption_delay_ns == 5 * SECOND_NS
    assert (leaf.preemption_policy, leaf.priority_policy, leaf.priority_offset) == ("default", "default", 0)


def test_a_delay_on_root_is_effective_for_the_leaves_although_documented_as_leaf_only():  # P-13
    scene = contested("{preemption.delay: 5s, a: {guaranteed: {vcore: 5}}, b: {}}").wants("x", "root.a")
    assert scene.later(4.9).outcome == "nothing"
    assert scene.cycle().outcome == "preempted"


def test_a_dynamic_leaf_below_a_disabled_parent_is_not_disabled_and_waits_30_seconds():  # P-14, a quirk
    scene = Scene(
        "{a: {guaranteed: {vcore: 5}}, p: {parent: true, preemption.policy: disabled, preemption.delay: 5s}}",
        placementrules=[{"name": "provided", "create": True}],
    ).node("n1", vcore=10)
    scene.runs("v", "root.p.made", 10).wants("x", "root.a")
    assert scene.queue("root.p.made").settings.preemption_delay_ns == 30 * SECOND_NS
    assert scene.later().victims == ("v-9",)


def test_a_property_removed_by_a_reload_stays_in_force_until_a_restart():  # P-15, a quirk
    scene = contested("{a: {guaranteed: {vcore: 5}}, b: {preemption.policy: disabled}}").wants("x", "root.a")
    scene.reload(CONTESTED)
    assert scene.later().outcome == "nothing"
    restarted = contested(CONTESTED).wants("x", "root.a")
    assert restarted.later().outcome == "preempted"


def test_a_reloaded_parent_reaches_new_children_and_not_the_existing_ones():  # P-15, a quirk
    scene = Scene("p: {old: {}}")
    scene.reload("p: {preemption.policy: disabled, preemption.delay: 5s, old: {}, new: {}}")
    old, new = scene.queue("root.p.old").settings, scene.queue("root.p.new").settings
    assert (old.preemption_policy, old.preemption_delay_ns) == ("default", 30 * SECOND_NS)
    assert (new.preemption_policy, new.preemption_delay_ns) == ("disabled", 5 * SECOND_NS)


# -- 4 When an ask attempts general preemption -----------------------------------------------------------------------


def test_an_ask_beyond_its_users_headroom_is_skipped_without_an_attempt():  # P-20 step 1
    scene = contested("{a: {guaranteed: {vcore: 5}, limits: [{limit: l, users: [user], maxresources: {vcore: 1}}]}, b: {}}")
    scene.wants("x", "root.a", vcore=2)
    decision = scene.later()
    assert (decision.outcome, decision.preemptions) == ("nothing", ())
    assert scene.log("x", "x-0") == ["Not enough user quota"]


def test_beyond_the_queue_headroom_nodes_are_not_tried_and_the_next_ask_follows_a_failure():  # P-20 step 2
    scene = contested("{a: {guaranteed: {vcore: 1}}, b: {}}").app("x", "root.a").ask("x", "large", vcore=2).ask("x", "small")
    decision = scene.later()
    assert [(key, told.nodes_tried, told.reason) for key, told in decision.preemptions] == [
        ("large", False, "queue-guarantees"),
        ("small", False, "ok"),
    ]
    assert (decision.outcome, decision.key) == ("preempted", "small")
    assert scene.log("x", "large") == [
        "Preemption queue guarantees check failed",
        "Preemption does not help",
        "Not enough queue quota",
    ]


def test_an_ask_with_a_required_node_goes_its_own_way():  # P-20 step 3, P-21
    scene = contested().node("n2", vcore=5).wants("x", "root.a", required="n1")
    decision = scene.later()
    assert (decision.outcome, decision.node_id, decision.preemptions) == ("reserved", "n1", ())


def test_an_ask_without_a_node_reserves_first_and_preempts_in_the_next_cycle():  # P-20 steps 4 and 5
    scene = contested(running=9).node("n2", vcore=1).wants("x", "root.a", vcore=2)
    assert scene.later().outcome == "reserved"
    decision = scene.cycle()
    assert decision.outcome == "preempted"
    assert attempt(decision).nodes_tried


def test_an_ask_too_young_to_reserve_preempts_at_once():  # P-20 step 4
    scene = contested("{a: {guaranteed: {vcore: 5}, preemption.delay: 1s}, b: {}}", running=9).node("n2", vcore=1)
    assert scene.wants("x", "root.a", vcore=2).later(1).outcome == "preempted"


def test_with_preemption_switched_off_nothing_is_attempted_or_logged():  # P-20, P-10
    scene = contested(preemption={"enabled": False}).wants("x", "root.a")
    decision = scene.later()
    assert decision.outcome == "nothing"
    assert no_preemption(decision) == {"x-0": "V-03"}
    assert scene.log("x", "x-0") == ["Not enough queue quota"]


@pytest.mark.parametrize(
    ("fields", "seconds", "code"),
    [
        ({"may_preempt": False}, 30, "V-04"),
        ({"required": "n1"}, 30, "V-06"),
        ({}, 29, "V-07"),
        ({"may_preempt": False, "required": "n1"}, 0, "V-04"),
        ({"required": "n1"}, 0, "V-06"),
    ],
    ids=["may not preempt", "required node", "too young", "the permission comes first", "the node comes before the delay"],
)
def test_a_failed_precondition_is_logged_and_ends_the_attempt(fields, seconds, code):  # P-21
    scene = contested().wants("x", "root.a", **fields)
    decision = scene.later(seconds)
    assert no_preemption(decision) == {"x-0": code}
    assert scene.log("x", "x-0") == ["Preemption preconditions failed", "Preemption does not help", "Not enough queue quota"]


def test_an_ask_preempts_once_in_its_life():  # P-21
    scene = contested().wants("x", "root.a")
    assert scene.later().outcome == "preempted"
    scene.drain("n1").remove_node("n1").node("n2", vcore=1).runs("w", "root.b", 1, on="n2")
    assert no_preemption(scene.later(60)) == {"x-0": "V-05"}


def test_at_exactly_the_delay_an_ask_may_preempt():  # P-21, P-22
    scene = contested()
    now_ns = scene.engine.state.now_ns
    scene.app("x", "root.a").ask("x", "k", created_ns=now_ns - 30 * SECOND_NS + 3 * MS_NS)
    assert no_preemption(scene.cycle()) == {"k": "V-07"}  # 29.999 s old
    scene = contested()
    scene.app("x", "root.a").ask("x", "k", created_ns=now_ns - 30 * SECOND_NS + 2 * MS_NS)
    assert scene.cycle().outcome == "preempted"


def test_the_delay_counts_from_the_creation_of_the_ask_and_not_from_the_starvation_of_its_queue():  # P-22
    scene = Scene(CONTESTED).node("n1", vcore=10).wants("x", "root.a", 6).advance(60)
    assert len(scene.cycles(6)) == 6
    born_ns = scene.engine.state.now_ns - 31 * SECOND_NS
    scene.release("x", "x-0").release("x", "x-1").runs("v", "root.b", 6)
    scene.ask("x", "old", created_ns=born_ns)
    assert scene.cycle().outcome == "preempted"


def test_one_ask_is_examined_every_15_seconds_and_only_a_passed_test_starts_the_count():  # P-23
    scene = contested("{a: {guaranteed: {vcore: 1}}, b: {}}").wants("x", "root.a", vcore=2)
    assert no_preemption(scene.later(29)) == {"x-0": "V-07"}
    assert no_preemption(scene.later(1)) == {"x-0": "V-11"}
    scene.reload(CONTESTED)
    assert no_preemption(scene.later(14)) == {"x-0": "V-08"}
    assert scene.later(1).outcome == "preempted"


def test_ten_attempts_are_made_per_leaf_and_cycle():  # P-24
    scene = contested("{a: {guaranteed: {vcore: 1}}, b: {}}").wants("x", "root.a", 12, vcore=2)
    decision = scene.later(31)
    assert [key for key, _ in decision.preemptions] == [f"x-{number}" for number in range(10)]
    assert {key for key, code in no_preemption(decision).items() if code == "V-09"} == {"x-10", "x-11"}
    assert scene.log("x", "x-11") == ["Preemption max attempts exhausted", "Preemption does not help", "Not enough queue quota"]
    assert [key for key, _ in scene.cycle().preemptions] == ["x-10", "x-11"]  # the others were examined just now


def test_asks_that_fail_the_preconditions_use_up_no_attempt():  # P-24
    scene = contested("{a: {guaranteed: {vcore: 1}}, b: {}}").app("x", "root.a")
    for number in range(3):
        scene.ask("x", f"shy-{number}", vcore=2, may_preempt=False)
    decision = scene.asks("x", 10, vcore=2).later(31)
    assert len(decision.preemptions) == 10


def test_every_leaf_has_its_own_ten_attempts():  # P-24
    scene = contested("{a: {guaranteed: {vcore: 1}}, c: {guaranteed: {vcore: 1}}, b: {}}")
    scene.wants("x", "root.a", 12, vcore=2).wants("y", "root.c", 12, vcore=2)
    assert len(scene.later(31).preemptions) == 20


def test_these_are_all_texts_about_preemption():  # P-25
    assert {
        general.PRECONDITIONS,
        general.GUARANTEES,
        general.SHORT,
        general.NO_HELP,
        general.EXHAUSTED,
        required_node.NO_HELP,
    } == {
        "Preemption preconditions failed",
        "Preemption queue guarantees check failed",
        "Preemption helped but short of resources",
        "Preemption does not help",
        "Preemption max attempts exhausted",
        "No fit on required node, preemption does not help",
    }


# -- 8 Queue guarantee check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("used", "need", "reason"),
    [
        (0, 5, "ok"),
        (0, 6, "queue-guarantees"),
        (3, 2, "ok"),
        (3, 3, "queue-guarantees"),
    ],
    ids=["all of it", "more than all of it", "all that is left", "more than is left"],
)
def test_the_whole_ask_fits_in_what_is_left_of_the_guarantee(used, need, reason):  # P-60, law 4
    scene = contested(running=10 - used).runs("mine", "root.a", used).wants("x", "root.a", vcore=need)
    assert attempt(scene.later()).reason == reason


def test_without_any_guarantee_an_ask_never_triggers():  # P-60, P-44, law 4
    scene = contested("{a: {}, b: {}}").wants("x", "root.a")
    decision = scene.later()
    assert no_preemption(decision) == {"x-0": "V-10"}
    assert scene.log("x", "x-0")[0] == "Preemption queue guarantees check failed"


def test_types_without_a_guarantee_do_not_limit():  # P-60
    scene = Scene("{a: {guaranteed: {memory: 5}}, b: {}}").node("n1", vcore=10, gpu=2).runs("v", "root.b", 2, gpu=1)
    assert scene.wants("x", "root.a", gpu=1).later().victims == ("v-1",)


def test_below_an_ancestor_that_is_exactly_used_up_an_over_guaranteed_sibling_gives():  # P-60 step 2
    scene = Scene("p: {guaranteed: {vcore: 4}, a: {}, b: {guaranteed: {vcore: 1}}}").node("n1", vcore=4)
    scene.runs("v", "root.p.b", 4).wants("x", "root.p.a")
    told = attempt(scene.later())
    assert told.remaining["root.p.a"] == amounts(vcore=0)
    assert (told.guarantees_hold, told.reason) == (True, "ok")


def test_below_an_ancestor_over_its_guarantee_the_check_passes_and_the_nodes_fail():  # P-60 step 2
    scene = Scene("p: {guaranteed: {vcore: 3}, a: {}, b: {guaranteed: {vcore: 1}}}").node("n1", vcore=4)
    scene.runs("v", "root.p.b", 4).wants("x", "root.p.a")
    told = attempt(scene.later())
    assert (told.guarantees_hold, told.reason) == (True, "no-node")


def test_a_passed_check_does_not_prove_that_there_are_victims():  # P-61
    scene = contested("{a: {guaranteed: {vcore: 5}}, b: {guaranteed: {vcore: 10}}}").wants("x", "root.a")
    decision = scene.later()
    assert attempt(decision).guarantees_hold
    assert no_preemption(decision) == {"x-0": "V-12"}
    assert scene.log("x", "x-0") == ["Preemption does not help", "Not enough queue quota"]


# -- 14 Effects and what follows -------------------------------------------------------------------------------------


def test_a_success_stops_the_victims_marks_the_ask_and_reserves_the_node_in_this_order():  # P-110
    scene = contested(confirm=False).wants("x", "root.a", vcore=2)
    scene.advance(30).forget().cycle()
    text = "preempting allocations to free up resources to run ask: x-0"
    assert [event for event in scene.events if not isinstance(event, Noticed)] == [
        Released("v-9", "v", "PREEMPTED_BY_SCHEDULER", text),
        Released("v-8", "v", "PREEMPTED_BY_SCHEDULER", text),
        Preempted("x-0", "x", "n1", ("v-9", "v-8")),
        Reserved("x-0", "x", "n1"),
    ]
    assert scene.allocation("v", "v-9").preempted
    assert scene.allocation("x", "x-0").preemption_triggered
    assert not scene.allocation("x", "x-0").allocated
    assert scene.queue("root.b").preempting == scene.queue("root").preempting == amounts(vcore=2)


def test_an_older_reservation_of_the_ask_gives_way_to_that_of_the_chosen_node():  # P-110
    scene = Scene(CONTESTED).node("n1", vcore=4).node("n2", vcore=2).runs("v", "root.b", 3).runs("w", "root.b", 1, on="n2")
    scene.wants("x", "root.a", vcore=2)
    scene.later()
    assert scene.application("x").reservations == {"x-0": "n2"}
    scene.forget()
    assert scene.cycle().outcome == "preempted"
    moved = [event for event in scene.events if isinstance(event, Unreserved | Reserved)]
    assert moved == [Unreserved("x-0", "x", "n2"), Reserved("x-0", "x", "n1")]


def test_a_victim_counts_everywhere_until_the_confirmation_and_is_not_chosen_again():  # P-111
    scene = contested(confirm=False).node("n2", vcore=1).runs("w", "root.b", 1, on="n2")
    scene.wants("x", "root.a").wants("y", "root.a")
    assert scene.later().victims == ("v-9",)
    assert scene.used("root.b") == 11
    assert scene.on("n1").allocated == amounts(vcore=10)
    assert scene.partition.users.users["user"].levels["root.b"].usage == amounts(vcore=11)
    assert scene.application("v").allocated == amounts(vcore=10)
    assert scene.cycle().victims == ("w-0",)


def test_the_confirmation_lowers_allocated_and_preempting_on_the_whole_chain():  # P-112
    scene = contested(confirm=False).wants("x", "root.a", vcore=2)
    scene.later()
    scene.confirm_releases()
    for path in ("root.b", "root"):
        assert scene.queue(path).allocated == amounts(vcore=8)
        assert scene.queue(path).preempting == amounts()
    assert scene.on("n1").available == amounts(vcore=2)


def test_the_waiting_ask_goes_first_on_its_node():  # P-113
    scene = contested().wants("x", "root.a")
    scene.later()
    scene.app("early", "root.b").ask("early", "e", priority=100)
    decision = scene.cycle()
    assert (decision.phase, decision.key, decision.node_id) == ("reserved", "x-0", "n1")


def test_the_waiting_ask_takes_any_other_node_with_room():  # P-113
    scene = contested(confirm=False).wants("x", "root.a")
    scene.later()
    decision = scene.node("n2", vcore=1).cycle()
    assert (decision.phase, decision.key, decision.node_id) == ("reserved", "x-0", "n2")


def test_the_waiting_ask_still_needs_headroom():  # P-113
    scene = contested().wants("x", "root.a")
    scene.later()
    scene.reload("{a: {guaranteed: {vcore: 1}, max: {vcore: 1}}, b: {}}").ask("x", "other", on="n1")
    decision = scene.cycle()
    assert decision.outcome == "nothing"
    assert refusals(decision, "ask")["x-0"] == "W-11"


def test_the_reserved_node_is_closed_to_all_others():  # P-113
    scene = contested(confirm=False, running=9).wants("x", "root.a", vcore=2)
    assert scene.later().outcome == "preempted"
    scene.app("other", "root.b").ask("other", "o", priority=5)
    decision = scene.cycle()
    assert decision.outcome == "nothing"
    assert refusals(decision, "ask")["o"] == "W-15"


def test_an_ask_that_loses_the_freed_space_to_a_daemon_does_not_preempt_again():  # P-114
    scene = contested(confirm=False).wants("x", "root.a")
    assert scene.later().outcome == "preempted"
    scene.node("n2", vcore=5).drain("n2").app("daemon", "root.b").ask("daemon", "d", required="n1")
    assert scene.cycle().outcome == "reserved"
    assert scene.application("x").reservations == {}
    assert scene.confirm_releases().cycles(1) == ["d"]
    scene.later(60)  # the ask reserves a node once more
    assert no_preemption(scene.cycle()) == {"x-0": "V-05"}


def test_asks_that_wait_for_victims_are_not_counted_so_too_much_is_preempted():  # P-115, a quirk
    def stopped(**scene) -> int:
        made = Scene("{a: {guaranteed: {vcore: 1}}, b: {}}", **scene).node("n1", vcore=1).node("n2", vcore=1)
        made.runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2").wants("x", "root.a", 2).advance(31).run_for(2)
        return len(made.released("PREEMPTED_BY_SCHEDULER"))

    assert stopped() == 1
    assert stopped(grace_s=30) == 2


def test_one_waiting_ask_per_node_is_a_brake():  # P-115
    scene = contested(confirm=False).wants("x", "root.a", 5).advance(31).run_for(2)
    assert scene.released() == ["v-9"]


def test_victims_already_marked_count_as_gone_for_their_queue():  # P-115, P-41
    scene = Scene("{a: {guaranteed: {vcore: 5}}, b: {guaranteed: {vcore: 1}}}", confirm=False)
    scene.node("n1", vcore=1).node("n2", vcore=1).runs("v", "root.b", 1).runs("w", "root.b", 1, on="n2")
    scene.wants("x", "root.a", 2).advance(31).run_for(2)
    assert scene.released() == ["v-0"]


# -- Invariants ------------------------------------------------------------------------------------------------------

SIZES = st.sampled_from([1, 1, 2, 3])
LEAVES = ("root.p.a", "root.p.b", "root.q.c", "root.q.d")
POLICIES = st.sampled_from(
    ["", "", "", "preemption.policy: fence", "preemption.policy: disabled", "priority.offset: 5", "priority.policy: fence"]
)


@st.composite
def crowded(draw) -> Scene:
    """Two nodes, four leaves with guarantees and policies by chance, allocations on every core, and asks."""

    def queue(children: str = "", guaranteed: int = 0) -> str:
        parts = [draw(POLICIES), f"guaranteed: {{vcore: {guaranteed}}}" if guaranteed else "", children]
        return "{" + ", ".join(part for part in parts if part) + "}"

    def parent(rich: str, poor: str) -> str:
        return queue(
            f"{rich}: {queue(guaranteed=draw(st.sampled_from([4, 4, 1])))}, "
            f"{poor}: {queue(guaranteed=draw(st.sampled_from([0, 0, 1])))}"
        )

    scene = Scene(f"p: {parent('a', 'b')}\nq: {parent('c', 'd')}", confirm=False)
    for number, path in enumerate(LEAVES):
        scene.app(f"app-{number}", path)
    for node in ("n1", "n2"):
        capacity = draw(st.integers(3, 5))
        scene.node(node, vcore=capacity)
        spare = draw(st.sampled_from([0, 0, 1]))
        while (left := scene.on(node).available.get("vcore", 0) // 1000 - spare) > 0:
            scene.ask(
                f"app-{draw(st.sampled_from([1, 3, 1, 3, 0, 2]))}",
                f"{node}-{left}",
                on=node,
                vcore=min(left, draw(SIZES)),
                priority=draw(st.integers(-3, 3)),
                originator=draw(st.booleans()),
                may_be_victim=draw(st.booleans()),
                required=draw(st.sampled_from(["", "", "", node])),
            )
    for number in range(draw(st.integers(1, 6))):
        scene.ask(
            f"app-{draw(st.sampled_from([0, 2, 0, 2, 1, 3]))}", f"ask-{number}", vcore=draw(SIZES), priority=draw(st.integers(0, 9))
        )
    return scene


@given(crowded())
@examples(40)
def test_what_holds_for_every_preemption(scene):  # P-116, laws 3 and 7, P-30, P-53
    asked: list[str] = []
    scene.advance(30)
    for _ in range(12):
        marked = {key for app in scene.partition.applications.values() for key, each in app.allocations.items() if each.preempted}
        before = {path: scene.queue(path).allocated for path in (*LEAVES, "root.p", "root.q", "root")}
        room = {node: scene.on(node).available for node in scene.partition.nodes}
        decision = scene.cycle()
        if decision.outcome != "preempted":
            scene.confirm_releases()
            continue
        leaf, victims = (
            scene.application(decision.application_id).queue,
            [
                next(app.allocations[key] for app in scene.partition.applications.values() if key in app.allocations)
                for key in decision.victims
            ],
        )
        fence_root = next(at for at in ancestry(leaf) if at.parent is None or at.settings.preemption_policy == "fence")
        assert decision.key not in asked, "an ask preempts at most once"
        asked.append(decision.key)
        for victim in victims:
            home = scene.application(victim.application_id).queue
            assert home is not leaf, "no victim in the leaf of the ask"
            assert fence_root in ancestry(home), "every victim lies below the fence root"
            assert not victim.required_node and victim.key not in marked
        if not fit_in(room[decision.node_id], scene.allocation(decision.application_id, decision.key).resource):
            assert {victim.node_id for victim in victims} == {decision.node_id}
        for path, held in before.items():
            assert scene.queue(path).allocated == held, "allocated changes only on confirmation"
