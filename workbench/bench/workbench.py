"""The `Workbench`: one design, its simulation and the verbs that act on them, with or without a screen.

A workbench is a controller. It holds a `Simulation`, the history of edits, the selection and the status line, and it
tells whoever listens that something changed. It decides nothing about scheduling and draws nothing: decisions come
from the simulation, texts and tables from `workbench.explain`, pictures from `workbench.plots`. The screen is made on
first display, so that a script needs neither ipywidgets nor a kernel (U-27).

Every verb leaves a sentence and the equivalent call in `status` (U-5). A verb that fails raises, says the same
sentence in `status`, and leaves the last valid design and state in force (U-9). The verbs are in `workbench.bench.verbs`,
by what they are about; here is what a workbench is and how one is made.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.bench import forecast, session, study, texts
from workbench.bench.controller import Controller, Status, Text, call_of, quoted
from workbench.bench.designs import DEFAULT_DESIGN, DESIGN_VARIABLE, opened, read_design, read_rest
from workbench.bench.named_tables import TABLES
from workbench.bench.session import Keeper
from workbench.bench.study import Study
from workbench.bench.verbs.build import Build
from workbench.bench.verbs.checking import Checking
from workbench.bench.verbs.explaining import Explaining
from workbench.bench.verbs.files import Files
from workbench.bench.verbs.inputs import Inputs
from workbench.bench.verbs.predicting import Predicting
from workbench.bench.views import VIEWS
from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.explain import catalogue
from workbench.scheduler.records.state import Partition
from workbench.simulation.scenario import Scenario, example, load_scenario
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError

__all__ = ["DESIGN_VARIABLE", "TABLES", "Status", "Text", "Workbench", "quoted", "read_design"]


class Workbench(Build, Checking, Inputs, Predicting, Files, Explaining, Controller):
    """One design under study: step through it, change it, ask why.

    Make one with `example`, `open`, `from_yaml`, `from_configmap`, `from_rest`, `from_scenario` or `recover`. In a notebook,
    leave it as the last line of a cell to see its screen; every verb is also a button there, and both act on the same state.

    Attributes:
        simulation: the state and the decisions. After using it directly, call `refresh`.
        name: short name of the design.
        selected: path of the selected queue, "" for none.
        selected_request: (application id, ask key) of the selected request, or None.
        view: the preset of the screen: "full", "teach", "inspect" or "edit".
        pictures: name of a picture -> the values chosen for its options; see `picture`.
        wanted_picture: the picture that was last brought to the front by `picture`, "" for none, and how often one was.
        keys: whether single letters are verbs while the screen has the focus.
        motion: whether anything on the screen may move; where the system asks for less motion, nothing does either way.
        static: whether a picture in text, the tree with its priorities, is stored beside the three lines of text.
    """

    def __init__(
        self,
        simulation: Simulation,
        *,
        name: str = "design",
        call: str = "Workbench(simulation)",
        view: str = "full",
        keys: bool = True,
        motion: bool = True,
        static: bool = False,
    ):
        super().__init__()
        self._screen: Any = None
        self._keeper: Keeper | None = None
        self._later: Any = None
        self.view, self.keys, self.motion, self.static = _known_view(view), keys, motion, static
        self.pictures: dict[str, dict[str, str]] = {}
        self.wanted_picture: tuple[str, int] = ("", 0)
        self._adopt(simulation, name, f"wb = {call}")

    # -- making one ---------------------------------------------------------------------------------------------

    @classmethod
    def example(
        cls, name: str = DEFAULT_DESIGN, *, view: str = "full", keys: bool = True, motion: bool = True, static: bool = False
    ) -> Workbench:
        """A packaged example by name. ScenarioError if there is none of that name."""
        call = f"Workbench.example({quoted(name)})"
        return cls(
            Simulation.from_scenario(example(name)), name=name, call=call, view=view, keys=keys, motion=motion, static=static
        )

    @classmethod
    def open(
        cls, design: str | Path | None = None, *, view: str = "full", keys: bool = True, motion: bool = True, static: bool = False
    ) -> Workbench:
        """A design by example name, or by the path of a scenario, a queues.yaml or a folder of answers (see `from_rest`).

        None: what `workbench lab DESIGN` was started with, else the first example.
        """
        chosen = os.environ.get(DESIGN_VARIABLE) or DEFAULT_DESIGN if design is None else design
        simulation, name = read_design(chosen)
        made = cls(
            simulation, name=name, call=f"Workbench.open({quoted(str(chosen))})", view=view, keys=keys, motion=motion, static=static
        )
        made.status = replace(made.status, text=opened(simulation, name, chosen))
        return made

    @classmethod
    def from_yaml(cls, text_or_path: str | Path, **shown: Any) -> Workbench:
        """A queue configuration with an empty cluster, from text or from a file. ConfigError with the line if it is refused.

        `shown` says how it is shown, as in `example`: view, keys, motion, static.
        """
        if isinstance(text_or_path, str) and ("\n" in text_or_path or ":" in text_or_path):
            return cls(Simulation(load_config(text_or_path)), call="Workbench.from_yaml(text)", **shown)
        path = Path(text_or_path)
        config = load_config(path.read_text(encoding="utf-8"), source=path.name)
        return cls(Simulation(config), name=path.stem, call=f"Workbench.from_yaml({quoted(str(text_or_path))})", **shown)

    @classmethod
    def from_rest(cls, folder: str | Path, **shown: Any) -> Workbench:
        """A live cluster from answers of its REST API, saved as files in a folder; see `workbench.importers.rest`.

        What the answers leave open is said in `status`. ScenarioError with file and key if one cannot be read.
        """
        simulation = read_rest(folder)
        made = cls(simulation, name=simulation.scenario.name, call=f"Workbench.from_rest({quoted(str(folder))})", **shown)
        made.status = replace(made.status, text=opened(simulation, made.name, folder))
        return made

    @classmethod
    def from_scenario(cls, scenario: Scenario | str | Path, **shown: Any) -> Workbench:
        """A scenario object or file: a configuration with its inputs."""
        if isinstance(scenario, Scenario):
            return cls(Simulation.from_scenario(scenario), name=scenario.name, call="Workbench.from_scenario(scenario)", **shown)
        loaded = load_scenario(scenario)
        call = f"Workbench.from_scenario({quoted(str(scenario))})"
        return cls(Simulation.from_scenario(loaded), name=loaded.name, call=call, **shown)

    def load(self, design: str | Path) -> None:
        """Replace the design and its inputs by others (see `open`). One undo entry, like every edit."""
        with self._verb(call_of("load", str(design))) as say:
            simulation, name = read_design(design)
            self._remember(self._study())
            self.simulation, self.name, self._turns, self.differs_at = simulation, name, None, 0
            self.selected, self.selected_request = "", None
            say(opened(simulation, name, design))

    def _adopt(self, simulation: Simulation, name: str, call: str) -> None:
        self.simulation, self.name = simulation, name
        self.selected, self.selected_request = "", None
        self.status = Status(texts.opened(name), call)
        self.calls = [call]
        self._turns: forecast.Turns | None = None
        self._tried: tuple | None = None
        self._forget_edits()
        self._forget_predictions()

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def config(self) -> SchedulerConfig:
        """The design in force: the one at the start, or that of the last reload."""
        return self.simulation.state.config

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

    def _study(self) -> Study:
        return study.study_of(self.simulation, self.name)

    # -- display ------------------------------------------------------------------------------------------------

    def show_as(self, view: str) -> None:
        """Another preset of the screen: "full", "teach", "inspect" or "edit" (U-11). CommandError for another word."""
        with self._verb(call_of("show_as", view), repeats="wb.show_as(") as say:
            self.view = _known_view(view)
            say(catalogue.shown_as(view))

    def refresh(self) -> None:
        """Redraw the screen, after something was done to `simulation` directly."""
        self._turns = None
        self._tell()

    @property
    def screen(self) -> Any:
        """The screen of this workbench, made on first use. Needs ipywidgets."""
        if self._screen is None:
            from workbench.widgets.screen import Screen

            if self._keeper is None and session.default_path() is not None:
                if self.has_earlier_session:
                    self.offers_resume = True
                    self.status = replace(self.status, text=f"{self.status.text} {catalogue.EARLIER_SESSION}")
                self.autosave()
            self._screen = Screen(self)
        return self._screen

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The screen where widgets can be shown, and always the three lines of text, with the tree if it is `static` (U-28)."""
        try:
            bundle = dict(self.screen.widget._repr_mimebundle_(**options) or {})
        except ImportError:
            bundle = {}
        bundle["text/plain"] = f"{self!r}\n\n{self.tree_text()}" if self.static else repr(self)
        return bundle

    def tree_text(self) -> Text:
        """The queue tree in text: marks, priorities, rank among the siblings for the next step, and use. Stable."""
        from workbench.bench.tree_text import tree_text

        return Text(tree_text(self.partition, self.simulation.preview(), self.simulation.waiting(), covered=self.question_open))

    def __repr__(self) -> str:
        simulation = self.simulation
        following = None if self.question_open else simulation.preview()
        return "\n".join(texts.summary(self.name, simulation.position, len(simulation.waiting()), following))


def _known_view(view: str) -> str:
    if view not in VIEWS:
        raise CommandError(texts.no_such("view", view, VIEWS))
    return view
