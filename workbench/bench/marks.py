"""What stands out on the step rail: reloads and preemptions, as plain data."""

from __future__ import annotations

from workbench.explain.wording import counted
from workbench.simulation.simulation import Simulation


def of(simulation: Simulation) -> list[dict]:
    """{"step", "kind", "sign", "text"} by step. Of a reload and a preemption at one step both are told."""
    found = {
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
        before = found.get(step, {"sign": "", "text": ""})
        text = " ".join(part for part in (mark_reload(step), before["text"]) if part)
        found[step] = {"step": step, "kind": "reload", "sign": before["sign"], "text": text}
    return [found[step] for step in sorted(found)]


# ---- in words ---------------------------------------------------------------------------------------------------------


def mark_reload(step: int) -> str:
    return f"The configuration was reloaded at step {step}."


def mark_preemption(victims: int) -> str:
    return f"{counted(victims, 'allocation')} preempted."
