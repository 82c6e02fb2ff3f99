"""For each check the engine shows that what it says really happens, and that in the design without the fault it does not.

`flagged` and `clean` are the designs of `advice_cases`. Amounts are whole cores; asks may preempt after 30 s.
"""

from __future__ import annotations

import pytest
from advice_cases import CASES, Case
from scenes import Scene

from workbench.config import load_config
from workbench.config.facts import designs
from workbench.scheduler.objects import nodes
from workbench.values.durations import SECOND


def case(name: str) -> Case:
    (found,) = [each for each in CASES if each.name == name]
    return found


def flagged(name: str) -> Scene:
    found = case(name)
    return Scene(found.flagged, **found.partition, **found.flagged_partition)


def clean(name: str) -> Scene:
    found = case(name)
    return Scene(found.clean, **found.partition, **found.clean_partition)


def both(name: str) -> tuple[Scene, Scene]:
    return flagged(name), clean(name)


def taken(scene: Scene, asking: str, holding: str, *, cluster: int = 4, count: int = 4) -> float:
    """Cores that a leaf holds a minute after it began to ask for four, while another held the whole cluster."""
    scene.node("n1", vcore=cluster).runs("old", holding, cluster)
    scene.wants("new", asking, count).run_for(60)
    return scene.used(asking)


# -- guarantees -------------------------------------------------------------------------------------------------------


def test_leaves_that_share_a_guarantee_take_nothing_back():  # L-01, P-60
    assert [taken(scene, "root.p.a", "root.p.b") for scene in both("only a parent guarantees")] == [0, 2]


def test_a_leaf_without_a_guarantee_loses_all_to_its_sibling():  # L-02, P-45
    assert [taken(scene, "root.p.a", "root.p.b") for scene in both("one sibling without a guarantee")] == [4, 0]


def test_a_disabled_leaf_without_a_guarantee_loses_nothing():  # L-02, P-52
    assert taken(clean("a disabled sibling loses nothing"), "root.p.a", "root.p.b") == 0


@pytest.mark.parametrize("name, left", [("flagged", 3), ("clean", 4)])
def test_within_its_own_guarantee_a_leaf_loses_when_the_sum_is_hidden(name, left):  # L-03, P-46
    queues = getattr(case("a queue between hides the sum"), name)
    scene = Scene(queues + "\no: {guaranteed: {vcore: 1}}").node("n1", vcore=8)
    scene.runs("a", "root.p.mid.a", 4).runs("b", "root.p.mid.b", 4).wants("o", "root.o").run_for(60)
    assert min(scene.used("root.p.mid.a"), scene.used("root.p.mid.b")) == left


def test_asks_of_the_longer_name_ignore_the_guarantee_of_the_shorter():  # L-28, P-47
    shown, fixed = both("a name that begins like another")
    assert taken(shown, "root.team2", "root.team", cluster=2, count=2) == 2, "root.team is within its guarantee of 2"
    assert taken(fixed, "root.team2", "root.team1", cluster=2, count=2) == 0


def test_a_nested_root_goes_without_its_resources():  # C-121
    assert flagged("resources of a queue named root").queue("root.root").maximum is None


# -- preemption -------------------------------------------------------------------------------------------------------


def test_a_fenced_leaf_preempts_nothing():  # L-07, P-30
    assert [taken(scene, "root.a", "root.b") for scene in both("a fence on a leaf")] == [0, 4]


def test_behind_the_fence_there_is_less_than_the_guarantee():  # L-08, P-30
    def held(queues: str, inside: int) -> float:
        scene = Scene(queues).node("n1", vcore=4).runs("in", "root.t.c", inside).runs("out", "root.o", 4 - inside)
        return scene.wants("new", "root.t.b", 4).run_for(60).used("root.t.b")

    found = case("too little behind the fence")
    assert held(found.flagged, 2) == 2, "all that c may have, and nothing of what is outside"
    assert held(found.clean, 4) == 4


def test_behind_the_fence_there_is_nothing():  # L-31
    assert [taken(scene, "root.t.b", "root.o") for scene in both("nothing behind the fence")] == [0, 4]


def test_what_is_disabled_everywhere_else_keeps_everything():  # L-31, P-52
    assert [taken(scene, "root.b", "root.o") for scene in both("everybody else is disabled")] == [0, 4]


def test_an_offset_of_a_common_parent_exposes_higher_priorities():  # L-11, P-35
    def held(scene: Scene) -> float:
        scene.node("n1", vcore=2).runs("old", "root.p.b", 2, priority=50)
        return scene.wants("new", "root.p.a", 2).run_for(60).used("root.p.a")

    assert [held(scene) for scene in both("an offset above preemption")] == [2, 0]


def test_a_priority_fence_of_a_common_parent_hides_the_priority_of_the_ask():  # L-11, P-35
    scene = flagged("a priority fence above preemption").node("n1", vcore=2).runs("old", "root.p.b", 2, priority=5)
    assert scene.wants("new", "root.p.a", 2, priority=10).run_for(60).used("root.p.a") == 0


def test_after_the_first_attempt_a_short_delay_makes_no_difference():  # L-29, P-23
    def first_two_attempts(delay: str) -> list[float]:
        scene = Scene(f"a: {{guaranteed: {{vcore: 2}}, preemption.delay: {delay}}}\nb: {{preemption.policy: disabled}}")
        scene.node("n1", vcore=2).runs("old", "root.b", 2).wants("new", "root.a")
        ask, found = scene.allocation("new", "new-0"), []
        while len(found) < 2:
            scene.run_for(0.1)
            checked_ns = ask.preemption_checked_ns
            if checked_ns is not None and checked_ns not in found:
                found.append(checked_ns)
        return [round((at - ask.created_ns) / SECOND) for at in found]

    assert first_two_attempts("5s") == [5, 20]
    assert first_two_attempts("1s") == [1, 16]


def test_dynamic_leaves_inherit_nothing():  # L-30, P-14
    for scene, policy in zip(both("disabled above dynamic leaves"), ("default", "disabled")):
        scene.app("x", "", user="sue")
        assert scene.queue("root.sue").settings.preemption_policy == policy
    found = case("an offset above dynamic leaves")
    scene = Scene(found.flagged, **found.partition).app("x", "", user="sue")
    assert (scene.queue("root.p").settings.priority_offset, scene.queue("root.p.sue").settings.priority_offset) == (5, 0)


# -- priorities -------------------------------------------------------------------------------------------------------


def order(queues: str, *asks: tuple[str, int]) -> list[str]:
    """Leaves in the order in which asks of these priorities are served."""
    scene = Scene(queues).node("n1", vcore=100)
    for number, (leaf, priority) in enumerate(asks):
        scene.app(f"{leaf}-{number}", leaf).ask(f"{leaf}-{number}", f"{leaf}-{number}", priority=priority)
    return [key.rpartition("-")[0] for key in scene.cycles(len(asks))]


def test_behind_a_fence_an_offset_without_a_rival_changes_no_order():  # L-09, R-621
    found = case("an offset that nothing compares")
    asks = [("root.t.m.a", 1), ("root.t.m.b", 2), ("root.o", 8)]
    without = found.flagged.replace("priority.offset: 100, ", "")
    assert order(found.flagged, *asks) == order(without, *asks) == ["root.o", "root.t.m.b", "root.t.m.a"]
    assert order(found.clean, *asks)[0] == "root.t.m.b", "without the fence it counts"


def test_inside_the_fence_it_counts():  # L-09, R-651
    found = case("an offset that counts inside only")
    assert order(found.flagged, ("root.t.n", 9), ("root.t.m", 1), ("root.o", 5)) == ["root.o", "root.t.m", "root.t.n"]


def test_a_fence_without_an_offset_competes_as_0():  # L-10, R-625
    found = case("a fence without an offset")
    assert order(found.flagged, ("root.t.a", 99), ("root.o", 1)) == ["root.o", "root.t.a"]
    assert order(found.clean, ("root.t.a", 99), ("root.o", 1)) == ["root.t.a", "root.o"]


def test_an_offset_that_is_no_number_counts_as_0():  # L-12, R-640
    assert flagged("an offset that is no number").queue("root.a").settings.priority_offset == 0


def test_offsets_beyond_the_range_are_cut_off():  # L-12, R-621
    scene = flagged("offsets that add up too far").wants("x", "root.p.a")
    assert scene.queue("root.p").priority == 2**31 - 1


def test_offsets_below_a_queue_that_sorts_without_priorities():  # L-39, R-523
    def first(name: str) -> list[str]:
        scene = Scene(getattr(case("offsets that are not sorted by"), name)).node("n1", vcore=9)
        scene.runs("used", "root.p.a", 1)
        return scene.wants("x", "root.p.a").wants("y", "root.p.b").cycles(1)

    assert (first("flagged"), first("clean")) == (["y-0"], ["x-0"])


# -- properties -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "an unknown property",
        "the documented quota key",
        "a text that means nothing",
        "a policy with a capital",
        "a delay without a unit",
        "stateaware",
    ],
)
def test_what_is_ignored_leaves_the_settings_of_a_queue_without_it(name):  # L-13 to L-15, C-131, C-133
    shown = flagged(name).queue("root.a").settings
    assert shown == Scene("a: {}").queue("root.a").settings


def test_what_a_template_does_not_know_is_ignored():  # L-13
    template = case("an unknown property of a template").flagged
    scene = Scene(template, placementrules=[{"name": "provided", "create": True}]).app("x", "root.p.new")
    assert scene.queue("root.p.new").settings == Scene("a: {}").queue("root.a").settings


def test_parents_sort_fair_whatever_they_say():  # L-16
    for name in ("a sort policy that nobody inherits", "a sort policy that a leaf inherits"):
        scene = Scene(case(name).flagged.replace("policy: fair", "policy: fifo", 1))
        assert scene.queue("root.p").settings.application_sort_policy == "fair"
    assert flagged("a sort policy that a leaf inherits").queue("root.p.a").settings.application_sort_policy == "fair"


def test_without_a_guarantee_bytes_outweigh_cores():  # L-18, R-537
    def first(scene: Scene) -> list[str]:
        scene.node("n1", vcore=20, memory=10**6)
        scene.runs("cores", "root.a", 1, vcore=9, memory=100).runs("bytes", "root.a", 1, vcore=1, memory=20_000)
        scene.ask("cores", "cores-next").ask("bytes", "bytes-next")
        return scene.cycles(1)

    with_guarantee = Scene("a: {application.sort.policy: fair, guaranteed: {vcore: 10, memory: 100000}}")
    assert (first(flagged("fair without a guarantee")), first(with_guarantee)) == (["cores-next"], ["bytes-next"])


# -- numbers of applications, limits ----------------------------------------------------------------------------------


def running(scene: Scene, *apps: tuple[str, str], user: str = "user", groups: tuple[str, ...] = ()) -> list[str]:
    """Applications that start of those submitted, one ask each."""
    scene.node("n1", vcore=50)
    for id, queue in apps:
        scene.app(id, queue, user=user, groups=groups).ask(id, f"{id}-0")
    return sorted(key.removesuffix("-0") for key in scene.cycles(len(apps) + 2))


FOUR = (("a1", "root.p.a"), ("a2", "root.p.a"), ("b1", "root.p.b"), ("b2", "root.p.b"))


def test_a_child_is_kept_from_its_own_number():  # L-22, R-426
    shown, fixed = (running(scene, *FOUR) for scene in both("children that may block each other"))
    assert (len(shown), len(fixed)) == (3, 4)


def test_a_number_above_the_sum_is_never_reached():  # L-22
    scene = flagged("a number never reached")
    assert len(running(scene, *FOUR, ("a3", "root.p.a"), ("b3", "root.p.b"))) == 4 < 9


def test_users_wait_for_each_other():  # L-23
    def started(scene: Scene, groups: tuple[str, ...] = ()) -> int:
        scene.node("n1", vcore=9)
        for user in ("sue", "bob"):
            scene.app(user, "root.a", user=user, groups=groups).ask(user, f"{user}-0")
        return len(scene.cycles(4))

    assert [started(scene) for scene in both("one application for all")] == [1, 2]
    assert [started(scene, ("dev",)) for scene in both("one application for a group")] == [1, 2]


def test_users_and_groups_of_one_entry_do_not_share():  # L-24, PL-102, PL-103
    def used(scene: Scene) -> float:
        scene.node("n1", vcore=9).app("x", "root.a", user="sue").asks("x", 3)
        scene.app("y", "root.a", user="joe", groups=("dev",)).asks("y", 3)
        scene.run_for(1)
        return scene.used("root.a")

    assert [used(scene) for scene in both("users and groups in one limit")] == [4, 4], "two each, written in one entry or two"


def test_everybody_has_the_limit_of_the_wildcard():  # L-25, PL-102
    scene = flagged("a limit for each").node("n1", vcore=9)
    for user in ("sue", "bob", "joe"):
        scene.app(user, "root.a", user=user).asks(user, 3)
    assert scene.run_for(1).used("root.a") == 6


def test_a_limit_no_tighter_than_the_one_above_changes_nothing():  # L-26, PL-101
    def used(queues: str) -> float:
        scene = Scene(queues).node("n1", vcore=9).app("x", "root.p.a", user="sue").asks("x", 4)
        return scene.run_for(1).used("root.p.a")

    found = case("a limit that never binds")
    without = "p: {limits: [{limit: w, users: ['*'], maxresources: {vcore: 2}}], a: {}}"
    assert [used(queues) for queues in (found.flagged, without, found.clean)] == [2, 2, 1]


def test_limits_of_a_name_with_capitals_never_hold():  # PL-104
    def used(scene: Scene) -> float:
        return scene.node("n1", vcore=9).app("x", "root.team", user="sue").asks("x", 3).run_for(1).used("root.team")

    assert [used(scene) for scene in both("limits of a name with capitals")] == [3, 1]


# -- queues in which nothing runs ---------------------------------------------------------------------------------------


def refused(scene: Scene, queue: str = "root.a", user: str = "sue") -> bool:
    return bool(scene.forget().app("x", queue, user=user).refused())


@pytest.mark.parametrize("name", ["nobody may submit", "no rule leads there"])
def test_nothing_gets_in(name):  # L-19, C-106, PL-36
    shown, fixed = (scene.app("x", "root.a", user="sue").queue("root.a").applications for scene in both(name))
    assert not shown and fixed


def test_behind_a_rule_that_takes_all_none_is_asked():  # PL-36
    shown, fixed = (
        scene.app("x", "root.a", user="sue").application("x").queue_path for scene in both("a rule behind one that takes all")
    )
    assert (shown, fixed) == ("root.b", "root.a")
    assert [scene.app("x", "root.a", user="bob").state("x") for scene in both("a rule that takes only some")] == ["New", "Rejected"]


def test_nothing_fits_a_maximum_of_no_cores():  # L-19, C-122
    def placed(scene: Scene) -> list[str]:
        return scene.node("n1", vcore=9, memory=9).wants("x", "root.a", vcore=1, memory=1).cycles(2)

    assert [placed(scene) for scene in both("a maximum of no cores")] == [[], ["x-0"]]


def test_a_maximum_of_nothing_is_none():  # L-20, C-122
    def placed(scene: Scene) -> int:
        return len(scene.node("n1", vcore=9).wants("x", "root.a", 3).cycles(4))

    assert [placed(scene) for scene in both("a maximum of nothing")] == [3, 1]


def test_a_template_with_a_maximum_of_nothing_gives_none():  # L-20, C-142
    for name, expected in (("flagged", None), ("clean", 2000)):
        queues = getattr(case("a template with a maximum of nothing"), name)
        scene = Scene(queues, placementrules=[{"name": "provided", "create": True}]).app("x", "root.p.new")
        maximum = scene.queue("root.p.new").maximum
        assert (maximum and maximum["vcore"]) == expected


def test_a_leaf_keeps_no_template():  # L-35, C-140
    shown, fixed = both("a template on a leaf")
    assert shown.queue("root.a").template is None and fixed.queue("root.a").template is not None


def test_dynamic_leaves_without_a_template_have_nothing():  # L-35, PL-84
    shown, fixed = (scene.app("x", "", user="sue").queue("root.sue") for scene in both("dynamic leaves without a template"))
    assert (shown.maximum, shown.guaranteed, shown.max_applications, dict(shown.properties)) == (None, None, 0, {})
    assert fixed.max_applications == 3


def test_nothing_runs_in_a_parent_of_nothing():  # L-36, PL-34
    assert refused(flagged("a parent of nothing"), "root.p")
    filled = clean("a parent that rules fill").app("x", "", user="sue")
    assert filled.queue("root.p.sue").applications


def test_weights_of_0_leave_the_order_to_the_ids():  # L-37, R-556
    def scores(scene: Scene) -> set[float]:
        scene.node("n1", vcore=4, memory=4).node("n2", vcore=9, memory=9).runs("x", "root.a", 1, on="n2", vcore=3, memory=3)
        partition = scene.partition
        return {nodes.score(node, partition.node_policy, partition.node_weights) for node in partition.nodes.values()}

    assert [len(scores(scene)) for scene in both("weights of 0")] == [1, 2]


# -- quota preemption -------------------------------------------------------------------------------------------------


def lowered(queues: str, **partition) -> Scene:
    """Four cores in use in the queue whose maximum is lowered to two, and five minutes pass."""
    scene = Scene(queues, **partition).node("n1", vcore=9)
    leaf = next(each.path for design in designs(load_config(scene.engine.state.config.text)) for each in design.leaves)
    scene.runs("x", leaf, 4).wants("y", leaf).reload(queues.replace("max: {vcore: 4}", "max: {vcore: 2}"), **partition)
    return scene.run_for(100)


ON = {"preemption": {"quotapreemptionenabled": True}}


@pytest.mark.parametrize(
    "queues, partition, left",
    [
        ("a: {max: {vcore: 4}, preemption.quota.delay: 90s}", ON, 2),
        ("a: {max: {vcore: 4}, preemption.quota.delay: 90s}", {}, 4),
        ("a: {max: {vcore: 4}}", ON, 4),
        ("a: {max: {vcore: 4}, quota.preemption.delay: 90s}", ON, 4),
        ("p: {preemption.quota.delay: 90s, a: {max: {vcore: 4}}}", ON, 4),
    ],
    ids=["in order", "without the switch", "without a delay", "with the documented key", "with an inherited delay"],
)
def test_without_all_that_it_needs_a_lowered_maximum_is_not_enforced(queues, partition, left):  # L-32, L-13, P-130 to P-132
    scene = lowered(queues, **partition)
    assert sum(leaf.allocated.get("vcore", 0) for leaf in scene.partition.root.children.values()) == left * 1000


def test_pods_are_stopped_once_a_short_delay_has_passed():  # L-34, P-135
    assert lowered(case("a short quota delay").flagged, **ON).used("root.a") == 2


def test_a_dynamic_queue_is_never_enforced():  # L-32, P-130
    rules = {"placementrules": [{"name": "provided", "create": True}], **ON}
    scene = Scene(case("a quota delay in a template").flagged, **rules).app("x", "root.p.new")
    assert scene.queue("root.p.new").quota_start_ns is None and not scene.queue("root.p.new").is_managed


def test_a_parent_with_a_delay_starts_a_run_of_its_own():  # L-33, P-137; that 1.8.0 may crash then is P-139
    queues = "p: {max: {vcore: 4}, preemption.quota.delay: 90s, a: {}}"
    scene = Scene(queues, **ON).node("n1", vcore=9).runs("x", "root.p.a", 4).wants("y", "root.p.a")
    scene.reload(queues.replace("vcore: 4", "vcore: 2"), **ON).run_for(100)
    assert scene.used("root.p.a") < 4


# -- what surrounds everything, what never matches ----------------------------------------------------------------------


def test_a_priority_fence_around_everything_changes_no_order():
    found = case("a priority fence around everything")
    asks = [("root.t.a", 1), ("root.t.b", 2), ("root.t.a", 3)]
    assert order(found.flagged, *asks) == order("t: {a: {}, b: {}}", *asks)
    assert order(found.clean, *asks, ("root.o", 4))[0] == "root.t.a", "where there is somebody outside it counts: 5 before 4"


def test_a_preemption_fence_around_everything_changes_nothing():  # P-30
    found = case("a preemption fence around everything")
    assert (
        taken(Scene(found.flagged), "root.t.a", "root.t.b")
        == taken(Scene("t: {a: {guaranteed: {vcore: 2}}, b: {}}"), "root.t.a", "root.t.b")
        == 2
    )
    root = "a: {guaranteed: {vcore: 2}}\nb: {}"
    assert taken(Scene(f"preemption.policy: fence\n{root}"), "root.a", "root.b") == taken(Scene(root), "root.a", "root.b") == 2


@pytest.mark.parametrize(
    "name, user", [("an ACL with a name that never matches", "svc:build"), ("an ACL with a star among names", "joe")]
)
def test_some_names_of_an_acl_never_match(name, user):  # C-103, C-104
    shown = Scene(f"submitacl: ''\n{case(name).flagged}")
    assert refused(shown, user=user) and not refused(shown, user="sue")


def test_a_filter_denies_in_lower_case_only():  # PL-62
    assert [refused(scene, user="joe") for scene in both("a filter with a capital")] == [True, False]


def test_a_denial_of_nobody_lets_nobody_pass():  # PL-60
    shown, fixed = (scene.app("x", "root.a", user="a").application("x").queue_path for scene in both("a denial of nobody"))
    assert shown == fixed == "root.a"
    only = Scene("a: {}", placementrules=[{"name": "user", "filter": {"type": "deny"}}])
    assert refused(only, user="a")
