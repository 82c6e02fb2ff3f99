"""The tables of `Workbench.table`, by name: those of `workbench.explain`, for the present of one workbench.

While a prediction is asked for, a table that would tell the answer shows less, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import explain
from workbench.bench import forecast, input_forms, prediction
from workbench.explain import catalogue
from workbench.explain.use_over_time import series

if TYPE_CHECKING:
    from workbench.bench.workbench import Workbench


def preemption_table(workbench: Workbench) -> explain.Table:
    """What becomes of whom in the attempt that comes next: that of the selected request, else one that succeeds, else the first.
    Where there is none, or a prediction is asked for, what every queue uses against its guarantee."""
    tried = () if workbench.question_open else explain.attempts(workbench.simulation.preview())
    wanted = workbench.selected_request
    tried = sorted(tried, key=lambda each: ((each.ask.application_id, each.ask.key) != wanted, not each.succeeded))
    if tried:
        return explain.candidate_rows(tried[0])
    return explain.balance_rows(workbench.simulation.state, None, workbench.partition.name)


def pending_table(workbench: Workbench) -> explain.Table:
    """What waits, in ranking order; while a prediction is asked for, in the order of arrival."""
    waiting = workbench.simulation.waiting()
    return prediction.covered_table(waiting) if workbench.question_open else forecast.pending_table(waiting, workbench.turns)


def priority_table(workbench: Workbench) -> explain.Table:
    """What waits with what queues see of it, in the order of arrival; of a blind prediction only what waits."""
    made = prediction.covered_table if workbench.priorities_covered else prediction.priorities_table
    return made(workbench.simulation.waiting())


def queue_table(workbench: Workbench) -> explain.Table:
    """The queues, during a blind prediction without their priorities."""
    table = explain.queue_rows(workbench.simulation.state, workbench.partition.name)
    return prediction.without_priorities(table) if workbench.priorities_covered else table


def application_table(workbench: Workbench) -> explain.Table:
    """The applications, during a blind prediction without their priorities."""
    table = explain.application_rows(workbench.simulation.state, workbench.partition.name)
    return prediction.without_priorities(table) if workbench.priorities_covered else table


def shares_table(workbench: Workbench) -> explain.Table:
    """Who competes in the selected queue, else where the next choice is closest; covered while a prediction is asked for."""
    if workbench.question_open:
        return explain.Table(catalogue.COVERED_TABLE, (), (), empty=catalogue.COVERED_TABLE)
    simulation = workbench.simulation
    return explain.standing_rows(simulation.state, simulation.preview(), workbench.selected or None, workbench.partition.name)


def node_table(workbench: Workbench) -> explain.Table:
    """The nodes in the order of their policy; while a prediction is asked for, by name."""
    rows = prediction.covered_nodes if workbench.question_open else explain.node_rows
    return rows(workbench.simulation.state, workbench.partition.name)


def victims_table(workbench: Workbench) -> explain.Table:
    """Everything that runs, and whether the next attempt at preemption stops it or what protects it, in a word each; with a
    prediction open, nothing."""
    tried = () if workbench.question_open else explain.attempts(workbench.simulation.preview())
    if not tried:
        return explain.Table(
            catalogue.VICTIM_CAPTION,
            catalogue.VICTIM_COLUMNS,
            (),
            empty=catalogue.COVERED_TABLE if workbench.question_open else catalogue.NOBODY_PREEMPTS,
        )
    table = explain.victim_rows(next((each for each in tried if each.succeeded), tried[0]))
    kept = [table.columns.index(column) for column in catalogue.SHORT_VICTIM_COLUMNS]
    return replace(table, columns=catalogue.SHORT_VICTIM_COLUMNS, rows=tuple(tuple(row[at] for at in kept) for row in table.rows))


TABLES: Mapping[str, Callable[[Workbench], explain.Table]] = {
    "pending": pending_table,
    "priorities": priority_table,
    "running": lambda workbench: explain.running_rows(workbench.simulation.state, workbench.partition.name),
    "events": lambda workbench: explain.event_rows(workbench.simulation),
    "records": lambda workbench: explain.record_rows(workbench.simulation.preview()),
    "changes": lambda workbench: explain.change_rows(workbench.simulation, partition=workbench.partition.name),
    "inputs": lambda workbench: input_forms.table(workbench.simulation),
    "order": lambda workbench: explain.order_rows(workbench.simulation),
    "steps": lambda workbench: explain.step_rows(workbench.simulation),
    "queues": queue_table,
    "nodes": node_table,
    "balance": lambda workbench: explain.balance_rows(workbench.simulation.state, None, workbench.partition.name),
    "victims": victims_table,
    "applications": application_table,
    "states": lambda workbench: explain.state_rows(workbench.simulation.state, workbench.partition.name),
    "placements": lambda workbench: explain.placement_rows(workbench.simulation),
    "limits": lambda workbench: explain.limit_rows(workbench.simulation.state, workbench.partition.name),
    "settings": lambda workbench: explain.setting_rows(workbench.simulation.state, workbench.partition.name),
    "usage": lambda workbench: explain.usage_rows(workbench.simulation.state, None, workbench.partition.name),
    "preemption": preemption_table,
    "time": lambda workbench: explain.time_rows(series(workbench.simulation, workbench.partition.name)),
    "shares": shares_table,
    "headroom": lambda workbench: explain.headroom_rows(workbench.simulation.state, workbench.partition.name),
}
"""The tables of `Workbench.table`, by name."""
