"""Chapter 02, from the configuration to running queues: building (11), templates (13), reload (14), removal (15), versions (17)."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts, config_text

from workbench.cli import main
from workbench.config import edit, load_config
from workbench.config.service import ServiceConfig
from workbench.config.write.export import accepted, to_yaml
from workbench.scheduler import policies
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import access, limits
from workbench.scheduler.records.commands import UpdateConfig
from workbench.scheduler.records.events import ConfigRejected
from workbench.simulation.digest import digest
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource

USER_RULE = [{"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.p"}}]


def test_the_queue_configuration_can_change_while_the_scheduler_runs():  # C-1, C-2
    scene = Scene("a: {}").reload("a: {}\nb: {}")
    assert scene.has_queue("root.b")
    assert ServiceConfig({"log.level": "debug"}).value("log.level") == -1  # apart from it, a flat list of texts


def test_texts_show_the_internal_name_of_a_partition_where_the_core_does():  # C-24
    scene = Scene().app("x").app("x")
    assert scene.refused() == ["adding application x to partition [rm:1]default, but application already existed"]
    assert scene.partition.name == "default"


@pytest.mark.parametrize(("queues", "text"), [
    ("a: {limits: [{limit: x}]}", "empty user and group lists"),
    ("p: {maxapplications: 1, a: {maxapplications: 2}}", "parent maxApplications must be larger"),
    ("p: {limits: [{limit: x, users: [u], maxapplications: 1}], a: {limits: [{limit: y, users: [u], maxapplications: 2}]}}",
     "greater than immediate or ancestor parent max applications"),
    ("p: {limits: [{limit: x, users: [u], maxresources: {vcore: 1}}], "
     "a: {limits: [{limit: y, users: [u], maxresources: {vcore: 2}}]}}",
     "greater than immediate or ancestor parent maximum resource"),
], ids=["limits of a queue", "maxapplications", "applications down the tree", "resources down the tree"])  # fmt: skip
def test_every_step_of_validation_speaks_in_the_cores_words(queues, text):  # C-37, C-53, C-54
    with pytest.raises(ConfigError, match=text):
        load_config(config_text(queues))


def test_names_in_acls_follow_stricter_patterns_than_limits():  # C-64, C-103
    scene = Scene("a: {submitacl: 'sue:x'}", confirm=False)
    assert not scene.queue("root.a").submit_acl.allows("sue:x", ())
    load_config(config_text("a: {limits: [{limit: x, users: ['sue:x'], maxapplications: 1}]}"))


@pytest.mark.parametrize(("queue", "is_leaf"), [
    ("{}", True), ("{parent: true}", False), ("{parent: false, c: {}}", False), ("{c: {}}", False),
])  # fmt: skip
def test_a_queue_is_a_leaf_unless_it_says_parent_or_has_children(queue, is_leaf):  # C-120
    assert Scene(f"a: {queue}").queue("root.a").is_leaf is is_leaf


def test_quirk_a_nested_queue_named_root_loses_its_resources():  # C-121
    scene = Scene("p: {root: {max: {vcore: 3}}, other: {max: {vcore: 3}}}")
    assert scene.queue("root.p.root").maximum is None
    assert scene.queue("root.p.other").maximum == amounts(vcore=3)


def test_the_roots_application_limit_is_set_once():  # C-121, C-157
    text = config_text("a: {}")
    scene = Scene("a: {}")
    scene.send(UpdateConfig(config=text.replace("- name: root", "- name: root\n    maxapplications: 3")))
    assert scene.queue("root").max_applications == 0


def test_a_maximum_without_anything_positive_is_none_but_a_zero_beside_it_counts():  # C-122
    scene = Scene("zero: {max: {vcore: 0}}\nmixed: {max: {vcore: 0, memory: 5}}")
    assert scene.queue("root.zero").maximum is None
    assert scene.queue("root.mixed").maximum == Resource(vcore=0, memory=5)


def test_the_roots_maximum_is_the_capacity_of_all_nodes():  # C-123
    scene = Scene()
    assert scene.queue("root").maximum is None
    scene.node("n1", vcore=2, memory=0).node("n2", vcore=3)
    assert scene.queue("root").maximum == amounts(vcore=5)
    assert scene.queue("root").guaranteed is None


def test_the_effective_maximum_and_headroom_are_the_smallest_over_the_path():  # C-124
    scene = Scene("p: {max: {vcore: 5}, a: {max: {memory: 9}}}").node("n1", vcore=100, memory=100)
    leaf = scene.queue("root.p.a")
    assert limits.path_maximum(leaf, with_root=False) == Resource(vcore=5000, memory=9)
    scene.app("x", "root.p.a").ask("x", "k", vcore=2, memory=3).cycles(1)
    assert limits.queue_headroom(leaf) == Resource(vcore=3000, memory=6)


@pytest.mark.parametrize(("text", "reason"), [
    (config_text("a: {submitacl: 'sue  dev'}"), "configured queue creation failed: \nmultiple spaces found in ACL"),
    (config_text("a: {parent: true, template: {resources: {max: {vcore: 1x}}}}"),
     "configured queue creation failed: \ninvalid quantity"),
    (config_text("a: {}").replace("name: root", "name: Root"), "partition cannot be created without root queue"),
], ids=["acl", "template", "root"])  # fmt: skip
def test_some_faults_show_only_when_a_valid_configuration_is_loaded(text, reason):  # C-125, C-172
    config = load_config(text)  # what a validation service answers: allowed
    with pytest.raises(ConfigError) as failure:
        Engine(config)
    assert reason in failure.value.text


def test_a_template_is_kept_by_parents_and_absent_when_it_says_nothing():  # C-140
    scene = Scene(
        "p: {parent: true, template: {maxapplications: 2}}\nleaf: {template: {resources: {max: {vcore: 1x}}}}\n"
        "empty: {parent: true, template: {properties: {}}}"
    )
    assert scene.queue("root.p").template.max_applications == 2
    assert scene.queue("root.leaf").template is scene.queue("root.empty").template is None


def test_the_nearest_template_above_counts():  # C-141
    scene = Scene("p: {template: {maxapplications: 2}, q: {parent: true}, r: {parent: true, template: {maxapplications: 3}}}")
    assert scene.queue("root.p.q").template.max_applications == 2
    assert scene.queue("root.p.r").template.max_applications == 3


def test_a_template_is_not_checked_against_the_tree():  # C-142, C-143
    scene = Scene(
        "p: {parent: true, max: {vcore: 2}, template: {resources: {guaranteed: {vcore: 9}, max: {vcore: 5}}}}",
        placementrules=USER_RULE,
    )
    scene.node("n1", vcore=20).app("x", "", "sue").asks("x", 4)
    leaf = scene.queue("root.p.sue")
    assert (leaf.guaranteed, leaf.maximum) == (amounts(vcore=9), amounts(vcore=5))
    assert len(scene.cycles(4)) == 2  # limits of the path still hold


def test_a_changed_template_counts_for_leaves_made_later_and_an_inherited_one_is_lost():  # C-144
    before = "p: {parent: true, template: {maxapplications: 1}, q: {parent: true}}"
    scene = Scene(before, placementrules=USER_RULE).app("x", "", "sue")
    scene.reload(before.replace("maxapplications: 1", "maxapplications: 7"), placementrules=USER_RULE).app("y", "", "bob")
    assert scene.queue("root.p.sue").max_applications == 1
    assert scene.queue("root.p.bob").max_applications == 7
    assert scene.queue("root.p.q").template is None  # quirk


def test_an_update_is_whole_or_not_at_all():  # C-150
    scene = Scene("a: {}\nb: {max: {vcore: 5}}")
    scene.forget().reload("a: {submitacl: 'sue  dev'}\nb: {max: {vcore: 9}}\nc: {}")
    assert "configured queue creation failed" in scene.refused()[0]
    assert scene.queue("root.b").maximum == amounts(vcore=5)
    assert not scene.has_queue("root.c")


def test_the_same_text_again_does_nothing():  # C-150, C-13
    scene = Scene("a: {}").node("n1", vcore=10).node("n2", vcore=10)
    scene.ask("", "f", on="n1", foreign=True, vcore=5)
    scene.reload("a: {}")
    assert scene.on("n1").score == 0  # a reload would have refreshed it, R-559
    scene.reload("a: {}\nb: {}")
    assert scene.on("n1").score > 0


def test_a_new_partition_is_created_and_a_missing_one_goes():  # C-150
    both = config_text("a: {}") + config_text("z: {}").replace("partitions:\n", "").replace("name: default", "name: other")
    scene = Scene("a: {}").send(UpdateConfig(config=both))
    assert sorted(scene.engine.state.partitions) == ["default", "other"]
    scene.node("n1", vcore=5).app("x").asks("x", 2).cycles(1)
    scene.forget().send(UpdateConfig(config=config_text("z: {}").replace("name: default", "name: other")))
    assert sorted(scene.engine.state.partitions) == ["other"]  # the core hangs here; this is what it means to do
    assert scene.states("x") == ["Failing"]
    assert scene.released("STOPPED_BY_RM") == ["x-0"]


def test_rules_order_switches_queues_and_limits_all_change():  # C-151
    scene = Scene("a: {}").node("n1", vcore=5)
    scene.reload(
        "a: {limits: [{limit: x, users: [u], maxapplications: 1}]}",
        nodesortpolicy={"type": "binpacking"},
        preemption={"enabled": False},
        placementrules=[{"name": "fixed", "value": "a"}],
    )
    assert scene.partition.node_policy == "binpacking"
    assert not scene.partition.preemption_enabled
    assert scene.app("x", "anything").application("x").queue_path == "root.a"
    assert "u" in scene.partition.users.users
    scene.forget().reload("a: {}", placementrules=[{"name": "nosuch"}])
    assert scene.refused() == ["update of configuration failed: unknown rule name specified nosuch, failing placement rule config"]


def test_a_queue_in_both_gets_the_new_settings_and_works_again_if_it_drained():  # C-152
    scene = Scene("a: {}\nb: {}").reload("a: {}")
    assert scene.queue("root.b").status == "Draining"
    scene.reload("a: {}\nb: {max: {vcore: 2}, maxapplications: 3, submitacl: sue}")
    b = scene.queue("root.b")
    assert (b.status, b.maximum, b.max_applications) == ("Active", amounts(vcore=2), 3)
    assert b.submit_acl.allows("sue", ())


def test_a_dynamic_queue_becomes_managed_when_it_is_configured():  # C-152, C-164
    scene = Scene("p: {parent: true}", placementrules=USER_RULE).app("x", "", "sue")
    assert not scene.queue("root.p.sue").is_managed
    scene.reload("p: {parent: true, sue: {}}", placementrules=USER_RULE)
    assert scene.queue("root.p.sue").is_managed


def test_quirk_only_listed_properties_are_evaluated_and_nothing_is_reset_or_inherited():  # C-153, R-429
    scene = Scene("p: {priority.offset: 100, preemption.delay: 5s, a: {}}")
    scene.reload("p: {a: {}, preemption.delay: 7s, b: {}}")
    assert scene.queue("root.p").settings.priority_offset == 100
    assert scene.queue("root.p.a").settings.preemption_delay_ns == 5 * 10**9
    assert scene.queue("root.p.b").settings.preemption_delay_ns == 7 * 10**9


def test_quirk_a_queue_may_change_between_leaf_and_parent_with_what_it_holds():  # C-154
    scene = Scene("a: {}").node("n1", vcore=9).app("x").asks("x", 2)
    scene.cycles(1)
    scene.reload("a: {parent: true}")
    assert not scene.queue("root.a").is_leaf
    assert scene.used("root.a") == 1
    assert scene.app("y", "root.a").state("y") == "Rejected"
    scene.reload("a: {}")
    assert scene.queue("root.a").is_leaf
    assert scene.queue("root.a").settings.application_sort_policy == "fair"


def test_lowering_a_maximum_only_blocks_and_a_guarantee_acts_on_the_next_cycle():  # C-155
    scene = Scene("a: {max: {vcore: 5}}\nb: {}").node("n1", vcore=9)
    scene.app("x").asks("x", 6).cycles(3)
    scene.reload("a: {max: {vcore: 2}, guaranteed: {vcore: 2}}\nb: {}")
    assert scene.used("root.a") == 3
    assert scene.cycles(2) == []
    share = policies.order_queues(scene.queue("root"), scene.queue("root").maximum)[1][0][0].share
    assert share == 1.5


def test_the_path_comparison_ignores_case():  # C-156
    scene = Scene("Dev: {}").app("x", "root.dev").reload("DEV: {}")
    assert scene.queue("root.dev").status == "Active"
    assert list(scene.queue("root").children) == ["dev"]


def test_a_queue_missing_from_the_text_drains_with_its_managed_descendants():  # C-160, R-496
    scene = Scene("p: {a: {}}\nb: {}").app("x", "root.p.a").reload("b: {}")
    assert scene.queue("root.p").status == scene.queue("root.p.a").status == "Draining"
    dynamic = Scene("p: {parent: true}\nb: {}", placementrules=USER_RULE).app("x", "", "sue").reload("b: {}")
    assert dynamic.queue("root.p.sue").status == "Active"


def test_a_draining_leaf_works_on_and_takes_no_new_applications():  # C-161, R-431
    scene = Scene("a: {}\nb: {}").node("n1", vcore=9).app("x", "root.b").asks("x", 3).reload("a: {}")
    assert len(scene.cycles(3)) == 3
    assert scene.app("y", "root.b").state("y") == "Rejected"


def test_a_draining_parent_takes_no_new_children_but_existing_ones_go_on():  # C-161
    rules = [{"name": "provided", "create": True}]
    scene = Scene("p: {parent: true}\nb: {}", placementrules=rules).app("x", "root.p.old").reload("b: {}", placementrules=rules)
    assert "queue is marked for deletion: root.p" in scene.forget().app("y", "root.p.new").refused()[0]
    assert scene.app("z", "root.p.old").state("z") == "New"


def test_a_stopped_queue_is_left_out_of_the_order():  # C-162, W-02
    scene = Scene("a: {}\nb: {}").node("n1", vcore=9)
    scene.app("x", "root.a").ask("x", "k").app("y", "root.b").ask("y", "l")
    scene.queue("root.a").status = "Stopped"
    decision = scene.cycle()
    assert decision.key == "l"
    assert [refusal.code for refusal in decision.levels[0].filtered] == ["W-02"]


def test_the_cleaner_removes_empty_dynamic_and_draining_queues_bottom_up():  # C-163, C-164
    scene = Scene("a: {}\np: {q: {}}", placementrules=[{"name": "provided", "create": True}])
    scene.app("x", "root.new.leaf").reload("a: {}", placementrules=[{"name": "provided", "create": True}])
    scene.remove_app("x").advance(10)
    assert sorted(scene.queue("root").children) == ["a"]
    assert scene.app("y", "root.new.leaf").queue("root.new.leaf").is_managed is False


def test_a_partition_that_drains_or_stopped_refuses_applications_and_nodes():  # C-165, R-497
    scene = Scene()
    for status in ("Draining", "Stopped"):
        scene.partition.status = status
        scene.forget().app("x").node("n1", vcore=1)
        assert all("is stopped cannot add a new" in reason for reason in scene.refused())
        assert len(scene.refused()) == 2


@pytest.mark.parametrize(("queues", "allowed", "answer"), [
    ("a: {}", True, "valid: 1 partition, 2 queues"),
    ("a: {submitacl: 'sue dev ops'}", False, "multiple spaces found in ACL: 'sue dev ops'"),
    ("a: {submitacl: ' sue dev'}", True, "valid: 1 partition, 2 queues"),
], ids=["allowed", "refused with the text of the error", "allowed although it will not load"])  # fmt: skip
def test_the_answer_to_a_validation_is_yes_or_the_first_error(tmp_path, capsys, queues, allowed, answer):  # C-172, C-102
    path = tmp_path / "queues.yaml"
    path.write_text(config_text(queues))
    assert main(["validate", str(path)]) == (0 if allowed else 1)
    assert answer in capsys.readouterr().out


def test_an_allowed_text_may_still_fail_to_load():  # C-172, C-55
    load_config(config_text("a: {nonsense.key: x, priority.offset: many}"))
    with pytest.raises(ConfigError):
        load_config("partitions:\n- name: default\n  queues:\n  - name: root\n    nonsense: 1\n")


def test_admin_rights_are_asked_up_the_tree_and_a_bare_root_lets_nobody_in():  # C-106, C-107
    scene = Scene("p: {adminacl: ops, a: {}}")
    assert access.may_administer(scene.queue("root.p.a"), "ops", ())
    assert not access.may_administer(scene.queue("root"), "ops", ())


@pytest.mark.parametrize(("queues", "text"), [
    ("p: {guaranteed: {vcore: 1}, a: {guaranteed: {vcore: 2}}}", "smaller than sum of guaranteed resources"),
    ("p: {maxapplications: 2, a: {}}", "maxApplications is either undefined or zero"),
    ("'a b': {}", "invalid queue name, max 64 characters"),
    ("a: {limits: [{limit: x, users: [u, u], maxapplications: 1}]}", "duplicated user name 'u', already exists"),
], ids=["C-181", "C-182 applications", "C-180 names", "C-182 duplicates"])  # fmt: skip
def test_of_the_texts_that_changed_between_releases_those_of_1_8_hold(queues, text):  # C-180, C-181, C-182
    with pytest.raises(ConfigError, match=text):
        load_config(config_text(queues))


def test_a_guarantee_of_a_type_that_the_parent_omits_is_free():  # C-181, C-72
    load_config(config_text("p: {guaranteed: {memory: 1}, a: {guaranteed: {vcore: 2}}}"))


def test_stateaware_is_fifo_in_1_8_and_a_policy_of_its_own_before():  # C-183
    assert Scene("a: {application.sort.policy: stateaware}").queue("root.a").settings.application_sort_policy == "fifo"
    older = Engine(load_config(config_text("a: {application.sort.policy: stateaware}")), release="1.4")
    assert older.state.partitions["default"].root.children["a"].settings.application_sort_policy == "stateaware"


def test_quota_preemption_and_backoff_do_not_exist_before_1_8():  # C-184
    text = config_text("a: {application.unschedasks.backoff: 1, preemption.quota.delay: 1s}")
    newer, older = Engine(load_config(text)), Engine(load_config(text), release="1.4")
    a_new, a_old = (each.state.partitions["default"].root.children["a"].settings for each in (newer, older))
    assert (a_new.backoff_threshold, a_new.quota_preemption_delay_ns) == (1, 10**9)
    assert (a_old.backoff_threshold, a_old.quota_preemption_delay_ns) == (0, 0)


# A configuration instead of its text


def test_an_update_by_a_configuration_is_the_update_by_its_text():  # C-150
    scenes = [Scene("a: {max: {vcore: 3}}\nb: {}").node("n", vcore=4) for _ in range(2)]
    changed = accepted(edit.with_max(load_config(config_text("a: {max: {vcore: 3}}\nb: {}")), "root.a", {"vcore": 2}))
    by_config, by_text = (
        scene.send(UpdateConfig(config=said)) for scene, said in zip(scenes, (changed, to_yaml(changed)), strict=True)
    )
    assert by_config.queue("root.a").maximum == amounts(vcore=2)
    assert digest(by_config.engine.state) == digest(by_text.engine.state)


def test_a_configuration_whose_text_differs_only_in_a_checksum_is_no_update():  # C-13, C-150
    config = load_config(config_text("a: {checked.sum: '1'}").replace("checked.sum: '1'", f"checksum: {'x' * 64}"))
    other = accepted(edit.with_property(config, "root.a", "checksum", "y" * 64))
    for said in (other, to_yaml(other)):
        engine = Engine(config)
        assert engine.apply(UpdateConfig(config=said)) == ()
        assert engine.state.config is config


def test_a_configuration_that_the_scheduler_refuses_is_rejected_as_its_text_is():  # C-150
    refused = edit.with_max(load_config(config_text("a: {}")), "root.a", {"vcore": "-1"})
    events = [Scene("a: {}").engine.apply(UpdateConfig(config=said)) for said in (refused, to_yaml(refused))]
    assert events[0] == events[1] and isinstance(events[0][0], ConfigRejected)
