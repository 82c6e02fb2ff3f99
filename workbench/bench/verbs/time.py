"""Time: forwards by steps, cycles, runs and seconds; backwards through the recorded steps."""

from __future__ import annotations

from collections.abc import Callable

from workbench.bench import texts
from workbench.bench.conditions import CONDITIONS
from workbench.bench.controller import Say, call_of
from workbench.bench.desk import Desk
from workbench.bench.work import Progress, Work
from workbench.explain.wording import counted, name, seconds
from workbench.scheduler.records.decision import Decision
from workbench.values.errors import CommandError

SLOWEST, FASTEST = 1, 5
"""Steps per second of play."""


def step(desk: Desk) -> Decision:
    """One decision that changes something. Outcome "nothing" when nothing can be allocated."""
    with desk.verb("bench.step()") as say:
        decision = desk.simulation.step()
        _said_step(desk, decision, say)
    return decision


def cycle(desk: Desk) -> Decision:
    """One whole scheduling cycle as the core does it, even if it changes nothing; simulated time passes."""
    ahead = desk.ahead
    with desk.verb("bench.cycle()") as say:
        desk.forget_turns()
        decision = desk.simulation.cycle()
        if decision.changed_something:
            _said_step(desk, decision, say, texts.steps_dropped(ahead))
        else:
            say(f"{idle_cycle(desk.simulation.now_ns)} {texts.steps_dropped(ahead)}".rstrip())
    return decision


def advance(desk: Desk, seconds: float) -> None:
    """Let simulated time pass; timers that fall due fire. CommandError for no or a negative time."""
    before, ahead = desk.study(), desk.ahead
    with desk.verb(call_of("advance", seconds)) as say:
        desk.simulation.advance(seconds)
        desk.forget_turns()
        desk.remember(before)
        desk.drop_lost_selection()
        say(f"{advanced(seconds, desk.simulation.now_ns)} {texts.steps_dropped(ahead)}".rstrip())


def back(desk: Desk, n: int = 1) -> int:
    """Go back `n` steps, at most to the start, and return the position reached."""
    with desk.verb("bench.back()" if n == 1 else f"bench.back({n})") as say:
        if n < 1:
            raise CommandError(f"back goes at least 1 step, not {n}")
        if desk.simulation.position == 0:
            say(texts.no_earlier_step())
        else:
            desk.simulation.goto(max(0, desk.simulation.position - n))
            desk.drop_lost_selection()
            say(_where(desk))
    return desk.simulation.position


def goto(desk: Desk, n: int) -> Work[int]:
    """Go to step `n`, 0 being the start, and return the position. CommandError if it does not exist."""
    with desk.verb(f"bench.goto({n})", repeats="bench.goto(", works=True) as say:
        if n <= desk.simulation.position:
            desk.simulation.goto(n)
        stopped = False
        while desk.simulation.position < n and not stopped:
            desk.simulation.goto(desk.simulation.position + 1)
            stopped = yield Progress(texts.running(desk.simulation.position))
        desk.drop_lost_selection()
        say(_where(desk), call=f"bench.goto({desk.simulation.position})")
    return desk.simulation.position


def reset(desk: Desk) -> None:
    """Go to the start. The steps taken stay on the rail."""
    with desk.verb("bench.reset()") as say:
        desk.simulation.reset()
        desk.drop_lost_selection()
        say(_where(desk))


def run(desk: Desk, max_steps: int | None = None, until: Callable[[Decision], bool] | None = None) -> Work[int]:
    """Step until nothing more can be allocated, at most `max_steps` times or up to the first for which
    `until(decision)` holds. Returns the number of steps taken."""
    arguments = ", ".join(
        part
        for part in (f"max_steps={max_steps}" if max_steps is not None else "", "until=condition" if until is not None else "")
        if part
    )
    with desk.verb(f"bench.run({arguments})", works=True, stepwise=True) as say:
        steps, stopped = yield from _steps(desk, max_steps, until)
        _said_run(desk, steps, stopped, say)
    return steps


def run_until(desk: Desk, condition: str, argument: str | int = "") -> Work[int]:
    """Step until a condition holds or nothing more can be allocated; see `CONDITIONS`. Returns the number of steps taken.

    CommandError if there is no such condition, or none for that argument.
    """
    with desk.verb(call_of("run_until", condition, *([argument] if argument != "" else [])), works=True, stepwise=True) as say:
        if condition not in CONDITIONS:
            raise CommandError(texts.no_such("condition", condition, CONDITIONS))
        test = CONDITIONS[condition].begin(str(argument), desk.partition)
        held = False

        def holds(decision: Decision) -> bool:
            nonlocal held
            held = test(decision, desk.partition)
            return held

        steps, stopped = yield from _steps(desk, None, holds)
        if stopped:
            _said_run(desk, steps, stopped, say)
        else:
            say(ran_until(CONDITIONS[condition].label, str(argument), steps, desk.simulation.position, held))
    return steps


def play(desk: Desk, speed: float = 2) -> None:
    """Step by step, `speed` steps a second, to be watched; `stop` ends it. Where nobody can watch, as `run`.

    CommandError for another speed than 1 to 5.
    """
    desk.player.start(_play(desk, speed))


def _play(desk: Desk, speed: float) -> Work[int]:
    with desk.verb(call_of("play", speed), works=True, stepwise=True) as say:
        if not SLOWEST <= speed <= FASTEST:
            raise CommandError(no_such_speed(speed, SLOWEST, FASTEST))
        steps, stopped = yield from _steps(desk, None, None, pause=1 / speed)
        _said_run(desk, steps, stopped, say)
    return steps


def stop(desk: Desk) -> None:
    """End what goes on, after the step it is at. Does nothing when nothing goes on."""
    desk.player.stop()


def _steps(desk: Desk, most: int | None, until: Callable[[Decision], bool] | None, pause: float = 0.0) -> Work[tuple[int, bool]]:
    """Work: up to `most` steps. How many were taken, and whether somebody stopped it."""
    taken, stopped = 0, False
    while (most is None or taken < most) and not stopped:
        decision = desk.simulation.step()
        if not decision.changed_something:
            break
        taken += 1
        if until is not None and until(decision):
            break
        stopped = yield Progress(texts.running(desk.simulation.position), pause, show=pause > 0)
    desk.drop_lost_selection()
    return taken, stopped


def _said_step(desk: Desk, decision: Decision, say: Say, note: str = "") -> None:
    desk.drop_lost_selection()
    if decision.changed_something:
        say(f"{texts.stepped(desk.simulation.position, decision)} {note}".rstrip())
    else:
        say(texts.nothing_left(len(desk.simulation.waiting()), desk.refused.many))


def _said_run(desk: Desk, steps: int, stopped: bool, say: Say) -> None:
    if stopped:
        say(texts.stopped(steps, desk.simulation.position), call=f"bench.run(max_steps={steps})")
    else:
        say(texts.ran(steps, desk.simulation.position))


def _where(desk: Desk) -> str:
    position = desk.simulation.position
    return texts.moved(position, desk.simulation.steps[position - 1].decision if position else None)


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_such_speed(speed: float, least: int, most: int) -> str:
    return f"{speed:g} steps a second cannot be played; {least} to {most} can"


def ran_until(label: str, argument: str, steps: int, position: int, held: bool) -> str:
    about = f" ({name(argument)})" if argument else ""
    if held:
        return f"Ran {counted(steps, 'step')} until {label}{about}; now at step {position}."
    return f"Ran {counted(steps, 'step')} and nothing is left; it did not come to: {label}{about}. Now at step {position}."


def idle_cycle(now_ns: int) -> str:
    return f"The cycle changed nothing. It is now {seconds(now_ns)}."


def advanced(by: float, now_ns: int) -> str:
    return f"{by:g} s have passed. It is now {seconds(now_ns)}."
