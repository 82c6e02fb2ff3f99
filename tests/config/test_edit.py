"""Edits of a configuration: pure, by path, and refused only when the place or the type of the value is wrong."""

from __future__ import annotations

import pytest

from workbench.config import load_config, validate
from workbench.config.edit import (
    paths,
    queue_at,
    with_field,
    with_guaranteed,
    with_max,
    with_node_sorting,
    with_placement_rules,
    with_preemption,
    with_property,
    with_queue_added,
    with_queue_duplicated,
    with_queue_moved,
    with_queue_renamed,
    without_queue,
)
from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    SchedulerConfig,
)
from workbench.values.errors import ConfigError

TEXT = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: '*'
        queues:
          - name: system
          - name: Tenants
            properties: {priority.policy: fence, priority.offset: 5, own.key: v}
            resources: {max: {vcore: 10}}
            queues:
              - name: a
              - name: b
                queues: [{name: deep}]
  - name: gpu
    queues: [{name: root, queues: [{name: only}]}]
"""


@pytest.fixture
def config() -> SchedulerConfig:
    return load_config(TEXT)


def names(config: SchedulerConfig, path: str) -> list[str]:
    return [queue.name for queue in queue_at(config, path).queues]


def test_an_edit_leaves_the_original_alone_and_shares_what_it_did_not_touch(config):
    changed = with_property(config, "root.tenants", "priority.offset", "7")
    assert config == load_config(TEXT)
    assert queue_at(changed, "root.system") is queue_at(config, "root.system")
    assert queue_at(changed, "root.tenants").queues is queue_at(config, "root.tenants").queues
    assert changed.partition("gpu") is config.partition("gpu")


def test_an_edit_that_changes_nothing_returns_what_it_was_given(config):
    assert with_property(config, "root.tenants", "priority.offset", "5") is config
    assert with_property(config, "root.system", "priority.offset", None) is config
    assert with_queue_renamed(config, "root.system", "system") is config
    assert with_queue_moved(config, "root.system", "root", index=0) is config


def test_an_edited_configuration_is_no_longer_the_text_it_was_read_from(config):
    changed = with_property(config, "root.tenants", "priority.offset", "7")
    assert (config.text, changed.text, changed.checksum) == (TEXT, "", "")
    assert queue_at(config, "root.tenants").line == 8
    assert queue_at(changed, "root.tenants").line is queue_at(changed, "root").line is None
    assert queue_at(changed, "root.system").line == 7


def test_paths_ignore_case_and_are_listed_parents_first_in_written_order(config):  # C-60
    assert paths(config) == ("root", "root.system", "root.tenants", "root.tenants.a", "root.tenants.b", "root.tenants.b.deep")
    assert paths(config, "GPU") == ("root", "root.only")
    assert queue_at(config, "ROOT.tenants.A").name == "a"
    assert queue_at(config, "root.tenants").name == "Tenants"


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("root.tenant", "root.tenants"),
        ("root.tenants.bb", "root.tenants.b"),
        ("tenants", "root.tenants"),
        ("root.tenants.a.x", "root.tenants.a"),
    ],
)
def test_an_unknown_path_is_refused_with_the_nearest_known_one(config, path, hint):
    for edit in (
        lambda: with_property(config, path, "k", "v"),
        lambda: without_queue(config, path),
        lambda: with_queue_renamed(config, path, "n"),
        lambda: queue_at(config, path),
        lambda: with_queue_added(config, path, QueueConfig(name="n")),
        lambda: with_queue_moved(config, "root.system", path),
    ):
        with pytest.raises(ConfigError) as error:
            edit()
        assert error.value.text == f"no queue {path!r} in partition 'default'"
        assert error.value.hint == f"nearest known: {hint}"


def test_an_unknown_partition_is_refused_with_the_nearest_known_one(config):
    with pytest.raises(ConfigError, match="no partition 'gpus'.*gpu"):
        with_property(config, "root", "k", "v", partition="gpus")


def test_a_property_is_set_in_place_added_at_the_end_or_removed(config):
    changed = with_property(config, "root.tenants", "priority.offset", "9")
    changed = with_property(changed, "root.tenants", "preemption.delay", "5s")
    changed = with_property(changed, "root.tenants", "priority.policy", None)
    assert list(queue_at(changed, "root.tenants").properties.items()) == [
        ("priority.offset", "9"),
        ("own.key", "v"),
        ("preemption.delay", "5s"),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10, "10"),
        (-1, "-1"),
        (True, "true"),
        (1.5, "1.5"),
        ("", ""),
        ("x", "x"),
    ],
)
def test_values_become_the_text_that_a_configuration_would_hold(config, value, text):  # C-12
    assert queue_at(with_property(config, "root", "k", value), "root").properties["k"] == text
    with pytest.raises(ConfigError, match="k must be text, found"):
        with_property(config, "root", "k", ["x"])


def test_any_property_may_be_set_because_the_scheduler_accepts_any(config):  # C-55
    validate(with_property(config, "root.system", "priority.offset", "ten"))


def test_maximum_and_guaranteed_are_set_and_removed_as_texts(config):
    changed = with_guaranteed(
        with_max(config, "root.tenants.a", {"vcore": 2, "memory": "8Gi"}), "root.tenants.a", {"vcore": "500m"}
    )
    resources = queue_at(changed, "root.tenants.a").resources
    assert (dict(resources.max), dict(resources.guaranteed)) == ({"vcore": "2", "memory": "8Gi"}, {"vcore": "500m"})
    validate(changed)
    assert with_guaranteed(with_max(changed, "root.tenants.a", None), "root.tenants.a", None) == config


def test_a_result_that_the_scheduler_refuses_is_made_all_the_same_and_told_by_validation(config):  # C-42
    changed = with_max(config, "root.tenants.a", {"vcore": "11"})
    with pytest.raises(ConfigError, match="max resource of parent"):
        validate(changed)


@pytest.mark.parametrize(
    ("field", "attribute", "value", "default"),
    [
        ("parent", "parent", True, False),
        ("maxapplications", "max_applications", 3, 0),
        ("submitacl", "submit_acl", "sue dev", ""),
        ("adminacl", "admin_acl", "*", ""),
        ("childtemplate", "child_template", ChildTemplate(max_applications=2), None),
        ("limits", "limits", (Limit(users=("sue",), max_applications=1),), ()),
    ],
)
def test_every_other_field_is_set_by_its_key_or_its_name_and_none_is_the_default(config, field, attribute, value, default):
    changed = with_field(config, "root.system", field, value)
    assert getattr(queue_at(changed, "root.system"), attribute) == value
    assert with_field(config, "root.system", attribute, value) == changed
    back = with_field(changed, "root.system", field, None)
    assert getattr(queue_at(back, "root.system"), attribute) == default and back == config


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("parent", 1),
        ("maxapplications", -1),
        ("maxapplications", True),
        ("maxapplications", 2**64),
        ("maxapplications", "3"),
        ("submitacl", 3),
        ("childtemplate", {}),
        ("limits", [{}]),
        ("limits", "sue"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_the_right_one(config, field, value):
    with pytest.raises(ConfigError, match="must be .*, found"):
        with_field(config, "root.system", field, value)


@pytest.mark.parametrize("field", ["name", "queues", "line", "properties", "maxaplications"])
def test_only_plain_fields_are_set_this_way(config, field):
    with pytest.raises(ConfigError, match="has no field"):
        with_field(config, "root.system", field, None)


def test_limits_of_the_root_replace_those_of_the_partition():  # C-35, C-85
    config = load_config("partitions: [{limits: [{users: [sue], maxapplications: 1}], queues: [{name: root}]}]")
    changed = with_field(config, "root", "limits", (Limit(users=("bob",), max_applications=2),))
    validate(changed)
    assert changed.partition().limits == ()


# --- The tree ---


def test_a_queue_is_added_last_or_at_an_index(config):
    changed = with_queue_added(config, "root", QueueConfig(name="last", queues=(QueueConfig(name="x"),)))
    changed = with_queue_added(changed, "root", QueueConfig(name="first"), index=0)
    assert names(changed, "root") == ["first", "system", "Tenants", "last"]
    assert "root.last.x" in paths(changed)


@pytest.mark.parametrize("name", ["SYSTEM", "tenants"])
def test_a_name_that_a_sibling_has_is_refused_whatever_the_case(config, name):  # C-39
    for edit in (
        lambda: with_queue_added(config, "root", QueueConfig(name=name)),
        lambda: with_queue_renamed(with_queue_added(config, "root", QueueConfig(name="n")), "root.n", name),
        lambda: with_queue_duplicated(config, "root.system", name),
    ):
        with pytest.raises(ConfigError, match="has a child .* already"):
            edit()


@pytest.mark.parametrize("name", ["", "a.b"])
def test_a_name_that_cannot_stand_in_a_path_is_refused(config, name):
    with pytest.raises(ConfigError, match="cannot name a queue"):
        with_queue_renamed(config, "root.system", name)


def test_a_queue_goes_with_everything_below_it(config):
    assert paths(without_queue(config, "root.TENANTS")) == ("root", "root.system")
    assert queue_at(without_queue(config, "root.tenants.b.deep"), "root.tenants.b").queues == (), "now a leaf"


def test_a_renamed_queue_keeps_its_place_and_may_change_its_case(config):
    assert names(with_queue_renamed(config, "root.system", "infra"), "root") == ["infra", "Tenants"]
    assert names(with_queue_renamed(config, "root.tenants", "TENANTS"), "root") == ["system", "TENANTS"]


def test_a_queue_moves_with_everything_below_it_to_the_end_or_an_index(config):
    assert paths(with_queue_moved(config, "root.tenants.b", "root.system")) == (
        "root",
        "root.system",
        "root.system.b",
        "root.system.b.deep",
        "root.tenants",
        "root.tenants.a",
    )
    assert names(with_queue_moved(config, "root.system", "root"), "root") == ["Tenants", "system"]
    assert names(with_queue_moved(config, "root.tenants.b", "root", index=1), "root") == ["system", "b", "Tenants"]


@pytest.mark.parametrize("parent", ["root.tenants", "root.Tenants.b", "root.tenants.b.deep"])
def test_a_queue_does_not_move_below_itself(config, parent):
    with pytest.raises(ConfigError, match="below itself"):
        with_queue_moved(config, "root.tenants", parent)


def test_a_queue_whose_path_only_starts_alike_is_not_below(config):
    changed = with_queue_added(config, "root", QueueConfig(name="tenants2"))
    assert "root.tenants2.tenants" in paths(with_queue_moved(changed, "root.tenants", "root.tenants2"))


def test_a_queue_does_not_move_next_to_one_of_its_name(config):
    changed = with_queue_added(config, "root", QueueConfig(name="A"))
    with pytest.raises(ConfigError, match="has a child 'a' already"):
        with_queue_moved(changed, "root.a", "root.tenants")


def test_a_duplicate_stands_behind_the_original_under_a_free_name(config):
    changed = with_queue_duplicated(with_queue_duplicated(config, "root.tenants"), "root.tenants")
    assert names(changed, "root") == ["system", "Tenants", "Tenants-copy-2", "Tenants-copy"]
    assert queue_at(changed, "root.tenants-copy").queues == queue_at(config, "root.tenants").queues
    assert names(with_queue_duplicated(config, "root.system", "x"), "root") == ["system", "x", "Tenants"]


def test_the_copy_of_a_longest_name_is_not_too_long(config):  # C-60
    changed = with_queue_duplicated(with_queue_added(config, "root", QueueConfig(name="q" * 64)), "root." + "q" * 64)
    validate(changed)
    assert names(changed, "root")[-1] == "q" * 59 + "-copy"


@pytest.mark.parametrize(
    "edit",
    [
        lambda config: without_queue(config, "root"),
        lambda config: with_queue_renamed(config, "root", "top"),
        lambda config: with_queue_moved(config, "root", "root.system"),
        lambda config: with_queue_duplicated(config, "root"),
    ],
    ids=["removed", "renamed", "moved", "duplicated"],
)
def test_the_root_stays(config, edit):
    with pytest.raises(ConfigError, match="root"):
        edit(config)


# --- The partition ---


def test_placement_rules_are_replaced_as_a_list(config):
    rules = (PlacementRule(name="user", create=True), PlacementRule(name="provided"))
    changed = with_placement_rules(config, rules)
    assert changed.partition().placement_rules == rules and changed.partition("gpu").placement_rules == ()
    assert with_placement_rules(changed, ()) == config


def test_node_sorting_is_replaced(config):
    packing = NodeSorting(type="binpacking", weights={"vcore": 2.0})
    changed = with_node_sorting(config, packing)
    assert changed.partition().node_sorting == packing
    assert with_node_sorting(changed, NodeSorting()) == config


def test_preemption_switches_are_replaced(config):
    changed = with_preemption(config, PreemptionSwitches(enabled=False), partition="gpu")
    assert changed.partition("gpu").preemption.enabled is False and changed.partition().preemption.enabled is None
    assert with_preemption(changed, PreemptionSwitches(), partition="gpu") == config


def test_settings_of_the_partition_must_have_their_type(config):
    for edit in (
        lambda: with_placement_rules(config, ({"name": "user"},)),
        lambda: with_node_sorting(config, "fair"),
        lambda: with_preemption(config, True),
    ):
        with pytest.raises(ConfigError):
            edit()
