"""Facts about single objects of Kubernetes: what its side makes of pods, nodes and namespaces. K-1 to K-33."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from workbench.conformance.fact import Fact, Finding, Unchecked, difference
from workbench.importers.kubernetes import (
    applications,
    belonging,
    constraints,
    gangs,
    namespaces,
    nodes,
    priorities,
    sizes,
    words,
)
from workbench.scheduler.releases.profiles import V1_8

_OF_RELEASE = re.compile(r"(\d+\.\d+) ")


def objects(facts: list[Fact]) -> Iterator[Finding]:
    """What one object, or a pod and a node, mean to the scheduler. A name that begins with a release is of that one."""
    for fact in facts:
        said = _OF_RELEASE.match(fact["name"])
        release = said[1] if said else V1_8.version
        if fact.get("fit"):
            got = _fit(fact)
        elif "pod" in fact:
            got = _pod(fact["pod"], release)
        elif "node" in fact:
            got = {"resource": nodes.node_size(fact["node"]), "unschedulable": nodes.is_cordoned(fact["node"])}
        elif "namespace" in fact:
            found = namespaces.quotas_of(fact["namespace"])
            got = {
                "quota": found.quota,
                "guaranteed": found.guaranteed,
                "max_apps": found.max_apps,
                "parent_queue": found.parent_queue,
            }
        else:
            yield Unchecked("objects of other kinds")
            continue
        yield difference(fact["name"], fact["expect"], got)


def _pod(pod: Fact, release: str) -> Fact:
    is_ours, is_bound = belonging.is_ours(pod), belonging.is_bound(pod)
    size = sizes.pod_size(pod, release)
    tags = applications.pod_tags(pod, constraints.required_node(pod))
    got: Fact = {
        "admission_labels": applications.admission_labels(pod),
        "admission_labels_unique": applications.admission_labels(pod, unique=True),
        "assigned": is_bound,
        "foreign": not is_ours,
        "placeholder": gangs.is_placeholder(pod),
        "priority": priorities.priority_of(pod, {}),
        "resource": size,
        "tags": tags,
        "task_group": gangs.task_group_name(pod),
        "terminated": belonging.has_ended(pod),
    }
    said = priorities.allow_preemption(pod)
    if said:
        got["allow_preemption_annotation"] = said
    if is_ours:
        got["app"] = _application(pod)
    elif is_bound:
        created = datetime.fromisoformat(pod["metadata"]["creationTimestamp"])
        own = {words.TAG_CREATED: str(int(created.timestamp())), words.TAG_FOREIGN: belonging.foreign_kind(pod)}
        got["foreign_allocation"] = {
            "key": pod["metadata"]["uid"],
            "node": pod["spec"]["nodeName"],
            "resource": size,
            "tags": {**tags, **own},
        }
    return got


def _application(pod: Fact) -> Fact:
    user, policy = applications.user_of(pod), gangs.policy_of(pod)
    got: Fact = {
        "gang_style": policy.style,
        "groups": None if user.groups is None else list(user.groups),
        "id": applications.application_id(pod),
        "placeholder_timeout_s": policy.timeout_s,
        "queue": applications.queue_name(pod),
        "tags": applications.application_tags(pod),
        "task_groups": [],
        "user": user.name,
    }
    try:
        got["task_groups"] = [
            {
                "minMember": each.members,
                "minResource": each.total,
                "name": each.name,
                "nodeSelector": None if each.node_selector is None else dict(each.node_selector),
            }
            for each in gangs.task_groups(pod)
        ]
    except gangs.GangError as error:
        got["task_groups_error"] = str(error)
    return got


def _fit(fact: Fact) -> Fact:
    spec, node = fact["pod"]["spec"], fact["node"]
    got: Fact = {}
    try:
        got["affinity"] = constraints.selects(spec, node["metadata"]["name"], node["metadata"].get("labels", {}))
    except constraints.AffinityError as error:
        got.update(affinity=False, affinity_error=str(error))
    refused = constraints.untolerated(spec, constraints.taints_of(node))
    if refused:
        got["untolerated"] = refused
    got["fits"] = got["affinity"] and not refused
    return got
