"""Workloads written in the form that `reading` reads: as plain values, as YAML for people, as JSON. What reads back is equal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from workbench.config.read import yaml_nodes, yaml_scalars
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource
from workbench.workloads.checks import check_workload
from workbench.workloads.model import Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.spans import span_text


def workload_to_dict(workload: Workload) -> dict[str, Any]:
    """The workload as plain dicts, lists, texts and integers, below the key `workload`; what is at its default is left out.

    WorkloadError for one that makes no sense, as `check_workload`.
    """
    check_workload(workload)
    found: dict[str, Any] = {}
    _texts(found, name=workload.name, zero=workload.zero)
    _spans(found, start_delay=(workload.start_delay_ms, 0), warm_up=(workload.warm_up_ms, 0), ends=(workload.ends_ms, None))
    if restarts := restarts_to_dict(workload.restarts):
        found["restarts"] = restarts
    if workload.pools:
        found["pools"] = [pool_to_dict(each) for each in workload.pools]
    if workload.node_events:
        found["node_events"] = [_node_event(each) for each in workload.node_events]
    found["jobs"] = [_job(each) for each in workload.jobs]
    if workload.notes:
        found["notes"] = list(workload.notes)
    return {"workload": found}


def workload_to_yaml(workload: Workload) -> str:
    """The workload as YAML, one line for each job, pool and event."""
    return "".join(f"{line}\n" for line in _yaml_lines(workload_to_dict(workload)["workload"]))


def workload_to_json(workload: Workload) -> str:
    """The workload as JSON."""
    return json.dumps(workload_to_dict(workload), separators=(",", ":"), ensure_ascii=False) + "\n"


def _job(job: Job) -> dict[str, Any]:
    found: dict[str, Any] = {"id": job.id, "submit": span_text(job.submit_ms)}
    _texts(found, user=job.user, queue=job.queue)
    found.update({"class": job.kind} if job.kind else {})
    if job.priority:
        found["priority"] = job.priority
    _lists(found, groups=job.groups, after=job.after)
    _maps(found, tags=job.tags)
    if job.gang is not None:
        found["gang"] = {"style": job.gang.style}
        _spans(found["gang"], timeout=(job.gang.timeout_ms, 0))
    only = job.tasks[0]
    if len(job.tasks) == 1 and not only.name and only.priority is None and not only.tags:
        found.update(_tasks(only))
    else:
        found["tasks"] = [_tasks(each) for each in job.tasks]
    return found


def _tasks(tasks: Tasks) -> dict[str, Any]:
    found: dict[str, Any] = {}
    _texts(found, name=tasks.name)
    found["resources"] = _amounts(tasks.resource)
    if tasks.count != 1:
        found["count"] = tasks.count
    if isinstance(tasks.duration_ms, tuple):
        found["duration"] = ["forever" if each is None else span_text(each) for each in tasks.duration_ms]
    elif tasks.duration_ms is not None:
        found["duration"] = span_text(tasks.duration_ms)
    if tasks.priority is not None:
        found["priority"] = tasks.priority
    for key, value in (("preemptible", tasks.preemptible), ("may_preempt", tasks.may_preempt)):
        if not value:
            found[key] = False
    _maps(found, node_selector=tasks.node_selector, tags=tasks.tags)
    _lists(found, tolerations=tasks.tolerations, allowed_nodes=tasks.allowed_nodes or ())
    _texts(found, required_node=tasks.required_node)
    return found


def pool_to_dict(pool: Pool) -> dict[str, Any]:
    """One entry of `pools`."""
    usual = Pool(name="usual", capacity=pool.capacity)
    found: dict[str, Any] = {"name": pool.name, "count": pool.count, "resources": _amounts(pool.capacity)}
    _maps(found, attributes=pool.attributes)
    _lists(found, taints=pool.taints)
    if pool.minimum is not None:
        found["minimum"], found["maximum"] = pool.minimum, pool.maximum
    _spans(
        found,
        start_delay=(pool.start_delay_ms, usual.start_delay_ms),
        idle=(pool.idle_ms, usual.idle_ms),
        fails_every=(pool.fails_every_ms, None),
        repair=(pool.repair_ms, usual.repair_ms),
    )
    return found


def _node_event(event: NodeEvent) -> dict[str, Any]:
    found: dict[str, Any] = {"at": span_text(event.at_ms), "node": event.node_id, "happens": event.happens}
    if event.capacity is not None:
        found["resources"] = _amounts(event.capacity)
    _maps(found, attributes=event.attributes)
    _lists(found, taints=event.taints)
    return found


def restarts_to_dict(restarts: Restarts) -> dict[str, Any]:
    """The value of `restarts`; empty if all is at its default."""
    usual = Restarts()
    found: dict[str, Any] = {}
    if restarts.comes_back_after_ms is None:
        found["comes_back_after"] = "never"
    else:
        _spans(found, comes_back_after=(restarts.comes_back_after_ms, usual.comes_back_after_ms))
    if restarts.how != usual.how:
        found["how"] = restarts.how
    _spans(found, checkpoint=(restarts.checkpoint_ms, usual.checkpoint_ms))
    return found


def _amounts(resource: Resource) -> dict[str, str]:
    return {name: format_quantity(amount, name) for name, amount in resource.items()}


def _texts(found: dict[str, Any], **given: str) -> None:
    found.update({key: value for key, value in given.items() if value})


def _lists(found: dict[str, Any], **given: tuple[str, ...]) -> None:
    found.update({key: list(value) for key, value in given.items() if value})


def _maps(found: dict[str, Any], **given: Mapping[str, str]) -> None:
    found.update({key: dict(value) for key, value in given.items() if value})


def _spans(found: dict[str, Any], **given: tuple[int | None, int | None]) -> None:
    """Each as (value, default)."""
    found.update({key: span_text(value) for key, (value, usual) in given.items() if value is not None and value != usual})


# -- YAML with a line for each entry; a writer of any YAML would take a minute for a hundred thousand jobs ---------------------

_PLAIN = re.compile("[A-Za-z0-9_/][A-Za-z0-9_./-]*")
_WORDS = frozenset("y n yes no on off".split())
"""Texts to us, switches to readers of YAML 1.1."""
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def _yaml_lines(body: dict[str, Any]) -> Iterator[str]:
    yield "workload:"
    for key, value in body.items():
        if isinstance(value, list) and value:
            yield f"  {key}:"
            yield from (f"    - {_flow(entry)}" for entry in value)
        else:
            yield f"  {key}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=10_000)
def _scalar(text: str) -> str:
    """A text as it is, or in quotes where a reader would take it for something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        if isinstance(yaml_scalars.meaning(yaml_nodes.ScalarNode(1, text, None, False)), str):
            return text
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
