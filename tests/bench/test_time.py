"""Time verbs: conditions of a run, play and stop, cycles, and that playing ahead leaves no trace."""

from __future__ import annotations

import asyncio
import os
import signal
from types import SimpleNamespace

import pytest

from workbench import CommandError, Workbench
from workbench.bench import study
from workbench.bench.conditions import CONDITIONS
from workbench.simulation.simulation import Simulation


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.mark.parametrize(
    ("condition", "argument", "position"),
    [
        ("end", "", 11),
        ("steps", 3, 3),
        ("queue", "root.tenants", 4),
        ("application", "system-normal", 2),
        ("request", "P2", 3),
        ("preemption", "", 11),
        ("priority", "root.system", 1),
    ],
)
def test_a_run_ends_where_its_condition_holds(bench, condition, argument, position):
    bench.run_until(condition, argument)
    assert bench.simulation.position == position


def test_a_run_ends_when_a_queue_reaches_its_maximum(bench):
    bench.set("root.tenants.tenant-a", "resources.max", {"vcore": "2"})
    bench.run_until("max", "root.tenants.tenant-a")
    queue = bench.partition.root.children["tenants"].children["tenant-a"]
    assert queue.allocated["vcore"] == queue.maximum["vcore"]
    assert bench.simulation.position < 11


def test_a_condition_that_never_holds_says_so(bench):
    bench.run_until("guaranteed", "root.system")
    assert "did not come to" in bench.status.text


@pytest.mark.parametrize(("condition", "argument"), [("nosuch", ""), ("queue", "root.gone"), ("steps", "many"), ("steps", 0)])
def test_a_condition_that_makes_no_sense_is_refused(bench, condition, argument):
    with pytest.raises(CommandError):
        bench.run_until(condition, argument)
    assert bench.simulation.position == 0


def test_every_condition_has_a_label_of_its_own():
    labels = [each.label for each in CONDITIONS.values()]
    assert len(set(labels)) == len(labels)


def test_a_cycle_passes_time_even_when_it_changes_nothing(bench):
    bench.run()
    before = bench.simulation.now_ns
    bench.cycle()
    assert bench.simulation.now_ns > before
    assert "changed nothing" in bench.status.text


def test_time_can_pass(bench):
    before = bench.simulation.now_ns
    bench.advance(2.5)
    assert bench.simulation.now_ns - before >= 2_500_000_000
    bench.undo()
    assert bench.simulation.now_ns == before
    with pytest.raises(CommandError):
        bench.advance(-1)


def test_playing_ahead_for_the_turns_leaves_no_trace(bench):  # U-1
    for position in (0, 4):
        bench.goto(position)
        digest, recorded = bench.simulation.digest(), bench.simulation.recorded
        decisions = bench.simulation.ahead(500)
        assert len(decisions) == 11 - position
        assert (bench.simulation.digest(), bench.simulation.recorded, bench.simulation.position) == (digest, recorded, position)
        bench.forget_turns()
        bench.goto(4)


def test_after_going_back_a_request_has_the_turn_that_it_had(bench):  # U-2
    expected = dict(bench.turns)
    bench.refresh()
    bench.run(max_steps=3)
    bench.refresh()
    assert bench.turns
    bench.back(2)
    assert dict(bench.turns) == expected


def test_turns_count_from_the_present_step(bench):
    bench.run(max_steps=4)
    bench.add_request("late", "now", {"vcore": "1"}, queue="root.system.system-high", priority=9)
    assert bench.turns["late", "now"] == 5


def test_a_study_comes_back_to_the_same_state(bench):
    bench.run(max_steps=3)
    bench.add_node("more", {"vcore": "4", "memory": "8Gi"})
    bench.run(max_steps=2)
    bench.advance(1)
    again = study.at_once(study.study_of(bench.simulation))
    assert again.digest() == bench.simulation.digest()
    assert again.position == bench.simulation.position


def test_play_without_an_event_loop_runs_to_the_end(bench):
    bench.play(5)
    assert bench.simulation.position == 11
    with pytest.raises(CommandError, match="1 to 5"):
        bench.play(60)


def test_an_interrupt_stops_a_run_in_a_script_after_a_whole_step(bench, monkeypatch):  # U-18
    real = Simulation.step

    def step_then_interrupt(self):
        decision = real(self)
        if self.position == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return decision

    monkeypatch.setattr(Simulation, "step", step_then_interrupt)
    usual = signal.getsignal(signal.SIGINT)
    assert bench.run() <= 5
    assert "Stopped" in bench.status.text
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_run_whose_page_is_gone_does_not_block_the_next_verb(bench):
    async def start_and_leave() -> None:
        bench.play(1)
        await asyncio.sleep(0.05)
        assert bench.player.busy

    asyncio.run(start_and_leave())
    position = bench.simulation.position
    bench.step()
    assert bench.simulation.position == position + 1


def test_the_rail_marks_preemptions(bench, monkeypatch):
    from workbench.bench import marks

    bench.run(max_steps=2)
    steps = [
        SimpleNamespace(number=1, decision=SimpleNamespace(victims=())),
        SimpleNamespace(number=2, decision=SimpleNamespace(victims=("a", "b"))),
    ]
    monkeypatch.setattr(bench.simulation, "_steps", steps)
    assert marks.of(bench.simulation) == [{"step": 2, "kind": "preempted", "sign": "✕", "text": "2 allocations preempted."}]


def test_rank_in_pending_is_the_order_of_serving(bench):
    for _ in range(4):
        rows = [line.split() for line in str(bench.table("pending")).splitlines()[1:]]
        assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
        order = [row[1] for row in rows]
        first = bench.simulation.position
        bench.run()
        assert order == [step.decision.key for step in bench.simulation.steps[first:]]
        bench.goto(first)
        bench.step()


def test_what_is_not_served_comes_behind_what_is(bench):
    bench.add_request("huge", "never", {"vcore": 999}, queue="root.system.system-high", priority=10_000)
    rows = [line.split() for line in str(bench.table("pending")).splitlines()[1:]]
    assert rows[-1][1] == "never" and rows[0][1] == bench.simulation.preview().key


@pytest.mark.parametrize(("given", "seconds"), [("40s", 40), ("1m30s", 90), ("2.5", 2.5), ("1d", 86_400), ("250ms", 0.25)])
def test_a_time_may_be_written_as_people_write_it(bench, given, seconds):
    before = bench.simulation.now_ns
    bench.advance(given)
    assert round((bench.simulation.now_ns - before) / 1e9, 2) == pytest.approx(seconds, abs=0.01)
    assert bench.status.call == f'bench.advance("{given}")'


@pytest.mark.parametrize("given", ["soon", "", "-1s", "0s", "nan"])
def test_what_is_no_time_is_refused(bench, given):
    digest = bench.simulation.digest()
    with pytest.raises(CommandError):
        bench.advance(given)
    assert bench.simulation.digest() == digest
