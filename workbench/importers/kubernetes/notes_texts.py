"""What an import of a cluster left out, approximated or assumed, in sentences."""

from __future__ import annotations

from collections.abc import Callable

from workbench.explain.wording import counted, listing, name
from workbench.importers.kubernetes.notes import Matter, Note
from workbench.importers.kubernetes.pods import NOT_FOLLOWED


def sentence(note: Note) -> str:
    """What a note says to people: how many, of what, and an example."""
    return _SENTENCES[note.matter](note)


def _pods(note: Note) -> str:
    return counted(note.count, "pod")


def _config_maps(note: Note) -> str:
    return counted(note.count, "ConfigMap")


def _sets(note: Note) -> str:
    return "sets" if note.count == 1 else "set"


def _objects(note: Note) -> str:
    return counted(note.count, "object")


def _named(note: Note) -> str:
    """The examples, and how many more there are."""
    return listing([name(each) for each in note.examples], more=note.count - len(note.examples))


def _is(note: Note) -> str:
    return "is" if note.count == 1 else "are"


def _has(note: Note) -> str:
    return "has" if note.count == 1 else "have"


_SENTENCES: dict[Matter, Callable[[Note], str]] = {
    Matter.NODES: lambda note: f"{counted(note.count, 'node')} {'was' if note.count == 1 else 'were'} read.",
    Matter.RUNNING: lambda note: f"{_pods(note)} of the scheduler {'runs' if note.count == 1 else 'run'}.",
    Matter.WAITING: lambda note: f"{_pods(note)} of the scheduler {'waits' if note.count == 1 else 'wait'}.",
    Matter.FOREIGN: lambda note: f"{_pods(note)} of others {'occupies its' if note.count == 1 else 'occupy their'} node.",
    Matter.FOREIGN_WAITING: lambda note: (
        f"{_pods(note)} of others {'waits and counts' if note.count == 1 else 'wait and count'} for nothing: {_named(note)}."
    ),
    Matter.ENDED: lambda note: f"{_pods(note)} {_has(note)} ended and {_is(note)} left out.",
    Matter.RAN: lambda note: (
        f"{_pods(note)} of {name(note.about) if note.about else 'no named queue'} that ended ran {note.examples[0]} at the median, "
        f"{note.examples[1]} at most."
    ),
    Matter.GATED: lambda note: f"{_pods(note)} {_is(note)} held back by scheduling gates and left out: {_named(note)}.",
    Matter.UNKNOWN_NODE: lambda note: (
        f"{_pods(note)} {'runs on a node that is' if note.count == 1 else 'run on nodes that are'} not among the objects, "
        f"and {_is(note)} left out: {_named(note)}."
    ),
    Matter.AS_IF_OURS: lambda note: (
        f"{_pods(note)} of others {_is(note)} taken as the scheduler's, as its admission controller would: {_named(note)}."
    ),
    Matter.TWICE: lambda note: f"{counted(note.count, 'object')} {_is(note)} there twice; the first counts: {_named(note)}.",
    Matter.OTHER_KIND: lambda note: (
        f"{counted(note.count, 'object')} of kind {name(note.about)} {_is(note)} left out: {_named(note)}."
    ),
    Matter.OTHER_CONFIG_MAP: lambda note: f"{_config_maps(note)} {_is(note)} not the scheduler's and left out.",
    Matter.CONFIG_ELSEWHERE: lambda note: (
        f"{_config_maps(note)} of the scheduler's names {_is(note)} in another namespace and left out: {_named(note)}."
    ),
    Matter.NO_CONFIG: lambda note: (
        "There is no ConfigMap with a queue configuration: it is the scheduler's default, a queue for each namespace."
    ),
    Matter.SETTINGS: lambda note: (
        f"{counted(note.count, 'key')} of the service configuration {_is(note)} no part of a scenario and left out: {_named(note)}."
    ),
    Matter.GANG_UNREAD: lambda note: f"{_pods(note)} {_has(note)} task groups that cannot be read ({note.about}): {_named(note)}.",
    Matter.PLACEHOLDERS: lambda note: (
        f"{counted(note.count, 'placeholder')} of gangs that have not begun {_is(note)} added, as the scheduler makes them: "
        f"{_named(note)}."
    ),
    Matter.NOT_FOLLOWED: lambda note: (
        f"{_pods(note)} {_has(note)} {NOT_FOLLOWED[note.about]}, which is not followed: {_named(note)}."
    ),
    Matter.AFFINITY_UNREAD: lambda note: (
        f"{_pods(note)} {_has(note)} an affinity that cannot be read, so that no node will do ({note.about}): {_named(note)}."
    ),
    Matter.CLASS_UNKNOWN: lambda note: (
        f"{_pods(note)} {_has(note)} no priority but a priority class that is not among the objects; it is 0 here: {_named(note)}."
    ),
    Matter.QUOTA_UNREAD: lambda note: (
        f"{counted(note.count, 'annotation')} of namespaces cannot be read and {_sets(note)} nothing: {_named(note)}."
    ),
    Matter.QUOTA: lambda note: (
        f"{counted(note.count, 'namespace')} {_sets(note)} quotas; they shape the queues that are made for "
        f"applications, not those of the configuration: {_named(note)}."
    ),
    Matter.USER_LABEL: lambda note: (
        f"{_pods(note)} {'names its' if note.count == 1 else 'name their'} user by a label, which is deprecated: {_named(note)}."
    ),
    Matter.DIFFERENT: lambda note: (
        f"Pods of {counted(note.count, 'application')} name different queues or users; the oldest speaks for all: {_named(note)}."
    ),
    Matter.CORDONED: lambda note: f"{counted(note.count, 'node')} {_is(note)} cordoned: {_named(note)}.",
    Matter.AGES: lambda note: "How long requests and allocations are there is counted from now on.",
}
