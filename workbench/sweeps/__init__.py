"""Many runs of many variants of a design: every combination of some settings with every seed, and which is best. SW-1 to SW-5.

sweep = wb.sweep(design, {"root.prod:priority.offset": [0, 100, 1000]}, workload, seeds=5,
                 goals=[wb.sweeps.Goal("wait.p95", of="root.prod", at_most="5m"), wb.sweeps.Goal("lost.vcore")])
sweep.best(), sweep.front(), sweep.to_pandas()
"""

from workbench.sweeps.cells import CellResult, CellSpec, Outcome, run_cell
from workbench.sweeps.choices import Between, Grid, Listed, Sample
from workbench.sweeps.goals import Goal
from workbench.sweeps.result import Sweep, Variant
from workbench.sweeps.searching import search
from workbench.sweeps.store import StudyError
from workbench.sweeps.sweeping import sweep

__all__ = [
    "Between",
    "CellResult",
    "CellSpec",
    "Goal",
    "Grid",
    "Listed",
    "Outcome",
    "Sample",
    "StudyError",
    "Sweep",
    "Variant",
    "run_cell",
    "search",
    "sweep",
]
