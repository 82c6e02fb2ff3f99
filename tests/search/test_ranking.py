"""Repaired orders are the orders of `policies`, whatever was touched since they were last read: each once, and no other."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scenes import Scene

from workbench.scheduler import policies
from workbench.scheduler.releases import profiles
from workbench.scheduler.search.ranking import ApplicationRanking, QueueRanking
from workbench.values.resources import EMPTY, Resource

CHILDREN = ("a", "b", "c", "d", "e", "f")
TREE = "\n".join(f"{name}: {{guaranteed: {{vcore: 4}}}}" for name in CHILDREN)
VECTORS = st.sampled_from(
    [
        EMPTY,
        EMPTY,
        Resource(vcore=1),
        Resource(vcore=2),
        Resource(vcore=1, memory=0),
        Resource(memory=1),
        Resource(memory=2),
        Resource(vcore=1, memory=1),
        Resource(vcore=2, memory=1),
        Resource(vcore=1, memory=2),
        Resource(gpu=3),
        Resource(vcore=-1),
    ]
)
"""What waits: among them vectors of which none dominates the other, equal ones, and equal ones with another zero."""
USES = st.sampled_from([EMPTY, EMPTY, EMPTY, Resource(vcore=2000), Resource(vcore=4000, memory=5)])
READ = st.just(("read", "", None))


def changes(names, **fields) -> st.SearchStrategy:
    """(field, name, value) for so many changes, with readings in between."""
    each = [st.tuples(st.just(field), st.sampled_from(names), values) for field, values in fields.items()]
    return st.lists(st.one_of(READ, *each, each[0], each[0]), max_size=60)


QUEUE_CHANGES = changes(
    CHILDREN,
    pending=VECTORS,
    allocated=USES,
    priority=st.sampled_from([0, 0, 0, 3]),
    status=st.sampled_from(["Active", "Stopped"]),
    gone=st.booleans(),
    maximum=st.sampled_from([None, Resource(vcore=8000), Resource(memory=9)]),
    above=st.sampled_from([None, Resource(vcore=9000, memory=10)]),
    sort=st.sampled_from(["enabled", "disabled"]),
)


VCORE = Resource(vcore=1)


@pytest.mark.parametrize("release", profiles.PROFILES)
@example([("pending", "a", VCORE), ("pending", "b", VCORE), ("read", "", None), ("sort", "a", "disabled")])
@example([("pending", "a", VCORE), ("pending", "b", VCORE), ("read", "", None), ("above", "a", Resource(vcore=9000))])
@given(QUEUE_CHANGES)
def test_queues_are_ranked_as_the_policy_orders_them(release, steps):
    profile = profiles.profile_of(release)
    scene = Scene(TREE, release=release)
    root = scene.queue("root")
    known = dict(root.children)
    ranking, above = QueueRanking(root, profile), None
    sorts = {"enabled": root.settings, "disabled": Scene("application.sort.priority: disabled\n" + TREE).queue("root").settings}
    for field, name, value in [*steps, ("read", "", None)]:
        queue = known.get(name)
        if field == "read":
            _, ranked, _ = policies.order_queues(root, above, profile)
            assert list(ranking.in_order(above)) == [child for _, child in ranked]
            for child in root.children.values():
                assert ranking.fair_of(child) == policies.fair_maximum(above, child)
        elif field == "above":
            above = value
        elif field == "sort":
            root.settings = sorts[value]
        elif field == "gone":
            # Only empty ones go; nobody is told, as when a dynamic queue is removed.
            if not value:
                root.children[name] = queue
            elif not queue.pending:
                root.children.pop(name, None)
        else:
            setattr(queue, field, value)
            if field == "pending" and value:
                root.children[name] = queue
            ranking.touch(queue)


POLICIES = {
    (policy, priority): Scene(f"a: {{application.sort.policy: {policy}, application.sort.priority: {priority}}}", release="1.4")
    .queue("root.a")
    .settings
    for policy in ("fifo", "fair", "stateaware")
    for priority in ("enabled", "disabled")
}
"""Settings of a leaf by the order that they ask for; release 1.4 knows them all."""


@pytest.mark.parametrize("policy", ["fifo", "fair"])
@example([("read", "", None), ("sort", "", ("fair", "enabled")), ("read", "", None), ("sort", "", ("fair", "disabled"))])
@example([("sort", "", ("fifo", "disabled")), ("submitted_ns", "x0", 2), ("read", "", None), ("sort", "", ("fair", "enabled"))])
@example([("priority", "x1", 1), ("read", "", None), ("sort", "", ("stateaware", "disabled"))])
@given(
    changes(
        ("x0", "x1", "x2", "x3"),
        pending=VECTORS,
        allocated=USES,
        priority=st.integers(-1, 1),
        submitted_ns=st.integers(0, 2),
        gone=st.booleans(),
        guaranteed=st.sampled_from([None, Resource(vcore=2000), Resource(memory=1)]),
        sort=st.sampled_from(sorted(POLICIES)),
    )
)
def test_applications_are_ranked_as_the_policy_orders_them(policy, steps):
    scene = Scene(f"a: {{application.sort.policy: {policy}}}")
    for number in range(4):
        scene.app(f"x{number}").ask(f"x{number}", f"k{number}")
    leaf = scene.queue("root.a")
    known, ranking = dict(leaf.applications), ApplicationRanking(leaf)
    for field, name, value in [*steps, ("read", "", None)]:
        application = known[name] if name else None
        if field == "read":
            _, ranked, _ = policies.order_applications(leaf, 0, all_admitted=True)
            assert list(ranking.in_order()) == [each for _, each in ranked]
            continue
        if field == "guaranteed":
            leaf.guaranteed = value
        elif field == "sort":
            # A reload: nobody touches the applications.
            leaf.settings = POLICIES[value]
            continue
        elif field == "gone":
            leaf.applications.pop(name, None)
            if not value:
                leaf.applications[name] = application
        else:
            setattr(application, field, value)
        ranking.touch(application)


def test_equals_of_which_none_dominates_are_settled_again_when_one_of_them_changes():
    root = Scene(TREE).queue("root")
    ranking = QueueRanking(root, profiles.DEFAULT)
    a, b, c = (root.children[name] for name in "abc")
    a.pending, b.pending, c.pending = Resource(vcore=1), Resource(memory=2), Resource(vcore=2)
    assert [queue.name for queue in ranking.in_order(None)] == [queue.name for _, queue in policies.order_queues(root, None)[1]]
    for queue, pending in ((a, Resource(vcore=3)), (b, Resource(vcore=1)), (c, EMPTY), (a, EMPTY), (b, EMPTY)):
        queue.pending = pending
        ranking.touch(queue)
        assert list(ranking.in_order(None)) == [queue for _, queue in policies.order_queues(root, None)[1]]
    assert not ranking._equals and not ranking._keys and not ranking._fair_of
