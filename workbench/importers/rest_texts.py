"""What the answers of a REST API leave open, in sentences."""

from __future__ import annotations

from workbench.explain.wording import counted, listing, name
from workbench.importers.imported import not_accepted, put_elsewhere
from workbench.importers.rest_notes import (
    AgesFromNow,
    ConstraintsUnknown,
    Elsewhere,
    EndedLeftOut,
    GangsSoft,
    Missing,
    NotAccepted,
    Note,
    OtherPartitions,
    OutOfStep,
    QueuesOnly,
    ServiceLeftOut,
)


def rest_note(note: Note) -> str:
    """What the saved answers of a REST API leave open, in a sentence."""
    match note:
        case QueuesOnly():
            return (
                "There is no answer of /ws/v1/config: the queues are those of the answer, everybody may submit, and limits, "
                "placement rules, templates and node sorting are unknown."
            )
        case ServiceLeftOut(number):
            return (
                f"{counted(number, 'setting')} of the service {'is' if number == 1 else 'are'} left out: they are not about queues."
            )
        case EndedLeftOut(number):
            return f"{counted(number, 'application')} had ended and {'is' if number == 1 else 'are'} left out."
        case GangsSoft():
            return "Whether a gang is soft or hard is unknown: soft."
        case AgesFromNow():
            return "How long requests and allocations are there is counted from now on."
        case ConstraintsUnknown():
            return "Which nodes a request accepts is unknown, except a required one."
        case Elsewhere(ids):
            return put_elsewhere(ids)
        case NotAccepted(ids):
            return not_accepted(ids)
        case Missing("applications", why):
            return f"What runs and what waits could not be asked, or not all of it: {why}."
        case Missing(word, why):
            return f"The {word} could not be asked: {why}."
        case OtherPartitions(names):
            left_out = listing([name(each) for each in names])
            return f"{counted(len(names), 'other partition')} {'is' if len(names) == 1 else 'are'} left out: {left_out}."
        case OutOfStep(number):
            were = "is" if number == 1 else "are"
            return f"{counted(number, 'allocation')} on nodes that were not there when nodes were asked for {were} left out."
    raise TypeError(f"there is no sentence for {note}")
