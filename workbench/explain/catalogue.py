"""Every English sentence about decisions, and the short names of their codes (U-26). No logic: values in, words out.

Codes are those of chapter 09. A code that is not listed here is shown raw with its numbers, never hidden. Amounts are in
the units of the configuration; what is missing is said wherever a test compared numbers (E-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.explain.wording import NAME_LENGTH, amounts, counted, listing, name, seconds
from workbench.quantities import format_quantity
from workbench.resources import Resource
from workbench.scheduler.decision import Refusal

# ---- reasons: one short name and one sentence per code ------------------------------------------------------------

SHORT_NAMES: Mapping[str, str] = {
    "W-01": "not-scheduled", "W-02": "queue-stopped", "W-03": "not-reached", "W-04": "app-state", "W-05": "max-apps",
    "W-06": "app-limit", "W-07": "backoff", "W-08": "backoff-reached", "W-09": "gang-wait", "W-10": "user-limit",
    "W-11": "queue-headroom", "W-12": "required-node", "W-13": "required-node", "W-14": "required-node",
    "W-15": "reserved-elsewhere", "W-16": "node-too-small", "W-17": "node-fit", "W-18": "node-constraint",
    "W-19": "node-unschedulable", "W-20": "reserved", "W-21": "too-young", "W-24": "one-start",
    "A-03": "no-pending", "A-05": "nothing-placed", "A-06": "no-pending", "A-08": "allocated",
    "V-03": "preemption-off", "V-04": "may-not-preempt", "V-05": "preempted-before", "V-06": "required-node",
    "V-07": "preemption-delay", "V-08": "checked-recently", "V-09": "attempts-used", "V-10": "not-under-guarantee",
    "V-11": "not-under-guarantee", "V-12": "no-victims", "V-13": "no-usable-node", "V-14": "no-victims-on-a-node",
    "V-15": "node-constraint", "V-16": "would-break-guarantee", "V-17": "not-enough", "V-18": "victim-gone",
    "X-01": "same-app", "X-02": "outside-fence", "X-03": "preemption-disabled", "X-04": "victim-not-over-guarantee",
    "X-05": "no-common-type", "X-06": "required-node", "X-07": "already-going", "X-08": "higher-priority",
    "X-09": "priority-fence", "X-10": "foreign", "X-11": "unusable-node", "X-12": "victim-not-over-guarantee",
    "X-13": "over-budget", "X-14": "not-reached", "X-15": "does-not-help", "X-16": "not-needed", "X-17": "other-node",
    "X-18": "other-node",
    "J-01": "no-partition", "J-02": "unknown-user", "J-03": "partition-stopped", "J-04": "duplicate", "J-05": "no-rule",
    "J-06": "rule-error", "J-07": "not-created", "J-08": "no-leaf", "J-09": "gang-needs-fifo", "J-10": "gang-too-large",
    "J-20": "no-application", "J-21": "no-resources", "J-22": "no-node",
    "rule-input": "nothing-to-read", "rule-filter": "filtered", "rule-missing": "no-such-queue", "rule-parent": "no-parent",
    "rule-error": "error", "queue-parent": "not-a-leaf", "queue-draining": "queue-draining", "queue-access": "no-access",
    "node-reserved": "reserved-elsewhere", "node-unschedulable": "node-unschedulable", "node-capacity": "node-too-small",
    "node-available": "node-fit", "node-predicate": "node-constraint", "queue-max": "queue-headroom", "ask-empty": "ask-empty",
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
    numbers = ", ".join(f"{name(key)}={_raw_value(value)}" for key, value in sorted(refusal.numbers.items())
                        if not isinstance(value, Refusal))
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
    return (f"Queue {name(numbers['queue'])} may run {counted(numbers['limit'], 'application')}: {numbers['running']} running"
            f"{starting}, so another must wait.")


def _application_limit(subject: str, numbers: Numbers) -> str:
    return (f"In {name(numbers['queue'])} {_whose(numbers)} may run {counted(numbers['limit'], 'application')}: "
            f"{numbers['running']} running, so another must wait.")


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
    return (f"Waits to replace a placeholder of task group {group}: {numbers['count']} placed, {numbers['replaced']} replaced, "
            f"{numbers['timed_out']} timed out.")


def _user_headroom(subject: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    need, left, most, used, missing = (format_quantity(numbers[key], kind)
                                       for key in ("need", "headroom", "maximum", "used", "missing"))
    where = f"in {name(numbers['queue'])}"
    if numbers.get("never"):
        return f"Can never run: it needs {name(kind)} {need}, and {_whose(numbers)} may hold {most} {where}."
    return f"Needs {name(kind)} {need}; {_whose(numbers)} has {left} left {where} ({used} of {most} used), {missing} missing."


def _whose(numbers: Numbers) -> str:
    return f"{name(numbers['kind'])} {name(numbers['who'])}"


def _queue_headroom(subject: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    need, left, most, used, missing = (format_quantity(numbers[key], kind)
                                       for key in ("need", "headroom", "maximum", "allocated", "missing"))
    whose = "the cluster" if numbers.get("cluster") else f"queue {name(subject)}"
    if numbers.get("never"):
        return f"Can never run: it needs {name(kind)} {need}, and {whose} has {most} in all."
    return f"Needs {name(kind)} {need}; {whose} has {left} left ({used} of {most} used), {missing} missing."


def _no_room_for_required_node(subject: str, numbers: Numbers) -> str:
    return (f"{_queue_headroom(subject, numbers)} Only when there is room in the queues does it look at its node, "
            f"{name(numbers['node'])}.")


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
    short = [f"{name(kind)} {format_quantity(need, kind)} where the largest node has {format_quantity(largest, kind)}"
             for kind, need, largest in numbers["largest"] if need > largest]
    if not short:
        return "Can never run: no single node is large enough in every type at once."
    return f"Can never run: it needs {listing(short)}."


def _fits_nowhere_now(subject: str, numbers: Numbers) -> str:
    rows: Sequence[tuple[str, str, int, int]] = numbers["nodes"]
    if not rows:
        return "No node has room now."
    node, kind, need, available = min(rows, key=_lack)
    return (f"No node has room now; {name(node)} comes closest: {name(kind)} {format_quantity(available, kind)} of "
            f"{format_quantity(need, kind)} available, {format_quantity(need - max(0, available), kind)} missing.")


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
        return (f"Application {name(subject)} may not start while {name(numbers['starting'])} is Starting, for "
                f"{seconds(numbers['age_ns'])} now: stateaware starts one application of a queue at a time.")
    return (f"Application {name(subject)} may not start before {name(numbers['admitted'])}, which is older: stateaware starts "
            "one application of a queue at a time.")


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
    return (f"Node {name(subject)} is too small: {name(kind)} {format_quantity(numbers['capacity'], kind)} in all, "
            f"{format_quantity(numbers['need'], kind)} needed.")


def _node_available(subject: str, numbers: Numbers) -> str:
    kind, need, available = numbers["type"], numbers["need"], numbers["available"]
    return (f"Node {name(subject)} has {name(kind)} {format_quantity(available, kind)} available, {format_quantity(need, kind)} "
            f"needed, {format_quantity(need - max(0, available), kind)} missing.")


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
    return (f"It may preempt {seconds(numbers['delay_ns'])} after it was created, the delay of {name(subject)}: "
            f"{seconds(numbers['delay_ns'] - numbers['age_ns'])} left.")


def _tried_to_preempt(subject: str, numbers: Numbers) -> str:
    return f"It tried to preempt a moment ago and may try again in {seconds(numbers['left_ns'])}."


def _over_guarantee(subject: str, numbers: Numbers) -> str:
    return (f"It does not preempt: with {amounts(numbers['need'])} queue {name(subject)} would be above its guarantee, of which "
            f"{amounts(numbers['remaining'], 'nothing')} is left.")


def _no_victims(subject: str, numbers: Numbers) -> str:
    fence = f", to which the search is limited ({_why_fence(numbers)})" if numbers.get("reason") in ("policy", "full") else ""
    return f"It does not preempt: nothing below {name(subject)}{fence} may be stopped for it."


def _predicates_refuse_preemption(subject: str, numbers: Numbers) -> str:
    return f"It does not preempt: the node constraints refuse {listing([name(node) for node in numbers['nodes']])}."


def _too_little_to_preempt(subject: str, numbers: Numbers) -> str:
    return (f"It does not preempt: stopping all that may be stopped would free {amounts(numbers['collected'], 'nothing')} of the "
            f"{amounts(numbers['need'])} needed.")


def _outside_the_fence(subject: str, numbers: Numbers) -> str:
    return f"Outside {name(numbers['fence'])}, to which the search is limited: {_why_fence(numbers)}."


def _why_fence(numbers: Numbers) -> str:
    return {"policy": "it has preemption.policy: fence", "full": "it is exactly at its maximum",
            "root": "it is the root"}.get(numbers["reason"]) or name(numbers["reason"])


def _within_guarantee(subject: str, numbers: Numbers) -> str:
    suppliers = dict(numbers.get("suppliers", ()))
    left = [f"{name(kind)} {format_quantity(amount, kind)} left"
            + (f" of {name(suppliers[kind])}'s" if suppliers.get(kind) not in ("", None, subject) else "")
            for kind, amount in sorted(numbers["remaining"].items())]
    return f"{name(subject)} holds no more than its guarantee: {listing(left)}."


def _already_going(subject: str, numbers: Numbers) -> str:
    return "It is being stopped already." if numbers.get("preempted") else "It is being replaced already."


def _priority_too_high(subject: str, numbers: Numbers) -> str:
    way = [f"{name(path)} {value}" for path, value in (*numbers.get("up", ()), *numbers.get("down", ()))]
    steps = f" ({', '.join(way)})" if way else ""
    return f"Its priority {numbers['priority']} is above {numbers['value']}, which is what the ask counts as here{steps}."


def _behind_a_priority_fence(subject: str, numbers: Numbers) -> str:
    return (f"The priority fence of {name(subject)} has the offset {numbers['offset']}, above {numbers['priority']}, which is what "
            "the ask counts as there.")


def _unusable_node(subject: str, numbers: Numbers) -> str:
    why = numbers.get("why")
    return f"It runs on a node that cannot be used. {reason(why)}" if isinstance(why, Refusal) else "Its node cannot be used."


def _nothing_to_give(subject: str, numbers: Numbers) -> str:
    return (f"{name(numbers['queue'])} is not above its guarantee in anything that the ask needs: "
            f"{amounts(numbers['remaining'], 'nothing')} left when it was its turn.")


def _over_budget(subject: str, numbers: Numbers) -> str:
    return (f"With {amounts(numbers['size'])} it is larger than what is left of the guarantee of {name(numbers['queue'])}, "
            f"{amounts(numbers['budget'], 'nothing')}; the search of its node stopped there.")


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
    return listing([f"{name(kind)} {format_quantity(need - max(0, available), kind)} (needs {format_quantity(need, kind)}, "
                    f"{format_quantity(available, kind)} available)"
                    for kind, need, available in rows if need > max(0, available)])


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
    return (f"User {name(numbers['user'])}" + (f" of {groups}" if groups else "")
            + f" may not submit to {name(subject)}: no ACL of {asked} says so.")


_REASONS: Mapping[str, Callable[[str, Numbers], str]] = {
    **{f"J-{number:02}": _the_cores_text for number in (*range(1, 11), *range(20, 23))},
    "rule-input": _nothing_to_read, "rule-filter": _filtered, "rule-missing": _queue_missing,
    "rule-parent": lambda subject, numbers: f"Its parent rule, {name(subject)}, leads nowhere.",
    "rule-error": lambda subject, numbers: f"It ends the search with an error: {name(numbers['text'], 400)}.",
    "queue-parent": lambda subject, numbers: f"{name(subject)} is a parent, and applications run in leaves.",
    "queue-draining": lambda subject, numbers: f"{name(subject)} is draining and takes nothing new.",
    "queue-access": _no_submit_access,
    "W-01": _not_scheduled, "W-02": _queue_stopped, "W-03": _not_reached, "W-04": _application_state,
    "W-05": _too_many_applications, "W-06": _application_limit, "W-07": _backoff, "W-08": _backoff_reached, "W-09": _gang_wait,
    "W-10": _user_headroom, "W-11": _queue_headroom, "W-12": _unknown_node, "W-13": _required_node_full,
    "W-14": _no_room_for_required_node, "W-15": _all_reserved, "W-16": _never_fits, "W-17": _fits_nowhere_now,
    "W-18": _predicate, "W-19": _unschedulable, "W-20": _holds_reservation, "W-21": _too_young, "W-24": _one_start,
    "A-03": _no_pending,
    "A-05": _nothing_placed, "A-06": _no_pending, "A-08": _already_allocated, "node-reserved": _node_reserved,
    "node-unschedulable": _node_unschedulable, "node-capacity": _node_capacity, "node-available": _node_available,
    "node-predicate": _node_predicate,
    "queue-max": _queue_maximum, "ask-empty": _ask_empty,
    "V-03": _no_preemption("It does not preempt: preemption is switched off for partition {subject}."),
    "V-04": _no_preemption("It does not preempt: its own settings forbid it."),
    "V-05": _no_preemption("It has preempted before, and an ask does so once."),
    "V-06": _no_preemption("It preempts on its required node only."),
    "V-07": _too_early_to_preempt, "V-08": _tried_to_preempt,
    "V-09": _no_preemption("It does not preempt now: {subject} has used up its attempts of this cycle."),
    "V-10": _no_preemption("It does not preempt: no queue from root to {subject} has a guarantee left for it."),
    "V-11": _over_guarantee, "V-12": _no_victims,
    "V-13": _no_preemption("It does not preempt: no node can be used for it."),
    "V-14": _no_preemption("It does not preempt: no node has victims that would make enough room."),
    "V-15": _predicates_refuse_preemption,
    "V-16": _no_preemption("It does not preempt: further victims would leave {subject} above its guarantee."),
    "V-17": _too_little_to_preempt,
    "X-01": _no_preemption("It is in the ask's own queue."), "X-02": _outside_the_fence,
    "X-03": _no_preemption("{subject} has preemption.policy: disabled."), "X-04": _within_guarantee,
    "X-05": _no_preemption("It holds nothing of what the ask needs."),
    "X-06": lambda subject, numbers: f"It must run on its node, {name(numbers['node'])}.",
    "X-07": _already_going, "X-08": _priority_too_high, "X-09": _behind_a_priority_fence,
    "X-10": _no_preemption("These pods are not of this scheduler."), "X-11": _unusable_node, "X-12": _nothing_to_give,
    "X-13": _over_budget, "X-14": _search_stopped, "X-15": _does_not_help, "X-16": _not_needed, "X-17": _elsewhere,
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
    "priority": "", "share": "share ", "pending": "", "submitted_ns": "submitted at ", "usage": "usage ",
    "created_ns": "created at ", "position": "", "score": "score ", "id": "", "seq": "",
}
"""Key field -> the word before its value in brackets. Priorities, the values compared most, stand alone."""

FIELD_NAMES: Mapping[str, str] = {
    "priority": "priority", "share": "share", "pending": "pending amounts", "submitted_ns": "submission time", "usage": "usage",
    "created_ns": "creation time", "score": "score",
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
    return (f"{name(node)} has {amounts(free, 'nothing')} free and gets {amounts(freed, 'nothing')} back for the {amounts(need)} "
            f"needed, {ends}.")


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
    "offset": "priority.offset", "no-fence": "no fence", "sort-priority": "application.sort.priority",
    "sort-policy": "application.sort.policy", "ask-priority": "a priority of its own", "guaranteed": "a guarantee",
    "maximum": "a maximum", "max-applications": "maxapplications", "limit": "a limit of users or groups",
    "limit-applications": "a limit of running applications", "backoff": "application.unschedasks.backoff",
    "node": "a further node", "resize": "a larger node", "undrain": "an open node", "wait": "time",
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
        f"A limit of at least {counted(after, 'application')} for {detail} in {where}"),
    "backoff": lambda where, detail, before, after: f"application.unschedasks.backoff of at least {after} on {where}",
    "node": lambda where, detail, before, after: f"A further node like {where} with {amounts(after, 'nothing')}",
    "resize": lambda where, detail, before, after: f"At least {_more_than_before(before, after)} on node {where}",
    "undrain": lambda where, detail, before, after: f"Opening node {where} for new work",
    "wait": lambda where, detail, before, after: f"Waiting for {seconds(after)}",
}


def helps(change: str, effect: str) -> str:
    showed = {"next": "would make it the next", "placed": "would let it be placed",
              "passes": "would get it past this, but not yet placed"}
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
    texts = {"reserved": f"{who} reserves {node}: no node has room for it now",
             "replaced": f"{who} replaces a placeholder on {node}",
             "unreserved": f"The reservation of {who} on {node} ends"}
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
    verbs = {"allocated": "→", "reserved": "reserves", "unreserved": "gives up", "replaced": "replaces on",
             "preempted": "preempts on"}
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
LOG_CAPTION = "What the real scheduler notes on the ask"
LOG_COLUMNS = ("text", "count", "last time")
EMPTY_LOG = "The real scheduler notes nothing on this ask."
SHORTFALL_CAPTION = "What the ask needs and what each node has"
SHORTFALL_COLUMNS = ("node", "type", "needed", "available", "missing", "capacity", "state")
NODE_CAPTION = "Nodes, in the order that the node policy gives now"
NODE_COLUMNS = ("rank", "node", "score", "capacity", "allocated", "others", "available", "state")


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
    "submitacl": "Who may submit here and below: users, a blank, groups; * is everybody.",
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


OTHER_TYPE = "another resource"
RESOURCE_HEADS = ("resource", "guaranteed", "max")
APPLY, DISCARD, CLEAR = "Apply", "Discard", "Clear"
DRAFT_BEHIND = "The design has changed since; this text is still yours. Discard shows the design."
DRAFT_OPEN = "Not applied yet."
YAML_HINT = "The design in force. Edit it and press Apply."

# ---- runs -----------------------------------------------------------------------------------------------------------

UNTIL: Mapping[str, str] = {
    "end": "nothing is left", "steps": "n steps are taken", "queue": "the queue is served", "application": "the app is served",
    "request": "the request is served", "preemption": "something is preempted", "priority": "the queue's priority changes",
    "guaranteed": "the queue reaches its guarantee", "max": "the queue reaches its maximum",
}
NEEDED_FIRST: Mapping[str, str] = {
    "queue": "Select a queue first.", "request": "Select a request in Pending first.",
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


def mark_reload(step: int) -> str:
    return f"The configuration was reloaded at step {step}."


def mark_preemption(victims: int) -> str:
    return f"{counted(victims, 'allocation')} preempted."


def mark_difference(step: int) -> str:
    return f"The last edit changed the outcome from step {step} on."


# ---- inputs ---------------------------------------------------------------------------------------------------------

INPUT_FORMS: Mapping[str, str] = {
    "add_request": "Request", "add_app": "Application", "add_gang": "Gang", "add_node": "Node", "drain_node": "Drain a node",
    "undrain_node": "Open a node", "remove_node": "Remove a node", "finish": "Finish or release",
    "remove_app": "Remove an application",
    "advance": "Let time pass",
}
INPUT_COLUMNS = ("no.", "input", "name", "details", "state")
INPUT_CAPTION = "Inputs"
NO_INPUTS = "Nothing was put in yet."
HAPPENED, AHEAD = "happened", "ahead"
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
    return f"{_several('application', id, repeat).capitalize() if repeat == 1 else _several('application', id, repeat)} submitted."


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


def input_rejected(number: int, reason: str) -> str:
    return f"The scheduler rejected {number} of it: {name(reason, 200)}."


def input_details(command: Any) -> tuple[str, str]:
    """(name, details) of an input for a table; whatever a command carries that is worth a column."""
    spec = getattr(command, "application", None) or getattr(command, "ask", None)
    if getattr(command, "ask", None) is not None:
        parts = [amounts(spec.resource), f"priority {spec.priority}" if spec.priority else "",
                 f"task group {name(spec.task_group)}" if spec.task_group else "", "placeholder" if spec.placeholder else "",
                 f"on {name(command.node_id)}" if getattr(command, "node_id", "") else ""]
        return request(spec.key, spec.application_id), ", ".join(part for part in parts if part)
    if spec is not None:
        parts = [f"queue {name(spec.queue)}" if spec.queue else "", f"user {name(spec.user)}" if spec.user else "",
                 f"gang of {amounts(spec.placeholder_ask)}" if spec.placeholder_ask else ""]
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


EARLIER_SESSION = "An earlier session of this notebook is kept: wb = Workbench.recover() comes back to it."


def no_session(path: str) -> str:
    return f"there is no session to come back to; it would be {name(path, 200)}"


def recovered(design: str, step: int) -> str:
    return f"Back in the session of design {name(design)}, at step {step}."


def session_damaged(path: str, aside: str, why: str) -> str:
    return f"The session file {name(path, 120)} is damaged and kept as {name(aside, 120)} ({name(why, 200)})."


def session_not_kept(path: str, why: str) -> str:
    return f"The session could not be kept in {name(path, 120)}: {name(why, 200)}."


def shown_as(view: str) -> str:
    return f"Shown as {name(view)}."


# ---- the tree and the keyboard ---------------------------------------------------------------------------------------

TREE_TOOLS: Mapping[str, tuple[str, str]] = {
    "add": ("+ Add", "Add a queue below the selected one (Insert)"),
    "rename": ("Rename", "Rename the selected queue (F2 or double click)"),
    "duplicate": ("Copy", "Copy the selected queue with all below it (Ctrl+D)"),
    "delete": ("Delete", "Remove the selected queue with all below it (Delete)"),
}
NEW_QUEUE = "name of the new queue"
KEYS: tuple[tuple[str, str], ...] = (
    ("n or →", "step"), ("p or ←", "back"), ("r", "run"), ("space", "play or stop"), ("u", "undo"), ("e", "to the editor"),
    ("w", "to Why"), ("/", "find a queue or request"), ("?", "this help"),
    ("in the tree: arrows, Home, End", "move"), ("F2", "rename"), ("Insert", "add"), ("Ctrl+D", "copy"), ("Delete", "remove"),
    ("Alt+↑ Alt+↓", "move among the siblings"), ("Alt+← Alt+→", "move out, or into the queue above"),
)
KEYS_TITLE = "Keys"
FIND_HINT = "queue or request"


def not_found(text: str) -> str:
    return f"no queue and no waiting request is called {name(text)}"


# ---- the report ------------------------------------------------------------------------------------------------------

REPORT_SECTIONS: Mapping[str, str] = {
    "why": "Why", "pictures": "Pictures", "pending": "Waiting", "order": "Steps", "queues": "Queues", "nodes": "Nodes",
    "inputs": "Inputs", "yaml": "Configuration", "python": "The same in Python",
}


def report_lead(step: int, waiting: int, engine: str) -> str:
    return f"Step {step}, {counted(waiting, 'request')} waiting. Engine {name(engine)}."
