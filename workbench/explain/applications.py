"""Every application: the state it is in and how it came there, and what it holds and wants. Rejected ones say why."""

from __future__ import annotations

from workbench.explain import catalogue
from workbench.explain.tables import ARROW, Table
from workbench.explain.wording import amounts, clock, name
from workbench.scheduler.state import Application, Cluster


def application_rows(state: Cluster, partition: str = "default") -> Table:
    """Every application in the order of submission, finished and rejected ones included. KeyError if there is no such partition.

    Placeholders are not part of what is allocated (R-710).
    """
    at = state.partitions[partition.lower()]
    known = sorted((*at.applications.values(), *at.completed.values(), *at.rejected.values()), key=lambda each: each.seq)
    return Table(catalogue.APPLICATION_CAPTION, catalogue.APPLICATION_COLUMNS, tuple(_row(each) for each in known), frozenset(),
                 tuple(each.id for each in known), catalogue.NO_APPLICATIONS)


def _row(application: Application) -> tuple[str, ...]:
    states = ARROW.join(catalogue.entered(state, clock(when)) for when, state in application.state_log)
    so_far = f"{states}: {name(application.rejection, 160)}" if application.rejection else states
    return (name(application.id), name(application.queue_path), application.state, amounts(application.allocated),
            amounts(application.placeholder_allocated), amounts(application.pending), so_far)
