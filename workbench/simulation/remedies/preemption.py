"""What would let the ask make room for itself: its time, or a guarantee that holds it. W-23"""

from __future__ import annotations

from workbench.scheduler.preemption.general import CHECK_EVERY_NS
from workbench.scheduler.records.commands import (
    Advance,
)
from workbench.scheduler.records.refusals.preemption import AboveGuarantee, CheckedRecently, NoGuarantee, TooEarly
from workbench.simulation.remedies import edits
from workbench.simulation.remedies.case import Case, Trials, proposes
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.resources import EMPTY, sub_only_existing


@proposes(TooEarly, CheckedRecently)
def _wait(case: Case, refusal: TooEarly | CheckedRecently) -> Trials:
    """V-07, V-08: until it may preempt."""
    yield case.trial(Remedy("wait", case.ask.key, after=refusal.left_ns), Advance(ns=refusal.left_ns))


@proposes(NoGuarantee, AboveGuarantee)
def _guarantee_for_it(case: Case, refusal: NoGuarantee | AboveGuarantee) -> Trials:
    """V-10, V-11: as much as the leaf uses now and the ask needs."""
    leaf, wanted = case.application.leaf, dict((case.application.leaf.guaranteed or EMPTY).items())
    used = sub_only_existing(leaf.allocated, leaf.preempting) or EMPTY
    for name, need in case.ask.resource.items():
        wanted[name] = max(wanted.get(name, 0), used.get(name, 0) + need)
    # An ask that was looked at is looked at again 15 s later (P-23).
    yield from edits.guarantee(case, leaf, wanted, Advance(ns=CHECK_EVERY_NS))
