"""Sequences of verbs of a workbench, and a model of the state that each must lead to.

The model knows nothing of journals, scripts and studies. It remembers the digest of every step that was seen, and for the
present, for every undo and for every redo the calls that lead there, without any undo or redo among them. So undo must bring
back what was seen before the verb, and a new workbench that is given those calls must be in the very same state.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench import Workbench
from workbench.bench import session_files
from workbench.bench.session import Packer, Session
from workbench.files.writing import write_file
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Command, UpdateConfig
from workbench.simulation import driver
from workbench.simulation.digest import digest
from workbench.simulation.scenario import AdvanceMs, Planned, Scenario, ScenarioEvent, Schedule
from workbench.simulation.simulation import Simulation
from workbench.values.errors import WorkbenchError
from workbench.values.resources import Resource

CONFIG = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: a
      resources: {guaranteed: {vcore: 2}, max: {vcore: 5}}
    - name: b
      properties: {priority.offset: "3", application.sort.policy: fair, preemption.delay: 1s}
      resources: {guaranteed: {vcore: 2}}
    - name: c
      parent: true
      queues: [{name: d}]
"""
LEAVES = ("root.a", "root.b", "root.c.d")


def _ask(application: str, key: str, cores: int) -> ScenarioEvent:
    return ScenarioEvent(AddAsk(ask=AskSpec(application_id=application, key=key, resource=Resource(vcore=cores * 1000))))


def _application(name: str, queue: str) -> ScenarioEvent:
    return ScenarioEvent(AddApplication(application=ApplicationSpec(id=name, queue=queue, user="ann")))


_NODES = tuple(ScenarioEvent(AddNode(node_id=name, capacity=Resource(vcore=4000))) for name in ("n1", "n2"))
_WORK = (*_NODES, _application("x", "root.a"), _ask("x", "x1", 1), _application("y", "root.b"), _ask("y", "y1", 2))
STARTS = {
    "work": Scenario(name="work", config=CONFIG, events=_WORK),
    "script": Scenario(
        name="script",
        config=CONFIG,
        events=(
            *_WORK,
            ScenarioEvent(Schedule(3)),
            _ask("x", "x2", 1),
            ScenarioEvent(AdvanceMs(700)),
            _ask("y", "y2", 1),
            ScenarioEvent(Schedule(2)),
        ),
        planned=(Planned(500, _ask("x", "x3", 2).command), Planned(2_000, _ask("y", "y3", 1).command)),  # type: ignore[arg-type]
    ),
}

SIZES = ({"vcore": "1"}, {"vcore": "2"}, {"vcore": "3"})
NODES, APPS = ("n1", "n2", "n3", "n4"), ("x", "y", "z")
LATER = (None, None, None, 0.001, 0.05, 0.3, 2.5, 40.0)
"""`at` of an input: None for now, else so many seconds from now."""

VERBS: dict[str, tuple[int, tuple[tuple[Any, ...], ...]]] = {
    "step": (14, ()),
    "cycle": (7, ()),
    "back": (7, ((1, 1, 2, 3),)),
    "goto": (4, ((0, 1, 2, 3, 5, 9),)),
    "reset": (1, ()),
    "run": (3, ((1, 2, 4),)),
    "advance": (5, ((0.001, 0.05, 0.4, 2, 31),)),
    "add_node": (3, (NODES, SIZES, LATER)),
    "remove_node": (3, (NODES, LATER)),
    "drain_node": (1, (NODES, LATER)),
    "undrain_node": (1, (NODES, LATER)),
    "add_app": (2, (APPS, (*LEAVES, "root.gone"), LATER)),
    "add_request": (8, (APPS, tuple(f"k{number}" for number in range(6)), SIZES, (0, 0, 5, -2), LEAVES, LATER)),
    "add_gang": (2, (("g", "h"), LEAVES, (2, 3), ({"vcore": "1"}, {"vcore": "2"}), ("Soft", "Hard"), LATER)),
    "finish": (3, (APPS, ("", "k0", "k1", "k2", "x1", "y1"), LATER)),
    "remove_app": (1, (APPS, LATER)),
    "remove_input": (2, ((1, 2, 3, 4),)),
    "set": (
        7,
        (
            (
                ("root.a", "priority.offset", "5"),
                ("root.a", "priority.offset", None),
                ("root.a", "resources.max", {"vcore": "2"}),
                ("root.a", "resources.max", {"vcore": "9"}),
                ("root.b", "priority.policy", "fence"),
                ("root.b", "application.sort.policy", "fifo"),
                ("root.c", "priority.offset", "9"),
                ("root.b", "priority.offset", "many"),
                ("partition", "nodesortpolicy.type", "binpacking"),
            ),
        ),
    ),
    "add_queue": (1, (("root", "root.c"), ("e", "f"))),
    "delete_queue": (1, (("root.c.d", "root.c.e", "root.e", "root.b"),)),
    "edit_mode": (2, (("rerun", "reload"),)),
    "release": (1, (("1.8", "1.9", "1.4"),)),
    "load": (1, (("work", "script"),)),
    "undo": (9, ()),
    "redo": (5, ()),
    "look": (2, ()),
    "recover": (2, ()),
    "save": (2, ()),
}
"""Verb -> how often it comes, and what each of its arguments is chosen from."""

LATER_AT = {name: len(choices) - 1 for name, (_, choices) in VERBS.items() if choices and choices[-1] is LATER}
ALWAYS_AN_ENTRY = {"advance", "add_queue", "delete_queue", "remove_input", "load", *LATER_AT}

EDITS = {"set", "add_queue", "delete_queue"}

Call = tuple[str, tuple[Any, ...]]
AT_STEP = "at step"


def scenario_file(name: str) -> Path:
    """One of the starts as a file, for `load`."""
    from workbench.simulation.scenario import scenario_to_json

    path = Path(tempfile.gettempdir()) / f"workbench-verbs-{name}.json"
    path.write_text(scenario_to_json(STARTS[name]), encoding="utf-8")
    return path


def carry_out(bench: Workbench, call: Call) -> None:
    """One call on a workbench."""
    name, arguments = call
    if name == AT_STEP:
        _go_as_far_as(bench.simulation, arguments[0])
    elif name == "finish":
        bench.finish(arguments[0], _key(arguments[0], arguments[1]), at=arguments[2])
    elif name == "add_request":
        app, key, size, priority, queue, at = arguments
        bench.add_request(app, _key(app, key), size, priority=priority, queue=queue, user="ann", at=at)
    elif name == "add_gang":
        app, queue, members, size, style, at = arguments
        bench.add_gang(app, queue, members, size, gang_style=style, at=at)
    elif name in LATER_AT:
        getattr(bench, name)(*arguments[:-1], at=arguments[-1])
    elif name == "set":
        bench.set(*arguments[0])
    elif name == "load":
        bench.load(scenario_file(arguments[0]))
    else:
        getattr(bench, name)(*arguments)


def _key(application: str, key: str) -> str:
    """A key of the application's own: like the core, nodes know allocations by key alone."""
    return f"{application}-{key}" if key.startswith("k") else key


def _go_as_far_as(simulation: Simulation, step: int) -> None:
    """To that step, or to the last one that there is."""
    simulation.goto(min(step, simulation.recorded))
    while simulation.position < step and simulation.preview().changed_something:
        simulation.step()


@dataclass(frozen=True)
class Moment:
    """What is known of a state: the calls that lead there, the digests of the steps seen, and what it was asked to do."""

    calls: tuple[Call, ...] = ()
    seen: dict[int, str] = field(default_factory=dict)
    name: str = ""
    inputs: tuple[Command, ...] = ()


class Wrong(AssertionError):
    """A state that is not what it should be."""


class Play:
    """A workbench, and the model beside it. `do` carries out a verb and compares.

    `chance`: which verbs are looked at closely, one in `every`. The others are compared by what is known at once; what they break
    is there at the next close look, at the end at the latest. Without it each verb is looked at closely.
    """

    def __init__(self, start: str, chance: random.Random | None = None, every: int = 1):
        self.start, self.chance, self.every = start, chance, every
        self.digest = ""
        """Of the present state, "" where it has not been made."""
        self.bench = Workbench.from_scenario(STARTS[start])
        self.made: list[Call] = []
        self.past: list[Moment] = []
        self.future: list[Moment] = []
        self.now = Moment(name=self.bench.name, inputs=_inputs(self.bench.simulation))
        self._see()

    def _now_and_then(self) -> bool:
        return self.chance is None or not self.chance.randrange(self.every)

    # ---- one verb ------------------------------------------------------------------------------------------------

    def do(self, name: str, arguments: tuple[Any, ...]) -> None:
        bench, simulation = self.bench, self.bench.simulation
        call = (name, self._concrete(name, arguments))
        self.made.append(call)
        if name in ("look", "recover", "save"):
            {"look": self._look, "recover": self._recover, "save": self._save}[name]()
            return
        if name in ("undo", "redo"):
            self._return(name)
            return
        closely = self._now_and_then()
        if closely and not self.digest:
            self.digest = simulation.digest()
        everything = _everything if closely else _at_once
        before = everything(bench, self.digest)
        config, release, digest_before = bench.config, simulation.release, self.digest
        position, happened = simulation.position, _happened(simulation)
        try:
            carry_out(bench, call)
        except WorkbenchError:
            self._same(everything(bench), before, "a refused verb changed something")
            return
        simulation = bench.simulation
        entry = name in ALWAYS_AN_ENTRY
        entry = entry or (name == "set" and bench.config != config) or (name == "release" and simulation.release != release)
        moment, here = self.now, bench.simulation.position
        if entry:
            self.past, self.future = [*self.past, moment], []
        seen = dict(moment.seen)
        if name in ("load", "release") or (name in EDITS and entry and bench.edits == "rerun"):
            seen = {}
        elif entry or (name == "cycle"):
            seen = {step: known for step, known in seen.items() if step < here}
        elif (name == "step" and here == position) or (name == "run" and here - position < call[1][0]):
            seen.pop(here, None)  # nothing more to place: the rest of the script, if any, was played
        self.now = Moment((*moment.calls, call), seen, bench.name, moment.inputs)
        if name in LATER_AT and not call[1][-1]:
            self._same(len(_happened(simulation)) > len(happened), True, "an input did not happen at once")
            if closely:
                more = _counted(happened) - _counted(_happened(simulation))
                self._same(more, Counter(), "what had happened has not happened any more")
        if not entry and name != "load":
            self._same_inputs(moment.inputs)
        self.now = replace(self.now, inputs=_inputs(simulation))
        if entry and name in LATER_AT and closely:
            self._same(_counted(moment.inputs) - _counted(self.now.inputs), Counter(), "an input was lost")
        self._see(closely)
        if name == "edit_mode" and closely:
            self._same(self.digest, digest_before, "choosing a mode changed something")

    def _concrete(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with absolute times, and inputs by their number."""
        simulation = self.bench.simulation
        if name in LATER_AT and arguments[-1] is not None:
            return (*arguments[:-1], round(simulation.now_ns / 1e9 + arguments[-1], 3))
        if name == "remove_input":
            return (len(simulation.inputs) + simulation.planned_played + arguments[0],)
        return arguments

    def _see(self, closely: bool = True) -> None:
        """The present state is what was seen at this step before, and what its own script leads to."""
        self.digest = ""
        if not closely:
            return
        simulation = self.bench.simulation
        now = simulation.digest()
        self._same(now, self.now.seen.setdefault(simulation.position, now), f"step {simulation.position} is not what it was")
        self._same(invariants.check(simulation.state), [], "the state contradicts itself")
        if self._now_and_then():
            self._same(replayed_script(simulation), now, "the script leads to another state")
        self.digest = now

    # ---- undo and redo -------------------------------------------------------------------------------------------

    def _return(self, name: str) -> None:
        bench = self.bench
        there, back = (self.past, self.future) if name == "undo" else (self.future, self.past)
        self._same(bench.can_undo if name == "undo" else bench.can_redo, bool(there), f"whether one can {name}")
        if not there:
            return
        position, wanted = bench.simulation.position, there.pop()
        carry_out(bench, (name, ()))
        back.append(self.now)
        calls = wanted.calls if wanted.name != self.now.name else (*wanted.calls, (AT_STEP, (position,)))
        calls = (*calls, ("edit_mode", (bench.edits,)))  # undo leaves the switch as it is
        self.now = Moment(calls, dict(wanted.seen), wanted.name, wanted.inputs)
        self._see(self._now_and_then())
        self._same_inputs(wanted.inputs)
        if self._now_and_then():
            self.same_from_scratch()

    # ---- the promises --------------------------------------------------------------------------------------------

    def same_from_scratch(self) -> None:
        """A new workbench that is given the calls is in the same state, at this step and at every other."""
        fresh = Workbench.from_scenario(STARTS[self.start])
        for call in self.now.calls:
            carry_out(fresh, call)
        self._same(fresh.simulation.position, self.bench.simulation.position, "the same calls lead to another step")
        self._same(fresh.simulation.digest(), self.bench.simulation.digest(), "the same calls lead to another state")
        theirs, mine = _counted(_inputs(fresh.simulation)), _counted(_inputs(self.bench.simulation))
        self._same(theirs, mine, "the same calls lead to other inputs")

    def _same_inputs(self, wanted: tuple[Command, ...]) -> None:
        now = _inputs(self.bench.simulation)
        if now != wanted:
            self._same(_counted(now), _counted(wanted), "inputs came or went")

    def _look(self) -> None:
        before, bench = _everything(self.bench, self.digest), self.bench
        simulation = bench.simulation
        simulation.preview()
        for item in simulation.waiting()[:2]:
            bench.why_not_sentences(item)
        if simulation.recorded:
            simulation.explain(1)
            simulation.explain(simulation.recorded)
        simulation.ahead(3)
        list(simulation.passing())
        str(bench.table("pending"))
        self._same(_everything(bench), before, "looking changed something")

    def _recover(self) -> None:
        """What a session keeps is everything, undo and redo included."""
        bench = self.bench
        kept = Session(bench.name, bench.study(), tuple(bench.past), tuple(bench.future), bench.edits)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "verbs.session.json"
            written = Packer().whole(kept, path.name).text
            write_file(path, written)
            found = session_files.read(path)
            self._same(Packer().whole(found, path.name).text, written, "the session reads back differently")
            again = Workbench.recover(path)
            assert again.keeper is not None
            again.keeper.leave()
        self._same(again.simulation.recorded, bench.simulation.recorded, "a recovered session has other steps")
        steps = self._some_steps()
        mine, theirs = _digests(bench.simulation, steps), _digests(again.simulation, steps)
        self._same(theirs, mine, "a recovered session is in another state")
        again.keeper = None
        if again.can_undo:
            again.undo()
            present = bench.simulation.position
            wanted = self.past[-1]
            if again.simulation.position in wanted.seen and wanted.name == bench.name and again.simulation.position == present:
                self._same(again.simulation.digest(), wanted.seen[present], "undo after a recovery leads elsewhere")
        self._see()

    def _save(self) -> None:
        """A saved scenario, opened and played up to the same input, is in the same state, unless stepping went further."""
        bench = self.bench
        simulation = bench.simulation
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "verbs.yaml"
            calls = list(bench.calls)
            try:
                bench.save(path)
            except WorkbenchError as error:
                raise Wrong(f"cannot be saved: {error}") from error
            self._same(bench.calls, calls, "saving is a call")
            opened = Workbench.open(path)
            again = Path(folder) / "again" / "verbs.yaml"
            again.parent.mkdir()
            opened.save(again)
            self._same(again.read_text("utf-8"), path.read_text("utf-8"), "saved again it is another scenario")
        other = opened.simulation
        self._same(other.planned, simulation.planned, "planned inputs are saved differently")
        if simulation.played <= len(simulation.inputs):
            engine, place = Engine(other.config, release=other.release), driver.START
            driver.begin(engine)
            goal = simulation._place
            while (place.event, place.cycle) < (goal.event, goal.cycle) or place.planned < goal.planned:
                _, place = driver.step(engine, other._script, place)
            self._same(digest(engine.state), simulation.digest(), "the saved scenario leads to another state")
        self._see()

    def finish(self) -> None:
        """What is checked once, at the end; what costs more than the verbs did, only where every verb is looked at."""
        self.same_from_scratch()
        if self.chance is None:
            self._look()
            self._save()
            self._recover()
        mine = _digests(self.bench.simulation, range(self.bench.simulation.recorded + 1))
        for step, known in mine.items():
            self._same(self.now.seen.get(step, known), known, f"step {step} is not what it was")

    def _some_steps(self) -> list[int]:
        """Recorded steps to look at: all, or the present one and another."""
        simulation = self.bench.simulation
        if self.chance is None:
            return list(range(simulation.recorded + 1))
        return sorted({simulation.position, self.chance.randint(0, simulation.recorded)})

    def _same(self, found: Any, expected: Any, what: str) -> None:
        if found != expected:
            raise Wrong(f"{what}: {found!r} instead of {expected!r}\nafter {self.start}: {self.made}"[:20_000])


def replayed_script(simulation: Simulation) -> str:
    """The digest that a new engine comes to by what the simulation says has happened."""
    engine, place, goal = Engine(simulation.config, release=simulation.release), driver.START, simulation._place
    driver.begin(engine)
    while (place.event, place.cycle, place.planned) != (goal.event, goal.cycle, goal.planned):
        if (place.event, place.cycle) > (goal.event, goal.cycle):
            raise Wrong(f"the script never comes to {goal}")
        _, place = driver.step(engine, simulation._script, place)
    return digest(engine.state)


def _digests(simulation: Simulation, steps: Iterable[int]) -> dict[int, str]:
    """Of these recorded steps."""
    position = simulation.position
    found = {}
    for step in steps:
        simulation.goto(step)
        found[step] = simulation.digest()
    simulation.goto(position)
    return found


def _inputs(simulation: Simulation) -> tuple[Command, ...]:
    """Everything that was put in, happened or not."""
    return _without_time(simulation.inputs, simulation.planned)


def _happened(simulation: Simulation) -> tuple[Command, ...]:
    return _without_time(simulation.inputs[: simulation.played], simulation.planned[: simulation.planned_played])


def _without_time(events: Iterable[ScenarioEvent], planned: Iterable[Planned]) -> tuple[Command, ...]:
    commands = (*(event.command for event in events), *(each.command for each in planned))
    return tuple(each for each in commands if not isinstance(each, Schedule | AdvanceMs | UpdateConfig))


def _counted(commands: Iterable[Command]) -> Counter[str]:
    return Counter(map(repr, commands))


def _at_once(bench: Workbench, known: str = "") -> tuple[Any, ...]:
    """What of that which nothing may change is known without looking far."""
    simulation = bench.simulation
    return (
        simulation.position,
        simulation.recorded,
        simulation.now_ns,
        simulation.state.next_seq,
        simulation.inputs,
        simulation.planned,
        simulation.planned_played,
        simulation.played,
        len(simulation.said),
        len(bench.past),
        len(bench.future),
        bench.name,
        tuple(bench.calls),
    )


def _everything(bench: Workbench, known: str = "") -> tuple[Any, ...]:
    """What nothing may change; `known` is the digest where it was just made."""
    simulation = bench.simulation
    return (
        known or simulation.digest(),
        simulation.position,
        simulation.recorded,
        simulation.inputs,
        simulation.planned,
        simulation.planned_played,
        simulation.played,
        len(simulation.said),
        str(bench.to_yaml()),
        bench.can_undo,
        bench.can_redo,
        bench.name,
        tuple(bench.calls),
    )
