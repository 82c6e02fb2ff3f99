"""The numbers of the page *Preemption* of the user guide on the packaged scenarios; chapter 08, section 18 works them out.

Where the documentation and the real core differ, both are here: the documented figures, and what comes out.
"""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.explain import attempts
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.events import Released
from workbench.values.errors import ConfigError


def played(name: str, steps: int | None = None) -> Workbench:
    """The packaged scenario after so many steps, or at its end."""
    bench = Workbench.example(f"documented/{name}")
    bench.run(steps)
    return bench


def used(bench: Workbench, *paths: str) -> list[int]:
    """Cores that queues use, of paths below root."""
    return [find(bench.partition, f"root.{path}").allocated.get("vcore", 0) // 1000 for path in paths]


def stopped(bench: Workbench) -> list[str]:
    """Keys of what was preempted so far, in order."""
    return [
        event.key
        for step in bench.simulation.steps[: bench.simulation.position]
        for event in step.events
        if isinstance(event, Released) and event.type == "PREEMPTED_BY_SCHEDULER"
    ]


def newest(prefix: str, first: int, count: int) -> list[str]:
    return [f"{prefix}-{number:03}" for number in range(first, first - count, -1)]


NORMAL = ("normal.queue-1", "normal.queue-2")
CLASSES = ("rt.queue-1", "rt.queue-2", "rt.queue-3")
OFFSETS = ("high-pri", "norm-pri", "low-pri")
FENCED = ("rt.ten-a", "rt.ten-a.queue-1", "rt.ten-a.queue-2", "rt.ten-b", "rt.ten-b.queue-3", "rt.sys")


@pytest.mark.parametrize(
    ("name", "steps", "paths", "before", "after", "victims"),
    [
        ("preemption-normal", 12, NORMAL, [10, 2], [7, 5], newest("a1", 9, 3)),
        ("preemption-not-allowed", 16, CLASSES, [8, 8, 0], [5, 8, 3], newest("a1", 7, 3)),
        ("preemption-priority-queue", 6, OFFSETS, [0, 18, 0], [6, 12, 0], newest("norm", 5, 2)),
        (
            "preemption-fence",
            30,
            FENCED,
            [15, 15, 0, 15, 15, 0],
            [10, 10, 0, 10, 10, 10],
            newest("qb3", 14, 5) + newest("qa1", 14, 5),
        ),
        ("preemption-redistribution", 20, ("region1", "region2"), [0, 20], [10, 10], newest("r2", 19, 10)),
    ],
    ids=["general case", "PriorityClass", "priority queue", "fence", "redistribution"],
)
def test_the_documented_tables(name, steps, paths, before, after, victims):  # *Preemption*; 18.1 to 18.5
    assert used(played(name, steps), *paths) == before
    bench = played(name)
    assert used(bench, *paths) == after
    assert stopped(bench) == victims


def test_without_guarantees_nothing_is_stopped_where_an_older_edition_of_the_page_ends_at_6_and_6():  # P-44
    bench = played("preemption-no-guarantee")
    assert used(bench, "no-guaranteed.queue-1", "no-guaranteed.queue-2") == [10, 2] != [6, 6]
    assert stopped(bench) == []


def test_pods_that_opted_out_go_when_the_others_have_a_higher_priority():  # *Preemption*, PriorityClass; P-54, P-72
    bench = played("preemption-last-resort")
    assert used(bench, *CLASSES) == [8, 5, 3]
    assert stopped(bench) == newest("a2", 7, 3)


def test_priority_protects_pod_by_pod():  # P-54
    assert stopped(played("preemption-same-application")) == newest("b2", 3, 3)


def test_six_pods_of_3_fill_the_queue_and_the_five_of_the_page_would_not():  # *Preemption*, priority queue: its table says 18
    bench = played("preemption-priority-queue", 6)
    assert len(bench.partition.applications["norm"].allocations) == 6
    assert used(bench, "norm-pri") == [18]


def test_the_maximum_of_3_that_the_page_prints_is_refused():  # *Preemption*, fence; C-42
    bench = played("preemption-fence")
    with pytest.raises(ConfigError, match="max resource of parent"):
        bench.set("root.rt", "resources.max", {"vcore": "3"})


def test_the_checks_of_the_fence_example_are_those_that_the_notebook_names():  # L-07, L-29, L-31
    found = {(each.code, each.path) for each in played("preemption-fence").check()}
    assert {("L-29", "root"), ("L-07", "root.rt.ten-a.queue-2"), ("L-31", "root.rt.ten-b.queue-3")} <= found


def test_the_documented_storm_does_not_begin():  # *Preemption*, storm; P-45, 18.6
    bench = played("preemption-storm")
    assert used(bench, "region1.country1.state1", "region1.country1.state2", "region2") == [4, 4, 8]
    assert stopped(bench) == []
    tried = attempts(bench.simulation.preview())
    assert tried and not any(each.succeeded for each in tried)


@pytest.mark.parametrize(
    ("path", "cores", "after", "victims"),
    [
        ("region2", 6, [5, 5, 6], ["r2-007", "r2-006"]),
        ("region1.country1.state1", 9, [8, 0, 8], newest("s2", 3, 4)),
    ],
    ids=["the other region has to give", "one leaf with a guarantee of its own"],
)
def test_what_a_changed_guarantee_does_to_the_storm(path, cores, after, victims):  # P-45, 18.6
    bench = Workbench.example("documented/preemption-storm")
    bench.set(f"root.{path}", "resources.guaranteed", {"vcore": str(cores)})
    bench.run()
    assert used(bench, "region1.country1.state1", "region1.country1.state2", "region2") == after
    assert stopped(bench) == victims


def test_the_remedy_of_the_storm_keeps_both_states():  # L-01
    bench = played("preemption-storm")
    bench.mend("L-01", "root.region1")
    bench.run()
    assert used(bench, "region1.country1.state1", "region1.country1.state2") == [4, 4]
    assert stopped(bench) == []


def test_pods_that_are_slow_to_end_cost_more_than_documented():  # *Preemption*, general case: 7 and 5; P-115, 18.1: 5 and 7
    bench = played("preemption-slow-ends")
    assert used(bench, *NORMAL) == [5, 7]
    assert len(stopped(bench)) == 5
