"""What a sweep can vary, and how an address that leads nowhere is told. SW-1."""

from __future__ import annotations

import pytest
from sweep_plans import DESIGN

from workbench.bench import schema
from workbench.config import edit, load_config
from workbench.sweeps import settings
from workbench.sweeps.settings import address_of, with_setting
from workbench.values.errors import ConfigError

CONFIG = load_config(DESIGN)


def changed(address: str, value: object):
    found = address_of(address, CONFIG)
    assert found is not None
    return with_setting(CONFIG, found, value)


def test_whatever_the_editor_edits_can_be_varied():
    assert set(settings.QUEUE_SETTINGS) == set(schema.SETTINGS)
    assert set(settings.PARTITION_SETTINGS) == set(schema.OF_PARTITION)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("parent", "true"),
        ("maxapplications", "7"),
        ("priority.offset", "100"),
        ("priority.policy", "fence"),
        ("preemption.delay", "45s"),
        ("resources.guaranteed", "{vcore: 2, memory: 1Gi}"),
        ("resources.max", "vcore: 6"),
        ("limits", "- {limit: few, users: ['*'], maxapplications: 3}"),
        ("submitacl", "alice,bob"),
        ("childtemplate", "maxapplications: 5"),
    ],
)
def test_a_value_as_the_editor_takes_it_makes_the_design_that_the_editor_makes(key, value):
    assert changed(f"root.batch:{key}", value) == schema.SETTINGS[key].write(CONFIG, "default", "root.batch", value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("nodesortpolicy.type", "binpacking"),
        ("nodesortpolicy.resourceweights", "vcore: 2, memory: 1"),
        ("preemption.enabled", "false"),
        ("preemption.quotapreemptionenabled", "true"),
        ("placementrules", "- {name: provided}"),
    ],
)
def test_a_setting_of_the_partition_too(key, value):
    assert changed(f"partition:{key}", value) == schema.OF_PARTITION[key].write(CONFIG, "default", "partition", value)


def test_values_may_be_numbers_switches_mappings_and_lists():
    assert changed("root.batch:priority.offset", 100) == edit.with_property(CONFIG, "root.batch", "priority.offset", "100")
    assert changed("partition:preemption.enabled", False) == changed("partition:preemption.enabled", "false")
    assert changed("root.batch:resources.max", {"vcore": 6}) == changed("root.batch:resources.max", "vcore: 6")
    assert changed("root.batch:limits", [{"users": ["*"], "maxapplications": 3}]) != CONFIG


def test_none_takes_a_setting_away():
    assert edit.queue_at(changed("root.prod:resources.max", None), "root.prod").resources.max is None


def test_one_resource_of_a_maximum_leaves_the_others_alone():
    config = changed("root.prod:resources.max.vcore", 12)
    assert dict(edit.queue_at(config, "root.prod").resources.max or {}) == {"vcore": "12", "memory": "8Gi"}
    assert dict(edit.queue_at(changed("root.prod:resources.max.vcore", None), "root.prod").resources.max or {}) == {"memory": "8Gi"}


def test_the_nodes_the_load_and_the_release_are_no_settings_of_a_design():
    assert [address_of(name, CONFIG) for name in ("nodes", "load", "release")] == [None] * 3


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("root.prd:priority.offset", "no queue 'root.prd' in partition 'default' (nearest known: root.prod)"),
        ("root.prod:priority.ofset", "did you mean priority.offset? there are parent, maxapplications"),
        ("root.prod:preemption.enabled", "is one of the other kind"),
        ("partition:resources.max", "there are nodesortpolicy.type"),
        ("nods", "is no address of a setting (write QUEUE:SETTING such as root.prod:priority.offset"),
        (":priority.offset", "a partition has no setting"),
    ],
)
def test_an_address_that_leads_nowhere_says_what_there_is(address, says):
    with pytest.raises(ConfigError) as told:
        address_of(address, CONFIG)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("address", "value", "says"),
    [
        ("root.prod:priority.offset", "much", "root.prod:priority.offset: 'much' is no whole number; the default holds: 0"),
        ("root.prod:maxapplications", -1, "must be a whole number from 0 up, found -1"),
        ("root.prod:resources.max", 5, "must be amounts such as {vcore: 4, memory: 8Gi}, found 5"),
        ("partition:preemption.enabled", "perhaps", "must be true or false, found the text 'perhaps'"),
        ("root.prod:submitacl", object(), "found a value of type object"),
    ],
)
def test_a_value_that_means_nothing_there_is_told_with_its_setting(address, value, says):
    with pytest.raises(ConfigError) as told:
        changed(address, value)
    assert says in str(told.value)


def test_a_queue_of_another_partition_has_the_partition_before_it():
    config = load_config(DESIGN + "  - name: gpu\n    queues: [{name: root, queues: [{name: lab}]}]\n")
    address = address_of("gpu/root.lab:priority.offset", config)
    assert address is not None
    assert edit.queue_at(with_setting(config, address, 5), "root.lab", "gpu").properties == {"priority.offset": "5"}
    assert with_setting(config, address, 5).partition("default") == config.partition("default")
