"""What is below `/workbench/v1`, described as OpenAPI, made from the very table that is followed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.server.actions import PREFIX, Action, Field

VERSION = "1"
"""Of what is below that address; part of the address."""
BODIES = {
    "events": ("application/json", "One event of a scenario file, or a list of them."),
    "queues.yaml": ("application/yaml", "The text of a queues.yaml; comments stay."),
}


def described(actions: Iterable[Action]) -> dict[str, Any]:
    """The document."""
    paths: dict[str, dict[str, Any]] = {}
    for action in actions:
        paths.setdefault(PREFIX + action.name, {})[action.method.lower()] = _operation(action)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Policy workbench", "version": VERSION},
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def _operation(action: Action) -> dict[str, Any]:
    found: dict[str, Any] = {
        "summary": action.about,
        "responses": {
            "200": {"description": "What it came to."},
            "400": {"description": "Refused, with the reason in `message`; nothing changed."},
            "409": {"description": "Something else is under way."},
        },
    }
    if action.method == "GET":
        found["parameters"] = [{"name": each.name, "in": "query", **_described(each)} for each in action.fields]
    elif action.body:
        kind, about = BODIES[action.body]
        found["requestBody"] = {"required": True, "description": about, "content": {kind: {"schema": {}}}}
    elif action.fields:
        schema = {
            "type": "object",
            "properties": {each.name: {"type": each.kind, "description": each.about} for each in action.fields},
            "required": [each.name for each in action.fields if each.needed],
        }
        found["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return found


def _described(field: Field) -> dict[str, Any]:
    return {"description": field.about, "required": field.needed, "schema": {"type": field.kind}}
