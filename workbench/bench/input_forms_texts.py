"""What the forms and tables of inputs say: faults of what was typed, and each input as a row."""

from __future__ import annotations

from typing import Any

from workbench.explain import words
from workbench.explain.wording import amounts, counted, name, seconds
from workbench.values.found import found

HAPPENED = "happened"


def no_whole_number(label: str, given: object) -> str:
    return f"{name(label)}: {name(given) if isinstance(given, str) else found(given)} is no whole number"


def no_number(label: str, text: str) -> str:
    return f"{name(label)}: {name(text)} is no number"


def no_amounts(label: str, why: str) -> str:
    return f"{name(label)}: {name(why, 200)}; write amounts like vcore: 2, memory: 4Gi"


def wild_repeat(number: int, most: int) -> str:
    return f"repeat: {number} is not between 1 and {most}"


def too_many_inputs(most: int) -> str:
    return f"the table stands for more than {most} inputs"


def cells(found: int, wanted: int) -> str:
    return f"{counted(found, 'cell')} where the header has {wanted}"


def planned_state(at_ns: int, happened: bool, refused: str = "") -> str:
    at = f"at {seconds(at_ns)}"
    if refused:
        return f"{at}, {was_refused(refused)}"
    return f"{HAPPENED}, {at}" if happened else at


def was_refused(why: str) -> str:
    return f"refused: {name(why, 200)}"


def time_has_come(label: str, at_ns: int, now_ns: int) -> str:
    return f"{name(label)}: {seconds(at_ns)} has come already; it is {seconds(now_ns)}"


def input_details(command: Any) -> tuple[str, str]:
    """(name, details) of an input for a table; whatever a command carries that is worth a column."""
    spec = getattr(command, "ask", None)
    if spec is not None:
        parts = [
            amounts(spec.resource),
            f"priority {spec.priority}" if spec.priority else "",
            f"task group {name(spec.task_group)}" if spec.task_group else "",
            "placeholder" if spec.placeholder else "",
            f"on {name(command.node_id)}" if getattr(command, "node_id", "") else "",
        ]
        return words.request(spec.key, spec.application_id), ", ".join(part for part in parts if part)
    spec = getattr(command, "application", None)
    if spec is not None:
        parts = [
            f"queue {name(spec.queue)}" if spec.queue else "",
            f"user {name(spec.user)}" if spec.user else "",
            f"gang of {amounts(spec.placeholder_ask)}" if spec.placeholder_ask else "",
        ]
        return name(spec.id), ", ".join(part for part in parts if part)
    if hasattr(command, "node_id"):
        return name(command.node_id), amounts(getattr(command, "capacity", None))
    if hasattr(command, "at_ns"):
        return f"until {seconds(command.at_ns)}", ""
    if hasattr(command, "ms"):
        return seconds(command.ms * 1_000_000), ""
    if hasattr(command, "cycles"):
        return counted(command.cycles, "cycle"), ""
    if hasattr(command, "key"):
        return words.request(command.key, command.application_id) if command.key else name(command.application_id), ""
    return name(getattr(command, "application_id", "")) if getattr(command, "application_id", "") else "", ""
