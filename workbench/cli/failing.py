"""The moment at which an expectation fails, as a design to open: a scenario in the folder, and a step of it. EX-3"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.expectations import ENDINGS
from workbench.explain.wording import name
from workbench.files.reading import read_text
from workbench.files.writing import write_file
from workbench.simulation.scenario import scenario_to_yaml
from workbench.values.errors import ScenarioError

WRITTEN = "# Written by `workbench lab --failing` at every start. To keep it as it is, delete this line."
NOT_WANTED = "this is a file of expectations; name one that fails with --failing NAME, or run 'workbench test' to see which do"


@dataclass(frozen=True, slots=True)
class Failing:
    """An expectation that failed.

    Attributes:
        name: of it.
        scenario: what led to the moment, as the text of a scenario.
        step: after which it stands.
        lines: what failed and why, for people.
    """

    name: str
    scenario: str
    step: int
    lines: tuple[str, ...]

    def put(self, folder: Path) -> Path:
        """Write the scenario into a folder; a file there that somebody else wrote is kept, and another name found."""
        stem = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:60] or "expectation"
        path, number = folder / f"failing-{stem}.yaml", 1
        while path.exists() and not read_text(path, error=ScenarioError).startswith(WRITTEN):
            number += 1
            path = folder / f"failing-{stem}-{number}.yaml"
        write_file(path, f"{WRITTEN}\n{self.scenario}")
        return path


def is_expectations(design: str | None) -> bool:
    """Whether somebody gave a file of expectations where a design is wanted."""
    return design is not None and design.endswith(ENDINGS) and Path(design).is_file()


def failing(path: Path, wanted: str) -> Failing:
    """Judge a file, or the one expectation of it that is wanted, and go to the moment at which it failed.

    Args:
        wanted: its name; empty for the only one that fails.

    Raises:
        WorkbenchError: the file cannot be read, has none of that name, it does not fail, or at no single moment.
    """
    from workbench.expectations.judging import Judge
    from workbench.expectations.suite import load_suite

    with Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        judge = Judge(load_suite(path), only=(wanted,) if wanted else (), progress=progress.show)
        for _ in judge.results():
            pass
        found = judge.found()
        moment = found.moment(wanted or None)
        result = found[wanted] if wanted else found.failed[0]
        simulation = moment.simulation()
    return Failing(result.name, scenario_to_yaml(simulation.scenario), simulation.position, result.lines)


def told(found: Failing) -> str:
    """What failed and why, on lines."""
    return "\n".join(map(one_line, found.lines)) + f"\n{'Opened':<10}{name(found.name, 100)}, after step {found.step}"
