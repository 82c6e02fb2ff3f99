"""YARN's capacity scheduler as a queue configuration: capacity-scheduler.xml of Hadoop 3, chapter 13 of the specification.

There is no other converter, so the mapping is ours, and each property is told with its line: what came over exactly, what nearly,
what not at all, and what that means for people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import yaml

from workbench.advice import checks
from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.explain.wording import counted, listing
from workbench.importers.imported import Imported
from workbench.importers.look import Look
from workbench.importers.opening import opened
from workbench.importers.registry import Importer, Option, register_importer
from workbench.importers.yarn.convert import convert
from workbench.importers.yarn.document import read_documents
from workbench.scheduler.records.commands import AddNode
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, ConfigError
from workbench.values.found import shown
from workbench.values.quantities import QuantityError, parse_quantity

CLUSTER_FORM = "such as memory=1024Gi,vcores=256"


def import_yarn(files: Sequence[Path], cluster: str | None = None, nodes: Path | None = None) -> Imported:
    """The queues of one or several files of Hadoop, such as capacity-scheduler.xml and yarn-site.xml. Y-1 to Y-3.

    Args:
        files: later ones count over earlier ones.
        cluster: its size, such as "memory=1024Gi,vcores=256".
        nodes: or a file or folder that an importer recognises and that has the nodes.

    Raises:
        ConfigError: with file and line: it cannot be read, cannot be converted, or would be refused by the scheduler.
        CommandError: the size makes no sense.
    """
    if cluster is not None and nodes is not None:
        raise CommandError("give the size of the cluster either as it is (cluster) or by its nodes (nodes), not both")
    size = parse_cluster(cluster) if cluster is not None else _size_of(nodes) if nodes is not None else {}
    source = ", ".join(str(each) for each in files)
    plain, report = convert(read_documents(files), size, source)
    text = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120)
    try:
        config = load_config(text, source=f"converted from {source}")
    except ConfigError as error:
        error.line = None  # of a text that nobody sees
        raise ConfigError(f"the scheduler would refuse what it becomes: {error.text}", source=source, hint=error.hint) from None
    findings = _findings(config)
    notes = list(report.notes())
    if findings:
        notes.append(f"{counted(len(findings), 'thing')} in the result worth a look, such as: {findings[0]}")
    name = Path(files[0].name.removesuffix(".gz")).stem
    scenario = Scenario(config=config, name=name, description=report.sentence)
    title = f"{files[0].name} as queues of YuniKorn"
    return Imported(scenario, tuple(notes), report=report.markdown(title, findings))


def _findings(config: SchedulerConfig) -> list[str]:
    """What advice says of the result, the same thing of several queues once. Y-2."""
    said: dict[tuple[str, str], list[str]] = {}
    for each in checks(config):
        said.setdefault((each.severity, each.text), []).append(each.path or "the partition")
    return [f"{severity}, {listing(paths)}: {text}" for (severity, text), paths in said.items()]


def parse_cluster(text: str) -> dict[str, int]:
    """The size of a cluster in base units.

    >>> parse_cluster("memory=2Gi,vcores=4")
    {'memory': 2147483648, 'vcore': 4000}
    """
    found: dict[str, int] = {}
    for part in text.split(","):
        name, sign, amount = (each.strip() for each in part.partition("="))
        resource = {"vcores": "vcore", "cpu": "vcore"}.get(name, name)
        if not sign or not name or resource in found:
            raise CommandError(f"{shown(part)} is no size of a cluster; {CLUSTER_FORM}, each resource once")
        if resource == "memory" and re.fullmatch(r"[0-9]+", amount):
            raise CommandError(f"say the unit of memory={amount}: memory={amount}Mi as YARN counts it, or Gi; {CLUSTER_FORM}")
        try:
            found[resource] = parse_quantity(amount, resource)
        except QuantityError as error:
            raise CommandError(f"{shown(part)} is no size of a cluster: {error}; {CLUSTER_FORM}") from None
    return found


def _size_of(path: Path) -> dict[str, int]:
    """The nodes of another cluster together."""
    events = opened(path).imported.scenario.events
    size: dict[str, int] = {}
    for event in events:
        if isinstance(event.command, AddNode):
            for kind, amount in event.command.capacity.items():
                size[kind] = size.get(kind, 0) + amount
    if not size:
        raise CommandError(f"{path} has no nodes; give the size of the cluster: --cluster {CLUSTER_FORM.removeprefix('such as ')}")
    return {kind: amount for kind, amount in size.items() if kind != "pods"}


def _read(files: tuple[Path, ...], cluster: str | None = None, nodes: Path | None = None) -> Imported:
    return import_yarn(files, cluster, nodes)


def recognises(look: Look) -> bool:
    """A configuration of Hadoop; also one of the Fair Scheduler, which is refused with a hint (Y-3)."""
    if look.is_folder or not look.head.lstrip().startswith("<"):
        return False
    outermost = re.search(r"<([A-Za-z][\w:.-]*)", look.head)
    return outermost is not None and outermost[1] in ("configuration", "allocations")


register_importer(
    "yarn",
    Importer(
        "queues of YARN's capacity scheduler (capacity-scheduler.xml)",
        "Makes a queues.yaml of the queues of YARN's capacity scheduler, Hadoop 3. Every property is converted exactly, converted "
        "nearly, or named as not converted, each with its line and what that means for people; --report writes all of it. "
        "Shares of the cluster become amounts, so that its size must be known.",
        (
            Option("files", "capacity-scheduler.xml, and yarn-site.xml for preemption", Path, "FILE", many=True),
            Option("cluster", "the size of the cluster, " + CLUSTER_FORM, str, "SIZE"),
            Option("nodes", "or a file or folder with its nodes: a scenario, answers of a REST interface", Path, "PATH"),
        ),
        _read,
        recognises=recognises,
        known_by="queues of YARN (XML with configuration at the top)",
        makes="queues",
    ),
)
