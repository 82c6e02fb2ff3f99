"""A configuration as text again: queues.yaml, or the Kubernetes ConfigMap that carries it, and the way back.

`load_config(to_yaml(config)) == config` for every loaded configuration, checksum aside: queues, rules, limits and keys
keep their order. Of what is written anew, only what differs from the default is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.config.read.known import learn
from workbench.config.read.load import DEFAULT_CONFIG_TEXT, load_config
from workbench.config.read.parse import parse_config
from workbench.config.read.tree_shape import completed
from workbench.config.read.yaml_nodes import MapNode, Node, ScalarNode, first_document
from workbench.config.validation.validate import validate
from workbench.config.write.layout import CannotPatch
from workbench.config.write.plain_data import data_of
from workbench.config.write.round_trip import rewritten
from workbench.config.write.scalars import LONGEST_KEY, plain_text, quoted, scalar_text
from workbench.config.write.within import with_text
from workbench.values.errors import ConfigError
from workbench.values.text import is_text

DEFAULT_NAME, DEFAULT_NAMESPACE = "yunikorn-configs", "yunikorn"
QUEUES_KEY = "queues.yaml"
"""Key of the queue configuration inside `data`; the part before `.yaml` is the policy group (chapter 02 section 16)."""

_KIND = re.compile(r"""^(?:\{.*?)?["']?kind["']?\s*:\s*["']?ConfigMap\b""", re.MULTILINE)
_DATA_KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")


def to_yaml(config: SchedulerConfig) -> str:
    """The text of queues.yaml for a loaded configuration.

    What was read from a text and edited is that text, changed where it was edited, with its comments. What was made in code,
    or cannot be written so, is `plain_yaml`; then the first line says so if there was a comment to lose.
    """
    source = config.text or config.origin
    kept = rewritten(source, config) if source else None
    return kept.text if kept is not None else _anew(config, source)


def accepted(config: SchedulerConfig) -> SchedulerConfig:
    """An edited configuration that the scheduler accepts and a text can say, given back as it is.

    The configuration itself is validated. Its text is only written when somebody wants it: see `written`.

    Raises:
        ConfigError: the scheduler would refuse it, or no text can say it. Lines are those of what was edited.
    """
    validate(config)
    config.late["accepted"] = config
    if not _is_plainly_writable(config):
        written(config)
    return config


def written(config: SchedulerConfig) -> SchedulerConfig:
    """The same configuration with its text, and with the lines where that says each thing.

    It is written once. What was `accepted` need not be validated again when its text is loaded.

    Raises:
        ConfigError: no text can say it.
    """
    if config.text:
        return config
    if "written" not in config.late:
        found = _written(config)
        config.late["written"] = learn(found) if "accepted" in config.late else found
    return config.late["written"]


def is_accepted(config: SchedulerConfig) -> bool:
    """Whether it is known of the configuration that the scheduler accepts it and a text can say it."""
    return config.late.get("accepted") is config


def text_of(config: SchedulerConfig | str) -> str:
    """The text of a configuration that is one, or is loaded. ConfigError as `written`."""
    return config if isinstance(config, str) else written(config).text


def loaded(config: SchedulerConfig | str, *, limits_by_path: bool = True) -> SchedulerConfig:
    """A configuration that the scheduler accepts and a text can say, of a text, "" for the default, or of one that need not be.

    `limits_by_path` as for `load_config`.

    Raises:
        ConfigError: the scheduler would refuse it, or no text can say it.
    """
    if not isinstance(config, str) and is_accepted(config):
        return config
    return load_config(text_of(config) or DEFAULT_CONFIG_TEXT, limits_by_path=limits_by_path)


_MOST_LEVELS = 90
"""Every level of the model is at most two of the text, which has 200."""


def _is_plainly_writable(value: object, level: int = 0) -> bool:
    """Whether a text can say it for sure: all characters are whole, and nothing lies deep."""
    if isinstance(value, str):
        return is_text(value)
    if isinstance(value, Mapping):
        return all(is_text(key) and _is_plainly_writable(each, level) for key, each in value.items())
    if isinstance(value, tuple):
        return level < _MOST_LEVELS and all(_is_plainly_writable(each, level + 1) for each in value)
    if is_dataclass(value):
        return level < _MOST_LEVELS and all(
            _is_plainly_writable(getattr(value, each.name), level + (each.name == "parent"))
            for each in fields(value)
            if each.name not in ("text", "origin", "late")
        )
    return True


def _written(config: SchedulerConfig) -> SchedulerConfig:
    """As it is read from its text. ConfigError if no text can say it."""
    source = config.text or config.origin
    kept = rewritten(source, config) if source else None
    if kept is not None:
        return kept
    return completed(parse_config(_anew(config, source)))


def _anew(config: SchedulerConfig, source: str) -> str:
    text = plain_yaml(config)
    return f"{_WITHOUT_COMMENTS}\n{text}" if "#" in source else text


def plain_yaml(config: SchedulerConfig) -> str:
    """The configuration in one fixed form, always the same for equal ones, whatever it was read from; without comments."""
    return _dump(data_of(config))


_WITHOUT_COMMENTS = "# Written anew; comments of the text before could not be kept."


def to_configmap(
    config: SchedulerConfig,
    *,
    name: str = DEFAULT_NAME,
    namespace: str = DEFAULT_NAMESPACE,
    key: str = QUEUES_KEY,
    others: Mapping[str, str] | None = None,
    into: str | None = None,
) -> str:
    """The ConfigMap that carries the configuration as a literal block under `key`.

    `others` are further texts of `data`, such as service settings; applying a ConfigMap drops what it does not name.
    `into` is the text of a ConfigMap that carries a configuration already: everything else in it stays as it is, its comments
    as well, and the other arguments play no part.

    Raises:
        ConfigError: a key that Kubernetes would refuse, or `into` is no such ConfigMap.
    """
    if into is not None:
        from_configmap(into)
        path = ("data", _queues_key(_entries(_entries(first_document(into)).get("data"))))
        try:
            return with_text(into, path, to_yaml(config))
        except CannotPatch as error:
            raise ConfigError(f"the configuration cannot be put into this ConfigMap: {error}") from None
    data = {other: text for other, text in (others or {}).items() if other != key}
    for each in (key, *data):
        if not _DATA_KEY.fullmatch(each):
            raise ConfigError(f"{each!r} cannot be a key of a ConfigMap", hint="letters, digits, '-', '_' and '.'")
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata:"]
    lines += [f"  name: {plain_text(name)}", f"  namespace: {plain_text(namespace)}"]
    lines += ["data:", *(f"  {other}: {plain_text(text)}" for other, text in data.items())]
    lines += [f"  {key}: |", *(f"    {line}" for line in to_yaml(config).splitlines())]
    return "".join(f"{line}\n" for line in lines)


def to_patch(
    config: SchedulerConfig | str, *, name: str = DEFAULT_NAME, namespace: str = DEFAULT_NAMESPACE, key: str = QUEUES_KEY
) -> str:
    """What `kubectl patch configmap NAME --patch-file FILE` takes: this configuration, and no other key of the ConfigMap.

    The text stands there as it is, comments included, as a literal block wherever one can hold it.

    Args:
        config: a loaded configuration, or the text of a queues.yaml.
        key: under which the ConfigMap carries it.

    Raises:
        ConfigError: a key that Kubernetes would refuse, or a configuration that no text can say.
    """
    if not _DATA_KEY.fullmatch(key):
        raise ConfigError(f"{key!r} cannot be a key of a ConfigMap", hint="letters, digits, '-', '_' and '.'")
    text = text_of(config)
    told = f"# kubectl patch configmap {plain_text(name)} --namespace {plain_text(namespace)} --patch-file THIS_FILE\n"
    patch = f"{told}data:\n  {key}: {_literal(text, '    ')}\n"
    return patch if _carries(patch, key, text) else f"{told}data:\n  {key}: {quoted(text, chr(34))}\n"


def _carries(patch: str, key: str, text: str) -> bool:
    """Whether whoever reads the patch finds that text; a literal block cannot hold every character."""
    try:
        document = first_document(patch)
    except ConfigError:
        return False
    value = _entries(_entries(document).get("data")).get(key)
    return isinstance(value, ScalarNode) and value.text == text


def _literal(text: str, pad: str) -> str:
    """The text as a literal block that is indented by `pad`, without the last line break."""
    ends = {0: "-", 1: ""}.get(len(text) - len(text.rstrip("\n")), "+")
    first = text.lstrip("\n")[:1]
    says_indent = "2" if first in (" ", "\t") or text.startswith("\n") else ""
    lines = text.removesuffix("\n").split("\n")
    return "\n".join([f"|{says_indent}{ends}", *(f"{pad}{line}" if line else "" for line in lines)])


def queues_key(text: str) -> str:
    """The key under which a ConfigMap carries the queue configuration, as `from_configmap` looks for it."""
    return _queues_key(_entries(_entries(first_document(text)).get("data")))


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


# --- Plain data to text ---


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
                yield f"{pad}- {scalar_text(item)}"
        return
    for key, value in node.items():
        name = plain_text(key)
        if len(name) > LONGEST_KEY:
            yield f"{pad}? {name}"
            name = ""
        if isinstance(value, dict | list) and value:
            yield f"{pad}{name}:"
            yield from _lines(value, f"{pad}  ")
        else:
            yield f"{pad}{name}: {scalar_text(value)}"
