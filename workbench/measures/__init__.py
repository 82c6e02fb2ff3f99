"""What came of a run, in numbers: for the cluster, each queue, user, group, class and job. M-1 to M-9.

    table = wb.measures.measure(run)
    table["wait.p95", "root.prod"]

Every measure is registered by name with its title, unit and direction; own ones are added with `register_measure`. What each of
them means stands in the module of its family.
"""

# The order in which the families are imported is that of their measures in a table.
# isort: off
from workbench.measures import wait, slowdown, use, debt, fairness, preemption, reasons

# isort: on
from workbench.measures import series
from workbench.measures.measure import Measure
from workbench.measures.reading import MeasuredRun, Reading
from workbench.measures.registry import MEASURES, MeasureWords, catalogue, measure_named, register_measure
from workbench.measures.scopes import Scope, scope_of
from workbench.measures.table import MeasureRow, MeasureTable, measure

__all__ = [
    "MEASURES",
    "Measure",
    "MeasureRow",
    "MeasureTable",
    "MeasureWords",
    "MeasuredRun",
    "Reading",
    "Scope",
    "catalogue",
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
