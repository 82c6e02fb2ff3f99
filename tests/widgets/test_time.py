"""Time verbs: conditions of a run, play and stop, cycles, and that playing ahead leaves no trace."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from workbench import CommandError, Workbench
from workbench.bench import work
from workbench.simulation.simulation import Simulation


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


class Clock:
    """Time that passes only where somebody sleeps, in place of `time` and `asyncio` in the module of work."""

    CancelledError, AbstractEventLoop, Task = asyncio.CancelledError, asyncio.AbstractEventLoop, asyncio.Task
    get_running_loop = staticmethod(asyncio.get_running_loop)

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


@pytest.mark.parametrize("speed", [1, 5])
@pytest.mark.parametrize("waited", [0.0, 0.1, 0.19, 0.5, 0.93, 1.0])
def test_play_shows_each_step_and_stop_is_answered_within_a_third_of_a_second(wb, monkeypatch, speed, waited):  # A-9, U-18
    clock = Clock()
    monkeypatch.setattr(work, "time", clock)
    monkeypatch.setattr(work, "asyncio", clock)
    screen, seen = wb.screen, []
    screen.bar.rail.observe(lambda change: seen.append(change["new"]), "position")

    async def play_then_stop() -> tuple[float, int]:
        screen.bar.speed.value = speed
        screen.bar.play.click()
        while wb.simulation.position < 2:
            await asyncio.sleep(0)
        until = clock.now + waited
        while clock.now < until:
            await asyncio.sleep(0)
        assert screen.bar.play.description == "Stop"
        with pytest.raises(CommandError, match="Press Stop"):
            wb.step()
        begun, position = clock.now, wb.simulation.position
        screen.bar.play.click()
        while wb.player.busy:
            await asyncio.sleep(0)
        return clock.now - begun, wb.simulation.position - position

    took, more = asyncio.run(asyncio.wait_for(play_then_stop(), 30))
    assert took <= 0.3 and more <= 1, (took, more)
    assert seen == list(range(1, wb.simulation.position + 1))
    assert 2 <= wb.simulation.position < 11
    assert wb.calls[-1] == f"bench.run(max_steps={wb.simulation.position})"
    assert screen.bar.play.description == "Play"
    assert not screen.bar.step.disabled


def test_a_long_edit_can_be_stopped_and_then_changed_nothing(wb, monkeypatch):  # U-18
    wb.run()
    config, digest = wb.config, wb.simulation.digest()
    monkeypatch.setattr(work, "AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(work, "CHUNK_SECONDS", 0.0)
    real = Simulation.step
    monkeypatch.setattr(Simulation, "step", lambda self: (time.sleep(0.02), real(self))[1])
    screen = wb.screen

    async def edit_then_stop() -> None:
        screen.carry_out("set", "root.tenants", "priority.policy", "default")
        await asyncio.sleep(0.05)
        assert screen.status.text.startswith("Running again: step")
        wb.stop()
        while wb.player.busy:
            await asyncio.sleep(0.005)

    asyncio.run(edit_then_stop())
    assert (wb.config, wb.simulation.digest(), wb.can_undo) == (config, digest, False)
    assert "unchanged" in wb.status.text


def test_a_wish_that_comes_in_another_thread_during_a_redraw_waits_for_its_turn(wb, monkeypatch):
    """JupyterLab has ipykernel 7 answer widgets in a thread of their own; a click once was lost in a redraw of a cell's verb."""
    screen = wb.screen
    real, inside = screen.picture.show, threading.Event()

    def slow(*args):
        inside.set()
        time.sleep(0.1)
        real(*args)

    monkeypatch.setattr(screen.picture, "show", slow)
    cell = threading.Thread(target=wb.step)
    cell.start()
    assert inside.wait(5)
    assert screen.carry_out("add_queue", "root", "kept") is None
    cell.join()
    assert wb.selected == "root.kept"
    assert wb.simulation.position == 1


def test_the_bar_asks_for_a_selection_where_a_condition_needs_one(wb):
    bar = wb.screen.bar
    bar.until.value = "queue"
    bar.run.click()
    assert wb.status.text == "Select a queue first."
    wb.select("root.tenants")
    bar.run.click()
    assert wb.simulation.position == 4
    bar.until.value = "steps"
    bar.number.value = 2
    bar.run.click()
    assert wb.simulation.position == 6
    assert bar.number.layout.display == ""


def test_the_rail_marks_reloads_and_differences(wb):  # U-16
    rail = wb.screen.bar.rail
    wb.run(max_steps=3)
    wb.screen.bar.edits.value = "reload"
    wb.set("root.tenants", "priority.offset", 5)
    assert [(mark["step"], mark["kind"]) for mark in rail.marks] == [(3, "reload")]
    wb.screen.bar.edits.value = "rerun"
    wb.goto(2)  # where the design is that of the start; after the reload an edit changes what was reloaded
    wb.set("root.system.system-high", "priority.offset", -5000)
    assert rail.differs_at == 1 and "step 1" in rail.difference


# ---- keys ---------------------------------------------------------------------------------------------------------------


def press(wb: Workbench, verb: str) -> None:
    wb.screen.keyboard._handle_custom_msg({"verb": verb}, [])


def test_keys_are_verbs(wb):  # U-17
    for verb in ("step", "step", "back"):
        press(wb, verb)
    assert wb.simulation.position == 1
    press(wb, "run")
    assert wb.simulation.position == 11
    wb.set("root.tenants", "priority.offset", 5)
    press(wb, "undo")
    assert not wb.can_undo
    press(wb, "help")
    assert "step" in wb.screen.help.text
    press(wb, "help")
    assert wb.screen.help.text == ""
    press(wb, "nosuch")
    wb.screen.keyboard._handle_custom_msg(["step"], [])


def test_keys_can_be_turned_off():
    wb = Workbench.example("multitenancy", keys=False)
    assert not wb.screen.keyboard.enabled
    assert wb.screen.tree.reserved == ""


def test_finding_selects_a_queue_before_a_request(wb):
    find = wb.screen.bar.find
    find.value = "child-a-2"
    assert wb.selected == "root.tenants.tenant-a.child-a-2"
    find.value = "P9"
    assert wb.selected_request == ("child-b-1", "P9")
    find.value = "nowhere"
    assert "nowhere" in wb.status.text and wb.status.is_error
