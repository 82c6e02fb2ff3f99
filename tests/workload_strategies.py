"""Workloads of any shape that the gate lets through, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.model import LAST_MS

names = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8) | st.sampled_from(
    [
        "a",
        "yes",
        "1",
        "null",
        "5m",
        "- x",
        "a: b",
        "#",
        "é",
        "\u2028",
        "\ufeff",
        "\ufffe",
        "\x85",
        "\x7f",
        "🐜",
        "forever",
        '"',
        "\n\t",
    ]
)
maybe = st.just("") | names
texts = st.lists(names, max_size=3).map(tuple)
text_maps = st.dictionaries(names, maybe, max_size=2)
spans = st.integers(0, LAST_MS) | st.sampled_from([0, 1, 1000, 60_000, 86_400_000, LAST_MS])
amounts = st.dictionaries(st.sampled_from(["vcore", "memory", "nvidia.com/gpu", "yes"]), st.integers(0, 2**63 - 1), max_size=3).map(
    Resource
)
priorities = st.integers(-(2**31), 2**31 - 1)


@st.composite
def tasks(draw, name=maybe):
    count = draw(st.integers(1, 4))
    duration = st.none() | spans
    return Tasks(
        resource=draw(amounts),
        count=count,
        name=draw(name),
        duration_ms=draw(duration | st.lists(duration, min_size=count, max_size=count).map(tuple)),
        priority=draw(st.none() | priorities),
        preemptible=draw(st.booleans()),
        may_preempt=draw(st.booleans()),
        node_selector=draw(text_maps),
        tolerations=draw(texts),
        allowed_nodes=draw(st.none() | st.lists(names, min_size=1, max_size=2).map(tuple)),
        required_node=draw(maybe),
        tags=draw(text_maps),
    )


@st.composite
def jobs(draw, id, submit_ms, others):
    gang = draw(st.none() | st.builds(Gang, style=st.sampled_from(["Soft", "Hard"]), timeout_ms=spans))
    if gang is None:
        kinds = draw(st.lists(tasks(), min_size=1, max_size=3))
    else:
        kinds = [draw(tasks(st.just(name))) for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))]
    return Job(
        id=id,
        submit_ms=submit_ms,
        tasks=tuple(kinds),
        user=draw(maybe),
        groups=draw(texts),
        queue=draw(maybe),
        tags=draw(text_maps),
        kind=draw(maybe),
        priority=draw(priorities),
        gang=gang,
        after=tuple(draw(st.lists(st.sampled_from(others), unique=True, max_size=2))) if others else (),
    )


@st.composite
def pools(draw, name):
    least, count, most = sorted(draw(st.lists(st.integers(0, 5), min_size=3, max_size=3)))
    elastic = draw(st.booleans()) or not count
    return Pool(
        name=name,
        capacity=draw(amounts),
        count=count,
        attributes=draw(text_maps),
        taints=draw(texts),
        minimum=least if elastic else None,
        maximum=most if elastic else None,
        start_delay_ms=draw(spans),
        idle_ms=draw(spans),
        fails_every_ms=draw(st.none() | st.integers(1, LAST_MS)),
        repair_ms=draw(spans),
    )


@st.composite
def node_events(draw, node_id):
    """A node that comes, is drained and goes, at times of their own."""
    times = sorted(draw(st.lists(spans, min_size=4, max_size=4)))
    added = NodeEvent(
        at_ms=times[0],
        node_id=node_id,
        happens="added",
        capacity=draw(amounts),
        attributes=draw(text_maps),
        taints=draw(texts),
    )
    rest = zip(times[1:], ("drained", "undrained", "removed"))
    return [added, *(NodeEvent(at_ms=at, node_id=node_id, happens=happens) for at, happens in rest)]


restarts = st.builds(
    Restarts,
    comes_back_after_ms=st.none() | spans,
    how=st.sampled_from(["from_start", "keeps", "checkpoint"]),
    checkpoint_ms=st.integers(1, LAST_MS),
)


@st.composite
def workloads(draw, most=4):
    ids = draw(st.lists(names, max_size=most, unique=True))
    times = sorted(draw(st.lists(spans, min_size=len(ids), max_size=len(ids))))
    made = tuple(draw(jobs(id, at, ids[:place])) for place, (id, at) in enumerate(zip(ids, times)))
    pool_names = draw(st.lists(st.sampled_from(["a", "b", "c-000", "1"]), max_size=2, unique=True))
    events = [
        each for node in draw(st.lists(st.sampled_from(["x", "y"]), max_size=2, unique=True)) for each in draw(node_events(node))
    ]
    warm_up = draw(spans)
    return Workload(
        jobs=made,
        pools=tuple(draw(pools(name)) for name in pool_names),
        node_events=tuple(sorted(events, key=lambda event: event.at_ms)),
        restarts=draw(restarts),
        start_delay_ms=draw(spans),
        warm_up_ms=warm_up,
        ends_ms=draw(st.none() | st.integers(warm_up, LAST_MS)),
        zero=draw(maybe),
        name=draw(maybe),
        notes=draw(texts),
    )
