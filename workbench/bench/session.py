"""The session file: what was designed and put in, and where, written after every verb so that a killed kernel loses nothing.

A file is never half written: it is made beside its place and moved there. A file of an earlier run is not overwritten but
numbered and kept, and one that cannot be read is set aside under a name that says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.bench.study import Study
from workbench.explain.wording import name
from workbench.files.writing import move, write_file
from workbench.simulation.scenario import parse_scenario, scenario_to_dict
from workbench.values.errors import FileError, ScenarioError, WorkbenchError

FORMAT = 1
KEPT = 9
"""Earlier sessions of a notebook that are kept."""
NOTEBOOK_VARIABLE = "JPY_SESSION_NAME"
"""Environment variable in which Jupyter tells a kernel the path of its notebook."""
SLOW_SECONDS = 0.05
PAUSE_FACTOR = 20
"""After a save that took longer than that, so many times as long passes before the next one of a mere step."""
MIDWAY_SECONDS = 3.0
"""In the midst of a run the session is saved so often; less often where saving takes long."""


@dataclass(frozen=True, slots=True)
class Session:
    """What is kept.

    Attributes:
        name: of the design.
        present: where somebody was.
        past, future: what undo and redo go to, the nearest last.
        edits: what an edit does in mid-run.
        selected: path of the selected queue.
        view: the preset of the screen.
        pictures: what was chosen for the options of pictures.
        configmap: the text of the ConfigMap that the design came out of, "" if it did not.
        calls: the same in Python.
    """

    name: str
    present: Study
    past: tuple[Study, ...] = ()
    future: tuple[Study, ...] = ()
    edits: str = "rerun"
    selected: str = ""
    view: str = "full"
    calls: tuple[str, ...] = ()
    pictures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    configmap: str = ""


class SessionError(WorkbenchError):
    """A session file that cannot be read. It is kept under the name that the text gives."""


def default_path() -> Path | None:
    """The session file of the notebook that runs here, None where there is no notebook."""
    notebook = os.environ.get(NOTEBOOK_VARIABLE, "")
    if not notebook.endswith(".ipynb"):
        return None
    path = Path(notebook)
    return path.with_name(f".{path.stem}.session.json")


def write(session: Session, path: Path) -> None:
    """Put the session into its file, all of it or nothing."""
    scenarios: list[dict[str, Any]] = []
    places: dict[int, int] = {}

    def packed(study: Study) -> dict[str, object]:
        # Many entries share one scenario, and a big one should be there once.
        if id(study.scenario) not in places:
            plain = scenario_to_dict(study.scenario)
            if plain not in scenarios:
                scenarios.append(plain)
            places[id(study.scenario)] = scenarios.index(plain)
        return {
            "scenario": places[id(study.scenario)],
            "step": study.step,
            "played": study.played,
            "name": study.name,
            "recorded": study.recorded,
            "stays": [list(stay) for stay in study.stays],
            "planned_played": study.planned_played,
        }

    body = {
        "name": session.name,
        "edits": session.edits,
        "selected": session.selected,
        "view": session.view,
        "calls": list(session.calls),
        "pictures": {name: dict(chosen) for name, chosen in session.pictures.items()},
        "configmap": session.configmap,
        "present": packed(session.present),
        "past": [packed(each) for each in session.past],
        "future": [packed(each) for each in session.future],
        "scenarios": scenarios,
    }
    text = json.dumps(body, ensure_ascii=True)
    write_file(path, json.dumps({"workbench-session": FORMAT, "sha256": _digest(text)}) + "\n" + text + "\n")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read(path: Path) -> Session:
    """The session in a file.

    Raises:
        FileNotFoundError: there is none.
        SessionError: it is damaged; it has been renamed, and the error says to what.
    """
    try:
        data = path.read_bytes()
        return _session(data.decode("utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, WorkbenchError) as error:
        aside = _free(path, "damaged")
        try:
            move(path, aside)
        except FileError:
            aside = path
        raise SessionError(session_damaged(path.name, aside.name, f"{type(error).__name__}: {error}")) from None


def _session(text: str) -> Session:
    head, _, rest = text.partition("\n")
    told, body = json.loads(head), rest.removesuffix("\n")
    if told.get("workbench-session") != FORMAT:
        raise ScenarioError(f"format {told.get('workbench-session')!r} is not {FORMAT}")
    if told.get("sha256") != _digest(body):
        raise ScenarioError("its check sum does not match")
    found = json.loads(body)
    scenarios = [parse_scenario(json.dumps(each), "json") for each in found["scenarios"]]

    def study(entry: dict[str, Any]) -> Study:
        step = int(entry["step"])
        return Study(
            scenarios[entry["scenario"]],
            step,
            int(entry["played"]),
            str(entry["name"]),
            # Sessions of earlier versions say no more.
            max(step, int(entry.get("recorded", step))),
            tuple((int(at), int(events), int(cycles)) for at, events, cycles in entry.get("stays", ())),
            int(entry.get("planned_played", 0)),
        )

    return Session(
        name=str(found["name"]),
        present=study(found["present"]),
        past=tuple(map(study, found["past"])),
        future=tuple(map(study, found["future"])),
        edits=str(found["edits"]),
        selected=str(found["selected"]),
        view=str(found["view"]),
        calls=tuple(str(call) for call in found["calls"]),
        # Sessions of earlier versions have none.
        pictures={
            str(name): {str(option): str(value) for option, value in chosen.items()}
            for name, chosen in found.get("pictures", {}).items()
        },
        configmap=str(found.get("configmap", "")),
    )


def earlier(path: Path) -> list[Path]:
    """The session files of a notebook that can be come back to, the latest first."""
    numbered = [path.with_name(f"{path.name}.{number}") for number in range(1, KEPT + 1)]
    return [each for each in (path, *numbered) if each.exists()]


def _free(path: Path, word: str) -> Path:
    number = 1
    while (found := path.with_name(f"{path.name}.{word}-{number}")).exists():
        number += 1
    return found


def set_aside(path: Path) -> None:
    """Number the session file of an earlier run; the oldest of the numbered ones goes."""
    if not path.exists():
        return
    for number in range(KEPT, 1, -1):
        older = path.with_name(f"{path.name}.{number - 1}")
        if older.exists():
            move(older, path.with_name(f"{path.name}.{number}"))
    move(path, path.with_name(f"{path.name}.1"))


class Keeper:
    """Writes one workbench's sessions to one file.

    Attributes:
        path: where to.
        problem: why the last attempt failed, "" when it did not.
        fresh: nothing was written yet; a file that is there is of an earlier run.
    """

    def __init__(self, path: Path, *, fresh: bool = True):
        self.path, self.problem = path, ""
        self.fresh = fresh
        self._last: Session | None = None
        self._not_before = 0.0
        self._midway_since: float | None = None

    @property
    def step(self) -> int | None:
        """The step of the session that was written last; None before the first."""
        return None if self._last is None else self._last.present.step

    def is_due_midway(self) -> bool:
        """Whether a run goes on so long since the last save, or since its first step, that it should be saved. Asked often."""
        now = time.monotonic()
        if self._midway_since is None:
            self._midway_since = now
        if now < max(self._midway_since + MIDWAY_SECONDS, self._not_before):
            return False
        self._midway_since = now
        return True

    def keep(self, session: Session) -> float:
        """Write the session if it differs from the one before. A file of an earlier run is set aside first.

        A disk that is full or gone is no reason to stop anybody's work: it is told in `problem`. Returns 0, or after how many
        seconds to come again, when a mere step follows upon a write that took long.
        """
        self._midway_since = None
        if session == self._last:
            return 0.0
        inputs_same = self._last is not None and session.present.scenario == self._last.present.scenario
        started = time.monotonic()
        if inputs_same and started < self._not_before:
            return self._not_before - started
        try:
            if self.fresh:
                set_aside(self.path)
                self.fresh = False
            write(session, self.path)
            self._last, self.problem = session, ""
        except (OSError, WorkbenchError) as error:
            self.problem = session_not_kept(self.path.name, str(error))
        took = time.monotonic() - started
        self._not_before = time.monotonic() + took * PAUSE_FACTOR if took > SLOW_SECONDS else 0.0
        return 0.0


# ---- in words ---------------------------------------------------------------------------------------------------------


def session_damaged(path: str, aside: str, why: str) -> str:
    return f"The session file {name(path, 120)} is damaged and kept as {name(aside, 120)} ({name(why, 200)})."


def session_not_kept(path: str, why: str) -> str:
    return f"The session could not be kept in {name(path, 120)}: {name(why, 200)}."
