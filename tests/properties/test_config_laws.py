"""Laws of edit, diff and export over generated configurations and random sequences of edits."""

from __future__ import annotations

from dataclasses import replace

from config_strategies import configs, edits, paths, texts
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config import edit, parse_config
from workbench.config.diff import Difference, diff
from workbench.config.model import (
    SchedulerConfig,
)
from workbench.config.read.tree_shape import completed
from workbench.config.write.export import from_configmap, to_configmap, to_yaml
from workbench.values.errors import ConfigError


def edited(config: SchedulerConfig, steps: list[tuple]) -> SchedulerConfig:
    """The configuration after every edit that is possible."""
    for change, *arguments in steps:
        try:
            config = change(config, *arguments)
        except ConfigError as error:
            assert str(error), "a refusal says why"
    return config


@examples(15)
@given(configs())
def test_what_is_exported_reads_back_equal(config):
    assert completed(parse_config(to_yaml(config))) == config
    assert from_configmap(to_configmap(config)) == to_yaml(config)


@examples(15)
@given(configs())
def test_order_survives_export(config):
    back = completed(parse_config(to_yaml(config)))
    for mine, theirs in zip(config.partitions, back.partitions, strict=True):
        for (_, queue), (_, read) in zip(edit.walk(mine.root), edit.walk(theirs.root), strict=True):
            assert list(queue.properties) == list(read.properties)


@examples(20)
@given(configs(), st.lists(edits, max_size=4))
def test_edits_change_no_original_and_keep_the_shape_of_a_loaded_configuration(config, steps):
    before = to_yaml(config)
    changed = edited(config, steps)
    assert to_yaml(config) == before
    assert completed(changed) == changed, "one root per partition, and its limits"
    for partition in changed.partitions:
        found = edit.paths(changed, partition.name)
        assert len(set(found)) == len(found), "every queue has a path of its own"


@examples(15)
@given(configs(), st.lists(edits, max_size=4))
def test_configurations_differ_exactly_when_they_are_unequal(config, steps):
    changed = edited(config, steps)
    # Partition limits are told as those of the root, which stand for them (C-85).
    plain, plain_changed = (
        replace(each, partitions=tuple(replace(partition, limits=()) for partition in each.partitions))
        for each in (config, changed)
    )
    assert (diff(config, changed) == ()) == (plain == plain_changed)


@examples(10)
@given(configs(), st.lists(edits, max_size=3))
def test_the_difference_back_is_the_difference_turned_round(config, steps):
    changed = edited(config, steps)
    turned = {replace(each, old=each.new, new=each.old) for each in diff(changed, config)}
    assert set(diff(config, changed)) == turned
    assert all(each.old != each.new for each in turned)


@examples(10)
@given(configs(), paths, texts, texts)
def test_one_edited_property_is_at_most_one_difference(config, path, key, text):
    try:
        changed = edit.with_property(config, path, key, text)
    except ConfigError:
        return
    old = edit.queue_at(config, path).properties.get(key)
    expected = () if old == text else (Difference(path, f"properties.{key}", old, text),)
    assert diff(config, changed) == expected
    assert edit.with_property(changed, path, key, old) == config


@examples(10)
@given(configs(), paths, paths)
def test_a_move_and_the_move_back_change_at_most_the_order(config, path, parent):
    try:
        moved = edit.with_queue_moved(config, path, parent)
        back = edit.with_queue_moved(moved, f"{parent}.{path.rpartition('.')[2]}", path.rpartition(".")[0])
    except ConfigError:
        return
    assert {each.key for each in diff(config, back)} <= {"queues"}
