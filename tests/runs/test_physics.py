"""Tasks arrive, wait, run for their duration and end; what is stopped comes back. Rules WL-2 to WL-5."""

from __future__ import annotations

import pytest
from small_runs import FLAT, GUARANTEED, job, run, times

from workbench.runs.record import NEVER, Fate, JobState
from workbench.values.errors import CommandError, WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Gang, NodeEvent, Pool, Restarts


def test_a_task_runs_for_its_duration_once_there_is_room():
    made = run(job("x", 0, 100), job("y", 10, 50))
    assert times(made) == {"x": (0, 0, 100), "y": (10, 100, 150)}
    assert [row.wait_s for row in made.jobs] == [0, 90]
    assert [row.state for row in made.jobs] == ["finished", "finished"]
    assert made.record.ended_ns == 150 * 10**9


def test_of_one_instant_what_ends_makes_room_for_what_arrives():
    assert times(run(job("x", 0, 10), job("y", 10, 5)))["y"] == (10, 10, 15)


def test_a_duration_of_zero_ends_at_the_instant_of_its_start():
    assert times(run(job("x", 3, 0))) == {"x": (3, 3, 3)}


def test_a_task_without_a_duration_runs_to_the_end_of_the_run():
    made = run(job("x", 0, None), job("y", 5, 1), until="1h")
    assert times(made) == {"x": (0, 0, None), "y": (5, None, None)}
    assert [row.state for row in made.jobs] == ["running", "waiting"]
    assert made.record.ended_ns == 3600 * 10**9


def test_a_run_without_an_end_ends_when_nothing_more_can_happen():
    """What fits on no node waits for ever; the clock does not."""
    made = run(job("x", 0, 10), job("large", 0, 10, vcore=2))
    assert [row.state for row in made.jobs] == ["finished", "waiting"]
    assert made.record.ended_ns == 10 * 10**9


def test_a_start_delay_lies_between_placement_and_start():
    """WL-2."""
    made = run(job("x", 0, 100), job("y", 0, 1), start_delay_ms=20_000)
    assert times(made) == {"x": (0, 20, 120), "y": (0, 140, 141)}
    assert [row.wait_s for row in made.jobs] == [0, 120]


def test_a_job_arrives_when_those_that_it_waits_for_have_ended():
    """WL-1."""
    large = job("large", 300, 1, vcore=2)
    made = run(
        job("x", 0, 100),
        job("y", 10, 5, after=("x",)),
        job("z", 200, 5, after=("x", "y")),
        large,
        job("never", 300, 1, after=("large",)),
    )
    assert times(made) == {
        "x": (0, 0, 100),
        "y": (100, 100, 105),
        "z": (200, 200, 205),
        "large": (300, None, None),
        "never": (None, None, None),
    }
    assert made.jobs[4].state == "not submitted"


def test_the_job_ends_with_its_last_task():
    made = run(job("x", 0, 10, count=3), nodes="2 x vcore=1")
    assert times(made)["x"] == (0, 0, 20)


def test_a_rejected_job_says_why_and_those_behind_it_go_on():
    made = run(job("x", 7, 10, queue="root.nowhere"), job("y", 7, 1, after=("x",)))
    assert made.jobs[0].state == "rejected" and times(made)["x"] == (7, None, 7)
    assert "no placement rule matched" in made.record.job_reason[0]
    assert times(made)["y"] == (7, 7, 8)


@pytest.mark.parametrize(
    "jobs, says",
    [
        ((job("x", 5, 1), job("y", 0, 1)), "job 'y' arrives at 0 ms, behind one at 5000 ms"),
        ((job("x", 0, 1), job("x", 0, 1)), "job 'x' occurs twice"),
        ((job("x", 0, 1, after=("no",)),), "job 'x' waits for 'no', which is no job"),
        ((job("x", 0, 1, after=("y",)), job("y", 0, 1, after=("x",))), "in a circle"),
    ],
)
def test_a_workload_that_cannot_be_is_refused(jobs, says):
    """WL-1. Readers say so of files; what was put together in code passes the same gate."""
    with pytest.raises(WorkloadError, match=says):
        run(*jobs)


def test_without_nodes_there_is_no_run():
    with pytest.raises(WorkloadError, match="there are no nodes to run on.*write nodes as"):
        run(job("x", 0, 1), nodes=None)


# ---- stopped and back ---------------------------------------------------------------------------------------------------


def stopped_for_prod(**restarts):
    """Batch fills two cores for 100 s; prod asks for one at 20 s and may preempt at 30 s, for 50 s."""
    jobs = (job("batch", 0, 100, queue="root.batch", count=2), job("prod", 20, 50, queue="root.prod"))
    return run(*jobs, design=GUARANTEED, nodes="1 x vcore=2", restarts=Restarts(**restarts))


def test_a_guarantee_is_taken_back_after_the_delay_and_the_victim_comes_back():
    """P-21; WL-3: after 5 s it asks again, and runs from the start when prod has ended."""
    made = stopped_for_prod()
    assert times(made)["prod"] == (20, 30, 80)
    victim = next(each for each in made.record.attempts() if each.fate == Fate.PREEMPTED)
    assert (victim.placed_ns, victim.ended_ns) == (0, 30 * 10**9)
    assert made.record.job_of(victim.stopped_for).id == "prod"
    again = next(each for each in made.record.attempts() if each.restart == 1)
    assert (again.arrived_ns, again.placed_ns, again.ended_ns) == (35 * 10**9, 80 * 10**9, 180 * 10**9)
    assert made.jobs[0].restarts == 1 and times(made)["batch"] == (0, 0, 180)


@pytest.mark.parametrize(
    ("restarts", "ends_s"),
    [({"how": "keeps"}, 150), ({"how": "checkpoint", "checkpoint_ms": 20_000}, 160), ({"how": "from_start"}, 180)],
)
def test_what_comes_back_runs_what_is_left_as_it_is_restarted(restarts, ends_s):
    """WL-3: 30 of 100 s had been done; 30, 20 or none of them count."""
    assert times(stopped_for_prod(**restarts))["batch"][2] == ends_s


def test_what_never_comes_back_fails_its_job():
    made = stopped_for_prod(comes_back_after_ms=None)
    assert made.jobs[0].state == "failed" and times(made)["batch"] == (0, 0, 100)


def test_an_application_that_completed_meanwhile_is_submitted_again():
    """Half a minute without anything and it completes (R-452); what comes back later needs a new one."""
    jobs = (job("batch", 0, 100, queue="root.batch", vcore=2), job("prod", 20, 50, queue="root.prod"))
    made = run(*jobs, design=GUARANTEED, nodes="1 x vcore=2", restarts=Restarts(comes_back_after_ms=500_000))
    assert times(made)["batch"] == (0, 0, 630)


# ---- nodes --------------------------------------------------------------------------------------------------------------


def test_what_runs_on_a_node_that_goes_is_lost_and_comes_back_elsewhere():
    """WL-3, WL-4, R-413."""
    made = run(
        job("x", 0, 100),
        nodes=None,
        pools=(Pool(name="n", capacity=Resource(vcore=1000), count=1),),
        node_events=(
            NodeEvent(at_ms=40_000, node_id="n-000", happens="removed"),
            NodeEvent(at_ms=60_000, node_id="m", happens="added", capacity=Resource(vcore=1000)),
        ),
    )
    assert [each.fate for each in made.record.attempts()] == [Fate.NODE_LOST, Fate.FINISHED]
    assert times(made)["x"] == (0, 0, 160)
    assert made.record.nodes == ["n-000", "m"]


def test_a_drained_node_takes_nothing_until_it_is_undrained():
    drains = (
        NodeEvent(at_ms=5_000, node_id="node-000", happens="drained"),
        NodeEvent(at_ms=50_000, node_id="node-000", happens="undrained"),
    )
    made = run(job("x", 0, 10), job("y", 6, 10), node_events=drains)
    assert times(made) == {"x": (0, 0, 10), "y": (6, 50, 60)}


def test_nodes_fail_at_random_by_the_seed_and_are_repaired():
    """WL-4, WL-7."""
    pool = Pool(name="n", capacity=Resource(vcore=1000), count=3, fails_every_ms=200_000, repair_ms=30_000)
    jobs = [job(f"j{number}", 10 * number, 60) for number in range(40)]
    made = run(*jobs, nodes=None, pools=(pool,), seed=5)
    lost = sum(each.fate == Fate.NODE_LOST for each in made.record.attempts())
    assert lost > 0 and all(row.state == "finished" for row in made.jobs)
    assert run(*jobs, nodes=None, pools=(pool,), seed=5).digest() == made.digest()
    assert run(*jobs, nodes=None, pools=(pool,), seed=6).digest() != made.digest()


def test_a_pool_grows_on_demand_and_shrinks_when_it_is_idle():
    """WL-4: asked for at once, there after a minute, gone five minutes after the last task."""
    pool = Pool(name="n", capacity=Resource(vcore=1000), count=1, minimum=1, maximum=3, start_delay_ms=60_000, idle_ms=300_000)
    made = run(job("x", 0, 100, count=5), job("late", 1000, 1), nodes=None, pools=(pool,))
    placed = sorted(each.placed_ns // 10**9 for each in made.record.attempts())
    assert placed == [0, 60, 60, 100, 160, 1000]
    changes = [(each.at_ns // 10**9, made.record.nodes[each.node], each.capacity is None) for each in made.record.node_changes]
    # Idle from 160, 200 and 260 on are n-002, n-000 and n-001, which is the one that the pool keeps.
    assert changes == [(0, "n-000", False), (60, "n-001", False), (60, "n-002", False), (460, "n-002", True), (500, "n-000", True)]


# ---- gangs --------------------------------------------------------------------------------------------------------------


def test_a_gang_starts_when_all_of_it_has_room():
    """Chapter 07: placeholders wait for their room one by one; the tasks replace them when the last has some."""
    gang = job("gang", 0, 50, count=3, name="workers", gang=Gang(timeout_ms=900_000))
    made = run(job("x", 0, 30, queue="root.b"), gang, nodes="3 x vcore=1")
    assert times(made)["gang"] == (0, 30, 80)
    fates = [each.fate for each in made.record.attempts() if each.placeholder]
    assert fates == [Fate.REPLACED] * 3


def test_a_hard_gang_whose_time_is_over_fails():
    gang = job("gang", 0, 50, count=3, name="workers", gang=Gang(style="Hard", timeout_ms=60_000))
    made = run(gang, job("y", 0, 10), nodes="2 x vcore=1")
    assert made.jobs[0].state == "failed" and times(made)["gang"][2] == 60
    assert times(made)["y"] == (0, 60, 70)


def test_a_soft_gang_whose_time_is_over_runs_as_far_as_it_can():
    gang = job("gang", 0, 50, count=3, name="workers", gang=Gang(style="Soft", timeout_ms=60_000))
    made = run(gang, nodes="2 x vcore=1")
    assert made.jobs[0].state == "finished"
    assert [each.placed_ns // 10**9 for each in made.record.attempts() if not each.placeholder] == [60, 60, 110]


# ---- time ---------------------------------------------------------------------------------------------------------------


def test_a_rate_bounds_the_placements_of_a_second():
    """WL-5."""
    made = run(job("x", 0, 100, count=4), nodes="4 x vcore=1", rate=2)
    assert [each.placed_ns / 10**9 for each in made.record.attempts()] == [0, 0.5, 1.0, 1.5]


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_rate_is_positive(rate):
    with pytest.raises(CommandError, match="rate must be above 0"):
        run(job("x", 0, 1), rate=rate)


def test_who_stops_a_run_keeps_what_was_done():
    asked = iter([False] * 3 + [True] * 100)
    made = run(*(job(f"j{number}", 10 * number, 1) for number in range(20)), stop=lambda: next(asked))
    assert made.stopped and 0 < sum(row.state == "finished" for row in made.jobs) < 20
    assert made.record.job_submitted_ns[19] == NEVER and made.record.job_state[19] == JobState.NOT_SUBMITTED


def test_the_same_again_gives_the_same():
    jobs = [job(f"j{number}", number % 7, 3 + number % 5, count=2) for number in range(30)]
    assert (
        run(*sorted(jobs, key=lambda each: each.submit_ms)).digest() == run(*sorted(jobs, key=lambda each: each.submit_ms)).digest()
    )


def test_designs_come_as_text_path_or_configuration(tmp_path):
    from workbench.config import load_config
    from workbench.runs.simulate import design_of

    path = tmp_path / "queues.yaml"
    path.write_text(FLAT, encoding="utf-8")
    assert design_of(FLAT).text == design_of(path).text == design_of(str(path)).text == design_of(load_config(FLAT)).text
