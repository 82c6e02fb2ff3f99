"""In and out: configurations and scenarios as files and texts, and the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.bench.controller import call_of
from workbench.bench.designs import opened, read_design
from workbench.bench.desk import Desk
from workbench.explain.wording import name
from workbench.files.writing import write_file
from workbench.simulation.scenario import scenario_to_json, scenario_to_yaml


def save(desk: Desk, path: str | Path) -> None:
    """Write the design at the start and all inputs as a scenario file, YAML or, by its name, JSON. `load` opens it."""
    target = Path(path)
    with desk.verb(call_of("save", str(path)), silent=True) as say:
        scenario = replace(desk.study().scenario, name=target.stem)
        text = scenario_to_json(scenario) if target.suffix.lower() == ".json" else scenario_to_yaml(scenario)
        write_file(target, text)
        say(saved(str(path)))


def report(desk: Desk, path: str | Path) -> None:
    """Write the present state as one HTML file that needs nothing else: pictures, tables, why, configuration, calls."""
    from workbench.bench.report import report_html

    with desk.verb(call_of("report", str(path)), silent=True) as say:
        write_file(path, report_html(desk))
        say(report_written(str(path)))


def load(desk: Desk, design: str | Path) -> None:
    """Replace the design and its inputs by others (see `open`). One undo entry, like every edit."""
    with desk.verb(call_of("load", str(design))) as say:
        simulation, name = read_design(design)
        desk.remember(desk.study())
        desk.simulation, desk.name, desk.differs_at = simulation, name, 0
        desk.configmap = ""
        desk.forget_turns()
        desk.selected, desk.selected_request = "", None
        say(opened(simulation, name, design))


# ---- in words ---------------------------------------------------------------------------------------------------------


def saved(path: str) -> str:
    return f"Design and inputs are in {name(path, 200)}."


def report_written(path: str) -> str:
    return f"The report is in {name(path, 200)}."
