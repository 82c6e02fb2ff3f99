"""In and out: configurations and scenarios as files and texts, the session that survives a kernel, and the report."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from workbench.config import load_config
from workbench.config.export import from_configmap, to_configmap, to_yaml
from workbench.errors import CommandError, ScenarioError
from workbench.explain import catalogue
from workbench.simulation.scenario import scenario_to_json, scenario_to_yaml
from workbench.simulation.simulation import Simulation
from workbench.widgets import session, study
from workbench.widgets.controller import Text, call_of, quoted
from workbench.widgets.session import Keeper, Session, SessionError
from workbench.widgets.verbs.edits import Edits


class Files(Edits):
    """Verbs that read and write files."""

    _keepers: ClassVar[dict[Path, Keeper]] = {}
    """Session file -> what writes it, for all workbenches of this process."""

    # -- configurations and scenarios ----------------------------------------------------------------------------------

    @classmethod
    def from_configmap(cls, text_or_path: str | Path, **shown: Any) -> Self:
        """A queue configuration out of a Kubernetes ConfigMap, from text or from a file. ConfigError if it is refused."""
        is_text = isinstance(text_or_path, str) and "\n" in text_or_path
        text = str(text_or_path) if is_text else Path(text_or_path).read_text(encoding="utf-8")
        call = "Workbench.from_configmap(text)" if is_text else f"Workbench.from_configmap({quoted(str(text_or_path))})"
        return cls(Simulation(load_config(from_configmap(text))), call=call, **shown)

    def to_yaml(self) -> Text:
        """The design in force as a queues.yaml."""
        return Text(self.config.text or to_yaml(self.config))

    def to_configmap(self, **options: str) -> Text:
        """The design in force as a Kubernetes ConfigMap; options are those of `export.to_configmap`."""
        return Text(to_configmap(self.config, **options))

    def to_python(self) -> Text:
        """The calls that lead to the present state, as a script."""
        return Text("\n".join(["from workbench import Workbench", "", *self.calls]) + "\n")

    def save(self, path: str | Path) -> None:
        """Write the design at the start and all inputs as a scenario file, YAML or, by its name, JSON. `load` opens it."""
        target = Path(path)
        with self._verb(call_of("save", str(path)), silent=True) as say:
            scenario = replace(self._study().scenario, name=target.stem)
            text = scenario_to_json(scenario) if target.suffix.lower() == ".json" else scenario_to_yaml(scenario)
            _write(target, text)
            say(catalogue.saved(str(path)))

    def report(self, path: str | Path) -> None:
        """Write the present state as one HTML file that needs nothing else: pictures, tables, why, configuration, calls."""
        from workbench.widgets.report import report_html

        with self._verb(call_of("report", str(path)), silent=True) as say:
            _write(Path(path), report_html(self))
            say(catalogue.report_written(str(path)))

    # -- sessions ------------------------------------------------------------------------------------------------------

    @classmethod
    def recover(cls, path: str | Path | None = None) -> Self:
        """The workbench as it last was in this notebook, or in another session file: same design, inputs, undo and step.

        Raises:
            SessionError: a file is damaged and there is no earlier one; nothing was deleted.
            CommandError: there is no session to come back to.
        """
        main = Path(path) if path is not None else session.default_path()
        if main is None:
            raise CommandError(catalogue.NO_NOTEBOOK)
        candidates = [each for each in session.earlier(main) if not cls._is_own(each)]
        damaged: list[str] = []
        for candidate in candidates:
            try:
                found = session.read(candidate)
            except SessionError as error:
                damaged.append(str(error))
                continue
            return cls._recovered(found, main, candidate, damaged, path)
        if damaged:
            raise SessionError(" ".join(damaged))
        raise CommandError(catalogue.no_session(str(main)))

    @classmethod
    def _recovered(cls, found: Session, main: Path, read_from: Path, damaged: list[str], path: str | Path | None) -> Self:
        call = "Workbench.recover()" if path is None else f"Workbench.recover({quoted(str(path))})"
        made = cls(study.at_once(found.present), name=found.name, call=call, view=found.view)
        made.edits = found.edits
        made._past, made._future = list(found.past), list(found.future)
        made.selected = found.selected
        made.pictures = {name: dict(chosen) for name, chosen in found.pictures.items()}
        made.calls = list(found.calls) or made.calls
        made._drop_lost_selection()
        cls._make_way(main)
        made.autosave(main, _fresh=read_from != main)
        text = " ".join([catalogue.recovered(found.name, made.simulation.position), *damaged])
        made.status = replace(made.status, text=text, is_error=bool(damaged))
        return made

    def autosave(self, path: str | Path | None = None, *, _fresh: bool = True) -> None:
        """Keep the session in a file from now on; without a path beside the notebook. `recover` comes back to it.

        CommandError if there is no notebook and no path.
        """
        chosen = Path(path) if path is not None else session.default_path()
        if chosen is None:
            raise CommandError(catalogue.NO_NOTEBOOK)
        while (other := self._keepers.get(chosen.resolve())) is not None and other is not self._keeper:
            chosen = _next_name(chosen)
        if self._keeper is not None:
            self._keepers.pop(self._keeper.path.resolve(), None)
        first = self._keeper is None
        self._keeper = self._keepers[chosen.resolve()] = Keeper(chosen, fresh=_fresh)
        if first:
            self.on_change(self._keep_session)

    def _keep_session(self) -> None:
        with self.turn:
            self._keep_now()

    def _keep_now(self) -> None:
        if self._keeper is None or self.player.busy or self.status.is_error:
            return
        problem = self._keeper.problem
        wait = self._keeper.keep(Session(self.name, self._study(), tuple(self._past), tuple(self._future), self.edits,
                                         self.selected, self.view, tuple(self.calls), self.pictures))
        if wait:
            self._keep_later(wait)
        if self._keeper.problem and self._keeper.problem != problem:
            self.status = replace(self.status, text=f"{self.status.text} {self._keeper.problem}", is_error=True)

    def _keep_later(self, seconds: float) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if self._later is not None:
            self._later.cancel()
        self._later = loop.call_later(seconds, self._keep_session)

    @property
    def has_earlier_session(self) -> bool:
        """An earlier run of this notebook left a session that `recover` would come back to."""
        path = session.default_path()
        return path is not None and any(not self._is_own(each) for each in session.earlier(path))

    @classmethod
    def _is_own(cls, path: Path) -> bool:
        """Whether a workbench of this process wrote the file, so that there is nothing to come back to in it."""
        keeper = cls._keepers.get(path.resolve())
        return keeper is not None and not keeper.fresh

    @classmethod
    def _make_way(cls, path: Path) -> None:
        """A workbench that has written nothing leaves the file to the one that goes on with it."""
        keeper = cls._keepers.get(path.resolve())
        if keeper is not None and keeper.fresh:
            del cls._keepers[path.resolve()]
            while keeper.path == path or keeper.path.resolve() in cls._keepers:
                keeper.path = _next_name(keeper.path)
            cls._keepers[keeper.path.resolve()] = keeper


def _next_name(path: Path) -> Path:
    """`.notebook.session.json` -> `.notebook-2.session.json`, and so on: for a further workbench of one notebook."""
    stem, dot, rest = path.name.removeprefix(".").partition(".")
    head, dash, number = stem.rpartition("-")
    further = f"{head}-{int(number) + 1}" if dash and number.isdigit() else f"{stem}-2"
    return path.with_name(("." if path.name.startswith(".") else "") + further + dot + rest)


def _write(path: Path, text: str) -> None:
    try:
        session.replace_file(path, text)
    except OSError as error:
        raise ScenarioError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
