"""The design in force and the way to it as text."""

from __future__ import annotations

from typing import Any

from workbench.bench.controller import Text
from workbench.bench.desk import Desk
from workbench.config.write import export


def to_yaml(desk: Desk) -> Text:
    """The design in force as a queues.yaml."""
    return Text(export.written(desk.config).text)


def to_configmap(desk: Desk, **options: Any) -> Text:
    """The design in force as a Kubernetes ConfigMap; options are those of `export.to_configmap`.

    Without options, a design that came out of a ConfigMap is put back into it, and everything else in it stays.
    """
    if desk.configmap and not options:
        options = {"into": desk.configmap}
    return Text(export.to_configmap(desk.config, **options))


def to_python(desk: Desk) -> Text:
    """The calls that lead to the present state, as a script."""
    return Text("\n".join(["from workbench import Workbench", "", *desk.calls]) + "\n")
