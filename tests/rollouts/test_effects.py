"""What then happens to what runs and waits, by hand: part 3 of a rollout. RO-1"""

from __future__ import annotations

from rollout_scenes import Cluster, design

from workbench.rollouts import rollout
from workbench.rollouts.course import Stopped
from workbench.rollouts.effects import Drained
from workbench.simulation.scenario import Scenario, example
from workbench.values.resources import Resource

PLAIN = design("a:\nb:")
SECOND = 10**9


def test_a_queue_that_is_taken_away_drains_with_what_runs_there_and_takes_no_other():  # C-160, C-161
    found = rollout(design("a:"), Cluster(PLAIN).runs("x", "root.b", 2).waits("y", "root.b").scenario)
    assert found.effects is not None
    assert found.effects.drained == (Drained("root.b", 2, 2, 1, None),)
    assert found.effects.stopped == ()
    [refused] = found.effects.refused
    assert (refused.applications, refused.queue, refused.reason) == (
        ("x", "y"),
        "root.b",
        "failed to place application x: application rejected: no placement rule matched",
    )
    # What waits there is served all the same.
    assert [each.who for each in found.effects.new.started] == [("y", "y-0")]
    assert found.exit_code == 1
    assert found.sentence == "Applications like x and y in root.b would be refused from now on."


def test_an_empty_queue_that_is_taken_away_is_gone_with_the_next_cleaning_and_nothing_stands_against_it():  # C-163
    found = rollout(design("a:"), Cluster(PLAIN).runs("x", "root.a").scenario)
    assert found.effects is not None
    [gone] = found.effects.drained
    assert (gone.queue, gone.applications) == ("root.b", 0)
    assert gone.gone_ns is not None and gone.gone_ns <= 10 * SECOND
    assert found.exit_code == 0


def test_without_quota_preemption_a_maximum_below_use_stops_nobody_but_lets_nobody_start():  # C-155
    lowered = design("a: {resources: {max: {vcore: 2}}}\nb:")
    found = rollout(lowered, Cluster(PLAIN).runs("x", "root.a", 4).waits("y", "root.a", 2).scenario)
    assert found.effects is not None
    [over] = found.effects.over
    assert (over.queue, over.use, over.above, over.starts_ns) == ("root.a", Resource(vcore=4000), Resource(vcore=2000), None)
    assert found.effects.stopped == ()
    assert [(each.who[1], each.today_ns is None, each.new_ns) for each in found.effects.waits] == [
        ("y-0", False, None),
        ("y-1", False, None),
    ]
    assert found.exit_code == 0
    assert found.sentence.endswith(
        " But root.a holds more than the new maximum and 2 waiting pods that would start do not within 10 minutes."
    )


def test_quota_preemption_stops_what_is_too_much_once_its_delay_is_over():  # R-904 row 6, R-913
    today = design(
        "a: {resources: {max: {vcore: 8}}, properties: {quota.preemption.delay: 2m}}", preemption="{quotapreemptionenabled: true}"
    )
    live = Cluster(today, release="1.9").runs("x", "root.a", 6)
    found = rollout(today.replace("vcore: 8", "vcore: 4"), live.scenario)
    assert found.effects is not None
    stopped = found.effects.stopped
    assert [(each.who[1], each.by) for each in stopped] == [("x-5", "quota"), ("x-4", "quota")]
    assert {each.at_ns // (60 * SECOND) for each in stopped} == {2}
    assert found.exit_code == 1
    assert found.sentence == "2 pods would be stopped: x-5 and x-4 in root.a."


def test_the_documented_quota_of_fifteen_minutes_is_looked_at_to_its_end():  # P-132, P-133
    script = example("documented/quota-enforced")
    until = next(at for at, each in enumerate(script.events) if type(each.command).__name__ == "UpdateConfig")
    new = script.events[until].command.config  # type: ignore[union-attr]
    found = rollout(new, Scenario(config=script.config, events=script.events[:until], name="live"))
    assert found.effects is not None
    assert found.effects.new.minutes == 17
    assert [each.who[1] for each in found.effects.stopped] == ["pod-004", "pod-003"]
    assert found.effects.new.uses[14]["root.prod"].allocated == Resource(vcore=10_000)
    assert found.effects.new.uses[16]["root.prod"].allocated == Resource(vcore=6000)


def test_who_looks_too_short_is_told_when_quota_preemption_sets_in():
    today = design(
        "a: {resources: {max: {vcore: 8}}, properties: {quota.preemption.delay: 2m}}", preemption="{quotapreemptionenabled: true}"
    )
    live = Cluster(today, release="1.9").runs("x", "root.a", 6)
    found = rollout(today.replace("vcore: 8", "vcore: 4"), live.scenario, minutes=1)
    assert found.effects is not None
    assert found.effects.stopped == ()
    assert [each.starts_ns for each in found.effects.over] == [120 * SECOND]
    assert found.exit_code == 1
    assert found.sentence == "Quota preemption may stop what is too much in root.a after 2 min, which is later than was looked at."


FENCED = design("prod: {resources: {guaranteed: {vcore: 4}}, properties: {preemption.policy: fence}}\nbatch:")


def full() -> Cluster:
    """Ten cores full of batch work, and production waits for one of the four that it is guaranteed."""
    return Cluster(FENCED).runs("night", "root.batch", 10).waits("web", "root.prod")


def test_a_fence_that_is_taken_down_lets_a_guaranteed_queue_stop_others():  # P-30
    found = rollout(FENCED.replace("policy: fence", "policy: default"), full().scenario)
    assert found.effects is not None
    [victim] = found.effects.stopped
    assert victim == Stopped(victim.at_ns, victim.who, "root.batch", Resource(vcore=1000), "request", ("web", "web-0"), "root.prod")
    assert 29 * SECOND < victim.at_ns < 31 * SECOND
    [waited] = found.effects.waits
    assert (waited.who, waited.today_ns) == (("web", "web-0"), None)
    assert found.exit_code == 1


def test_a_fence_that_is_only_no_longer_listed_stays_until_a_restart():  # C-153
    found = rollout(FENCED.replace(", properties: {preemption.policy: fence}", ""), full().scenario)
    assert found.effects is not None
    [stays] = found.effects.stays
    assert (stays.path, stays.setting, stays.stays, stays.wanted) == ("root.prod", "preemption.policy", "fence", "default")
    assert found.effects.stopped == ()
    assert "preemption.policy of root.prod stays fence until the scheduler restarts; the file says default." in str(found)


def test_what_stayed_already_before_is_not_put_down_to_the_file():
    today = design("a: {properties: {priority.offset: '5'}}\nb:")
    cluster = Cluster(today)
    without = design("a:\nb:")
    first = rollout(without, cluster.scenario)
    assert first.effects is not None and len(first.effects.stays) == 1
    from workbench.scheduler.records.commands import UpdateConfig

    cluster.events.append(UpdateConfig(config=without))
    again = rollout(f"# again\n{without}", cluster.scenario)
    assert again.effects is not None and again.effects.stays == ()


def test_an_inherited_template_is_lost_by_a_reload_that_changes_something_else():  # C-144
    tree = "dev: {parent: true, childtemplate: {maxapplications: 3}, queues: [{name: sub, parent: true}]}\nb:"
    found = rollout(design(tree + "\nc:"), Cluster(design(tree)).scenario)
    assert found.effects is not None
    assert [(each.path, each.setting, each.stays) for each in found.effects.stays] == [("root.dev.sub", "childtemplate", "not set")]


def test_the_number_of_applications_of_the_root_is_looked_at_once():  # C-157
    found = rollout(PLAIN.replace("name: root\n", "name: root\n        maxapplications: 0\n        adminacl: ben\n").replace(
        "maxapplications: 0", "maxapplications: 5").replace("{name: a}", "{name: a, maxapplications: 2}").replace(
        "{name: b}", "{name: b, maxapplications: 2}"), Cluster(PLAIN).scenario)  # fmt: skip
    assert found.effects is not None
    assert [(each.path, each.setting, each.stays, each.wanted) for each in found.effects.stays] == [
        ("root", "maxapplications", "no limit", "5")
    ]


def test_a_larger_offset_serves_its_queue_first():
    live = Cluster(PLAIN, vcore=2).waits("x", "root.a", 2).waits("y", "root.b", 2)
    found = rollout(design("a:\nb: {properties: {priority.offset: '10'}}"), live.scenario)
    assert found.effects is not None
    assert [each.who[1] for each in found.effects.today.started] == ["x-0", "y-0"]
    assert [each.who[1] for each in found.effects.new.started] == ["y-0", "y-1"]
    assert found.effects.order_changes
    assert "Who is served first, from place 1 on, where they part" in str(found)


def test_planned_inputs_happen_at_their_time_under_both():
    from workbench.scheduler.records.commands import Release
    from workbench.simulation.scenario import Planned

    scenario = Cluster(PLAIN, vcore=1).runs("x", "root.a").waits("y", "root.b").scenario
    ends = Planned(200_000, Release(application_id="x", key="x-0"))
    found = rollout(
        design("a:\nb: {properties: {priority.offset: '10'}}"), Scenario(config=PLAIN, events=scenario.events, planned=(ends,))
    )
    assert found.effects is not None
    for course in (found.effects.today, found.effects.new):
        assert [(each.who[1], each.at_ns // (60 * SECOND)) for each in course.started] == [("y-0", 3)]


def test_who_is_preempted_asks_again_after_five_seconds_under_the_name_that_people_know():  # WL-3
    from workbench.scheduler.records.commands import Release
    from workbench.simulation.scenario import Planned

    ends = Planned(200_000, Release(application_id="night", key="night-0"))
    live = Scenario(config=FENCED, events=full().scenario.events, planned=(ends,))
    found = rollout(FENCED.replace("policy: fence", "policy: default"), live)
    assert found.effects is not None
    victim = found.effects.stopped[0].who
    assert victim == ("night", "night-9")
    # It waits until one of its own ends.
    back = [each for each in found.effects.new.started if each.who == victim]
    assert [(each.again, each.at_ns // (60 * SECOND)) for each in back] == [(1, 3)]
    assert found.effects.again_and_again == ()
    assert "night-9 again after 3 min 20 s" in str(found)


def test_rules_that_send_applications_elsewhere_are_told():
    rules = "[{name: fixed, value: root.b}]"
    found = rollout(design("a:\nb:", placementrules=rules), Cluster(PLAIN).runs("x", "root.a").scenario)
    assert found.effects is not None
    [moved] = found.effects.admissions
    assert (moved.applications, moved.queue, moved.new_queue) == (("x",), "root.a", "root.b")
    assert found.exit_code == 0


def test_applications_that_nobody_may_submit_any_more_would_be_refused():
    closed = PLAIN.replace("submitacl: '*'", "submitacl: ben")
    found = rollout(closed, Cluster(PLAIN).runs("x", "root.a", user="sue").runs("y", "root.b", user="ben").scenario)
    assert found.effects is not None
    assert [(each.user, each.applications) for each in found.effects.refused] == [("sue", ("x",))]
    assert found.exit_code == 1


def test_minute_by_minute_the_use_of_both_is_kept():
    found = rollout(FENCED.replace("policy: fence", "policy: default"), full().scenario, minutes=3)
    assert found.effects is not None
    assert [minute.number for minute in found.effects.minutes] == [0]
    uses = dict(found.effects.uses)
    assert [(one.allocated, other.allocated) for one, other in uses["root.prod"] if one and other] == [
        (Resource(), Resource()),
        (Resource(), Resource(vcore=1000)),
        (Resource(), Resource(vcore=1000)),
        (Resource(), Resource(vcore=1000)),
    ]
