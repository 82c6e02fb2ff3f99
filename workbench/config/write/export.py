"""A configuration as text again: queues.yaml, or the Kubernetes ConfigMap that carries it, and the way back.

`load_config(to_yaml(config)) == config` for every loaded configuration, checksum aside: queues, rules, limits and keys
keep their order, comments are lost. Only what differs from the default is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    ResourcesConfig,
    RuleFilter,
    SchedulerConfig,
)
from workbench.config.read.yaml_nodes import MapNode, Node, ScalarNode, first_document
from workbench.values.errors import ConfigError

DEFAULT_NAME, DEFAULT_NAMESPACE = "yunikorn-configs", "yunikorn"
QUEUES_KEY = "queues.yaml"
"""Key of the queue configuration inside `data`; the part before `.yaml` is the policy group (chapter 02 section 16)."""

_KIND = re.compile(r"""^(?:\{.*?)?["']?kind["']?\s*:\s*["']?ConfigMap\b""", re.MULTILINE)
_DATA_KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")


def to_yaml(config: SchedulerConfig) -> str:
    """The text of queues.yaml for a loaded configuration, always the same for equal ones."""
    return _dump({"partitions": [_partition(partition) for partition in config.partitions]})


def to_configmap(
    config: SchedulerConfig,
    *,
    name: str = DEFAULT_NAME,
    namespace: str = DEFAULT_NAMESPACE,
    key: str = QUEUES_KEY,
    others: Mapping[str, str] | None = None,
) -> str:
    """The ConfigMap that carries the configuration as a literal block under `key`.

    `others` are further texts of `data`, such as service settings; applying a ConfigMap drops what it does not name.

    Raises:
        ConfigError: a key that Kubernetes would refuse.
    """
    data = {other: text for other, text in (others or {}).items() if other != key}
    for each in (key, *data):
        if not _DATA_KEY.fullmatch(each):
            raise ConfigError(f"{each!r} cannot be a key of a ConfigMap", hint="letters, digits, '-', '_' and '.'")
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata:"]
    lines += [f"  name: {_text(name)}", f"  namespace: {_text(namespace)}"]
    lines += ["data:", *(f"  {other}: {_text(text)}" for other, text in data.items())]
    lines += [f"  {key}: |", *(f"    {line}" for line in to_yaml(config).splitlines())]
    return "".join(f"{line}\n" for line in lines)


def is_configmap(text: str) -> bool:
    """Whether a text says of itself that it is a ConfigMap; whether it can be read is another question."""
    return _KIND.search(text) is not None


def from_configmap(text: str, *, key: str | None = None) -> str:
    """The queue configuration text inside a ConfigMap, YAML or JSON, as it stands there, comments included.

    `key` None: the one that `service.policyGroup` in the same map names, else `queues.yaml`.

    Raises:
        ConfigError: no YAML, no ConfigMap, or no such key in its `data`.
    """
    document = first_document(text)
    top = _entries(document)
    kind, data = top.get("kind"), _entries(top.get("data"))
    if not isinstance(kind, ScalarNode) or kind.text != "ConfigMap":
        found = repr(kind.text) if isinstance(kind, ScalarNode) else "not given"
        bare = "this is a queue configuration itself, load it as it is" if "partitions" in top else ""
        raise ConfigError(f"this is no ConfigMap: its kind is {found}", line=document.line if document else None,
                          hint=bare or "expected kind: ConfigMap at the top, and one object, no list")  # fmt: skip
    key = key or _queues_key(data)
    value = data.get(key)
    if not isinstance(value, ScalarNode):
        raise ConfigError(f"the ConfigMap has no text under {key!r} in data", line=document.line if document else None,
                          hint=f"keys there: {', '.join(data) or 'none'}")  # fmt: skip
    return value.text


def other_data(text: str, *, key: str | None = None) -> dict[str, str]:
    """What a ConfigMap holds beside the queue configuration, such as service settings: the `others` of `to_configmap`.

    `key` as in `from_configmap`. ConfigError if that refuses the text.
    """
    from_configmap(text, key=key)
    data = _entries(_entries(first_document(text)).get("data"))
    return {name: node.text for name, node in data.items() if isinstance(node, ScalarNode) and name != (key or _queues_key(data))}


def _queues_key(data: Mapping[str, Node]) -> str:
    """The key of the queue configuration: the one that `service.policyGroup` names, else `queues.yaml`."""
    group = data.get("service.policyGroup")
    return f"{group.text}.yaml" if isinstance(group, ScalarNode) and group.text else QUEUES_KEY


def _entries(node: Node | None) -> dict[str, Node]:
    """The text keys of a mapping and their values; {} for anything else."""
    pairs = node.pairs if isinstance(node, MapNode) else ()
    return {key.text: value for key, value in pairs if isinstance(key, ScalarNode)}


# --- Objects to plain data, in the order a person writes them; defaults are left out ---


def _partition(partition: PartitionConfig) -> dict[str, Any]:
    return _said({
        "name": partition.name,
        "placementrules": [_rule(rule) for rule in partition.placement_rules],
        "limits": [_limit(limit) for limit in partition.limits],
        "nodesortpolicy": _node_sorting(partition.node_sorting),
        "preemption": _preemption(partition.preemption),
        "usergroupresolver": _said({"type": partition.user_group_resolver}),
    }) | {"queues": [_root(queue, partition) for queue in partition.queues or ()]}  # fmt: skip


def _root(queue: QueueConfig, partition: PartitionConfig) -> dict[str, Any]:
    """The root is a parent without saying so, and has the partition's limits without repeating them (C-20, C-85)."""
    written = _queue(queue)
    written.pop("parent", None)
    if partition.limits and queue.limits == partition.limits:
        del written["limits"]
    return written


def _queue(queue: QueueConfig) -> dict[str, Any]:
    template = {} if queue.child_template is None else {"childtemplate": _template(queue.child_template)}
    below = {"queues": [_queue(child) for child in queue.queues]} if queue.queues else {}
    return {"name": queue.name} | _said({
        "parent": queue.parent,
        "submitacl": queue.submit_acl,
        "adminacl": queue.admin_acl,
        "maxapplications": queue.max_applications,
        "resources": _resources(queue.resources),
        "properties": dict(queue.properties),
        "limits": [_limit(limit) for limit in queue.limits],
    }) | template | below  # fmt: skip


def _template(template: ChildTemplate) -> dict[str, Any]:
    return _said({
        "maxapplications": template.max_applications,
        "resources": _resources(template.resources),
        "properties": dict(template.properties),
    })  # fmt: skip


def _resources(resources: ResourcesConfig) -> dict[str, Any]:
    # An empty map stays: at root it is refused where an absent one is not (C-34).
    given = {"guaranteed": resources.guaranteed, "max": resources.max}
    return {key: dict(texts) for key, texts in given.items() if texts is not None}


def _limit(limit: Limit) -> dict[str, Any]:
    resources = {} if limit.max_resources is None else {"maxresources": dict(limit.max_resources)}
    return _said({
        "limit": limit.limit,
        "users": list(limit.users),
        "groups": list(limit.groups),
        "maxapplications": limit.max_applications,
    }) | resources  # fmt: skip


def _rule(rule: PlacementRule) -> dict[str, Any]:
    return {"name": rule.name} | _said({
        "create": rule.create,
        "value": rule.value,
        "parent": _rule(rule.parent) if rule.parent else {},
        "filter": _filter(rule.filter),
    })  # fmt: skip


def _filter(given: RuleFilter) -> dict[str, Any]:
    return _said({"type": given.type, "users": list(given.users), "groups": list(given.groups)})


def _node_sorting(sorting: NodeSorting) -> dict[str, Any]:
    weights = {name: _plain_number(weight) for name, weight in sorting.weights.items()}
    return _said({"type": sorting.type, "resourceweights": weights})


def _preemption(switches: PreemptionSwitches) -> dict[str, Any]:
    given = {"enabled": switches.enabled, "quotapreemptionenabled": switches.quota_enabled}
    return {key: value for key, value in given.items() if value is not None}


def _said(entries: dict[str, Any]) -> dict[str, Any]:
    """The entries that say something: no empty text or list, no 0, no False."""
    return {key: value for key, value in entries.items() if value}


def _plain_number(weight: float) -> float | int:
    """4 rather than 4.0, which reads back as the same double."""
    return int(weight) if abs(weight) < 2**53 and weight == int(weight) else weight


# --- Plain data to text ---

# Written here rather than by the YAML library: the form is fixed and needs neither folding nor references, deep trees
# stay within Python's stack, and the text holds no character that a literal block could not carry.

_WORD = r"[A-Za-z0-9_./@-]*[A-Za-z0-9_/@-]"
_PLAIN = re.compile(rf"(?=[A-Za-z_/]){_WORD}(?:,{_WORD})*(?: {_WORD}(?:,{_WORD})*)*")
_PLAIN_QUANTITY = re.compile(r"0|-?[1-9][0-9]{0,17}|[0-9]+(?:[mkMGTPE]i?|ns|us|ms|s|h)")
_NOT_TEXT = frozenset(("true", "false", "yes", "no", "on", "off", "y", "n", "null"))
_ESCAPED = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_LONGEST_KEY = 1000
"""YAML finds the colon behind a key only within 1024 characters."""


def _dump(data: dict[str, Any]) -> str:
    return "".join(f"{line}\n" for line in _lines(data, ""))


def _lines(node: Any, pad: str) -> Iterator[str]:
    """The lines of a filled map or list, indented by `pad`."""
    if isinstance(node, list):
        for item in node:
            if isinstance(item, dict) and item:
                first, *rest = _lines(item, f"{pad}  ")
                yield f"{pad}- {first.removeprefix(pad).lstrip(' ')}"
                yield from rest
            else:
                yield f"{pad}- {_scalar(item)}"
        return
    for key, value in node.items():
        name = _text(key)
        if len(name) > _LONGEST_KEY:
            yield f"{pad}? {name}"
            name = ""
        if isinstance(value, dict | list) and value:
            yield f"{pad}{name}:"
            yield from _lines(value, f"{pad}  ")
        else:
            yield f"{pad}{name}: {_scalar(value)}"


def _scalar(value: object) -> str:
    """One value; text that would be read as something else is quoted, numbers in text need not be (C-12)."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
        case str():
            return value if _PLAIN_QUANTITY.fullmatch(value) else _text(value)
    return "{}" if isinstance(value, dict) else "[]"


def _text(text: str) -> str:
    """Text that every reader takes for text, Kubernetes included, which wants no numbers in a ConfigMap."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT else _quoted(text)


def _quoted(text: str) -> str:
    if not _ESCAPED.search(text):
        return "'" + text.replace("'", "''") + "'"
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(lambda match: _escape(ord(match[0])), text) + '"'


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
