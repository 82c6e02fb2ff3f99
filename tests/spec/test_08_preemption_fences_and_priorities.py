"""Chapter 08, sections 5 to 7: where an ask looks for victims, what is left of the guarantees, and who qualifies.

`x` in one leaf asks; `v`, `w` and others run elsewhere. All nodes are full, so an ask that is 30 s old attempts to preempt.
"""

from __future__ import annotations

import pytest
from scenes import Scene, amounts, attempt, keys

from workbench.scheduler.records.decision import Decision


def scene_of(queues: str, *, node: int = 10, **scene) -> Scene:
    return Scene(queues, **scene).node("n1", vcore=node)


def eligible(decision: Decision) -> dict[str, list[str] | None]:
    """Leaf -> its allocations that qualify."""
    return {path: keys(allocations) for path, allocations in attempt(decision).eligible.items()}


def protected(decision: Decision) -> dict[str, str]:
    """Leaf or allocation -> code of what protects it."""
    return {refusal.subject: refusal.code for refusal in attempt(decision).protected}


# -- 5 Fence root and priority along the path ------------------------------------------------------------------------

REGIONS = "{p: {%s a: {guaranteed: {vcore: 2}}, b: {}}, c: {}}"


def two_regions(policy: str = "") -> Scene:
    """`v` runs next to the ask's leaf root.p.a, in root.p.b; `w`, which is younger, in root.c."""
    scene = scene_of(REGIONS.replace("%s", policy), node=4)
    return scene.runs("v", "root.p.b", 2).runs("w", "root.c", 2).wants("x", "root.p.a")


def test_without_a_fence_the_search_starts_at_root():  # P-30
    decision = two_regions().later()
    assert attempt(decision).fence.root.path == "root"
    assert decision.victims == ("w-1",)


def test_a_fence_above_keeps_the_search_inside():  # P-30, law 7
    decision = two_regions("preemption.policy: fence,").later()
    assert attempt(decision).fence.root.path == "root.p"
    assert decision.victims == ("v-1",)


def test_the_first_fence_on_the_way_up_counts():  # P-30
    scene = scene_of(
        "o: {preemption.policy: fence, p: {preemption.policy: fence, a: {guaranteed: {vcore: 2}}, b: {}}, c: {}}", node=4
    )
    scene.runs("v", "root.o.p.b", 2).runs("w", "root.o.c", 2).wants("x", "root.o.p.a")
    assert scene.later().victims == ("v-1",)


def test_a_fenced_leaf_can_preempt_nothing():  # P-30
    scene = scene_of("{a: {guaranteed: {vcore: 2}, preemption.policy: fence}, b: {}}", node=4).runs("v", "root.b", 4)
    decision = scene.wants("x", "root.a").later()
    assert (decision.outcome, eligible(decision)) == ("nothing", {})


def test_a_fence_does_not_keep_others_from_taking_what_is_inside():  # P-31
    scene = scene_of("{p: {preemption.policy: fence, b: {}}, c: {guaranteed: {vcore: 2}}}", node=4)
    assert scene.runs("v", "root.p.b", 4).wants("x", "root.c").later().victims == ("v-3",)


FULL = "{p: {max: {vcore: 4}, a: {guaranteed: {vcore: 3}}, b: {}}, c: {}}"


def test_a_queue_exactly_at_its_maximum_is_a_fence():  # P-32
    scene = scene_of(FULL, node=6).runs("v", "root.p.b", 4).runs("w", "root.c", 2).wants("x", "root.p.a")
    decision = scene.later()
    assert (attempt(decision).fence.root.path, attempt(decision).fence.reason) == ("root.p", "full")
    assert decision.victims == ("v-3",)


@pytest.mark.parametrize(("running", "size"), [(5, 1), (3, 2)], ids=["above its maximum", "too full for the ask"])
def test_a_queue_not_exactly_at_its_maximum_is_no_fence_and_useless_victims_go(running, size):  # P-32, a quirk
    scene = scene_of(FULL, node=running + 2).runs("v", "root.p.b", running).runs("w", "root.c", 2)
    decision = scene.wants("x", "root.p.a", vcore=size).later()
    assert attempt(decision).fence.reason == "root"
    assert decision.victims[0] == "w-1"
    assert scene.cycles(5) == []


def test_a_queue_full_in_one_of_several_types_is_no_fence():  # P-32, a quirk
    scene = Scene("{p: {max: {vcore: 4, memory: 10}, a: {guaranteed: {vcore: 3}}, b: {}}, c: {}}").node("n1", vcore=6, memory=99)
    scene.runs("v", "root.p.b", 4, vcore=1, memory=1).runs("w", "root.c", 2, vcore=1, memory=1)
    decision = scene.wants("x", "root.p.a", vcore=1, memory=1).later()
    assert attempt(decision).fence.reason == "root"
    assert decision.victims == ("w-1",)


def test_the_leaf_of_the_ask_at_its_own_maximum_fences_everything_off():  # P-32
    scene = scene_of("{a: {guaranteed: {vcore: 3}, max: {vcore: 3}}, b: {}}", node=4)
    decision = scene.runs("m", "root.a", 3).runs("v", "root.b", 1).wants("x", "root.a").later()
    assert attempt(decision).fence.root.path == "root.a"


def test_the_maximum_of_an_ancestor_is_not_merged_into_that_of_a_queue():  # P-32
    scene = scene_of("o: {max: {memory: 9}, p: {max: {vcore: 4}, a: {guaranteed: {vcore: 3}}, b: {}}}")
    decision = scene.runs("v", "root.o.p.b", 4).wants("x", "root.o.p.a").later()
    assert attempt(decision).fence.root.path == "root.o.p"


def test_the_priority_grows_by_the_offsets_up_to_the_fence_root_and_a_priority_fence_replaces_it():  # P-33
    scene = scene_of(
        "o: {priority.offset: 1, p: {priority.policy: fence, priority.offset: 7, "
        "q: {priority.offset: 1000, a: {guaranteed: {vcore: 2}, priority.offset: 20}}, b: {}}}"
    )
    scene.runs("v", "root.o.p.b", 10).wants("x", "root.o.p.q.a", priority=3)
    assert attempt(scene.later()).fence.priorities == {
        "root.o.p.q.a": 23,
        "root.o.p.q": 1023,
        "root.o.p": 7,
        "root.o": 8,
        "root": 8,
    }


def test_the_walk_up_ends_at_the_fence_root():  # P-33
    scene = two_regions("preemption.policy: fence, priority.offset: 5,")
    assert attempt(scene.later()).fence.priorities == {"root.p.a": 0, "root.p": 5}


def test_the_path_priority_is_not_clamped_to_32_bits():  # P-33
    scene = scene_of("{a: {guaranteed: {vcore: 2}, priority.offset: 2147483647}, b: {}}").runs("v", "root.b", 10)
    assert attempt(scene.wants("x", "root.a", priority=2**31 - 1).later()).fence.priorities["root"] == 2**32 - 2


@pytest.mark.parametrize(("asking", "running", "ask", "victim", "taken"), [
    ("", "", 5, 5, True),
    ("", "", 5, 6, False),
    ("priority.offset: 100,", "", 0, 100, True),
    ("priority.offset: 100,", "", 0, 101, False),
    ("", "priority.offset: 10,", 0, -9, False),
    ("", "priority.offset: 10,", 0, -10, True),
    ("", "priority.offset: -10,", 0, 10, True),
    ("priority.offset: 50,", "priority.offset: 50,", 1, 1, True),
    ("", "priority.policy: fence,", 0, 999, True),
    ("", "priority.policy: fence, priority.offset: 1,", 0, -999, False),
    ("priority.policy: fence, priority.offset: 3,", "", 999, 3, True),
    ("priority.policy: fence, priority.offset: 3,", "", 999, 4, False),
], ids=[
    "equal priorities", "the victim is higher", "an offset on the asking side", "an offset that is not enough",
    "an offset on the running side protects", "as far as it goes", "a negative offset exposes", "equal offsets cancel out",
    "a priority fence exposes whatever the priority", "a fence with a higher offset protects all below it",
    "the fence of the asking side counts instead of the ask", "and not more than that",
])  # fmt: skip
def test_priorities_compare_with_the_offsets_and_fences_on_both_sides(asking, running, ask, victim, taken):  # P-34, P-54
    scene = scene_of("{a: {" + asking + " guaranteed: {vcore: 2}}, b: {" + running + "}}", node=2)
    scene.runs("v", "root.b", 2, priority=victim)
    assert scene.wants("x", "root.a", priority=ask).later().victims == (("v-1",) if taken else ())


@pytest.mark.parametrize(("outer", "inner", "taken"), [
    ("priority.policy: fence,", "", True),
    ("priority.policy: fence, priority.offset: 6,", "", False),
    ("priority.policy: fence,", "priority.policy: fence, priority.offset: 6", False),
    ("priority.policy: fence,", "priority.offset: 6", True),
    ("priority.offset: 2,", "priority.offset: 3", True),
    ("priority.offset: 2,", "priority.offset: 4", False),
], ids=[
    "a fence exposes what is further down", "a fence with a higher offset protects it",
    "a fence further down protects its subtree", "an offset further down no longer matters",
    "offsets add up on the way down", "until they are too much",
])  # fmt: skip
def test_fences_and_offsets_two_levels_above_the_victim(outer, inner, taken):  # P-34
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, p: {" + outer + " b: {" + inner + "}}}", node=2)
    scene.runs("v", "root.p.b", 2, priority=99 if "fence" in outer else 0)
    assert scene.wants("x", "root.a", priority=5).later().victims == (("v-1",) if taken else ())


def test_behind_a_fence_offsets_still_count_for_fences_further_down():  # P-34
    scene = scene_of(
        "{a: {guaranteed: {vcore: 2}}, p: {priority.policy: fence, priority.offset: 1, "
        "q: {priority.offset: 4, b: {priority.policy: fence, priority.offset: 2}}}}",
        node=2,
    )
    decision = scene.runs("v", "root.p.q.b", 2).wants("x", "root.a", priority=5).later()
    assert protected(decision)["root.p.q.b"] == "X-09"  # 5 - 4 is less than 2


@pytest.mark.parametrize(("common", "ask", "victim", "taken"), [
    ("priority.offset: 100,", 0, 100, True),
    ("priority.offset: 100,", 0, 101, False),
    ("priority.offset: -100,", 0, 0, False),
    ("priority.offset: -100,", 0, -100, True),
    ("priority.policy: fence,", 10, 10, False),
    ("priority.policy: fence,", -10, 0, True),
], ids=[
    "an offset of the common parent helps the ask", "up to itself", "a negative one protects an equal sibling",
    "down to itself", "a fence of the common parent hides a higher ask", "and lifts a lower one",
])  # fmt: skip
def test_offset_and_fence_of_the_common_parent_distort_siblings(common, ask, victim, taken):  # P-35, a quirk
    scene = scene_of("p: {" + common + " a: {guaranteed: {vcore: 2}}, b: {}}", node=2)
    scene.runs("v", "root.p.b", 2, priority=victim)
    assert scene.wants("x", "root.p.a", priority=ask).later().victims == (("v-1",) if taken else ())


# -- 6 Queue snapshots and remaining guaranteed ----------------------------------------------------------------------


def test_an_attempt_looks_at_copies_of_the_queues_and_changes_nothing_when_it_fails():  # P-40
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, b: {guaranteed: {vcore: 10}}, c: {}}").runs("v", "root.b", 10)
    scene.wants("x", "root.a").advance(30)
    before = [(queue.allocated, queue.preempting) for queue in map(scene.queue, ("root", "root.a", "root.b"))]
    decision = scene.cycle()
    assert attempt(decision).reason == "no-node"
    assert before == [(queue.allocated, queue.preempting) for queue in map(scene.queue, ("root", "root.a", "root.b"))]


def test_queues_without_qualifying_allocations_leave_the_what_if_but_their_ancestors_stay():  # P-40
    scene = scene_of(
        "{o: {p: {preemption.policy: fence, a: {guaranteed: {vcore: 2}}, q: {b: {}, idle: {}}, "
        "safe: {preemption.policy: disabled}}}, far: {}}",
        node=4,
    )
    decision = scene.runs("v", "root.o.p.q.b", 3).runs("w", "root.o.p.safe", 1).wants("x", "root.o.p.a").later()
    assert sorted(attempt(decision).remaining) == ["root", "root.o", "root.o.p", "root.o.p.a", "root.o.p.q", "root.o.p.q.b"]


def test_what_is_left_is_the_guarantee_less_what_is_used_and_not_already_going():  # P-41
    scene = scene_of("{a: {guaranteed: {vcore: 5, memory: 7}}, b: {guaranteed: {vcore: 3}}}", confirm=False)
    scene.runs("v", "root.b", 9).runs("m", "root.a", 1).wants("x", "root.a").wants("y", "root.a").node("n2", vcore=1)
    scene.runs("w", "root.b", 1, on="n2")
    assert attempt(scene.later()).remaining == {"root": None, "root.a": amounts(vcore=4, memory=7), "root.b": amounts(vcore=-7)}
    assert attempt(scene.cycle()).remaining["root.b"] == amounts(vcore=-6)


def remaining(queues: str, runs: dict[str, int], asks: str) -> dict[str, object]:
    """What is left of the guarantee per queue, for an ask of one core in the leaf `asks`."""
    scene = scene_of(queues, node=sum(runs.values()))
    for number, (path, count) in enumerate(runs.items()):
        scene.runs(f"v{number}", path, count)
    return dict(attempt(scene.wants("x", asks).later()).remaining)


def test_a_queue_without_a_guarantee_on_its_whole_chain_has_none():  # P-42 rule 1, P-52
    assert remaining("{a: {guaranteed: {vcore: 2}}, p: {b: {}}}", {"root.p.b": 3}, "root.a")["root.p.b"] is None


def test_the_leaf_of_the_ask_has_its_own_and_what_only_its_ancestors_guarantee():  # P-42 rules 2 and 3, P-44
    left = remaining("{p: {guaranteed: {vcore: 9, memory: 5}, a: {guaranteed: {vcore: 2}}, b: {}}}", {"root.p.b": 3}, "root.p.a")
    assert left["root.p"] is None
    assert left["root.p.a"] == amounts(vcore=2)


def test_a_leaf_without_a_guarantee_has_the_least_of_its_ancestors():  # P-42 rule 4, P-44
    left = remaining(
        "{o: {guaranteed: {vcore: 8}, p: {guaranteed: {vcore: 5, gpu: 1}, a: {}}}, b: {}}",
        {"root.o.p.a": 1, "root.b": 3},
        "root.o.p.a",
    )
    assert left["root.o.p.a"] == amounts(vcore=4, gpu=1)
    assert left["root"] is None


def test_a_negative_rest_is_kept():  # P-42 rule 4
    left = remaining(
        "{a: {guaranteed: {vcore: 2}}, p: {guaranteed: {vcore: 1}, b: {guaranteed: {vcore: 1}}}}", {"root.p.b": 4}, "root.a"
    )
    assert left["root.p.b"] == amounts(vcore=-3)


STORM = "{p: {guaranteed: {vcore: 6}, a: {%s}, b: {}}, c: {}}"


@pytest.mark.parametrize(
    ("own", "victims"),
    [
        ("", ("w-1",)),
        ("guaranteed: {vcore: 5}", ("v-3",)),
    ],
    ids=["the shared ancestor protects the sibling", "a guarantee of the ask's own leaf hides the ancestor"],
)
def test_a_shared_ancestor_protects_a_sibling_only_while_the_asks_leaf_has_no_guarantee(own, victims):  # P-45
    scene = scene_of(STORM.replace("%s", own), node=6).runs("w", "root.c", 2).runs("v", "root.p.b", 4)
    assert scene.wants("x", "root.p.a").later().victims == victims


def test_a_leaf_within_its_guarantee_is_exposed_by_an_ancestor_over_its_own():  # P-46, a quirk
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, p: {guaranteed: {vcore: 2}, b: {guaranteed: {vcore: 2}}, c: {}}}", node=4)
    scene.runs("w", "root.p.c", 2).runs("v", "root.p.b", 2).wants("x", "root.a")
    assert scene.later().victims == ("v-1",)
    assert scene.used("root.p.b") == 1


def test_a_leaf_over_its_guarantee_gives_although_its_ancestor_is_under():  # P-46
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, p: {guaranteed: {vcore: 9}, b: {guaranteed: {vcore: 2}}}}", node=4)
    assert scene.runs("v", "root.p.b", 4).wants("x", "root.a").later().victims == ("v-3",)


@pytest.mark.parametrize(
    ("asks", "runs", "taken"),
    [
        ("team2", "team", True),
        ("team", "team2", False),
    ],
    ids=["a name that the asking path starts with", "the other way round"],
)
def test_a_queue_whose_path_begins_the_asking_path_is_taken_for_an_ancestor(asks, runs, taken):  # P-47, a quirk
    scene = scene_of("{team: {guaranteed: {vcore: 4}}, team2: {guaranteed: {vcore: 4}}}", node=4)
    assert scene.runs("v", f"root.{runs}", 4).wants("x", f"root.{asks}").later().victims == (("v-3",) if taken else ())


# -- 7 Eligible victims ----------------------------------------------------------------------------------------------


def test_every_leaf_inside_the_fence_but_the_asks_own_is_searched():  # P-50, P-51
    scene = scene_of("{p: {a: {guaranteed: {vcore: 3}}, q: {b: {}, c: {}}}, d: {}}", node=6)
    scene.runs("b", "root.p.q.b", 2).runs("c", "root.p.q.c", 1).runs("d", "root.d", 1).runs("mine", "root.p.a", 1)
    decision = scene.wants("x", "root.p.a", vcore=2).later()
    assert eligible(decision) == {"root.d": ["d-0"], "root.p.q.b": ["b-0", "b-1"], "root.p.q.c": ["c-0"]}
    assert protected(decision) == {"root.p.a": "X-01"}


def test_nothing_in_the_leaf_of_the_ask_is_a_victim_neither_of_its_application_nor_of_others():  # P-51, law 3
    scene = scene_of("{a: {guaranteed: {vcore: 4}}, b: {}}", node=4).wants("x", "root.a").ask("x", "own", on="n1", vcore=2)
    decision = scene.runs("neighbour", "root.a", 1).runs("v", "root.b", 1).later()
    assert eligible(decision) == {"root.b": ["v-0"]}


@pytest.mark.parametrize(
    ("leaf", "code"),
    [
        ("guaranteed: {vcore: 4}", "X-04"),
        ("guaranteed: {vcore: 5}", "X-04"),
        ("guaranteed: {vcore: 3}", None),
        ("", None),
        ("preemption.policy: disabled", "X-03"),
        ("guaranteed: {vcore: 9, memory: 3}", None),
    ],
    ids=["exactly at its guarantee", "under it", "over it", "without any", "disabled", "over in a type that nobody asked for"],
)
def test_a_leaf_is_a_candidate_when_something_is_beyond_its_guarantee(leaf, code):  # P-52, law 5
    scene = Scene("{a: {guaranteed: {vcore: 2}}, b: {" + leaf + "}}").node("n1", vcore=4, memory=9)
    decision = scene.runs("v", "root.b", 4, vcore=1, memory=1).wants("x", "root.a").later()
    assert protected(decision).get("root.b") == code
    assert ("root.b" in eligible(decision)) is (code is None)


def test_what_qualifies_in_a_candidate_leaf():  # P-53
    scene = Scene("{a: {guaranteed: {vcore: 9}}, b: {}}", confirm=False).node("n1", vcore=9, gpu=1)
    scene.app("v", "root.b", gang={"vcore": 2}).ask("v", "plain", on="n1").ask("v", "driver", on="n1", originator=True)
    scene.ask("v", "opted-out", on="n1", may_be_victim=False).ask("v", "daemon", on="n1", required="n1")
    scene.ask("v", "zero", on="n1", vcore=0, gpu=1).ask("v", "other-type", on="n1", gpu=0.0, memory=1)
    scene.ask("v", "ph", on="n1", group="tg", placeholder=True).ask("v", "going", on="n1").ask("v", "replaced", on="n1")
    scene.ask("", "foreign", on="n1", foreign=True)
    scene.allocation("v", "replaced").released = True
    scene.allocation("v", "going").preempted = True
    scene.queue("root.b").preempting = scene.queue("root").preempting = amounts(vcore=1)
    scene.ask("v", "large", on="n1", vcore=1)
    decision = scene.wants("x", "root.a", vcore=2).later()
    assert eligible(decision) == {"root.b": ["plain", "driver", "opted-out", "zero", "ph", "large"]}
    assert protected(decision) == {"root.a": "X-01", "daemon": "X-06", "other-type": "X-05", "going": "X-07", "replaced": "X-07"}


@pytest.mark.parametrize(("victim", "taken"), [(-1, True), (0, True), (1, False)], ids=["lower", "equal", "higher"])
def test_only_equal_or_lower_priority_qualifies(victim, taken):  # P-54, law 6
    scene = scene_of("{a: {guaranteed: {vcore: 2}}, b: {}}", node=2).runs("v", "root.b", 2, priority=victim)
    decision = scene.wants("x", "root.a").later()
    assert decision.victims == (("v-1",) if taken else ())
    assert ("v-0" in protected(decision)) is not taken
