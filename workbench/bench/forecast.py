"""At which step each waiting request would be served, if nothing else were put in.

The order in which the scheduler comes to the requests now is not the order in which it will serve them: every step
changes priorities and shares. So the simulation is played ahead by the engine itself, read, and unwound (U-1, U-2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.bench import texts
from workbench.explain import Table
from workbench.explain.tables import waiting_rows
from workbench.simulation.simulation import Simulation
from workbench.simulation.waiting import Waiting

MOST_STEPS = 500
"""Steps played ahead; what would be served later has no turn yet."""

NEVER = 1 << 62
PENDING_CAPTION = "Waiting requests, in the order in which they will be served if nothing else is put in"

Turns = Mapping[tuple[str, str], int]
"""(application id, ask key) -> number of the step."""


def turns(simulation: Simulation) -> Turns:
    """The step that serves each request, or served it: after going back, those that are behind now wait again."""
    taken = tuple(step.decision for step in simulation.steps[: simulation.position])
    return {
        (decision.application_id, decision.key): number
        for number, decision in enumerate((*taken, *simulation.ahead(MOST_STEPS)), 1)
        if decision.outcome in ("allocated", "replaced")
    }


def pending_table(waiting: Sequence[Waiting], when: Turns) -> Table:
    """The waiting requests in the order in which they will be served, with their turns, after the columns that say which they are.

    Those that will not be served, or not within `MOST_STEPS`, come last, in the order in which the scheduler comes to them.
    """

    def turn(item: Waiting) -> tuple[int, int]:
        step = when.get((item.application.id, item.ask.key))
        return NEVER if step is None else step, item.rank

    ranked = [replace(item, rank=rank) for rank, item in enumerate(sorted(waiting, key=turn), 1)]
    table = replace(waiting_rows(ranked), caption=PENDING_CAPTION)
    at = table.columns.index("priority")
    rows = tuple((*row[:at], str(when.get(key, texts.NO_TURN)), *row[at:]) for row, key in zip(table.rows, table.keys))
    return replace(
        table, columns=(*table.columns[:at], texts.TURN, *table.columns[at:]), rows=rows, numeric=table.numeric | {texts.TURN}
    )
