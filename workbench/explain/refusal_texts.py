"""One sentence and one short name for every refusal, by its code of chapter 09. Values in, words out.

A code that is not listed here is shown raw with its numbers, never hidden. Amounts are in the units of the configuration;
what is missing is said wherever a test compared numbers (E-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.explain.wording import amounts, counted, listing, name, seconds
from workbench.scheduler.records.decision import Refusal
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

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
