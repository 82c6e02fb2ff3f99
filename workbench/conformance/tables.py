"""Tables of recorded facts checked one by one. The registry says which table is checked by what.

A checker yields one finding per fact. Facts that nothing answers (whole tables, sections about other versions, single
facts) are reported as unchecked, with what they are, and never count as matches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

import yaml

from workbench.conformance import (
    config_facts,
    kubernetes_facts,
    order_facts,
    placement_facts,
    preemption_facts,
    priority_facts,
    state_facts,
    user_facts,
    value_facts,
)
from workbench.conformance.fact import Fact, Finding, Unchecked
from workbench.files.reading import entries, is_folder, read_text
from workbench.scheduler.releases.profiles import PROFILES, V1_8, release_names
from workbench.values.errors import ScenarioError

MOST_SHOWN = 5
"""Differences kept per table."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Checker = Callable[..., Iterator[Finding]]


def _by_release(section: str, check: Callable[..., Iterator[Finding]]) -> dict[str, Checker]:
    """The checker of a section that releases have, as `v1_8_walks`; a release of which nothing was recorded has none."""
    return {f"v{release.replace('.', '_')}{section}": partial(check, release=release) for release in PROFILES}


CHECKERS: dict[str, dict[str, Checker]] = {
    "quantities": {"cases": value_facts.quantities},
    "resources": {"cases": value_facts.resource_operations},
    "acls": {"cases": value_facts.acls},
    "configs": {"cases": config_facts.configs},
    "queue_sort": {"cases": order_facts.queues},
    "app_sort": {
        **_by_release("", order_facts.applications),
        "requests": order_facts.requests,
    },
    "node_sort": {"cases": order_facts.nodes},
    "placement": {"cases": placement_facts.placements},
    "preemption": {"cases": preemption_facts.preemptions},
    "user_limits": {"cases": user_facts.user_limits},
    "priorities": {"cases": priority_facts.priorities},
    "app_states": {
        **_by_release("_transitions", state_facts.transitions),
        "object_transitions": state_facts.object_transitions,
        **_by_release("_walks", state_facts.walks),
        **_by_release("_sequences", state_facts.sequences),
    },
}
"""Table (file name without .yaml) -> section -> checker."""

LISTS: dict[str, Checker] = {"kubernetes": kubernetes_facts.objects}
"""Table that is one list of facts (file name without .json or .json.gz) -> checker."""


OF_A_RELEASE = ("preemption",)
"""Tables that tell by `version: yunikorn-core v1.9.0` of which release they are; those of 1.8 need not."""
_OF_RELEASE = re.compile(r"v\d+_\d+(_|$)")
_RECORDED_FIRST = f"v{V1_8.version.replace('.', '_')}"
"""The release that every table has facts of."""
_VERSION = re.compile(r"v(\d+\.\d+)\b")


@dataclass(frozen=True, slots=True)
class TableReport:
    """What became of one table.

    Attributes:
        name: file name.
        matched: facts that hold here.
        total: facts that were checked.
        unchecked: facts that nothing answers yet.
        open_parts: which those are: names of sections, or what single facts are about.
        differences: the first facts that do not hold, as sentences.
    """

    name: str
    matched: int
    total: int
    unchecked: int = 0
    open_parts: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether something was checked and all of it holds."""
        return 0 < self.total == self.matched

    def __str__(self) -> str:
        if not self.total:
            return f"{self.name}: not checked yet ({self.unchecked} facts)"
        rest = f"; {self.unchecked} facts not checked yet ({', '.join(self.open_parts)})" if self.unchecked else ""
        return f"{self.name}: {self.matched} of {self.total} facts hold{rest}"


def check_tables(folder: str | Path) -> list[TableReport]:
    """One report per YAML file in the folder, in order of the names. ScenarioError if a file cannot be read."""
    folder = Path(folder)
    if not is_folder(folder, error=ScenarioError):
        raise ScenarioError("there is no such folder", source=str(folder))
    return [check_table(path) for path in entries(folder, error=ScenarioError) if path.suffix == ".yaml" or is_list(path)]


def known_tables(folder: Path) -> list[Path]:
    """The tables in a folder that something checks, by name, lists of facts behind the others."""
    found = entries(folder, error=ScenarioError)
    lists = [path for path in found if is_list(path)]
    return [path for path in found if is_table(path) and path not in lists] + lists


def is_table(path: Path) -> bool:
    """Whether a file is named like a table that something checks."""
    return (path.suffix == ".yaml" and path.stem in CHECKERS) or is_list(path)


def is_list(path: Path) -> bool:
    """Whether a file is named like one list of facts."""
    return path.name.removesuffix(".gz").endswith(".json") and _name(path) in LISTS


def check_table(path: str | Path) -> TableReport:
    """What becomes of the facts in one file."""
    path = Path(path)
    if is_list(path):
        return _report(f"{_name(path)}.json", _findings(LISTS[_name(path)], _read_list(path), path, "of the file"))
    release, sections = _read(path)
    known = CHECKERS.get(path.stem, {})
    for name in known:
        if name not in sections and (not _OF_RELEASE.match(name) or name.startswith(_RECORDED_FIRST)):
            raise ScenarioError(f"there is no section {name}", source=str(path))
    checkers = {name: checker for name, checker in known.items() if name in sections}
    if path.stem in OF_A_RELEASE:
        checkers = {name: partial(checker, release=release) for name, checker in checkers.items()}
    findings = [finding for name, checker in checkers.items() for finding in _findings(checker, sections[name], path, name)]
    left = {name: len(facts) for name, facts in sections.items() if name not in checkers}
    return _report(path.name, findings, left)


def _report(name: str, findings: list[Finding], left: Mapping[str, int] = MappingProxyType({})) -> TableReport:
    """What the findings are together. `left` are the sections that nothing answers, with how many facts they have."""
    # Section names and reasons, each once, in order.
    open_parts = dict.fromkeys(left)
    open_parts |= dict.fromkeys(finding.reason for finding in findings if isinstance(finding, Unchecked))
    checked = [finding for finding in findings if not isinstance(finding, Unchecked)]
    differences = [finding for finding in checked if finding is not None]
    return TableReport(
        name,
        len(checked) - len(differences),
        len(checked),
        sum(left.values()) + len(findings) - len(checked),
        tuple(open_parts),
        tuple(differences[:MOST_SHOWN]),
    )


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _read_list(path: Path) -> list[Fact]:
    try:
        found = json.loads(read_text(path, error=ScenarioError, packed=path.suffix == ".gz"))
    except (ValueError, RecursionError) as error:
        raise ScenarioError(f"cannot be read: {' '.join(str(error).split())}", source=str(path)) from None
    if not isinstance(found, list):
        raise ScenarioError("these facts are one list", source=str(path))
    return found


def _findings(checker: Checker, facts: list[Fact], path: Path, section: str) -> list[Finding]:
    try:
        return list(checker(facts))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ScenarioError(f"section {section} has an entry of another form: {error!r}", source=str(path)) from error


def _read(path: Path) -> tuple[str, dict[str, list[Fact]]]:
    """The release that a table is of, and its sections that hold facts; one that is no list is a setting that they share."""
    try:
        found = yaml.load(read_text(path, error=ScenarioError), Loader=_LOADER)
    except (ValueError, yaml.YAMLError) as error:
        raise ScenarioError(f"cannot be read: {' '.join(str(error).split())}", source=str(path)) from None
    except RecursionError:
        raise ScenarioError("the text is nested too deeply", source=str(path)) from None
    if not isinstance(found, dict):
        raise ScenarioError("a table of facts holds named sections", source=str(path))
    version = _VERSION.search(str(found.get("version", "")))
    release = version[1] if version is not None else V1_8.version
    if release not in PROFILES:
        raise ScenarioError(f"the facts are of release {release}; there are {release_names()}", source=str(path))
    return release, {name: facts for name, facts in found.items() if isinstance(facts, list)}
