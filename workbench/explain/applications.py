"""Every application, with what it holds and wants; and every state that one of them entered, in order of time."""

from __future__ import annotations

from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, clock, name
from workbench.scheduler.state import Application, Cluster


def application_rows(state: Cluster, partition: str = "default") -> Table:
    """Every application in the order of submission, finished and rejected ones included. KeyError if there is no such partition.

    Placeholders are not part of what is allocated (R-710).
    """
    known = _known(state, partition)
    rows = tuple((name(each.id), name(each.queue_path) if each.queue_path else "", each.state, amounts(each.allocated),
                  amounts(each.placeholder_allocated), amounts(each.pending)) for each in known)
    return Table(catalogue.APPLICATION_CAPTION, catalogue.APPLICATION_COLUMNS, rows, frozenset(), tuple(each.id for each in known),
                 catalogue.NO_APPLICATIONS)


def state_rows(state: Cluster, partition: str = "default") -> Table:
    """Every state after New that an application entered, in order of time (R-454), with the reason of a rejection.

    KeyError if there is no such partition.
    """
    entered = sorted(((when, each.seq, number, word, each) for each in _known(state, partition)
                      for number, (when, word) in enumerate(each.state_log)), key=lambda entry: entry[:3])
    rows = tuple((clock(when), name(each.id), word, name(each.rejection, 160) if each.rejection else "")
                 for when, _, _, word, each in entered)
    keys = tuple(each.id for *_, each in entered)
    return Table(catalogue.STATE_CAPTION, catalogue.STATE_COLUMNS, rows, frozenset(("time",)), keys, catalogue.NO_STATES)


def _known(state: Cluster, partition: str) -> list[Application]:
    at = state.partitions[partition.lower()]
    return sorted((*at.applications.values(), *at.completed.values(), *at.rejected.values()), key=lambda each: each.seq)
