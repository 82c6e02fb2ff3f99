"""Every setting of a queue and of a partition, as a table: what it is called, how it is edited, and where it has an effect.

The editor's tabs, `Workbench.set` and the explanation of disabled fields all read this table (U-8, U-14). A setting is added
with one entry. Properties of queues come from `config.properties`, which the scheduler reads, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from workbench.bench import schema_texts
from workbench.config import edit, snippets
from workbench.config.model import NodeSorting, PartitionConfig, QueueConfig, SchedulerConfig
from workbench.config.properties import DOCUMENTED_QUOTA_PREEMPTION_DELAY, QUOTA_PREEMPTION_DELAY
from workbench.config.vocabulary import NODE_SORT_POLICIES
from workbench.scheduler.records.state import Partition, Queue
from workbench.scheduler.releases.profiles import Profile, every_property, profile_of
from workbench.values.errors import ConfigError

NO_CONFIGURATION = "Created by a placement rule: this queue has no configuration of its own."
SETTING_HINTS: Mapping[str, str] = {
    "parent": "true makes it a parent even without children, so that placement rules may create queues below it.",
    "maxapplications": "Applications that may run here at once; 0 is any number.",
    "resources.guaranteed": "What the queue gets before others get more than their guarantee; the base of fair shares.",
    "resources.max": "What the queue may use at most, with everything below it.",
    "limits": "Limits for users and groups in this queue and below, tried in this order.",
    "submitacl": "Who may submit here and below: users, a blank, groups; groups alone begin with a blank; * is everybody.",
    "adminacl": "Who may administer here and below; they may also submit.",
    "childtemplate": "What a queue gets that a placement rule creates below this one.",
    "nodesortpolicy.type": "fair spreads over the nodes, binpacking fills one before the next.",
    "nodesortpolicy.resourceweights": "How much each resource counts in the score of a node.",
    "preemption.enabled": "Whether running pods may be stopped for others at all.",
    "preemption.quotapreemptionenabled": "Whether use above a lowered maximum is taken back.",
    "placementrules": "How applications find their queue; the first rule that leads to one wins.",
}
SWITCHED_OFF: Mapping[str, str] = {
    "quota": "No effect while preemption.quotapreemptionenabled is false for the partition.",
    "preemption": "No effect while preemption.enabled is false for the partition.",
    "backoff": "No effect while application.unschedasks.backoff is 0.",
}

PARTITION = "partition"
"""The path under which `Workbench.set` takes settings of the partition."""
TABS = ("Basics", "Priority", "Sorting", "Preemption", "Quota", "Limits", "Access", "Template", "Partition")


class Access(NamedTuple):
    """How a setting is read from and written into a configuration.

    Attributes:
        read: its own text at a configured queue or partition, None when it is not set.
        write: a configuration with another text; None removes it. ConfigError for a text that cannot be read.
    """

    read: Callable[[Any], str | None]
    write: Callable[[SchedulerConfig, str, str, str | None], SchedulerConfig]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        key: the configuration key, as in queues.yaml below the queue or partition.
        tab: the tab of the editor.
        kind: how it is edited: "choice", "integer", "count", "duration", "text", "amounts", "weights" or "block" (YAML lines).
        default: text that holds when nothing is set; "" for nothing.
        hint: what it does, in plain language.
        scope: the positions where it has an effect: "root", "parent", "leaf", or "partition".
        choices: gives the texts to choose from.
        is_known: whether the rules of a release know it.
        instead_of: the key by which other releases know the setting; then it is shown to those only that know this one.
        inherited: what a configured child gets: "yes", "no", or "disabled" for only that value.
        example: shown in an empty field.
        access: how it is read and written.
    """

    key: str
    tab: str
    kind: str
    hint: str
    access: Access
    default: str = ""
    scope: tuple[str, ...] = ("root", "parent", "leaf")
    choices: Callable[[], Sequence[str]] = tuple
    is_known: Callable[[Profile], bool] = lambda profile: True
    instead_of: str = ""
    inherited: str = "no"
    example: str = ""

    @property
    def allowed(self) -> tuple[str, ...]:
        """Texts to choose from; empty when the value is typed."""
        return tuple(self.choices())

    def read(self, at: QueueConfig | PartitionConfig) -> str | None:
        """Its own text at a configured queue or partition, None when it is not set."""
        return self.access.read(at)

    def write(self, config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
        """The configuration with another text; None removes it. ConfigError for a text that cannot be read."""
        return self.access.write(config, partition, path, text)


# -- queues -------------------------------------------------------------------------------------------------------------


_KNOWN = every_property()
QUOTA_DELAYS = (QUOTA_PREEMPTION_DELAY, DOCUMENTED_QUOTA_PREEMPTION_DELAY)
"""The same setting by the name that the one or the other release reads. R-901."""


def _property(key: str, tab: str, **more: Any) -> Setting:
    known = _KNOWN[key]
    scope = ("leaf",) if known.scope == "leaf" else more.pop("scope", ("root", "parent", "leaf"))
    return Setting(
        key,
        tab,
        known.kind,
        known.hint,
        Access(
            lambda queue: queue.properties.get(key),
            lambda config, partition, path, text: edit.with_property(config, path, key, text, partition),
        ),
        known.default,
        scope,
        lambda: known.allowed,
        lambda profile: key in profile.properties,
        inherited=known.inherited,
        **more,
    )


def _field(key: str, read: Callable[[QueueConfig], str | None], parse: Callable[[str], Any]) -> Access:
    def write(config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
        return edit.with_field(config, path, key, None if text is None else parse(text), partition)

    return Access(read, write)


def _amounts(which: str, change: Callable[..., SchedulerConfig]) -> Access:
    def read(queue: QueueConfig) -> str | None:
        amounts = getattr(queue.resources, which)
        return None if amounts is None else snippets.write_amounts(amounts)

    def write(config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
        return change(config, path, snippets.read_amounts(text) if text and text.strip() else None, partition)

    return Access(read, write)


def count(text: str) -> int:
    """A whole number from 0 up. ConfigError for anything else."""
    if not text.strip().isascii() or not text.strip().isdigit() or len(text.strip()) > 20:
        raise ConfigError(schema_texts.no_count(text))
    return int(text)


def switch(text: str) -> bool:
    """true or false. ConfigError for anything else."""
    if text not in ("true", "false"):
        raise ConfigError(schema_texts.no_switch(text))
    return text == "true"


def _blank_is_none(value: str) -> str | None:
    return value or None


QUEUE_SETTINGS = (
    Setting(
        "parent",
        "Basics",
        "choice",
        SETTING_HINTS["parent"],
        default="false",
        choices=lambda: ("false", "true"),
        scope=("leaf", "parent"),
        access=_field("parent", lambda queue: "true" if queue.parent else None, switch),
    ),
    Setting(
        "maxapplications",
        "Basics",
        "count",
        SETTING_HINTS["maxapplications"],
        default="0",
        access=_field("maxapplications", lambda queue: str(queue.max_applications) if queue.max_applications else None, count),
    ),
    _property("priority.policy", "Priority", scope=("parent", "leaf")),
    _property("priority.offset", "Priority", scope=("parent", "leaf")),
    _property("application.sort.policy", "Sorting"),
    _property("application.sort.priority", "Sorting"),
    _property("application.unschedasks.backoff", "Sorting"),
    _property("application.unschedasks.backoff.delay", "Sorting"),
    _property("preemption.policy", "Preemption"),
    _property("preemption.delay", "Preemption"),
    _property(QUOTA_PREEMPTION_DELAY, "Preemption", scope=("parent", "leaf")),
    _property(DOCUMENTED_QUOTA_PREEMPTION_DELAY, "Preemption", instead_of=QUOTA_PREEMPTION_DELAY),
    Setting(
        "resources.guaranteed",
        "Quota",
        "amounts",
        SETTING_HINTS["resources.guaranteed"],
        scope=("parent", "leaf"),
        example="vcore: 4, memory: 8Gi",
        access=_amounts("guaranteed", edit.with_guaranteed),
    ),
    Setting(
        "resources.max",
        "Quota",
        "amounts",
        SETTING_HINTS["resources.max"],
        scope=("parent", "leaf"),
        example="vcore: 8, memory: 16Gi",
        access=_amounts("max", edit.with_max),
    ),
    Setting(
        "limits",
        "Limits",
        "block",
        SETTING_HINTS["limits"],
        example='- users: ["*"]\n  maxapplications: 10\n  maxresources: {vcore: 8}',
        access=_field("limits", lambda queue: _blank_is_none(snippets.write_limits(queue.limits)), snippets.read_limits),
    ),
    Setting(
        "submitacl",
        "Access",
        "text",
        SETTING_HINTS["submitacl"],
        example="alice,bob developers",
        inherited="yes",
        access=_field("submitacl", lambda queue: _blank_is_none(queue.submit_acl), str),
    ),
    Setting(
        "adminacl",
        "Access",
        "text",
        SETTING_HINTS["adminacl"],
        example="carol admins",
        inherited="yes",
        access=_field("adminacl", lambda queue: _blank_is_none(queue.admin_acl), str),
    ),
    Setting(
        "childtemplate",
        "Template",
        "block",
        SETTING_HINTS["childtemplate"],
        scope=("root", "parent"),
        inherited="yes",
        example="maxapplications: 5\nresources:\n  max: {vcore: 4}\nproperties:\n  application.sort.policy: fifo",
        access=_field(
            "childtemplate", lambda queue: _blank_is_none(snippets.write_template(queue.child_template)), snippets.read_template
        ),
    ),
)
"""The settings of a queue, in display order."""


# -- partitions ---------------------------------------------------------------------------------------------------------


def _node_sorting(field: str, read: Callable[[NodeSorting], str], parse: Callable[[str], Any]) -> Access:
    def write(config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
        present = config.partition(partition).node_sorting
        value = getattr(NodeSorting(), field) if text is None or not text.strip() else parse(text)
        return edit.with_node_sorting(config, replace(present, **{field: value}), partition)

    return Access(lambda at: _blank_is_none(read(at.node_sorting)), write)


def _preemption(field: str) -> Access:
    def write(config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
        value = None if text is None else switch(text)
        return edit.with_preemption(config, replace(config.partition(partition).preemption, **{field: value}), partition)

    def read(at: PartitionConfig) -> str | None:
        value = getattr(at.preemption, field)
        return None if value is None else "true" if value else "false"

    return Access(read, write)


def _rules(config: SchedulerConfig, partition: str, path: str, text: str | None) -> SchedulerConfig:
    return edit.with_placement_rules(config, snippets.read_rules(text) if text and text.strip() else (), partition)


PARTITION_SETTINGS = (
    Setting(
        "nodesortpolicy.type",
        "Partition",
        "choice",
        SETTING_HINTS["nodesortpolicy.type"],
        default="fair",
        choices=lambda: NODE_SORT_POLICIES,
        scope=(PARTITION,),
        access=_node_sorting("type", lambda at: at.type, str),
    ),
    Setting(
        "nodesortpolicy.resourceweights",
        "Partition",
        "weights",
        SETTING_HINTS["nodesortpolicy.resourceweights"],
        default="",
        scope=(PARTITION,),
        example="vcore: 1, memory: 1",
        access=_node_sorting("weights", snippets.write_weights, snippets.read_weights),
    ),
    Setting(
        "preemption.enabled",
        "Partition",
        "choice",
        SETTING_HINTS["preemption.enabled"],
        default="true",
        choices=lambda: ("true", "false"),
        scope=(PARTITION,),
        access=_preemption("enabled"),
    ),
    Setting(
        "preemption.quotapreemptionenabled",
        "Partition",
        "choice",
        SETTING_HINTS["preemption.quotapreemptionenabled"],
        default="false",
        choices=lambda: ("false", "true"),
        scope=(PARTITION,),
        is_known=lambda profile: profile.quota_property in profile.properties,
        access=_preemption("quota_enabled"),
    ),
    Setting(
        "placementrules",
        "Partition",
        "block",
        SETTING_HINTS["placementrules"],
        scope=(PARTITION,),
        example="- name: provided\n- name: user\n  create: true\n  parent:\n    name: fixed\n    value: root.users",
        access=Access(lambda at: _blank_is_none(snippets.write_rules(at.placement_rules)), _rules),
    ),
)
"""The settings of a partition, in display order."""

SETTINGS: Mapping[str, Setting] = {each.key: each for each in QUEUE_SETTINGS}
OF_PARTITION: Mapping[str, Setting] = {each.key: each for each in PARTITION_SETTINGS}


def queue_settings(profile: Profile) -> tuple[Setting, ...]:
    """The settings of a queue in a release, each by the one name that it has there, in display order."""
    replaced = {each.instead_of for each in QUEUE_SETTINGS if each.instead_of and each.is_known(profile)}
    return tuple(each for each in QUEUE_SETTINGS if each.key not in replaced and (not each.instead_of or each.is_known(profile)))


def position(queue: Queue) -> str:
    """Where a queue stands: "root", "parent" or "leaf"."""
    return "root" if queue.parent is None else "leaf" if queue.is_leaf else "parent"


def no_effect(setting: Setting, queue: Queue | None, partition: Partition, release: str) -> str:
    """Why the setting has no effect at this queue, or in this partition with None; "" when it has (U-14)."""
    if not setting.is_known(profile_of(release)):
        return schema_texts.unknown_to_release(release)
    if queue is None:
        return ""
    if not queue.is_managed:
        return NO_CONFIGURATION
    at = position(queue)
    if at not in setting.scope:
        return schema_texts.no_effect(setting.key, setting.tab, at)
    return _switched_off(setting, queue, partition)


def _switched_off(setting: Setting, queue: Queue, partition: Partition) -> str:
    if setting.key in QUOTA_DELAYS and not partition.quota_preemption_enabled:
        return SWITCHED_OFF["quota"]
    if setting.tab == "Preemption" and setting.key not in QUOTA_DELAYS and not partition.preemption_enabled:
        return SWITCHED_OFF["preemption"]
    if setting.key == "application.unschedasks.backoff.delay" and not queue.settings.backoff_threshold:
        return SWITCHED_OFF["backoff"]
    return ""


def text_of(value: object) -> str:
    """A value given in Python as the text that stands in queues.yaml.

    >>> text_of(True), text_of(5), text_of({"vcore": "4", "memory": "8Gi"})
    ('true', '5', 'vcore: 4, memory: 8Gi')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {text_of(each)}" for name, each in value.items())
    return str(value)
