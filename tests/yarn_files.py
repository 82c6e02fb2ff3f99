"""Files of Hadoop for the tests: a property a line, so that its line is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from workbench.config import load_config
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.importers.imported import Imported
from workbench.importers.yarn import import_yarn

CAPACITY = "yarn.scheduler.capacity."
CLUSTER = "memory=100Gi,vcores=100"


def xml(properties: dict[str, object]) -> str:
    """A configuration with one property in each line from the second on; names without `yarn.` are the capacity scheduler's."""
    lines = []
    for name, value in properties.items():
        whole = name if name.startswith("yarn.") else CAPACITY + name
        lines.append(f"<property><name>{whole}</name><value>{escape(str(value))}</value></property>")
    return "\n".join(("<configuration>", *lines, "</configuration>\n"))


def imported(folder: Path, properties: dict[str, object], cluster: str | None = CLUSTER, **more: Any) -> Imported:
    """What becomes of a file with these properties."""
    path = folder / "capacity-scheduler.xml"
    path.write_text(xml(properties), encoding="utf-8")
    return import_yarn([path], cluster, **more)


def config(result: Imported) -> SchedulerConfig:
    """The configuration, read again as somebody will read it who finds the file."""
    return load_config(result.scenario.text)


def queue(result: Imported, path: str) -> QueueConfig:
    """A queue of the result."""
    found = config(result).partitions[0].queues[0]
    for name in path.split(".")[1:]:
        found = next(each for each in found.queues if each.name == name)
    return found


def line_about(result: Imported, name: str) -> str:
    """The line of the report about a property."""
    start = f"| `{name if name.startswith(('yarn.', 'xi:')) else CAPACITY + name}` |"
    (found,) = [each for each in result.report.splitlines() if each.startswith(start)]
    return found


def grade_of(result: Imported, name: str) -> str:
    """The heading below which a property is told."""
    heading = ""
    for each in result.report.splitlines():
        if each.startswith("## "):
            heading = each[3:].partition(" (")[0]
        if each == line_about(result, name):
            return heading
    raise AssertionError(name)
