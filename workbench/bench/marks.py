"""What stands out on the step rail: reloads and preemptions, as plain data."""

from __future__ import annotations

from typing import TypedDict

from workbench.explain.wording import counted
from workbench.simulation.simulation import Simulation


class Mark(TypedDict):
    """What stands out at a step: which it is, "preempted" or "reload", a sign that does without colour, and a text to hover."""

    step: int
    kind: str
    sign: str
    text: str


def of(simulation: Simulation) -> list[Mark]:
    """The marks by step. Of a reload and a preemption at one step both are told."""
    found: dict[int, Mark] = {
        step.number: {
            "step": step.number,
            "kind": "preempted",
            "sign": "✕",
            "text": mark_preemption(len(step.decision.victims)),
        }
        for step in simulation.steps
        if step.decision.victims
    }
    for step in simulation.reloads:
        before = found.get(step)
        told = (mark_reload(step), before["text"] if before else "")
        sign = before["sign"] if before else ""
        found[step] = {"step": step, "kind": "reload", "sign": sign, "text": " ".join(filter(None, told))}
    return [found[step] for step in sorted(found)]


# ---- in words ---------------------------------------------------------------------------------------------------------


def mark_reload(step: int) -> str:
    return f"The configuration was reloaded at step {step}."


def mark_preemption(victims: int) -> str:
    return f"{counted(victims, 'allocation')} preempted."
