"""Facts about submissions: into which queue, as whom or refused with which text, and what becomes of the tree."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config import load_config
from workbench.conformance.config_facts import queue_fact
from workbench.conformance.fact import Fact, Finding, Unchecked, difference
from workbench.scheduler import housekeeping
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec, RemoveApplication, UpdateConfig
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import ApplicationRejected, ConfigRejected
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import Partition
from workbench.scheduler.reload import REJECTED
from workbench.values.resources import Resource

CRASH = "inputs on which the reference crashes"


def placements(facts: list[Fact]) -> Iterator[Finding]:
    """The steps of each case in order, and the dynamic queues that are left at the end."""
    for fact in facts:
        if any(step.get("expect", {}).get("crash") for step in fact["steps"]):
            yield Unchecked(CRASH)
            continue
        engine = Engine(load_config(fact["config"]), history=False)
        expected = {"steps": fact["steps"], "dynamic_queues_at_end": fact["dynamic_queues_at_end"]}
        steps = [_taken(engine, step) for step in fact["steps"]]
        got = {"steps": steps, "dynamic_queues_at_end": _dynamic_queues(engine)}
        yield difference(fact["name"], expected, got)


def _taken(engine: Engine, step: Fact) -> Fact:
    """The step with what came out of it in the place of what was expected."""
    match step:
        case {"submit": submission}:
            return {"submit": submission, "expect": _submitted(engine, submission)}
        case {"reload": text}:
            rejections = [event for event in engine.apply(UpdateConfig(config=text)) if isinstance(event, ConfigRejected)]
            outcome = {"error": rejections[0].reason.removeprefix(REJECTED)} if rejections else {"ok": True}
            return {"reload": text, "expect": outcome}
        case {"clean_queues": True}:
            housekeeping.remove_empty_queues(Context(Journal(history=False), engine.state))
            return step
        case {"remove_application": id}:
            engine.apply(RemoveApplication(application_id=id))
            return step
        case {"tree": _}:
            return {"tree": [queue_fact(queue) for queue in tree.walk(_partition(engine).root)]}
        case _:
            raise KeyError(*step)


def _submitted(engine: Engine, submission: Fact) -> Fact:
    spec = ApplicationSpec(
        id=submission.get("app", "app-1"),
        user=submission["user"],
        groups=tuple(submission["groups"]),
        queue=submission["queue"],
        tags=submission["tags"],
        placeholder_ask=Resource(submission.get("placeholder", {})),
    )
    events = engine.apply(AddApplication(application=spec))
    refused = [event.reason for event in events if isinstance(event, ApplicationRejected)]
    if refused:
        return {"rejected": refused[0]}
    application = _partition(engine).applications[spec.id]
    return {"queue": application.queue_path, "user": application.user, "groups": list(application.groups)}


def _dynamic_queues(engine: Engine) -> list[str]:
    return sorted(queue.path for queue in tree.walk(_partition(engine).root) if not queue.is_managed)


def _partition(engine: Engine) -> Partition:
    return engine.state.partitions["default"]
