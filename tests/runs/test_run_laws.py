"""What holds in every run, whatever the design and the workload. Rules WL-2, WL-3, WL-5 to WL-7."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from small_runs import GUARANTEED, run
from small_runs import job as a_job
from workload_families import FAMILIES, Case, case

from workbench.runs import Run, simulate
from workbench.runs.keys import ask_key
from workbench.runs.player import Player, pace_of
from workbench.runs.record import NEVER, Fate, Record
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.events import Allocated, Released
from workbench.scheduler.records.refusals.room import NoQueueRoom, NoUserRoom
from workbench.scheduler.records.refusals.slots import HolderFull, QueueFull
from workbench.simulation import Simulation
from workbench.values.resources import add, fit_in
from workbench.workloads import Workload

UNTIL = "30m"
cases = st.builds(case, st.sampled_from(FAMILIES), st.integers(0, 10**6), jobs=st.integers(1, 25))


def played(each: Case) -> Run:
    return simulate(each.design, each.workload, seed=each.seed, rate=each.rate, until=UNTIL)


@examples(30)
@given(cases)
def test_every_task_waits_runs_and_loses_as_long_as_it_is_there(each: Case):
    """Conservation: the attempts of a task follow each other without gaps but for the time to come back, and the work that counts
    adds up to its duration when it finishes."""
    made = played(each)
    record, restarts = made.record, each.workload.restarts
    by_task = defaultdict(list)
    for attempt in record.attempts():
        if not attempt.placeholder:
            by_task[attempt.job, attempt.group, attempt.number].append(attempt)
    for (job, group, number), attempts in by_task.items():
        assert [attempt.restart for attempt in attempts] == list(range(len(attempts)))
        for before, after in zip(attempts, attempts[1:]):
            assert before.fate in (Fate.PREEMPTED, Fate.NODE_LOST)
            assert after.arrived_ns == before.ended_ns + restarts.comes_back_after_ms * 10**6
        for attempt in attempts:
            assert attempt.placed_ns == NEVER or attempt.placed_ns >= attempt.arrived_ns
            assert attempt.ended_ns == NEVER or attempt.ended_ns >= max(attempt.placed_ns, attempt.arrived_ns)
        last = attempts[-1]
        if last.fate == Fate.FINISHED and each.rate is None:
            ran_ns = last.ended_ns - last.placed_ns - each.workload.start_delay_ms * 10**6
            assert last.kept_ns + ran_ns == each.workload.jobs[job].tasks[group].duration_of(number) * 10**6


@examples(25)
@given(cases)
def test_no_node_ever_holds_more_than_it_has_and_everything_comes_back(each: Case):
    """At each placement, of what was placed there before and has not ended."""
    made = played(each)
    record = made.record
    held = defaultdict(list)
    for index in record.placements():
        placed = record.attempt(index)
        there = [other for other in held[placed.node] if not 0 <= record.ended_at_ns[other] <= placed.placed_ns]
        held[placed.node] = [*there, index]
        total = None
        for other in held[placed.node]:
            if not record.placeholder[other] or record.fate[other] != Fate.REPLACED:
                total = add(total, record.resource_of(other))
        capacity = [
            change.capacity for change in record.node_changes if change.node == placed.node and change.capacity is not None
        ][-1]
        assert fit_in(capacity, total)
    assert sum(fate == Fate.RUNS for fate in record.fate) == sum(
        1 for index in range(len(record)) if record.placed_ns[index] >= 0 and record.ended_at_ns[index] < 0
    )


class Throughout(Player):
    """Plays with a cycle every so often as well, as a scheduler does that does not know when there is nothing to do."""

    every_ns = 1_700_000_000

    def _next(self) -> int | None:
        target = super()._next()
        soon = self.engine.state.now_ns // self.every_ns * self.every_ns + self.every_ns
        return target if target is None or not self.ledger.waiting else min(target, soon)


def throughout(made: Run) -> Record:
    return Throughout(
        made.config, made.workload, release=made.release, seed=made.seed, pace=pace_of(made.rate), until_ns=made.until_ns
    ).play()


@examples(10)
@given(cases.filter(lambda each: each.rate is None))
def test_the_jump_of_time_is_the_same_as_cycles_throughout(each: Case):
    """WL-5."""
    made = played(each)
    other = Run(made.config, made.workload, made.release, made.seed, None, made.until_ns, throughout(made))
    assert other.jobs == made.jobs and other.digest() == made.digest()


def decided(simulation: Simulation) -> list[tuple]:
    """Placements and releases in their order."""
    while not simulation.done:
        simulation.step()
    return told(simulation)


def told(simulation: Simulation) -> list[tuple]:
    return [
        (event.key, event.application_id, event.node_id if isinstance(event, Allocated) else event.type)
        for event in (each.event for each in simulation.said)
        if isinstance(event, Allocated | Released)
    ]


@examples(10)
@given(cases)
def test_a_run_is_a_scenario_that_decides_the_same(each: Case):
    """WL-6: the placements of the scenario are those of the record, in their order and on their nodes."""
    made = played(each)
    record = made.record
    expected = [(record.job_of(index).id, record.nodes[record.node[index]]) for index in record.placements()]
    simulation = Simulation.from_scenario(made.scenario())
    assert [(app, where) for _, app, where in decided(simulation) if where in record.nodes] == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_workload_design_and_seed_give_the_same(family):
    """WL-7."""
    each = case(family, 11)
    assert played(each).digest() == played(each).digest()


@pytest.mark.parametrize("family", FAMILIES)
def test_any_moment_of_a_run_can_be_looked_at(family):
    """Right before a placement the next step is that placement."""
    made = played(case(family, 3))
    record = made.record
    placed = record.placements()
    for order in {0, len(placed) // 2, len(placed) - 1}:
        decision = made.before_placement(order).preview()
        attempt = placed[order]
        assert decision.application_id == record.job_of(attempt).id
        assert decision.outcome in ("allocated", "replaced") and decision.node_id == record.nodes[record.node[attempt]]


def test_an_empty_workload_is_a_run_of_nothing():
    made = simulate(case("plain", 1).design, Workload(), nodes="1 x vcore=1")
    assert made.jobs == () and made.record.ended_ns == 0


@examples(25)
@given(cases)
def test_the_seconds_of_all_reasons_add_up_to_the_wait(each: Case):
    """M-7, exactly, for every attempt."""
    record = played(each).record
    held: dict[int, int] = defaultdict(int)
    for hold in record.holds():
        assert hold.since_ns < hold.until_ns
        held[hold.attempt] += hold.until_ns - hold.since_ns
    for index, attempt in enumerate(record.attempts()):
        left_ns = attempt.placed_ns if attempt.placed_ns >= 0 else attempt.ended_ns if attempt.ended_ns >= 0 else record.ended_ns
        assert held[index] == left_ns - attempt.arrived_ns


@examples(25)
@given(cases)
def test_reasons_are_looked_for_only_when_something_happened_and_are_those_of_looking_every_time(each: Case):
    """M-7: an attempt to preempt that was in vain tells nobody another reason."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "stirred", None)
        every_time = played(each).record
    assert list(played(each).record.holds()) == list(every_time.holds())


SAYS = {
    "queue maximum": NoQueueRoom,
    "parent maximum": NoQueueRoom,
    "user limit": NoUserRoom,
    "applications": QueueFull,
    "user applications": HolderFull,
}


@examples(10)
@given(cases.filter(lambda each: each.rate is None), st.floats(0, 1))
def test_the_reasons_are_those_that_the_scheduler_gives(each: Case, part: float):
    """At an instant in the midst of a hold, what the decision itself says of the request. Chapter 09."""
    made = played(each)
    record = made.record
    holds = [hold for hold in record.holds() if hold.until_ns - hold.since_ns > 10**9]
    if not holds:
        return
    hold = holds[min(int(part * len(holds)), len(holds) - 1)]
    simulation = made.at((hold.since_ns + hold.until_ns) // 2)
    job, attempt = record.job_of(hold.attempt), record.attempt(hold.attempt)
    number = sum(tasks.count for tasks in job.tasks[: attempt.group]) + attempt.number
    key = ask_key(job.id, number, restart=attempt.restart, placeholder=attempt.placeholder)
    refusal = next(waiting.refusal for waiting in simulation.waiting() if waiting.ask.key == key)
    said = record.reasons[hold.reason]
    if said in SAYS:
        assert isinstance(refusal, SAYS[said])
        if said == "queue maximum":
            assert refusal.subject == record.queue_of(hold.attempt)
    else:
        assert not isinstance(refusal, NoUserRoom | QueueFull | HolderFull)


def test_a_moment_at_which_a_timer_of_the_core_lets_others_be_stopped_has_that_happened():
    """WL-6: such a timer comes some microseconds after the instant of the run that it belongs to."""
    jobs = (a_job("night", 0, 100, queue="root.batch", count=2), a_job("urgent", 5, 20, queue="root.prod"))
    made = run(*jobs, design=GUARANTEED, nodes="1 x vcore=2")
    stopped = next(each for each in made.record.attempts() if each.fate is Fate.PREEMPTED)
    assert stopped.ended_ns == 15 * 10**9
    assert [row.ask.key for row in made.at(stopped.ended_ns - 1).waiting()] == ["urgent:0"]
    assert made.at(stopped.ended_ns).waiting() == ()
    assert made.before_placement(2).preview().outcome == "allocated"
