"""The session as a file: what was designed and put in, and where, so that a killed kernel loses nothing.

The first line says which format follows and gives the check sum of the second, which holds all of the session. Every further
line is a move: it says where somebody was after that, among the same inputs, and what was chosen. Adding a line is quick, however
much has been put in. Each line carries the check sum of itself and of all before it, so that the half of a line that a full disk or
a kill leaves is known, and what was before it holds.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.bench.session_designs import DesignPacker, with_designs, without_designs
from workbench.bench.session_designs import unpacked as unpacked_designs
from workbench.bench.study import Study
from workbench.simulation.scenario import Scenario, parse_scenario, scenario_to_dict
from workbench.values.errors import ScenarioError, WorkbenchError

FORMAT = 3
READ_AS_WELL = (1, 2)
"""Earlier formats, which can be read: the first knew no moves, and both held the text of every design in its scenario."""


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


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds so far.

    Attributes:
        session: what reading it gives.
        text: the whole file, or the line that was added last.
        digest: check sum of its last line.
    """

    session: Session
    text: str
    digest: str


class Packer:
    """Makes texts of sessions. What several of them share is made a text, and tried out, only once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Scenario, str, set[str]]] = {}
        """By identity, which holds as long as the scenario is kept here: its text without designs, and the keys of these."""
        self._designs = DesignPacker()
        self._read_back: set[str] = set()
        """Check sums of scenarios that were read back."""

    def whole(self, session: Session, of: str) -> Written:
        """The file for a session of the notebook whose first session file has the name `of`.

        ScenarioError if a scenario of it cannot be read back as it was written.
        """
        studies = (session.present, *session.past, *session.future)
        # Many entries share one scenario, and a big one should be there once.
        self._texts = {id(each.scenario): (each.scenario, *self._text(each.scenario)) for each in studies}
        places: dict[str, int] = {}
        used: set[str] = set()
        for scenario, text, keys in self._texts.values():
            places.setdefault(text, len(places))
            used |= {*keys, self._designs.key(scenario.config)}
        try:
            self._try_out(places)
        except WorkbenchError:
            self._texts = {}
            raise

        def packed(study: Study) -> dict[str, Any]:
            return _packed(study, places[self._texts[id(study.scenario)][1]], self._designs.key(study.scenario.config))

        body = _chosen(session) | {
            "configmap": session.configmap,
            "calls": list(session.calls),
            "designs": self._designs.packed(used),
            "present": packed(session.present),
            "past": [packed(each) for each in session.past],
            "future": [packed(each) for each in session.future],
        }
        line = f'{json.dumps(body)[:-1]}, "scenarios": [{", ".join(places)}]}}'
        digest = _digest(line)
        head = json.dumps({"workbench-session": FORMAT, "sha256": digest, "of": of})
        return Written(session, f"{head}\n{line}\n", digest)

    def _text(self, scenario: Scenario) -> tuple[str, set[str]]:
        known = self._texts.get(id(scenario))
        if known is not None:
            return known[1:]
        bare, keys = without_designs(scenario, self._designs)
        return json.dumps(scenario_to_dict(bare)), keys

    def _try_out(self, texts: Mapping[str, int]) -> None:
        digests = {_digest(text): text for text in texts}
        for digest, text in digests.items():
            if digest not in self._read_back and scenario_to_dict(parse_scenario(text, "json")) != json.loads(text):
                raise ScenarioError("what was put in reads otherwise than it was written")
        self._read_back = set(digests)


def moved(before: Written, session: Session) -> Written | None:
    """The line to add for a session that differs only in place and choices from what was written; None if more has changed."""
    old = before.session
    # A verb adds a call, or replaces the last one.
    kept = next((number for number in (len(old.calls), len(old.calls) - 1) if session.calls[:number] == old.calls[:number]), None)
    shared = (old.past, old.future, old.configmap) == (session.past, session.future, session.configmap)
    if not shared or old.present.scenario != session.present.scenario or kept is None:
        return None
    present = replace(session.present, scenario=old.present.scenario)
    told, known = _packed(present, 0, ""), _packed(old.present, 0, "")
    move = _chosen(session) | {
        "calls": [kept, list(session.calls[kept:])],
        "present": {key: value for key, value in told.items() if value != known[key]},
    }
    line = json.dumps(move)
    digest = _digest(f"{before.digest}\n{line}")
    return Written(replace(session, present=present), f"{digest} {line}\n", digest)


def unpacked(data: bytes) -> Session:
    """The session that a file holds; what follows upon its last whole line is left out.

    Raises:
        ScenarioError, ValueError, LookupError, TypeError, AttributeError, OverflowError: the first two lines are damaged.
    """
    head, _, rest = data.partition(b"\n")
    first, _, moves = rest.partition(b"\n")
    told, body = json.loads(head.decode("utf-8")), first.decode("utf-8")
    if told.get("workbench-session") not in (FORMAT, *READ_AS_WELL):
        raise ScenarioError(f"format {told.get('workbench-session')!r} is not {FORMAT}")
    if told.get("sha256") != _digest(body):
        raise ScenarioError("its check sum does not match")
    found = json.loads(body)
    last = _digest(body)
    for each in moves.decode("utf-8", "replace").split("\n"):
        digest, _, line = each.partition(" ")
        if digest != _digest(f"{last}\n{line}"):
            break
        last, move = digest, json.loads(line)
        kept, calls = move.pop("calls")
        present = found["present"] | move.pop("present")
        found |= move | {"calls": found["calls"][:kept] + calls, "present": present}
    return _session(found)


def glimpsed(data: bytes) -> tuple[str, int] | None:
    """The name of the design and the step of a session file, without its check sums and without making anything of it."""
    _, _, rest = data.partition(b"\n")
    first, _, moves = rest.partition(b"\n")
    try:
        found = json.loads(first)
        name, step = str(found["name"]), int(found["present"]["step"])
        for line in moves.split(b"\n"):
            if b" " in line:
                move = json.loads(line.partition(b" ")[2])
                name, step = str(move.get("name", name)), int(move.get("present", {}).get("step", step))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return name, step


def notebook_of(head: bytes) -> str | None:
    """The first session file of the notebook that a file is of, by its first line; None where that does not say."""
    try:
        found = json.loads(head)["of"]
    except (ValueError, LookupError, TypeError):
        return None
    return found if isinstance(found, str) else None


def _session(found: Mapping[str, Any]) -> Session:
    scenarios = [parse_scenario(json.dumps(each), "json") for each in found["scenarios"]]
    # Sessions of earlier versions have the designs in their scenarios.
    designs = unpacked_designs(found["designs"]) if "designs" in found else None
    whole: dict[tuple[int, str], Scenario] = {}

    def scenario(entry: Mapping[str, Any]) -> Scenario:
        number = entry["scenario"]
        if designs is None:
            bare: Scenario = scenarios[number]
            return bare
        key = number, entry["design"]
        if key not in whole:
            whole[key] = with_designs(scenarios[number], designs[entry["design"]], designs)
        return whole[key]

    def study(entry: Mapping[str, Any]) -> Study:
        step = int(entry["step"])
        return Study(
            scenario(entry),
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
        # Those of earlier versions named the workbench wb, which now is the module.
        calls=tuple(re.sub(r"^wb(?=[. ])", "bench", str(call)) for call in found["calls"]),
        # Sessions of earlier versions have none.
        pictures={
            str(name): {str(option): str(value) for option, value in chosen.items()}
            for name, chosen in found.get("pictures", {}).items()
        },
        configmap=str(found.get("configmap", "")),
    )


def _packed(study: Study, scenario: int, design: str) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "design": design,
        "step": study.step,
        "played": study.played,
        "name": study.name,
        "recorded": study.recorded,
        "stays": [list(stay) for stay in study.stays],
        "planned_played": study.planned_played,
    }


def _chosen(session: Session) -> dict[str, Any]:
    return {
        "name": session.name,
        "edits": session.edits,
        "selected": session.selected,
        "view": session.view,
        "pictures": {name: dict(chosen) for name, chosen in session.pictures.items()},
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
