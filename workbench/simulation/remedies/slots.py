"""Applications that may not run, or may not go on, for now."""

from __future__ import annotations

from workbench.config import edit
from workbench.scheduler.records.commands import (
    Advance,
)
from workbench.scheduler.records.refusals.slots import Backoff, BackoffReached, QueueFull
from workbench.simulation.remedies.case import Case, Trials, proposes
from workbench.simulation.remedies.remedy import Remedy

BACKOFF = "application.unschedasks.backoff"


@proposes(QueueFull)
def _more_applications(case: Case, refusal: QueueFull) -> Trials:
    """W-05."""
    path, needed = refusal.subject, refusal.running + refusal.allocating + 1
    yield from case.edit(
        Remedy("max-applications", path, before=refusal.limit, after=needed),
        lambda: edit.with_field(case.config, path, "maxapplications", needed, case.partition.name),
    )


@proposes(Backoff)
def _wait_for_backoff(case: Case, refusal: Backoff) -> Trials:
    """W-07: until the backoff is over."""
    yield case.trial(Remedy("wait", case.application.id, after=refusal.left_ns), Advance(ns=refusal.left_ns))


@proposes(BackoffReached)
def _later_backoff(case: Case, refusal: BackoffReached) -> Trials:
    """W-08: a threshold that the asks before this one do not reach."""
    threshold = refusal.threshold
    for wanted in range(threshold + 1, refusal.position + 2):
        yield from case.edit_property(Remedy("backoff", case.application.queue_path, before=threshold, after=wanted), BACKOFF)
