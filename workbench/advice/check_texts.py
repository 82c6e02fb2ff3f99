"""What is said around the sentence of a check: how urgent it is, and its place."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.explain.wording import name

SEVERITY_NAMES: Mapping[str, str] = {"error": "error", "warning": "warning", "hint": "hint"}
REMEDY = "remedy"


def check_head(severity: str, code: str, line: int | None, path: str, key: str) -> str:
    """The place of a check before its sentence, such as "line 12: warning L-13: root.a: properties.priority.ofset"."""
    parts = [
        f"line {line}" if line else "",
        f"{SEVERITY_NAMES.get(severity) or name(severity)} {name(code)}",
        name(path, None) if path else "",
        name(key, 120) if key else "",
    ]
    return ": ".join(part for part in parts if part)
