"""What is said about settings that have no effect or cannot be read."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.explain.wording import name

_NO_EFFECT: Mapping[tuple[str, str], str] = {
    ("Priority", "root"): "No effect on root: there is no queue beside it to compare with.",
    ("application.sort.policy", "parent"): "Only leaf queues sort applications.",
    ("application.sort.policy", "root"): "Only leaf queues sort applications.",
    ("resources.max", "root"): "The nodes are the maximum of root; a configured one is refused.",
    ("resources.guaranteed", "root"): "Root has no guarantee; a configured one is refused.",
    ("childtemplate", "leaf"): "No effect on a leaf: no queue is created below it.",
    ("parent", "root"): "Root is always a parent.",
    ("preemption.delay", "parent"): "Only used on a leaf; the leaves below begin with what is set here.",
    ("preemption.delay", "root"): "Only used on a leaf; the leaves below begin with what is set here.",
    ("preemption.quota.delay", "root"): "Root has no maximum that could be lowered.",
}


def no_effect(key: str, tab: str, position: str) -> str:
    """Why a setting has no effect at a queue that is "root", a "parent" or a "leaf"."""
    used = "parent" if position == "leaf" else "leaf"
    return _NO_EFFECT.get((key, position)) or _NO_EFFECT.get((tab, position)) or f"Only used on a {used}."


def unknown_to_release(release: str) -> str:
    return f"Release {name(release)} does not know this setting."


def no_count(text: str) -> str:
    return f"{name(text)} is no whole number from 0 up"


def no_switch(text: str) -> str:
    return f"{name(text)} is neither true nor false"
