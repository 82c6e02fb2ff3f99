"""Labels that several pictures share."""

from __future__ import annotations

from workbench.explain.wording import counted, name

NOTHING_WAITS_TITLE = "Nothing is waiting"


def more_queues(number: int) -> str:
    return f"… and {counted(number, 'more queue')}"


def hidden_queues(number: int) -> str:
    return f"+{counted(number, 'queue')}"


PENDING = "pending"
ALLOCATED = "allocated"
MAXIMUM = "max"
NODE = "node"


def further(number: int) -> str:
    return f"… {number:,} more"


USED = "used"
ABOVE = "used above guaranteed"
NO_GUARANTEE = "no guarantee"


def seen_at(path: str, value: str) -> str:
    return f"{name(path)}: counts as {value}"


def happened(outcome: str, who: str, node: str) -> str:
    """What one mark of the order stands for."""
    texts = {
        "allocated": f"{who} was placed on {node}",
        "reserved": f"{who} reserved {node}",
        "unreserved": f"{who} gave up its reservation of {node}",
        "replaced": f"{who} replaced a placeholder on {node}",
        "preempted": f"room is made for {who} on {node}",
        "stopped": f"{who} was stopped",
        "next": f"{who} is next, on {node}",
    }
    return texts.get(outcome, f"{name(outcome)}: {who} on {node}")
