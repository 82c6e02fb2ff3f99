"""What would help an ask that waits: a sentence for each change that was tried and helps, or what was tried in vain. E-5."""

from __future__ import annotations

from workbench.explain import remedy_texts, words
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
        taken = {remedy.kind for remedy, _ in remedies.vain}
        told = tuple(_goes_elsewhere(remedy, first) for remedy, first in remedies.vain)
        others = [kind for kind in remedies.tried if kind not in taken]
        return told if told and not others else (*told, remedy_texts.nothing_helps(others))
    return tuple(remedy_sentence(remedy, waiting) for remedy in remedies.found)


def _goes_elsewhere(remedy: Remedy, first: tuple[str, str]) -> str:
    return remedy_texts.goes_to_another(remedy_change(remedy), words.request(first[1], first[0]))


def remedy_change(remedy: Remedy) -> str:
    """The change alone, as the beginning of a sentence."""
    return remedy_texts.change(remedy.kind, remedy.subject, remedy.detail, remedy.before, remedy.after)


def remedy_sentence(remedy: Remedy, waiting: Waiting) -> str:
    """The change, and what trying it showed."""
    change = remedy_change(remedy)
    lost = waiting.refusal.lost if isinstance(waiting.refusal, NotReached) else None
    if lost is not None and remedy.effect in ("placed", "passes") and not remedy.way:
        return remedy_texts.puts_first(change, lost.loser, lost.level)
    return remedy_texts.helps(change, remedy.effect, remedy.way)
