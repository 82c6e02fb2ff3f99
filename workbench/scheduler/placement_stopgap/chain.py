"""The loop over the rules."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler import access, tree
from workbench.scheduler.commands import ApplicationSpec
from workbench.scheduler.dynamic_queues import nearest_existing
from workbench.scheduler.placement_stopgap import rules, tags
from workbench.scheduler.placement_stopgap.identity import Identity
from workbench.scheduler.placement_stopgap.rules import Request, RuleError
from workbench.scheduler.state import Partition

NO_MATCH = "application rejected: no placement rule matched"
DEFAULT_QUEUE = "root.default"


@dataclass(frozen=True, slots=True)
class RuleStep:
    rule: str
    path: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    path: str
    steps: tuple[RuleStep, ...]


@dataclass(frozen=True, slots=True)
class NotPlaced:
    reason: str
    steps: tuple[RuleStep, ...]


def place(partition: Partition, application: ApplicationSpec, identity: Identity) -> Placed | NotPlaced:
    request = Request(partition, application, identity)
    steps: list[RuleStep] = []
    for rule in partition.placement_rules or ():
        name = rules.canonical(rule.name)
        try:
            path = rules.run(rule, request)
        except RuleError as error:
            return NotPlaced(_failed(application, str(error)), tuple(steps))
        if path is None and rule is rules.RECOVERY and tree.find(partition, DEFAULT_QUEUE) is not None:
            name, path = "default queue", DEFAULT_QUEUE
        step = RuleStep(name, "", "nothing") if path is None else _judge(name, path, request)
        steps.append(step)
        if step.verdict == "taken":
            return Placed(step.path, tuple(steps))
    return NotPlaced(_failed(application, NO_MATCH), tuple(steps))


def _judge(name: str, path: str, request: Request) -> RuleStep:
    if path == tree.RECOVERY_QUEUE and tags.is_forced(request.application.tags):
        return RuleStep(name, path, "taken")
    identity = request.identity
    queue = tree.find(request.partition, path)
    if queue is None:
        ancestor, _ = nearest_existing(request.partition, path)
        if not access.may_submit(ancestor, identity.user, identity.groups):
            return RuleStep(name, path, "no-access", ancestor.path)
    elif not queue.is_leaf:
        return RuleStep(name, path, "parent", queue.path)
    elif not access.may_submit(queue, identity.user, identity.groups):
        return RuleStep(name, path, "no-access", queue.path)
    elif queue.status == "Draining":
        return RuleStep(name, path, "draining", queue.path)
    return RuleStep(name, path, "taken")


def _failed(application: ApplicationSpec, text: str) -> str:
    return f"failed to place application {application.id}: {text}"
