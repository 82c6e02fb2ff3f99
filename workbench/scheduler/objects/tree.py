"""The queue tree: building it from a configuration, finding queues in it, dynamic queues, removal. C-120 to C-165."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.config.acl import NOBODY, Acl
from workbench.config.model import ChildTemplate, PartitionConfig, QueueConfig, ResourcesConfig
from workbench.config.properties import DEFAULT_SETTINGS, merged, settings
from workbench.scheduler.objects import miscounts, priority
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import QueueCreated, QueueRemoved
from workbench.scheduler.records.state import RECOVERY_QUEUE, Partition, Queue
from workbench.values.errors import ConfigError
from workbench.values.quantities import QuantityError
from workbench.values.resources import Resource, from_config, has_negative_value, strictly_greater_than_zero

NO_TEMPLATE = ChildTemplate()


def find(partition: Partition, path: str) -> Queue | None:
    """The queue of that full path, in any case, or None. PL-46."""
    names = path.lower().split(".")
    if names[0] != partition.root.name:
        return None
    queue: Queue | None = partition.root
    for name in names[1:]:
        queue = queue.children.get(name) if queue is not None else None
    return queue


def children(queue: Queue) -> list[Queue]:
    """The children in creation order, the base order of every sort. R-524."""
    return sorted(queue.children.values(), key=lambda child: child.seq)


def walk(queue: Queue) -> Iterator[Queue]:
    """The queue and everything below it, depth first, children by name."""
    yield queue
    for name in sorted(queue.children):
        yield from walk(queue.children[name])


def leaves(queue: Queue) -> Iterator[Queue]:
    return (at for at in walk(queue) if at.is_leaf)


def build(ctx: Context, config: PartitionConfig) -> Queue:
    """The tree of a loaded partition configuration; returns its root. C-120 to C-125.

    Raises:
        ConfigError: with the core's text, for what validation lets pass but loading does not.
    """
    if config.root.name != "root":
        raise ConfigError(
            "partition cannot be created without root queue",
            line=config.root.line,
            hint="write the name of the root queue in lower case",
        )
    return add_configured(ctx, None, config.root)


def add_configured(ctx: Context, parent: Queue | None, config: QueueConfig) -> Queue:
    """Create a configured queue and everything configured below it. C-120, C-121, C-130."""
    name = config.name.lower()
    is_leaf = not config.parent and not config.queues
    properties = merged(parent.properties if parent else {}, config.properties)
    # Quirk: every queue named root goes without resources, nested ones too. C-121
    resources = ResourcesConfig() if config.name == "root" else config.resources
    queue = Queue(
        name=name,
        path=f"{parent.path}.{name}" if parent else name,
        parent=parent,
        seq=ctx.next_seq(),
        is_leaf=is_leaf,
        is_managed=True,
        settings=settings(properties, is_leaf=is_leaf, table=ctx.profile.properties),
        properties=properties,
        own_properties=dict(config.properties),
        maximum=set_or_none(from_config(resources.max)),
        guaranteed=set_or_none(from_config(resources.guaranteed)),
        max_applications=config.max_applications,
        submit_acl=load_acl(config.submit_acl, config.line),
        admin_acl=load_acl(config.admin_acl, config.line),
        template=None if is_leaf else load_template(config) or (parent.template if parent else None),
    )
    _attach(ctx, parent, queue)
    for child in config.queues:
        add_configured(ctx, queue, child)
    return queue


def add_dynamic(ctx: Context, parent: Queue, name: str, *, is_leaf: bool) -> Queue:
    """Create one dynamic queue below `parent`; the parent's child template supplies settings. C-134, C-142, PL-84.

    Without a template the release says what is copied from the parent, through dynamic parents as well (C-134).
    """
    name = name.lower()
    template = parent.template or NO_TEMPLATE
    path = f"{parent.path}.{name}"
    copied = {
        key: parent.properties[key] for key in ctx.profile.copied_properties if parent.template is None and key in parent.properties
    }
    properties = {**copied, **template.properties} if is_leaf else copied
    # Quirk: the recovery queue carries the properties of the template but never evaluates them. PL-89
    evaluated = properties if path != RECOVERY_QUEUE else {}
    queue = Queue(
        name=name,
        path=path,
        parent=parent,
        seq=ctx.next_seq(),
        is_leaf=is_leaf,
        is_managed=False,
        settings=settings(evaluated, is_leaf=True, table=ctx.profile.properties) if is_leaf else DEFAULT_SETTINGS,
        properties=properties,
        own_properties=properties,
        maximum=_template_resource(template.resources.max) if is_leaf else None,
        guaranteed=_template_resource(template.resources.guaranteed) if is_leaf else None,
        max_applications=template.max_applications if is_leaf else 0,
        submit_acl=NOBODY,
        admin_acl=NOBODY,
        template=None if is_leaf else parent.template,
    )
    _attach(ctx, parent, queue)
    ctx.emit(QueueCreated(queue.path))
    return queue


def remove(ctx: Context, queue: Queue) -> None:
    """Take an empty queue out of the tree. C-163."""
    assert queue.parent is not None and not queue.children and not queue.applications
    ctx.journal.drop(queue.parent, "children", queue.name)
    for field, _ in queue.astray:
        miscounts.book(ctx, queue.parent, field, getattr(queue, field), "C-163", f"{queue.path} is gone with a sum astray")
    priority.leave(ctx.journal, queue.parent, queue.name)
    ctx.emit(QueueRemoved(queue.path))


def clean(ctx: Context, queue: Queue) -> None:
    """Remove what is empty and either dynamic or draining, children before parents. C-163."""
    for child in children(queue):
        clean(ctx, child)
    if removable(queue) and not queue.applications and not queue.children:
        remove(ctx, queue)


def removable(queue: Queue) -> bool:
    """Whether the queue goes away once it is empty. Root and active managed queues never do. C-163."""
    return queue.parent is not None and (not queue.is_managed or queue.status == "Draining")


def load_acl(text: str, line: int | None) -> Acl:
    """The ACL of a queue being built. ConfigError in the words of a failing load. C-102, C-125."""
    try:
        return Acl.parse(text)
    except ConfigError as error:
        raise ConfigError(f"configured queue creation failed: \n{error.text}", line=line, hint=error.hint) from error


def load_template(config: QueueConfig) -> ChildTemplate | None:
    """The queue's own child template, None if it says nothing; its quantities must be readable. C-125, C-140."""
    template = config.child_template
    if template is None or not _says_something(template):
        return None
    try:
        from_config(template.resources.max)
        from_config(template.resources.guaranteed)
    except QuantityError as error:
        raise ConfigError(f"configured queue creation failed: \n{error}", line=template.line) from error
    return template


def _says_something(template: ChildTemplate) -> bool:
    maps = (template.properties, template.resources.max or {}, template.resources.guaranteed or {})
    return template.max_applications > 0 or any(key and value for texts in maps for key, value in texts.items())


def set_or_none(resource: Resource) -> Resource | None:
    """A resource without any positive quantity counts as not set. C-122, R-423."""
    return resource if strictly_greater_than_zero(resource) else None


def _template_resource(texts: Mapping[str, str] | None) -> Resource | None:
    resource = from_config(texts)
    return None if has_negative_value(resource) else set_or_none(resource)


def _attach(ctx: Context, parent: Queue | None, queue: Queue) -> None:
    if parent is not None:
        ctx.journal.put(parent, "children", queue.name, queue)
        priority.enter(ctx.journal, parent, queue.name)
