"""What a release of the core may differ in, as data. Everything else asks the profile and knows no version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.config.properties import QUOTA_PREEMPTION_DELAY, Property

SECOND_NS = 1_000_000_000

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
    """The rules of one release.

    Attributes:
        version: as people write it.
        transitions: of applications. R-450, R-460.
        state_timers: state -> the timer that is armed on entering it.
        running_states: what the running counters count. R-426, R-461.
        properties: the queue properties that are evaluated. C-183, C-184.
        copied_properties: what a dynamic queue takes from a parent without a child template. C-134.
        queue_order: by what siblings are compared: the name of an order of queues (`policies`). R-521, R-528.
        fallback_queue: where an application goes that no placement rule takes, if it is there; "" for nowhere. PL-31, PL-141.
        placement_skips_draining: a rule that leads to a draining queue is passed over. R-431, PL-141.
        placement_checks_names: generated names are checked by the rule that made them, else when a queue of that name is to
            be created, and the rejection does not say what was wrong. PL-142.
        submission_checks_user: the user name must have a certain form. PL-13, PL-142.
        old_asks_age_applications: an application is as old as its oldest ask. R-442.
        unknown_node_ends_turn: an ask that requires an unknown node ends its application's turn. R-575.
        required_nodes_are_shared: several asks may reserve the node that they require. R-564.
        time_outs_crash: a request without placeholders crashes the core when the gang of its application times out. R-723, R-760.
        announced_time_outs_count: a placeholder counts as timed out when its end is announced, not when it is gone. R-760.
        quota_preemption: when and what queues over their maximum give up: the name of a set of rules
            (`preemption.quota_rules`). P-130, R-900.
        quota_property: the key of the delay after which they do. P-131, R-901.
        full_queue: which queues are fences because of their maximum: the name of a question
            (`preemption.eligible.FULL_QUEUES`). P-32, R-930.
        stale_reservation_ns: age from which a reservation may be given up for an ask that preempts, of the ask or, with
            `reservations_age`, of the reservation. P-67, R-931.
        reservations_age: a reservation has an age of its own: it is what P-67 asks for, and one that is stale and no longer
            fits what its queue or user may have ends. R-931, R-951.
        reload_passes_on: a reload gives what a queue lists to the queues below, as loading does. R-940.
        keeps_empty_capacity: a node has the types of which it is said to have nothing. R-952.
        limits_by_path: limits are compared by the paths of queues, of which one named `root` has that of the root. R-950.
    """

    version: str
    transitions: Transitions
    state_timers: Mapping[str, StateTimer]
    running_states: frozenset[str]
    properties: Mapping[str, Property]
    copied_properties: tuple[str, ...] = ()
    queue_order: str = "largest"
    fallback_queue: str = "root.default"
    placement_skips_draining: bool = True
    placement_checks_names: bool = True
    submission_checks_user: bool = True
    old_asks_age_applications: bool = True
    unknown_node_ends_turn: bool = False
    required_nodes_are_shared: bool = True
    time_outs_crash: bool = True
    announced_time_outs_count: bool = False
    quota_preemption: str = "in cycles"
    quota_property: str = QUOTA_PREEMPTION_DELAY
    full_queue: str = "used up exactly"
    stale_reservation_ns: int = (120 * 60 + 2) * SECOND_NS
    reservations_age: bool = False
    reload_passes_on: bool = False
    keeps_empty_capacity: bool = True
    limits_by_path: bool = True
