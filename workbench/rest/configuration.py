"""`config`: the configuration in force. `validate-conf`: what the loader would say to another. RE-20."""

from __future__ import annotations

from typing import Any

from workbench.config import load_config
from workbench.rest.answer import YAML, Answer, of_document, of_text
from workbench.rest.config_document import document
from workbench.rest.go_words import misfit
from workbench.rest.go_yaml import go_yaml
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.values.errors import ConfigError


def config(source: Source, request: Request) -> Answer:
    """As YAML; as JSON for who accepts exactly that."""
    found = document(source.state.config, source.extra)
    if request.headers.get("accept") == "application/json":
        return of_document(found)
    return of_text(go_yaml(found), YAML)


def validate(source: Source, request: Request) -> dict[str, Any]:
    """Whether the scheduler would take the configuration in the body; if not, its first reason."""
    text = request.body.decode("utf-8", "replace")
    reason = misfit(text)
    if not reason:
        try:
            load_config(text, limits_by_path=source.state.profile.limits_by_path)
        except ConfigError as error:
            reason = error.text
    return {"allowed": False, "reason": reason} if reason else {"allowed": True}
