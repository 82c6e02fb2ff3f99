"""Applications as tables: what they are now, which states they went through, and where the placement rules sent them."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain.tables import Table, without_empty_columns
from workbench.explain.wording import amounts, clock, name, priority
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.refusals.placement import RuleFailed
from workbench.scheduler.records.state import Application, Cluster, Partition
from workbench.simulation import Simulation
from workbench.simulation.placements import Placing

APPLICATION_CAPTION = "Applications, in the order of their submission"
APPLICATION_COLUMNS = ("app", "user", "queue", "state", "priority", "allocated", "pending")
NO_APPLICATIONS = "No application was submitted."
STATE_CAPTION = "States that the applications entered, in time order"
STATE_COLUMNS = ("time", "app", "queue", "enters")
PLACEMENT_CAPTION = "What became of each submission, and the placement rule that decided"
PLACEMENT_COLUMNS = ("app", "user", "groups", "asks for", "goes to", "by rule", "created")
REJECTED = "rejected"


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
        APPLICATION_CAPTION,
        APPLICATION_COLUMNS,
        rows,
        frozenset(("priority",)),
        tuple(each.id for each in known),
        NO_APPLICATIONS,
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
        STATE_CAPTION,
        STATE_COLUMNS,
        rows,
        frozenset(("time",)),
        tuple((each.id, at) for _, _, at, _, each in entered),
        NO_APPLICATIONS,
    )


def placement_rows(sim: Simulation) -> Table:
    """Every submission so far: who asked for what, the queue it went to, and the rule that led there by its place in the list.

    Each is asked as of its own submission, so the table tells what happened, also after queues were created or removed.
    """
    submitted = [event.command.application for event in sim.inputs[: sim.played] if isinstance(event.command, AddApplication)]
    placed = sim.placements(spec.id for spec in submitted)
    rows = tuple(_placement_row(spec, placed[spec.id]) for spec in submitted)
    return without_empty_columns(
        Table(
            PLACEMENT_CAPTION,
            PLACEMENT_COLUMNS,
            rows,
            keys=tuple(spec.id for spec in submitted),
            empty=NO_APPLICATIONS,
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
    asked += [tag_value(key, value) for key, value in sorted(spec.tags.items())]
    groups = ", ".join(name(group) for group in spec.groups)
    if placing.refusal is not None:
        ends_it = placing.trace[-1:] if isinstance(placing.refusal, RuleFailed) else ()
        rule = "".join(rule_in_place(len(placing.trace), each.rule) for each in ends_it)
        return name(spec.id), name(spec.user), groups, ", ".join(asked), REJECTED, rule, ""
    rule = rule_in_place(len(placing.trace), placing.trace[-1].rule) if placing.trace else ""
    # Their parents are those in the column before, so the last part of each path says which they are.
    created = ", ".join(name(path.rpartition(".")[2]) for path in placing.created)
    return name(spec.id), name(spec.user), groups, ", ".join(asked), name(placing.queue), rule, created


# ---- in words ---------------------------------------------------------------------------------------------------------


def tag_value(key: str, value: str) -> str:
    return f"{name(key)} = {name(value)}"


def rule_in_place(place: int, rule: str) -> str:
    return f"{place}. {name(rule)}"
