"""What an importer made of what it read: a scenario, and in sentences what was left out, approximated or had to be assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.explain.wording import listing, name
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Imported:
    """Attributes:
    scenario: the configuration, with the nodes and with what ran and waited, as far as they are known.
    notes: what was left out, approximated or assumed, in sentences for people, with counts.
    queues: id of an application -> the queue in which it was, an empty text if that is not known; empty if none is.
    configmap: the text of the ConfigMap that the configuration was taken from; empty if it was not.
    partial: something could not be had that should be there; the notes say what.
    report: all that is to be told, in Markdown, where that is more than the notes; empty where it is not.
    """

    scenario: Scenario
    notes: tuple[str, ...] = ()
    queues: Mapping[str, str] = field(default_factory=dict)
    configmap: str = ""
    report: str = ""
    partial: bool = False

    def simulation(self) -> tuple[Simulation, tuple[str, ...]]:
        """The cluster, ready to go on, and all notes: also what the scheduler did not take as it was told.

        Raises ConfigError if the scheduler would refuse the configuration.
        """
        simulation = Simulation.from_scenario(self.scenario)
        elsewhere, refused = told_otherwise(simulation, self.queues)
        more = [put_elsewhere(elsewhere)] if elsewhere else []
        more += [not_accepted(refused)] if refused else []
        return simulation, (*self.notes, *more)


def told_otherwise(simulation: Simulation, queues: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The applications that are in another queue than the one they were in, and those that were not accepted; by id."""
    taken = {id: app for partition in simulation.state.partitions.values() for id, app in partition.applications.items()}
    elsewhere = sorted(id for id, queue in queues.items() if queue and id in taken and taken[id].queue_path != queue)
    return tuple(elsewhere), tuple(sorted(id for id in queues if id not in taken))


# ---- in words -----------------------------------------------------------------------------------------------------------


def put_elsewhere(applications: tuple[str, ...]) -> str:
    return (
        f"By the placement rules {_named(applications)} would be in another queue than was said, "
        f"and so {'it is' if len(applications) == 1 else 'they are'} here."
    )


def not_accepted(applications: tuple[str, ...]) -> str:
    return (
        f"The scheduler would not accept {_named(applications)} again, "
        f"so {'it is' if len(applications) == 1 else 'they are'} missing here; Events says why."
    )


def _named(applications: tuple[str, ...]) -> str:
    return listing([name(id) for id in applications])
