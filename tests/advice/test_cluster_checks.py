"""Checks that look at nodes and applications, and their trials: each is shown to be true, and silent where it is not. E-40."""

from __future__ import annotations

import pytest
from advice_cases import CASES, of
from scenes import Scene, config_text

import workbench as wb
from workbench.advice.lints.preemption_in_use import DelayBeyondTheRuntime
from workbench.advice.lints.reload import NumberOfTheRoot
from workbench.config import load_config, validate
from workbench.config.write.export import to_yaml
from workbench.values.errors import CommandError


def found(scene: Scene, code: str, path: str | None = None) -> list[wb.Check]:
    """What a check says of the present state."""
    told = wb.checks(scene.engine.state.config, scene.engine.state)
    return [check for check in told if check.code == code and path in (None, check.path)]


def one(scene: Scene, code: str, path: str | None = None) -> wb.Check:
    (check,) = found(scene, code, path)
    return check


def mends(scene: Scene, check: wb.Check) -> bool:
    """Whether every remedy makes the check disappear, in the same state, and is accepted."""
    for remedy in check.remedies:
        mended = load_config(to_yaml(remedy.apply(scene.engine.state.config)))
        validate(mended)
        if any(
            (each.code, each.path, each.key) == (check.code, check.path, check.key)
            for each in wb.checks(mended, scene.engine.state)
        ):
            return False
    return bool(check.remedies)


def tried(scene: Scene, check: wb.Check) -> bool:
    return wb.try_out(check, scene.engine.state.config).happens


# -- nodes ------------------------------------------------------------------------------------------------------------


def test_guarantees_above_what_the_nodes_have_together():  # L-04
    scene = Scene("a: {guaranteed: {vcore: 4}}\nb: {guaranteed: {vcore: 4}}").node("n1", vcore=6)
    check = one(scene, "L-04")
    assert (check.path, check.lint.guaranteed["vcore"], check.lint.capacity["vcore"]) == ("root", 8000, 6000)
    scene.runs("x", "root.a", 4).runs("y", "root.b", 2).wants("z", "root.b", 4).run_for(60)
    assert scene.used("root.b") == 2, "b stays below its guarantee, and a is within its own"
    assert not found(scene.node("n2", vcore=2), "L-04")


def test_a_guarantee_above_all_that_there_is():  # L-04
    scene = Scene("a: {guaranteed: {vcore: 9}}").node("n1", vcore=6)
    check = one(scene, "L-04", "root.a")
    assert mends(scene, check) and check.remedies[0].description == "Set guaranteed of root.a to vcore 6."
    assert not found(scene, "L-04", "root")


def test_a_guarantee_of_a_type_that_no_node_has():  # L-06, E-40
    scene = Scene("a: {guaranteed: {vcore: 1, nvidia.com/gpus: 2}}").node("n1", vcore=6, **{"nvidia.com/gpu": 4})
    check = one(scene, "L-06")
    assert (check.key, check.assumption) == (
        "resources.guaranteed.nvidia.com/gpus",
        "This assumes that no nodes of another kind are to come.",
    )
    assert mends(scene, check) and tried(scene, check)
    assert not found(Scene("a: {guaranteed: {gpus: 2}}"), "L-06"), "without nodes nothing can be said"
    assert not found(scene.node("n2", **{"nvidia.com/gpus": 4}), "L-06")


def test_types_that_a_maximum_or_guarantee_leaves_out():  # L-21
    scene = Scene("a: {max: {vcore: 2}, guaranteed: {vcore: 2}}\nb: {max: {vcore: 2, memory: 2}}").node("n1", vcore=6, memory=50)
    assert [(check.path, check.key, check.lint.types) for check in found(scene, "L-21")] == [
        ("root.a", "resources.guaranteed", ("memory",)),
        ("root.a", "resources.max", ("memory",)),
    ]
    assert scene.wants("x", "root.a", vcore=0.001, memory=40).cycles(1) == ["x-0"], "memory is unlimited there"


def test_a_weight_of_a_type_that_no_node_has():  # L-37
    weights = {"nodesortpolicy": {"resourceweights": {"vcore": 1, "gpus": 3}}}
    scene = Scene("a: {}", **weights).node("n1", vcore=6)
    check = one(scene, "L-37")
    assert check.key == "nodesortpolicy.resourceweights.gpus" and mends(scene, check)
    assert not found(Scene("a: {}", **weights).node("n1", vcore=6, gpus=1), "L-37")


# -- applications -----------------------------------------------------------------------------------------------------


def test_priorities_in_use_that_leave_the_range_with_the_offsets():  # L-12, R-621
    scene = Scene("a: {priority.offset: 2000000000}\nb: {}").wants("x", "root.a", priority=5)
    assert not found(scene, "L-12")
    scene.ask("x", "urgent", priority=10**9)
    assert one(scene, "L-12").lint.priority == 10**9
    assert scene.queue("root.a").priority == 2**31 - 1


def test_gang_applications_in_a_fair_leaf():  # L-17, PL-91
    queues = "a: {application.sort.policy: fair, guaranteed: {vcore: 1}}"
    scene = Scene(queues).app("plain", "root.a")
    assert not found(scene, "L-17")
    check = one(scene.app("gang", "root.a", gang={"vcore": 2}), "L-17")
    assert scene.refused() and mends(scene, check) and tried(scene, check)
    assert not wb.try_out(check, check.remedies[0].apply(scene.engine.state.config)).happens


def test_a_leaf_smaller_than_every_ask():  # L-19, E-10
    scene = Scene("p: {max: {vcore: 2}, a: {}}").node("n1", vcore=9).wants("x", "root.p.a", 2, vcore=3)
    check = one(scene, "L-19")
    assert (check.lint.smallest, check.lint.maximum) == (3000, 2000)
    assert not scene.cycles(3) and tried(scene, check)
    assert not found(scene.ask("x", "small", vcore=1), "L-19")


def test_a_user_of_several_groups_counts_in_the_first():  # L-27, PL-111
    scene = Scene(
        "a: {limits: [{limit: x, groups: [dev], maxresources: {vcore: 3}}, {limit: y, groups: [ops], maxresources: {vcore: 1}}]}"
    ).node("n1", vcore=9)
    scene.app("x", "root.a", user="bob", groups=("dev",))
    assert not found(scene, "L-27")
    scene.app("y", "root.a", user="sue", groups=("ops", "dev")).asks("y", 4)
    check = one(scene, "L-27")
    assert (check.lint.user, check.lint.counts, check.lint.others) == ("sue", "dev", ("ops",))
    assert scene.run_for(1).used("root.a") == 3, "the limit of ops, 1, does not hold"


def test_a_delay_longer_than_things_run():  # L-29, P-22
    queues = "a: {guaranteed: {vcore: 2}, preemption.delay: 10m}\nb: {}"
    scene = Scene(queues).node("n1", vcore=2).wants("short", "root.b", 1).run_for(1)
    assert not found(scene, "L-29")
    scene.advance(40).release("short", "short-0").advance(40)
    assert scene.state("short") == "Completed"
    check = one(scene, "L-29", "root.a")
    assert isinstance(check.lint, DelayBeyondTheRuntime) and mends(scene, check) and tried(scene, check)


def test_pods_that_asked_to_be_spared():  # L-40, P-72
    queues = "a: {guaranteed: {vcore: 2}}\nb: {}"
    scene = Scene(queues).node("n1", vcore=2)
    assert not found(scene.runs("plain", "root.b", 1), "L-40")
    check = one(scene.runs("notebook", "root.b", 1, may_be_victim=False), "L-40")
    assert check.severity == "hint" and mends(scene, check) and tried(scene, check)
    scene.wants("x", "root.a", 2).run_for(60)
    assert scene.used("root.b") == 0, "also the one that asked to be spared"
    assert not wb.try_out(check, check.remedies[0].apply(scene.engine.state.config)).happens


def test_full_in_one_type_only():  # L-41, P-32
    queues = "p: {max: {vcore: 2, memory: 9}, a: {guaranteed: {vcore: 2}}, b: {}}\no: {}"
    scene = Scene(queues).node("n1", vcore=4, memory=9).runs("b", "root.p.b", 2)
    assert not found(scene, "L-41"), "nobody asks"
    check = one(scene.runs("o", "root.o", 2).wants("new", "root.p.a", 2), "L-41")
    assert check.path == "root.p" and mends(scene, check) and tried(scene, check)
    scene.run_for(40)
    assert scene.used("root.o") < 2, "stopped outside, where it does not help"
    assert not wb.try_out(check, check.remedies[0].apply(scene.engine.state.config)).happens


def test_asks_that_are_large_for_the_guarantee():  # L-42, P-60
    scene = Scene("a: {guaranteed: {vcore: 4}}\nb: {}").node("n1", vcore=9).wants("x", "root.a", 1, vcore=3)
    check = one(scene, "L-42")
    assert (check.lint.lost, check.remedies[0].description) == (1000, "Set guaranteed of root.a to vcore 6.")
    assert mends(scene, check) and tried(scene, check)
    assert wb.try_out(check, check.remedies[0].apply(scene.engine.state.config)).happens is not None
    for size in (1, 2, 4):  # the guarantee is whole asks, so nothing of it is lost
        assert not found(Scene("a: {guaranteed: {vcore: 4}}").node("n1", vcore=9).wants("x", "root.a", 1, vcore=size), "L-42")


def test_a_guarantee_of_one_ask_is_enough_for_it():  # L-42, P-60, P-74
    scene = Scene("a: {guaranteed: {vcore: 1}}\nb: {}").node("n1", vcore=9).wants("x", "root.a", 1, vcore=1)
    assert not found(scene, "L-42")
    scene = Scene("a: {guaranteed: {vcore: 1}}\nb: {}").node("n1", vcore=9).wants("x", "root.a", 1, vcore=3)
    assert one(scene, "L-42").remedies[0].description == "Set guaranteed of root.a to vcore 3."
    mixed = scene.wants("y", "root.a", 1, vcore=1)
    assert one(mixed, "L-42").remedies[0].description == "Set guaranteed of root.a to vcore 6.", "a large one leaves no room"


TEAMS = """
ta: {guaranteed: {vcore: 4}, a1: {guaranteed: {vcore: 3}}, a2: {}}
tb: {guaranteed: {vcore: 4}, b1: {guaranteed: {vcore: 3}}, b2: {}}
"""


def robbing(queues: str) -> Scene:
    scene = Scene(queues).node("n1", vcore=14)
    return scene.runs("xa", "root.ta.a2", 5).runs("xb", "root.tb.b2", 5).runs("a", "root.ta.a1", 2).runs("b", "root.tb.b1", 2)


def test_two_queues_below_their_guarantees_that_rob_each_other():  # L-43, P-46
    scene = robbing(TEAMS)
    assert not found(scene, "L-43"), "nobody asks"
    scene.wants("more", "root.tb.b1", 1)
    check = one(scene, "L-43")
    assert (check.path, check.lint.others, check.lint.teams) == ("root.ta.a1", ("root.tb.b1",), ("root.ta", "root.tb"))
    assert "without end" in str(check) and mends(scene, check) and tried(scene, check)
    mended = check.remedies[0].apply(scene.engine.state.config)
    assert not wb.try_out(check, mended).happens

    held = []
    for number in range(3):  # what was stopped is asked for again
        scene.run_for(40)
        held.append((scene.used("root.ta.a1"), scene.used("root.tb.b1")))
        scene.wants(f"again-a{number}", "root.ta.a1", 1).run_for(40)
        held.append((scene.used("root.ta.a1"), scene.used("root.tb.b1")))
        scene.wants(f"again-b{number}", "root.tb.b1", 1)
    assert held == [(1, 3), (2, 2)] * 3


@pytest.mark.parametrize("otherwise", [
    ("a2: {}", "a2: {}, preemption.policy: fence"),
    ("a1: {guaranteed: {vcore: 3}}", "a1: {guaranteed: {vcore: 3}, preemption.policy: disabled}"),
    ("a1: {guaranteed: {vcore: 3}}", "a1: {guaranteed: {vcore: 2}}"),
    ("ta: {guaranteed: {vcore: 4}, ", "ta: {"),
    ("ta: {guaranteed: {vcore: 4}, ", "ta: {guaranteed: {vcore: 7}, "),
])  # fmt: skip
def test_queues_that_cannot_rob_each_other(otherwise):  # L-43
    scene = robbing(TEAMS.replace(*otherwise))
    assert not found(scene.wants("more", "root.tb.b1", 1), "L-43")


STARVED = {
    "no larger than a pod, beside none": "a: {guaranteed: {vcore: 1}}\nb: {}",
    "in a unit too small": "a: {guaranteed: {vcore: 10, memory: 1}}\nb: {guaranteed: {vcore: 20, memory: 20}}",
    "nothing of one type": "a: {guaranteed: {vcore: 10, memory: 0}}\nb: {}",
    "beside one that nobody can fill": "a: {guaranteed: {vcore: 1}}\nb: {guaranteed: {vcore: 100}}",
    "although of higher priority": ("application.sort.priority: disabled\na: {guaranteed: {vcore: 1}, priority.offset: 9}\nb: {}"),
    "below parents": "a: {guaranteed: {vcore: 1}, aa: {}}\nb: {bb: {}}",
}


@pytest.mark.parametrize("queues", STARVED.values(), ids=STARVED.keys())
def test_a_guarantee_that_keeps_a_queue_behind_its_siblings(queues):  # L-44, R-521, R-522
    at = "root.a.aa" if "aa" in queues else "root.a"
    scene = Scene(queues).node("n1", vcore=20, memory=20)
    scene.wants("x", at, 20, vcore=1, memory=1).wants("y", at.replace("a", "b"), 40, vcore=1, memory=1)
    check = one(scene, "L-44")
    assert (check.path, check.lint.others) == ("root.a", ("root.b",)) and tried(scene, check)
    assert "no second one" in str(check) and "go on requesting" in str(check)
    assert mends(scene, check)
    mended = check.remedies[0].apply(scene.engine.state.config)
    scene.run_for(25)
    assert (scene.used("root.a"), scene.used("root.b")) == (1, 19)
    assert not wb.try_out(check, mended).happens


@pytest.mark.parametrize("queues", [
    "a: {}\nb: {}",
    "a: {guaranteed: {vcore: 3}}\nb: {}",
    "a: {guaranteed: {vcore: 1}, priority.offset: 9}\nb: {}",
    "a: {guaranteed: {vcore: 1}}\nb: {max: {vcore: 15}}",
    "a: {guaranteed: {vcore: 10, memory: 1}}\nb: {max: {vcore: 15}}",
    "a: {guaranteed: {vcore: 1}}\nb: {guaranteed: {vcore: 10}}",
])  # fmt: skip
def test_a_guarantee_that_leaves_a_queue_more_than_one_request(queues):  # L-44
    scene = Scene(queues).node("n1", vcore=20, memory=20)
    scene.wants("x", "root.a", 20, vcore=1, memory=1)
    assert not found(scene, "L-44"), "nobody else requests"
    scene.wants("y", "root.b", 40, vcore=1, memory=1)
    assert not found(scene, "L-44")
    scene.run_for(25)
    assert scene.used("root.a") > 1


def test_a_guarantee_that_nobody_can_fill_is_lowered_to_what_its_queue_can_hold():  # L-44
    check = one(
        Scene("a: {guaranteed: {vcore: 2}}\nb: {guaranteed: {vcore: 100}}")
        .node("n1", vcore=20)
        .wants("x", "root.a", 20, vcore=1)
        .wants("y", "root.b", 40, vcore=1),
        "L-44",
    )
    assert [each.description for each in check.remedies] == [
        "Remove guaranteed of root.a.",
        "Set guaranteed of root.b to vcore 20.",
    ]


def test_shares_that_the_release_does_not_measure_against_the_cluster_are_not_judged():  # L-44, R-528
    scene = Scene("a: {guaranteed: {vcore: 1}}\nb: {}", release="1.4").node("n1", vcore=20)
    assert not found(scene.wants("x", "root.a", 20, vcore=1).wants("y", "root.b", 40, vcore=1), "L-44")


def test_a_queue_that_starves():
    queues = "a: {guaranteed: {vcore: 2}, preemption.policy: fence}\nb: {}"
    scene = Scene(queues).node("n1", vcore=2).runs("old", "root.b", 2).wants("new", "root.a", 2)
    assert not found(scene.run_for(30), "starving")
    check = one(scene.run_for(40), "starving", "root.a")
    assert check.lint.asks == 2 and check.lint.short["vcore"] == 2000
    assert not found(scene.remove_app("old").run_for(5), "starving")


# -- the running configuration ----------------------------------------------------------------------------------------


def test_what_a_reload_leaves_as_it_is():  # L-38, C-153, P-15
    scene = Scene("p: {preemption.policy: disabled, a: {}}\nq: {priority.offset: 5}")
    new = load_config(config_text("p: {a: {}}\nq: {priority.offset: 7}"))
    told = {check.path: check for check in wb.checks(new, scene.engine.state) if check.code == "L-38"}
    assert set(told) == {"root.p", "root.p.a"}
    assert (told["root.p.a"].lint.stays, told["root.p.a"].lint.wanted) == ("disabled", "default")
    config = new
    for check in told.values():
        config = check.remedies[0].apply(config)
    assert not [check for check in wb.checks(load_config(to_yaml(config)), scene.engine.state) if check.code == "L-38"]
    scene.reload("p: {a: {}}\nq: {priority.offset: 7}")
    assert scene.queue("root.p.a").settings.preemption_policy == "disabled"
    assert {check.path for check in found(scene, "L-38")} == {"root.p", "root.p.a"}, "and it shows afterwards"
    assert not found(Scene("p: {preemption.policy: disabled, a: {}}"), "L-38")


def test_the_number_of_the_root_waits_for_a_restart():  # C-157, C-121
    scene = Scene("maxapplications: 2\na: {maxapplications: 2}")
    assert not found(scene, "C-157")
    scene.reload("maxapplications: 5\na: {maxapplications: 2}")
    assert scene.queue("root").max_applications == 2
    assert one(scene, "C-157").lint == NumberOfTheRoot(stays=2, wanted=5)


# -- what the cluster disproves -----------------------------------------------------------------------------------------


def test_one_user_does_not_wait_for_himself():  # L-23, E-40
    scene = Scene("a: {maxapplications: 1}").app("x", "root.a", user="sue")
    assert not found(scene, "L-23")
    assert found(scene.app("y", "root.a", user="bob"), "L-23")


def test_stateaware_is_a_policy_of_release_1_4():  # L-15, C-183
    assert not found(Scene("a: {application.sort.policy: stateaware}", release="1.4"), "L-15")
    assert found(Scene("a: {application.sort.policy: stateaware}"), "L-15")


# -- trials of what the text alone shows ----------------------------------------------------------------------------------


TRIED = [case for case in CASES if case.code in ("L-08", "L-19", "L-23", "L-29", "L-31") and case.name != "nobody may submit"]


@pytest.mark.parametrize("case", TRIED, ids=str)
def test_an_assumption_is_stated_and_can_be_tried(case):  # E-40
    (check,) = of(case, case.flagged_config)
    assert check.depends_on_workload and check.assumption.startswith("This assumes that ")
    trial = wb.try_out(check, case.flagged_config)
    assert trial.happens and trial.text.startswith("Tried, and so it is: ")
    assert wb.Simulation.from_scenario(trial.scenario).config.partitions


@pytest.mark.parametrize("case", [case for case in TRIED if case.remedies and case.code != "L-29"], ids=str)
def test_with_the_remedy_it_does_not_happen(case):  # E-40
    (check,) = of(case, case.flagged_config)
    trial = wb.try_out(check, check.remedies[0].apply(case.flagged_config))
    assert not trial.happens and trial.text.startswith("Tried, and it did not happen: ")


def test_what_depends_on_no_workload_is_not_tried():
    config = load_config(config_text("a: {priority.offset: x}"))
    (check,) = wb.checks(config)
    assert not check.depends_on_workload and not check.assumption
    with pytest.raises(CommandError, match="nothing to try for check L-12 of root.a"):
        wb.try_out(check, config)
