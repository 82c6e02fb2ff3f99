"""One setting of a configuration as a piece of its YAML, and back: limits, placement rules, child templates, amounts.

A piece is read as part of a document made for it, so that the rules, the texts and the lines of errors are those of a whole
queues.yaml; and it is cut out of the text of such a document when written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    QueueConfig,
    ResourcesConfig,
    SchedulerConfig,
)
from workbench.config.read.parse import parse_config
from workbench.config.write.export import plain_yaml
from workbench.values.errors import ConfigError

_OF_QUEUE = "partitions:\n- queues:\n  - name: root\n    {key}:\n"
_OF_PARTITION = "partitions:\n- queues: []\n  {key}:\n"
_INDENT = "      "
OWN_LINES = 1_000_000
"""Objects read from a piece have its lines, counted from here, so that no line of a whole configuration is taken for one."""


def read_limits(text: str) -> tuple[Limit, ...]:
    """The list of limits that `text` writes down. ConfigError with the line of `text`."""
    return _read(_OF_QUEUE, "limits", text).root.limits


def read_template(text: str) -> ChildTemplate | None:
    """The child template that `text` writes down. ConfigError with the line of `text`."""
    return _read(_OF_QUEUE, "childtemplate", text).root.child_template


def read_rules(text: str) -> tuple[PlacementRule, ...]:
    """The placement rules that `text` writes down. ConfigError with the line of `text`."""
    return _read(_OF_PARTITION, "placementrules", text).placement_rules


def read_weights(text: str) -> Mapping[str, float]:
    """Resource weights, `vcore: 1` line by line or with commas. ConfigError with the line of `text`."""
    body = text if text.lstrip().startswith("{") or "\n" in text.strip() else "{" + text + "}"
    return _read("partitions:\n- queues: []\n  nodesortpolicy:\n    {key}:\n", "resourceweights", body).node_sorting.weights


def read_amounts(text: str) -> Mapping[str, str]:
    """Amounts by resource type, `vcore: 4, memory: 8Gi`, line by line or with commas. ConfigError with the line of `text`."""
    body = text if text.lstrip().startswith("{") or "\n" in text.strip() else "{" + text + "}"
    found = _read("partitions:\n- queues:\n  - name: root\n    resources:\n     {key}:\n", "max", body).root.resources.max
    return found or MappingProxyType({})


def write_limits(limits: tuple[Limit, ...]) -> str:
    """The limits as a YAML list, "" for none."""
    return _written(PartitionConfig(queues=(QueueConfig(name="root", limits=limits),)), "limits")


def write_template(template: ChildTemplate | None) -> str:
    """The child template as YAML, "" for none."""
    return _written(PartitionConfig(queues=(QueueConfig(name="root", child_template=template),)), "childtemplate")


def write_rules(rules: tuple[PlacementRule, ...]) -> str:
    """The placement rules as a YAML list, "" for none."""
    return _written(PartitionConfig(queues=(), placement_rules=rules), "placementrules")


def write_weights(sorting: NodeSorting) -> str:
    """The weights on one line, "" for none."""
    text = _written(PartitionConfig(queues=(), node_sorting=sorting), "resourceweights")
    return ", ".join(text.splitlines())


def write_amounts(amounts: Mapping[str, str] | None) -> str:
    """The amounts on one line, "" for none."""
    queue = QueueConfig(name="root", resources=ResourcesConfig(max=amounts))
    text = _written(PartitionConfig(queues=(queue,)), "max")
    return ", ".join(text.splitlines())


def line_in_piece(line: int | None) -> int | None:
    """The line of the piece that the line of an error about its objects stands for; None for a line of another text."""
    return None if line is None or line <= OWN_LINES else line - OWN_LINES


def _read(frame: str, key: str, text: str) -> PartitionConfig:
    before = frame.format(key=key)
    document = before + "".join(f"{_INDENT}{line}\n" for line in text.splitlines())
    try:
        return _shifted(parse_config(document).partitions[0], OWN_LINES - before.count("\n"))
    except ConfigError as error:
        if error.line is not None:
            error.line = max(1, error.line - before.count("\n"))
        raise


def _shifted(partition: PartitionConfig, by: int) -> PartitionConfig:
    """The limits and rules with other lines."""

    def limit(each: Limit) -> Limit:
        return replace(each, line=each.line and each.line + by)

    def rule(each: PlacementRule) -> PlacementRule:
        return replace(each, line=each.line and each.line + by, parent=each.parent and rule(each.parent))

    queues = tuple(replace(queue, limits=tuple(map(limit, queue.limits))) for queue in partition.queues or ())
    return replace(partition, queues=queues, placement_rules=tuple(map(rule, partition.placement_rules)))


def _written(partition: PartitionConfig, key: str) -> str:
    """The lines below `key:` in the text of a partition, without their indentation."""
    lines = plain_yaml(SchedulerConfig(partitions=(partition,))).splitlines()
    at = next((number for number, line in enumerate(lines) if line.lstrip(" -") == f"{key}:"), None)
    if at is None:
        return ""
    head = len(lines[at]) - len(lines[at].lstrip(" -"))
    below = []
    for line in lines[at + 1 :]:
        if len(line) - len(line.lstrip(" ")) <= head:
            break
        below.append(line)
    margin = min((len(line) - len(line.lstrip(" ")) for line in below), default=0)
    return "\n".join(line[margin:] for line in below)
