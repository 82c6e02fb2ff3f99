"""One gate for every workload, whoever made it: what it lets through can be played, and what it refuses is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from laws import examples
from workload_strategies import workloads

from workbench.scheduler.records.command_checks import check
from workbench.scheduler.records.commands import AddApplication, AddAsk, ApplicationSpec, AskSpec
from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.checks import check_workload
from workbench.workloads.dependencies import circle_of, met, without
from workbench.workloads.model import LAST_MS

ONE = Tasks(resource=Resource(vcore=1000))
JOB = Job(id="a", submit_ms=5, tasks=(ONE,))
POOL = Pool(name="node", capacity=Resource(vcore=8000), count=2)


def of(*jobs, **more):
    return Workload(jobs=jobs, **more)


def with_tasks(**change):
    return of(replace(JOB, tasks=(replace(ONE, **change),)))


def event(node_id, happens, at_ms=0, **more):
    return NodeEvent(at_ms=at_ms, node_id=node_id, happens=happens, **more)


NEW = {"capacity": Resource(vcore=1)}

WRONG = [
    (of(replace(JOB, submit_ms=-1)), "job 'a': submit_ms must be a whole number of milliseconds from 0"),
    (of(replace(JOB, submit_ms=1.5)), "submit_ms must be a whole number of milliseconds from 0"),
    (of(replace(JOB, submit_ms=True)), "submit_ms must be"),
    (of(replace(JOB, submit_ms=LAST_MS + 1)), f"submit_ms must be a whole number of milliseconds from 0 to {LAST_MS}, found"),
    (of(replace(JOB, id="")), "id must be a text of whole characters that is not empty"),
    (of(replace(JOB, id="\ud800")), "id must be a text of whole characters"),
    (of(replace(JOB, user=None)), "user must be a text of whole characters, found nothing"),
    (of(replace(JOB, groups="abc")), "groups must be a tuple of texts, found the text 'abc'"),
    (of(replace(JOB, tags={"a": 1})), "tags must be a mapping of texts to texts"),
    (of(replace(JOB, priority=2**31)), "priority must be a whole number from -2147483648 to 2147483647"),
    (of(replace(JOB, tasks=())), "job 'a' has no tasks (a job has at least one kind of task)"),
    (of(replace(JOB, tasks=("x",))), "tasks must be a tuple of Tasks"),
    (of("x"), "the workload: jobs must be a tuple of Job"),
    (of(replace(JOB, gang="Soft")), "gang must be a Gang or None"),
    (with_tasks(count=0), "count must be a whole number from 1"),
    (with_tasks(count=10**9), "count must be a whole number from 1 to 10000000, found 1000000000"),
    (with_tasks(duration_ms=-5), "duration_ms must be whole milliseconds from 0"),
    (with_tasks(duration_ms=2.5), "duration_ms must be whole milliseconds from 0"),
    (with_tasks(duration_ms=(1, 2)), "job 'a' has 2 durations for 1 tasks (give one for all, or one for each)"),
    (with_tasks(duration_ms=(-1,)), "duration_ms must be"),
    (with_tasks(resource={"vcore": 1}), "resource must be a Resource"),
    (with_tasks(resource=Resource(vcore=-1)), "job 'a' asks for -1 of 'vcore' (amounts are from 0 up)"),
    (with_tasks(resource=Resource({"": 1})), "resource must be a Resource whose types have names"),
    (with_tasks(allowed_nodes=()), "allows no node at all"),
    (with_tasks(preemptible="no"), "preemptible must be true or false"),
    (of(JOB, JOB), "job 'a' occurs twice (ids are unique in a workload)"),
    (of(JOB, replace(JOB, id="b", submit_ms=4)), "job 'b' arrives at 4 ms, behind one at 5 ms (jobs are in the order of time)"),
    (of(replace(JOB, after=("b",))), "job 'a' waits for 'b', which is no job"),
    (of(replace(JOB, after=("a",))), "jobs wait for each other in a circle: 'a' -> 'a'"),
    (of(replace(JOB, after=("b", "b"))), "job 'a' waits for 'b' twice"),
    (of(replace(JOB, after=("b",)), replace(JOB, id="b", after=("a",))), "in a circle: 'a' -> 'b' -> 'a' (none of them"),
    (of(replace(JOB, gang=Gang())), "job 'a' is a gang with tasks that have no name (each is a task group and needs one)"),
    (
        of(replace(JOB, gang=Gang(), tasks=(replace(ONE, name="w"),) * 2)),
        "job 'a' is a gang with two task groups 'w' (give each its own name)",
    ),
    (of(replace(JOB, gang=Gang(style="soft"), tasks=(replace(ONE, name="w"),))), "gang: style must be one of Soft, Hard"),
    (of(replace(JOB, gang=Gang(timeout_ms=-1), tasks=(replace(ONE, name="w"),))), "gang: timeout_ms must be a whole number"),
    (of(pools=(replace(POOL, name=""),)), "name must be a text of whole characters that is not empty"),
    (of(pools=(POOL, POOL)), "two pools are called 'node' (their nodes would have equal names)"),
    (of(pools=(replace(POOL, count=0),)), "pool 'node': has no nodes"),
    (of(pools=(replace(POOL, count=-1),)), "pool 'node': count must be a whole number from 0"),
    (of(pools=(replace(POOL, minimum=1),)), "has only one of minimum and maximum"),
    (of(pools=(replace(POOL, minimum=3, maximum=4),)), "starts with 2 nodes, its minimum is 3, its maximum 4"),
    (of(pools=(replace(POOL, capacity=Resource(vcore=-1)),)), "a node with -1 of 'vcore'"),
    (of(pools=(replace(POOL, fails_every_ms=0),)), "fails_every_ms must be a whole number of milliseconds from 1"),
    (of(node_events=(event("x", "added"),)), "node 'x': is added without a capacity"),
    (of(node_events=(event("x", "drained", **NEW),)), "node 'x': is drained and has a capacity"),
    (of(node_events=(event("x", "exploded"),)), "happens must be one of added, drained, undrained, removed"),
    (of(node_events=(event("x", "drained", 5), event("x", "undrained", 4))), "node 'x': undrained at 4 ms, behind 5 ms"),
    (of(node_events=(event("x", "added", **NEW), event("x", "added", **NEW))), "node 'x': is added and is there already"),
    (of(pools=(POOL,), node_events=(event("node-001", "added", **NEW),)), "node 'node-001': is added and is there already"),
    (of(pools=(POOL,), node_events=(event("node-002", "drained"),)), "node 'node-002': is drained and is not there"),
    (of(node_events=(event("x", "removed"), event("x", "drained"))), "node 'x': is drained and is not there"),
    (of(restarts=Restarts(how="never")), "restarts: how must be one of from_start, keeps, checkpoint"),
    (of(restarts=Restarts(comes_back_after_ms=-1)), "comes_back_after_ms must be"),
    (of(restarts=Restarts(checkpoint_ms=0)), "checkpoint_ms must be a whole number of milliseconds from 1"),
    (of(warm_up_ms=9, ends_ms=8), "the record ends at 8 ms, before the warm-up of 9 ms is over"),
    (of(start_delay_ms=-1), "the workload: start_delay_ms must be"),
    (of(name=7), "name must be a text"),
    (of(notes=("a", 1)), "notes must be a tuple of texts"),
]


@pytest.mark.parametrize(("workload", "said"), WRONG, ids=[said[:60] for _, said in WRONG])
def test_what_cannot_be_is_refused_and_named(workload, said):
    with pytest.raises(WorkloadError) as told:
        check_workload(workload)
    assert said in str(told.value)


def test_more_tasks_than_can_be_simulated_are_refused_before_any_is_made():
    jobs = tuple(replace(JOB, id=f"{each}", tasks=(replace(ONE, count=10**7),)) for each in range(2))
    with pytest.raises(WorkloadError, match="there are 20000000 tasks .at most 10000000 can be simulated"):
        check_workload(of(*jobs))


def test_durations_of_zero_and_pools_that_start_empty_are_well():
    check_workload(with_tasks(duration_ms=0))
    check_workload(of(pools=(replace(POOL, count=0, minimum=0, maximum=3),), node_events=(event("node-002", "drained"),)))
    check_workload(of(node_events=(event("x", "drained"), event("x", "removed"), event("x", "added", **NEW))))


def test_a_circle_is_found_at_the_end_of_a_chain_as_long_as_the_workload():
    chain = {str(each): [str(each + 1)] for each in range(50_000)}
    assert circle_of(chain) == []
    assert circle_of({**chain, "50000": ["49999"]}) == ["49999", "50000", "49999"]


@examples(15)
@given(workloads())
def test_what_the_gate_lets_through_the_scheduler_takes(workload):
    check_workload(workload)
    for job in workload.jobs:
        check(
            AddApplication(application=ApplicationSpec(id=job.id, queue=job.queue, user=job.user, groups=job.groups, tags=job.tags))
        )
        for each in job.tasks:
            check(
                AddAsk(
                    ask=AskSpec(
                        application_id=job.id,
                        key=f"{job.id}-1",
                        resource=each.resource,
                        priority=job.priority if each.priority is None else each.priority,
                        node_selector=each.node_selector,
                        tolerations=each.tolerations,
                        allowed_nodes=each.allowed_nodes,
                        required_node=each.required_node,
                        tags=each.tags,
                    )
                )
            )


# -- jobs that wait for others, when some are taken away ---------------------------------------------------------------


def waiting(**after):
    return tuple(replace(JOB, id=name, after=tuple(others)) for name, others in after.items())


def waits(jobs):
    return {job.id: "".join(job.after) for job in jobs}


def test_who_waits_for_a_job_that_goes_waits_for_what_that_one_waited_for():
    jobs = waiting(a="", b="a", c="b", d="cb", e="")
    assert waits(without(jobs, lambda job: job.id not in "bc")) == {"a": "", "d": "a", "e": ""}
    assert waits(without(jobs, lambda job: job.id != "a")) == {"b": "", "c": "b", "d": "cb", "e": ""}
    assert without(jobs, lambda job: True) == jobs


def test_what_a_job_waits_for_in_vain_is_dropped_and_said():
    jobs, notes = met(waiting(a="x", b="a", c="d", d="c", e="d", f="f"))

    assert waits(jobs) == {"a": "", "b": "a", "c": "", "d": "", "e": "d", "f": ""}
    assert notes == (
        "1 job waits for jobs that are not here; it is as if these had ended.",
        "3 jobs wait for each other in a circle; each arrives at its time.",
    )
    check_workload(of(*jobs))
    assert met(jobs) == (jobs, ())
