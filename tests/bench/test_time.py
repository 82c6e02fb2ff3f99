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
def wb() -> Workbench:
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
def test_a_run_ends_where_its_condition_holds(wb, condition, argument, position):
    wb.run_until(condition, argument)
    assert wb.simulation.position == position


def test_a_run_ends_when_a_queue_reaches_its_maximum(wb):
    wb.set("root.tenants.tenant-a", "resources.max", {"vcore": "2"})
    wb.run_until("max", "root.tenants.tenant-a")
    queue = wb.partition.root.children["tenants"].children["tenant-a"]
    assert queue.allocated["vcore"] == queue.maximum["vcore"]
    assert wb.simulation.position < 11


def test_a_condition_that_never_holds_says_so(wb):
    wb.run_until("guaranteed", "root.system")
    assert "did not come to" in wb.status.text


@pytest.mark.parametrize(("condition", "argument"), [("nosuch", ""), ("queue", "root.gone"), ("steps", "many"), ("steps", 0)])
def test_a_condition_that_makes_no_sense_is_refused(wb, condition, argument):
    with pytest.raises(CommandError):
        wb.run_until(condition, argument)
    assert wb.simulation.position == 0


def test_every_condition_has_a_label_of_its_own():
    labels = [each.label for each in CONDITIONS.values()]
    assert len(set(labels)) == len(labels)


def test_a_cycle_passes_time_even_when_it_changes_nothing(wb):
    wb.run()
    before = wb.simulation.now_ns
    wb.cycle()
    assert wb.simulation.now_ns > before
    assert "changed nothing" in wb.status.text


def test_time_can_pass(wb):
    before = wb.simulation.now_ns
    wb.advance(2.5)
    assert wb.simulation.now_ns - before >= 2_500_000_000
    wb.undo()
    assert wb.simulation.now_ns == before
    with pytest.raises(CommandError):
        wb.advance(-1)


def test_playing_ahead_for_the_turns_leaves_no_trace(wb):  # U-1
    for position in (0, 4):
        wb.goto(position)
        digest, recorded = wb.simulation.digest(), wb.simulation.recorded
        decisions = wb.simulation.ahead(500)
        assert len(decisions) == 11 - position
        assert (wb.simulation.digest(), wb.simulation.recorded, wb.simulation.position) == (digest, recorded, position)
        wb.forget_turns()
        wb.goto(4)


def test_after_going_back_a_request_has_the_turn_that_it_had(wb):  # U-2
    expected = dict(wb.turns)
    wb.refresh()
    wb.run(max_steps=3)
    wb.refresh()
    assert wb.turns
    wb.back(2)
    assert dict(wb.turns) == expected


def test_turns_count_from_the_present_step(wb):
    wb.run(max_steps=4)
    wb.add_request("late", "now", {"vcore": "1"}, queue="root.system.system-high", priority=9)
    assert wb.turns["late", "now"] == 5


def test_a_study_comes_back_to_the_same_state(wb):
    wb.run(max_steps=3)
    wb.add_node("more", {"vcore": "4", "memory": "8Gi"})
    wb.run(max_steps=2)
    wb.advance(1)
    again = study.at_once(study.study_of(wb.simulation))
    assert again.digest() == wb.simulation.digest()
    assert again.position == wb.simulation.position


def test_play_without_an_event_loop_runs_to_the_end(wb):
    wb.play(5)
    assert wb.simulation.position == 11
    with pytest.raises(CommandError, match="1 to 5"):
        wb.play(60)


def test_an_interrupt_stops_a_run_in_a_script_after_a_whole_step(wb, monkeypatch):  # U-18
    real = Simulation.step

    def step_then_interrupt(self):
        decision = real(self)
        if self.position == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return decision

    monkeypatch.setattr(Simulation, "step", step_then_interrupt)
    usual = signal.getsignal(signal.SIGINT)
    assert wb.run() <= 5
    assert "Stopped" in wb.status.text
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_run_whose_page_is_gone_does_not_block_the_next_verb(wb):
    async def start_and_leave() -> None:
        wb.play(1)
        await asyncio.sleep(0.05)
        assert wb.player.busy

    asyncio.run(start_and_leave())
    position = wb.simulation.position
    wb.step()
    assert wb.simulation.position == position + 1


def test_the_rail_marks_preemptions(wb, monkeypatch):
    from workbench.bench import marks

    wb.run(max_steps=2)
    steps = [
        SimpleNamespace(number=1, decision=SimpleNamespace(victims=())),
        SimpleNamespace(number=2, decision=SimpleNamespace(victims=("a", "b"))),
    ]
    monkeypatch.setattr(wb.simulation, "_steps", steps)
    assert marks.of(wb.simulation) == [{"step": 2, "kind": "preempted", "sign": "✕", "text": "2 allocations preempted."}]
