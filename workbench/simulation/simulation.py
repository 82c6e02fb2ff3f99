"""Simulation: the object a notebook holds. A design, a script of inputs, an engine, and the steps taken so far.

A *step* is a scheduling cycle that changed something. The script is what the scenario says, plus what was applied by hand,
plus the cycles that stepping itself added; going back unwinds the engine's journal, going forward plays the script again,
and both are exact because the same commands give the same state.

A verb happens as a whole or not at all, whatever goes wrong in it. After an error the journal is unwound; after an interrupt,
which can strike in the midst of a write, the journal is not trusted and the state is made anew from the script.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
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
from workbench.scheduler.records.state import Allocation, Application, Cluster
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, profile_of
from workbench.simulation import driver
from workbench.simulation.digest import digest
from workbench.simulation.placements import Placing, placing
from workbench.simulation.remedies import Remedies, remedies
from workbench.simulation.scenario import AdvanceMs, Happening, Planned, Scenario, ScenarioEvent, Schedule, Until
from workbench.simulation.scenario.checks import brought, check_input, check_partitions, check_planned, check_scenario, no_partition
from workbench.simulation.scenario.model import LAST_MS
from workbench.simulation.script import Script
from workbench.simulation.upgrade import Upgrade, between
from workbench.simulation.waiting import Waiting, waiting_asks
from workbench.values.errors import CommandError, ConfigError
from workbench.values.found import found as phrase
from workbench.values.quantities import parse_quantity
from workbench.values.renamed import renamed_keyword, warn_renamed
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
    """Where a simulation can return to: a mark in the journal and a place in the script.

    `stayed`: after the step that led here something was put in or time passed, so that this is further than the step itself.
    """

    mark: int
    place: driver.Place
    stayed: bool = False


@dataclass(frozen=True, slots=True)
class _Kept:
    """What there was before a verb, as far as the verb can change it.

    Attributes:
        core: the engine then, to whose history the mark belongs.
        here, position, revision: the place and the step then.
        length: of the script.
        ahead: an event, and from it on the events of the script and whether stepping added them; None if these stay.
        recorded: a step, and from it on the steps and the places after them; None if these stay.
        planned: every input with a time; None if these stay.
        previewed: what was known to come next.
    """

    core: Engine
    here: _Here
    position: int
    revision: int
    length: int
    ahead: tuple[int, list[ScenarioEvent], list[bool]] | None
    recorded: tuple[int, list[Step], list[_Here]] | None
    planned: list[Planned] | None
    previewed: Decision | None


NO_PARTITION = "the configuration has no partition, so there is nothing to schedule; give it at least one, with a root queue"


def beyond_the_clock(wanted: str) -> str:
    """Why no time passes up to then."""
    return f"the simulated clock ends after a hundred years ({LAST_MS // 1000} s); {wanted} is beyond that"


class Simulation:
    """A scheduler one can step, forwards and back.

    Args:
        config: a loaded configuration or the text of a queues.yaml.
        scenario: inputs to play; none is an empty cluster.
        release: of the core, whose rules are followed, "1.9", "1.8" or "1.4"; None for what the scenario says, which is 1.8 if it
            says nothing.
        history: keep what stepping back needs. Without it `back`, `preview`, `explain` and `waiting` are refused.

    Raises:
        CommandError: there is no such release, or the scenario holds what no file could say (`scenario.checks`).
        ConfigError: the configuration is not valid.
    """

    @renamed_keyword("version", "release")
    def __init__(
        self, config: SchedulerConfig | str, *, scenario: Scenario | None = None, release: str | None = None, history: bool = True
    ):
        engine = release if release is not None else scenario.engine if scenario is not None else DEFAULT.version
        known = PROFILES.get(engine, DEFAULT) if isinstance(engine, str) else DEFAULT  # whatever there is not is refused below
        self.config = load_config(config, limits_by_path=known.limits_by_path) if isinstance(config, str) else config
        self.scenario = scenario or Scenario(name="", config=self.config.text or self.config)
        if release is not None and release != self.scenario.engine:
            self.scenario = replace(self.scenario, engine=release)
        check_scenario(self.scenario)
        self.history = history
        if not self.config.partitions:
            raise ConfigError(NO_PARTITION)
        check_partitions(self.config, self.scenario)
        self._torn: _Kept | None = None
        """A verb was broken off where its writes may be torn: what there was before it."""
        self._core = self._new_engine()
        self._script = Script.of(self.scenario)
        self._place = driver.START
        driver.begin(self._engine, self._script.pace)
        self._play_inputs()
        self._play_due()
        self._steps: list[Step] = []
        self._after = [self._here()]
        """After the leading inputs, after step 1, after step 2, ..., each with what was applied or passed there since."""
        self._position = 0
        self._revision = self._revisions = 0
        self._returns = 0
        """How often something was undone."""
        self._previewed: Decision | None = None

    @classmethod
    @renamed_keyword("version", "release")
    def from_scenario(cls, scenario: Scenario, *, release: str | None = None, history: bool = True) -> Simulation:
        """The scenario at its start, its leading inputs applied up to the first that lets time pass."""
        return cls(scenario.config, scenario=scenario, release=release, history=history)

    # ---- what there is to see --------------------------------------------------------------------------------

    @property
    def state(self) -> Cluster:
        """The scheduler's state, to read only."""
        return self._engine.state

    def core(self) -> Engine:
        """The engine as it is now, to read only; after an error there may be another. CommandError without history."""
        self._need_history()
        return self._engine

    @property
    def release(self) -> str:
        """The release of the core whose rules hold, like "1.8"."""
        return self.state.profile.version

    @property
    def version(self) -> str:
        """The former name of `release`, with a DeprecationWarning."""
        warn_renamed("Simulation.version", "Simulation.release")
        return self.release

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
        assert self._engine.log is not None
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
    def happened(self) -> tuple[ScenarioEvent, ...]:
        """The events that led here: inputs, waits and cycles, those that stepping added among them."""
        place = self._place
        found = self._script.events[: place.event]
        if place.cycle:
            return (*found, ScenarioEvent(Schedule(place.cycle)))
        return (*found, ScenarioEvent(Until(self.now_ns))) if place.passed_ns else tuple(found)

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

    @property
    def stays(self) -> Mapping[int, tuple[int, int]]:
        """The recorded steps after which something was put in or time passed: how far in the script that led, as the events that
        had happened and the cycles of the next one."""
        return {step: (here.place.event, here.place.cycle) for step, here in enumerate(self._after) if here.stayed}

    @property
    def instant(self) -> tuple[Simulation, int]:
        """Equal as long as nothing moves this simulation or is put into it, and never equal to that of another; looking is free."""
        return self, self._revision

    def digest(self) -> str:
        """A fingerprint of the whole state."""
        return digest(self.state)

    # ---- stepping --------------------------------------------------------------------------------------------

    def step(self) -> Decision:
        """Play the script, then plain cycles, until one changes something.

        Returns its decision. If nothing can change at this instant, and no planned input is left to wait for, the outcome is
        "nothing" and the state is as before.

        Raises:
            CommandError: an input of the script asks for what the scheduler cannot do; nothing changed.
        """
        if self._position < len(self._steps):
            return self._play_recorded()
        kept = self._kept()
        try:
            decision, events = self._play_step()
            if not decision.changed_something:
                self._script.keep_waits(kept.length)
            self._arrive(decision, events + self._play_due())
        except BaseException as error:
            self._restore(kept, error)
            raise
        return decision

    def step_if_any(self) -> Decision:
        """A step, as `step`; but where there is none, the rest of the script has not been played either. Needs history."""
        self._need_history()
        if self._position < len(self._steps):
            return self._play_recorded()
        kept, revision = self._kept(), self._revision
        decision = self.step()
        if not decision.changed_something:
            self._restore(kept, None)
            self._revision = revision
        return decision

    def cycle(self) -> Decision:
        """One whole scheduling cycle, even if it changes nothing; time passes as in the core's manual mode."""
        kept = self._kept(branches=True)
        try:
            self._start_branch()
            self._insert(Schedule(1), stepped=True)
            index = self._place.event
            item = self._play()
            decision = next((each for each in item.decisions if each.changed_something), item.decisions[0])
            if not decision.changed_something:
                self._script.keep(index)
            self._arrive(decision, item.events + item.confirmed + self._play_due())
        except BaseException as error:
            self._restore(kept, error)
            raise
        return decision

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
            CommandError: `n` is negative, or nothing more happens before step `n`. With history, nothing moved then.
        """
        if n < 0:
            raise CommandError(f"there is no step {n}; the start is step 0")
        position, revision = self._position, self._revision
        if n <= position:
            self._need_history()
            self._go_back(n)
            return
        try:
            while self._position < n:
                if not (self.step_if_any() if self.history else self.step()).changed_something:
                    raise CommandError(f"there is no step {n}: after step {self._position} nothing more can be placed")
        except BaseException:
            if self.history:
                self._go_back(position)
                self._revision = revision
            raise

    def reset(self) -> None:
        """Go back to the start: all inputs before the first step, nothing placed."""
        self.goto(0)

    def settle(self, played: int, cycles: int = 0) -> None:
        """Let everything up to event number `played`, and so many cycles of that event, happen, but not a further step."""
        self._need_history()
        kept = self._kept()
        try:
            while not self.done and (self._place.event, self._place.cycle) < (played, cycles):
                here = self._here()
                if any(decision.changed_something for decision in self._play().decisions):
                    self._return_to(here)
                    break
            self._play_due()
            self._stay()
        except BaseException as error:
            self._restore(kept, error)
            raise

    def stand(self, n: int) -> None:
        """Go to the state after step `n`, and let everything happen that comes in before the next step. CommandError as `goto`."""
        self.goto(n)
        self.settle(len(self._script) + 1)

    # ---- looking ahead and behind ----------------------------------------------------------------------------

    def preview(self) -> Decision:
        """What `step` would decide now, with every comparison; the state stays as it is."""
        found = self._previewed
        if found is None:
            with self._looking():
                found, _ = self._play_step(traced=True)
            self._previewed = found
        return found

    def preview_under(self, config: SchedulerConfig) -> Decision | None:
        """What `step` would decide now were that the configuration, as after a reload; the state stays as it is.

        None if the scheduler refuses the configuration.
        """
        with self._looking():
            if any(isinstance(event, ConfigRejected) for event in self._engine.apply(UpdateConfig(config=config.text or config))):
                return None
            found, _ = self._play_step()
        return found

    def passing(self) -> Iterator[tuple[Step | None, int]]:
        """Pass from the start to the present step once more, through every input, wait and cycle on the way.

        At each of them, with the state as it is there: the step taken last, None before the first, and the instant from which that
        state holds. What happens while time passes is known at the end of the wait. At the end the simulation is where it was.
        """
        self._need_history()
        goal, kept, revision = self._place, self._kept(), self._revision
        try:
            self._go_back(0)
            self._revision = revision
            yield None, self.now_ns
            while self._place != goal:
                since_ns = self.now_ns
                item = self._play()
                if any(decision.changed_something for decision in item.decisions):
                    self._position += 1
                    since_ns = self._steps[self._position - 1].decision.now_ns
                elif self.now_ns - since_ns > self._script.pace.message_ns:
                    since_ns = self.now_ns
                yield self._steps[self._position - 1] if self._position else None, since_ns
        finally:
            # Somebody lost interest on the way, or was interrupted.
            if (self._place != goal or self._torn is not None) and self._revision == revision:
                self._tear(kept)

    def ahead(self, most: int) -> tuple[Decision, ...]:
        """What the next steps, `most` at most, would decide if nothing else were put in; the state stays as it is."""
        found: list[Decision] = []
        with self._looking():
            while len(found) < most:
                decision, _ = self._play_step()
                if not decision.changed_something:
                    break
                found.append(decision)
        return tuple(found)

    def explain(self, n: int) -> Decision:
        """The decision of recorded step `n` (from 1) with every comparison; the state stays as it is.

        Raises:
            CommandError: there is no such recorded step.
        """
        if not 1 <= n <= len(self._steps):
            raise CommandError(f"there is no recorded step {n}; recorded: 1 to {len(self._steps)}")
        with self.visiting(n - 1):
            return self.preview()

    @contextmanager
    def visiting(self, n: int) -> Iterator[None]:
        """Inside, the state after step `n`, to look at. Afterwards the simulation is where it was, however the look ended.

        CommandError as `goto` raises it.
        """
        self._need_history()
        position, revision, kept = self._position, self._revision, self._kept()
        try:
            self.goto(n)
            yield
            self.goto(position)
        except BaseException:
            if self._revision != revision or self._torn is not None:
                self._tear(kept)
            raise
        finally:
            self._revision = revision
        self._previewed = kept.previewed

    def waiting(self) -> tuple[Waiting, ...]:
        """Every ask that waits now, in the order in which the scheduler would come to it, each with its reason."""
        with self._looking():
            self._engine.apply(Cycle(), traced=True)
            decisions = self._engine.decisions
        return waiting_asks(self.state, decisions)

    def outstanding(self, partition: str = "default") -> tuple[tuple[Application, Allocation], ...]:
        """(application, ask) for every ask that waits only for a larger cluster: what an autoscaler would be told. R-585.

        Raises:
            KeyError: there is no partition of that name.
        """
        return self._engine.outstanding(self.state.partitions[partition.lower()])

    def remedies(self, waiting: Waiting) -> Remedies:
        """The smallest changes that help a waiting ask, each tried before it is told; the state stays as it is.

        Raises:
            CommandError: the ask does not wait now.
        """
        with self._looking():
            return remedies(self._engine, waiting)

    def placement(self, application: ApplicationSpec | str, partition: str = "default") -> Placing:
        """Where an application would go if it were submitted now; the id of a submitted one asks at the time of its submission.

        Raises:
            CommandError: no application of that id was submitted.
        """
        if isinstance(application, str):
            found = self.placements([application]).get(application)
            if found is None:
                raise CommandError(f"no application {application!r} was submitted")
            return found
        with self._looking():
            return placing(self._engine, AddApplication(application=application, partition=partition))

    def placements(self, ids: Iterable[str]) -> dict[str, Placing]:
        """Where submitted applications went, each as of its last submission, in the order of these; others are left out.

        The script is played once more, by another engine, up to the last of them.
        """
        wanted = frozenset(ids)
        played = [event.command for event in self._script.events[: self._place.event]]
        timed = [each.command for each in self._script.planned[: self._place.planned]]
        at, at_planned = _submissions(played, wanted), _submissions(timed, wanted)
        for id in at.keys() & at_planned.keys():
            del at_planned[id]
        events = {index: id for id, index in at.items()}
        planned = {index: id for id, index in at_planned.items()}
        engine, place = Engine(self.config, release=self.scenario.engine), driver.START
        driver.begin(engine, self._script.pace)
        found: dict[str, Placing] = {}
        while events or planned:
            is_due = driver.due_in_ns(engine, self._script, place) == 0
            commands, of, index = (timed, planned, place.planned) if is_due else (played, events, place.event)
            if index in of:
                command = commands[index]
                assert isinstance(command, AddApplication)
                found[of.pop(index)] = placing(engine, command)
            _, place = driver.step(engine, self._script, place)
        return found

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
        if not config.partitions:
            raise ConfigError(NO_PARTITION)
        with self.all_or_nothing():
            events = self.apply(UpdateConfig(config=config.text or config))
            for event in events:
                if isinstance(event, ConfigRejected):
                    raise ConfigError(event.reason)
        return events

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Around several verbs: when one of them fails, none has happened. What fails is raised. Needs history."""
        kept, returns = self.keep(), self._returns
        try:
            yield
        except BaseException as error:
            if self._returns == returns:
                self._restore(kept, error)
            else:  # what was there is perhaps undone
                self._tear(kept)
            raise

    def keep(self) -> _Kept:
        """All that `restore` needs to come back to this very moment, with the steps ahead, whatever is done until then."""
        self._need_history()
        script = self._script
        return replace(
            self._kept(),
            ahead=(0, list(script.events), list(script.stepped)),
            recorded=(0, list(self._steps), list(self._after)),
            planned=list(script.planned),
        )

    def restore(self, kept: _Kept) -> None:
        """Be where `keep` was called, wherever that is from here."""
        if self._revision == kept.revision and self._torn is None:
            self._put_back(kept)
        else:
            self._tear(kept)

    def plan(self, command: Command, at_ms: int) -> None:
        """Apply an input when the clock is at `at_ms` milliseconds. Recorded steps ahead are forgotten.

        Raises:
            CommandError: that time has come already or is beyond the end of the clock, or no scheduler could carry the command
                out, whenever it comes; nothing changed.
        """
        check_planned(command, at_ms)
        if at_ms * driver.MS_NS <= self.now_ns:
            raise CommandError(f"the time {at_ms} ms has come already; it is {self.now_ns / driver.MS_NS:g} ms")
        self._check_partition(command, at_ms)
        kept = replace(self._kept(branches=True), planned=list(self._script.planned))
        try:
            self._start_branch()
            self._script.plan(Planned(at_ms, command))
        except BaseException as error:
            self._restore(kept, error)
            raise
        self._moved()

    def unplan(self, index: int) -> None:
        """Take back planned input `index`. Recorded steps ahead are forgotten.

        Raises:
            CommandError: it has happened or is not there, or it brings a partition that another input needs; nothing changed.
        """
        if not self._place.planned <= index < len(self._script.planned):
            raise CommandError(f"no planned input {index} is ahead")
        if isinstance(self._script.planned[index].command, UpdateConfig):
            left = (*self._script.planned[:index], *self._script.planned[index + 1 :])
            check_partitions(self.config, replace(self.scenario, events=tuple(self._script.events), planned=left))
        kept = replace(self._kept(branches=True), planned=list(self._script.planned))
        try:
            self._start_branch()
            del self._script.planned[index]
        except BaseException as error:
            self._restore(kept, error)
            raise
        self._moved()

    def advance(self, seconds: float) -> tuple[Event, ...]:
        """Let simulated time pass, in whole milliseconds.

        CommandError for a time that is none or not positive, or that ends beyond `LAST_MS`; nothing changed then.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds != seconds or abs(seconds) == inf:
            raise CommandError(f"a time is a number of seconds, not {phrase(seconds)}")
        if seconds * 1000 > LAST_MS:
            raise CommandError(beyond_the_clock(f"{phrase(seconds)} s from now"))
        milliseconds = round(seconds * 1000)
        if milliseconds <= 0:
            raise CommandError(f"time does not run backwards or stand still: {seconds} s")
        if self.now_ns + milliseconds * driver.MS_NS > LAST_MS * driver.MS_NS:
            raise CommandError(beyond_the_clock(f"{seconds} s from now"))
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
        """The same inputs under another configuration, from the start, by the same release."""
        scenario = replace(self.scenario, config=config.text or config, events=self._script.inputs(), planned=self.planned)
        return Simulation(config, scenario=scenario, history=self.history)

    def upgrade(self, release: str) -> Upgrade:
        """What another release would do otherwise with the same design and inputs: the first difference, and both right before it.

        This simulation stays as it is. `explain.upgrade` says it in words, with both reasons.

        Raises:
            CommandError: there is no such release.
            ConfigError: that release refuses the design.
        """
        profile_of(release)
        design: SchedulerConfig | str = self.config.text or self.config
        scenario = replace(self.scenario, config=design, events=self._script.inputs(), planned=self.planned)
        mine, theirs = (Simulation(design, scenario=scenario, release=each) for each in (self.release, release))
        return between(mine, theirs)

    def before(self, at_ns: int) -> None:
        """Go back to the last moment before an instant: the steps before it, and what comes in between. Needs history."""
        self._need_history()
        earlier = sum(step.decision.now_ns < at_ns for step in self._steps)
        self.goto(earlier)
        kept = self._kept()
        try:
            while not self.done:
                here = self._here()
                self._play()
                if self.now_ns > at_ns:
                    self._return_to(here)
                    break
            self._stay()
        except BaseException as error:
            self._restore(kept, error)
            raise

    # ---- inside ----------------------------------------------------------------------------------------------

    def _play(self, *, traced: bool = False) -> driver.Item:
        """Let the next event or cycle of the script happen."""
        self._previewed = None
        item, self._place = driver.step(self._engine, self._script, self._place, traced=traced)
        return item

    def _play_inputs(self) -> None:
        """Play the script up to the first event that lets time pass by itself."""
        while not self.done and not isinstance(self._script.events[self._place.event].command, (Schedule, AdvanceMs, Until)):
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
        kept = self._kept(records=False)
        goal = self._after[self._position + 1].place
        try:
            while self._place != goal:
                self._play()
            self._position += 1
        except BaseException as error:
            self._restore(kept, error)
            raise
        self._moved()
        return self._steps[self._position - 1].decision

    def _arrive(self, decision: Decision, events: tuple[Event, ...]) -> None:
        """A step further if the decision changed something; else the same step, with what passed since."""
        if decision.changed_something:
            self._position += 1
            if self.history:
                self._steps.append(Step(self._position, decision, events, self.now_ns))
                self._after.append(self._here())
        elif self.history:
            self._stay()
        self._moved()

    def _stay(self) -> None:
        """Something was put in, or time passed, after the present step."""
        at = self._position if self.history else 0
        if self._place != self._after[at].place:
            self._after[at] = _Here(self._engine.mark, self._place, stayed=True)

    def _apply(self, command: Command | AdvanceMs) -> tuple[Event, ...]:
        kept = self._kept(branches=True)
        events: tuple[Event, ...] = ()
        try:
            self._start_branch()
            self._insert(command)
            end = self._place.event + 1
            while self._place.event < end:  # time that passes is interrupted by planned inputs
                item = self._play()
                events += item.events + item.confirmed
            events += self._play_due()
            self._stay()
        except BaseException as error:
            self._restore(kept, error)
            raise
        self._moved()
        return events

    def _moved(self) -> None:
        self._revisions += 1
        self._revision = self._revisions

    def _insert(self, command: Happening, *, stepped: bool = False) -> None:
        """Put an event into the script here. Where that splits a run of cycles, the present place has another name from now on."""
        at = self._position if self.history else 0
        self._place = self._script.insert(self._place, command, stepped=stepped)
        self._after[at] = replace(self._after[at], place=self._place)

    def _check_partition(self, command: Command, at_ms: int) -> None:
        """A command for later needs a partition that is there, or that a configuration which comes before it will bring."""
        name, there = getattr(command, "partition", None), frozenset(self.state.partitions)
        if name is not None and name.lower() not in there:
            ahead: list[object] = [event.command for event in self._script.events[self._place.event :]]
            ahead += [each.command for each in self._script.planned[self._place.planned :] if each.at_ms <= at_ms]
            if name.lower() not in brought(ahead):
                raise CommandError(no_partition(name, there))

    def _start_branch(self) -> None:
        """A new input starts a new branch: recorded steps ahead, and the cycles that made them, go."""
        self._previewed = None
        del self._steps[self._position :]
        del self._after[self._position + 1 :]
        self._script.branch(self._place)

    # ---- all or nothing --------------------------------------------------------------------------------------

    @property
    def _engine(self) -> Engine:
        if self._torn is not None:
            self._mend(self._torn)
        return self._core

    def _new_engine(self) -> Engine:
        return Engine(self.config, release=self.scenario.engine, history=self.history, log=self.history)

    def _kept(self, *, branches: bool = False, records: bool = True) -> _Kept:
        """What a verb that fails must not lose, and nothing else, or many inputs would take time by their square.

        Args:
            branches: the verb changes the script, from the present event on; others only add to its end.
            records: the verb changes what is recorded, from the present step on.
        """
        script, event, at = self._script, self._place.event, self._position if self.history else 0
        return _Kept(
            self._core,
            self._here(),
            self._position,
            self._revision,
            len(script),
            (event, script.events[event:], script.stepped[event:]) if branches else None,
            (at, self._steps[at:], self._after[at:]) if records else None,
            None,
            self._previewed,
        )

    def _put_back(self, kept: _Kept) -> None:
        """Everything but the scheduler's state."""
        script = self._script
        if kept.ahead is not None:
            event, events, stepped = kept.ahead
            script.events[event:], script.stepped[event:] = events, stepped
        else:
            script.cut(kept.length)
        if kept.planned is not None:
            script.planned[:] = kept.planned
        if kept.recorded is not None:
            at, steps, after = kept.recorded
            self._steps[at:], self._after[at:] = steps, after
        self._place, self._position, self._revision = kept.here.place, kept.position, kept.revision
        self._previewed = kept.previewed

    def _restore(self, kept: _Kept, error: BaseException | None) -> None:
        """Be as before a verb that did not go back; `error` is what broke it off, if anything did."""
        self._torn = kept
        self._put_back(kept)
        if not self.history:
            self._torn = None
        elif isinstance(error, Exception | None) and kept.core is self._core and not self._core.broken:
            self._core.unwind(kept.here.mark)
            self._torn = None

    def _tear(self, kept: _Kept) -> None:
        """Be as before; the state of the scheduler is made anew when it is next asked for."""
        self._torn = kept
        self._put_back(kept)

    def _mend(self, kept: _Kept) -> None:
        """Play the script again, with another engine, up to where a verb was broken off."""
        self._put_back(kept)
        engine, place, after = self._new_engine(), driver.START, []
        driver.begin(engine, self._script.pace)
        for here in self._after:
            while place != here.place:
                _, place = driver.step(engine, self._script, place)
            after.append(replace(here, mark=engine.mark))
        engine.unwind(after[self._position].mark)
        self._core, self._after[:], self._torn = engine, after, None

    @contextmanager
    def _looking(self) -> Iterator[None]:
        """Whatever happens inside, and however it ends, has not happened afterwards."""
        self._need_history()
        kept = self._kept(records=False)
        broken_off: BaseException | None = None
        try:
            yield
        except BaseException as error:
            broken_off = error
            raise
        finally:
            self._restore(kept, broken_off)

    def _here(self) -> _Here:
        return _Here(self._engine.mark, self._place)

    def _return_to(self, here: _Here) -> None:
        self._previewed = None
        self._returns += 1
        self._engine.unwind(here.mark)
        self._place = here.place

    def _go_back(self, n: int) -> None:
        """To a recorded step that is not ahead."""
        kept = self._kept(records=False)
        try:
            self._return_to(self._after[n])
            self._position = n
        except BaseException:
            self._tear(kept)
            raise
        self._moved()

    def _need_history(self) -> None:
        if not self.history:
            raise CommandError("this simulation keeps no history; make it with history=True to look back or ahead")


def _submissions(commands: Iterable[Happening], ids: Collection[str]) -> dict[str, int]:
    """Id -> the index of the last command that submits that application, of those that one submits."""
    return {
        command.application.id: index
        for index, command in enumerate(commands)
        if isinstance(command, AddApplication) and command.application.id in ids
    }


def asks(count: int, *, prefix: str = "ask-", priority: int = 0, **amounts: int | str) -> list[AskSpec]:
    """`count` equal asks for `Simulation.submit`; amounts as in a configuration, e.g. vcore="500m", memory="1Gi"."""
    resource = amounts_of(amounts)
    return [
        AskSpec(application_id="", key=f"{prefix}{number:03d}", resource=resource, priority=priority) for number in range(count)
    ]


def amounts_of(amounts: Mapping[str, int | str]) -> Resource:
    """A Resource from texts as in a configuration; integers are counted in base units. QuantityError if unreadable."""
    return Resource({name: parse_quantity(value, name) if isinstance(value, str) else value for name, value in amounts.items()})
