"""What of a scenario Kubernetes has no place for, in sentences."""

from __future__ import annotations

from workbench.explain.wording import counted, listing, name
from workbench.exporters.kubernetes.notes import Different, LeftOut, NoQueues, Note, NotThere, PodsCounted, Reordered

_FIELDS = {
    "tags": "tags are those that Kubernetes gives",
    "created_ns": "the time of creation is that of the cluster",
    "required_node": "only a DaemonSet's pod may require a node",
    "allowed_nodes": "the list of nodes that a request accepts is another one",
    "priority": "a placeholder has the priority of its application's first pod",
    "capacity": "the name or the amount of a resource is another one",
    "resource": "the name or the amount of a resource is another one",
    "attributes": "a label cannot be called so, or have this value",
}


def sentence(note: Note) -> str:
    """What a note says to people."""
    match note:
        case PodsCounted(count):
            return f"Kubernetes counts pods, the scenario does not: every request has one, and every node room for {count}."
        case NoQueues():
            return "The queue configuration is another one when it is read again."
        case LeftOut(count, kind="planned"):
            return f"{counted(count, 'input')} with a time of its own {_is(count)} there from the start, or left out."
        case LeftOut(count, kind="time"):
            return (
                f"Everybody is there at once: {counted(count, 'input')} that let time pass or ask for cycles {_is(count)} left out."
            )
        case LeftOut(count, kind=kind):
            return f"{counted(count, f'{kind} input')} {_is(count)} left out."
        case NotThere(count, what=what) if what.startswith("added "):
            return f"{counted(count, what.removeprefix('added '))} {'is' if count == 1 else 'are'} added: {_named(note)}."
        case NotThere(count, what=what):
            return f"{counted(count, what)} {'has' if count == 1 else 'have'} no object and {_is(count)} left out: {_named(note)}."
        case Different(count, what=what, field="originator"):
            return f"The first pod of an application is its originator, which makes one of {counted(count, what)}: {_named(note)}."
        case Different(count, what=what, field=field):
            why = f" ({_FIELDS[field]})" if field in _FIELDS else ""
            return f"{field} of {counted(count, what)} cannot be said as it is{why}: {_named(note)}."
        case Reordered(count, what=what):
            return f"{counted(count, what)} {'comes' if count == 1 else 'come'} application by application, what runs first."
    raise TypeError(f"there is no sentence for {note}")


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _named(note: Note) -> str:
    return listing([name(each) for each in note.examples], more=note.count - len(note.examples))
