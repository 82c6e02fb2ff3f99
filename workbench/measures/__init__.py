"""What came of a run, in numbers: for the cluster, each queue, user, group, class and job. M-1 to M-9.

    table = wb.measures.measure(run)
    table["wait.p95", "root.prod"]

Every measure is registered by name with its title, unit and direction; own ones are added with `register_measure`. What each of
them means stands in the module of its family.
"""

from workbench.measures import debt, fairness, preemption, reasons, series, slowdown, use, wait
from workbench.measures.measure import Measure
from workbench.measures.reading import MeasuredRun, Reading
from workbench.measures.registry import MEASURES, measure_named, register_measure
from workbench.measures.scopes import Scope, scope_of
from workbench.measures.table import MeasureRow, MeasureTable, measure

__all__ = [
    "MEASURES",
    "Measure",
    "MeasureRow",
    "MeasureTable",
    "MeasuredRun",
    "Reading",
    "Scope",
    "debt",
    "fairness",
    "measure",
    "measure_named",
    "preemption",
    "reasons",
    "register_measure",
    "scope_of",
    "series",
    "slowdown",
    "use",
    "wait",
]
