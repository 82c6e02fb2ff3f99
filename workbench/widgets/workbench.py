"""The `Workbench`: one design, its simulation and the verbs that act on them, with or without a screen.

A workbench is a controller. It holds a `Simulation`, the history of edits, the selection and the status line, and it
tells whoever listens that something changed. It decides nothing about scheduling and draws nothing: decisions come
from the simulation, texts and tables from `workbench.explain`, pictures from `workbench.plots`. The screen is made on
first display, so that a script needs neither ipywidgets nor a kernel (U-27).

Every verb leaves a sentence and the equivalent call in `status` (U-5). A verb that fails raises, says the same
sentence in `status`, and leaves the last valid design and state in force (U-9).
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import explain
from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.errors import CommandError, WorkbenchError
from workbench.scheduler.commands import Command
from workbench.scheduler.decision import Decision
from workbench.scheduler.events import Event
from workbench.scheduler.state import Partition
from workbench.scheduler.tree import find
from workbench.simulation.scenario import Scenario, example, load_scenario
from workbench.simulation.simulation import Simulation
from workbench.simulation.waiting import Waiting
from workbench.widgets import design_edits, forecast, texts
from workbench.widgets.designs import DEFAULT_DESIGN, DESIGN_VARIABLE, read_design

if TYPE_CHECKING:
    import plotly.graph_objects as go

CHUNK_SECONDS = 0.1
PAUSE_SECONDS = 0.01
"""A run of the screen works this long between two looks at Stop (U-18)."""


@dataclass(frozen=True, slots=True)
class Status:
    """The status line: what happened, the equivalent call, and whether it was refused."""

    text: str
    call: str = ""
    is_error: bool = False


class Text(str):
    """Text that shows itself in a notebook instead of its quoted form."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Workbench:
    """One design under study: step through it, change it, ask why.

    Make one with `example`, `open`, `from_yaml` or `from_scenario`. In a notebook, leave it as the last line of a cell to
    see its screen; every verb below is also a button there, and both act on the same state.

    Attributes:
        simulation: the state and the decisions. After using it directly, call `refresh`.
        name: short name of the design.
        selected: path of the selected queue, "" for none.
        selected_request: (application id, ask key) of the selected request, or None.
        status: what the last verb did.
        calls: the calls that lead to the present state, as Python text.
        differs_at: the first step whose outcome the last edit changed, 0 when none did.
    """

    def __init__(self, simulation: Simulation, *, name: str = "design", call: str = "Workbench(simulation)"):
        self._listeners: list[Callable[[], None]] = []
        self._screen: Any = None
        self._adopt(simulation, name, f"wb = {call}")

    # -- making one ---------------------------------------------------------------------------------------------

    @classmethod
    def example(cls, name: str = DEFAULT_DESIGN) -> Workbench:
        """A packaged example by name. ScenarioError if there is none of that name."""
        return cls(Simulation.from_scenario(example(name)), name=name, call=f"Workbench.example({quoted(name)})")

    @classmethod
    def open(cls, design: str | Path | None = None) -> Workbench:
        """A design by example name, or by the path of a scenario or a queues.yaml.

        None: what `workbench lab DESIGN` was started with, else the first example.
        """
        chosen = os.environ.get(DESIGN_VARIABLE) or DEFAULT_DESIGN if design is None else design
        simulation, name = read_design(chosen)
        return cls(simulation, name=name, call=f"Workbench.open({quoted(str(chosen))})")

    @classmethod
    def from_yaml(cls, text_or_path: str | Path) -> Workbench:
        """A queue configuration with an empty cluster, from text or from a file. ConfigError with the line if it is refused."""
        if isinstance(text_or_path, str) and ("\n" in text_or_path or ":" in text_or_path):
            return cls(Simulation(load_config(text_or_path)), call="Workbench.from_yaml(text)")
        path = Path(text_or_path)
        config = load_config(path.read_text(encoding="utf-8"), source=path.name)
        return cls(Simulation(config), name=path.stem, call=f"Workbench.from_yaml({quoted(str(text_or_path))})")

    @classmethod
    def from_scenario(cls, scenario: Scenario | str | Path) -> Workbench:
        """A scenario object or file: a configuration with its inputs."""
        if isinstance(scenario, Scenario):
            return cls(Simulation.from_scenario(scenario), name=scenario.name, call="Workbench.from_scenario(scenario)")
        loaded = load_scenario(scenario)
        call = f"Workbench.from_scenario({quoted(str(scenario))})"
        return cls(Simulation.from_scenario(loaded), name=loaded.name, call=call)

    def load(self, design: str | Path) -> None:
        """Replace the design by another (see `open`). Its edits and steps are forgotten."""
        with self._verb(f"wb.load({quoted(str(design))})") as say:
            simulation, name = read_design(design)
            self._adopt(simulation, name, f"wb = Workbench.open({quoted(str(design))})")
            say(texts.opened(name))

    def _adopt(self, simulation: Simulation, name: str, call: str) -> None:
        self.simulation, self.name = simulation, name
        self.selected, self.selected_request = "", None
        self.status = Status(texts.opened(name), call)
        self.calls = [call]
        self.differs_at = 0
        self._past: list[SchedulerConfig] = []
        self._future: list[SchedulerConfig] = []
        self._turns: forecast.Turns | None = None

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def config(self) -> SchedulerConfig:
        """The design in force."""
        return self.simulation.config

    @property
    def partition(self) -> Partition:
        """The partition on the screen: the first of the configuration."""
        return self.simulation.state.partitions[self.config.partitions[0].name.lower()]

    @property
    def turns(self) -> forecast.Turns:
        """(application id, ask key) -> the step that will serve it if nothing else is put in."""
        if self._turns is None:
            self._turns = forecast.turns(self.simulation)
        return self._turns

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    # -- time ---------------------------------------------------------------------------------------------------

    def step(self) -> Decision:
        """One decision that changes something. Outcome "nothing" when nothing can be allocated."""
        with self._verb("wb.step()") as say:
            decision = self.simulation.step()
            if decision.changed_something:
                say(texts.stepped(self.simulation.position, decision))
            else:
                say(texts.nothing_left(len(self.simulation.waiting())))
        return decision

    def back(self, n: int = 1) -> int:
        """Go back `n` steps, at most to the start, and return the position reached."""
        with self._verb("wb.back()" if n == 1 else f"wb.back({n})") as say:
            if n < 1:
                raise CommandError(f"back goes at least 1 step, not {n}")
            if self.simulation.position == 0:
                say(texts.no_earlier_step())
            else:
                self.simulation.goto(max(0, self.simulation.position - n))
                say(self._where())
        return self.simulation.position

    def goto(self, n: int) -> int:
        """Go to step `n`, 0 being the start, and return the position. CommandError if it does not exist."""
        with self._verb(f"wb.goto({n})", repeats="wb.goto(") as say:
            self.simulation.goto(n)
            say(self._where())
        return self.simulation.position

    def reset(self) -> None:
        """Go to the start. The steps taken stay on the rail."""
        with self._verb("wb.reset()") as say:
            self.simulation.reset()
            say(self._where())

    def run(self, max_steps: int | None = None, until: Callable[[Decision], bool] | None = None) -> int:
        """Step until nothing more can be allocated, at most `max_steps` times or up to the first for which
        `until(decision)` holds. Returns the number of steps taken."""
        arguments = ", ".join(part for part in (f"max_steps={max_steps}" if max_steps is not None else "",
                                                "until=condition" if until is not None else "") if part)
        with self._verb(f"wb.run({arguments})") as say:
            steps = self.simulation.run(max_steps=max_steps, until=until)
            say(texts.ran(steps, self.simulation.position))
        return steps

    async def run_while(self, go_on: Callable[[], bool]) -> int:
        """As `run`, but gives way to the event loop every tenth of a second and ends when `go_on()` is false.

        The clock on the wall only decides when to look up; the steps are those of `run`.
        """
        with self._verb("wb.run()") as say:
            steps, finished = 0, False
            while go_on() and not finished:
                look_up, looks = time.monotonic() + CHUNK_SECONDS, False
                while not finished and not looks:
                    taken = self.simulation.run(max_steps=1)
                    steps, finished, looks = steps + taken, taken == 0, time.monotonic() >= look_up
                self.status = Status(texts.running(self.simulation.position), "wb.run()")
                self._tell()
                await asyncio.sleep(PAUSE_SECONDS)
            if finished:
                say(texts.ran(steps, self.simulation.position))
            else:
                say(texts.stopped(steps, self.simulation.position), call=f"wb.run(max_steps={steps})")
        return steps

    def apply(self, *commands: Command) -> tuple[Event, ...]:
        """Give commands to the scheduler now, such as `AddNode` or `AddAsk`, and return what they caused."""
        with self._verb("wb.apply(...)") as say:
            self._turns = None
            events = tuple(event for command in commands for event in self.simulation.apply(command))
            say(texts.applied(len(commands)))
        return events

    # -- edits --------------------------------------------------------------------------------------------------

    def set(self, path: str, key: str, value: str | int | None) -> Text:
        """Set a property of a queue, or remove it with None, and run again to the same step.

        Returns how the outcome changed.

        Raises:
            ConfigError: no such queue or property, or a value the scheduler would ignore. The design is unchanged.
        """
        text = None if value is None else str(value)
        shown = "None" if text is None else quoted(text)
        with self._verb(f"wb.set({quoted(path)}, {quoted(key)}, {shown})") as say:
            config = design_edits.with_property(self.config, path, key, text, self.partition.profile.properties)
            if config == self.config:
                say(texts.unchanged(path, key))
            else:
                past = [*self._past, self.config]
                outcome = self._redesign(config)
                self._past, self._future = past, []
                say(f"{texts.changed(path, key, text)} {outcome}")
        return Text(self.status.text)

    def undo(self) -> Text:
        """Take back the last edit. CommandError if there is none."""
        with self._verb("wb.undo()") as say:
            if not self._past:
                raise CommandError("there is no edit to undo")
            config, present = self._past[-1], self.config
            outcome = self._redesign(config)
            self._past, self._future = self._past[:-1], [*self._future, present]
            say(f"{texts.undone()} {outcome}")
        return Text(self.status.text)

    def redo(self) -> Text:
        """Make the last undone edit again. CommandError if there is none."""
        with self._verb("wb.redo()") as say:
            if not self._future:
                raise CommandError("there is no edit to make again")
            config, present = self._future[-1], self.config
            outcome = self._redesign(config)
            self._past, self._future = [*self._past, present], self._future[:-1]
            say(f"{texts.redone()} {outcome}")
        return Text(self.status.text)

    def _redesign(self, config: SchedulerConfig) -> str:
        """Run the same inputs with another design up to the same step. Says how the outcome changed."""
        before = self.simulation
        position = before.position
        after = before.with_config(config)
        after.run(max_steps=position)
        old_next, new_next = before.preview(), after.preview()
        self.simulation, self._turns = after, None
        self.differs_at = design_edits.first_difference(before.steps, after.steps, position)
        return texts.outcome(position, after.position, self.differs_at, old_next, new_next)

    # -- selection ----------------------------------------------------------------------------------------------

    def select(self, path: str = "", *, request: str | None = None, application: str | None = None) -> None:
        """Select a queue by path, or a waiting request by its key (and application, if several have the key).

        Without arguments nothing is selected. CommandError if there is no such queue or request.
        """
        call = ", ".join([quoted(path)] if path else [f"{name}={quoted(value)}" for name, value in
                                                     (("request", request), ("application", application)) if value])
        with self._verb(f"wb.select({call})", repeats="wb.select(") as say:
            if request is not None:
                item = self._waiting(request, application)
                self.selected, self.selected_request = item.application.queue_path, (item.application.id, item.ask.key)
                say(texts.selected_request(item.application.id, item.ask.key, self.selected))
            else:
                if path and find(self.partition, path) is None:
                    raise CommandError(f"there is no queue {path}")
                self.selected, self.selected_request = path, None
                say(texts.selected(path))

    def _waiting(self, key: str, application: str | None) -> Waiting:
        found = [item for item in self.simulation.waiting()
                 if item.ask.key == key and application in (None, item.application.id)]
        if not found:
            raise CommandError(f"no request {key} is waiting")
        return found[0]

    # -- explanations -------------------------------------------------------------------------------------------

    def why(self, request: str | None = None, *, application: str | None = None, step: int | None = None) -> Text:
        """Why the next choice is what it is; with `request`, why that one is not next; with `step`, why that step was taken.

        CommandError if there is no such waiting request or recorded step.
        """
        if request is not None:
            return self.why_not(request, application=application)
        if step is not None:
            return Text(explain.why(self.simulation.explain(step), done=True))
        return Text(explain.why(self.simulation.preview()))

    def why_not(self, request: str, *, application: str | None = None) -> Text:
        """Why a waiting request is not the next one, and what would help it. CommandError if no request of that key waits."""
        item = self._waiting(request, application)
        return Text("\n".join(explain.why_not(item, self.simulation.preview(), self.simulation.remedies(item))))

    def table(self, name: str = "pending") -> Text:
        """A table of the present state as stable plain text, by name (see `TABLES`)."""
        if name not in TABLES:
            raise CommandError(texts.no_such("table", name, TABLES))
        return Text(explain.render(TABLES[name](self)))

    def figure(self, name: str = "path", *, dark: bool = False) -> go.Figure:
        """A picture of the present state as a plain plotly Figure, by name: "path" or "nodes". Needs plotly."""
        from workbench.plots.theme import DARK, LIGHT
        from workbench.widgets.pictures import PICTURES

        if name not in PICTURES:
            raise CommandError(texts.no_such("figure", name, PICTURES))
        kind = PICTURES[name]
        return kind.figure(kind.rows(self.partition, self.simulation.preview()), DARK if dark else LIGHT)

    # -- telling ------------------------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener()` after every verb, refused ones included."""
        self._listeners.append(listener)

    def refresh(self) -> None:
        """Redraw the screen, after something was done to `simulation` directly."""
        self._turns = None
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def report(self, error: Exception, call: str) -> str:
        """Put an exception into the status line as a sentence, and return it."""
        text = str(error) if isinstance(error, WorkbenchError) else f"{texts.BROKEN} {type(error).__name__}: {error}"
        self.status = Status(text, call, is_error=True)
        return text

    def _where(self) -> str:
        position = self.simulation.position
        return texts.moved(position, self.simulation.steps[position - 1].decision if position else None)

    @contextmanager
    def _verb(self, call: str, *, repeats: str = "") -> Iterator[Callable[..., None]]:
        """Around the body of a verb: keeps the calls, the status and the listeners up to date, failures included.

        The body gets `say(text, call=...)` for its sentence; `call` is given when only the end of the body knows the
        equivalent call. `repeats` is the beginning of calls of which only the last of a row is kept.
        """
        said = Status("", call)

        def say(text: str, call: str = call) -> None:
            nonlocal said
            said = Status(text, call)

        try:
            yield say
        except Exception as error:
            self.report(error, call)
            self._tell()
            raise
        if repeats and self.calls[-1].startswith(repeats):
            self.calls.pop()
        if not call.startswith("wb.load("):
            self.calls.append(said.call)
        self.status = said
        self._tell()

    # -- display ------------------------------------------------------------------------------------------------

    @property
    def screen(self) -> Any:
        """The screen of this workbench, made on first use. Needs ipywidgets."""
        if self._screen is None:
            from workbench.widgets.screen import Screen

            self._screen = Screen(self)
        return self._screen

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The screen where widgets can be shown, and always the three lines of text (U-28)."""
        try:
            bundle = dict(self.screen.widget._repr_mimebundle_(**options) or {})
        except ImportError:
            bundle = {}
        bundle["text/plain"] = repr(self)
        return bundle

    def __repr__(self) -> str:
        simulation = self.simulation
        return "\n".join(texts.summary(self.name, simulation.position, len(simulation.waiting()), simulation.preview()))


TABLES: Mapping[str, Callable[[Workbench], explain.Table]] = {
    "pending": lambda workbench: forecast.pending_table(workbench.simulation.waiting(), workbench.turns),
    "order": lambda workbench: explain.order_rows(workbench.simulation),
    "steps": lambda workbench: explain.step_rows(workbench.simulation),
    "queues": lambda workbench: explain.queue_rows(workbench.simulation.state, workbench.partition.name),
    "nodes": lambda workbench: explain.node_rows(workbench.simulation.state, workbench.partition.name),
}
"""The tables of `Workbench.table`, by name."""


def quoted(text: str) -> str:
    """A text as a Python literal in double quotes."""
    return json.dumps(text, ensure_ascii=False)
