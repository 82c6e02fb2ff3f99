"""Release 1.4: the state STARTING, and the sort policy `stateaware`, which needs it.

In a leaf one application at a time gets going, so that many that arrive together do not each hold a first allocation and
starve.

What the profile of 1.4 does not say is as in 1.8. Known to differ, and not followed, are:

- preemption, general and on a required node, which is that of 1.8 (chapter 08, section 17);
- what a configuration may say and in which words it is refused (C-182), and which limits of a partition or queue reach
  further down; keys that 1.4 does not know are accepted without effect (C-184);
- one ask for several allocations, and several reservations of one such ask (R-470, R-471, section 17 of chapter 05);
- what happens to usage when wildcard limits change (PL-143), and placement rules that skip the ACLs (PL-141);
- how many time-outs a task group shows after its gang timed out incomplete; what that number blocks is followed (R-760).

Not recorded, and filled in: that a placeholder given up as too small counts as timed out at once (R-733, R-760); that a
required-node ask that finds its node reserved by another one leaves the turn to the next ask; that a dynamic parent passes on
the sort policy that it copied (C-134).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    BACKOFF_DELAY,
    BACKOFF_THRESHOLD,
    PROPERTIES,
    QUOTA_PREEMPTION_DELAY,
    Property,
    sort_policy,
)
from workbench.scheduler.releases.profile import SECOND_NS, StateTimer
from workbench.scheduler.releases.v1_8 import PROFILE as V1_8

STARTING_NS = 300 * SECOND_NS
"""How long an application is Starting at most. R-461."""

CAME_LATER = (QUOTA_PREEMPTION_DELAY, BACKOFF_THRESHOLD, BACKOFF_DELAY)
"""Keys that are accepted without effect. C-184."""

KNOWN_PROPERTIES: Mapping[str, Property] = {
    **{key: known for key, known in PROPERTIES.items() if key not in CAME_LATER},
    APPLICATION_SORT_POLICY: replace(
        PROPERTIES[APPLICATION_SORT_POLICY],
        parse=sort_policy(stateaware="stateaware"),
        hint="Order of the applications in this leaf: oldest first, smallest use first, or oldest first and one start at a time.",
        choices=("fifo", "fair", "stateaware"),
    ),
}
"""`stateaware` is a policy of its own. C-183."""

PROFILE = replace(
    V1_8,
    version="1.4",
    transitions=MappingProxyType(
        {
            **V1_8.transitions,
            "Accepted": {**V1_8.transitions["Accepted"], "runApplication": "Starting"},
            "Starting": {"runApplication": "Running", "completeApplication": "Completing", "failApplication": "Failing"},
        }
    ),
    state_timers=MappingProxyType(
        {
            **V1_8.state_timers,
            "Starting": StateTimer("runApplication", STARTING_NS, skipped_by="application.stateaware.disable"),
        }
    ),
    running_states=frozenset(("Starting", "Running")),
    properties=KNOWN_PROPERTIES,
    copied_properties=(APPLICATION_SORT_POLICY,),
    queue_order="list",
    fallback_queue="",
    placement_skips_draining=False,
    placement_checks_names=False,
    submission_checks_user=False,
    old_asks_age_applications=False,
    unknown_node_ends_turn=True,
    required_nodes_are_shared=False,
    time_outs_crash=False,
    announced_time_outs_count=True,
)
