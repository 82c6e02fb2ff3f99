"""What the saved answers of a REST API leave open, and what is no design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.explain.wording import counted, listing, name

_REST_NOTES: Mapping[str, Callable[..., str]] = {
    "queues": lambda: (
        "There is no answer of /ws/v1/config: the queues are those of the answer, everybody may submit, and limits, "
        "placement rules, templates and node sorting are unknown."
    ),
    "ended": lambda number: f"{counted(number, 'application')} had ended and {'is' if number == 1 else 'are'} left out.",
    "gangs": lambda: "Whether a gang is soft or hard is unknown: soft.",
    "ages": lambda: "How long requests and allocations are there is counted from now on.",
    "constraints": lambda: "Which nodes a request accepts is unknown, except a required one.",
    "elsewhere": lambda *ids: (
        f"By the placement rules {listing([name(id) for id in ids])} would be in another queue than the "
        "answer says, and so it is here."
    ),
    "rejected": lambda *ids: (
        f"The scheduler would not accept {listing([name(id) for id in ids])} again, so it is missing here; Events says why."
    ),
}


def rest_note(code: str, numbers: Sequence[Any]) -> str:
    """What the saved answers of a REST API leave open."""
    return _REST_NOTES[code](*numbers)


def no_design(found: str) -> str:
    """Something else than a simulation or a scenario was given."""
    return (
        f"a Workbench is made of a Simulation or a Scenario, found {found}; "
        "Workbench.open takes names and paths, Workbench.from_yaml the text of a queues.yaml"
    )
