"""Generated configurations and edits of them, for laws that hold for all."""

from __future__ import annotations

from hypothesis import strategies as st

from workbench.config import edit
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
