"""Words and short sentences that several tables, pictures and screens share; those with one reader are with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.explain.wording import counted, listing, name
from workbench.scheduler.policies.orders import KEY_WORDS
from workbench.scheduler.records.decision import Decision

NOTHING_NEXT = "Nothing can be placed now."


def request(key: str, application_id: str) -> str:
    return f"{name(key)} of app {name(application_id)}"


def about(decision: Decision) -> str:
    """The request that a decision serves, or the queue whose maximum it enforces."""
    if decision.outcome == "enforced" and decision.path:
        return name(decision.path[-1])
    return request(decision.key, decision.application_id)


def headline(outcome: str, who: str, node: str, *, done: bool) -> str:
    """What the decision does (or, with `done`, did), as a sentence."""
    next_one, past = {
        "allocated": (f"{who} is next, on {node}.", f"{who} was placed on {node}."),
        "reserved": (f"{who} is next: it reserves {node}.", f"{who} reserved {node}."),
        "unreserved": (f"The reservation of {who} on {node} ends.", f"The reservation of {who} on {node} ended."),
        "replaced": (f"{who} is next: it replaces a placeholder, on {node}.", f"{who} replaced a placeholder, on {node}."),
        "enforced": (
            f"{who} is over its maximum: what is too much is stopped.",
            f"{who} was over its maximum: what was too much is stopped.",
        ),
        "preempted": (f"{who} is next: victims on {node} make room for it.", f"Victims on {node} were chosen for {who}."),
    }.get(outcome, (f"{outcome}: {who}, {node}.",) * 2)
    return past if done else next_one


def victims(keys: Sequence[str]) -> str:
    return f"Room is made by stopping {listing([name(key) for key in keys])}."


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


def value_word(field: str) -> str:
    """The word before a value of a key field; "" where the value says it."""
    return VALUE_WORDS[field] if field in VALUE_WORDS else f"{field_name(field)} "


def field_name(field: str) -> str:
    return FIELD_NAMES.get(field) or name(KEY_WORDS.get(field, field))


TAKEN = "taken"
VICTIM_CAPTION = "Candidate victims, and what protected each"
VICTIM_COLUMNS = ("victim", "app", "queue", "node", "priority", "verdict", "why")


def allocations(count: int) -> str:
    return counted(count, "allocation")


RULE_COLUMNS = ("rule", "value", "create", "filter", "queue", "verdict", "why")


def compared(field: str) -> str:
    """What is compared apart from priority, as a column says it."""
    return COMPARED.get(field) or field_name(field)


def goes_first(who: str, where: str, field: str, mine: str, theirs: str) -> str:
    beats = ", before" if field in ("submitted_ns", "created_ns") else " beats"
    return f"{who} goes first: at {where} {value_word(field)}{mine}{beats} {theirs}"


def goes_first_among_equals(who: str, where: str, other: str) -> str:
    return f"{who} goes first: at {where} it ties with {other}"


def goes_first_after(who: str, where: str, first: str) -> str:
    return f"{who} goes first: at {where} {first} comes earlier but can place nothing"


GUARANTEED = "guaranteed"
APPLICATION = "app"
PRIORITY = "priority"
SHOW_ALL = "Show all"
NEXT = "next"
FENCE = "▣"
NO_STEPS = "Nothing was decided yet."
NO_NODES = "No node is registered."
NOTHING_RUNS = "Nothing is running."
NOTHING_SAID = "The scheduler has said nothing yet."
RECORD_CAPTION = "Everything that was compared for the next decision, in the order in which it was visited"
NO_RECORDS = "Nothing was compared: nothing is waiting."
COMPARED: Mapping[str, str] = {"share": "share", "usage": "usage", "submitted_ns": "submitted at", "priority": "priority compared"}
PLACEHOLDER = "placeholder"
MAY_ASK = "may ask"
MAY_GIVE = "may give"
NOTHING_HAPPENED = "Nothing has happened yet"
