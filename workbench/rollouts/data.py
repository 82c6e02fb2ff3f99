"""A rollout as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from workbench.rollouts.course import Course

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout


def as_data(found: Rollout) -> dict[str, object]:
    """Amounts are in base units (thousandths of a vcore, bytes), times are nanoseconds after the change."""
    effects, back = found.effects, found.back
    return {
        "sentence": found.sentence,
        "exit_code": found.exit_code,
        "against": list(found.against),
        "release": found.live.release,
        "notes": list(found.live.notes),
        "acceptance": {
            "at_start": found.acceptance.at_start,
            "as_reload": found.acceptance.as_reload,
            "line": found.acceptance.line,
            "unchanged": found.acceptance.unchanged,
            "hangs": list(found.acceptance.hangs),
        },
        "changes": [str(each) for each in found.edits],
        "effects": None
        if effects is None
        else {
            "minutes": effects.new.minutes,
            "stopped": _plain(effects.stopped),
            "spared": _plain(effects.spared),
            "drained": _plain(effects.drained),
            "over": _plain(effects.over),
            "stays": _plain(effects.stays),
            "admissions": _plain(effects.admissions),
            "waits": _plain(effects.waits),
            "today": _course(effects.today),
            "new": _course(effects.new),
        },
        "advice": [
            {"code": each.code, "severity": each.severity, "path": each.path, "line": each.line, "text": each.text}
            for each in found.advice.new
        ],
        "comparison": None if found.comparison is None else found.comparison.as_data(),
        "people": {each.queue: each.text for each in found.tidings},
        "back": None if back is None else _plain(back),
    }


def _course(course: Course) -> dict[str, Any]:
    return {each: _plain(getattr(course, each)) for each in ("started", "stopped", "refused", "gone", "uses")}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value
