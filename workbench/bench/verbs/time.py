"""Time: forwards by steps, cycles, runs and seconds; backwards through the recorded steps."""

from __future__ import annotations

from collections.abc import Callable

from workbench.bench import texts
from workbench.bench.conditions import CONDITIONS
from workbench.bench.controller import Say, call_of
from workbench.bench.desk import Desk
from workbench.bench.work import Progress, Work
from workbench.explain import words
from workbench.explain.wording import counted, name, seconds
from workbench.runs.moments import moment_ns
from workbench.scheduler.records.decision import Decision
from workbench.simulation import coming
from workbench.simulation.driver import MS_NS
from workbench.values.errors import CommandError

MOST_LOOKS = 60
"""How often time passes up to the next end of a wait before it is taken that nothing comes."""
PREEMPTION = "preemption"
"""The condition, and the picture that is brought to the front where a run stops on one."""
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


def advance(desk: Desk, seconds: float | str) -> None:
    """Let simulated time pass, so many seconds or a span such as "40s", "1h30m" or "2d"; timers that fall due fire.

    CommandError for no or a negative time, and for a text that is none.
    """
    before, ahead = desk.study(), desk.ahead
    with desk.verb(call_of("advance", seconds)) as say:
        given = _seconds(seconds)
        desk.simulation.advance(given)
        desk.forget_turns()
        desk.remember(before)
        desk.drop_lost_selection()
        say(f"{advanced(given, desk.simulation.now_ns)} {texts.steps_dropped(ahead)}".rstrip())


def _seconds(given: float | str) -> float:
    """Seconds of a number, of a number as text, or of a span of time."""
    if not isinstance(given, str):
        return given
    try:
        return float(given)
    except ValueError:
        pass
    try:
        return moment_ns(given.strip()) / 1e9
    except CommandError:
        raise CommandError(no_time(given)) from None


def skip(desk: Desk) -> Work[int]:
    """Let simulated time pass until something can be decided again: a delay of preemption ends, a backoff, a timer.

    Returns the milliseconds that passed, 0 where nothing comes by itself: then no time has passed. One undo entry.
    """
    before = desk.study()
    with desk.verb("bench.skip()", works=True) as say:
        passed = 0
        if desk.simulation.preview().changed_something:
            say(next_is_here())
        else:
            passed = yield from _pass_to_next(desk)
            if passed:
                desk.remember(before)
                desk.drop_lost_selection()
                say(skipped(passed, desk.simulation.now_ns, desk.simulation.preview()))
            else:
                say(nothing_comes(len(desk.simulation.waiting())))
    return passed


def _pass_to_next(desk: Desk) -> Work[int]:
    """Work: let time pass, look by look, until a step can be taken. The milliseconds that passed; 0 if none can: then none passed.

    Between two looks a cycle runs, as on a live cluster, where attempts in vain are noted.
    """
    simulation, started_ns = desk.simulation, desk.simulation.now_ns
    kept = simulation.keep()
    desk.forget_turns()
    with simulation.all_or_nothing():
        for _ in range(MOST_LOOKS):
            waiting_ms = coming.wait_ms(simulation, simulation.waiting())
            if waiting_ms is None:
                break
            simulation.advance(waiting_ms / 1000)
            if simulation.preview().changed_something:
                return (simulation.now_ns - started_ns) // MS_NS
            simulation.cycle()
            if (yield Progress(looking(simulation.now_ns))):
                break
    simulation.restore(kept)
    return 0


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

        before, passed = desk.study(), 0
        steps, stopped = yield from _steps(desk, None, holds)
        while not held and not stopped and CONDITIONS[condition].waits:
            more = yield from _pass_to_next(desk)
            if not more:
                break
            passed += more
            taken, stopped = yield from _steps(desk, None, holds)
            steps += taken
        if passed:
            desk.remember(before)
        if held and condition == PREEMPTION:
            desk.wanted_picture = PREEMPTION, desk.wanted_picture[1] + 1
        if stopped:
            _said_run(desk, steps, stopped, say)
        else:
            waits = len(desk.simulation.waiting())
            say(ran_until(CONDITIONS[condition].label, str(argument), steps, desk.simulation.position, held, waits, passed))
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
        say(texts.ran(steps, desk.simulation.position, *_left(desk)))


def _left(desk: Desk) -> tuple[int, int | None]:
    """How many requests wait, and the milliseconds until the scheduler looks at one anew; of requests that can be served, none."""
    if desk.simulation.preview().changed_something:
        return 0, None
    waiting = desk.simulation.waiting()
    return len(waiting), coming.wait_ms(desk.simulation, waiting)


def _where(desk: Desk) -> str:
    position = desk.simulation.position
    return texts.moved(position, desk.simulation.steps[position - 1].decision if position else None)


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_such_speed(speed: float, least: int, most: int) -> str:
    return f"{speed:g} steps a second cannot be played; {least} to {most} can"


def ran_until(label: str, argument: str, steps: int, position: int, held: bool, waits: int = 0, passed_ms: int = 0) -> str:
    about = f" ({name(argument)})" if argument else ""
    ran = f"Ran {counted(steps, 'step')}" + (f" and let {seconds(passed_ms * MS_NS)} pass" if passed_ms else "")
    if held:
        return f"{ran} until {label}{about}; now at step {position}."
    left = f"{counted(waits, 'request')} {'waits' if waits == 1 else 'wait'} for what does not come by itself" if waits else ""
    return f"{ran} and {left or 'nothing is left'}; it did not come to: {label}{about}. Now at step {position}."


def no_time(text: str) -> str:
    return f"a time is a number of seconds, or a span such as 40s, 1h30m or 2d, not {name(text)}"


def next_is_here() -> str:
    return "Something can be decided now, without any time passing: Step does it."


def skipped(passed_ms: int, now_ns: int, came: Decision) -> str:
    head = f"{seconds(passed_ms * MS_NS)} have passed. It is now {seconds(now_ns)}."
    return f"{head} {words.headline(came.outcome, words.about(came), name(came.node_id), done=False)}"


def nothing_comes(waiting: int) -> str:
    if not waiting:
        return "Nothing is waiting, so time alone brings nothing. No time has passed."
    return (
        f"Time alone brings nothing: {counted(waiting, 'request')} {'waits' if waiting == 1 else 'wait'} for something that has to "
        "be put in, to end, or to change. No time has passed."
    )


def looking(now_ns: int) -> str:
    return f"Time passes: it is {seconds(now_ns)}. Stop takes it back."


def idle_cycle(now_ns: int) -> str:
    return f"The cycle changed nothing. It is now {seconds(now_ns)}."


def advanced(by: float, now_ns: int) -> str:
    return f"{by:g} s have passed. It is now {seconds(now_ns)}."
