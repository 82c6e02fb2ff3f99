"""What would help an ask that waits: a sentence for each change that was tried and helps, or what was tried in vain. E-5."""

from __future__ import annotations

from workbench.explain import remedy_texts
from workbench.scheduler.records.refusals.taking_part import NotReached
from workbench.simulation.remedies import Remedies, Remedy
from workbench.simulation.waiting import Waiting


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
    lost = waiting.refusal.lost if isinstance(waiting.refusal, NotReached) else None
    if lost is not None and remedy.effect in ("placed", "passes") and not remedy.way:
        return remedy_texts.puts_first(change, lost.loser, lost.level)
    return remedy_texts.helps(change, remedy.effect, remedy.way)
