"""What can be done to any workload. WL-16."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from workload_strategies import workloads

from workbench.values.errors import CommandError, WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Job, NodeEvent, Pool, Tasks, Workload
from workbench.workloads.checks import check_workload
from workbench.workloads.transform import anonymise, cut, merge, rename_users, sample, scale_load, scale_time, with_nodes

MINUTE = 60_000
TASK = Tasks(resource=Resource(vcore=1000), duration_ms=5 * MINUTE)


def job(id, minute, *after, **more):
    return Job(id=id, submit_ms=minute * MINUTE, tasks=(TASK,), after=after, **more)


DAY = Workload(
    jobs=(job("a", 0), job("b", 10, "a"), job("c", 20, "b"), job("d", 30, "c"), job("e", 40)),
    node_events=(
        NodeEvent(at_ms=5 * MINUTE, node_id="x", happens="drained"),
        NodeEvent(at_ms=35 * MINUTE, node_id="x", happens="undrained"),
    ),
    zero="2024-03-04T00:00:00Z",
    ends_ms=60 * MINUTE,
)


def said(workload):
    return [(each.id, each.submit_ms // MINUTE, each.after) for each in workload.jobs]


def test_a_window_is_cut_out_and_its_beginning_is_the_new_zero():
    part = cut(DAY, "10m", "31m")
    assert said(part) == [("b", 0, ()), ("c", 10, ("b",)), ("d", 20, ("c",))]
    assert [(each.at_ms, each.happens) for each in part.node_events] == [(0, "drained")]
    assert (part.zero, part.ends_ms, part.warm_up_ms) == ("2024-03-04T00:10:00Z", 21 * MINUTE, 0)
    assert part.notes == ("1 job would run beyond the end of the window; their durations are kept whole.",)


def test_a_warm_up_is_kept_before_the_window():
    part = cut(DAY, "20m", None, warm_up="10m")
    assert said(part)[0] == ("b", 0, ())
    assert (part.warm_up_ms, part.ends_ms) == (10 * MINUTE, 50 * MINUTE)
    assert cut(DAY, 60, None, warm_up=600).warm_up_ms == MINUTE


def test_jobs_that_still_run_when_the_window_begins_are_said():
    assert cut(DAY, "12m", "18m").notes == (
        "1 job that had arrived before the window would still run at its beginning; left out, so that the cluster begins empty: "
        "a warm-up fills it.",
    )


def test_an_empty_window_is_an_error():
    with pytest.raises(CommandError, match="the window from 2m to 1m is empty"):
        cut(DAY, "2m", "1m")
    with pytest.raises(CommandError, match="'since' no span of time: 'soon'"):
        cut(DAY, "soon")


def test_more_load_is_copies_of_jobs_that_come_a_little_later_and_wait_for_copies():
    double = scale_load(DAY, 2, seed=1)
    assert len(double.jobs) == 10
    by_id = {each.id: each for each in double.jobs}
    assert by_id["c~2"].after == ("b~2",)
    assert 0 <= by_id["e~2"].submit_ms - by_id["e"].submit_ms <= 10 * MINUTE
    assert len(scale_load(DAY, 2.4, seed=1).jobs) == 12
    assert scale_load(DAY, 2, seed=1) == double != scale_load(DAY, 2, seed=2)
    assert said(scale_load(DAY, 2, spread=0))[:2] == [("a", 0, ()), ("a~2", 0, ())]


def test_less_load_is_a_sample_and_who_waits_waits_for_what_the_missing_waited_for():
    for seed in range(20):
        part = scale_load(DAY, 0.6, seed)
        assert len(part.jobs) == 3
        check_workload(part)
    assert sample(DAY, 1.0) == DAY
    assert len(sample(DAY, 0.2, 3).jobs) == 1


@pytest.mark.parametrize("factor", [0, -1, float("nan"), float("inf"), 1001, "2", True, None])
def test_a_factor_is_a_number_above_zero(factor):
    for change in (scale_load, scale_time, sample):
        with pytest.raises(CommandError, match="the factor must be a number above 0 and at most 1000"):
            change(DAY, factor)
    with pytest.raises(CommandError, match="'fraction' must be above 0 and at most 1, found 2"):
        sample(DAY, 2)


def test_so_many_copies_that_nobody_could_simulate_them_are_refused_before_they_are_made():
    with pytest.raises(WorkloadError, match="there would be 1,000,000,000 tasks"):
        scale_load(Workload(jobs=(Job(id="a", submit_ms=0, tasks=(replace(TASK, count=10**6),)),)), 1000)


def test_time_is_scaled_with_durations_or_without():
    half = scale_time(DAY, 0.5)
    assert [each.submit_ms for each in half.jobs] == [0, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE]
    assert half.jobs[0].tasks[0].duration_ms == 150_000
    assert (half.ends_ms, half.node_events[0].at_ms) == (30 * MINUTE, 150_000)
    assert scale_time(DAY, 0.5, durations=False).jobs[1].tasks == (TASK,)
    with pytest.raises(CommandError, match="longer than a hundred years"):
        scale_time(Workload(jobs=(job("a", 10**7),)), 1000)


def test_merged_workloads_share_nodes_that_are_equal_and_keep_ids_apart():
    pool = Pool(name="n", capacity=Resource(vcore=1))
    one = replace(DAY, pools=(pool,), node_events=(), name="one")
    both = merge(one, Workload(jobs=(job("a", 5), job("z", 6, "a")), pools=(pool,), name="two", warm_up_ms=7))
    assert said(both)[:4] == [("1/a", 0, ()), ("2/a", 5, ()), ("z", 6, ("2/a",)), ("b", 10, ("1/a",))]
    assert (both.pools, both.name, both.warm_up_ms, both.ends_ms) == ((pool,), "one and two", 7, None)
    with pytest.raises(WorkloadError, match="two pools are called 'n' and differ"):
        merge(one, replace(one, pools=(replace(pool, count=2),)))


def test_users_are_renamed():
    named = Workload(jobs=(job("a", 0, user="ann"), job("b", 1, user="bob")))
    assert [each.user for each in rename_users(named, {"ann": "x"}).jobs] == ["x", "bob"]
    assert [each.user for each in rename_users(named, str.upper).jobs] == ["ANN", "BOB"]
    with pytest.raises(CommandError, match="no job has the user 'eve'; there are ann, bob"):
        rename_users(named, {"eve": "x"})


def test_nothing_of_the_names_of_people_is_left():
    given = Workload(
        jobs=(
            job(
                "secret-1",
                0,
                user="ann.lee",
                groups=("staff",),
                queue="root.u.ann_dot_lee",
                tags={"ns": "ann-ns"},
                kind="web",
            ),
            job("secret-2", 1, "secret-1", user="bob", groups=("staff", "ops"), queue="root.staff.etl", tags={"ns": "ann-ns"}),
        ),
        name="secret",
        zero="2024-03-04",
        notes=("secret",),
    )
    made = anonymise(given, seed=4)
    text = repr(made)
    assert not [word for word in ("secret", "ann", "lee", "bob", "staff", "ops", "2024") if word in text]
    one, other = made.jobs
    assert (one.id, other.after, one.kind) == ("job-000001", ("job-000001",), "web")
    assert one.queue == f"root.u.{one.user}" and other.queue == f"root.{one.groups[0]}.etl"
    assert one.groups[0] == other.groups[0] and one.tags == other.tags
    assert anonymise(given, seed=4) == made
    assert len({tuple(each.user for each in anonymise(given, seed).jobs) for seed in range(10)}) == 2


def test_a_workload_moves_to_other_nodes():
    moved = with_nodes(DAY, "2 x vcore=8")
    assert moved.pools == (Pool(name="node", capacity=Resource(vcore=8000), count=2),)
    assert moved.node_events == ()
    assert "What happened to the nodes before is left out, 2 events" in moved.notes[0]
    with pytest.raises(WorkloadError, match="has no nodes"):
        with_nodes(DAY, Pool(name="n", capacity=Resource(), count=0))


@examples(25)
@given(workloads(), st.sampled_from([0.3, 1, 2, 2.5]), st.integers(0, 5))
def test_whatever_is_done_to_a_workload_it_can_be_played(workload, factor, seed):
    for changed in (
        cut(workload, 60, None, warm_up=30),
        scale_load(workload, factor, seed),
        sample(workload, 0.5, seed),
        merge(workload, workload),
        anonymise(workload, seed),
        with_nodes(workload, "vcore=1"),
    ):
        check_workload(changed)
