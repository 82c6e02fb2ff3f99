"""Known surprises of the real scheduler, by rule: what happened because of each."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.explain import refusal_texts
from workbench.explain.wording import name
from workbench.scheduler.records.decision import Refusal

SURPRISES: Mapping[str, str] = {
    "P-35": "The offset or fence of the queue that {subject} and the ask have in common counts for one side only.",
    "P-46": "Its queue is within its own guarantee, but a queue above it is not, and the smaller rest counts.",
    "P-47": "The path of its queue begins like the ask's, so it is taken for a queue above the ask and loses its guarantee.",
    "P-74": "Only what the queue holds before counts: stopping this one leaves it below its guarantee.",
    "R-515": "{holder} has taken a slot although it only holds a reservation.",
    "R-553": "{other} lacks less, but a node with little free counts as the best one to reserve.",
    "R-554": "{subject} would be reserved, but its constraints refuse the ask; then no other node is, although {other} would do.",
    "R-559": "The score of a node is out of date after a change in other pods or sizes; with the present ones {other} comes first.",
    "R-569": "{subject} takes no new work, but its reservation still holds.",
    "R-644": "After a change of the configuration the priority of {subject} is out of date: {priority} instead of {present}.",
    "P-126": "Stopping others on {subject} would make room, but the room of the whole cluster or queue is asked for first.",
    "PL-132": "The limit of a wildcard that was removed still counts for {who}.",
    "P-103": "What is free on {subject} is not counted when victims are collected.",
}
"""Rule -> what happened because of it, for a sentence."""


def surprise(refusal: Refusal) -> str:
    """What the real scheduler does here against expectation; the same is done here. Unknown rules are shown raw."""
    text = SURPRISES.get(refusal.code)
    if text is None:
        return f"{refusal_texts.raw(refusal)} {known_surprise(refusal.code)}"
    values = {key: name(str(value)) for key, value in refusal.numbers.items()}
    return f"{text.format(**{**values, 'subject': name(refusal.subject)})} {known_surprise(refusal.code)}"


def known_surprise(rule: str) -> str:
    return f"This is a known surprise of the real scheduler ({name(rule)})."
