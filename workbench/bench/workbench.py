"""The `Workbench`: one design, its simulation and the verbs that act on them, with or without a screen.

A workbench is a desk (the state: simulation, history, selection, status) with the verbs as methods. It decides nothing about
scheduling and draws nothing: decisions come from the simulation, texts and tables from `workbench.explain`, pictures from
`workbench.plots`. Its view is made on first display, so that a script needs neither ipywidgets nor a kernel (U-27).

Every verb leaves a sentence and the equivalent call in `status` (U-5). A verb that fails raises, says the same
sentence in `status`, and leaves the last valid design and state in force (U-9). The verbs are functions in
`workbench.bench.verbs`, by what they are about; here is the table of them, and how a workbench is made.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from workbench.bench import shown, texts
from workbench.bench.checked import Checked
from workbench.bench.controller import Status, Text, quoted
from workbench.bench.designs import DEFAULT_DESIGN, DESIGN_VARIABLE, STEP_VARIABLE, opened, read_design, read_rest, read_to_mend
from workbench.bench.desk import Desk
from workbench.bench.named_tables import TABLES
from workbench.bench.study import at_once
from workbench.bench.templates import PREFIX
from workbench.bench.verbs import (
    build,
    checking,
    edits,
    explaining,
    exporting,
    files,
    inputs,
    predicting,
    serving,
    sessions,
    showing,
    time,
)
from workbench.bench.verbs.arguments import guard
from workbench.bench.verbs.long import long
from workbench.bench.view import View, view_of
from workbench.config import load_config
from workbench.config.write.export import from_configmap
from workbench.files.reading import read_text
from workbench.simulation.scenario import Scenario, example, load_scenario
from workbench.simulation.simulation import Simulation
from workbench.values.renamed import warn_renamed

__all__ = ["DESIGN_VARIABLE", "STEP_VARIABLE", "TABLES", "Status", "Text", "Workbench", "quoted", "read_design"]

THROUGH_THE_GUARD = 3
"""Frames from a verb up to the cell that called it: `guard`, and what holds the lock, stand between."""


class Workbench(Desk):
    """One design under study: step through it, change it, ask why.

    Make one with `example`, `open`, `from_yaml`, `from_configmap`, `from_rest`, `from_scenario` or `recover`. In a notebook,
    leave it as the last line of a cell to see its screen; every verb is also a button there, and both act on the same state.
    What it holds (`simulation`, `selected`, `status`, `calls` and more) says `Desk`.
    """

    _view: View | None = None

    # -- making one ---------------------------------------------------------------------------------------------

    @classmethod
    def example(
        cls, name: str = DEFAULT_DESIGN, *, view: str = "full", keys: bool = True, motion: bool = True, static: bool = False
    ) -> Self:
        """A packaged example by name. ScenarioError if there is none of that name."""
        call = f"Workbench.example({quoted(name)})"
        return cls(
            Simulation.from_scenario(example(name)), name=name, call=call, view=view, keys=keys, motion=motion, static=static
        )

    @classmethod
    def open(
        cls, design: str | Path | None = None, *, view: str = "full", keys: bool = True, motion: bool = True, static: bool = False
    ) -> Self:
        """A design by example name, or by the path of what `workbench.importers` recognise: a queues.yaml, a ConfigMap, a scenario,
        saved answers of a REST interface and more. What is unknown of it is said in `status`.

        A queues.yaml that the scheduler refuses opens, too: as the draft of an empty design, with the line that is wrong.

        None: what `workbench lab DESIGN` was started with, at the step that it was started with, else the first example.
        """
        chosen = os.environ.get(DESIGN_VARIABLE) or DEFAULT_DESIGN if design is None else design
        design_found = read_to_mend(chosen)
        simulation, name = design_found.simulation, design_found.name
        step = os.environ.get(STEP_VARIABLE, "") if design is None else ""
        if step.isdecimal():
            simulation.stand(int(step))
        made = cls(
            simulation, name=name, call=f"Workbench.open({quoted(str(chosen))})", view=view, keys=keys, motion=motion, static=static
        )
        about = f" {simulation.scenario.description}" if step else ""
        made.configmap = design_found.configmap
        made.draft = design_found.draft
        made.status = replace(made.status, text=opened(design_found) + about, is_error=made.draft is not None)
        return made

    @classmethod
    def new(cls, template: str = "empty", **shown: Any) -> Self:
        """A design to begin with, which needs no file: empty, or a template such as "teams"; everybody may submit to it.

        ScenarioError, with the names, if there is no such template. `shown` as in `from_yaml`.
        """
        found = read_design(f"{PREFIX}{template}")
        return cls(found.simulation, name=found.name, call=f"Workbench.new({quoted(template)})", **shown)

    @classmethod
    def from_yaml(cls, text_or_path: str | Path, **shown: Any) -> Self:
        """A queue configuration with an empty cluster, from text or from a file. ConfigError with the line if it is refused.

        `shown` says how it is shown, as in `example`: view, keys, motion, static.
        """
        if isinstance(text_or_path, str) and ("\n" in text_or_path or ":" in text_or_path):
            return cls(Simulation(load_config(text_or_path)), call="Workbench.from_yaml(text)", **shown)
        path = Path(text_or_path)
        config = load_config(read_text(path), source=path.name)
        return cls(Simulation(config), name=path.stem, call=f"Workbench.from_yaml({quoted(str(text_or_path))})", **shown)

    @classmethod
    def from_rest(cls, folder: str | Path, **shown: Any) -> Self:
        """A live cluster from answers of its REST API, saved as files in a folder; see `workbench.importers.rest`.

        What the answers leave open is said in `status`. ScenarioError with file and key if one cannot be read.
        """
        found = read_rest(folder)
        made = cls(found.simulation, name=found.name, call=f"Workbench.from_rest({quoted(str(folder))})", **shown)
        made.status = replace(made.status, text=opened(found))
        return made

    @classmethod
    def from_scenario(cls, scenario: Scenario | str | Path, **shown: Any) -> Self:
        """A scenario object or file: a configuration with its inputs."""
        if isinstance(scenario, Scenario):
            return cls(Simulation.from_scenario(scenario), name=scenario.name, call="Workbench.from_scenario(scenario)", **shown)
        loaded = load_scenario(scenario)
        call = f"Workbench.from_scenario({quoted(str(scenario))})"
        return cls(Simulation.from_scenario(loaded), name=loaded.name, call=call, **shown)

    @classmethod
    def from_configmap(cls, text_or_path: str | Path, **shown: Any) -> Self:
        """A queue configuration out of a Kubernetes ConfigMap, from text or from a file. ConfigError if it is refused."""
        is_text = isinstance(text_or_path, str) and "\n" in text_or_path
        text = str(text_or_path) if is_text else read_text(text_or_path)
        call = "Workbench.from_configmap(text)" if is_text else f"Workbench.from_configmap({quoted(str(text_or_path))})"
        made = cls(Simulation(load_config(from_configmap(text))), call=call, **shown)
        made.configmap = text
        return made

    @classmethod
    def recover(cls, path: str | Path | None = None) -> Self:
        """The workbench as it last was in this notebook, or in another session file: same design, inputs, undo and step.

        Raises:
            SessionError: a file is damaged and there is no earlier one; nothing was deleted.
            CommandError: there is no session to come back to.
        """
        found = sessions.earlier(path)
        call = "Workbench.recover()" if path is None else f"Workbench.recover({quoted(str(path))})"
        made = cls(at_once(found.session.present), name=found.session.name, call=call)
        sessions.recovered(made, found)
        return made

    # -- verbs --------------------------------------------------------------------------------------------------

    step = time.step
    cycle = time.cycle
    advance = time.advance
    skip = long(time.skip)
    back = time.back
    goto = long(time.goto)
    reset = time.reset
    run = long(time.run)
    run_until = long(time.run_until)
    play = time.play
    stop = time.stop

    edit_mode = edits.edit_mode
    release = long(edits.release)
    undo = long(edits.undo)
    redo = long(edits.redo)

    add_queue = long(build.add_queue)
    rename_queue = long(build.rename_queue)
    duplicate_queue = long(build.duplicate_queue)
    move_queue = long(build.move_queue)
    delete_queue = long(build.delete_queue)
    set = long(build.set)
    edit_yaml = long(build.edit_yaml)
    reload = long(build.reload)
    would_refuse = build.would_refuse

    apply = inputs.apply
    add_app = inputs.add_app
    add_request = inputs.add_request
    add_gang = inputs.add_gang
    add_node = inputs.add_node
    drain_node = inputs.drain_node
    undrain_node = inputs.undrain_node
    remove_node = inputs.remove_node
    finish = inputs.finish
    remove_app = inputs.remove_app
    load_inputs = inputs.load_inputs
    remove_input = inputs.remove_input

    select = explaining.select
    why = explaining.why
    why_not = explaining.why_not
    why_not_sentences = explaining.why_not_sentences
    why_placed = explaining.why_placed
    rules_asked = explaining.rules_asked
    what_changed = explaining.what_changed
    remedies_of = explaining.remedies_of
    apply_remedy = long(explaining.apply_remedy)
    table = explaining.table
    use_since = explaining.use_since
    figure = explaining.figure
    picture = explaining.picture

    check = checking.check
    checked = checking.checked
    mend = long(checking.mend)
    try_out = checking.try_out
    trial_of = checking.trial_of

    predict = predicting.predict
    reveal = predicting.reveal
    uncover = predicting.uncover

    load = files.load
    save = files.save
    save_config = files.save_config
    save_kubernetes = files.save_kubernetes
    report = files.report
    to_yaml = exporting.to_yaml
    to_configmap = exporting.to_configmap
    to_python = exporting.to_python
    autosave = sessions.autosave
    resume = sessions.resume

    serve = serving.serve

    show_as = showing.show_as
    refresh = showing.refresh
    tree_text = showing.tree_text

    def engine(self, version: str) -> Text:
        """The former name of `release`, with a DeprecationWarning."""
        warn_renamed("bench.engine(...)", "bench.release(...)", above=THROUGH_THE_GUARD)
        return self.release(version)

    # -- what is known ------------------------------------------------------------------------------------------

    @property
    def last_checked(self) -> Checked | None:
        """The checks made last, of whatever that was; None before the first."""
        return self.checks_made

    @property
    def checks_are_due(self) -> bool:
        """Whether `checked` would make the checks anew."""
        return checking.are_due(self)

    @property
    def has_earlier_session(self) -> bool:
        """An earlier run of this notebook left a session that `recover` would come back to."""
        return sessions.has_earlier()

    # -- display ------------------------------------------------------------------------------------------------

    @property
    def screen(self) -> Any:
        """The screen of this workbench, made on first use. Needs ipywidgets."""
        if self._view is None:
            sessions.begin(self)
            self._view = view_of(self)
        shown.note(self)
        return self._view

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The screen where widgets can be shown, and always the three lines of text, with the tree if it is `static` (U-28)."""
        try:
            bundle: dict[str, Any] = self.screen.bundle(**options)
        except ImportError:
            bundle = {}
        bundle["text/plain"] = f"{self!r}\n\n{self.tree_text()}" if self.static else repr(self)
        return bundle

    def __repr__(self) -> str:
        simulation = self.simulation
        following = None if self.next_covered else simulation.preview()
        lines = texts.summary(self.name, simulation.position, len(simulation.waiting()), following, self.refused.many)
        return "\n".join([*lines, self.warning] if self.warning else lines)


guard(Workbench, "example", "open", "new", "from_yaml", "from_rest", "from_configmap", "recover")
