"""Time: forwards by steps, cycles, runs and seconds; backwards through the recorded steps."""

from __future__ import annotations

from collections.abc import Callable

from workbench.bench import texts
from workbench.bench.conditions import CONDITIONS
from workbench.bench.controller import call_of
from workbench.bench.verbs.edits import Edits
from workbench.bench.work import Progress, Work, long
from workbench.explain import catalogue
from workbench.scheduler.records.decision import Decision
from workbench.values.errors import CommandError

SLOWEST, FASTEST = 1, 5
"""Steps per second of play."""


class Time(Edits):
    """Verbs that move through the steps."""

    def step(self) -> Decision:
        """One decision that changes something. Outcome "nothing" when nothing can be allocated."""
        with self._verb("wb.step()") as say:
            decision = self.simulation.step()
            self._said_step(decision, say)
        return decision

    def cycle(self) -> Decision:
        """One whole scheduling cycle as the core does it, even if it changes nothing; simulated time passes."""
        ahead = self._ahead
        with self._verb("wb.cycle()") as say:
            self._turns = None
            decision = self.simulation.cycle()
            if decision.changed_something:
                self._said_step(decision, lambda text: say(f"{text} {catalogue.steps_dropped(ahead)}".rstrip()))
            else:
                say(f"{catalogue.idle_cycle(self.simulation.now_ns)} {catalogue.steps_dropped(ahead)}".rstrip())
        return decision

    def advance(self, seconds: float) -> None:
        """Let simulated time pass; timers that fall due fire. CommandError for no or a negative time."""
        before, ahead = self._study(), self._ahead
        with self._verb(call_of("advance", seconds)) as say:
            self.simulation.advance(seconds)
            self._turns = None
            self._remember(before)
            self._drop_lost_selection()
            say(f"{catalogue.advanced(seconds, self.simulation.now_ns)} {catalogue.steps_dropped(ahead)}".rstrip())

    def back(self, n: int = 1) -> int:
        """Go back `n` steps, at most to the start, and return the position reached."""
        with self._verb("wb.back()" if n == 1 else f"wb.back({n})") as say:
            if n < 1:
                raise CommandError(f"back goes at least 1 step, not {n}")
            if self.simulation.position == 0:
                say(texts.no_earlier_step())
            else:
                self.simulation.goto(max(0, self.simulation.position - n))
                self._drop_lost_selection()
                say(self._where())
        return self.simulation.position

    @long
    def goto(self, n: int) -> Work:
        """Go to step `n`, 0 being the start, and return the position. CommandError if it does not exist."""
        with self._verb(f"wb.goto({n})", repeats="wb.goto(", works=True) as say:
            if n <= self.simulation.position:
                self.simulation.goto(n)
            stopped = False
            while self.simulation.position < n and not stopped:
                self.simulation.goto(self.simulation.position + 1)
                stopped = yield Progress(texts.running(self.simulation.position))
            self._drop_lost_selection()
            say(self._where(), call=f"wb.goto({self.simulation.position})")
        return self.simulation.position

    def reset(self) -> None:
        """Go to the start. The steps taken stay on the rail."""
        with self._verb("wb.reset()") as say:
            self.simulation.reset()
            self._drop_lost_selection()
            say(self._where())

    @long
    def run(self, max_steps: int | None = None, until: Callable[[Decision], bool] | None = None) -> Work:
        """Step until nothing more can be allocated, at most `max_steps` times or up to the first for which
        `until(decision)` holds. Returns the number of steps taken."""
        arguments = ", ".join(
            part
            for part in (f"max_steps={max_steps}" if max_steps is not None else "", "until=condition" if until is not None else "")
            if part
        )
        with self._verb(f"wb.run({arguments})", works=True) as say:
            steps, stopped = yield from self._steps(max_steps, until)
            self._said_run(steps, stopped, say)
        return steps

    @long
    def run_until(self, condition: str, argument: str | int = "") -> Work:
        """Step until a condition holds or nothing more can be allocated; see `CONDITIONS`. Returns the number of steps taken.

        CommandError if there is no such condition, or none for that argument.
        """
        with self._verb(call_of("run_until", condition, *([argument] if argument != "" else [])), works=True) as say:
            if condition not in CONDITIONS:
                raise CommandError(texts.no_such("condition", condition, CONDITIONS))
            test = CONDITIONS[condition].begin(str(argument), self.partition)
            held = False

            def holds(decision: Decision) -> bool:
                nonlocal held
                held = test(decision, self.partition)
                return held

            steps, stopped = yield from self._steps(None, holds)
            if stopped:
                self._said_run(steps, stopped, say)
            else:
                say(catalogue.ran_until(CONDITIONS[condition].label, str(argument), steps, self.simulation.position, held))
        return steps

    def play(self, speed: float = 2) -> None:
        """Step by step, `speed` steps a second, to be watched; `stop` ends it. Where nobody can watch, as `run`.

        CommandError for another speed than 1 to 5.
        """
        self.player.start(self._play(speed))

    def _play(self, speed: float) -> Work:
        with self._verb(call_of("play", speed), works=True) as say:
            if not SLOWEST <= speed <= FASTEST:
                raise CommandError(catalogue.no_such_speed(speed, SLOWEST, FASTEST))
            steps, stopped = yield from self._steps(None, None, pause=1 / speed)
            self._said_run(steps, stopped, say)
        return steps

    def stop(self) -> None:
        """End what goes on, after the step it is at. Does nothing when nothing goes on."""
        self.player.stop()

    def _steps(self, most: int | None, until: Callable[[Decision], bool] | None, pause: float = 0.0) -> Work:
        """Work: up to `most` steps. How many were taken, and whether somebody stopped it."""
        taken, stopped = 0, False
        while (most is None or taken < most) and not stopped:
            decision = self.simulation.step()
            if not decision.changed_something:
                break
            taken += 1
            if until is not None and until(decision):
                break
            stopped = yield Progress(texts.running(self.simulation.position), pause, show=pause > 0)
        self._drop_lost_selection()
        return taken, stopped

    def _said_step(self, decision: Decision, say: Callable[..., None]) -> None:
        self._drop_lost_selection()
        if decision.changed_something:
            say(texts.stepped(self.simulation.position, decision))
        else:
            say(texts.nothing_left(len(self.simulation.waiting())))

    def _said_run(self, steps: int, stopped: bool, say: Callable[..., None]) -> None:
        if stopped:
            say(texts.stopped(steps, self.simulation.position), call=f"wb.run(max_steps={steps})")
        else:
            say(texts.ran(steps, self.simulation.position))

    def _where(self) -> str:
        position = self.simulation.position
        return texts.moved(position, self.simulation.steps[position - 1].decision if position else None)
