"""In and out: configurations and scenarios as files and texts, the session that survives a kernel, and the report."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from workbench.bench import session, study
from workbench.bench.controller import Text, call_of, quoted
from workbench.bench.session import Keeper, Session, SessionError
from workbench.bench.verbs.edits import Edits
from workbench.config import load_config
from workbench.config.write.export import from_configmap, to_configmap, to_yaml
from workbench.explain import catalogue
from workbench.simulation.scenario import scenario_to_json, scenario_to_yaml
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError, ScenarioError


class Files(Edits):
    """Verbs that read and write files.

    Attributes:
        offers_resume: an earlier run of this notebook left a session, and nobody has said yet what to do about it.
    """

    offers_resume = False

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
        from workbench.bench.report import report_html

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
        found, read_from, damaged = cls._earlier(main)
        call = "Workbench.recover()" if path is None else f"Workbench.recover({quoted(str(path))})"
        made = cls(study.at_once(found.present), name=found.name, call=call)
        text = made._go_on(found, made.simulation, main, read_from, damaged)
        made.status = replace(made.status, text=text, is_error=bool(damaged))
        return made

    def resume(self) -> None:
        """Continue, on this very screen, where an earlier run of this notebook was: what `recover` does for a new workbench.

        What was done here since is kept as one more earlier session. Raises as `recover` does.
        """
        with self._verb("wb.resume()", silent=True) as say:
            main = session.default_path()
            if main is None:
                raise CommandError(catalogue.NO_NOTEBOOK)
            found, read_from, damaged = self._earlier(main)
            say(self._go_on(found, study.at_once(found.present), main, read_from, damaged))

    @classmethod
    def _earlier(cls, main: Path) -> tuple[Session, Path, list[str]]:
        """The latest session of an earlier run that can be read, where it was, and what was damaged on the way."""
        damaged: list[str] = []
        for candidate in [each for each in session.earlier(main) if not cls._is_own(each)]:
            try:
                return session.read(candidate), candidate, damaged
            except SessionError as error:
                damaged.append(str(error))
        if damaged:
            raise SessionError(" ".join(damaged))
        raise CommandError(catalogue.no_session(str(main)))

    def _go_on(self, found: Session, simulation: Simulation, main: Path, read_from: Path, damaged: list[str]) -> str:
        """Be where the session was, and keep it from now on. What to say about it."""
        self.simulation, self.name, self.view = simulation, found.name, found.view
        self._forget_edits()
        self._forget_predictions()
        self._turns = self._tried = None
        self.edits = found.edits
        self._past, self._future = list(found.past), list(found.future)
        self.selected, self.selected_request = found.selected, None
        self.pictures = {name: dict(chosen) for name, chosen in found.pictures.items()}
        self.calls = list(found.calls) or self.calls
        self._drop_lost_selection()
        self.offers_resume = False
        if self._keepers.get(main.resolve()) is not self._keeper:
            self._make_way(main)
        self.autosave(main, _fresh=read_from != main)
        return " ".join([catalogue.recovered(found.name, simulation.position), *damaged])

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
            self.on_pulse(self._keep_midway)

    def _keep_session(self) -> None:
        with self.turn:
            self._keep_now()

    def _keep_now(self) -> None:
        if self._keeper is None or self.player.busy or self.status.is_error:
            return
        problem = self._keeper.problem
        wait = self._keeper.keep(self._session(tuple(self.calls)))
        if wait:
            self._keep_later(wait)
        if self._keeper.problem and self._keeper.problem != problem:
            self.status = replace(self.status, text=f"{self.status.text} {self._keeper.problem}", is_error=True)

    def _keep_midway(self) -> None:
        """A long verb goes on: what it has come to is kept now and then, so that a kernel killed meanwhile loses little.

        The clock on the wall decides when, never what: between two steps the state is whole.
        """
        if self._keeper is not None and self._keeper.is_due_midway():
            position = self.simulation.position
            here = () if position == self._keeper.step else (call_of("goto", position),)
            self._keeper.keep(self._session((*self.calls, *here)))

    def _session(self, calls: tuple[str, ...]) -> Session:
        return Session(
            self.name,
            self._study(),
            tuple(self._past),
            tuple(self._future),
            self.edits,
            self.selected,
            self.view,
            calls,
            self.pictures,
        )

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
