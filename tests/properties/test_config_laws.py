"""Laws of edit, diff and export over generated configurations and random sequences of edits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config import edit, parse_config
from workbench.config.diff import Difference, diff
from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    ResourcesConfig,
    RuleFilter,
    SchedulerConfig,
)
from workbench.config.read.tree_shape import completed
from workbench.config.write.export import from_configmap, to_configmap, to_yaml
from workbench.values.errors import ConfigError

# Characters that no YAML may hold even escaped are the business of the reader.
texts = st.one_of(
    st.sampled_from(["", "fence", "5", "-1", "8Gi", "500m", "true", "null", "*", "sue dev", "a: b", "1e3", "x\ny"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
names = st.sampled_from(["a", "b", "c", "d"])
counts = st.integers(0, 3) | st.sampled_from([2**63, 2**64 - 1])
maps = st.dictionaries(texts, texts, max_size=3)
resources = st.builds(ResourcesConfig, guaranteed=st.none() | maps, max=st.none() | maps)
templates = st.builds(ChildTemplate, max_applications=counts, properties=maps, resources=resources)
rules = st.recursive(
    st.builds(
        PlacementRule,
        name=texts,
        create=st.booleans(),
        value=texts,
        filter=st.builds(RuleFilter, type=texts, users=st.lists(texts, max_size=2).map(tuple), groups=st.just(())),
    ),
    lambda inner: st.builds(PlacementRule, name=texts, parent=inner),
    max_leaves=3,
)


@st.composite
def limit_lists(draw) -> tuple[Limit, ...]:
    """Limits of which no two share users, as in a valid queue."""
    users = draw(st.lists(st.sampled_from(["sue", "bob", "joe"]), unique=True, max_size=3))
    return tuple(
        Limit(
            limit=draw(texts),
            users=(user,),
            groups=draw(st.sampled_from([(), ("dev",)])),
            max_applications=draw(counts),
            max_resources=draw(st.none() | maps),
        )
        for user in users
    )


@st.composite
def queues(draw, name: str = "", depth: int = 3) -> QueueConfig:
    below = draw(st.lists(names, unique=True, max_size=3)) if depth else []
    return QueueConfig(
        name=name,
        parent=draw(st.booleans()),
        queues=tuple(draw(queues(child, depth - 1)) for child in below),
        max_applications=draw(counts),
        resources=draw(resources),
        properties=draw(maps),
        admin_acl=draw(texts),
        submit_acl=draw(texts),
        child_template=draw(st.none() | templates),
        limits=draw(limit_lists()),
    )


@st.composite
def configs(draw) -> SchedulerConfig:
    """Completed configurations: readable, but not necessarily acceptable to the scheduler."""
    partitions = [
        PartitionConfig(
            name=name, queues=(draw(queues("root")),), placement_rules=tuple(draw(st.lists(rules, max_size=2))),
            limits=draw(st.just(()) | limit_lists()), user_group_resolver=draw(texts),
            node_sorting=NodeSorting(type=draw(texts), weights=draw(
                st.dictionaries(texts, st.floats(allow_nan=False), max_size=2))),
            preemption=draw(st.builds(PreemptionSwitches, enabled=st.none() | st.booleans(),
                                      quota_enabled=st.none() | st.booleans())),
        )
        for name in draw(st.sampled_from([["default"], ["default", "gpu"], []]))
    ]  # fmt: skip
    return completed(SchedulerConfig(partitions=tuple(partitions)))


paths = st.lists(names, max_size=3).map(lambda below: ".".join(["root", *below]))
edits = st.one_of(
    st.tuples(st.just(edit.with_property), paths, texts, st.none() | texts),
    st.tuples(st.just(edit.with_max), paths, st.none() | maps),
    st.tuples(st.just(edit.with_guaranteed), paths, st.none() | maps),
    st.tuples(st.just(edit.with_field), paths, st.just("maxapplications"), counts),
    st.tuples(st.just(edit.with_field), paths, st.just("limits"), limit_lists()),
    st.tuples(st.just(edit.with_field), paths, st.just("childtemplate"), st.none() | templates),
    st.tuples(st.just(edit.with_queue_added), paths, names.flatmap(lambda name: queues(name, 1))),
    st.tuples(st.just(edit.without_queue), paths),
    st.tuples(st.just(edit.with_queue_renamed), paths, names),
    st.tuples(st.just(edit.with_queue_moved), paths, paths),
    st.tuples(st.just(edit.with_queue_duplicated), paths),
)


def edited(config: SchedulerConfig, steps: list[tuple]) -> SchedulerConfig:
    """The configuration after every edit that is possible."""
    for change, *arguments in steps:
        try:
            config = change(config, *arguments)
        except ConfigError as error:
            assert str(error), "a refusal says why"
    return config


@examples(40)
@given(configs())
def test_what_is_exported_reads_back_equal(config):
    assert completed(parse_config(to_yaml(config))) == config
    assert from_configmap(to_configmap(config)) == to_yaml(config)


@examples(40)
@given(configs())
def test_order_survives_export(config):
    back = completed(parse_config(to_yaml(config)))
    for mine, theirs in zip(config.partitions, back.partitions, strict=True):
        for (_, queue), (_, read) in zip(edit.walk(mine.root), edit.walk(theirs.root), strict=True):
            assert list(queue.properties) == list(read.properties)


@examples(40)
@given(configs(), st.lists(edits, max_size=4))
def test_edits_change_no_original_and_keep_the_shape_of_a_loaded_configuration(config, steps):
    before = to_yaml(config)
    changed = edited(config, steps)
    assert to_yaml(config) == before
    assert completed(changed) == changed, "one root per partition, and its limits"
    for partition in changed.partitions:
        found = edit.paths(changed, partition.name)
        assert len(set(found)) == len(found), "every queue has a path of its own"


@examples(40)
@given(configs(), st.lists(edits, max_size=4))
def test_configurations_differ_exactly_when_they_are_unequal(config, steps):
    changed = edited(config, steps)
    # Partition limits are told as those of the root, which stand for them (C-85).
    plain, plain_changed = (
        replace(each, partitions=tuple(replace(partition, limits=()) for partition in each.partitions))
        for each in (config, changed)
    )
    assert (diff(config, changed) == ()) == (plain == plain_changed)


@examples(40)
@given(configs(), st.lists(edits, max_size=3))
def test_the_difference_back_is_the_difference_turned_round(config, steps):
    changed = edited(config, steps)
    turned = {replace(each, old=each.new, new=each.old) for each in diff(changed, config)}
    assert set(diff(config, changed)) == turned
    assert all(each.old != each.new for each in turned)


@examples(40)
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


@examples(40)
@given(configs(), paths, paths)
def test_a_move_and_the_move_back_change_at_most_the_order(config, path, parent):
    try:
        moved = edit.with_queue_moved(config, path, parent)
        back = edit.with_queue_moved(moved, f"{parent}.{path.rpartition('.')[2]}", path.rpartition(".")[0])
    except ConfigError:
        return
    assert {each.key for each in diff(config, back)} <= {"queues"}
