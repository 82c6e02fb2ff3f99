"""Release 1.9: quota preemption of another kind, fences at a maximum that an ask would exceed, reservations that end.

What the profile does not say is as in 1.8. Chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.config.properties import DOCUMENTED_QUOTA_PREEMPTION_DELAY, PROPERTIES, QUOTA_PREEMPTION_DELAY, Property
from workbench.scheduler.releases.profile import SECOND_NS
from workbench.scheduler.releases.v1_8 import PROFILE as V1_8

RENAMED = {QUOTA_PREEMPTION_DELAY: DOCUMENTED_QUOTA_PREEMPTION_DELAY}
"""Old key -> new key. The old one is accepted without effect. R-901."""

KNOWN_PROPERTIES: Mapping[str, Property] = {
    new: replace(known, key=new) for key, known in PROPERTIES.items() for new in [RENAMED.get(key, key)]
}

PROFILE = replace(
    V1_8,
    version="1.9",
    properties=KNOWN_PROPERTIES,
    quota_preemption="each second",
    quota_property=DOCUMENTED_QUOTA_PREEMPTION_DELAY,
    full_queue="without room for the ask",
    stale_reservation_ns=60 * 60 * SECOND_NS,
    reservations_age=True,
    reload_passes_on=True,
    keeps_empty_capacity=False,
    limits_by_path=False,
)
