"""The configuration in force as the core writes it: every key in the order of its records, what is empty left out."""

from __future__ import annotations

from typing import Any

import yaml

from workbench.rest.source import Source


def as_document(source: Source) -> dict[str, Any]:
    return {}


def as_yaml(document: dict[str, Any]) -> str:
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=2**20)
