"""The tables of `Workbench.table`, by name: those of `workbench.explain`, for the present of one workbench.

While a prediction is asked for, a table that would tell the answer shows less, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from workbench import explain
from workbench.bench import forecast, input_forms, prediction
from workbench.bench.desk import Desk
from workbench.explain import words
from workbench.explain.use_over_time import series
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.records.stoppings import Stopping

SHORT_VICTIM_COLUMNS = ("victim", "queue", "node", "priority", "verdict")
NOBODY_PREEMPTS = "No request tries to preempt now."
COVERED_TABLE = "Covered until you have answered: this table shows what comes next."


def preemption_table(desk: Desk) -> explain.Table:
    """What becomes of whom in the attempt that comes next: that of the selected request, else one that succeeds, else the first.
    Where there is none, that of the last step, if it stopped somebody; else, or while a prediction is asked for, what every queue
    uses against its guarantee."""
    tried = () if desk.question_open else explain.attempts(desk.simulation.preview())
    wanted = desk.selected_request
    ranked = sorted(tried, key=lambda each: ((each.ask.application_id, each.ask.key) != wanted, not each.succeeded))
    if ranked:
        return explain.candidate_rows(ranked[0])
    stopped = () if desk.question_open else desk.simulation.preview().stoppings
    if stopped:
        return explain.candidate_rows(stopped[0])
    happened = () if desk.question_open else _just_stopped(desk)
    if happened:
        return explain.candidate_rows(happened[0])
    return explain.balance_rows(desk.simulation.state, None, desk.partition.name)


def _just_stopped(desk: Desk) -> tuple[Attempt | Stopping, ...]:
    """What the last step stopped others by."""
    decision = desk.preempted
    if decision is None:
        return ()
    made: tuple[Attempt | Stopping, ...] = (*explain.attempts(decision), *decision.stoppings)
    return tuple(each for each in made if each.taken)


def pending_table(desk: Desk) -> explain.Table:
    """What waits, in ranking order; while a prediction is asked for, in the order of arrival."""
    waiting = desk.simulation.waiting()
    return prediction.covered_table(waiting) if desk.question_open else forecast.pending_table(waiting, desk.turns)


def priority_table(desk: Desk) -> explain.Table:
    """What waits with what queues see of it, in the order of arrival; of a blind prediction only what waits."""
    made = prediction.covered_table if desk.priorities_covered else prediction.priorities_table
    return made(desk.simulation.waiting())


def queue_table(desk: Desk) -> explain.Table:
    """The queues, during a blind prediction without their priorities."""
    table = explain.queue_rows(desk.simulation.state, desk.partition.name)
    return prediction.without_priorities(table) if desk.priorities_covered else table


def application_table(desk: Desk) -> explain.Table:
    """The applications, during a blind prediction without their priorities."""
    table = explain.application_rows(desk.simulation.state, desk.partition.name)
    return prediction.without_priorities(table) if desk.priorities_covered else table


def shares_table(desk: Desk) -> explain.Table:
    """Who competes in the selected queue, else where the next choice is closest; covered while a prediction is asked for."""
    if desk.question_open:
        return explain.Table(COVERED_TABLE, (), (), empty=COVERED_TABLE)
    simulation = desk.simulation
    return explain.standing_rows(simulation.state, simulation.preview(), desk.selected or None, desk.partition.name)


def node_table(desk: Desk) -> explain.Table:
    """The nodes in the order of their policy; while a prediction is asked for, by name."""
    rows = prediction.covered_nodes if desk.question_open else explain.node_rows
    return rows(desk.simulation.state, desk.partition.name)


def covered(what: str, table: Callable[[Desk], explain.Table], *, only_blind: bool = False) -> Callable[[Desk], explain.Table]:
    """The table, with a prediction open only that it is covered; `only_blind`: it tells no more than the present priorities."""

    def made(desk: Desk) -> explain.Table:
        closed = desk.priorities_covered if only_blind else desk.question_open
        return explain.Table(what, (), (), empty=COVERED_TABLE) if closed else table(desk)

    return made


def step_table(desk: Desk) -> explain.Table:
    """The steps taken, during a blind prediction without the priorities that they have led to."""
    table = explain.step_rows(desk.simulation)
    return prediction.without_column(table, table.columns[-1]) if desk.priorities_covered else table


def victims_table(desk: Desk) -> explain.Table:
    """Everything that runs, and whether the next attempt at preemption stops it or what protects it, in a word each; with a
    prediction open, nothing."""
    decision = desk.simulation.preview()
    tried: tuple[Attempt | Stopping, ...] = ()
    if not desk.question_open:
        tried = (*explain.attempts(decision), *decision.stoppings) or _just_stopped(desk)
    if not tried:
        return explain.Table(
            words.VICTIM_CAPTION,
            words.VICTIM_COLUMNS,
            (),
            empty=COVERED_TABLE if desk.question_open else NOBODY_PREEMPTS,
        )
    table = explain.victim_rows(next((each for each in tried if each.taken), tried[0]))
    kept = [table.columns.index(column) for column in SHORT_VICTIM_COLUMNS]
    return replace(table, columns=SHORT_VICTIM_COLUMNS, rows=tuple(tuple(row[at] for at in kept) for row in table.rows))


TABLES: Mapping[str, Callable[[Desk], explain.Table]] = {
    "pending": pending_table,
    "priorities": priority_table,
    "running": lambda desk: explain.running_rows(desk.simulation.state, desk.partition.name),
    "events": lambda desk: explain.event_rows(desk.simulation),
    "records": covered(words.RECORD_CAPTION, lambda desk: explain.record_rows(desk.simulation.preview())),
    "changes": covered(
        "changes", lambda desk: explain.change_rows(desk.simulation, partition=desk.partition.name), only_blind=True
    ),
    "autoscaling": covered("autoscaling", lambda desk: explain.autoscaling_rows(desk.simulation.outstanding(desk.partition.name))),
    "inputs": lambda desk: input_forms.table(desk.simulation, desk.refused),
    "order": lambda desk: explain.order_rows(desk.simulation),
    "steps": step_table,
    "queues": queue_table,
    "nodes": node_table,
    "balance": lambda desk: explain.balance_rows(desk.simulation.state, None, desk.partition.name),
    "victims": victims_table,
    "applications": application_table,
    "states": lambda desk: explain.state_rows(desk.simulation.state, desk.partition.name),
    "placements": lambda desk: explain.placement_rows(desk.simulation),
    "limits": lambda desk: explain.limit_rows(desk.simulation.state, desk.partition.name),
    "settings": lambda desk: explain.setting_rows(desk.simulation.state, desk.partition.name),
    "usage": lambda desk: explain.usage_rows(desk.simulation.state, None, desk.partition.name),
    "preemption": preemption_table,
    "time": lambda desk: explain.time_rows(series(desk.simulation, desk.partition.name)),
    "shares": shares_table,
    "headroom": lambda desk: explain.headroom_rows(desk.simulation.state, desk.partition.name),
}
"""The tables of `Workbench.table`, by name."""
