"""What would help an ask that waits: a sentence for each change that was tried and helps, or what was tried in vain. E-5."""

from __future__ import annotations

from workbench.explain import remedy_texts
from workbench.simulation.remedies import Remedies, Remedy
from workbench.simulation.waiting import Waiting

NOT_REACHED = "W-03"


def what_would_help(waiting: Waiting, remedies: Remedies) -> tuple[str, ...]:
    """A sentence for each change that helps, smallest first; if none does, the kinds of change that were tried.

    `remedies` are those of the same ask at the same instant: `sim.remedies(waiting)`. Nothing for the ask that is next.
    """
    if waiting.refusal is None:
        return ()
    if not remedies.found:
        return (remedy_texts.nothing_helps(remedies.tried),)
    return tuple(remedy_sentence(remedy, waiting) for remedy in remedies.found)


def remedy_sentence(remedy: Remedy, waiting: Waiting) -> str:
    """The change, and what trying it showed."""
    change = remedy_texts.change(remedy.kind, remedy.subject, remedy.detail, remedy.before, remedy.after)
    numbers = waiting.refusal.numbers if waiting.refusal is not None else {}
    if waiting.refusal is not None and waiting.refusal.code == NOT_REACHED and "loser" in numbers and remedy.effect != "next":
        return remedy_texts.puts_first(change, str(numbers["loser"]), str(numbers["level"]))
    return remedy_texts.helps(change, remedy.effect)
