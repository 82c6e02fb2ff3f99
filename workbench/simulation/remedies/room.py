"""More room in a queue, or for a user or group."""

from __future__ import annotations

from dataclasses import replace

from workbench.config import edit
from workbench.config.model import Limit
from workbench.scheduler.objects import tree
from workbench.scheduler.records.refusals.room import NoQueueRoom, NoRoomForRequiredNode, NoUserRoom
from workbench.scheduler.records.refusals.slots import HolderFull
from workbench.simulation.remedies import edits
from workbench.simulation.remedies.case import Case, Trials, proposes
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.errors import ConfigError
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource


@proposes(NoQueueRoom, NoRoomForRequiredNode)
def _raise_maximum(case: Case, refusal: NoQueueRoom) -> Trials:
    """W-11, W-14: more maximum on the queue that binds, for every type it lacks; for the cluster's size a further node."""
    queue, ask = tree.find(case.partition, refusal.subject), case.ask
    if queue is None or queue.maximum is None:
        return
    if queue.parent is None:
        yield from edits.further_node(case)
        return
    wanted = {name: max(limit, queue.allocated.get(name, 0) + ask.resource.get(name, 0)) for name, limit in queue.maximum.items()}
    texts = {name: format_quantity(amount, name) for name, amount in wanted.items()}
    yield from case.edit(
        Remedy("maximum", queue.path, before=queue.maximum, after=Resource(wanted)),
        lambda: edit.with_max(case.config, queue.path, texts, case.partition.name),
    )


@proposes(HolderFull, NoUserRoom)
def _raise_limit(case: Case, refusal: HolderFull | NoUserRoom) -> Trials:
    """W-06 and W-10: the limit of the user or group that binds."""
    kind, who, path = refusal.kind, refusal.who, refusal.subject
    detail = f"{kind} {who}"
    if isinstance(refusal, HolderFull):
        remedy = Remedy("limit-applications", path, detail, refusal.limit, refusal.running + 1)
    else:
        remedy = Remedy(
            "limit",
            path,
            detail,
            Resource({refusal.type: refusal.maximum}),
            Resource({refusal.type: refusal.used + refusal.need}),
        )
    config, partition = case.config, case.partition.name
    yield from case.edit(
        remedy,
        lambda: edit.with_field(
            config, path, "limits", _raised(edit.queue_at(config, path, partition).limits, kind, who, remedy), partition
        ),
    )


def _raised(limits: tuple[Limit, ...], kind: str, who: str, remedy: Remedy) -> tuple[Limit, ...]:
    """The limits with the entry that counts for `who` raised; a named entry counts before a wildcard. PL-102."""

    def names(limit: Limit) -> tuple[str, ...]:
        return limit.users if kind == "user" else limit.groups

    wanted = who if any(who in names(limit) for limit in limits) else "*"
    if not any(wanted in names(limit) for limit in limits):
        raise ConfigError("the limit stands elsewhere")
    raised = []
    for limit in limits:
        if wanted in names(limit):
            if remedy.kind == "limit-applications":
                limit = replace(limit, max_applications=int(str(remedy.after)))
            else:
                assert isinstance(remedy.after, Resource)
                texts = {name: format_quantity(amount, name) for name, amount in remedy.after.items()}
                limit = replace(limit, max_resources={**(limit.max_resources or {}), **texts})
        raised.append(limit)
    return tuple(raised)
