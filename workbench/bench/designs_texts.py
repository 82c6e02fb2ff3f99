"""What the saved answers of a REST API leave open, and what is no design."""

from __future__ import annotations

from workbench.explain.wording import counted, listing, name
from workbench.importers.rest_notes import (
    AgesFromNow,
    ConstraintsUnknown,
    Elsewhere,
    EndedLeftOut,
    GangsSoft,
    NotAccepted,
    Note,
    QueuesOnly,
)


def rest_note(note: Note) -> str:
    """What the saved answers of a REST API leave open, in a sentence."""
    match note:
        case QueuesOnly():
            return (
                "There is no answer of /ws/v1/config: the queues are those of the answer, everybody may submit, and limits, "
                "placement rules, templates and node sorting are unknown."
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
            return f"By the placement rules {_named(ids)} would be in another queue than the answer says, and so it is here."
        case NotAccepted(ids):
            return f"The scheduler would not accept {_named(ids)} again, so it is missing here; Events says why."
    raise TypeError(f"there is no sentence for {note}")


def _named(applications: tuple[str, ...]) -> str:
    return listing([name(id) for id in applications])


def no_design(found: str) -> str:
    """Something else than a simulation or a scenario was given."""
    return (
        f"a Workbench is made of a Simulation or a Scenario, found {found}; "
        "Workbench.open takes names and paths, Workbench.from_yaml the text of a queues.yaml"
    )
