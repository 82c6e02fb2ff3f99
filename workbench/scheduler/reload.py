"""A new configuration onto running partitions: all of it, or nothing. Chapter 02 sections 14 and 15, R-428, R-429, R-644."""

from __future__ import annotations

from workbench.config import DEFAULT_CONFIG_TEXT, checksum
from workbench.config.model import PartitionConfig, QueueConfig, ResourcesConfig, SchedulerConfig
from workbench.config.properties import merged, settings
from workbench.config.write.export import loaded, text_of
from workbench.scheduler import messages, placement
from workbench.scheduler.objects import applications, lifecycle, nodes, partitions, priority, tree, users
from workbench.scheduler.preemption.quota_rules import rules_of
from workbench.scheduler.records.commands import RemoveNode, UpdateConfig
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import ConfigRejected
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import Cluster, Partition, Queue
from workbench.values.errors import ConfigError
from workbench.values.resources import from_config

REJECTED = "update of configuration failed: "


def update(ctx: Context, command: UpdateConfig) -> None:
    """Replace the configuration, or reject the text and change nothing. C-150."""
    if _is_in_force(command.config or DEFAULT_CONFIG_TEXT, ctx.cluster.config):
        return
    try:
        config = loaded(command.config, limits_by_path=ctx.profile.limits_by_path)
        if not config.partitions:
            # The core would take the last partition away, and wait for itself while it does (see `_remove_partition`).
            raise ConfigError("the configuration has no partition")
        _try(ctx, config)
    except ConfigError as error:
        ctx.emit(ConfigRejected(REJECTED + error.text))
        return
    known = ctx.cluster.partitions
    for partition_config in config.partitions:
        name = partition_config.name.lower()
        if name in known:
            _apply(ctx, known[name], partition_config)
        else:
            ctx.journal.put(ctx.cluster, "partitions", name, partitions.create(ctx, partition_config))
    named = {partition_config.name.lower() for partition_config in config.partitions}
    for name in [name for name in known if name not in named]:
        _remove_partition(ctx, known[name])
    ctx.journal.set(ctx.cluster, "config", config)


def _is_in_force(said: str | SchedulerConfig, config: SchedulerConfig) -> bool:
    """Whether an update has the checksum of what is in force (C-150).

    Texts that say different things differ, and need not be written to know it; unless in what does not count for the checksum.
    """
    if not isinstance(said, str) and not said.text and said.partitions != config.partitions:
        if not (_may_hold_checksum(said) or _may_hold_checksum(config)):
            return False
    try:
        return checksum(text_of(said)) == checksum(text_of(config))
    except ConfigError:
        return False


def _may_hold_checksum(config: SchedulerConfig) -> bool:
    """Whether "checksum:" may stand in the text of a configuration, written or not."""
    return bool(config.checksum) or "checksum" in (config.text or config.origin) or "checksum" in repr(config.partitions)


def _try(ctx: Context, config: SchedulerConfig) -> None:
    """Build a throw-away copy of every partition; unlike a first load, an unusable rule set rejects. C-150, C-151."""
    trial = Context(Journal(history=False), Cluster(config, ctx.profile))
    for partition_config in config.partitions:
        partitions.create(trial, partition_config)
        placement.build_rules(partition_config)


def _apply(ctx: Context, partition: Partition, config: PartitionConfig) -> None:
    """Rules, node order, preemption switches, queues, limits, in this order. C-151."""
    journal = ctx.journal
    fresh = partitions.from_config(ctx, config)
    for field, value in fresh.items():
        journal.set(partition, field, value)
    for node in partition.nodes.values():
        nodes.refresh_score(ctx, partition, node)
    _update_queue(ctx, partition.root, config.root)
    users.reload(journal, partition.users, users.limit_table(config))


def _update_queue(ctx: Context, queue: Queue, config: QueueConfig) -> None:
    """A queue that is in the tree and in the text. C-152 to C-156."""
    journal = ctx.journal
    is_leaf = queue.parent is not None and not config.parent and not config.queues
    old_maximum, old_delay = queue.maximum, queue.settings.quota_preemption_delay_ns
    journal.set(queue, "submit_acl", tree.load_acl(config.submit_acl, config.line))
    journal.set(queue, "admin_acl", tree.load_acl(config.admin_acl, config.line))
    journal.set(queue, "is_leaf", is_leaf)
    journal.set(queue, "is_managed", True)
    # Quirk: an inherited template is lost. C-144
    journal.set(queue, "template", None if is_leaf else tree.load_template(config))
    if config.name != "root":
        resources = config.resources or ResourcesConfig()
        journal.set(queue, "maximum", tree.set_or_none(from_config(resources.max)))
        journal.set(queue, "guaranteed", tree.set_or_none(from_config(resources.guaranteed)))
        journal.set(queue, "max_applications", config.max_applications)
    # Quirk: only listed keys are evaluated, on top of what is in force; nothing is reset. What a queue above lists counts, too,
    # but not in 1.8. C-153, R-940, R-941
    own = dict(config.properties)
    above = queue.parent.properties if queue.parent is not None and ctx.profile.reload_passes_on else {}
    listed = merged(above, own)
    journal.set(queue, "properties", listed)
    journal.set(queue, "own_properties", own)
    journal.set(queue, "settings", settings(listed, is_leaf=is_leaf, base=queue.settings, table=ctx.profile.properties))
    priority.settings_changed(journal, queue)
    if ctx.profile.quota_property in listed:
        start_ns = rules_of(ctx.profile).start_after_change(queue, old_maximum, old_delay, ctx.now_ns)
        journal.set(queue, "quota_start_ns", start_ns)
    _change_status(ctx, queue, "Start")
    for child in config.queues:
        known = queue.children.get(child.name.lower())
        if known is None:
            tree.add_configured(ctx, queue, child)
        else:
            _update_queue(ctx, known, child)
    named = {child.name.lower() for child in config.queues}
    for below in tree.children(queue):
        if below.name not in named and below.is_managed:
            _mark_for_removal(ctx, below)


def _mark_for_removal(ctx: Context, queue: Queue) -> None:
    """The queue and its managed descendants drain. C-160."""
    _change_status(ctx, queue, "Remove")
    for child in tree.children(queue):
        if child.is_managed:
            _mark_for_removal(ctx, child)


def _change_status(ctx: Context, queue: Queue, event: str) -> None:
    new = lifecycle.next_state(lifecycle.OBJECT_TRANSITIONS, queue.status, event)
    if new is not None and new != queue.status:
        ctx.journal.set(queue, "status", new)


def _remove_partition(ctx: Context, partition: Partition) -> None:
    """A partition that is gone from the text: applications fail and leave, nodes go. C-150.

    The core waits for itself here and never returns; this is what it sets out to do.
    """
    _mark_for_removal(ctx, partition.root)
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        lifecycle.fire(ctx, partition, application, "failApplication", "PartitionRemoved")
        # One that was failing already, such as a hard gang past its time-out, has left by this.
        if partition.applications.get(application.id) is application:
            applications.remove(ctx, partition, application)
    for node_id in sorted(partition.nodes):
        messages.remove_node(ctx, RemoveNode(node_id=node_id, partition=partition.name))
    ctx.journal.drop(ctx.cluster, "partitions", partition.name.lower())
