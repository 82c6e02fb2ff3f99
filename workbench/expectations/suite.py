"""A file of expectations: the design, what it is judged with, and what is expected. EX-1

    design: queues.yaml
    workloads: {monday: monday.swf, burst: {preset: training-and-inference, load: 1.2, seeds: 5}}
    nodes: 20 x vcore=8,memory=32Gi       # in place of those of the workloads; until, warm_up, seeds, rate and release likewise
    expect:
      - {name: production starts quickly, measure: wait.p95, of: root.prod, at_most: 5m}
      - {name: nobody is stopped in prod, measure: preempted, of: root.prod, equals: 0}
      - {name: guarantee of team a, measure: time_to_guarantee.max, of: root.teams.a, at_most: 2m, workload: burst}
      - {name: the fence holds, never: {placed: root.tenants, while_waiting: root.system}}
      - {name: urgent before nightly, order: [urgent, nightly], scenario: fence.yaml}
      - {name: not worse than today, measure: utilization.cpu, compared_to: production.yaml, at_least: -2%}
      - {no_findings: [L-10, L-31]}

Names of files are relative to the file. An expectation is judged with every workload, unless it names one (`workload: burst`) or
several (`workload: [monday, burst]`), or a `scenario`, whose inputs are then played under the design. Without a design
the scenarios bring their own. Everything that is wrong is told with its line. EX-4
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.expectations import kinds
from workbench.expectations.arrivals import Arrivals, Frame, read_arrivals, read_frame
from workbench.expectations.kinds.registry import KINDS, Check, Kind
from workbench.explain.wording import name as shown
from workbench.files.reading import read_text
from workbench.runs.simulate import design_of
from workbench.scheduler.releases.profiles import PROFILES, release_names
from workbench.simulation.scenario import Scenario, all_example_names, example, load_scenario
from workbench.simulation.scenario.document import Cursor
from workbench.simulation.scenario.document import read as read_document
from workbench.values.errors import CommandError, ScenarioError, WorkbenchError
from workbench.values.found import found
from workbench.workloads import Seeded, Workload

__all__ = ["Expectation", "Suite", "kinds", "load_suite", "parse_suite"]

FRAME = ("nodes", "until", "warm_up", "seeds")
TOP = ("name", "description", "design", "workload", "workloads", *FRAME, "release", "rate", "expect")
COMMON = ("name", "workload", "scenario")
HINT = "a file of expectations has design, workloads and expect"
UNNAMED = "workload"
"""What the workload is called where there is only one, under the key `workload`."""


@dataclass(frozen=True)
class Expectation:
    """One expectation.

    Attributes:
        name: unique in its file; what is expected, where it has none.
        kind: the key of its kind.
        check: what judges it.
        workloads: names of those that it is judged with.
        explicit: it names them itself.
        scenario: that it is judged with; None for none.
        scenario_name: what that is called.
        line: in the file; None where it is not known.
    """

    name: str
    kind: str
    check: Check
    workloads: tuple[str, ...] = ()
    explicit: bool = False
    scenario: Scenario | None = None
    scenario_name: str = ""
    line: int | None = None
    place: Cursor | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Suite:
    """A file of expectations, read.

    Attributes:
        name: of the file, or what it calls itself.
        source: the file; None if it was handed over as such.
        config: the design that is tested; None if every scenario brings its own.
        arrivals: the workloads by name.
        expectations: what is expected, in its order.
        release, rate: as in `simulate`.
    """

    name: str
    source: Path | None
    config: SchedulerConfig | None
    arrivals: Mapping[str, Arrivals]
    expectations: tuple[Expectation, ...]
    release: str | None = None
    rate: float | None = None

    def chosen(self, only: tuple[str, ...]) -> tuple[Expectation, ...]:
        """Those of these names; all without any.

        Raises:
            CommandError: there is none of a name.
        """
        names = [each.name for each in self.expectations]
        for wanted in only:
            if wanted not in names:
                raise CommandError(f"{shown(self.name)}: {no_such(wanted, names)}")
        return tuple(each for each in self.expectations if not only or each.name in only)


def no_such(wanted: str, names: list[str]) -> str:
    """That there is no expectation of a name, and which there are."""
    near = get_close_matches(wanted, names, n=1)
    listed = ", ".join(shown(each) for each in names)
    return f"there is no expectation {shown(wanted)}; " + (f"did you mean {shown(near[0])}?" if near else f"there are {listed}")


def load_suite(path: str | os.PathLike[str], *, design: Any = None) -> Suite:
    """The expectations in a file; `design` in place of the one that it names.

    Raises:
        ScenarioError: with the line of what is wrong in it.
        ConfigError: the design that was handed over is not valid.
    """
    path = Path(path)
    return parse_suite(read_text(path, error=ScenarioError), source=str(path), folder=path.parent, design=design)


def parse_suite(
    given: str | Mapping[str, Any], *, source: str | None = None, folder: str | os.PathLike[str] = ".", design: Any = None
) -> Suite:
    """The expectations in a text, or in plain values; those may hold designs, workloads and scenarios themselves.

    Args:
        given: the text of a file, or the same as mappings and lists.
        source: name of the file, for messages.
        folder: that names of files are relative to.
        design: in place of the one that is named.

    Raises:
        ScenarioError: with the place of what is wrong.
    """
    if isinstance(given, str):
        if not given.strip():
            raise ScenarioError("the text is empty", source=source, hint=HINT)
        top = read_document(given, source=source)
    else:
        top = Cursor(_as_plain(given), source=source)
    return _Reader(top, source, Path(folder), design).suite()


def _as_plain(value: Any) -> Any:
    """Mappings and sequences of any type as dicts and lists, as a document has them."""
    if isinstance(value, Mapping):
        return {str(key): _as_plain(each) for key, each in value.items()}
    return [_as_plain(each) for each in value] if isinstance(value, list | tuple) else value


class _Reader:
    """Reads one file. It is the `Place` of its expectations."""

    def __init__(self, top: Cursor, source: str | None, folder: Path, design: Any):
        self._top, self._source, self._folder = top, source, folder
        self.given = top.fields(*TOP)
        self.config: SchedulerConfig | None = None
        self._designs: dict[str, SchedulerConfig] = {}
        if design is not None:
            self.config = design_of(design)
        elif "design" in self.given:
            self.config = self.other(self.given["design"])

    def suite(self) -> Suite:
        given = self.given
        if "expect" not in given:
            raise self._top.fault("the key expect is missing", HINT)
        if "workload" in given and "workloads" in given:
            raise given["workload"].fault("stands beside workloads", "put it there, with a name")
        frame = read_frame(given)
        release = given["release"].name() if "release" in given else None
        if release is not None and release not in PROFILES:
            raise given["release"].fault(f"there is no release {shown(release)}", f"there are {release_names()}")
        arrivals = self._arrivals(frame)
        expectations = tuple(self._expectation(each, tuple(arrivals)) for each in given["expect"].items())
        if not expectations:
            raise given["expect"].fault("is empty, so that nothing is expected", "such as - {measure: wait.p95, at_most: 5m}")
        self._refuse_twice(expectations)
        name = given["name"].name() if "name" in given else Path(self._source).name if self._source else "expectations"
        source = Path(self._source) if self._source else None
        return Suite(name, source, self.config, arrivals, expectations, release, self._rate())

    def other(self, at: Cursor) -> SchedulerConfig:
        """A design: the name of a file, or in Python a text or a configuration."""
        value: Any = at.value
        if isinstance(value, SchedulerConfig):
            return value
        if isinstance(value, Path):
            value = str(value)
        elif not isinstance(value, str):
            raise at.fault(f"must be the name of a file, found {found(value)}", "such as queues.yaml")
        if value not in self._designs:  # a design that several are compared with is one design, and has its runs once
            try:
                self._designs[value] = design_of(value if "\n" in value else self._folder / value)
            except WorkbenchError as error:
                raise at.fault(str(error)) from None
        return self._designs[value]

    def is_design(self, at: Cursor) -> bool:
        """Whether the value of a key names the very design of the file."""
        own, value = self.given["design"].value if "design" in self.given else None, at.value
        if isinstance(own, str) and isinstance(value, str) and "\n" not in own + value:
            return os.path.normpath(self._folder / own) == os.path.normpath(self._folder / value)
        return own is not None and (own is value or own == value)

    def _arrivals(self, frame: Frame) -> dict[str, Arrivals]:
        if "workload" in self.given:
            return {UNNAMED: read_arrivals(UNNAMED, self.given["workload"], self._folder, frame)}
        if "workloads" not in self.given:
            return {}
        at = self.given["workloads"]
        if not isinstance(at.value, dict):
            raise at.fault(f"must be a mapping of names to workloads, found {found(at.value)}", "such as {monday: monday.swf}")
        return {key: read_arrivals(key, each, self._folder, frame) for key, each in at.mapping().items()}

    def _rate(self) -> float | None:
        at = self.given.get("rate")
        if at is None:
            return None
        if isinstance(at.value, bool) or not isinstance(at.value, int | float) or not 0 < at.value < float("inf"):
            raise at.fault(f"must be a number of placements a second above 0, found {found(at.value)}")
        return float(at.value)

    def _expectation(self, at: Cursor, workloads: tuple[str, ...]) -> Expectation:
        keys = at.mapping()
        telling = [key for key in keys if key in KINDS]
        if len(telling) != 1:
            what = f"says of what kind it is twice: {' and '.join(telling)}" if telling else "does not say what is expected"
            near = next((match for key in keys for match in get_close_matches(key, KINDS, n=1)), None) if not telling else None
            raise at.fault(what, f"did you mean {near}?" if near else f"one of the keys {', '.join(KINDS)}")
        key = telling[0]
        kind = KINDS[key]
        given = at.fields(*COMMON, key, *kind.keys)
        check = kind.read(given[key], given, self)
        scenario, scenario_name = self._scenario(given, kind, key)
        named = self._named(given, workloads) if "workload" in given else ()
        if named and (scenario is not None or "workload" not in kind.by):
            beside = "a scenario stands beside it" if scenario is not None else f"{key} is not judged with a workload"
            raise given["workload"].fault(beside, "leave it out")
        judged = () if scenario is not None or "workload" not in kind.by else named or workloads
        if not judged and scenario is None and "design" not in kind.by:
            hint = "add workloads" if kind.by == "workload" else "add workloads, or a scenario to it"
            raise at.fault("there is nothing to judge it with", hint)
        if self.config is None and scenario is None:
            raise at.fault("there is no design", "say design: queues.yaml at the top")
        name = given["name"].name() if "name" in given else str(check)
        return Expectation(name, key, check, judged, bool(named), scenario, scenario_name, at.line, at)

    def _named(self, given: Mapping[str, Cursor], workloads: tuple[str, ...]) -> tuple[str, ...]:
        at = given["workload"]
        places = [at] if isinstance(at.value, str) else list(at.items())
        if not places:
            raise at.fault("is empty", "leave it out for all workloads")
        for each in places:
            if each.name() not in workloads:
                near = get_close_matches(each.name(), workloads, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(workloads) or 'none'}"
                raise each.fault(f"there is no workload {shown(each.name())}", hint)
        return tuple(dict.fromkeys(each.name() for each in places))

    def _scenario(self, given: Mapping[str, Cursor], kind: Kind, key: str) -> tuple[Scenario | None, str]:
        if "scenario" not in given:
            return None, ""
        at = given["scenario"]
        if "scenario" not in kind.by:
            raise at.fault(f"{key} is not judged with a scenario, in which tasks have no durations", "give a workload")
        value: Any = at.value
        if isinstance(value, Scenario):
            return value, value.name or "scenario"
        if isinstance(value, Workload | Seeded) or not isinstance(value, str | Path):
            raise at.fault(f"must be the name of a file of a scenario, found {found(value)}", "such as fence.yaml")
        path = self._folder / value
        if not path.is_file() and value in all_example_names():
            return example(str(value)), str(value)
        try:
            return load_scenario(path), str(value)
        except WorkbenchError as error:
            raise at.fault(str(error)) from None

    def _refuse_twice(self, expectations: tuple[Expectation, ...]) -> None:
        lines: dict[str, Expectation] = {}
        for each in expectations:
            first = lines.setdefault(each.name, each)
            if first is not each and each.place is not None:
                where = f", the first on line {first.line}" if first.line else ""
                raise each.place.fault(f"two expectations are called {shown(each.name)}{where}", "give one of them another name")
