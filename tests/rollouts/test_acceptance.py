"""Would the scheduler accept it, and what changes: parts 1 and 2 of a rollout. RO-1"""

from __future__ import annotations

from rollout_scenes import Cluster, design

from workbench.rollouts import rollout
from workbench.values.resources import Resource

TODAY = design("a: {resources: {max: {vcore: 8}, guaranteed: {vcore: 2}}}\nb:")
RULES = "[{name: nosuch}]"


def live() -> Cluster:
    return Cluster(TODAY).runs("x", "root.a", 2)


def test_a_file_that_validation_refuses_is_refused_at_a_start_and_as_a_reload_in_the_cores_words_with_its_line():
    found = rollout(TODAY.replace("vcore: 2", "vcore: 20"), live().scenario)
    said = "guaranteed resource map[vcore:20000] is larger than maximum resource map[vcore:8000] for queue a"
    assert found.acceptance.at_start.startswith(said)
    assert found.acceptance.as_reload == f"update of configuration failed: {said}"
    assert found.acceptance.line == 7
    assert found.sentence.startswith(f"The scheduler would refuse it: line 7: {said}")
    assert (found.exit_code, found.effects, found.back) == (1, None, None)


def test_what_is_no_yaml_is_refused_too():
    found = rollout("partitions: [\n", live().scenario)
    assert found.exit_code == 1
    assert "not valid YAML" in found.sentence


def test_rules_that_cannot_be_built_are_taken_at_a_start_but_not_as_a_reload():  # C-151, PL-23
    found = rollout(
        TODAY.replace("    queues:\n      - name: root", f"    placementrules: {RULES}\n    queues:\n      - name: root"),
        live().scenario,
    )
    assert found.acceptance.at_start == ""
    assert "unknown rule name specified nosuch" in found.acceptance.as_reload
    assert [each.code for each in found.acceptance.troubles] == ["no-rules"]
    assert found.sentence.startswith("The scheduler would refuse it as a reload: ")
    assert (found.exit_code, found.effects) == (1, None)


def test_a_partition_that_is_taken_away_hangs_the_scheduler():  # C-150
    both = TODAY + TODAY.replace("partitions:\n", "").replace("name: default", "name: gpu")
    found = rollout(TODAY, Cluster(both).scenario)
    assert found.acceptance.hangs == ("gpu",)
    assert found.sentence == "It takes partition gpu away, and a scheduler that runs never comes back from that reload."
    assert (found.exit_code, found.effects) == (1, None)


def test_trying_a_reload_leaves_the_cluster_as_it_is_for_the_next_question():
    found = rollout(design("a: {resources: {max: {vcore: 4}}}\nb:"), live().scenario)
    assert found.acceptance.accepted
    assert found.effects is not None
    assert found.effects.today.uses[0]["root.a"].allocated == Resource(vcore=2000)


def test_every_edit_is_told_in_the_words_of_the_comparison():
    found = rollout(design("a: {resources: {max: {vcore: 6}, guaranteed: {vcore: 2}}}\nc:"), live().scenario)
    assert [str(each) for each in found.edits] == ["root.a: max.vcore 8 → 6", "root.b: removed", "root.c: added"]


def test_comments_and_layout_are_no_change():
    found = rollout(f"# for the audit\n{TODAY}", live().scenario)
    assert found.edits == ()
    assert not found.acceptance.unchanged
    assert found.sentence == "Nothing stands against it: nothing changes, it means what is in force."


def test_what_is_in_force_is_what_the_last_reload_of_the_scenario_brought():
    from workbench.scheduler.records.commands import UpdateConfig

    cluster = live()
    later = TODAY.replace("vcore: 8", "vcore: 5")
    cluster.events.append(UpdateConfig(config=later))
    assert rollout(later, cluster.scenario).nothing_changes
    assert [str(each) for each in rollout(TODAY, cluster.scenario).edits] == ["root.a: max.vcore 5 → 8"]
