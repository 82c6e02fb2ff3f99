"""Applications as tables: what they are now, which states they went through, and where the placement rules sent them."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain import catalogue
from workbench.explain.tables import Table, without_empty_columns
from workbench.explain.wording import amounts, clock, name, priority
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.state import Application, Cluster, Partition
from workbench.simulation import Simulation
from workbench.simulation.placements import Placing


def application_rows(state: Cluster, partition: str = "default") -> Table:
    """Every application, ended and rejected ones included, by the time of its submission, with its state and priority.

    The priority is that of its highest waiting request (R-610). KeyError if there is no such partition.
    """
    known = list(_known(state.partitions[partition.lower()]))
    rows = tuple(
        (
            name(each.id),
            name(each.user),
            _queue(each),
            each.state,
            priority(each.priority),
            amounts(each.allocated),
            amounts(each.pending),
        )
        for each in known
    )
    return Table(
        catalogue.APPLICATION_CAPTION,
        catalogue.APPLICATION_COLUMNS,
        rows,
        frozenset(("priority",)),
        tuple(each.id for each in known),
        catalogue.NO_APPLICATIONS,
    )


def state_rows(state: Cluster, partition: str = "default") -> Table:
    """Every state that an application entered, in time order, then by submission. R-454.

    KeyError if there is no such partition.
    """
    entered = sorted(
        (
            (when, each.seq, at, entry, each)
            for each in _known(state.partitions[partition.lower()])
            for at, (when, entry) in enumerate(each.state_log)
        ),
        key=lambda item: item[:3],
    )
    rows = tuple((clock(when), name(each.id), _queue(each), entry) for when, _, _, entry, each in entered)
    return Table(
        catalogue.STATE_CAPTION,
        catalogue.STATE_COLUMNS,
        rows,
        frozenset(("time",)),
        tuple((each.id, at) for _, _, at, _, each in entered),
        catalogue.NO_APPLICATIONS,
    )


def placement_rows(sim: Simulation) -> Table:
    """Every submission so far: who asked for what, the queue it went to, and the rule that led there by its place in the list.

    Each is asked as of its own submission, so the table tells what happened, also after queues were created or removed.
    """
    submitted = [event.command.application for event in sim.inputs[: sim.played] if isinstance(event.command, AddApplication)]
    rows = tuple(_placement_row(spec, sim.placement(spec.id)) for spec in submitted)
    return without_empty_columns(
        Table(
            catalogue.PLACEMENT_CAPTION,
            catalogue.PLACEMENT_COLUMNS,
            rows,
            keys=tuple(spec.id for spec in submitted),
            empty=catalogue.NO_APPLICATIONS,
        )
    )


def _queue(application: Application) -> str:
    """The leaf it is in; nothing for one that was rejected."""
    return name(application.queue_path) if application.queue_path and application.state != "Rejected" else ""


def _known(partition: Partition) -> Iterator[Application]:
    found = [*partition.applications.values(), *partition.completed.values(), *partition.rejected.values()]
    return iter(sorted(found, key=lambda each: each.seq))


def _placement_row(spec: ApplicationSpec, placing: Placing) -> tuple[str, ...]:
    asked = [name(spec.queue)] if spec.queue else []
    asked += [catalogue.tag_value(key, value) for key, value in sorted(spec.tags.items())]
    groups = ", ".join(name(group) for group in spec.groups)
    if placing.refusal is not None:
        ends_it = placing.trace[-1:] if placing.refusal.code == "J-06" else ()
        rule = "".join(catalogue.rule_in_place(len(placing.trace), each.rule) for each in ends_it)
        return name(spec.id), name(spec.user), groups, ", ".join(asked), catalogue.REJECTED, rule, ""
    rule = catalogue.rule_in_place(len(placing.trace), placing.trace[-1].rule) if placing.trace else ""
    # Their parents are those in the column before, so the last part of each path says which they are.
    created = ", ".join(name(path.rpartition(".")[2]) for path in placing.created)
    return name(spec.id), name(spec.user), groups, ", ".join(asked), name(placing.queue), rule, created
