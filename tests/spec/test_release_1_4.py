"""What else differs in release 1.4: properties, placement, the age of applications, required nodes."""

from __future__ import annotations

import pytest
from scenes import Scene, refusals

from workbench.scheduler.records.events import Reserved

BY_NAME = [{"name": "provided", "create": True}]
FAIR_BELOW = "p: {parent: true, application.sort.policy: fair}"


# -- properties -------------------------------------------------------------------------------------------------------


def test_1_4_knows_neither_backoff_nor_quota_preemption():  # C-184, R-573
    tree = "a: {application.unschedasks.backoff: 1, application.unschedasks.backoff.delay: 5s, preemption.quota.delay: 1s}"
    old, new = (Scene(tree, release=release).queue("root.a").settings for release in ("1.4", "1.8"))
    assert (new.backoff_threshold, new.backoff_delay_ns, new.quota_preemption_delay_ns) == (1, 5 * 10**9, 10**9)
    assert (old.backoff_threshold, old.backoff_delay_ns, old.quota_preemption_delay_ns) == (0, 30 * 10**9, 0)


def test_in_1_4_a_lowered_maximum_stops_nothing():  # C-184
    def tree(cores: int) -> str:
        return f"a: {{max: {{vcore: {cores}}}, preemption.quota.delay: 1s}}"

    for release, stopped in (("1.4", []), ("1.8", ["x-3", "x-2"])):
        switch = {"preemption": {"quotapreemptionenabled": True}}
        scene = Scene(tree(4), release=release, confirm=False, **switch).node("n1", vcore=10).runs("x", "root.a", 4)
        scene.ask("x", "more").reload(tree(2), **switch).advance(5).cycle()
        assert sorted(scene.released("PREEMPTED_BY_SCHEDULER")) == sorted(stopped), release


@pytest.mark.parametrize("release, policy", [("1.4", "fair"), ("1.8", "fifo")])
def test_a_dynamic_leaf_without_template_copies_the_sort_policy_of_its_parent_in_1_4_only(release, policy):  # C-134
    scene = Scene(FAIR_BELOW, release=release, placementrules=BY_NAME).app("x", "root.p.made").app("y", "root.p.mid.made")
    assert scene.queue("root.p.made").settings.application_sort_policy == policy
    assert scene.queue("root.p.mid.made").settings.application_sort_policy == policy


def test_a_child_template_leaves_nothing_to_copy():  # C-134
    tree = "p: {parent: true, application.sort.policy: fair, template: {maxapplications: 3}}"
    scene = Scene(tree, release="1.4", placementrules=BY_NAME).app("x", "root.p.made")
    assert scene.queue("root.p.made").settings.application_sort_policy == "fifo"


def test_the_sort_policy_is_the_only_property_that_is_copied():  # C-134
    tree = "p: {parent: true, application.sort.policy: fair, application.sort.priority: disabled}"
    made = Scene(tree, release="1.4", placementrules=BY_NAME).app("x", "root.p.made").queue("root.p.made")
    assert made.properties == {"application.sort.policy": "fair"}
    assert made.settings.priority_sorting


def test_configurations_are_judged_as_in_1_8():  # C-182
    scene = Scene(release="1.4").reload("'bad name': {}")
    assert "invalid queue name" in scene.refused()[0]
    assert scene.refused() == Scene().reload("'bad name': {}").refused()


# -- placement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "release, reasons", [("1.4", ["failed to place application x: application rejected: no placement rule matched"]), ("1.8", [])]
)
def test_there_is_no_default_queue_to_fall_back_to_in_1_4(release, reasons):  # PL-141, PL-31
    scene = Scene("default: {}", release=release, placementrules=[{"name": "provided"}]).app("x", "root.unknown")
    assert scene.refused() == reasons


@pytest.mark.parametrize("release, state", [("1.4", "New"), ("1.8", "Rejected")])
def test_a_draining_queue_still_takes_applications_in_1_4(release, state):  # PL-141, R-431
    scene = Scene("a: {}\nb: {}", release=release).app("x", "root.b").reload("a: {}")
    assert scene.queue("root.b").status == "Draining"
    assert scene.app("y", "root.b").state("y") == state


def test_a_name_that_no_queue_can_have_is_noticed_when_the_queue_is_created_in_1_4():  # PL-142, PL-42
    old, new = (Scene(release=release, placementrules=BY_NAME).app("x", "root.no good").refused() for release in ("1.4", "1.8"))
    assert old == ["failed to create rule based queue root.no good for application x"]
    assert new[0].startswith("failed to place application x: ")


def test_the_user_name_may_be_any_in_1_4():  # PL-142, PL-13
    assert Scene(release="1.4").app("x", user="so what?", groups=("g",)).refused() == []
    assert Scene().app("x", user="so what?", groups=("g",)).refused() != []


def test_recovery_and_the_implicit_rule_are_the_same():  # PL-141
    scene = Scene("a: {}", release="1.4", placementrules=[{"name": "tag", "value": "none"}])
    scene.app("x", "root.a", tags={"application.create.force": "true"})
    assert scene.application("x").queue_path == "root.@recovery@"
    assert Scene("a: {}", release="1.4").app("x", "root.a").application("x").queue_path == "root.a"


# -- applications and required nodes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("release, first", [("1.4", "x"), ("1.8", "y")])
def test_an_application_is_as_old_as_its_submission_in_1_4_whatever_its_asks_say(release, first):
    scene = Scene(release=release).node("n1", vcore=10).app("x").app("y").ask("x", "x").ask("y", "y", created_ns=0)
    assert scene.cycle().key == first


@pytest.mark.parametrize("release, placed", [("1.4", ["other"]), ("1.8", ["behind", "other"])])
def test_an_unknown_required_node_ends_the_turn_of_the_whole_application_in_1_4(release, placed):
    scene = Scene(release=release).node("n1", vcore=10).app("x")
    scene.ask("x", "lost", required="gone", priority=5).ask("x", "behind").app("y").ask("y", "other")
    assert scene.cycles(3) == placed


def test_those_behind_an_unknown_required_node_are_told_so():  # R-575, W-12
    scene = Scene(release="1.4").node("n1", vcore=10).app("x").ask("x", "lost", required="gone", priority=5).ask("x", "behind")
    assert refusals(scene.cycle(), "ask") == {"lost": "W-12", "behind": "W-12"}


@pytest.mark.parametrize("release, reserved", [("1.4", ["d1"]), ("1.8", ["d1", "d2"])])
def test_one_ask_at_a_time_reserves_the_node_that_it_requires_in_1_4(release, reserved):
    scene = Scene(release=release, confirm=False).node("n1", vcore=4).node("n2", vcore=4).runs("x", "root.a", 4)
    scene.app("d").ask("d", "d1", required="n1", vcore=2).ask("d", "d2", required="n1", vcore=2).app("y").ask("y", "other")
    scene.forget()
    assert "other" in scene.cycles(3)
    assert [event.key for event in scene.events if isinstance(event, Reserved)] == reserved


# -- limits that are the same -----------------------------------------------------------------------------------------


def test_users_are_limited_as_in_1_8():  # PL-143
    tree = "a: {limits: [{limit: one, users: [sue], maxresources: {vcore: 2}}]}"
    for release in ("1.4", "1.8"):
        scene = Scene(tree, release=release).node("n1", vcore=10).app("x", "root.a", user="sue").asks("x", 3)
        assert len(scene.cycles(3)) == 2
