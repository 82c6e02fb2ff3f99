"""A `Synthetic` as plain values and as YAML, which `reading` takes for an equal one. What is as by default is left out."""

from __future__ import annotations

import yaml

from workbench.workloads.generators.arrivals import written_arrivals
from workbench.workloads.generators.distributions import written_distribution
from workbench.workloads.generators.notation import NUMBER, SPAN, amount_of
from workbench.workloads.generators.sizes import Size
from workbench.workloads.generators.spec import SINGLE, JobClass, Synthetic
from workbench.workloads.generators.users import Users
from workbench.workloads.model import Restarts
from workbench.workloads.writing import pool_to_dict, restarts_to_dict


def written(spec: Synthetic) -> dict[str, object]:
    """The description as plain dicts, lists, texts and numbers."""
    made: dict[str, object] = {}
    if spec.name:
        made["name"] = spec.name
    made["length"] = SPAN.write(spec.length_ms)
    if spec.load is not None:
        made["load"] = NUMBER.write(spec.load)
    if spec.seed:
        made["seed"] = spec.seed
    if spec.warm_up_ms:
        made["warm_up"] = SPAN.write(spec.warm_up_ms)
    if spec.start_delay_ms:
        made["start_delay"] = SPAN.write(spec.start_delay_ms)
    if spec.restarts != Restarts():
        made["restarts"] = restarts_to_dict(spec.restarts)
    if spec.pools:
        made["pools"] = [pool_to_dict(pool) for pool in spec.pools]
    if spec.users != Users():
        made["users"] = _users(spec.users)
    made["classes"] = [_class(each) for each in spec.classes]
    return made


def to_yaml(written: dict[str, object]) -> str:
    """Plain values as YAML, in the order in which they are."""
    text: str = yaml.dump(written, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return text


class _Dumper(yaml.SafeDumper):
    """Quotes what another reader of YAML would take for something else, and shares nothing."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _class(each: JobClass) -> dict[str, object]:
    made: dict[str, object] = {"name": each.name}
    if each.queue:
        made["queue"] = each.queue
    if each.share is not None:
        made["share"] = NUMBER.write(each.share)
    made["arrivals"] = written_arrivals(each.arrivals)
    made["duration"] = written_distribution(each.duration, SPAN)
    if len(each.sizes) == 1 and each.sizes[0].weight == 1:
        made["size"] = _size(each.sizes[0])
    else:
        made["sizes"] = [_size(size) for size in each.sizes]
    if each.tasks != SINGLE:
        made["tasks"] = written_distribution(each.tasks)
    if each.same_duration:
        made["same_duration"] = True
    if each.gang is not None:
        gang: dict[str, object] = {}
        if each.gang.style != "Soft":
            gang["style"] = each.gang.style
        if each.gang.timeout_ms:
            gang["timeout"] = SPAN.write(each.gang.timeout_ms)
        if each.gang_share != 1:
            gang["share"] = NUMBER.write(each.gang_share)
        made["gang"] = gang or True
    if each.priority:
        made["priority"] = each.priority
    for key in ("preemptible", "may_preempt"):
        if not getattr(each, key):
            made[key] = False
    if each.node_selector:
        made["node_selector"] = dict(each.node_selector)
    if each.tolerations:
        made["tolerations"] = list(each.tolerations)
    if each.tags:
        made["tags"] = dict(each.tags)
    if each.users is not None:
        made["users"] = _users(each.users)
    return made


def _size(size: Size) -> dict[str, object]:
    made: dict[str, object] = {name: written_distribution(value, amount_of(name)) for name, value in size.amounts.items()}
    return made if size.weight == 1 else {**made, "weight": NUMBER.write(size.weight)}


def _users(users: Users) -> dict[str, object]:
    made: dict[str, object] = {"names": list(users.names)} if users.names else {"count": users.count}
    if users.zipf != 1:
        made["zipf"] = NUMBER.write(users.zipf)
    if users.prefix != "user-":
        made["prefix"] = users.prefix
    if users.groups:
        made["groups"] = list(users.groups)
    return made
