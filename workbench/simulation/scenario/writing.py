"""Scenarios written in the recorded form: as plain values, as JSON, and as YAML for people.

What reads back equals what was written. What no file can say (`checks`) is refused, never written in part.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from workbench.config.read import yaml_nodes, yaml_scalars
from workbench.scheduler.records import commands
from workbench.scheduler.records.command_checks import RELEASE_TYPES, TEXT
from workbench.scheduler.records.commands import AskSpec
from workbench.scheduler.releases.profiles import DEFAULT
from workbench.simulation.scenario.checks import MS_NS, check_input, check_planned
from workbench.simulation.scenario.model import RECORDED, AdvanceMs, Happening, Scenario, Schedule, Until
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource
from workbench.values.text import is_text


def scenario_to_dict(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain dicts, lists, texts and integers; keys at their default are left out.

    ScenarioError for what the form cannot say, such as a negative amount or a part of a millisecond.
    """
    for name, said in (("name", scenario.name), ("description", scenario.description), ("config", scenario.text)):
        if not is_text(said):
            raise ScenarioError(f"the {name} of the scenario cannot be written: it must be {TEXT.allowed}")
    found: dict[str, Any] = {"name": scenario.name}
    if scenario.description:
        found["description"] = scenario.description
    if scenario.engine != DEFAULT.version:
        found["engine"] = scenario.engine
    if not scenario.confirm_releases:
        found["confirm_releases"] = False
    if scenario.pace != RECORDED:
        found["pace"] = {"message_ns": scenario.pace.message_ns, "cycle_ns": scenario.pace.cycle_ns}
    found["config"] = scenario.text
    found["events"] = [*_events(scenario)]
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


def _events(scenario: Scenario) -> Iterator[dict[str, Any]]:
    """What happens in order, then what has a time."""
    written = 0
    try:
        for event in scenario.events:
            check_input(event.command)
            yield _event(event.command) | ({"snapshot": True} if event.snapshot else {})
            written += 1
        for each in scenario.planned:
            check_planned(each.command, each.at_ms)
            yield {"at_ms": each.at_ms, **_event(each.command)}
            written += 1
    except CommandError as error:
        raise ScenarioError(f"events[{written}] cannot be written to a scenario file: {error}") from None


def _event(command: Happening) -> dict[str, Any]:
    found = _WRITERS[type(command)](command)
    partition = getattr(command, "partition", "default")
    if partition == "default":
        return found
    return {kind: {**(body if isinstance(body, dict) else {"id": body}), "partition": partition} for kind, body in found.items()}


def _add_node(command: commands.AddNode) -> dict[str, Any]:
    body: dict[str, Any] = {"id": command.node_id, "resources": _amounts(command.capacity)}
    if command.attributes:
        body["attributes"] = dict(command.attributes)
    if command.taints:
        body["taints"] = list(command.taints)
    if not command.schedulable:
        body["schedulable"] = False
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
        body["execution_timeout_ms"] = spec.execution_timeout_ns // MS_NS
    return {"add_app": body}


def _add_allocation(command: commands.AddAllocation) -> dict[str, Any]:
    body = _ask(command.ask)
    body["node"] = command.node_id
    if command.foreign:
        body["foreign"] = True
    return {"add_allocation": body}


def _ask(spec: AskSpec) -> dict[str, Any]:
    body: dict[str, Any] = {"app": spec.application_id, "key": spec.key, "resources": _amounts(spec.resource)}
    for name, default in (
        ("priority", 0),
        ("created_ns", None),
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
    if spec.tags:
        body["tags"] = dict(spec.tags)
    return body


def _release(command: commands.Release) -> dict[str, Any]:
    body = {"app": command.application_id, "key": command.key}
    if command.type != RELEASE_TYPES[0]:
        body["type"] = command.type
    return {"release": body}


def _amounts(resource: Resource) -> dict[str, int]:
    return dict(resource.items())


_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
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
    Until: lambda c: {"until_ns": c.at_ns},
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
_Dumper.add_multi_representer(str, _write_text)
