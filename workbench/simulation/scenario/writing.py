"""Scenarios written in the recorded form: as plain values, as JSON, and as YAML for people.

What reads back equals what was written. The form knows one partition and simulated milliseconds; a scenario made in
code that needs more is refused, never written in part.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from workbench.config.read import yaml_nodes, yaml_scalars
from workbench.scheduler.records import commands
from workbench.scheduler.records.commands import ApplicationSpec, AskSpec
from workbench.scheduler.releases.profiles import DEFAULT
from workbench.simulation.scenario.model import AdvanceMs, Scenario, ScenarioEvent, Schedule
from workbench.values.errors import ScenarioError
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

MS_NS = 1_000_000


def scenario_to_dict(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain dicts, lists, texts and integers; keys at their default are left out.

    ScenarioError for what the form cannot say: another partition, a node registered as draining, a part of a millisecond.
    """
    found: dict[str, Any] = {"name": scenario.name}
    if scenario.description:
        found["description"] = scenario.description
    if scenario.engine != DEFAULT.version:
        found["engine"] = scenario.engine
    if not scenario.confirm_releases:
        found["confirm_releases"] = False
    found["config"] = scenario.config
    found["events"] = [_event(event) for event in scenario.events]
    found["events"] += [
        {"at_ms": each.at_ms, **_event(ScenarioEvent(each.command, index=len(scenario.events) + index))}
        for index, each in enumerate(scenario.planned)
    ]
    if scenario.expect is not None:
        found["expect"] = scenario.expect
    return found


def scenario_to_json(scenario: Scenario) -> str:
    """The scenario as JSON, resources as integers in base units."""
    return json.dumps(scenario_to_dict(scenario), separators=(",", ":"), ensure_ascii=False) + "\n"


def scenario_to_yaml(scenario: Scenario) -> str:
    """The scenario as YAML, resources as quantities."""
    found = scenario_to_dict(scenario)
    for event in found["events"]:
        for body in event.values():
            for key in ("resources", "placeholder_ask"):
                if isinstance(body, dict) and key in body:
                    body[key] = {name: format_quantity(amount, name) for name, amount in body[key].items()}
    return yaml.dump(found, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


def _event(event: ScenarioEvent) -> dict[str, Any]:
    command = event.command
    writer = _WRITERS.get(type(command))
    if writer is None:
        raise _unwritable(event, f"{type(command).__name__} is no event of a scenario file")
    if getattr(command, "partition", "default") != "default":
        raise _unwritable(event, f"it is for partition {command.partition!r}")  # type: ignore[union-attr]
    try:
        found = writer(command)
    except ValueError as error:
        raise _unwritable(event, str(error)) from None
    if event.snapshot:
        found["snapshot"] = True
    return found


def _unwritable(event: ScenarioEvent, why: str) -> ScenarioError:
    return ScenarioError(f"events[{event.index}] cannot be written to a scenario file: {why}")


def _add_node(command: commands.AddNode) -> dict[str, Any]:
    if not command.schedulable:
        raise ValueError("the node registers as draining; add it and then drain it")
    body: dict[str, Any] = {"id": command.node_id, "resources": _amounts(command.capacity)}
    if command.attributes:
        body["attributes"] = dict(command.attributes)
    if command.taints:
        body["taints"] = list(command.taints)
    return {"add_node": body}


def _add_application(command: commands.AddApplication) -> dict[str, Any]:
    spec = command.application
    body: dict[str, Any] = {"id": spec.id, "queue": spec.queue, "user": spec.user}
    if spec.groups:
        body["groups"] = list(spec.groups)
    if spec.tags:
        body["tags"] = dict(spec.tags)
    if spec.placeholder_ask is not None:
        body["placeholder_ask"] = _amounts(spec.placeholder_ask)
    if spec.gang_style:
        body["gang_style"] = spec.gang_style
    if spec.execution_timeout_ns:
        body["execution_timeout_ms"] = _timeout_ms(spec)
    return {"add_app": body}


def _timeout_ms(spec: ApplicationSpec) -> int:
    ms, rest = divmod(spec.execution_timeout_ns, MS_NS)
    if rest:
        raise ValueError(f"a time-out of {spec.execution_timeout_ns} ns is no whole number of milliseconds")
    return ms


def _add_allocation(command: commands.AddAllocation) -> dict[str, Any]:
    body = _ask(command.ask)
    body["node"] = command.node_id
    if command.foreign:
        body["foreign"] = True
    return {"add_allocation": body}


def _ask(spec: AskSpec) -> dict[str, Any]:
    if spec.created_ns is not None or spec.tags:
        raise ValueError("an ask with a creation time or tags of its own")
    if spec.allowed_nodes == ():
        raise ValueError("an ask that no node may take")
    body: dict[str, Any] = {"app": spec.application_id, "key": spec.key, "resources": _amounts(spec.resource)}
    for name, default in (
        ("priority", 0),
        ("task_group", ""),
        ("placeholder", False),
        ("originator", False),
        ("allow_preempt_self", True),
        ("allow_preempt_other", True),
        ("required_node", ""),
    ):
        if getattr(spec, name) != default:
            body[name] = getattr(spec, name)
    if spec.allowed_nodes is not None:
        body["allowed_nodes"] = list(spec.allowed_nodes)
    if spec.node_selector:
        body["node_selector"] = dict(spec.node_selector)
    if spec.tolerations:
        body["tolerations"] = list(spec.tolerations)
    return body


def _release(command: commands.Release) -> dict[str, Any]:
    if command.type != "STOPPED_BY_RM":
        raise ValueError(f"a release of type {command.type} is sent by the driver, not by a scenario")
    return {"release": {"app": command.application_id, "key": command.key}}


def _amounts(resource: Resource) -> dict[str, int]:
    if any(amount < 0 for amount in resource.amounts.values()):
        raise ValueError(f"a negative amount in {resource!r}")
    return dict(resource.items())


_WRITERS = {
    commands.AddNode: _add_node,
    commands.UpdateNode: lambda c: {"update_node": {"id": c.node_id, "resources": _amounts(c.capacity)}},
    commands.DrainNode: lambda c: {"drain_node": c.node_id},
    commands.UndrainNode: lambda c: {"undrain_node": c.node_id},
    commands.RemoveNode: lambda c: {"remove_node": c.node_id},
    commands.AddApplication: _add_application,
    commands.RemoveApplication: lambda c: {"remove_app": c.application_id},
    commands.AddAsk: lambda c: {"add_ask": _ask(c.ask)},
    commands.AddAllocation: _add_allocation,
    commands.Release: _release,
    commands.UpdateConfig: lambda c: {"update_config": c.text},
    AdvanceMs: lambda c: {"advance_ms": c.ms},
    Schedule: lambda c: {"schedule": c.cycles},
}


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, and quotes around whatever the reader would take for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if any(mark in text for mark in "\r\x85\u2028\u2029"):
        style = '"'  # the only style that tells these line breaks apart
    elif "\n" in text:
        style = "|"
    elif isinstance(yaml_scalars.meaning(yaml_nodes.ScalarNode(1, text, None, False)), str):
        style = None
    else:
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _write_text)
