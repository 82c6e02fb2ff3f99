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
def bench() -> Workbench:
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
def test_play_shows_each_step_and_stop_is_answered_within_a_third_of_a_second(bench, monkeypatch, speed, waited):  # A-9, U-18
    clock = Clock()
    monkeypatch.setattr(work, "time", clock)
    monkeypatch.setattr(work, "asyncio", clock)
    screen, seen = bench.screen, []
    screen.bar.rail.observe(lambda change: seen.append(change["new"]), "position")

    async def play_then_stop() -> tuple[float, int]:
        screen.bar.speed.value = speed
        screen.bar.play.click()
        while bench.simulation.position < 2:
            await asyncio.sleep(0)
        until = clock.now + waited
        while clock.now < until:
            await asyncio.sleep(0)
        assert screen.bar.play.description == "Stop"
        with pytest.raises(CommandError, match="Press Stop"):
            bench.step()
        begun, position = clock.now, bench.simulation.position
        screen.bar.play.click()
        while bench.player.busy:
            await asyncio.sleep(0)
        return clock.now - begun, bench.simulation.position - position

    took, more = asyncio.run(asyncio.wait_for(play_then_stop(), 30))
    assert took <= 0.3 and more <= 1, (took, more)
    assert seen == list(range(1, bench.simulation.position + 1))
    assert 2 <= bench.simulation.position < 11
    assert bench.calls[-1] == f"bench.run(max_steps={bench.simulation.position})"
    assert screen.bar.play.description == "Play"
    assert not screen.bar.step.disabled


def test_a_long_edit_can_be_stopped_and_then_changed_nothing(bench, monkeypatch):  # U-18
    bench.run()
    config, digest = bench.config, bench.simulation.digest()
    monkeypatch.setattr(work, "AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(work, "CHUNK_SECONDS", 0.0)
    real = Simulation.step
    monkeypatch.setattr(Simulation, "step", lambda self: (time.sleep(0.02), real(self))[1])
    screen = bench.screen

    async def edit_then_stop() -> None:
        screen.carry_out("set", "root.tenants", "priority.policy", "default")
        await asyncio.sleep(0.05)
        assert screen.status.text.startswith("Running again: step")
        bench.stop()
        while bench.player.busy:
            await asyncio.sleep(0.005)

    asyncio.run(edit_then_stop())
    assert (bench.config, bench.simulation.digest(), bench.can_undo) == (config, digest, False)
    assert "unchanged" in bench.status.text


def test_a_wish_that_comes_in_another_thread_during_a_redraw_waits_for_its_turn(bench, monkeypatch):
    """JupyterLab has ipykernel 7 answer widgets in a thread of their own; a click once was lost in a redraw of a cell's verb."""
    screen = bench.screen
    real, inside = screen.picture.show, threading.Event()

    def slow(*args):
        inside.set()
        time.sleep(0.1)
        real(*args)

    monkeypatch.setattr(screen.picture, "show", slow)
    cell = threading.Thread(target=bench.step)
    cell.start()
    assert inside.wait(5)
    assert screen.carry_out("add_queue", "root", "kept") is None
    cell.join()
    assert bench.selected == "root.kept"
    assert bench.simulation.position == 1


def test_the_bar_asks_for_a_selection_where_a_condition_needs_one(bench):
    bar = bench.screen.bar
    bar.until.value = "queue"
    bar.run.click()
    assert bench.status.text == "Select a queue first."
    bench.select("root.tenants")
    bar.run.click()
    assert bench.simulation.position == 4
    bar.until.value = "steps"
    bar.number.value = 2
    bar.run.click()
    assert bench.simulation.position == 6
    assert bar.number.layout.display == ""


def test_the_rail_marks_reloads_and_differences(bench):  # U-16
    rail = bench.screen.bar.rail
    bench.run(max_steps=3)
    bench.screen.bar.edits.value = "reload"
    bench.set("root.tenants", "priority.offset", 5)
    assert [(mark["step"], mark["kind"]) for mark in rail.marks] == [(3, "reload")]
    bench.screen.bar.edits.value = "rerun"
    bench.goto(2)  # where the design is that of the start; after the reload an edit changes what was reloaded
    bench.set("root.system.system-high", "priority.offset", -5000)
    assert rail.differs_at == 1 and "step 1" in rail.difference


# ---- keys ---------------------------------------------------------------------------------------------------------------


def press(bench: Workbench, verb: str) -> None:
    bench.screen.keyboard._handle_custom_msg({"verb": verb}, [])


def test_keys_are_verbs(bench):  # U-17
    for verb in ("step", "step", "back"):
        press(bench, verb)
    assert bench.simulation.position == 1
    press(bench, "run")
    assert bench.simulation.position == 11
    bench.set("root.tenants", "priority.offset", 5)
    press(bench, "undo")
    assert not bench.can_undo
    press(bench, "help")
    assert "step" in bench.screen.help.text
    press(bench, "help")
    assert bench.screen.help.text == ""
    press(bench, "nosuch")
    bench.screen.keyboard._handle_custom_msg(["step"], [])


def test_keys_can_be_turned_off():
    bench = Workbench.example("multitenancy", keys=False)
    assert not bench.screen.keyboard.enabled
    assert bench.screen.tree.reserved == ""


def test_finding_selects_a_queue_before_a_request(bench):
    find = bench.screen.bar.find
    find.value = "child-a-2"
    assert bench.selected == "root.tenants.tenant-a.child-a-2"
    find.value = "P9"
    assert bench.selected_request == ("child-b-1", "P9")
    find.value = "nowhere"
    assert "nowhere" in bench.status.text and bench.status.is_error
