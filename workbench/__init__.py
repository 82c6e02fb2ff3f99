"""Design, step through and explain queue policies of a YuniKorn-style scheduler.

    import workbench as wb

    sim = wb.Simulation.from_scenario(wb.example("multitenancy"))
    decision = sim.step()
    print(wb.explain.why(decision))

Names load on first use, so that importing the package is quick and needs neither Jupyter nor a plotting library.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "CommandError": "workbench.values.errors",
    "ConfigError": "workbench.values.errors",
    "ScenarioError": "workbench.values.errors",
    "WorkbenchError": "workbench.values.errors",
    "WorkloadError": "workbench.values.errors",
    "Resource": "workbench.values.resources",
    "compiled": "workbench.values.compiled",
    "load_config": "workbench.config",
    "load_path": "workbench.config",
    "SchedulerConfig": "workbench.config.model",
    "QueueConfig": "workbench.config.model",
    "Engine": "workbench.scheduler.engine",
    "Decision": "workbench.scheduler.records.decision",
    "Scenario": "workbench.simulation.scenario",
    "load_scenario": "workbench.simulation.scenario",
    "parse_scenario": "workbench.simulation.scenario",
    "example": "workbench.simulation.scenario",
    "example_names": "workbench.simulation.scenario",
    "Simulation": "workbench.simulation.simulation",
    "asks": "workbench.simulation.simulation",
    "Workbench": "workbench.bench.workbench",
    "serve": "workbench.bench.shown",
    "score": "workbench.bench.scores",
    "practice": "workbench.lessons.practice",
    "practice_pair": "workbench.lessons.practice",
    "Workload": "workbench.workloads",
    "Run": "workbench.runs",
    "simulate": "workbench.runs",
    "compare": "workbench.comparison",
    "sweep": "workbench.sweeps",
    "expect": "workbench.expectations",
    "rollout": "workbench.rollouts",
    "checks": "workbench.advice",
    "Check": "workbench.advice",
    "try_out": "workbench.advice",
}
"""Public name -> the module it comes from."""

_MODULES = {
    "commands": "workbench.scheduler.records.commands",
    "comparison": "workbench.comparison",
    "diff": "workbench.config.diff",
    "edit": "workbench.config.edit",
    "expectations": "workbench.expectations",
    "explain": "workbench.explain",
    "lessons": "workbench.lessons",
    "measures": "workbench.measures",
    "export": "workbench.config.write.export",
    "plots": "workbench.plots",
    "rollouts": "workbench.rollouts",
    "sweeps": "workbench.sweeps",
    "widgets": "workbench.widgets",
    "workloads": "workbench.workloads",
}
"""Public module -> its full name."""

VIEW = "workbench.widgets.screen"
"""The module that registers what shows a workbench in a notebook; imported when one is first shown."""

SERVER = "workbench.server.server"
"""The module that registers what serves a workbench over HTTP; imported when one is first served."""

RUN_VIEW = "workbench.measures.telling"
"""The module that registers what tells a run to people; imported when one is first told."""

__all__ = sorted([*_PUBLIC, *_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    # Here, so that importing the package imports nothing else at all.
    from importlib import import_module

    if name in _PUBLIC:
        value = getattr(import_module(_PUBLIC[name]), name)
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
