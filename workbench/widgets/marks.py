"""What stands out on the step rail: reloads and preemptions, as plain data."""

from __future__ import annotations

from workbench.explain import catalogue
from workbench.simulation.simulation import Simulation
from workbench.widgets import study


def of(simulation: Simulation) -> list[dict]:
    """{"step", "kind", "sign", "text"} by step; a reload hides a preemption at the same step, but not its text."""
    found = {step.number: {"step": step.number, "kind": "preempted", "sign": "✕",
                           "text": catalogue.mark_preemption(len(step.decision.victims))}
             for step in simulation.steps if step.decision.victims}
    for step in study.reloads(simulation):
        said = [catalogue.mark_reload(step), found[step]["text"] if step in found else ""]
        found[step] = {"step": step, "kind": "reload", "sign": "◇", "text": " ".join(part for part in said if part)}
    return [found[step] for step in sorted(found)]
