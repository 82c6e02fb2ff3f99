"""Every English sentence about decisions, and the short names of their codes (U-26). No logic: values in, words out.

Codes are those of chapter 09. A code that is not listed here is shown raw with its numbers, never hidden. Amounts are in
the units of the configuration; what is missing is said wherever a test compared numbers (E-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.config.diff import Difference
from workbench.explain.wording import NAME_LENGTH, amounts, counted, listing, name, seconds
from workbench.explain.wording import offset as signed
from workbench.scheduler.records.decision import Refusal
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

# ---- reasons: one short name and one sentence per code ------------------------------------------------------------

SHORT_NAMES: Mapping[str, str] = {
    "W-01": "not-scheduled",
    "W-02": "queue-stopped",
    "W-03": "not-reached",
    "W-04": "app-state",
    "W-05": "max-apps",
    "W-06": "app-limit",
    "W-07": "backoff",
    "W-08": "backoff-reached",
    "W-09": "gang-wait",
    "W-10": "user-limit",
    "W-11": "queue-headroom",
    "W-12": "required-node",
    "W-13": "required-node",
    "W-14": "required-node",
    "W-15": "reserved-elsewhere",
    "W-16": "node-too-small",
    "W-17": "node-fit",
    "W-18": "node-constraint",
    "W-19": "node-unschedulable",
    "W-20": "reserved",
    "W-21": "too-young",
    "W-24": "one-start",
    "A-03": "no-pending",
    "A-05": "nothing-placed",
    "A-06": "no-pending",
    "A-08": "allocated",
    "V-03": "preemption-off",
    "V-04": "may-not-preempt",
    "V-05": "preempted-before",
    "V-06": "required-node",
    "V-07": "preemption-delay",
    "V-08": "checked-recently",
    "V-09": "attempts-used",
    "V-10": "not-under-guarantee",
    "V-11": "not-under-guarantee",
    "V-12": "no-victims",
    "V-13": "no-usable-node",
    "V-14": "no-victims-on-a-node",
    "V-15": "node-constraint",
    "V-16": "would-break-guarantee",
    "V-17": "not-enough",
    "V-18": "victim-gone",
    "X-01": "same-app",
    "X-02": "outside-fence",
    "X-03": "preemption-disabled",
    "X-04": "victim-not-over-guarantee",
    "X-05": "no-common-type",
    "X-06": "required-node",
    "X-07": "already-going",
    "X-08": "higher-priority",
    "X-09": "priority-fence",
    "X-10": "foreign",
    "X-11": "unusable-node",
    "X-12": "victim-not-over-guarantee",
    "X-13": "over-budget",
    "X-14": "not-reached",
    "X-15": "does-not-help",
    "X-16": "not-needed",
    "X-17": "other-node",
    "X-18": "other-node",
    "J-01": "no-partition",
    "J-02": "unknown-user",
    "J-03": "partition-stopped",
    "J-04": "duplicate",
    "J-05": "no-rule",
    "J-06": "rule-error",
    "J-07": "not-created",
    "J-08": "no-leaf",
    "J-09": "gang-needs-fifo",
    "J-10": "gang-too-large",
    "J-20": "no-application",
    "J-21": "no-resources",
    "J-22": "no-node",
    "rule-input": "nothing-to-read",
    "rule-filter": "filtered",
    "rule-missing": "no-such-queue",
    "rule-parent": "no-parent",
    "rule-error": "error",
    "queue-parent": "not-a-leaf",
    "queue-draining": "queue-draining",
    "queue-access": "no-access",
    "node-reserved": "reserved-elsewhere",
    "node-unschedulable": "node-unschedulable",
    "node-capacity": "node-too-small",
    "node-available": "node-fit",
    "node-predicate": "node-constraint",
    "queue-max": "queue-headroom",
    "ask-empty": "ask-empty",
}


def short_name(code: str) -> str:
    """The short name of a reason code; an unknown code itself."""
    return SHORT_NAMES.get(code) or name(code)


def reason(refusal: Refusal) -> str:
    """One sentence saying why, with the compared numbers."""
    sentence = _REASONS.get(refusal.code)
    return sentence(refusal.subject, refusal.numbers) if sentence else raw(refusal)


def preemption_reason(refusal: Refusal) -> str:
    """One sentence on why the ask could not help itself by preemption (W-23); "" if that is no part of the refusal."""
    why = refusal.numbers.get("preemption")
    return reason(why) if isinstance(why, Refusal) else ""


def raw(refusal: Refusal) -> str:
    """A refusal of an unknown code: the code, its subject and its numbers as they are."""
    numbers = ", ".join(
        f"{name(key)}={_raw_value(value)}" for key, value in sorted(refusal.numbers.items()) if not isinstance(value, Refusal)
    )
    return f"{name(refusal.code)}: {name(refusal.subject)}" + (f" ({numbers})." if numbers else ".")


def _raw_value(value: Any) -> str:
    return amounts(value, "nothing") if isinstance(value, Resource) else name(str(value), 120)


Numbers = Mapping[str, Any]


def _not_scheduled(subject: str, numbers: Numbers) -> str:
    return f"Partition {name(subject)} is not scheduled: {name(numbers['state']).lower()}."


def _queue_stopped(subject: str, numbers: Numbers) -> str:
    return f"Queue {name(subject)} is {name(numbers['state']).lower()}; nothing in it is scheduled."


def _not_reached(subject: str, numbers: Numbers) -> str:
    if "winner" not in numbers:
        return "Not reached: an earlier candidate was served."
    return f"Not reached: at {name(numbers['level'])}, {name(numbers['winner'])} goes before {name(numbers['loser'])}."


def _application_state(subject: str, numbers: Numbers) -> str:
    return f"Application {name(subject)} is {name(numbers['state'])}; it is not scheduled."


def _too_many_applications(subject: str, numbers: Numbers) -> str:
    starting = f" and {numbers['allocating']} starting" if numbers["allocating"] else ""
    return (
        f"Queue {name(numbers['queue'])} may run {counted(numbers['limit'], 'application')}: {numbers['running']} running"
        f"{starting}, so another must wait."
    )


def _application_limit(subject: str, numbers: Numbers) -> str:
    return (
        f"In {name(numbers['queue'])} {_whose(numbers)} may run {counted(numbers['limit'], 'application')}: "
        f"{numbers['running']} running, so another must wait."
    )


def _backoff(subject: str, numbers: Numbers) -> str:
    left = seconds(numbers["deadline_ns"] - numbers["now_ns"])
    threshold = f" after {counted(numbers['threshold'], 'unschedulable ask')}" if "threshold" in numbers else ""
    return f"Application {name(subject)} pauses{threshold}: {left} left."


def _backoff_reached(subject: str, numbers: Numbers) -> str:
    asks = counted(numbers["threshold"], "ask")
    return f"{asks} of {name(subject)} found no place in this attempt, so its later asks are not looked at."


def _gang_wait(subject: str, numbers: Numbers) -> str:
    group = name(numbers["task_group"])
    if "count" not in numbers:
        return f"No placeholder of task group {group} can be replaced now."
    return (
        f"Waits to replace a placeholder of task group {group}: {numbers['count']} placed, {numbers['replaced']} replaced, "
        f"{numbers['timed_out']} timed out."
    )


def _user_headroom(subject: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    need, left, most, used, missing = (
        format_quantity(numbers[key], kind) for key in ("need", "headroom", "maximum", "used", "missing")
    )
    where = f"in {name(numbers['queue'])}"
    if numbers.get("never"):
        return f"Can never run: it needs {name(kind)} {need}, and {_whose(numbers)} may hold {most} {where}."
    return f"Needs {name(kind)} {need}; {_whose(numbers)} has {left} left {where} ({used} of {most} used), {missing} missing."


def _whose(numbers: Numbers) -> str:
    return f"{name(numbers['kind'])} {name(numbers['who'])}"


def _queue_headroom(subject: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    need, left, most, used, missing = (
        format_quantity(numbers[key], kind) for key in ("need", "headroom", "maximum", "allocated", "missing")
    )
    whose = "the cluster" if numbers.get("cluster") else f"queue {name(subject)}"
    if numbers.get("never"):
        return f"Can never run: it needs {name(kind)} {need}, and {whose} has {most} in all."
    return f"Needs {name(kind)} {need}; {whose} has {left} left ({used} of {most} used), {missing} missing."


def _no_room_for_required_node(subject: str, numbers: Numbers) -> str:
    return (
        f"{_queue_headroom(subject, numbers)} Only when there is room in the queues does it look at its node, "
        f"{name(numbers['node'])}."
    )


def _unknown_node(subject: str, numbers: Numbers) -> str:
    return f"Must run on node {name(numbers['node'])}, which is not registered."


def _required_node_full(subject: str, numbers: Numbers) -> str:
    node, need, available = name(numbers["node"]), numbers["need"], numbers["available"]
    short = _shortages((kind, need[kind], available.get(kind, 0)) for kind in need)
    return f"Must run on node {node}, " + (f"which lacks {short}." if short else "which does not take it now.")


def _all_reserved(subject: str, numbers: Numbers) -> str:
    nodes = [f"{name(node)} for {name(ask)}" for node, ask in numbers["nodes"]]
    return f"Every node that could hold it is reserved: {listing(nodes)}."


def _never_fits(subject: str, numbers: Numbers) -> str:
    missing = [name(kind) for kind in numbers["types"]]
    if missing:
        return f"Can never run: no node offers {listing(missing)}."
    short = [
        f"{name(kind)} {format_quantity(need, kind)} where the largest node has {format_quantity(largest, kind)}"
        for kind, need, largest in numbers["largest"]
        if need > largest
    ]
    if not short:
        return "Can never run: no single node is large enough in every type at once."
    return f"Can never run: it needs {listing(short)}."


def _fits_nowhere_now(subject: str, numbers: Numbers) -> str:
    rows: Sequence[tuple[str, str, int, int]] = numbers["nodes"]
    if not rows:
        return "No node has room now."
    node, kind, need, available = min(rows, key=_lack)
    return (
        f"No node has room now; {name(node)} comes closest: {name(kind)} {format_quantity(available, kind)} of "
        f"{format_quantity(need, kind)} available, {format_quantity(need - max(0, available), kind)} missing."
    )


def _lack(row: tuple[str, str, int, int]) -> tuple[float, str]:
    """Missing share of the need, so that cores and bytes compare; equal ones by node id."""
    node, _, need, available = row
    return (need - max(0, available)) / need, node


def _predicate(subject: str, numbers: Numbers) -> str:
    nodes = numbers["nodes"]
    return f"The node constraints refuse {listing([name(node) for node in nodes])}: {name(numbers['text'], 120)}."


def _unschedulable(subject: str, numbers: Numbers) -> str:
    nodes = [name(node) for node in numbers["nodes"]]
    return f"Only nodes that take no new work could hold it: {listing(nodes)}."


def _holds_reservation(subject: str, numbers: Numbers) -> str:
    short = _shortages(numbers["missing"])
    return f"Holds a reservation on node {name(numbers['node'])}" + (f", which still lacks {short}." if short else ".")


def _too_young(subject: str, numbers: Numbers) -> str:
    age = f" ({seconds(numbers['age_ns'])} old)" if "age_ns" in numbers else ""
    return f"Too young for a reservation{age}; an ask may reserve a node after 2 s."


def _one_start(subject: str, numbers: Numbers) -> str:
    if "starting" in numbers:
        return (
            f"Application {name(subject)} may not start while {name(numbers['starting'])} is Starting, for "
            f"{seconds(numbers['age_ns'])} now: stateaware starts one application of a queue at a time."
        )
    return (
        f"Application {name(subject)} may not start before {name(numbers['admitted'])}, which is older: stateaware starts "
        "one application of a queue at a time."
    )


def _no_pending(subject: str, numbers: Numbers) -> str:
    return f"Nothing in {name(subject)} waits to be placed."


def _nothing_placed(subject: str, numbers: Numbers) -> str:
    return f"{name(subject)} was tried, and nothing in it could be placed."


def _already_allocated(subject: str, numbers: Numbers) -> str:
    return f"Already allocated on node {name(numbers['node'])}."


def _node_reserved(subject: str, numbers: Numbers) -> str:
    asks = f" for {name(numbers['ask'])}" if numbers.get("ask") else ""
    return f"Node {name(subject)} is reserved{asks}."


def _node_unschedulable(subject: str, numbers: Numbers) -> str:
    return f"Node {name(subject)} takes no new work."


def _node_capacity(subject: str, numbers: Numbers) -> str:
    kind = numbers.get("type")
    if kind is None:
        return f"Node {name(subject)} is too small."
    return (
        f"Node {name(subject)} is too small: {name(kind)} {format_quantity(numbers['capacity'], kind)} in all, "
        f"{format_quantity(numbers['need'], kind)} needed."
    )


def _node_available(subject: str, numbers: Numbers) -> str:
    kind, need, available = numbers["type"], numbers["need"], numbers["available"]
    return (
        f"Node {name(subject)} has {name(kind)} {format_quantity(available, kind)} available, {format_quantity(need, kind)} "
        f"needed, {format_quantity(need - max(0, available), kind)} missing."
    )


def _node_predicate(subject: str, numbers: Numbers) -> str:
    return f"The node constraints refuse {name(subject)}: {name(numbers['text'], 120)}."


def _queue_maximum(subject: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    if "need" not in numbers:
        return f"Queue {name(subject)} would exceed its maximum of {name(kind)}."
    used, most, need = (format_quantity(numbers[key], kind) for key in ("allocated", "maximum", "need"))
    return f"Queue {name(subject)} would exceed its maximum: {name(kind)} {used} used and {need} needed, of {most}."


def _ask_empty(subject: str, numbers: Numbers) -> str:
    return "It asks for nothing."


def _no_preemption(sentence: str) -> Callable[[str, Numbers], str]:
    return lambda subject, numbers: sentence.format(subject=name(subject))


def _too_early_to_preempt(subject: str, numbers: Numbers) -> str:
    return (
        f"It may preempt {seconds(numbers['delay_ns'])} after it was created, the delay of {name(subject)}: "
        f"{seconds(numbers['delay_ns'] - numbers['age_ns'])} left."
    )


def _tried_to_preempt(subject: str, numbers: Numbers) -> str:
    return f"It tried to preempt a moment ago and may try again in {seconds(numbers['left_ns'])}."


def _over_guarantee(subject: str, numbers: Numbers) -> str:
    return (
        f"It does not preempt: with {amounts(numbers['need'])} queue {name(subject)} would be above its guarantee, of which "
        f"{amounts(numbers['remaining'], 'nothing')} is left."
    )


def _no_victims(subject: str, numbers: Numbers) -> str:
    fence = f", to which the search is limited ({_why_fence(numbers)})" if numbers.get("reason") in ("policy", "full") else ""
    return f"It does not preempt: nothing below {name(subject)}{fence} may be stopped for it."


def _predicates_refuse_preemption(subject: str, numbers: Numbers) -> str:
    return f"It does not preempt: the node constraints refuse {listing([name(node) for node in numbers['nodes']])}."


def _too_little_to_preempt(subject: str, numbers: Numbers) -> str:
    return (
        f"It does not preempt: stopping all that may be stopped would free {amounts(numbers['collected'], 'nothing')} of the "
        f"{amounts(numbers['need'])} needed."
    )


def _outside_the_fence(subject: str, numbers: Numbers) -> str:
    return f"Outside {name(numbers['fence'])}, to which the search is limited: {_why_fence(numbers)}."


def _why_fence(numbers: Numbers) -> str:
    return {"policy": "it has preemption.policy: fence", "full": "it is exactly at its maximum", "root": "it is the root"}.get(
        numbers["reason"]
    ) or name(numbers["reason"])


def _within_guarantee(subject: str, numbers: Numbers) -> str:
    suppliers = dict(numbers.get("suppliers", ()))
    left = [
        f"{name(kind)} {format_quantity(amount, kind)} left"
        + (f" of {name(suppliers[kind])}'s" if suppliers.get(kind) not in ("", None, subject) else "")
        for kind, amount in sorted(numbers["remaining"].items())
    ]
    return f"{name(subject)} holds no more than its guarantee: {listing(left)}."


def _already_going(subject: str, numbers: Numbers) -> str:
    return "It is being stopped already." if numbers.get("preempted") else "It is being replaced already."


def _priority_too_high(subject: str, numbers: Numbers) -> str:
    way = [f"{name(path)} {value}" for path, value in (*numbers.get("up", ()), *numbers.get("down", ()))]
    steps = f" ({', '.join(way)})" if way else ""
    return f"Its priority {numbers['priority']} is above {numbers['value']}, which is what the ask counts as here{steps}."


def _behind_a_priority_fence(subject: str, numbers: Numbers) -> str:
    return (
        f"The priority fence of {name(subject)} has the offset {numbers['offset']}, above {numbers['priority']}, which is what "
        "the ask counts as there."
    )


def _unusable_node(subject: str, numbers: Numbers) -> str:
    why = numbers.get("why")
    return f"It runs on a node that cannot be used. {reason(why)}" if isinstance(why, Refusal) else "Its node cannot be used."


def _nothing_to_give(subject: str, numbers: Numbers) -> str:
    return (
        f"{name(numbers['queue'])} is not above its guarantee in anything that the ask needs: "
        f"{amounts(numbers['remaining'], 'nothing')} left when it was its turn."
    )


def _over_budget(subject: str, numbers: Numbers) -> str:
    return (
        f"With {amounts(numbers['size'])} it is larger than what is left of the guarantee of {name(numbers['queue'])}, "
        f"{amounts(numbers['budget'], 'nothing')}; the search of its node stopped there."
    )


def _search_stopped(subject: str, numbers: Numbers) -> str:
    return f"The search of its node stopped before it, at {name(numbers['stop'])}."


def _does_not_help(subject: str, numbers: Numbers) -> str:
    return f"Stopping it would not lessen what is missing on {name(numbers['node'])}."


def _not_needed(subject: str, numbers: Numbers) -> str:
    return f"Not needed: there is enough room on {name(numbers['node'])} without stopping it."


def _elsewhere(subject: str, numbers: Numbers) -> str:
    return f"It runs on {name(numbers['node'])}, which cannot be cleared for the ask; {name(numbers['chosen'])} was chosen."


def _lost_node(subject: str, numbers: Numbers) -> str:
    costs, chosen = counted(numbers["victims"], "victim"), counted(numbers["chosen_victims"], "victim")
    return f"It runs on {name(numbers['node'])}, at the cost of {costs}; {name(numbers['chosen'])}, with {chosen}, was chosen."


def _shortages(rows) -> str:
    """What is missing of (type, need, available) rows, as a list for a sentence; "" if nothing is."""
    return listing(
        [
            f"{name(kind)} {format_quantity(need - max(0, available), kind)} (needs {format_quantity(need, kind)}, "
            f"{format_quantity(available, kind)} available)"
            for kind, need, available in rows
            if need > max(0, available)
        ]
    )


def _the_cores_text(subject: str, numbers: Numbers) -> str:
    return f"The scheduler answers: {name(numbers['text'], 400)}."


def _nothing_to_read(subject: str, numbers: Numbers) -> str:
    value = f" {name(numbers['value'])}" if numbers.get("value") else ""
    return f"It finds no {name(numbers['reads'])}{value} to go by."


def _filtered(subject: str, numbers: Numbers) -> str:
    groups = listing([name(group) for group in numbers["groups"]])
    return f"Its filter does not let user {name(numbers['user'])}" + (f" of {groups}" if groups else "") + " pass."


def _queue_missing(subject: str, numbers: Numbers) -> str:
    return f"There is no queue {listing([name(path) for path in numbers['missing']])}, and the rule does not create any."


def _no_submit_access(subject: str, numbers: Numbers) -> str:
    groups = listing([name(group) for group in numbers["groups"]])
    asked = listing([name(path) for path in numbers["asked"]], most=8)
    return (
        f"User {name(numbers['user'])}"
        + (f" of {groups}" if groups else "")
        + f" may not submit to {name(subject)}: no ACL of {asked} says so."
    )


_REASONS: Mapping[str, Callable[[str, Numbers], str]] = {
    **{f"J-{number:02}": _the_cores_text for number in (*range(1, 11), *range(20, 23))},
    "rule-input": _nothing_to_read,
    "rule-filter": _filtered,
    "rule-missing": _queue_missing,
    "rule-parent": lambda subject, numbers: f"Its parent rule, {name(subject)}, leads nowhere.",
    "rule-error": lambda subject, numbers: f"It ends the search with an error: {name(numbers['text'], 400)}.",
    "queue-parent": lambda subject, numbers: f"{name(subject)} is a parent, and applications run in leaves.",
    "queue-draining": lambda subject, numbers: f"{name(subject)} is draining and takes nothing new.",
    "queue-access": _no_submit_access,
    "W-01": _not_scheduled,
    "W-02": _queue_stopped,
    "W-03": _not_reached,
    "W-04": _application_state,
    "W-05": _too_many_applications,
    "W-06": _application_limit,
    "W-07": _backoff,
    "W-08": _backoff_reached,
    "W-09": _gang_wait,
    "W-10": _user_headroom,
    "W-11": _queue_headroom,
    "W-12": _unknown_node,
    "W-13": _required_node_full,
    "W-14": _no_room_for_required_node,
    "W-15": _all_reserved,
    "W-16": _never_fits,
    "W-17": _fits_nowhere_now,
    "W-18": _predicate,
    "W-19": _unschedulable,
    "W-20": _holds_reservation,
    "W-21": _too_young,
    "W-24": _one_start,
    "A-03": _no_pending,
    "A-05": _nothing_placed,
    "A-06": _no_pending,
    "A-08": _already_allocated,
    "node-reserved": _node_reserved,
    "node-unschedulable": _node_unschedulable,
    "node-capacity": _node_capacity,
    "node-available": _node_available,
    "node-predicate": _node_predicate,
    "queue-max": _queue_maximum,
    "ask-empty": _ask_empty,
    "V-03": _no_preemption("It does not preempt: preemption is switched off for partition {subject}."),
    "V-04": _no_preemption("It does not preempt: its own settings forbid it."),
    "V-05": _no_preemption("It has preempted before, and an ask does so once."),
    "V-06": _no_preemption("It preempts on its required node only."),
    "V-07": _too_early_to_preempt,
    "V-08": _tried_to_preempt,
    "V-09": _no_preemption("It does not preempt now: {subject} has used up its attempts of this cycle."),
    "V-10": _no_preemption("It does not preempt: no queue from root to {subject} has a guarantee left for it."),
    "V-11": _over_guarantee,
    "V-12": _no_victims,
    "V-13": _no_preemption("It does not preempt: no node can be used for it."),
    "V-14": _no_preemption("It does not preempt: no node has victims that would make enough room."),
    "V-15": _predicates_refuse_preemption,
    "V-16": _no_preemption("It does not preempt: further victims would leave {subject} above its guarantee."),
    "V-17": _too_little_to_preempt,
    "X-01": _no_preemption("It is in the ask's own queue."),
    "X-02": _outside_the_fence,
    "X-03": _no_preemption("{subject} has preemption.policy: disabled."),
    "X-04": _within_guarantee,
    "X-05": _no_preemption("It holds nothing of what the ask needs."),
    "X-06": lambda subject, numbers: f"It must run on its node, {name(numbers['node'])}.",
    "X-07": _already_going,
    "X-08": _priority_too_high,
    "X-09": _behind_a_priority_fence,
    "X-10": _no_preemption("These pods are not of this scheduler."),
    "X-11": _unusable_node,
    "X-12": _nothing_to_give,
    "X-13": _over_budget,
    "X-14": _search_stopped,
    "X-15": _does_not_help,
    "X-16": _not_needed,
    "X-17": _elsewhere,
    "X-18": _lost_node,
}

# ---- what happened or comes next --------------------------------------------------------------------------------

NOTHING_NEXT = "Nothing can be placed now."
NOTHING_WAITS = "Nothing is waiting."


def request(key: str, application_id: str) -> str:
    return f"{name(key)} of app {name(application_id)}"


def headline(outcome: str, who: str, node: str, *, done: bool) -> str:
    """What the decision does (or, with `done`, did), as a sentence."""
    next_one, past = {
        "allocated": (f"{who} is next, on {node}.", f"{who} was placed on {node}."),
        "reserved": (f"{who} is next: it reserves {node}.", f"{who} reserved {node}."),
        "unreserved": (f"The reservation of {who} on {node} ends.", f"The reservation of {who} on {node} ended."),
        "replaced": (f"{who} is next: it replaces a placeholder, on {node}.", f"{who} replaced a placeholder, on {node}."),
        "preempted": (f"{who} is next: victims on {node} make room for it.", f"Victims on {node} were chosen for {who}."),
    }.get(outcome, (f"{outcome}: {who}, {node}.",) * 2)
    return past if done else next_one


NO_COMPETITOR = "Nothing competes with it."


def victims(keys: Sequence[str]) -> str:
    return f"Room is made by stopping {listing([name(key) for key in keys])}."


RESERVED_FIRST = "It holds a reservation, and asks with reservations are tried before all others."


def takes_the_place_of(placeholder: str) -> str:
    return f"It takes the place of {name(placeholder)}, and replacements are tried before the normal order."


RESERVES_BECAUSE = "No node has room for it, and it has waited for more than 2 s, so it reserves the node that suits it best."
REQUIRED_NODE_RESERVES = "It must run on this node, which has no room yet, so it reserves it at once."
DROPPED_BECAUSE = "Its ask is gone or already placed."

# ---- one candidate against another ------------------------------------------------------------------------------

VALUE_WORDS: Mapping[str, str] = {
    "priority": "",
    "share": "share ",
    "pending": "",
    "submitted_ns": "submitted at ",
    "usage": "usage ",
    "created_ns": "created at ",
    "position": "",
    "score": "score ",
    "id": "",
    "seq": "",
}
"""Key field -> the word before its value in brackets. Priorities, the values compared most, stand alone."""

FIELD_NAMES: Mapping[str, str] = {
    "priority": "priority",
    "share": "share",
    "pending": "pending amounts",
    "submitted_ns": "submission time",
    "usage": "usage",
    "created_ns": "creation time",
    "score": "score",
}

TIE_BREAKS: Mapping[str, str] = {
    "pending": "the one that waits for more goes first",
    "id": "the smaller node id goes first",
    "position": "the order of arrival decides",
    "seq": "the scheduler leaves this order open, and the simulator takes the one created first",
}
"""Key field that decides between equals -> what it means (E-4)."""


NO_VALUE_COMPARED = "everything that is compared"


def field_name(field: str) -> str:
    return FIELD_NAMES.get(field) or name(field)


def comparison(where: str, winner: str, losers: str) -> str:
    return f"{where}: {winner} before {losers}."


def tie(where: str, winner: str, loser: str, equal: str, tie_break: str) -> str:
    return f"{where}: {winner} before {loser}, a tie in {equal}: {tie_break}."


def equal_before(where: str, winner: str, losers: str, equal: str) -> str:
    return f"{where}: {winner} before {losers}, equal in {equal}."


def passed_over(where: str, who: str, why: str) -> str:
    return f"{where}: {who} came first but placed nothing: {why}"


def passed_over_node(where: str, who: str, why: str) -> str:
    return f"{where}: {who} came first but was passed over: {why}"


def applications_of(leaf: str) -> str:
    return f"Applications of {leaf}"


def asks_of(application: str) -> str:
    return f"Asks of {application}"


def nodes_by(policy: str) -> str:
    return f"Nodes by {name(policy)}"


# ---- why not this one -------------------------------------------------------------------------------------------


def is_next(who: str) -> str:
    return f"{who} is next."


def not_yet(who: str, queue: str) -> str:
    return f"Not yet: {who} in {name(queue)}."


def behind(where: str, loser: str, winner: str) -> str:
    return f"{where}: {loser} comes after {winner}."


def behind_tie(where: str, loser: str, winner: str, equal: str, tie_break: str) -> str:
    return f"{where}: {loser} comes after {winner}, a tie in {equal}: {tie_break}."


def fence_makes(queue: str, own: str, value: str) -> str:
    return f"The fence at {name(queue)} makes its priority {own} count as {value} there."


def counts_for_another(queue: str, value: str) -> str:
    return f"{name(queue)} counts as much because of another ask; for this one alone it would count as {value}."


def behind_phase(winner: str, phase: str) -> str:
    why = {"reserved": "holds a reservation", "placeholder": "replaces a placeholder"}.get(phase, phase)
    return f"{winner} {why}, and such asks are tried before the normal order."


def offsets_make(own: str, value: str) -> str:
    return f"With the offsets on its way its priority {own} counts as {value} there."


def not_in_order(where: str, loser: str, why: str) -> str:
    return f"{where}: {loser} takes no part. {why}"


# ---- preemption ---------------------------------------------------------------------------------------------------

TAKEN = "taken"
VICTIM_CAPTION = "Candidate victims, and what protected each"
VICTIM_COLUMNS = ("victim", "app", "queue", "node", "priority", "verdict", "why")
CANDIDATE_COLUMNS = ("queue", "verdict", "allocations", "which")
SHORT_VICTIM_COLUMNS = ("victim", "queue", "node", "priority", "verdict")
NOBODY_PREEMPTS = "No request tries to preempt now."
NO_CANDIDATES = "There was nothing that could be stopped."
VICTIM_NODE_CAPTION = "Nodes of the attempt, in the order in which they were looked at"
VICTIM_NODE_COLUMNS = ("node", "candidates", "accepted", "needed", "outcome")


def allocations(count: int) -> str:
    return counted(count, "allocation")


def other_pods(count: int) -> str:
    return counted(count, "other pod")


def makes_room(who: str, node: str, victims: int) -> str:
    if not victims:
        return f"{node} is kept for {who}; nothing has to be stopped."
    return f"For {who}, {counted(victims, 'allocation')} {'is' if victims == 1 else 'are'} stopped; it waits for {node}."


def makes_no_room(who: str) -> str:
    return f"Nothing is stopped for {who}."


def victim(position: int, who: str, queue: str, opted_out: bool, originator: bool, created_ns: int) -> str:
    kind = [text for text, holds in (("opted out", opted_out), ("driver", originator)) if holds] or ["regular"]
    return f"{position}. {who} in {name(queue)}: {' and '.join(kind)}, created at {seconds(created_ns)}."


def victims_queue(queue: str, before: Resource, after: Resource, guaranteed: Resource | None) -> str:
    promised = f", of {amounts(guaranteed)} guaranteed" if guaranteed else ", without a guarantee"
    return f"{name(queue)} holds {amounts(before, 'nothing')} before and {amounts(after, 'nothing')} after{promised}."


VICTIM_ORDER = "Regular ones go before drivers, both before those that opted out, and the newest first."


def freed(node: str, free: Resource | None, freed: Resource, need: Resource, fits: bool) -> str:
    ends = "which is enough" if fits else "which is not enough"
    return (
        f"{name(node)} has {amounts(free, 'nothing')} free and gets {amounts(freed, 'nothing')} back for the {amounts(need)} "
        f"needed, {ends}."
    )


NODE_CHOSEN, NODE_REJECTED, NODE_NOT_CHOSEN = "chosen", "no set of victims makes room", "not chosen"

# ---- known surprises ----------------------------------------------------------------------------------------------

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
        return f"{raw(refusal)} {known_surprise(refusal.code)}"
    values = {key: name(str(value)) for key, value in refusal.numbers.items()}
    return f"{text.format(**{**values, 'subject': name(refusal.subject)})} {known_surprise(refusal.code)}"


def known_surprise(rule: str) -> str:
    return f"This is a known surprise of the real scheduler ({name(rule)})."


# ---- placement ----------------------------------------------------------------------------------------------------

RULE_CAPTION = "Placement rules in the order in which they were asked"
RULE_COLUMNS = ("rule", "value", "create", "filter", "queue", "verdict", "why")
NO_RULES = "No placement rule was asked."
PASSED, STOPPED, TAKES = "passes", "stops", "takes it"
GAVE_PARENT = "gives the parent"


def application_goes(id: str, queue: str) -> str:
    return f"App {name(id)} goes to {name(queue)}."


def application_rejected(id: str) -> str:
    return f"App {name(id)} is rejected."


def rule_takes(rule: str, path: str) -> str:
    return f"Rule {name(rule)} leads to {name(path)}, which takes it."


def rule_passed_over(rule: str, path: str, why: str) -> str:
    return f"Rule {name(rule)}{f' leads to {name(path)}' if path else ''}, passed over: {why}"


def queues_created(paths: Sequence[str]) -> str:
    return f"Created for it: {listing([name(path) for path in paths])}."


# ---- what would help ----------------------------------------------------------------------------------------------

KIND_NAMES: Mapping[str, str] = {
    "offset": "priority.offset",
    "no-fence": "no fence",
    "sort-priority": "application.sort.priority",
    "sort-policy": "application.sort.policy",
    "ask-priority": "a priority of its own",
    "guaranteed": "a guarantee",
    "maximum": "a maximum",
    "max-applications": "maxapplications",
    "limit": "a limit of users or groups",
    "limit-applications": "a limit of running applications",
    "backoff": "application.unschedasks.backoff",
    "node": "a further node",
    "resize": "a larger node",
    "undrain": "an open node",
    "wait": "time",
}
"""Kind of change -> what it is called in a list of what was tried."""


def change(kind: str, subject: str, detail: str, before: Any, after: Any) -> str:
    """A change as the beginning of a sentence."""
    where = name(subject)
    phrase = _CHANGES.get(kind)
    return phrase(where, name(detail) if detail else "", before, after) if phrase else f"{name(kind)} of {where}"


def _more_than_before(before: Any, after: Resource) -> str:
    """Only the amounts that change."""
    changed = {kind: amount for kind, amount in after.items() if before is None or before.get(kind) != amount}
    return amounts(Resource(changed) if changed else after, "nothing")


_CHANGES: Mapping[str, Callable[[str, str, Any, Any], str]] = {
    "offset": lambda where, detail, before, after: f"An offset of at least {after} on {where}",
    "no-fence": lambda where, detail, before, after: f"No fence on {where}",
    "sort-priority": lambda where, detail, before, after: f"application.sort.priority: {name(after)} on {where}",
    "sort-policy": lambda where, detail, before, after: f"application.sort.policy: {name(after)} on {where}",
    "ask-priority": lambda where, detail, before, after: f"A priority of at least {after} for {where} itself",
    "guaranteed": lambda where, detail, before, after: f"A guarantee of at least {_more_than_before(before, after)} on {where}",
    "maximum": lambda where, detail, before, after: f"A maximum of at least {_more_than_before(before, after)} on {where}",
    "max-applications": lambda where, detail, before, after: f"maxapplications of at least {after} on {where}",
    "limit": lambda where, detail, before, after: f"A limit of at least {amounts(after)} for {detail} in {where}",
    "limit-applications": lambda where, detail, before, after: (
        f"A limit of at least {counted(after, 'application')} for {detail} in {where}"
    ),
    "backoff": lambda where, detail, before, after: f"application.unschedasks.backoff of at least {after} on {where}",
    # The name of a node that is only tried says nothing, unless it is one that the ask insists on.
    "node": lambda where, detail, before, after: (
        f"A further node{'' if where.startswith('further-node-') else f' {where}'} with {amounts(after, 'nothing')}"
    ),
    "resize": lambda where, detail, before, after: f"At least {_more_than_before(before, after)} on node {where}",
    "undrain": lambda where, detail, before, after: f"Opening node {where} for new work",
    "wait": lambda where, detail, before, after: f"Waiting for {seconds(after)}",
}


def helps(change: str, effect: str) -> str:
    showed = {
        "next": "would make it the next",
        "placed": "would let it be placed",
        "passes": "would get it past this, but not yet placed",
    }
    return f"{change} {showed.get(effect) or f'helps: {effect}'} (tried)."


def puts_first(change: str, who: str, where: str) -> str:
    return f"{change} would put {name(who)} first in {name(where)} (tried)."


def nothing_helps(tried: Sequence[str]) -> str:
    if not tried:
        return "No change was tried for this."
    return f"Tried in vain: {listing([KIND_NAMES.get(kind) or name(kind) for kind in tried], most=len(KIND_NAMES))}."


# ---- titles of pictures: each a sentence saying what is seen ----------------------------------------------------


def goes_first(who: str, where: str, field: str, mine: str, theirs: str) -> str:
    beats = ", before" if field in ("submitted_ns", "created_ns") else " beats"
    return f"{who} goes first: at {where} {VALUE_WORDS.get(field, '')}{mine}{beats} {theirs}"


def goes_first_among_equals(who: str, where: str, other: str) -> str:
    return f"{who} goes first: at {where} it ties with {other}"


def goes_first_alone(who: str) -> str:
    return f"{who} goes first: nothing competes with it"


def goes_first_after(who: str, where: str, first: str) -> str:
    return f"{who} goes first: at {where} {first} comes earlier but can place nothing"


def goes_first_by_reservation(who: str) -> str:
    return f"{who} goes first: it holds a reservation"


def goes_first_by_placeholder(who: str) -> str:
    return f"{who} goes first: it replaces a placeholder"


NOTHING_FITS_TITLE = "Nothing can be placed now"
NOTHING_WAITS_TITLE = "Nothing is waiting"


def takes_node(node: str, who: str, policy: str, mine: str, theirs: str) -> str:
    return f"{node} takes {who}: score {mine} before {theirs} under {name(policy)}"


def takes_node_tie(node: str, who: str, policy: str, score: str, other: str) -> str:
    return f"{node} takes {who}: score {score} like {other} under {name(policy)}, first by id"


def takes_node_alone(node: str, who: str) -> str:
    return f"{node} takes {who}: no other node could be chosen"


def takes_node_after(node: str, who: str, passed: int) -> str:
    return f"{node} takes {who}: {counted(passed, 'node')} before it {'has' if passed == 1 else 'have'} no room"


def takes_node_otherwise(node: str, who: str, outcome: str) -> str:
    texts = {
        "reserved": f"{who} reserves {node}: no node has room for it now",
        "replaced": f"{who} replaces a placeholder on {node}",
        "unreserved": f"The reservation of {who} on {node} ends",
    }
    return texts.get(outcome, f"{node} takes {who}: it is the node that {who} must or may use")


def next_node(node: str, policy: str, score: str) -> str:
    return f"{node} comes first under {name(policy)}: score {score}"


NO_NODES_TITLE = "No node is registered"


def more_nodes(number: int) -> str:
    return f"… and {counted(number, 'more node')}"


def more_queues(number: int) -> str:
    return f"… and {counted(number, 'more queue')}"


def hidden_queues(number: int) -> str:
    return f"+{counted(number, 'queue')}"


def not_drawn(path: str) -> str:
    return f"In {name(path)}; not drawn for want of room."


def ask_note(outcome: str, node: str) -> str:
    """What is said behind the ask at the end of its way."""
    verbs = {
        "allocated": "→",
        "reserved": "reserves",
        "unreserved": "gives up",
        "replaced": "replaces on",
        "preempted": "preempts on",
    }
    return f"{verbs.get(outcome, name(outcome))} {name(node)}"


PATH_KEY = ("▣ fence: its offset replaces the priority below", "+n offset is added", "dashed: skipped")
CURRENT_PRIORITY, SHARE, PENDING, ALLOCATED = "current priority", "share", "pending", "allocated"
GUARANTEED, MAXIMUM, HEADROOM = "guaranteed", "max", "headroom"
APPLICATION, NODE, PRIORITY = "app", "node", "priority"
SCORE, CAPACITY, AVAILABLE, OTHER_PODS, MEAN = "score", "capacity", "free", "other pods", "mean"


def capacity_axis(type_name: str) -> str:
    return f"{name(type_name)} of each node, in scheduling order"


def further(number: int) -> str:
    return f"… {number:,} more"


def drawn_as_mean(number: int) -> str:
    return f"The bar is the mean of {counted(number, 'node')}."


# ---- tables -----------------------------------------------------------------------------------------------------

SHOW_ALL = "Show all"
NEXT = "next"
FENCE = "▣"
DRAINING = "draining"
RESERVED = "reserved for"
NO_STEPS = "Nothing was decided yet."
NO_NODES = "No node is registered."
PENDING_CAPTION = "Waiting asks, in the order in which the scheduler comes to them"
PENDING_COLUMNS = ("rank", "request", "app", "queue", "priority", "seen at leaf → … → root child", "why not yet")
ORDER_CAPTION = "Decisions so far"
ORDER_COLUMNS = ("step", "time", "outcome", "request", "app", "queue", "node")
STEP_CAPTION = "Decisions so far, and the queue priorities that each of them changed"
STEP_COLUMNS = ("step", "queue", "request", "priorities that changed")
QUEUE_CAPTION = "Queues"
QUEUE_COLUMNS = ("queue", "priority", "marks", "allocated", "pending", "guaranteed", "max", "running")
LOG_CAPTION = "What the real scheduler notes on the ask; counted are the looks that could have found another answer"
LOG_COLUMNS = ("text", "count", "last time")
EMPTY_LOG = "The real scheduler notes nothing on this ask."
SHORTFALL_CAPTION = "What the ask needs and what each node has"
SHORTFALL_COLUMNS = ("node", "type", "needed", "available", "missing", "capacity", "state")
NODE_CAPTION = "Nodes, in the order that the node policy gives now"
NODE_COLUMNS = ("rank", "node", "score", "capacity", "allocated", "others", "available", "state")
HEADROOM_CAPTION = "What every queue may still take, and the queue on the way to root that sets it"
HEADROOM_COLUMNS = ("queue", "used", "max", "max - used", "headroom", "set by")
APPLICATION_CAPTION = "Applications, in the order of their submission"
APPLICATION_COLUMNS = ("app", "user", "queue", "state", "priority", "allocated", "pending")
NO_APPLICATIONS = "No application was submitted."
STATE_CAPTION = "States that the applications entered, in time order"
STATE_COLUMNS = ("time", "app", "queue", "enters")
PLACEMENT_CAPTION = "What became of each submission, and the placement rule that decided"
PLACEMENT_COLUMNS = ("app", "user", "groups", "asks for", "goes to", "by rule", "created")
REJECTED = "rejected"
LIMIT_CAPTION = "Limits of users and groups, and what counts towards them"
LIMIT_COLUMNS = ("queue", "limit of", "max", "used", "max apps", "running")
NO_LIMITS = "Nobody is limited."
SETTING_CAPTION = "Queues with their type and what is set or inherited, defaults left out"
SETTING_COLUMNS = ("queue", "type", "max apps", "guaranteed", "max", "property in force", "value")
PARENT, LEAF = "parent", "leaf"
DYNAMIC = "dynamic"
VERDICT_CAPTION = "What the scheduler says to each configuration"
VERDICT_COLUMNS = ("configuration", "verdict", "line", "what the scheduler says")
ACCEPTED, REFUSED = "accepted", "refused"


def tag_value(key: str, value: str) -> str:
    return f"{name(key)} = {name(value)}"


def rule_in_place(place: int, rule: str) -> str:
    return f"{place}. {name(rule)}"


def limit_holder(kind: str, who: str) -> str:
    return f"{kind} {name(who)}"


def limit_by_wildcard(kind: str, who: str) -> str:
    return f"{kind} {name(who)}, as any"


def any_holder(kind: str) -> str:
    return f"any {kind}"


TREE_COLUMNS = ("queue", "priority", "next", "use")
ON_THE_WAY = "▸"
RUNNING_CAPTION = "Running, in the order in which it was placed"
RUNNING_COLUMNS = ("allocation", "app", "queue", "node", "resources", "priority", "since", "kind")
NOTHING_RUNS = "Nothing is running."
REAL, ENDING, ENDING_PREEMPTED = "real", "ending", "being preempted"


def runs(who: str, queue: str, node: str, since_ns: int) -> str:
    return f"{who} in {name(queue)} runs on {name(node)} since {seconds(since_ns)}."


def no_request(key: str) -> str:
    return f"no request {name(key)} is waiting or running"


# ---- what the scheduler said --------------------------------------------------------------------------------------

EVENT_CAPTION = "What the scheduler said so far, newest first"
EVENT_COLUMNS = ("time", "kind", "subject", "text")
NOTHING_SAID = "The scheduler has said nothing yet."
EVENT_KINDS: Mapping[str, str] = {
    "Allocated": "allocated",
    "Released": "released",
    "ApplicationAccepted": "app accepted",
    "ApplicationRejected": "app rejected",
    "ApplicationUpdated": "app state",
    "AskRejected": "request rejected",
    "NodeAccepted": "node accepted",
    "NodeRejected": "node rejected",
    "ConfigRejected": "config rejected",
    "Reserved": "reserved",
    "Unreserved": "unreserved",
    "Preempted": "preemption",
    "QueueCreated": "queue created",
    "QueueRemoved": "queue removed",
    "Noticed": "notice",
    "Ignored": "ignored",
}
"""Class of an event -> its word in the table."""
RELEASE_TYPES: Mapping[str, str] = {
    "STOPPED_BY_RM": "stopped by the cluster",
    "TIMEOUT": "timed out",
    "PREEMPTED_BY_SCHEDULER": "preempted",
    "PLACEHOLDER_REPLACED": "placeholder replaced",
}


def earlier_events(number: int) -> str:
    return f"and {counted(number, 'earlier event')}" if number > 0 else ""


def on_node(node: str) -> str:
    return f"on {node}"


def stops_on(victims: str, node: str) -> str:
    return f"stops {victims} on {node}"


def goes_to(queue: str) -> str:
    return f"in {queue}"


def is_now(state: str, message: str) -> str:
    return f"is now {state} ({message})" if message else f"is now {state}"


# ---- everything that was compared, and what changed ----------------------------------------------------------------------

RECORD_CAPTION = "Everything that was compared for the next decision, in the order in which it was visited"
RECORD_COLUMNS = ("level", "tried", "candidate", "compared", "verdict", "why")
NO_RECORDS = "Nothing was compared: nothing is waiting."
PASSED_OVER, LEFT_OUT, NOT_TRIED = "passed over", "left out", "–"
SHOW_LESS, WHAT_CHANGED, HIDE_CHANGES, CLEAR_REQUEST = "Show less", "What changed", "Hide changes", "Clear"
SHOW_ALL_HINT = "Every queue, application, request and node that was compared, with the values"
WHAT_CHANGED_HINT = "What the last step changed: queues, applications, nodes, allocations"
WHY_NOT_HINT = "Select this request: why it is not next, and what would help it"
CLEAR_HINT = "Select nothing"
CHANGE_COLUMNS = ("what", "name", "value", "before", "after")
NOTHING_THERE, YES, NO = "–", "yes", "no"
KINDS_OF_THINGS: Mapping[str, str] = {"allocation": "allocation", "queue": "queue", "application": "app", "node": "node"}
VALUES_OF_THINGS: Mapping[str, str] = {"running applications": "running apps"}


def candidates_of(kind: str, subject: str, policy: str) -> str:
    what = {
        "queue": f"queues of {subject}",
        "application": f"apps of {subject}",
        "ask": f"requests of {subject}",
        "node": f"nodes for {subject}",
    }.get(kind, f"{name(kind)} {subject}")
    return f"{what}, by {policy}" if policy else what


def more_rows(number: int) -> str:
    return f"and {counted(number, 'more row')}" if number > 0 else ""


def why_not_button(key: str) -> str:
    return f"Why not {name(key, 16)}"


def change_caption(before: int, after: int) -> str:
    return f"What differs between the states after step {before} and after step {after}"


def same_after(before: int, after: int) -> str:
    return f"Nothing differs between the states after step {before} and after step {after}."


def no_recorded_step(number: int, recorded: int) -> str:
    return f"there is no recorded step {number}; recorded: 0 to {recorded}"


# ---- checks: what is said of a configuration (section 6 of chapter 09) --------------------------------------------


SEVERITY_NAMES: Mapping[str, str] = {"error": "error", "warning": "warning", "hint": "hint"}
RESOURCE, STAGE, MEASURE = "Resource", "Stage", "Bars"
MEASURES: Mapping[str, str] = {"amount": "amount", "share": "share of max"}
STAGES: Mapping[str, str] = {"candidates": "candidates", "chosen": "chosen", "result": "result"}
SEVERITY_MARKS: Mapping[str, str] = {"error": "✕", "warning": "▲", "hint": "○"}
REMEDY = "remedy"
CHECKS = "Checks"
CHECK_AGAIN = "Check again"
NO_CHECKS = (
    "No check has anything to say: the scheduler would load this design, and nothing in it is known to be ignored or to "
    "contradict itself with these nodes and applications. Whether it does what you want, only steps show."
)
MOST_NAMED = 4
"""Queues that a sentence of a check names at most."""


def check_head(severity: str, code: str, line: int | None, path: str, key: str) -> str:
    """The place of a check before its sentence, such as "line 12: warning L-13: root.a: properties.priority.ofset"."""
    parts = [
        f"line {line}" if line else "",
        f"{SEVERITY_NAMES.get(severity) or name(severity)} {name(code)}",
        name(path, None) if path else "",
        name(key, 120) if key else "",
    ]
    return ": ".join(part for part in parts if part)


def check_place(path: str, partition: str) -> str:
    return name(path, 120) if path else f"partition {name(partition)}"


def check_key(key: str) -> str:
    return name(key, 120) if key else ""


def check_line(line: int) -> str:
    return f"line {line}"


def checks_title(urgent: int) -> str:
    """With the number of errors and warnings."""
    return f"{CHECKS} ▲ {urgent}" if urgent else CHECKS


def checks_summary(counts: Mapping[str, int]) -> str:
    """How many of each severity."""
    found = [counted(number, SEVERITY_NAMES[severity]) for severity, number in counts.items() if number]
    return f"Checks: {', '.join(found)}." if found else NO_CHECKS


def nothing_to_try(code: str, path: str, found: bool) -> str:
    where = check_place(path, "") if path else "the partition"
    return f"check {name(code)} of {where} needs no trial" if found else no_remedy(code, path, False, ())


TRY_IT = "Try it"
TRY_HINT = "Play a small workload that should bring this about, in a cluster of its own"


def checks_old(step: int) -> str:
    return f"These are the checks of step {step}; they take too long to be made at every step."


def more_checks(number: int) -> str:
    return f"and {counted(number, 'more check')}" if number > 0 else ""


def remedy_line(text: str) -> str:
    return f"    {REMEDY}: {text}"


def mended(remedy: str) -> str:
    return f"Applied: {remedy}"


def no_remedy(code: str, path: str, found: bool, remedies: Sequence[str]) -> str:
    where = check_place(path, "") if path else "the partition"
    if not found:
        return f"no check {name(code)} is there now for {where}"
    return f"check {name(code)} of {where} has no such remedy; it has {listing(remedies, most=5) or 'none'}"


def check_text(code: str, path: str, numbers: Numbers) -> str:
    """What was found, what the scheduler does with it, and what to do."""
    sentence = _CHECKS.get((code, str(numbers.get("case", "")))) or _CHECKS.get((code, ""))
    if sentence is None:
        return raw(Refusal(code, path, numbers))
    return sentence(name(path) if path else "the partition", numbers)


def _paths(paths: Sequence[str]) -> str:
    return listing([name(path) for path in paths], most=MOST_NAMED)


def _kinds(resource: Mapping[str, int]) -> str:
    return amounts(Resource(resource), "nothing")


def _loader_says(text: str) -> Callable[[str, Numbers], str]:
    def sentence(where: str, numbers: Numbers) -> str:
        hint = f" ({numbers['hint']})" if numbers.get("hint") else ""
        return f"{text} {' '.join(str(numbers['text']).split(chr(10)))}{hint}."

    return sentence


def _guarantee_only_above(where: str, numbers: Numbers) -> str:
    return (
        f"{where} guarantees {_kinds(numbers['guaranteed'])}, and none of the {len(numbers['leaves'])} leaves below "
        f"it guarantees anything: they share one budget, and while it is used up "
        "none of them can take anything back from another. Give the leaves guarantees of their own."
    )


def _sibling_without_guarantee(where: str, numbers: Numbers) -> str:
    return (
        f"{where} guarantees nothing, but beside it {_paths(numbers['guarded'])} does: asks there may stop everything that "
        f"runs in {where}, even while {name(numbers['parent'])} is within its own guarantee of "
        f"{_kinds(numbers['guaranteed'])}. Give {where} a guarantee, too."
    )


def _promised_too_much(where: str, numbers: Numbers) -> str:
    return (
        f"{where} guarantees {_kinds(numbers['guaranteed'])}, and the queues below it {_kinds(numbers['promised'])} together. "
        "A queue between them does not mention the type, so this is not refused, but the guarantees cannot all hold: a "
        f"queue below within its own guarantee may lose what it has once {where} is above its own. Raise the guarantee here, "
        "or lower those below."
    )


def _leaf_of_nobody(where: str, numbers: Numbers) -> str:
    return (
        f"No ACL at {where} or above lets anybody submit, and none below does"
        f" ({counted(numbers['leaves'], 'queue')} without access). Applications are rejected or go elsewhere. Set submitacl."
    )


def _unknown_property(where: str, numbers: Numbers) -> str:
    said = f"{name(numbers['property'], 80)} is no property that the scheduler knows; it is ignored without a word."
    if numbers.get("documented"):
        return f"{said} The documentation calls it so, but release 1.8 reads {name(numbers['nearest'])}. Use that key."
    return f"{said} Perhaps {name(numbers['nearest'])} is meant." if numbers["nearest"] else f"{said} Remove it."


def _bad_property_text(where: str, numbers: Numbers) -> str:
    may = {
        "choice": f"one of {listing([name(value) for value in numbers['allowed']])}",
        "integer": "a whole number",
        "duration": "a duration with units above 0, such as 30s or 1h30m",
    }[numbers["kind"]]
    return (
        f"{name(numbers['property'])} is '{name(numbers['value'], 80)}', which means nothing to the scheduler; it takes the "
        f"default without a word: {name(numbers['default'])}. Write {may}."
    )


def _policy_of_a_parent(where: str, numbers: Numbers) -> str:
    said = f"{where} is a parent, and parents always sort their queues by fair share. "
    if numbers["heirs"]:
        return f"{said}The policy {name(numbers['value'])} only counts for what inherits it: {_paths(numbers['heirs'])}."
    return f"{said}The policy has no effect: no configured leaf below inherits it. Remove it."


def _dynamic_inherits_nothing(where: str, numbers: Numbers) -> str:
    return (
        f"Placement rules create queues below {where}, and these inherit no properties: {name(numbers['property'])} "
        f"{name(numbers['value'])} does not hold in them. Set it in childtemplate.properties for that."
    )


def _quota_no_maximum(where: str, numbers: Numbers) -> str:
    heirs = (
        f" Nor does it count for {_paths(numbers['heirs'])}, which inherit it: only a delay that a queue lists itself is looked at."
        if numbers["heirs"]
        else ""
    )
    return f"{where} has a quota delay but no maximum of its own that could be lowered, so nothing ever starts.{heirs} Remove it."


def _applications_together(where: str, numbers: Numbers) -> str:
    said = (
        f"{where} may run {counted(numbers['own'], 'application')}, its {counted(numbers['children'], 'child queue')} "
        f"{numbers['together']} together."
    )
    if numbers["together"] > numbers["own"]:
        return (
            f"{said} One of them can keep another from starting although that one is below its own number. Raise the parent's "
            "number to the sum, or lower the children's, if each is to have its own at any time."
        )
    return f"{said} So the number of the parent is never reached and has no effect. Lower it to the sum, or raise the children's."


def _too_much_for_the_offset_range(where: str, numbers: Numbers) -> str:
    return (
        f"An ask of priority {numbers['priority']} in {name(numbers['leaf'])} would count as {numbers['total']} at {where}, "
        f"beyond what the scheduler can hold; it counts as {numbers['bound']}, like others that are cut off there. Use "
        "smaller offsets."
    )


def _users_and_groups(where: str, numbers: Numbers) -> str:
    return (
        f"The limit {name(numbers['limit'])} names users ({_paths(numbers['users'])}) and groups "
        f"({_paths(numbers['groups'])}): these are two limits that know nothing of each other, one for each of the users and "
        "one for all members of a group together. Write two entries to say so."
    )


def _wildcard_user(where: str, numbers: Numbers) -> str:
    listed = f"user that is not listed here ({_paths(numbers['named'])} is)" if numbers["named"] else "user"
    return (
        f"The limit of user * holds for each {listed} separately, not for all together. For one limit on all, use the "
        "maximum of the queue, or groups."
    )


def _user_limit_without_effect(where: str, numbers: Numbers) -> str:
    whose = "user *" if numbers["whose"] == "*" else f"user {name(numbers['whose'])}"
    return (
        f"The limit of user {name(numbers['user'])} never counts: {whose} may have no more in {name(numbers['above'])}, where "
        f"everything in {where} counts as well. Remove it, or make it smaller than the one above."
    )


def _fence_takes_too_little(where: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    return (
        f"{where} is guaranteed {name(kind)} {format_quantity(numbers['guaranteed'], kind)}, but behind the preemption fence "
        "of "
        f"{name(numbers['fence'])} other queues can hold at most {format_quantity(numbers['takable'], kind)} above their "
        "guarantees that may be taken back; the rest may be held outside, where it is out of reach. Remove the fence, or set "
        "it further up."
    )


def _fence_gives_nothing(where: str, numbers: Numbers) -> str:
    if numbers["is_root"]:
        return (
            f"Preemption can never help {where} to its guarantee of {_kinds(numbers['guaranteed'])}: every other queue is "
            f"disabled for preemption or cannot hold more than its guarantee, and {_paths(numbers['disabled'])} can take "
            "everything and keep it. Set a maximum there, or allow preemption."
        )
    return (
        f"Preemption can never help {where} to its guarantee of {_kinds(numbers['guaranteed'])}: behind the fence of "
        f"{name(numbers['fence'])} nothing else may be taken. Remove the fence, or set it further up."
    )


def _offset_distorts(where: str, numbers: Numbers) -> str:
    if numbers["fenced"]:
        return (
            f"The priority fence of {where} also counts between the queues below it when one preempts in another: every ask "
            f"there counts as {numbers['offset']}, whatever its priority, against the victims' own priorities. Set fences "
            "where only one queue below has a guarantee, or know that this is so."
        )
    told = "asks may stop what has a higher priority" if numbers["offset"] > 0 else "asks cannot stop what has an equal priority"
    return (
        f"The offset {signed(numbers['offset'])} of {where} also counts between the queues below it when one preempts in "
        f"another, and only on the side of the ask: {told}. Give the offset to each of its children instead."
    )


def _delay_too_long(where: str, numbers: Numbers) -> str:
    return (
        f"Asks of {where} wait {seconds(numbers['delay_ns'])} before they preempt (set at {name(numbers['owner'])}), and of "
        "the "
        f"{counted(numbers['applications'], 'application')} that finished, half took no more than "
        f"{seconds(numbers['usual_ns'])}: room comes back by itself before. Shorten the delay, or leave it out."
    )


def _group_counts_once(where: str, numbers: Numbers) -> str:
    return (
        f"User {name(numbers['user'])} belongs to {_paths((numbers['counts'], *numbers['others']))}, which all have a limit "
        f"here. Only the first in the list counts: {name(numbers['counts'])}; use by that user counts in no other. Put the "
        "tightest first, or let groups not overlap."
    )


def _full_in_one_type(where: str, numbers: Numbers) -> str:
    return (
        f"{where} is at its maximum in {_paths(numbers['full'])} but not in {_paths(numbers['open'])}. It would limit "
        "preemption to itself only if it were exactly full in every type, so asks below it look for victims outside as well, "
        "which then does not help them. Set preemption.policy: fence here."
    )


def _large_asks(where: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    size, most, lost = (format_quantity(numbers[key], kind) for key in ("size", "guaranteed", "lost"))
    said = (
        f"Asks in {where} need up to {name(kind)} {size} each, of {most} guaranteed. An ask preempts only if it fits whole "
        "into "
        "what is left of the guarantee"
    )
    rest = f", so {lost} of it can never be claimed that way" if numbers["lost"] else ""
    return f"{said}{rest}; and stopping one of that size may leave {where} far below its guarantee. Raise the guarantee."


def _starving(where: str, numbers: Numbers) -> str:
    has = f"holds {amounts(numbers['allocated'], 'nothing')}"
    owed = f", {amounts(numbers['short'])} less than its guarantee" if numbers["short"] else ""
    return (
        f"{where} {has}{owed}, and {counted(numbers['asks'], 'ask')} wait there, the oldest for "
        f"{seconds(numbers['waits_ns'])}. Ask why for one of them."
    )


def _stays(where: str, numbers: Numbers) -> str:
    return (
        f"A reload leaves {name(numbers['property'])} of {where} at {name(numbers['stays'])}, although the configuration now "
        f"says {name(numbers['wanted'])}: only what a queue lists itself is looked at, and what is removed or inherited stays "
        "until a restart. List it at the queue itself."
    )


_CHECKS: Mapping[tuple[str, str], Callable[[str, Numbers], str]] = {
    ("invalid", ""): _loader_says("The scheduler refuses this configuration:"),
    ("not-loaded", ""): _loader_says("Validation accepts this configuration, but loading it fails:"),
    ("no-rules", ""): _loader_says(
        "The placement rules cannot be built, so a restart rejects every application and a reload fails:"
    ),
    ("L-01", ""): _guarantee_only_above,
    ("L-02", ""): _sibling_without_guarantee,
    ("L-03", ""): _promised_too_much,
    ("L-04", "one"): lambda where, numbers: (
        f"{where} guarantees {_kinds(numbers['guaranteed'])}, and all nodes together have {_kinds(numbers['capacity'])}: it can "
        "never be met. Lower it, or add nodes."
    ),
    ("L-04", "sum"): lambda where, numbers: (
        f"The queues at the top guarantee {_kinds(numbers['guaranteed'])} together, and all nodes have "
        f"{_kinds(numbers['capacity'])}: they cannot all be met, and what holds less than its guarantee may not be taken from "
        "either. Lower some, or add nodes."
    ),
    ("L-06", ""): lambda where, numbers: (
        f"{where} guarantees {name(numbers['type'])}, and no node offers that; they offer {_paths(numbers['offered'])}. Nothing "
        "can "
        "come of it. Check the spelling, or remove it."
    ),
    ("L-07", ""): lambda where, numbers: (
        f"{where} is a leaf with preemption.policy: fence: its asks look for victims below it only, and there is nothing but "
        "itself, so it never preempts anything. Set the fence on a parent, or remove it."
    ),
    ("L-08", ""): _fence_takes_too_little,
    ("L-09", "nowhere"): lambda where, numbers: (
        f"The offset {signed(numbers['offset'])} of {where} has no effect: the priority fence of {name(numbers['fence'])} "
        "replaces it, "
        "and below that fence nothing competes with it. Set the offset on the fenced queue, or remove it."
    ),
    ("L-09", "inside"): lambda where, numbers: (
        f"The offset {signed(numbers['offset'])} of {where} counts below {name(numbers['fence'])} only, whose priority fence "
        "replaces "
        "it for everything further up."
    ),
    ("L-10", ""): lambda where, numbers: (
        f"{where} has a priority fence and no priority.offset, so whatever waits below it competes with its siblings as priority "
        "0, "
        "and preempts as such. Write the offset that is meant, if only 0."
    ),
    ("L-11", ""): _offset_distorts,
    ("L-12", "text"): lambda where, numbers: (
        f"priority.offset is '{name(numbers['value'], 80)}', which is no whole number of 32 bits; it counts as 0 without a word. "
        "Write a number from -2147483648 to 2147483647."
    ),
    ("L-12", "range"): _too_much_for_the_offset_range,
    ("L-13", ""): _unknown_property,
    ("L-14", ""): _bad_property_text,
    ("L-15", ""): lambda where, numbers: (
        "stateaware is deprecated: since release 1.6 it is another word for fifo, and applications do not wait for each other's "
        "start any more. Write fifo."
    ),
    ("L-16", ""): _policy_of_a_parent,
    ("L-17", ""): lambda where, numbers: (
        f"{where} sorts its applications fair, and such queues reject gang applications: "
        f"{counted(numbers['applications'], 'application')} so far. Set application.sort.policy: fifo, or send gangs elsewhere."
    ),
    ("L-18", ""): lambda where, numbers: (
        f"{where} sorts its applications fair (set at {name(numbers['owner'])}) but guarantees nothing to measure their use by, so "
        "plain amounts are compared, and a type with large numbers, such as memory in bytes, decides alone. Give it a guarantee."
    ),
    ("L-19", "access"): _leaf_of_nobody,
    ("L-19", "rules"): lambda where, numbers: (
        f"No placement rule leads to {where}: the rules are {_paths(numbers['rules_'])}. Nothing can run there. Put a rule that "
        "does "
        "before those that take everything, such as provided, or remove the queue."
    ),
    ("PL-36", ""): lambda where, numbers: (
        f"The placement rule {name(numbers['rule'])} finds a queue for every application, so what follows is never asked: "
        f"{_paths(numbers['behind'])}. Put that rule last, give it a filter, or remove the others."
    ),
    ("L-19", "zero"): lambda where, numbers: (
        f"The maximum of {where} is 0 in {_paths(numbers['types'])}, so nothing that needs any of it can run there. Leave the "
        "type out "
        "for no limit, or remove the queue."
    ),
    ("L-19", "asks"): lambda where, numbers: (
        f"Every ask in {where} ({numbers['asks']}) needs {name(numbers['type'])} "
        f"{format_quantity(numbers['smallest'], numbers['type'])} or more, and it may use "
        f"{format_quantity(numbers['maximum'], numbers['type'])} in all: none of them can ever run. Raise the maximum on its "
        "path."
    ),
    ("L-20", "queue"): lambda where, numbers: (
        f"The maximum of {where} is 0 in every type that it names. Such a maximum is not kept: the queue is unlimited, not closed. "
        "Remove it, or give some type more than 0, with which the zeros count."
    ),
    ("L-20", "template"): lambda where, numbers: (
        f"The maximum in the child template of {where} is 0 in every type that it names. Such a maximum is not kept: the queues "
        "created below are unlimited. Remove it, or give some type more than 0."
    ),
    ("L-21", "max"): lambda where, numbers: (
        f"The maximum of {where} says nothing of {_paths(numbers['types'])}, which nodes offer: these are unlimited there."
    ),
    ("L-21", "guaranteed"): lambda where, numbers: (
        f"The guarantee of {where} says nothing of {_paths(numbers['types'])}, which nodes offer: these are not guaranteed, and "
        "an ask "
        "for them alone may preempt however much it has of them."
    ),
    ("L-22", ""): _applications_together,
    ("L-23", "queue"): lambda where, numbers: (
        f"{where} runs one application at a time, whoever submits it: users wait for each other. Raise maxapplications, or limit "
        "each user instead."
    ),
    ("L-23", "group"): lambda where, numbers: (
        f"All members of {_paths(numbers['groups'])} together may run one application in {where}: they wait for each other. Raise "
        "maxapplications of the limit, or limit users instead."
    ),
    ("L-24", ""): _users_and_groups,
    ("L-25", ""): _wildcard_user,
    ("L-26", ""): _user_limit_without_effect,
    ("L-27", ""): _group_counts_once,
    ("L-28", ""): lambda where, numbers: (
        f"The path of {_paths(numbers['hiding'])} begins with the text {where}, so the scheduler takes {where} for a queue above "
        "it: "
        f"asks there may stop anything in {where}, its guarantee does not protect it. Rename one of them so that neither begins "
        "with the other."
    ),
    ("L-29", "short"): lambda where, numbers: (
        f"preemption.delay is {seconds(numbers['delay_ns'])}, but an ask that tried in vain is looked at again after "
        f"{seconds(numbers['interval_ns'])} only, so a delay below that counts for the first attempt alone."
    ),
    ("L-29", "long"): _delay_too_long,
    ("L-30", ""): _dynamic_inherits_nothing,
    ("L-31", ""): _fence_gives_nothing,
    ("L-32", "no-maximum"): _quota_no_maximum,
    ("L-32", "no-switch"): lambda where, numbers: (
        f"{where} has a quota delay, but preemption.quotapreemptionenabled is not true for the partition, so it has no effect. "
        "Switch "
        "it on, or remove the delay."
    ),
    ("L-32", "no-delay"): lambda where, numbers: (
        "preemption.quotapreemptionenabled is true, but no queue has a preemption.quota.delay above 0, so nothing is ever "
        "enforced. "
        "Give queues a delay, or remove the switch."
    ),
    ("L-32", "dynamic"): lambda where, numbers: (
        f"The child template of {where} sets a quota delay, but maxima of dynamic queues are never enforced by preemption. Remove "
        "it."
    ),
    ("L-33", ""): lambda where, numbers: (
        f"{where} is a parent with a quota delay. When its maximum is lowered below what it uses, release 1.8.0 starts the same "
        "preemption again in every pass and may crash. Set delays on leaves only."
    ),
    ("L-34", ""): lambda where, numbers: (
        f"The quota delay of {where} is {seconds(numbers['delay_ns'])}. After a lowered maximum pods are killed before "
        "controllers can "
        f"react; at least {seconds(numbers['advised_ns'])} is recommended."
    ),
    ("L-35", "leaf"): lambda where, numbers: (
        f"{where} is a leaf, and no queues are created below leaves: its child template is ignored. Remove it, or set parent: true."
    ),
    ("L-35", "none"): lambda where, numbers: (
        f"Placement rules create queues below {where}, and there is no child template: these queues have no maximum, no guarantee "
        "and "
        "no properties, unless applications bring quota tags. Add a childtemplate if they should."
    ),
    ("L-36", ""): lambda where, numbers: (
        f"{where} is a parent without queues, and no placement rule creates any there, so nothing can run in it."
        + (" Add a queue." if numbers["is_root"] else " Remove parent: true, or add queues or a rule.")
    ),
    ("L-37", "zero"): lambda where, numbers: (
        f"All weights of nodesortpolicy are 0 ({_paths(numbers['types'])}), so every node has the same score and the order is "
        "that of "
        "the node ids. Remove them for the defaults, vcore 1 and memory 1."
    ),
    ("L-37", "unknown"): lambda where, numbers: (
        f"nodesortpolicy gives a weight to {name(numbers['type'])}, which no node offers; they offer "
        f"{_paths(numbers['offered'])}. It "
        "has no effect. Check the spelling, or remove it."
    ),
    ("L-38", ""): _stays,
    ("L-39", ""): lambda where, numbers: (
        f"{where} sorts its queues by fair share before priority (application.sort.priority: disabled at "
        f"{name(numbers['owner'])}), so "
        f"the offsets of {_paths(numbers['children'])} decide between equal shares only. In preemption they still count."
    ),
    ("L-40", ""): lambda where, numbers: (
        f"{counted(numbers['asks'], 'pod')} in {where} asked not to be preempted. That only puts them last: when nothing else is "
        "left, "
        f"asks of {_paths(numbers['takers'])} may stop them. Set preemption.policy: disabled here to protect them."
    ),
    ("L-41", ""): _full_in_one_type,
    ("L-42", ""): _large_asks,
    ("starving", ""): _starving,
    ("C-121", ""): lambda where, numbers: (
        f"{where} is called root, and the resources of queues of that name are not loaded: it has no maximum and no guarantee. "
        "Give "
        "it another name."
    ),
    ("C-103", ""): lambda where, numbers: (
        f"{name(numbers['acl'])} of {where} names {_paths(numbers['names'])}, which can never match and is dropped without a word"
        + (": a * counts only where it is all that is written" if numbers["wildcard"] else "")
        + ". Correct it, or remove it."
    ),
    ("C-157", ""): lambda where, numbers: (
        f"A reload leaves maxapplications of {where} at {numbers['stays'] or 'no limit'}, although the configuration now says "
        f"{numbers['wanted'] or 'no limit'}: it is looked at once, when the scheduler starts. Restart it."
    ),
    ("PL-60", ""): lambda where, numbers: (
        f"The filter of the placement rule {name(numbers['rule'])} denies and names nobody. That lets nobody pass, so the rule "
        "never "
        "counts. Name whom it denies, or remove the rule."
    ),
    ("PL-62", ""): lambda where, numbers: (
        f"The filter of the placement rule {name(numbers['rule'])} has the type {name(numbers['value'])}. Only deny in lower case "
        "denies; everything else allows, so it does the opposite. Write deny."
    ),
    ("P-30", ""): lambda where, numbers: (
        f"{where} is a preemption fence with no other queue outside, so it keeps nobody from anything. Remove it, or set it on a "
        "queue "
        "below."
    ),
    ("R-651", ""): lambda where, numbers: (
        f"The priority fence of {where} has no effect: there is no queue beside it or above it for which it could hide priorities. "
        "Remove it, or set it on queues below."
    ),
    ("PL-104", ""): lambda where, numbers: (
        f"The limits of {where} never hold: they are kept under the name as written, with capitals in {_paths(numbers['names'])}, "
        "and "
        "looked for in lower case. Write the name in lower case."
    ),
}
"""(code, case) -> the sentences."""


def check_assumption(code: str, numbers: Numbers) -> str:
    """What is taken for granted about the workload (E-40)."""
    return _ASSUMPTIONS.get((code, str(numbers.get("case", "")))) or _ASSUMPTIONS.get((code, "")) or ""


_ASSUMPTIONS: Mapping[tuple[str, str], str] = {
    ("L-06", ""): "This assumes that no nodes of another kind are to come.",
    ("L-08", ""): "This assumes that queues outside the fence fill the cluster at times.",
    ("L-17", ""): "This assumes that more gang applications will come.",
    ("L-19", "rules"): "This assumes that nobody works around the rules by recovery.",
    ("L-19", "zero"): "This assumes that every pod asks for vcore and memory.",
    ("L-19", "asks"): "This assumes that later asks are no smaller.",
    ("L-23", ""): "This assumes that more than one user runs applications there.",
    ("L-29", "short"): "This assumes that first attempts may find nothing to stop.",
    ("L-29", "long"): "This assumes that later applications run as long as those that finished.",
    ("L-31", ""): "This assumes that other queues fill the cluster at times.",
    ("L-40", ""): "This assumes that these pods are missed when they are stopped.",
    ("L-41", ""): "This assumes that the present use is the usual one.",
    ("L-42", ""): "This assumes that later asks are of the same size.",
}


def repair_text(edits: Sequence[tuple[str, str, str, Any]]) -> str:
    """What a remedy changes, as (kind, path, key, value) of each edit: one sentence."""
    phrases = [_EDITS[kind](name(path) if path else "the partition", name(key, 80), value) for kind, path, key, value in edits]
    said = listing(phrases, most=3)
    return f"{said[:1].upper()}{said[1:]}."


def _set_or_removed(what: str, where: str, value: Any) -> str:
    return f"remove {what} of {where}" if value is None else f"set {what} of {where} to {name(str(value))}"


def _quantities(what: str, where: str, value: Mapping[str, str] | None) -> str:
    if not value:
        return f"remove {what} of {where}"
    return f"set {what} of {where} to {', '.join(f'{name(kind)} {name(text)}' for kind, text in value.items())}"


def _template_edit(where: str, key: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"rename {key} in the child template of {where} to {name(value[0])}"
    return _set_or_removed(f"{key} in the child template", where, value)


_EDITS: Mapping[str, Callable[[str, str, Any], str]] = {
    "property": lambda where, key, value: _set_or_removed(key, where, value),
    "property-name": lambda where, key, value: f"rename {key} of {where} to {name(value)}",
    "template-property": _template_edit,
    "template-max": lambda where, key, value: _quantities("the maximum in the child template", where, value),
    "max": lambda where, key, value: _quantities("max", where, value),
    "guaranteed": lambda where, key, value: _quantities("guaranteed", where, value),
    "field": lambda where, key, value: _set_or_removed(key, where, str(value).lower() if isinstance(value, bool) else value),
    "limits": lambda where, key, value: (
        f"write the limits of {where} as {len(value)} separate entries"
        if len(value) > 1
        else f"keep one entry of the limits of {where}"
        if value
        else f"remove the limits of {where}"
    ),
    "name": lambda where, key, value: f"rename {where} to {name(value)}",
    "weights": lambda where, key, value: (
        "set nodesortpolicy.resourceweights to " + ", ".join(f"{name(kind)} {weight:g}" for kind, weight in value.items())
        if value
        else "remove nodesortpolicy.resourceweights"
    ),
    "quota-switch": lambda where, key, value: _set_or_removed(
        "preemption.quotapreemptionenabled", where, None if value is None else str(value).lower()
    ),
    "filter-type": lambda where, key, value: f"set filter.type of placement rule {int(key) + 1} to {name(value)}",
    "rules": lambda where, key, value: f"let the placement rules be {listing([name(rule.name) for rule in value], most=8)}",
}
"""Kind of edit -> its words, as (where, key, value)."""


def trial_text(code: str, path: str, happens: bool, numbers: Numbers) -> str:
    """What trying a check out showed."""
    sentence = _TRIALS.get(str(numbers.get("case", "")))
    said = sentence(name(path), happens, numbers) if sentence else raw(Refusal(code, path, numbers))
    return f"Tried, and so it is: {said}" if happens else f"Tried, and it did not happen: {said}"


def _held_of_promised(where: str, happens: bool, numbers: Numbers) -> str:
    held, promised = (format_quantity(numbers[key], numbers["type"]) for key in ("held", "promised"))
    return f"{where} came to {name(numbers['type'])} {held} of the {promised} it is guaranteed, while others held the rest."


_TRIALS: Mapping[str, Callable[[str, bool, Numbers], str]] = {
    "held": _held_of_promised,
    "placed": lambda where, happens, numbers: (
        f"an application that was sent to {where} got {'nothing' if happens else 'its place'} there."
    ),
    "rejected": lambda where, happens, numbers: f"a gang application sent to {where} was {'rejected' if happens else 'accepted'}.",
    "waits": lambda where, happens, numbers: (
        f"of two users with an application each in {where}, " + ("one had to wait." if happens else "both could start.")
    ),
    "again": lambda where, happens, numbers: (
        f"{seconds(numbers['since_ns'])} after its first attempt an ask had not been looked at again."
        if happens
        else "an ask was looked at again."
        if numbers["looked"]
        else "the ask never came to an attempt."
    ),
    "stopped": lambda where, happens, numbers: (
        f"after the usual time nothing had been stopped for {where}." if happens else f"something was stopped for {where} before."
    ),
    "spared": lambda where, happens, numbers: (
        f"{counted(numbers['stopped'], 'pod')} of {where} that asked not to be preempted were stopped."
        if happens
        else f"nothing in {where} was stopped."
    ),
    "outside": lambda where, happens, numbers: (
        f"outside {where} {counted(numbers['stopped'], 'pod')} were stopped for an ask that {where} has no room for."
        if happens
        else f"nothing outside {where} was stopped."
    ),
}
"""What was measured -> the sentence."""


# ---- further pictures and their tables: slope, order, usage, fair share, preemption, time -------------------------------

# Usage (G-4)

USED, WITHIN, ABOVE = "used", "used within guaranteed", "used above guaranteed"
AT_MAXIMUM = "at max"
FULL = "!"
NO_LIMIT = "no max"
USAGE_COLUMNS = ("queue", "used", "guaranteed", "above", "max", "pending", "share of max", "note")


def usage_caption(kind: str) -> str:
    return f"Use of {name(kind)} by queue"


def usage_axis(kind: str, of_maximum: bool) -> str:
    return f"{name(kind)} used, in percent of the smallest max on the way to root" if of_maximum else f"{name(kind)}"


def of_limit(used: str, limit: str) -> str:
    return f"{used} of {limit}"


def queue_is_full(queue: str, kind: str, used: str, others: int, pending: str) -> str:
    more = f", like {counted(others, 'other queue')}" if others else ""
    waits = f"; {pending} more is asked for" if pending else ""
    return f"{name(queue)} has reached its max of {name(kind)} {used}{more}{waits}"


def queue_is_above(queue: str, kind: str, used: str, above: str, others: int) -> str:
    more = f"; {counted(others, 'other queue')} {'is' if others == 1 else 'are'} above, too" if others else ""
    return f"{name(queue)} uses {name(kind)} {used}, {above} of it above its guarantee{more}"


def most_used_by(kind: str, used: str, limit: str, queue: str, part: str) -> str:
    of = f" of {limit}" if limit else ""
    return f"{name(kind)} {used}{of} is used, most of it by {name(queue)}: {part}"


def nothing_used(kind: str, pending: str) -> str:
    return f"No {name(kind)} is used yet" + (f"; {pending} is asked for" if pending else "")


# Fair share (G-6)

FAIR_MAX = "fair max"
COMPARED: Mapping[str, str] = {"share": "share", "usage": "usage", "submitted_ns": "submitted at", "priority": "priority compared"}
NO_GUARANTEE = "no guarantee"
SHARE_KEY = ("ring: next", "triangle: no guarantee set", "hollow: takes no part now")


def standing_caption(path: str) -> str:
    return f"Who competes in {name(path)}, in the order in which they are tried"


def standing_columns(kind: str, field: str) -> tuple[str, ...]:
    return ("rank", "queue" if kind == "queue" else APPLICATION, "priority", COMPARED[field], "how it comes about", "note")


def share_term(kind: str, used: str, whole: str, of: str, value: str) -> str:
    return f"{name(kind)} {used} of {whole} {of} = {value}" if whole else f"{name(kind)} {used}, counted as {value}"


def nothing_competes(where: str) -> str:
    return f"Nothing in {where} waits to be placed"


def none_can_be_placed(where: str, first: str) -> str:
    return f"Nothing in {where} can be placed now; {first} comes first"


def only_one_takes_part(who: str, where: str) -> str:
    return f"{who} is the only one in {where} that takes part now"


def only_one_competes(who: str, where: str) -> str:
    return f"{who} is the only one in {where} that waits for something"


def standing_axis(field: str, kind: str, by_priority: bool) -> str:
    what = {
        "share": "share: used ÷ guaranteed, or ÷ fair max, of the largest type",
        "usage": "usage: used ÷ guaranteed to the leaf, of the largest type",
        "submitted_ns": "time of submission",
        "priority": "priority",
    }[field]
    return f"{what}; after (priority)" if by_priority and field != "priority" else what


# Priority slope (G-2)

ASK = "ask"
CHILD_OF_ROOT = "child of root"
SLOPE_KEY = ("▣ fence: all leave at its offset", "+n offset is added", "thick: next")


def level_below_root(depth: int) -> str:
    return CHILD_OF_ROOT if depth == 1 else f"level {depth}"


def asks_together(first: str, others: int) -> str:
    return f"{first} ×{others + 1}" if others else first


def seen_at(path: str, value: str) -> str:
    return f"{name(path)}: counts as {value}"


def fence_levels(fence: str, number: int, value: str) -> str:
    return f"The fence at {fence} lets {counted(number, 'ask')} count as {value}"


def leads(who: str, value: str, others: str) -> str:
    return f"{who} leads with {value} at root" + (f", before {others}" if others else "")


def counts_most(who: str, value: str) -> str:
    return f"Nothing can be placed now; {who} counts most, {value} at root"


def leads_although(who: str, value: str, other: str, others_value: str) -> str:
    return f"{who} is next with {value} at root, although {other} counts as {others_value}"


def also(one: str, other: str) -> str:
    return f"{one}; {'the' + other[3:] if other.startswith('The ') else other}"


def not_drawn_asks(number: int) -> str:
    return f"… {counted(number, 'more ask')}"


# Order of allocations (G-3)

ORDER_AXIS = "number of the step"
ORDER_KEY = ("filled: placed", "hollow: placeholder", "R: reserved", "✕: stopped", "dot in a ring: next")
RESERVED_MARK = "R"
PLACEHOLDER = "placeholder"


def step_title(number: int, when: str) -> str:
    return f"step {number} at {when}"


def happened(outcome: str, who: str, node: str) -> str:
    """What one mark of the order stands for."""
    texts = {
        "allocated": f"{who} was placed on {node}",
        "reserved": f"{who} reserved {node}",
        "unreserved": f"{who} gave up its reservation of {node}",
        "replaced": f"{who} replaced a placeholder on {node}",
        "preempted": f"room is made for {who} on {node}",
        "stopped": f"{who} was stopped",
        "next": f"{who} is next, on {node}",
    }
    return texts.get(outcome, f"{name(outcome)}: {who} on {node}")


def placed_so_far(placed: int, who: str, leaf: str, stopped: int) -> str:
    ends = f"; {counted(stopped, 'allocation')} {'was' if stopped == 1 else 'were'} stopped" if stopped else ""
    return f"{counted(placed, 'ask')} {'was' if placed == 1 else 'were'} placed, the last one {who} in {leaf}{ends}"


def nothing_placed_but_next(who: str, leaf: str) -> str:
    return f"Nothing was decided yet; {who} in {leaf} comes next"


def none_placed(steps: int) -> str:
    return f"{counted(steps, 'step')} placed nothing"


NOTHING_DECIDED_TITLE = "Nothing was decided yet, and nothing can be placed now"


def earlier_steps(number: int) -> str:
    return f"… {counted(number, 'earlier step')}"


# Preemption (G-7)

MAY_ASK, MAY_GIVE, PREEMPTION_DISABLED = "may ask", "may give", "preemption disabled"
BALANCE_COLUMNS = ("queue", "used", "guaranteed", "above", "pending", "what it may do")
NO_QUEUES = "There is no queue below root."
CHOSEN_VICTIM, CANDIDATE_VICTIM = "✕", "?"
ASKS_FOR = "asks for"


def balance_caption(kind: str) -> str:
    return f"Use of {name(kind)} above the guarantee"


def balance_axis(kind: str) -> str:
    return f"{name(kind)} used: left of 0 is guaranteed, right of 0 is above the guarantee"


def stops_for(who: str, leaf: str, victims: int, queues: Sequence[str]) -> str:
    whose = listing([name(queue) for queue in queues], most=2)
    return f"For {who} in {leaf}, {counted(victims, 'allocation')} of {whose} {'is' if victims == 1 else 'are'} stopped"


def could_be_stopped_for(who: str, leaf: str, candidates: int, held: int) -> str:
    return f"For {who} in {leaf}, {candidates:,} of {counted(held, 'allocation')} could be stopped"


def could_be_stopped(candidates: int, held: int) -> str:
    return f"{candidates} of {held} could go"


def then_lacks_room(who: str, node: str) -> str:
    return f"Even when the victims have ended, {node} has too little room for {who}; the scheduler does not look ({name('P-103')})"


def then_runs(who: str, leaf: str, kind: str, used: str, guaranteed: str) -> str:
    of = f", of {guaranteed} guaranteed" if guaranteed else ""
    return f"When the victims have ended, {who} can run: {leaf} then uses {name(kind)} {used}{of}"


def stops_nothing_for(who: str, leaf: str, why: str) -> str:
    return f"Nothing is stopped for {who} in {leaf}. {why}".removesuffix(".")


def nothing_guaranteed(kind: str) -> str:
    return f"No queue has a guarantee of {name(kind)}, so none may ask for preemption"


def nobody_preempts(below: str, above: str) -> str:
    who = [text for text in (below, above) if text]
    return "No ask preempts in this step" + (f"; {' and '.join(who)}" if who else ": no queue waits below its guarantee")


def stopped_before(victims: int, queues: Sequence[str], of_quota: bool) -> str:
    """Allocations that are on their way out, though no attempt of this step stopped them."""
    whose = listing([name(queue) for queue in queues], most=2)
    why = " to keep to a lowered maximum; why these ones is not recorded" if of_quota else ""
    return f"{counted(victims, 'allocation')} of {whose} {'is' if victims == 1 else 'are'} being stopped already{why}"


def is_below(queue: str, kind: str, amount: str) -> str:
    return f"{name(queue)} waits with {name(kind)} {amount} below its guarantee"


def is_above(queue: str, kind: str, amount: str) -> str:
    return f"{name(queue)} uses {name(kind)} {amount} above its own"


def others_stopped(victims: int, node: str, who: str) -> str:
    are = "is" if victims == 1 else "are"
    return (
        f"For {who}, which must run on {node}, {counted(victims, 'allocation')} there {are} stopped; guarantees and fences do "
        "not count, and why others stay is not recorded"
    )


def stopped_of(stopped: int, all_of: int) -> str:
    return f"{stopped} of {all_of} stopped"


def merged(number: int) -> str:
    return counted(number, "further allocation")


def letter_means(letter: str, code: str) -> str:
    return f"{letter} = {short_name(code)}"


CHOSEN_KEY, CANDIDATE_KEY, GONE_KEY, ASK_KEY = "✕ chosen", "? could be stopped", "pale: stopped", "open frame: the ask"
FRAME_KEY = "dashed: fence"

# Use over time (G-8)

TIME_COLUMNS = ("step", "time", "used")
TIME_KEY = ("◆ configuration changed", "✕ stopped to make room", "solid line: guaranteed", "dotted line: max")
NOTHING_HAPPENED = "Nothing has happened yet"
ALL_TOGETHER = "all together"
CONFIG_CHANGED = "the configuration was changed"
NOTHING_SET = "none"


def time_caption(kind: str, path: str) -> str:
    return f"Use of {name(kind)} in {name(path)} over simulated time"


def use_change_caption(kind: str, before: int, after: int) -> str:
    return f"Use of {name(kind)} after step {before} and after step {after}"


def use_change_columns(before: int, after: int) -> tuple[str, ...]:
    return ("queue", "guaranteed", "max", f"step {before}", f"step {after}", "change")


def became(before: str, after: str) -> str:
    return f"{before or NOTHING_SET} → {after or NOTHING_SET}"


def at_time(when: str) -> str:
    return f"at {when}"


def used_after(when: str, kind: str, used: str, limit: str, where: str, most: str, part: str) -> str:
    of = f" of {limit}" if limit else ""
    by = f", most of it by {name(most)}: {part}" if part else f", all of it by {name(most)}"
    mostly = by if most else ""
    return f"After {when}, {name(where)} uses {name(kind)} {used}{of}{mostly}"


def and_stopped(sentence: str, stopped: int) -> str:
    return f"{sentence}; {counted(stopped, 'allocation')} {'was' if stopped == 1 else 'were'} stopped"


# ==== the screen of the workbench: edits, runs, inputs, files ========================================================

# ---- edits ----------------------------------------------------------------------------------------------------------

EDIT_MODES: Mapping[str, str] = {
    "rerun": "Edits run the same inputs again from the start.",
    "reload": "Edits apply from now on, as a reload does on a live cluster.",
}
EDIT_MODE_LABELS: Mapping[str, str] = {"rerun": "Re-run from start", "reload": "Apply from now"}
EDIT_STOPPED = "Stopped before the edit took effect. The design is unchanged."
NOTHING_CHANGED = "Nothing changes by this."
YAML_APPLIED = "The design is now what the YAML says."
NO_PARTITION = "a design needs a partition"
YAML_UNCHANGED = "The YAML is the design in force."
BUSY = "Something is under way. Press Stop first."


def setting_changed(path: str, key: str, value: str | None) -> str:
    """Values of several lines are not repeated."""
    if value is None:
        return f"{name(key)} of {name(path)} is no longer set."
    if "\n" in value or len(value) > NAME_LENGTH:
        return f"{name(key)} of {name(path)} is changed."
    return f"{name(key)} of {name(path)} is now {name(value)}."


def queue_added(path: str) -> str:
    return f"{name(path)} is added."


def queue_renamed(path: str, new: str) -> str:
    return f"{name(path)} is now {name(new)}."


def queue_moved(path: str, new: str) -> str:
    if path.lower() == new:
        return f"{name(path)} has another place among its siblings."
    return f"{name(path)} has moved to {name(new)}."


def queue_duplicated(path: str, new: str) -> str:
    return f"{name(path)} is copied to {name(new)}."


def queue_deleted(path: str) -> str:
    return f"{name(path)} is removed. Undo brings it back."


def running_again(position: int, goal: int) -> str:
    return f"Running again: step {position} of {goal}. Stop keeps the design as it was."


def reloaded(position: int, old_next: Any, new_next: Any) -> str:
    """What a reload at the present step changed. Two decisions."""
    at = f"Reloaded at step {position}."
    if not new_next.changed_something:
        return f"{at} {NOTHING_NEXT}"
    who = request(new_next.key, new_next.application_id)
    same = (old_next.application_id, old_next.key) == (new_next.application_id, new_next.key)
    return f"{at} Next is {'still ' if same else ''}{who}."


# ---- settings of the editor -----------------------------------------------------------------------------------------

NO_CONFIGURATION = "Created by a placement rule: this queue has no configuration of its own."

SETTING_HINTS: Mapping[str, str] = {
    "parent": "true makes it a parent even without children, so that placement rules may create queues below it.",
    "maxapplications": "Applications that may run here at once; 0 is any number.",
    "resources.guaranteed": "What the queue gets before others get more than their guarantee; the base of fair shares.",
    "resources.max": "What the queue may use at most, with everything below it.",
    "limits": "Limits for users and groups in this queue and below, tried in this order.",
    "submitacl": "Who may submit here and below: users, a blank, groups; groups alone begin with a blank; * is everybody.",
    "adminacl": "Who may administer here and below; they may also submit.",
    "childtemplate": "What a queue gets that a placement rule creates below this one.",
    "nodesortpolicy.type": "fair spreads over the nodes, binpacking fills one before the next.",
    "nodesortpolicy.resourceweights": "How much each resource counts in the score of a node.",
    "preemption.enabled": "Whether running pods may be stopped for others at all.",
    "preemption.quotapreemptionenabled": "Whether use above a lowered maximum is taken back.",
    "placementrules": "How applications find their queue; the first rule that leads to one wins.",
}

_NO_EFFECT: Mapping[tuple[str, str], str] = {
    ("Priority", "root"): "No effect on root: there is no queue beside it to compare with.",
    ("application.sort.policy", "parent"): "Only leaf queues sort applications.",
    ("application.sort.policy", "root"): "Only leaf queues sort applications.",
    ("resources.max", "root"): "The nodes are the maximum of root; a configured one is refused.",
    ("resources.guaranteed", "root"): "Root has no guarantee; a configured one is refused.",
    ("childtemplate", "leaf"): "No effect on a leaf: no queue is created below it.",
    ("parent", "root"): "Root is always a parent.",
    ("preemption.delay", "parent"): "Only used on a leaf; the leaves below begin with what is set here.",
    ("preemption.delay", "root"): "Only used on a leaf; the leaves below begin with what is set here.",
    ("preemption.quota.delay", "root"): "Root has no maximum that could be lowered.",
}


def no_effect(key: str, tab: str, position: str) -> str:
    """Why a setting has no effect at a queue that is "root", a "parent" or a "leaf"."""
    used = "parent" if position == "leaf" else "leaf"
    return _NO_EFFECT.get((key, position)) or _NO_EFFECT.get((tab, position)) or f"Only used on a {used}."


SWITCHED_OFF: Mapping[str, str] = {
    "quota": "No effect while preemption.quotapreemptionenabled is false for the partition.",
    "preemption": "No effect while preemption.enabled is false for the partition.",
    "backoff": "No effect while application.unschedasks.backoff is 0.",
}


def unknown_to_version(version: str) -> str:
    return f"Engine {name(version)} does not know this setting."


def inherited_here(how: str) -> str:
    """What configured children get of a property."""
    return {"yes": "Children inherit it.", "no": "Not inherited.", "disabled": "Children inherit only disabled."}.get(how, "")


def not_set_value(value: str) -> str:
    return f"default: {name(value)}" if value else "not set"


def no_count(text: str) -> str:
    return f"{name(text)} is no whole number from 0 up"


def no_switch(text: str) -> str:
    return f"{name(text)} is neither true nor false"


MOST_RESTORED = 2


def queue_settings_appear(tab: str, keys: Sequence[str]) -> str:
    """What stands in a tab of the editor once a queue is selected."""
    return f"{tab} of a queue: {listing(list(keys), most=len(keys))}. Select a queue in the tree."


OTHER_TYPE = "another resource"
RESOURCE_HEADS = ("resource", "guaranteed", "max")
APPLY, DISCARD, CLEAR = "Apply", "Discard", "Clear"
DRAFT_BEHIND = "The design has changed since; this text is still yours. Discard shows the design."
DRAFT_OPEN = "Not applied yet."


def line_in_draft(line: int, at: int) -> str:
    """Where a line of the design is in a text that is being edited; 0 where it was changed there."""
    if not at:
        return f"Line {line} of the design is changed in this text, which is not applied yet."
    moved = f" is line {at} of this text" if at != line else " is unchanged in this text"
    return f"Line {line} of the design{moved}, which is not applied yet."


YAML_HINT = "The design in force. Edit it and press Apply."

# ---- runs -----------------------------------------------------------------------------------------------------------

UNTIL: Mapping[str, str] = {
    "end": "nothing is left",
    "steps": "n steps are taken",
    "queue": "the queue is served",
    "application": "the app is served",
    "request": "the request is served",
    "preemption": "something is preempted",
    "priority": "the queue's priority changes",
    "guaranteed": "the queue reaches its guarantee",
    "max": "the queue reaches its maximum",
}
NEEDED_FIRST: Mapping[str, str] = {
    "queue": "Select a queue first.",
    "request": "Select a request in Pending first.",
    "application": "Select a request of the app in Pending first.",
}


def no_step_count(text: object) -> str:
    return f"{name(str(text))} is no number of steps"


def no_such_speed(speed: float, least: int, most: int) -> str:
    return f"{speed:g} steps a second cannot be played; {least} to {most} can"


def ran_until(label: str, argument: str, steps: int, position: int, held: bool) -> str:
    about = f" ({name(argument)})" if argument else ""
    if held:
        return f"Ran {counted(steps, 'step')} until {label}{about}; now at step {position}."
    return f"Ran {counted(steps, 'step')} and nothing is left; it did not come to: {label}{about}. Now at step {position}."


def idle_cycle(now_ns: int) -> str:
    return f"The cycle changed nothing. It is now {seconds(now_ns)}."


def advanced(by: float, now_ns: int) -> str:
    return f"{by:g} s have passed. It is now {seconds(now_ns)}."


def steps_dropped(ahead: int) -> str:
    """What becomes of the recorded steps behind the present one when something is put in before them; "" for none."""
    if not ahead:
        return ""
    return f"The {counted(ahead, 'step')} ahead {'is' if ahead == 1 else 'are'} dropped; Step or Run decides anew."


def in_force_again(differences: Sequence[Difference]) -> str:
    """What holds again after an edit of the design was taken back, as part of a sentence; "" where the design is the same."""
    whole = {each.path for each in differences if not each.key and None in (each.old, each.new)}
    told = [_again(each) for each in differences if each.path not in whole or not each.key]
    return listing(told, most=MOST_RESTORED)


def _again(each: Difference) -> str:
    place = name(each.path, 120) if each.path else f"partition {name(each.partition)}"
    key = each.key.removeprefix("properties.")
    if not key:
        return f"{place} is {'there again' if each.old is None else 'gone again' if each.new is None else f'a {each.new} again'}"
    if key == "queues":
        return f"the queues below {place} are in their former order"
    if each.new is None:
        return f"{name(key)} of {place} is not set, as before"
    return f"{name(key)} of {place} is {name(each.new)} again"


def mark_reload(step: int) -> str:
    return f"The configuration was reloaded at step {step}."


def mark_preemption(victims: int) -> str:
    return f"{counted(victims, 'allocation')} preempted."


def mark_difference(step: int) -> str:
    return f"The last edit changed the outcome from step {step} on."


# ---- inputs ---------------------------------------------------------------------------------------------------------

INPUT_FORMS: Mapping[str, str] = {
    "add_request": "Request",
    "add_app": "Application",
    "add_gang": "Gang",
    "add_node": "Node",
    "drain_node": "Drain a node",
    "undrain_node": "Open a node",
    "remove_node": "Remove a node",
    "finish": "Finish or release",
    "remove_app": "Remove an application",
    "advance": "Let time pass",
}
INPUT_COLUMNS = ("no.", "input", "name", "details", "state")
INPUT_CAPTION = "Inputs"
NO_INPUTS = "Nothing was put in yet."
HAPPENED, AHEAD = "happened", "ahead"
AT_LABEL, AT_EXAMPLE = "at (s)", "empty: now"
REMOVE_INPUT, REMOVE_INPUT_HINT = "Remove selected", "Take back the selected input, which has not happened yet"
ADD, LOAD_TABLE = "Add", "Add rows"
TABLE_EXAMPLE = "app,key,queue,vcore,memory,priority,repeat\napp-1,small,root.a,1,2Gi,0,3\napp-2,urgent,root.b,2,,100,1"
TABLE_HEAD = "the first line names the columns, app and key among them"
NO_AMOUNT_GIVEN = "no amount is given"


def no_whole_number(label: str, text: str) -> str:
    return f"{name(label)}: {name(text)} is no whole number"


def no_number(label: str, text: str) -> str:
    return f"{name(label)}: {name(text)} is no number"


def no_amounts(label: str, why: str) -> str:
    return f"{name(label)}: {name(why, 200)}; write amounts like vcore: 2, memory: 4Gi"


def name_missing(label: str) -> str:
    return f"{name(label)}: give a name"


def wild_repeat(number: int, most: int) -> str:
    return f"repeat: {number} is not between 1 and {most}"


def cells(found: int, wanted: int) -> str:
    return f"{counted(found, 'cell')} where the header has {wanted}"


def _several(noun: str, id: str, repeat: int) -> str:
    return f"{noun} {name(id)}" if repeat == 1 else f"{counted(repeat, noun)} {name(id)}-000 and so on"


def submitted(id: str, repeat: int) -> str:
    return f"{_several('Application' if repeat == 1 else 'application', id, repeat)} submitted."


def asked(key: str, app: str, repeat: int) -> str:
    return f"App {name(app)} asks for {_several('request', key, repeat)}."


def gang_submitted(id: str, members: int) -> str:
    return f"Gang {name(id)} submitted, with {counted(members, 'placeholder')}."


def node_added(id: str, repeat: int) -> str:
    return f"Registered: {_several('node', id, repeat)}."


def node_drained(id: str) -> str:
    return f"Node {name(id)} takes nothing new."


def node_opened(id: str) -> str:
    return f"Node {name(id)} takes new work again."


def node_removed(id: str) -> str:
    return f"Node {name(id)} is removed; what ran there is released."


def finished(app: str, key: str) -> str:
    return f"{request(key, app)} ended." if key else f"Everything of app {name(app)} ended."


def app_removed(app: str) -> str:
    return f"App {name(app)} is removed."


def planned(number: int, first_ns: int, last_ns: int) -> str:
    when = seconds(first_ns) if first_ns == last_ns else f"{seconds(first_ns)} to {seconds(last_ns)}"
    return f"{counted(number, 'input')} {'waits' if number == 1 else 'wait'} for {when} of simulated time."


def planned_state(at_ns: int, happened: bool) -> str:
    return f"{HAPPENED}, at {seconds(at_ns)}" if happened else f"at {seconds(at_ns)}"


def time_has_come(label: str, at_ns: int, now_ns: int) -> str:
    return f"{name(label)}: {seconds(at_ns)} has come already; it is {seconds(now_ns)}"


def not_ahead(number: int) -> str:
    return f"input {number} is none that waits for its time"


def input_removed(kind: str, who: str, at_ns: int) -> str:
    return f"No longer planned for {seconds(at_ns)}: {kind} {who}."


def input_rejected(number: int, reason: str) -> str:
    return f"The scheduler rejected {number} of it: {name(reason, 200)}."


def input_details(command: Any) -> tuple[str, str]:
    """(name, details) of an input for a table; whatever a command carries that is worth a column."""
    spec = getattr(command, "application", None) or getattr(command, "ask", None)
    if getattr(command, "ask", None) is not None:
        parts = [
            amounts(spec.resource),
            f"priority {spec.priority}" if spec.priority else "",
            f"task group {name(spec.task_group)}" if spec.task_group else "",
            "placeholder" if spec.placeholder else "",
            f"on {name(command.node_id)}" if getattr(command, "node_id", "") else "",
        ]
        return request(spec.key, spec.application_id), ", ".join(part for part in parts if part)
    if spec is not None:
        parts = [
            f"queue {name(spec.queue)}" if spec.queue else "",
            f"user {name(spec.user)}" if spec.user else "",
            f"gang of {amounts(spec.placeholder_ask)}" if spec.placeholder_ask else "",
        ]
        return name(spec.id), ", ".join(part for part in parts if part)
    if hasattr(command, "node_id"):
        return name(command.node_id), amounts(getattr(command, "capacity", None))
    if hasattr(command, "ms"):
        return seconds(command.ms * 1_000_000), ""
    if hasattr(command, "cycles"):
        return counted(command.cycles, "cycle"), ""
    if hasattr(command, "key"):
        return request(command.key, command.application_id) if command.key else name(command.application_id), ""
    return name(getattr(command, "application_id", "")) if getattr(command, "application_id", "") else "", ""


# ---- files and sessions ---------------------------------------------------------------------------------------------

NO_NOTEBOOK = "there is no notebook that the session could be kept beside; give a path"


def saved(path: str) -> str:
    return f"Design and inputs are in {name(path, 200)}."


def report_written(path: str) -> str:
    return f"The report is in {name(path, 200)}."


RESUME, RESUME_HINT = "Continue where I was", "Come back to the earlier session of this notebook; this one is kept as well"
EARLIER_SESSION = "An earlier session of this notebook is kept: Workbench.recover()."


def no_session(path: str) -> str:
    return f"there is no session to come back to; it would be {name(path, 200)}"


def recovered(design: str, step: int) -> str:
    return f"Back in the session of design {name(design)}, at step {step}."


def session_damaged(path: str, aside: str, why: str) -> str:
    return f"The session file {name(path, 120)} is damaged and kept as {name(aside, 120)} ({name(why, 200)})."


def session_not_kept(path: str, why: str) -> str:
    return f"The session could not be kept in {name(path, 120)}: {name(why, 200)}."


def drawn_with(picture: str, options: Mapping[str, str]) -> str:
    if not options:
        return f"{name(picture)} is in front."
    return f"{name(picture)} shows {', '.join(f'{name(option)} {name(value)}' for option, value in options.items())}."


ENGINE, ENGINE_HINT = "Engine", "The release whose rules are followed"


def engine_is(version: str) -> str:
    return f"The rules of release {name(version)} are followed."


def shown_as(view: str) -> str:
    return f"Shown as {name(view)}."


_REST_NOTES: Mapping[str, Callable[..., str]] = {
    "queues": lambda: (
        "There is no answer of /ws/v1/config: the queues are those of the answer, everybody may submit, and limits, "
        "placement rules, templates and node sorting are unknown."
    ),
    "ended": lambda number: f"{counted(number, 'application')} had ended and {'is' if number == 1 else 'are'} left out.",
    "gangs": lambda: "Whether a gang is soft or hard is unknown: soft.",
    "ages": lambda: "How long requests and allocations are there is counted from now on.",
    "constraints": lambda: "Which nodes a request accepts is unknown, except a required one.",
    "elsewhere": lambda *ids: (
        f"By the placement rules {listing([name(id) for id in ids])} would be in another queue than the "
        "answer says, and so it is here."
    ),
    "rejected": lambda *ids: (
        f"The scheduler would not accept {listing([name(id) for id in ids])} again, so it is missing here; Events says why."
    ),
}


def rest_note(code: str, numbers: Sequence[Any]) -> str:
    """What the saved answers of a REST API leave open."""
    return _REST_NOTES[code](*numbers)


# ---- the tree and the keyboard ---------------------------------------------------------------------------------------

TREE_TOOLS: Mapping[str, tuple[str, str]] = {
    "add": ("+ Add", "Add a queue below the selected one (Insert)"),
    "rename": ("Rename", "Rename the selected queue (F2 or double click)"),
    "duplicate": ("Copy", "Copy the selected queue with all below it (Ctrl+D)"),
    "delete": ("Delete", "Remove the selected queue with all below it (Delete)"),
}
NEW_QUEUE = "name of the new queue"
KEYS: tuple[tuple[str, str], ...] = (
    ("n or →", "step"),
    ("p or ←", "back"),
    ("r", "run"),
    ("space", "play or stop"),
    ("u", "undo"),
    ("e", "to the editor"),
    ("w", "to Why"),
    ("/", "find a queue or request"),
    ("?", "this help"),
    ("in the tree: arrows, Home, End", "move"),
    ("F2", "rename"),
    ("Insert", "add"),
    ("Ctrl+D", "copy"),
    ("Delete", "remove"),
    ("Alt+↑ Alt+↓", "move among the siblings"),
    ("Alt+← Alt+→", "move out, or into the queue above"),
)
KEYS_TITLE = "Keys"
FIND_HINT = "queue or request"


def not_found(text: str) -> str:
    return f"no queue and no waiting request is called {name(text)}"


# ---- predictions -----------------------------------------------------------------------------------------------------

PREDICT, PREDICT_HINT = "Predict", "Cover the ranking and say yourself what comes next"
ANSWER_HINT, REVEAL, REVEAL_HINT = "Take the step and see whether it is so", "Show me", "Take the step without an answer"
CHOOSE_AN_ANSWER = "Answer"
PREDICT_QUESTION = "Which one is next?"
PREDICT_HOW = (
    'Select a queue in the tree and press Answer, or say it in code: wb.predict("...") with a queue, an application, '
    'a request, a node, or "nothing".'
)
PREDICT_VICTIMS = "What will be stopped?"
PREDICT_VICTIMS_HOW = (
    'Say it in code: wb.predict(victims=["..."]) with the names of all that are stopped, or victims=[] for '
    "none.\nOn the screen, select the queue that loses something and press Answer."
)
PREDICT_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "next": (PREDICT_QUESTION, PREDICT_HOW),
    "victims": (PREDICT_VICTIMS, PREDICT_VICTIMS_HOW),
}
"""What is asked for -> the question, and how to answer it."""
NOBODY = "nobody"
COVERED_PICTURE = "Covered until you have answered: this picture shows what comes next."
COVERED_TABLE = "Covered until you have answered: this table shows what comes next."
COVERED_COLUMNS = ("request", "app", "queue", "priority")
COVERED_NODE_COLUMNS = ("node", "capacity", "allocated", "others", "available", "state")
PRIORITIES_COLUMNS = (*COVERED_COLUMNS, "seen at leaf → … → root child")
COVERED_NEXT = "?"
PREDICTED_RIGHT = "Right."
PREDICT_BELOW_ROOT = "root holds everything; name a queue below it"


def answer_with(what: str) -> str:
    return f"Answer: {name(what)}" if what else CHOOSE_AN_ANSWER


def predicted_wrong(answer: str) -> str:
    return f"Not {name(answer)}."


def why_spared(key: str, reason: str) -> str:
    """What protected somebody who was named as a victim."""
    return f"Why not {name(key)}? {reason}"


def score(right: int, made: int) -> str:
    return f"{right} of {counted(made, 'prediction')} right."


def nothing_to_predict(answer: str) -> str:
    return f'{name(answer)} is no queue, and no application, request or node that is waiting; "nothing" is an answer, too'


def nothing_to_lose(answer: str) -> str:
    return f'{name(answer)} is no queue, and nothing that runs; "nothing" is an answer, too'


def no_such_victim(answer: str, running: Sequence[str]) -> str:
    some = f"; running are {listing([name(key) for key in running])}" if running else "; nothing is running"
    return f"no allocation {name(answer)} is running{some}"


# ---- watching time pass, in lessons ---------------------------------------------------------------------------------

WATCHED_CAPTION = "What happened, with everything that was stopped coming back as a new request"
WATCHED_COLUMNS = ("time", "request", "queue", "what happens")
NOTHING_WATCHED = "Nothing started, and nothing was stopped."
STARTS = "starts"


def stops_others(victims: str) -> str:
    return f"stops {victims}"


def of_queue(key: str, queue: str) -> str:
    return f"{key} of {queue}"


def watched(seconds: float, stopped: int, returned: int) -> str:
    again = f", {returned} of these had been stopped before" if returned else ""
    return f"In {seconds:g} s: {stopped} stopped{again}."


def held_at_the_end(queues: Sequence[tuple[str, str]]) -> str:
    return f"Used at the end: {', '.join(f'{queue} {amount}' for queue, amount in queues if amount) or 'nothing'}."


def no_time_to_watch(seconds: float, most: int) -> str:
    return f"watching takes more than 0 and at most {most} seconds, not {seconds}"


# ---- the report ------------------------------------------------------------------------------------------------------

RUN_SECTIONS: Mapping[str, str] = {
    "pictures": "The first decision, and the nodes at the end",
    "steps": "Steps",
    "waiting": "Waiting",
    "queues": "Queues",
    "nodes": "Nodes",
    "yaml": "Configuration",
}
QUEUES_AT_THE_END = "Queues at the end, in tree order"
REPORT_SECTIONS: Mapping[str, str] = {
    "why": "Why",
    "pictures": "Pictures",
    "pending": "Waiting",
    "order": "Steps",
    "queues": "Queues",
    "nodes": "Nodes",
    "inputs": "Inputs",
    "yaml": "Configuration",
    "python": "The same in Python",
}


def page_title(title: str) -> str:
    return f"{title}: policy workbench"


def report_lead(step: int, waiting: int, engine: str) -> str:
    return f"Step {step}, {counted(waiting, 'request')} waiting. Engine {name(engine)}."
