"""In and out: configurations and scenarios as files and texts, and the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.bench.controller import call_of
from workbench.bench.designs import opened, read_to_mend
from workbench.bench.desk import Desk
from workbench.bench.texts import no_such
from workbench.bench.verbs.exporting import to_configmap, to_yaml
from workbench.explain.wording import listing, name
from workbench.exporters.kubernetes.exporting import export_kubernetes
from workbench.exporters.kubernetes.files import write_export
from workbench.exporters.kubernetes.notes_texts import sentence
from workbench.files.writing import write_file
from workbench.simulation.scenario import scenario_to_json, scenario_to_yaml
from workbench.values.errors import CommandError

YAML, CONFIGMAP = FORMS = ("yaml", "configmap")


def save(desk: Desk, path: str | Path) -> None:
    """Write the design at the start and all inputs as a scenario file, YAML or, by its name, JSON. `load` opens it."""
    target = Path(path)
    with desk.verb(call_of("save", str(path)), silent=True) as say:
        scenario = replace(desk.study().scenario, name=target.stem)
        text = scenario_to_json(scenario) if target.suffix.lower() == ".json" else scenario_to_yaml(scenario)
        write_file(target, text)
        say(saved(str(path)))


def save_config(desk: Desk, path: str | Path, *, form: str = "", **options: Any) -> None:
    """Write the design in force as a queues.yaml, or as a ConfigMap if it came out of one: what `to_yaml` or `to_configmap` gives.

    Args:
        path: an existing file is replaced in one step, or stays as it is.
        form: "yaml" or "configmap", whatever it came out of.
        options: those of `to_configmap`; given, it is a ConfigMap.

    Raises:
        CommandError: another form, or options for what is no ConfigMap.
        ConfigError: there can be no such ConfigMap.
        FileError: it cannot be written.
    """
    with desk.verb(call_of("save_config", str(path), form=form, **options), silent=True) as say:
        if form not in ("", *FORMS):
            raise CommandError(no_such("form", form, FORMS))
        wanted = form or (CONFIGMAP if options or desk.configmap else YAML)
        if options and wanted != CONFIGMAP:
            raise CommandError(only_for_a_configmap(options))
        write_file(path, to_configmap(desk, **options) if wanted == CONFIGMAP else to_yaml(desk))
        say(config_saved(str(path), wanted))


def save_kubernetes(desk: Desk, path: str | Path) -> None:
    """Write the design at the start and all inputs as objects that `kubectl apply -f` takes.

    The status says what Kubernetes has no place for. `load` opens the objects again.

    Args:
        path: one file with all of them, if it ends in .yaml; else a folder with a file for each kind, which is made.

    Raises:
        FileError: it cannot be written.
    """
    with desk.verb(call_of("save_kubernetes", str(path)), silent=True) as say:
        export = export_kubernetes(desk.study().scenario, configmap=desk.configmap)
        write_export(export, Path(path))
        say(" ".join((objects_saved(str(path)), *map(sentence, export.notes))))


def report(desk: Desk, path: str | Path) -> None:
    """Write the present state as one HTML file that needs nothing else: pictures, tables, why, configuration, calls."""
    from workbench.bench.report import report_html

    with desk.verb(call_of("report", str(path)), silent=True) as say:
        write_file(path, report_html(desk))
        say(report_written(str(path)))


def load(desk: Desk, design: str | Path) -> None:
    """Replace the design and its inputs by others (see `open`). One undo entry, like every edit."""
    with desk.verb(call_of("load", str(design))) as say:
        found = read_to_mend(design)
        desk.remember(desk.study())
        desk.simulation, desk.name, desk.differs_at = found.simulation, found.name, 0
        desk.configmap, desk.draft = found.configmap, found.draft
        desk.forget_turns()
        desk.selected, desk.selected_request = "", None
        say(opened(found))


# ---- in words ---------------------------------------------------------------------------------------------------------


def saved(path: str) -> str:
    return f"Design and inputs are in {name(path, 200)}."


def config_saved(path: str, form: str) -> str:
    return f"The design is in {name(path, 200)}, as {'a ConfigMap' if form == CONFIGMAP else 'a queues.yaml'}."


def objects_saved(path: str) -> str:
    return f"Design and inputs are in {name(path, 200)}, as objects of Kubernetes."


def only_for_a_configmap(options: Iterable[str]) -> str:
    return f'{listing(sorted(options))} can be given for a ConfigMap only; leave form="yaml" out'


def report_written(path: str) -> str:
    return f"The report is in {name(path, 200)}."
