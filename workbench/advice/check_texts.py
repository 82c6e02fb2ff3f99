"""The sentences of the checks, their assumptions and repairs, by code (chapter 09, section 6). Values in, words out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.explain import refusals
from workbench.explain.wording import amounts, counted, listing, name, seconds
from workbench.explain.wording import offset as signed
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

Numbers = Mapping[str, Any]


SEVERITY_NAMES: Mapping[str, str] = {"error": "error", "warning": "warning", "hint": "hint"}
REMEDY = "remedy"
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


def check_text(code: str, path: str, numbers: Numbers) -> str:
    """What was found, what the scheduler does with it, and what to do."""
    sentence = _CHECKS.get((code, str(numbers.get("case", "")))) or _CHECKS.get((code, ""))
    if sentence is None:
        return refusals.raw_text(code, path, numbers)
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
        f"{where} guarantees nothing, but beside it {_paths(numbers['guarded'])} does: requests there may stop everything that "
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
        f"A request of priority {numbers['priority']} in {name(numbers['leaf'])} would count as {numbers['total']} at {where}, "
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
            f"The priority fence of {where} also counts between the queues below it when one preempts in another: every request "
            f"there counts as {numbers['offset']}, whatever its priority, against the victims' own priorities. Set fences "
            "where only one queue below has a guarantee, or know that this is so."
        )
    told = (
        "requests may stop what has a higher priority"
        if numbers["offset"] > 0
        else "requests cannot stop what has an equal priority"
    )
    return (
        f"The offset {signed(numbers['offset'])} of {where} also counts between the queues below it when one preempts in "
        f"another, and only on the side of the request: {told}. Give the offset to each of its children instead."
    )


def _delay_too_long(where: str, numbers: Numbers) -> str:
    return (
        f"Requests of {where} wait {seconds(numbers['delay_ns'])} before they preempt (set at {name(numbers['owner'])}), and of "
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
        "preemption to itself only if it were exactly full in every type, so requests below it look for victims outside as well, "
        "which then does not help them. Set preemption.policy: fence here."
    )


def _large_asks(where: str, numbers: Numbers) -> str:
    kind = numbers["type"]
    size, most, lost = (format_quantity(numbers[key], kind) for key in ("size", "guaranteed", "lost"))
    said = (
        f"Requests in {where} need up to {name(kind)} {size} each, of {most} guaranteed. A request preempts only if it fits whole "
        "into "
        "what is left of the guarantee"
    )
    rest = f", so {lost} of it can never be claimed that way" if numbers["lost"] else ""
    return f"{said}{rest}; and stopping one of that size may leave {where} far below its guarantee. Raise the guarantee."


def _starved_by_shares(where: str, numbers: Numbers) -> str:
    kind, others = name(numbers["type"]), _paths(numbers["others"])
    size, promised = (format_quantity(numbers[key], numbers["type"]) for key in ("size", "guaranteed"))
    used = (
        f"one request in {where} needs {kind} {size} of {promised} guaranteed, which makes its share {numbers['share']:.3g}"
        if numbers["guaranteed"] > 0
        else f"{where} is guaranteed {kind} {promised}, and any use of that makes its share {numbers['share']:.3g}"
    )
    return (
        f"{used[:1].upper()}{used[1:]}; {others} cannot come to more than {numbers['most']:.3g} with all the rest. The smaller "
        f"share is served first, so while they request, {where} gets no second one. Make the guarantee larger than a few "
        f"requests, or take {kind} out of it."
    )


def _starving(where: str, numbers: Numbers) -> str:
    has = f"holds {amounts(numbers['allocated'], 'nothing')}"
    owed = f", {amounts(numbers['short'])} less than its guarantee" if numbers["short"] else ""
    return (
        f"{where} {has}{owed}, and {counted(numbers['asks'], 'request')} wait there, the oldest for "
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
        f"{where} is a leaf with preemption.policy: fence: its requests look for victims below it only, and there is nothing but "
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
        f"Every request in {where} ({numbers['asks']}) needs {name(numbers['type'])} "
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
        "a request "
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
        f"it: requests there may stop anything in {where}, its guarantee does not protect it. Rename one of them so that neither "
        "begins with the other."
    ),
    ("L-29", "short"): lambda where, numbers: (
        f"preemption.delay is {seconds(numbers['delay_ns'])}, but a request that tried in vain is looked at again after "
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
        f"requests of {_paths(numbers['takers'])} may stop them. Set preemption.policy: disabled here to protect them."
    ),
    ("L-41", ""): _full_in_one_type,
    ("L-42", ""): _large_asks,
    ("L-43", ""): lambda where, numbers: (
        f"{where} holds less {name(numbers['type'])} than it is guaranteed, and so does {_paths(numbers['others'])}, but "
        f"{_paths(numbers['teams'])} hold more than they are guaranteed. So the requests of one stop the pods of the other, "
        "and when those come back, they stop the first again, without end. With preemption.policy: fence on these parents each "
        "takes from its own."
    ),
    ("L-44", ""): _starved_by_shares,
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
    ("L-19", "zero"): "This assumes that every pod requests vcore and memory.",
    ("L-19", "asks"): "This assumes that later requests are no smaller.",
    ("L-23", ""): "This assumes that more than one user runs applications there.",
    ("L-29", "short"): "This assumes that first attempts may find nothing to stop.",
    ("L-29", "long"): "This assumes that later applications run as long as those that finished.",
    ("L-31", ""): "This assumes that other queues fill the cluster at times.",
    ("L-40", ""): "This assumes that these pods are missed when they are stopped.",
    ("L-41", ""): "This assumes that the present use is the usual one.",
    ("L-42", ""): "This assumes that later requests are of the same size.",
    ("L-43", ""): "This assumes that pods that are stopped are requested again.",
    ("L-44", ""): "This assumes that the queues beside it go on requesting.",
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
