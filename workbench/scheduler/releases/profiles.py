"""Engine versions: the rules in which they differ, as data. Everything else asks the profile and knows no version.

1.8 is what every chapter describes. 1.4 has the state STARTING and the sort policy `stateaware`, which needs it: in a leaf one
application at a time gets going, so that many that arrive together do not each hold a first allocation and starve. The
profile of a cluster never changes.

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
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from workbench.config.properties import APPLICATION_SORT_POLICY, PROPERTIES, PROPERTIES_1_4, Property
from workbench.values.errors import CommandError

SECOND_NS = 1_000_000_000
STARTING_NS = 300 * SECOND_NS
"""How long an application is Starting at most. R-461."""

Transitions = Mapping[str, Mapping[str, str]]
"""State -> event -> new state; what is missing is refused."""


@dataclass(frozen=True, slots=True)
class StateTimer:
    """What becomes of an application that stays in a state. R-452, R-461.

    Attributes:
        kind: "completing", which looks after placeholders first (R-741), or the event that is raised.
        length_ns: after how long.
        skipped_by: application tag with which it happens at once; any value but an empty one will do (R-462).
    """

    kind: str
    length_ns: int
    skipped_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """The rules of one engine version.

    Attributes:
        version: as people write it.
        transitions: of applications. R-450, R-460.
        state_timers: state -> the timer that is armed on entering it.
        running_states: what the running counters count. R-426, R-461.
        properties: the queue properties that are evaluated. C-183, C-184.
        copied_properties: what a dynamic queue takes from a parent without a child template. C-134.
        queue_share: by what siblings are compared: the largest share against guaranteed and fair maximum (R-521), or
            all shares against guaranteed, largest first (R-528).
        fallback_queue: where an application goes that no placement rule takes, if it is there; "" for nowhere. PL-31, PL-141.
        placement_skips_draining: a rule that leads to a draining queue is passed over. R-431, PL-141.
        placement_checks_names: generated names are checked by the rule that made them, else when a queue of that name is to
            be created, and the rejection does not say what was wrong. PL-142.
        submission_checks_user: the user name must have a certain form. PL-13, PL-142.
        old_asks_age_applications: an application is as old as its oldest ask. R-442.
        unknown_node_ends_turn: an ask that requires an unknown node ends its application's turn. R-575.
        required_nodes_are_shared: several asks may reserve the node that they require. R-564.
        announced_time_outs_count: a placeholder counts as timed out when its end is announced, not when it is gone. R-760.
    """

    version: str
    transitions: Transitions
    state_timers: Mapping[str, StateTimer]
    running_states: frozenset[str]
    properties: Mapping[str, Property]
    copied_properties: tuple[str, ...] = ()
    queue_share: Literal["largest", "list"] = "largest"
    fallback_queue: str = "root.default"
    placement_skips_draining: bool = True
    placement_checks_names: bool = True
    submission_checks_user: bool = True
    old_asks_age_applications: bool = True
    unknown_node_ends_turn: bool = False
    required_nodes_are_shared: bool = True
    announced_time_outs_count: bool = False


V1_8 = Profile(
    version="1.8",
    transitions=MappingProxyType(
        {
            "New": {
                "runApplication": "Accepted",
                "rejectApplication": "Rejected",
                "failApplication": "Failing",
                "resumeApplication": "Resuming",
            },
            "Accepted": {
                "runApplication": "Running",
                "completeApplication": "Completing",
                "failApplication": "Failing",
                "resumeApplication": "Resuming",
            },
            "Running": {"runApplication": "Running", "completeApplication": "Completing", "failApplication": "Failing"},
            "Completing": {"runApplication": "Running", "completeApplication": "Completed"},
            "Failing": {"failApplication": "Failed"},
            "Resuming": {"runApplication": "Accepted"},
            "Completed": {"expireApplication": "Expired"},
            "Failed": {"expireApplication": "Expired"},
            "Rejected": {"expireApplication": "Expired"},
            "Expired": {},
        }
    ),
    state_timers=MappingProxyType(
        {
            "Completing": StateTimer("completing", 30 * SECOND_NS),
            **dict.fromkeys(("Completed", "Failed", "Rejected"), StateTimer("expireApplication", 3 * 24 * 3600 * SECOND_NS)),
        }
    ),
    running_states=frozenset(("Running",)),
    properties=PROPERTIES,
)

V1_4 = replace(
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
    properties=PROPERTIES_1_4,
    copied_properties=(APPLICATION_SORT_POLICY,),
    queue_share="list",
    fallback_queue="",
    placement_skips_draining=False,
    placement_checks_names=False,
    submission_checks_user=False,
    old_asks_age_applications=False,
    unknown_node_ends_turn=True,
    required_nodes_are_shared=False,
    announced_time_outs_count=True,
)

PROFILES: Mapping[str, Profile] = {each.version: each for each in (V1_8, V1_4)}
DEFAULT = V1_8


def profile_of(version: str) -> Profile:
    """The profile of an engine version, written like "1.4". CommandError if there is none."""
    if version not in PROFILES:
        raise CommandError(f"there is no engine version {version!r}; there are {' and '.join(PROFILES)}")
    return PROFILES[version]
