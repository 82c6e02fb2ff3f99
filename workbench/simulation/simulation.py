"""Simulation: the object a notebook holds. A design, a script of inputs, an engine, and the steps taken so far.

A *step* is a scheduling cycle that changed something. The script is what the scenario says, plus what was applied by hand,
plus the cycles that stepping itself added; going back unwinds the engine's journal, going forward plays the script again,
and both are exact because the same commands give the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import to_yaml
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    Cycle,
    UpdateConfig,
)
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.event_log import EventLog
from workbench.scheduler.records.events import ConfigRejected, Event
from workbench.scheduler.records.state import Cluster
from workbench.simulation import driver
from workbench.simulation.digest import digest
from workbench.simulation.placements import Placing, placing
from workbench.simulation.remedies import Remedies, remedies
from workbench.simulation.scenario import AdvanceMs, Planned, Scenario, ScenarioEvent, Schedule
from workbench.simulation.scenario.checks import check_input, check_planned, check_scenario
from workbench.simulation.script import Script
from workbench.simulation.waiting import Waiting, waiting_asks
from workbench.values.errors import CommandError, ConfigError
from workbench.values.quantities import parse_quantity
from workbench.values.resources import Resource


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded step: its number from 1, what was decided, every event since the step before, and the time after it."""

    number: int
    decision: Decision
    events: tuple[Event, ...]
    now_ns: int


@dataclass(frozen=True, slots=True)
class _Here:
    """Where a simulation can return to: a mark in the journal and a place in the script."""

    mark: int
    place: driver.Place


@dataclass(frozen=True, slots=True)
class _Kept:
    """What there was before an input: the place, the script, and what was recorded from here on."""

    here: _Here
    script: Script
    steps: list[Step]
    after: list[_Here]
    previewed: Decision | None


class Simulation:
    """A scheduler one can step, forwards and back.

    Args:
        config: a loaded configuration or the text of a queues.yaml.
        scenario: inputs to play; none is an empty cluster.
        version: whose rules the engine follows, "1.8" or "1.4"; None for what the scenario says, which is 1.8 if it says
            nothing.
        history: keep what stepping back needs. Without it `back`, `preview`, `explain` and `waiting` are refused.

    Raises:
        CommandError: there is no such engine version, or the scenario holds what no file could say (`scenario.checks`).
        ConfigError: the configuration is not valid.
    """

    def __init__(
        self, config: SchedulerConfig | str, *, scenario: Scenario | None = None, version: str | None = None, history: bool = True
    ):
        self.config = load_config(config) if isinstance(config, str) else config
        self.scenario = scenario or Scenario(name="", config=self.config.text)
        if version is not None and version != self.scenario.engine:
            self.scenario = replace(self.scenario, engine=version)
        check_scenario(self.scenario)
        self.history = history
        self._engine = Engine(self.config, version=self.scenario.engine, history=history, log=history)
        self._script = Script.of(self.scenario)
        self._place = driver.START
        driver.begin(self._engine)
        self._play_inputs()
        self._play_due()
        self._steps: list[Step] = []
        self._after = [self._here()]
        """After the leading inputs, after step 1, after step 2, ..., each with what was applied or passed there since."""
        self._position = 0
        self._previewed: Decision | None = None

    @classmethod
    def from_scenario(cls, scenario: Scenario, *, version: str | None = None, history: bool = True) -> Simulation:
        """The scenario at its start, its leading inputs applied up to the first that lets time pass."""
        return cls(scenario.config, scenario=scenario, version=version, history=history)

    # ---- what there is to see --------------------------------------------------------------------------------

    @property
    def state(self) -> Cluster:
        """The scheduler's state, to read only."""
        return self._engine.state

    @property
    def version(self) -> str:
        """The engine version whose rules hold."""
        return self.state.profile.version

    @property
    def now_ns(self) -> int:
        return self.state.now_ns

    @property
    def position(self) -> int:
        """Steps taken, counting from the start."""
        return self._position

    @property
    def recorded(self) -> int:
        """Steps that exist, behind and ahead."""
        return len(self._steps)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every recorded step, also those ahead after going back; none without history."""
        return tuple(self._steps)

    @property
    def said(self) -> EventLog:
        """Every event up to now with its time, to read only. CommandError without history."""
        self._need_history()
        return self._engine.log

    @property
    def done(self) -> bool:
        """Whether the script is played to its end."""
        return self._place.event >= len(self._script)

    @property
    def next_due_ns(self) -> int | None:
        """The instant of the next timer, or None: what `advance` could wait for."""
        return self._engine.next_due_ns()

    @property
    def inputs(self) -> tuple[ScenarioEvent, ...]:
        """Every input, happened or not, with the cycles between them; those that stepping added after the last are left out."""
        return self._script.inputs()

    @property
    def played(self) -> int:
        """Events of the script that have happened; `inputs` are its first events."""
        return self._place.event

    @property
    def planned(self) -> tuple[Planned, ...]:
        """Every input with a time, happened or not, the earliest first."""
        return tuple(self._script.planned)

    @property
    def planned_played(self) -> int:
        """How many of the planned inputs have happened."""
        return self._place.planned

    @property
    def reloads(self) -> tuple[int, ...]:
        """The recorded steps after which, or while which, a configuration was put in."""
        found = (
            next((step for step, here in enumerate(self._after) if here.place.event > index), None)
            for index, event in enumerate(self._script.events)
            if isinstance(event.command, UpdateConfig)
        )
        timed = (
            next((step for step, here in enumerate(self._after) if here.place.planned > index), None)
            for index, each in enumerate(self._script.planned)
            if isinstance(each.command, UpdateConfig)
        )
        return tuple(sorted({step for step in (*found, *timed) if step is not None}))

    def digest(self) -> str:
        """A fingerprint of the whole state."""
        return digest(self.state)

    # ---- stepping --------------------------------------------------------------------------------------------

    def step(self) -> Decision:
        """Play the script, then plain cycles, until one changes something.

        Returns its decision. If nothing can change at this instant, and no planned input is left to wait for, the outcome is
        "nothing" and the state is as before.
        """
        if self._position < len(self._steps):
            return self._play_recorded()
        length = len(self._script)
        decision, events = self._play_step()
        if not decision.changed_something:
            self._script.keep_waits(length)
        self._arrive(decision, events + self._play_due())
        return decision

    def cycle(self) -> Decision:
        """One whole scheduling cycle, even if it changes nothing; time passes as in the core's manual mode."""
        self._start_branch()
        self._place = self._script.insert(self._place, Schedule(1), stepped=True)
        item = self._play()
        self._arrive(item.decisions[0], item.events + item.confirmed + self._play_due())
        return item.decisions[0]

    def run(self, max_steps: int | None = None, until: Callable[[Decision], bool] | None = None) -> int:
        """Step until nothing changes any more, `max_steps` are taken or `until(decision)` holds. Returns the steps taken."""
        taken = 0
        while max_steps is None or taken < max_steps:
            decision = self.step()
            if not decision.changed_something:
                break
            taken += 1
            if until is not None and until(decision):
                break
        return taken

    def back(self, n: int = 1) -> None:
        """Return to the state `n` steps ago. CommandError if there are not that many."""
        self.goto(self._position - n)

    def goto(self, n: int) -> None:
        """Go to the state after step `n`, back or forward; 0 is the start.

        Raises:
            CommandError: `n` is negative, or nothing more happens before step `n`.
        """
        if n < 0:
            raise CommandError(f"there is no step {n}; the start is step 0")
        if n <= self._position:
            self._need_history()
            self._return_to(self._after[n])
            self._position = n
        while self._position < n:
            if not self.step().changed_something:
                raise CommandError(f"there is no step {n}: after step {self._position} nothing more can be placed")

    def reset(self) -> None:
        """Go back to the start: all inputs before the first step, nothing placed."""
        self.goto(0)

    def take_inputs(self, played: int) -> None:
        """Let the inputs of the script that come at this very step, up to event number `played`, happen."""
        while self._place.event < min(played, len(self._script)) and not isinstance(
            self._script.events[self._place.event].command, Schedule
        ):
            self._play()
        self._play_due()
        self._after[self._position if self.history else 0] = self._here()

    def settle(self, played: int) -> None:
        """Let everything up to event number `played` happen, cycles that change nothing included, but not a further step."""
        self._need_history()
        while self._place.event < min(played, len(self._script)):
            here = self._here()
            if any(decision.changed_something for decision in self._play().decisions):
                self._return_to(here)
                break
        self._play_due()
        self._after[self._position] = self._here()

    # ---- looking ahead and behind ----------------------------------------------------------------------------

    def preview(self) -> Decision:
        """What `step` would decide now, with every comparison; the state stays as it is."""
        if self._previewed is None:
            self._need_history()
            here, length = self._here(), len(self._script)
            decision, _ = self._play_step(traced=True)
            self._script.cut(length)
            self._return_to(here)
            self._previewed = decision
        return self._previewed

    def passing(self) -> Iterator[tuple[Step | None, int]]:
        """Pass from the start to the present step once more, through every input, wait and cycle on the way.

        At each of them, with the state as it is there: the step taken last, None before the first, and the instant from which that
        state holds. What happens while time passes is known at the end of the wait. At the end the simulation is where it was.
        """
        position, goal = self._position, self._after[self._position].place
        self.goto(0)
        try:
            yield None, self.now_ns
            while self._place != goal:
                since_ns = self.now_ns
                item = self._play()
                if any(decision.changed_something for decision in item.decisions):
                    self._position += 1
                    since_ns = self._steps[self._position - 1].decision.now_ns
                elif self.now_ns - since_ns > driver.SETTLE_NS:
                    since_ns = self.now_ns
                yield self._steps[self._position - 1] if self._position else None, since_ns
        finally:
            if self._place != goal:  # somebody lost interest on the way
                self.goto(0)
                self.goto(position)

    def ahead(self, most: int) -> tuple[Decision, ...]:
        """What the next steps, `most` at most, would decide if nothing else were put in; the state stays as it is."""
        self._need_history()
        here, length, previewed = self._here(), len(self._script), self._previewed
        found: list[Decision] = []
        while len(found) < most:
            decision, _ = self._play_step()
            if not decision.changed_something:
                break
            found.append(decision)
        self._script.cut(length)
        self._return_to(here)
        self._previewed = previewed
        return tuple(found)

    def explain(self, n: int) -> Decision:
        """The decision of recorded step `n` (from 1) with every comparison; the state stays as it is.

        Raises:
            CommandError: there is no such recorded step.
        """
        if not 1 <= n <= len(self._steps):
            raise CommandError(f"there is no recorded step {n}; recorded: 1 to {len(self._steps)}")
        position = self._position
        self.goto(n - 1)
        decision = self.preview()
        self.goto(position)
        return decision

    def waiting(self) -> tuple[Waiting, ...]:
        """Every ask that waits now, in the order in which the scheduler would come to it, each with its reason."""
        self._need_history()
        here = self._here()
        self._engine.apply(Cycle(), traced=True)
        decisions = self._engine.decisions
        self._engine.unwind(here.mark)
        return waiting_asks(self.state, decisions)

    def remedies(self, waiting: Waiting) -> Remedies:
        """The smallest changes that help a waiting ask, each tried before it is told; the state stays as it is.

        Raises:
            CommandError: the ask does not wait now.
        """
        self._need_history()
        return remedies(self._engine, waiting)

    def placement(self, application: ApplicationSpec | str, partition: str = "default") -> Placing:
        """Where an application would go if it were submitted now; the id of a submitted one asks at the time of its submission.

        Raises:
            CommandError: no application of that id was submitted.
        """
        if isinstance(application, str):
            return self._placement_then(application)
        self._need_history()
        return placing(self._engine, AddApplication(application=application, partition=partition))

    # ---- inputs ----------------------------------------------------------------------------------------------

    def apply(self, command: Command) -> tuple[Event, ...]:
        """Apply an input now; it becomes part of the script. Recorded steps ahead are forgotten.

        Raises:
            CommandError: the command holds what no input may (`scenario.checks`), or cannot be carried out; nothing changed, and
                the steps ahead are still there.
        """
        check_input(command)
        if isinstance(command, Schedule):
            raise CommandError("scheduling cycles are no input: cycle() runs one, step() goes to the next that changes something")
        return self._apply(command)

    def reload(self, config: SchedulerConfig) -> tuple[Event, ...]:
        """Apply a configuration now, as on a live cluster.

        Raises:
            ConfigError: the scheduler rejects it; nothing changed, and the steps ahead are still there.
        """
        self._need_history()
        kept = self._kept()
        events = self.apply(UpdateConfig(text=config.text or to_yaml(config)))
        for event in events:
            if isinstance(event, ConfigRejected):
                self._restore(kept)
                raise ConfigError(event.reason)
        return events

    def plan(self, command: Command, at_ms: int) -> None:
        """Apply an input when the clock is at `at_ms` milliseconds. Recorded steps ahead are forgotten.

        CommandError for a time that has come already, and for a command that holds what no input may; nothing changed.
        """
        check_planned(command, at_ms)
        if at_ms * driver.MS_NS <= self.now_ns:
            raise CommandError(f"the time {at_ms} ms has come already; it is {self.now_ns / driver.MS_NS:g} ms")
        self._start_branch()
        self._script.plan(Planned(at_ms, command))

    def unplan(self, index: int) -> None:
        """Take back planned input `index`. Recorded steps ahead are forgotten. CommandError if it has happened or is not there."""
        if not self._place.planned <= index < len(self._script.planned):
            raise CommandError(f"no planned input {index} is ahead")
        self._start_branch()
        del self._script.planned[index]

    def advance(self, seconds: float) -> tuple[Event, ...]:
        """Let simulated time pass, in whole milliseconds."""
        milliseconds = round(seconds * 1000)
        if milliseconds <= 0:
            raise CommandError(f"time does not run backwards or stand still: {seconds} s")
        return self._apply(AdvanceMs(milliseconds))

    def add_nodes(self, count: int, *, prefix: str = "node-", **amounts: int | str) -> tuple[Event, ...]:
        """Register `count` equal nodes named prefix-000 on; amounts as in a configuration: vcore="16", memory="64Gi"."""
        capacity = amounts_of(amounts)
        first = len(self.state.partitions["default"].nodes)
        events: tuple[Event, ...] = ()
        for number in range(first, first + count):
            events += self.apply(AddNode(node_id=f"{prefix}{number:03d}", capacity=capacity))
        return events

    def submit(
        self,
        id: str,
        *,
        queue: str = "",
        user: str = "nobody",
        groups: Iterable[str] = (),
        asks: Iterable[AskSpec] = (),
        tags: Mapping[str, str] | None = None,
    ) -> tuple[Event, ...]:
        """Submit an application and its asks (see `asks`)."""
        spec = ApplicationSpec(id=id, queue=queue, user=user, groups=tuple(groups), tags=tags or {})
        events = self.apply(AddApplication(application=spec))
        for ask in asks:
            events += self.apply(AddAsk(ask=replace(ask, application_id=id)))
        return events

    def with_config(self, config: SchedulerConfig) -> Simulation:
        """The same inputs under another configuration, from the start, by the same engine version."""
        text = config.text or to_yaml(config)
        scenario = replace(self.scenario, config=text, events=self._script.inputs(), planned=self.planned)
        return Simulation(replace(config, text=text), scenario=scenario, history=self.history)

    def _placement_then(self, id: str) -> Placing:
        """The script is played again, up to the submission, by another engine."""
        played = [event.command for event in self._script.events[: self._place.event]]
        timed = [each.command for each in self._script.planned[: self._place.planned]]
        at, at_planned = _submission(played, id), _submission(timed, id)
        if at is None and at_planned is None:
            raise CommandError(f"no application {id!r} was submitted")
        engine, place = Engine(self.config, version=self.scenario.engine), driver.START
        driver.begin(engine)
        while (place.planned < at_planned or driver.due_in_ns(engine, self._script, place)) if at is None else place.event < at:
            _, place = driver.step(engine, self._script, place)
        return placing(engine, timed[at_planned] if at is None else played[at])

    # ---- inside ----------------------------------------------------------------------------------------------

    def _play(self, *, traced: bool = False) -> driver.Item:
        """Let the next event or cycle of the script happen."""
        self._previewed = None
        item, self._place = driver.step(self._engine, self._script, self._place, traced=traced)
        return item

    def _play_inputs(self) -> None:
        """Play the script up to the first event that lets time pass by itself."""
        while not self.done and not isinstance(self._script.events[self._place.event].command, (Schedule, AdvanceMs)):
            self._play()

    def _play_due(self) -> tuple[Event, ...]:
        """Let the planned inputs happen whose time has come."""
        events: tuple[Event, ...] = ()
        while driver.due_in_ns(self._engine, self._script, self._place) == 0:
            item = self._play()
            events += item.events + item.confirmed
        return events

    def _play_step(self, *, traced: bool = False) -> tuple[Decision, tuple[Event, ...]]:
        """Play until a cycle changed something; its decision, and every event on the way.

        Past the end of the script one cycle is tried. If that changes nothing, everything is as before it, and time passes
        until the next planned input, if there is one.
        """
        events: list[Event] = []
        while True:
            events += self._play_due()
            so_far = len(events)
            beyond = self._here() if self.done else None
            if beyond is not None:
                self._script.add_cycle()
            item = self._play(traced=traced)
            events += item.events + item.confirmed
            for decision in item.decisions:
                if decision.changed_something:
                    return decision, tuple(events)
            if beyond is not None:
                if self.history:
                    self._script.cut(len(self._script) - 1)
                    self._return_to(beyond)
                wait_ns = driver.due_in_ns(self._engine, self._script, self._place)
                if wait_ns is None:
                    return item.decisions[0], tuple(events)
                if self.history:
                    del events[so_far:]
                self._script.add_wait(max(1, -(-wait_ns // driver.MS_NS)))

    def _play_recorded(self) -> Decision:
        """Play the script up to where the next recorded step ended; the same commands give the same state."""
        goal = self._after[self._position + 1].place
        while self._place != goal:
            self._play()
        self._position += 1
        return self._steps[self._position - 1].decision

    def _arrive(self, decision: Decision, events: tuple[Event, ...]) -> None:
        """A step further if the decision changed something; else the same step, with what passed since."""
        if decision.changed_something:
            self._position += 1
            if self.history:
                self._steps.append(Step(self._position, decision, events, self.now_ns))
                self._after.append(self._here())
        elif self.history:
            self._after[self._position] = self._here()

    def _apply(self, command: Command | AdvanceMs) -> tuple[Event, ...]:
        kept = self._kept()
        self._start_branch()
        self._place = self._script.insert(self._place, command)
        events: tuple[Event, ...] = ()
        end = self._place.event + 1
        try:
            while self._place.event < end:  # time that passes is interrupted by planned inputs
                item = self._play()
                events += item.events + item.confirmed
            events += self._play_due()
        except CommandError:
            self._restore(kept)
            raise
        self._after[self._position if self.history else 0] = self._here()
        return events

    def _kept(self) -> _Kept:
        """What a refused input must not lose."""
        at = self._position if self.history else 0
        return _Kept(self._here(), self._script.copy(), self._steps[at:], self._after[at:], self._previewed)

    def _restore(self, kept: _Kept) -> None:
        at = self._position if self.history else 0
        if self.history:
            self._return_to(kept.here)
        self._place, self._script, self._previewed = kept.here.place, kept.script, kept.previewed
        self._steps[at:], self._after[at:] = kept.steps, kept.after

    def _start_branch(self) -> None:
        """A new input starts a new branch: recorded steps ahead, and the cycles that made them, go."""
        self._previewed = None
        del self._steps[self._position :]
        del self._after[self._position + 1 :]
        self._script.branch(self._place)

    def _here(self) -> _Here:
        return _Here(self._engine.mark, self._place)

    def _return_to(self, here: _Here) -> None:
        self._previewed = None
        self._engine.unwind(here.mark)
        self._place = here.place

    def _need_history(self) -> None:
        if not self.history:
            raise CommandError("this simulation keeps no history; make it with history=True to look back or ahead")


def _submission(commands: Iterable[Command | Schedule | AdvanceMs], id: str) -> int | None:
    """The index of the last command that submits the application, or None."""
    return max(
        (index for index, command in enumerate(commands) if isinstance(command, AddApplication) and command.application.id == id),
        default=None,
    )


def asks(count: int, *, prefix: str = "ask-", priority: int = 0, **amounts: int | str) -> list[AskSpec]:
    """`count` equal asks for `Simulation.submit`; amounts as in a configuration, e.g. vcore="500m", memory="1Gi"."""
    resource = amounts_of(amounts)
    return [
        AskSpec(application_id="", key=f"{prefix}{number:03d}", resource=resource, priority=priority) for number in range(count)
    ]


def amounts_of(amounts: Mapping[str, int | str]) -> Resource:
    """A Resource from texts as in a configuration; integers are counted in base units. QuantityError if unreadable."""
    return Resource({name: parse_quantity(value, name) if isinstance(value, str) else value for name, value in amounts.items()})
