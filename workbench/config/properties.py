"""Queue properties: the table of known keys, what children inherit, and the typed settings that result.

Property texts are never rejected: a bad value takes the default of its key (C-131), an unknown key is carried along
and ignored. `PROPERTIES` is the one place that knows a key; editors and advice read the same table as the scheduler.
Rules C-130 to C-135 and R-428 to R-430, table of section 12 of chapter 02.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench.config.vocabulary import APPLICATION_SORT_POLICIES
from workbench.values.durations import SECOND, parse_duration

APPLICATION_SORT_POLICY = "application.sort.policy"
APPLICATION_SORT_PRIORITY = "application.sort.priority"
PRIORITY_POLICY = "priority.policy"
PRIORITY_OFFSET = "priority.offset"
PREEMPTION_POLICY = "preemption.policy"
PREEMPTION_DELAY = "preemption.delay"
QUOTA_PREEMPTION_DELAY = "preemption.quota.delay"
BACKOFF_THRESHOLD = "application.unschedasks.backoff"
BACKOFF_DELAY = "application.unschedasks.backoff.delay"

DOCUMENTED_QUOTA_PREEMPTION_DELAY = "quota.preemption.delay"
"""The key that the public documentation gives: release 1.9 reads it, 1.8 knows it as any other unknown key. C-133, R-901."""


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """What the properties of a queue mean once read. Delays are nanoseconds; 0 switches quota preemption off."""

    application_sort_policy: str = "fifo"
    priority_sorting: bool = True
    priority_policy: str = "default"
    priority_offset: int = 0
    preemption_policy: str = "default"
    preemption_delay_ns: int = 30 * SECOND
    quota_preemption_delay_ns: int = 0
    backoff_threshold: int = 0
    backoff_delay_ns: int = 30 * SECOND


DEFAULT_SETTINGS = QueueSettings()
"""Settings of a leaf without properties. A parent differs in its sort policy, which is always fair."""


@dataclass(frozen=True, slots=True)
class Property:
    """One known key.

    Attributes:
        key: as written in the configuration.
        field: the attribute of `QueueSettings` that it sets.
        parse: text -> value of the field; ValueError for a text that takes the default instead.
        default: text of the value that holds when nothing, or nothing usable, is set.
        choices: the texts to choose from; empty when the value is typed.
        added: further texts to choose from, which were registered.
        kind: how to edit it: "choice", "integer" or "duration".
        inherited: what a configured child gets from its parent: "yes", "no", or "disabled" for only that value.
        scope: "all" queues use it, or only a "leaf".
        hint: what it does, in plain language.
    """

    key: str
    field: str
    parse: Callable[[str], Any]
    default: str
    kind: Literal["choice", "integer", "duration"]
    hint: str
    choices: tuple[str, ...] = ()
    added: Sequence[str] = ()
    inherited: Literal["yes", "no", "disabled"] = "yes"
    scope: Literal["all", "leaf"] = "all"

    @property
    def allowed(self) -> tuple[str, ...]:
        """All texts to choose from."""
        return (*self.choices, *self.added)


def _choice(choices: Mapping[str, Any], *, any_case: bool, added: Sequence[str] = ()) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        word = text.lower() if any_case else text
        if word in choices:
            return choices[word]
        if text not in added:
            raise ValueError(f"{text!r} is none of {', '.join(name for name in (*choices, *added) if name)}")
        return text

    return parse


def _integer(low: int, high: int, *, signed: bool) -> Callable[[str], int]:
    pattern = re.compile(r"[+-]?[0-9]+" if signed else r"[0-9]+")

    def parse(text: str) -> int:
        # Leading zeros are fine; more digits than the bound has are out of range, however many.
        digits = text.lstrip("+-").lstrip("0")
        if not pattern.fullmatch(text):
            raise ValueError(f"{text!r} is no whole number")
        if len(digits) > len(str(high)) or not low <= int(text) <= high:
            raise ValueError(f"{text} is not between {low} and {high}")
        return int(text)

    return parse


def _positive_duration(text: str) -> int:
    ns = parse_duration(text)
    if ns <= 0:
        raise ValueError(f"{text!r} is not positive")
    return ns


def sort_policy(*, stateaware: str) -> Callable[[str], str]:
    """Reads `application.sort.policy`: the policies of the core, `stateaware` as the release takes it, and those added. C-183."""
    known = {"fifo": "fifo", "fair": "fair", "stateaware": stateaware, "": "fifo"}
    return _choice(known, any_case=False, added=APPLICATION_SORT_POLICIES)


_PROPERTIES = (
    Property(
        APPLICATION_SORT_POLICY, "application_sort_policy",
        sort_policy(stateaware="fifo"),
        "fifo", "choice", "Order of the applications in this leaf: oldest first, or smallest use first.",
        choices=("fifo", "fair"), added=APPLICATION_SORT_POLICIES, scope="leaf",
    ),
    Property(
        APPLICATION_SORT_PRIORITY, "priority_sorting",
        _choice({"enabled": True, "disabled": False}, any_case=True),
        "enabled", "choice", "Whether higher priorities go first in this queue, before the sort policy.",
        choices=("enabled", "disabled"),
    ),
    Property(
        PRIORITY_POLICY, "priority_policy",
        _choice({"default": "default", "fence": "fence", "": "default"}, any_case=True),
        "default", "choice", "A fence hides the priorities below: the queue competes with its own offset only.",
        choices=("default", "fence"), inherited="no",
    ),
    Property(
        PRIORITY_OFFSET, "priority_offset", _integer(-(2**31), 2**31 - 1, signed=True),
        "0", "integer", "Added to the priorities below when this queue competes; the whole value behind a fence.",
        inherited="no",
    ),
    Property(
        PREEMPTION_POLICY, "preemption_policy",
        _choice({"default": "default", "fence": "fence", "disabled": "disabled", "": "default"}, any_case=True),
        "default", "choice",
        "A fence keeps preemption for queues below from taking outside; disabled protects what runs here.",
        choices=("default", "fence", "disabled"), inherited="disabled",
    ),
    Property(
        PREEMPTION_DELAY, "preemption_delay_ns", _positive_duration,
        "30s", "duration", "How long an ask waits in this leaf before it may preempt.", scope="leaf",
    ),
    Property(
        QUOTA_PREEMPTION_DELAY, "quota_preemption_delay_ns", _positive_duration,
        "0s", "duration", "How long use may stay above a lowered maximum before it is preempted; 0s is never.",
    ),
    Property(
        BACKOFF_THRESHOLD, "backoff_threshold", _integer(0, 2**64 - 1, signed=False),
        "0", "integer", "Failed asks of an application in one pass after which it is left alone a while; 0 is never.",
        scope="leaf",
    ),
    Property(
        BACKOFF_DELAY, "backoff_delay_ns", _positive_duration,
        "30s", "duration", "How long an application that reached the backoff threshold is left alone.", scope="leaf",
    ),
)  # fmt: skip

PROPERTIES: Mapping[str, Property] = {each.key: each for each in _PROPERTIES}
"""Every key that the core evaluates, in the order an editor shows them."""


def inherited(parent_properties: Mapping[str, str]) -> dict[str, str]:
    """The properties that a configured child starts with. C-130, R-428.

    What is not inherited is not dropped: the child gets the key with its default, so that it hides what is further up.
    """
    return {key: _inherited_value(key, text) for key, text in parent_properties.items()}


def merged(parent_properties: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Properties in force at a configured queue: those of the parent filtered, own ones on top. C-130.

    `parent_properties` are the parent's merged ones, which include what it inherited itself.
    """
    return {**inherited(parent_properties), **own}


def settings(
    properties: Mapping[str, str],
    *,
    is_leaf: bool,
    base: QueueSettings = DEFAULT_SETTINGS,
    table: Mapping[str, Property] = PROPERTIES,
) -> QueueSettings:
    """The typed settings of a queue. Bad values take the default of their key, never an error. C-131.

    Only the listed keys are evaluated, on top of `base`: the defaults for a new queue, the settings in force for one
    that a reload changes (C-153, R-429). Parents always sort fair and have no preemption delay of their own. `table`
    holds the keys that the release knows.
    """
    changes = {}
    for key, text in properties.items():
        known = table.get(key)
        if known is not None and (is_leaf or key not in _LEAF_ONLY_VALUES):
            changes[known.field] = _value(known, text)
    if not is_leaf:
        changes["application_sort_policy"] = "fair"
    return replace(base, **changes) if changes else base


def value_of(key: str, text: str, *, table: Mapping[str, Property] = PROPERTIES) -> Any:
    """The value in force for the text of a known key: the default when the text is bad. C-131. `table`: of the release."""
    return _value(table[key], text)


def problem(key: str, text: str, *, table: Mapping[str, Property] = PROPERTIES) -> str | None:
    """Why the core would ignore this text and take the default; None when it means something. KeyError: unknown key.

    The scheduler asks nobody this, as it refuses no property (C-55); it is for editors and advice.
    """
    known = table[key]
    try:
        known.parse(text)
    except ValueError as error:
        # The default of the quota delay is written 0s, which is as good a way to say "off" as leaving it out.
        return None if known.default == text else f"{error}; the default holds: {known.default}"
    return None


def _value(known: Property, text: str) -> Any:
    try:
        return known.parse(text)
    except ValueError:
        return getattr(DEFAULT_SETTINGS, known.field)


# Values that the core evaluates on leaves only; on a parent the text is inherited but has no effect.
_LEAF_ONLY_VALUES = frozenset({APPLICATION_SORT_POLICY, PREEMPTION_DELAY})


def _inherited_value(key: str, text: str) -> str:
    known = PROPERTIES.get(key)
    if known is None or known.inherited == "yes":
        return text
    if known.inherited == "disabled" and value_of(key, text) == "disabled":
        return "disabled"
    return known.default
