"""What a workload is like, and what of it can never run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from laws import examples
from workload_strategies import workloads

from workbench.values.errors import CommandError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, NodeEvent, Tasks, Workload, describe, findings, parse_nodes
from workbench.workloads.description import STEPS, Distribution, Share

MINUTE = 60_000


def job(id, minute, *, vcore=1, minutes=10, count=1, gang=None, constraints=None, **more):
    duration = None if minutes is None else minutes * MINUTE
    task = Tasks(
        resource=Resource(vcore=vcore * 1000),
        count=count,
        duration_ms=duration,
        name="w" if gang else "",
        **(constraints or {}),
    )
    return Job(id=id, submit_ms=minute * MINUTE, tasks=(task,), gang=gang, **more)


HOUR = Workload(
    jobs=(
        job("a", 0, vcore=4, minutes=30, count=2, user="ann", queue="root.prod"),
        job("b", 30, vcore=2, minutes=30, user="bob", queue="root.batch", kind="nightly"),
        job("c", 30, vcore=1, minutes=60, user="bob", queue="root.batch"),
    ),
    pools=parse_nodes("2 x vcore=8,memory=32Gi"),
    ends_ms=60 * MINUTE,
    notes=("assumed something",),
)


def test_work_is_amount_times_duration_and_load_its_share_of_the_nodes():
    told = describe(HOUR)
    assert told.tasks == 4
    assert told.span_ms == (0, 60 * MINUTE)
    assert told.capacity == {"vcore": 16_000, "memory": 64 * 2**30}
    # 2 x 4 x 30 min + 2 x 30 min + 1 x 60 min, of 16 cores in an hour.
    assert told.work == {"vcore": (4000 * 2 * 30 + 2000 * 30 + 1000 * 60) * MINUTE}
    assert told.offered == {"vcore": 6 / 16}
    assert told.peak == {"vcore": 8000}


def test_load_over_time_is_what_would_be_in_use_if_everything_started_at_once():
    assert describe(HOUR).over_time == {"vcore": (8 / 16,) * 6 + (3 / 16,) * 6}


def test_percentiles_are_numbers_that_occur_each_task_counting_once():
    told = describe(HOUR)
    half, whole = 30 * MINUTE, 60 * MINUTE
    assert told.durations == Distribution(4, 37.5 * MINUTE, ((50, half), (90, whole), (95, whole), (99, whole)), half, whole)
    assert told.sizes.most == 2
    assert told.amounts("vcore").mean == 2750


def test_queues_classes_and_users_are_told_with_their_part_of_the_work():
    told = describe(HOUR)
    assert told.queues == (Share("root.prod", 1, 2, 4 / 6), Share("root.batch", 2, 2, 2 / 6))
    assert [share.name for share in told.classes] == ["(none)", "nightly"]
    assert [(share.name, share.jobs) for share in told.users] == [("ann", 1), ("bob", 2)]


def test_the_text_says_it_all_and_the_notes():
    text = str(describe(HOUR))
    assert text.startswith(
        "3 jobs with 4 tasks of 2 users for 2 queues arrive within 30 minutes; the record spans 1 hour. "
        "They ask for 38% of the vcore that the nodes have."
    )
    for said in ("6 vcore-hours", "root.prod", "nightly", "assumed something", "Load over time, if all started at once"):
        assert said in text


def test_a_notebook_shows_it_and_no_name_becomes_markup():
    html = describe(Workload(jobs=(job("<b>", 0, user="<script>", queue="<i>"),), notes=("<u>",)))._repr_html_()
    assert "<script>" not in html and "<i>" not in html and "<u>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("workload", "said"),
    [
        (Workload(jobs=(job("a", 0, minutes=None, count=2),)), "2 tasks have no end and stay until the end of a run."),
        (Workload(jobs=(job("a", 0, minutes=0),)), "1 task has a duration of zero and ends at the start."),
        (Workload(jobs=(job("a", 0, vcore=0),)), "1 task asks for nothing and would run anywhere, in any number."),
        (Workload(jobs=(job("a", 0),), pools=parse_nodes("memory=1Gi")), "Tasks ask for vcore, which no node has."),
        (Workload(jobs=(job("a", 5),), ends_ms=MINUTE), "1 job arrives after the end of the record."),
        (Workload(jobs=(job("a", 5), job("b", 5))), "All jobs arrive at the same instant."),
        (
            Workload(jobs=(Job(id="a", submit_ms=0, tasks=(Tasks(resource=Resource(vcore=4)),)),)),
            "Half of the tasks ask for less than a hundredth of a core: were cores meant, and thousandths said?",
        ),
        (
            Workload(jobs=(job("a", 0, count=9), job("b", 1)), pools=parse_nodes("vcore=1"), ends_ms=10 * MINUTE),
            "More vcore is asked for than the nodes have, 1000%: what waits grows until arrivals end.",
        ),
        (
            Workload(jobs=(*(job(f"{each}", each) for each in range(11)), job("big", 20, count=99))),
            "Job big alone is more than half of all work.",
        ),
    ],
)
def test_what_is_odd_is_told(workload, said):
    assert said in describe(workload).odd


def test_nothing_is_odd_about_a_usual_workload():
    assert describe(HOUR).odd == ()


def test_a_workload_without_jobs_is_described():
    assert str(describe(Workload())) == "The workload has no jobs."


@examples(30)
@given(workloads())
def test_any_workload_can_be_described_and_its_parts_sum_to_the_whole(workload):
    told = describe(workload)
    assert str(told) and told._repr_html_()
    for shares in (told.queues, told.classes, told.users):
        assert sum(share.jobs for share in shares) == len(workload.jobs)
        assert sum(share.tasks for share in shares) == told.tasks
    for values in told.over_time.values():
        assert len(values) == STEPS and min(values) >= 0


# -- what can never run ------------------------------------------------------------------------------------------------

DESIGN = """\
partitions:
  - name: default
    queues:
      - name: root
        queues:
          - {name: prod, submitacl: "ann"}
          - {name: batch, submitacl: "*"}
"""


def told(workload, *given, **more):
    return [(each.kind, each.jobs, str(each)) for each in findings(workload, *given, **more)]


def test_the_scheduler_itself_says_what_it_would_refuse():
    jobs = (
        job("a", 0, user="ann", queue="root.prod"),
        job("b", 0, user="bob", queue="root.prod"),
        job("c", 0, user="bob", queue="root.nowhere"),
        job("d", 0, user="bob", queue="root.nowhere"),
        job("e", 0, user="bob", queue="root.batch"),
    )
    said = "would be refused: failed to place application JOB: application rejected: no placement rule matched."
    assert told(Workload(jobs=jobs), DESIGN) == [("refused", ("b", "c", "d"), f"3 jobs (b, c and d), each of which {said}")]


def test_tasks_that_fit_on_no_node_are_told_with_what_they_ask_for():
    workload = Workload(jobs=(job("a", 0, vcore=9), job("b", 1, vcore=8), job("c", 2, vcore=9)), pools=HOUR.pools)
    assert told(workload) == [
        ("fits no node", ("a", "c"), "2 jobs (a and c), each of which asks for vcore 9 a task, which no node could hold.")
    ]
    assert told(workload, pools=parse_nodes("vcore=9")) == []
    assert told(Workload(jobs=workload.jobs)) == []


@pytest.mark.parametrize(
    ("constraints", "fits"),
    [
        ({"node_selector": {"zone": "a"}}, True),
        ({"node_selector": {"zone": "b"}}, False),
        ({"allowed_nodes": ("x", "node-001")}, True),
        ({"allowed_nodes": ("node-002",)}, False),
        ({"required_node": "late"}, True),
        ({"required_node": "node-0"}, False),
    ],
)
def test_constraints_are_kept_to(constraints, fits):
    (pool,) = parse_nodes("2 x vcore=8")
    workload = Workload(
        jobs=(job("a", 0, constraints=constraints),),
        pools=(type(pool)(name="node", capacity=pool.capacity, count=2, attributes={"zone": "a"}),),
        node_events=(NodeEvent(at_ms=5, node_id="late", happens="added", capacity=pool.capacity),),
    )
    assert (told(workload) == []) is fits
    if not fits:
        assert "which no node that its constraints allow could hold" in told(workload)[0][2]


def test_tainted_nodes_hold_only_who_tolerates_that():
    (pool,) = parse_nodes("vcore=8")
    tainted = (type(pool)(name="gpu", capacity=pool.capacity, taints=("gpu=yes:NoSchedule",)),)
    assert told(Workload(jobs=(job("a", 0),), pools=tainted))
    assert not told(Workload(jobs=(job("a", 0, constraints={"tolerations": ("gpu",)}),), pools=tainted))


def test_a_gang_larger_than_the_cluster_is_told():
    gang = job("g", 0, vcore=8, count=3, gang=Gang())
    assert told(Workload(jobs=(gang,), pools=HOUR.pools)) == [
        ("larger than the cluster", ("g",), "Job g is a gang that asks for more than all nodes together have.")
    ]
    assert told(Workload(jobs=(job("g", 0, vcore=8, count=3),), pools=HOUR.pools)) == []


def test_one_of_the_tables_can_be_had_by_its_title():
    told = describe(HOUR)
    assert told.table("Load").columns[0] == "resource"
    with pytest.raises(CommandError, match="there is no table 'Loads'; there are What tasks ask for, Load"):
        told.table("Loads")


def test_a_notebook_shows_what_a_workload_is_like_and_not_its_jobs_one_by_one():
    shown = []
    HOUR._repr_pretty_(SimpleNamespace(text=shown.append), False)
    assert shown == [str(describe(HOUR))]
    assert HOUR._repr_html_() == describe(HOUR)._repr_html_()
