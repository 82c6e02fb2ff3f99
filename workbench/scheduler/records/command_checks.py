"""What the fields of a command may hold: one table of types and bounds, for whoever makes commands.

`check` is asked by the engine before it carries out anything, and by everything above it that keeps a command for later,
such as planned inputs and readers of files. What it accepts, the handlers can work with; a message that the core would take
and answer with a rejection, such as an ask of a negative size (R-472), is accepted here and answered by its handler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.scheduler.records import commands
from workbench.scheduler.records.commands import KINDS, ApplicationSpec, AskSpec
from workbench.values.errors import CommandError
from workbench.values.found import found
from workbench.values.quantities import MAX_INT64, MIN_INT64
from workbench.values.resources import Resource
from workbench.values.text import is_text

LEAST_PRIORITY, MOST_PRIORITY = -(2**31), 2**31 - 1
"""Priorities are 32-bit integers in the messages of the resource manager (R-601)."""
MOST_MS = MAX_INT64 // 10**6
"""Milliseconds up to the last instant of the clock, which counts 64-bit nanoseconds."""
RELEASE_TYPES = ("STOPPED_BY_RM", "TIMEOUT", "PREEMPTED_BY_SCHEDULER", "PLACEHOLDER_REPLACED", "UNKNOWN_TERMINATION_TYPE")
"""Reasons of a release that the protocol knows."""


class CommandFault(CommandError):
    """A field of a command that holds what it may not.

    Attributes:
        command: the kind of command, in the words of scenario files, such as "add_ask".
        field: the field's name in code, such as "priority".
        found: a phrase for what it holds.
        allowed: a phrase for what it may hold.
    """

    def __init__(self, command: str, field: str, found: str, allowed: str):
        self.command, self.field, self.found, self.allowed = command, field, found, allowed
        super().__init__(f"{command}: {field} must be {allowed}, found {found}")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field may hold: a phrase for people, and the test."""

    allowed: str
    fits: Callable[[Any], bool]


def is_whole(value: object, least: int, most: int) -> bool:
    """An integer between the bounds, both included; True and False are none."""
    return type(value) is int and least <= value <= most


def whole(least: int, most: int, unit: str = "") -> Kind:
    """A whole number between the bounds."""
    return Kind(f"a whole number{unit} from {least} to {most}", lambda value: type(value) is int and least <= value <= most)


def one_of(*words: str) -> Kind:
    """One of the words."""
    return Kind(f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words)


def _is_name(value: object) -> bool:
    # Usual names take the quick way: this is asked several times for every ask.
    return type(value) is str and value.isascii() and value != "" or is_text(value) and value != ""


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(map(is_text, value))


def _is_text_map(value: object) -> bool:
    return isinstance(value, (dict, MappingProxyType)) and all(is_text(key) and is_text(each) for key, each in value.items())


def _is_resource(value: object) -> bool:
    if not isinstance(value, Resource):
        return False
    for name in value.amounts:
        if not name or not name.isascii() and not is_text(name):
            return False
    return True


TEXT = Kind("a text of whole characters", is_text)
NAME = Kind("a text of whole characters that is not empty", _is_name)
TEXTS = Kind("a tuple of texts", _are_texts)
TEXT_MAP = Kind("a mapping of texts to texts", _is_text_map)
SWITCH = Kind("true or false", lambda value: value is True or value is False)
AMOUNTS = Kind("a Resource whose types have names", _is_resource)
CONFIG = Kind(
    "a text of whole characters or a loaded configuration", lambda value: is_text(value) or isinstance(value, SchedulerConfig)
)


def _or_none(kind: Kind) -> Kind:
    return Kind(f"{kind.allowed} or None", lambda value: value is None or kind.fits(value))


_NODE = {"node_id": NAME, "partition": NAME}
_ASK = {
    "application_id": NAME,
    "key": NAME,
    "resource": AMOUNTS,
    "priority": whole(LEAST_PRIORITY, MOST_PRIORITY),
    "created_ns": _or_none(whole(MIN_INT64, MAX_INT64, " of nanoseconds")),
    "task_group": TEXT,
    "placeholder": SWITCH,
    "originator": SWITCH,
    "allow_preempt_self": SWITCH,
    "allow_preempt_other": SWITCH,
    "required_node": TEXT,
    "allowed_nodes": _or_none(TEXTS),
    "node_selector": TEXT_MAP,
    "tolerations": TEXTS,
    "tags": TEXT_MAP,
}
_APPLICATION = {
    "id": NAME,
    "queue": TEXT,
    "user": TEXT,
    "groups": TEXTS,
    "tags": TEXT_MAP,
    "placeholder_ask": _or_none(AMOUNTS),
    "gang_style": TEXT,
    "execution_timeout_ns": whole(-MOST_MS * 10**6, MOST_MS * 10**6, " of nanoseconds"),
}

FIELDS: Mapping[type, Mapping[str, Kind]] = {
    commands.AddNode: {**_NODE, "capacity": AMOUNTS, "attributes": TEXT_MAP, "schedulable": SWITCH, "taints": TEXTS},
    commands.UpdateNode: {**_NODE, "capacity": AMOUNTS},
    commands.DrainNode: _NODE,
    commands.UndrainNode: _NODE,
    commands.RemoveNode: _NODE,
    commands.AddApplication: {"partition": NAME},
    commands.RemoveApplication: {"application_id": NAME, "partition": NAME},
    commands.AddAsk: {"partition": NAME},
    commands.AddAllocation: {"node_id": NAME, "foreign": SWITCH, "partition": NAME},
    # Without an application it is the release of something foreign, without a key that of everything.
    commands.Release: {"application_id": TEXT, "key": TEXT, "type": one_of(*RELEASE_TYPES), "partition": NAME},
    commands.UpdateConfig: {"config": CONFIG},
    commands.Advance: {"ns": whole(MIN_INT64, MAX_INT64, " of nanoseconds")},
    commands.Cycle: {},
    ApplicationSpec: _APPLICATION,
    AskSpec: _ASK,
}
"""Record -> its fields, save those that are records themselves -> what they may hold."""

_PARTS: Mapping[type, tuple[str, type]] = {
    commands.AddApplication: ("application", ApplicationSpec),
    commands.AddAsk: ("ask", AskSpec),
    commands.AddAllocation: ("ask", AskSpec),
}
"""Command -> the field that holds a record, and which."""


def check(command: object) -> None:
    """Nothing, if every field of the command holds what it may.

    Raises:
        CommandFault: with the field, what was found and what is allowed.
        CommandError: it is no command at all.
    """
    kind = type(command)
    if kind is commands.Cycle:
        return
    if kind not in KINDS:
        raise CommandError(f"there is no command of type {kind.__name__}; there are {', '.join(each.__name__ for each in KINDS)}")
    part = _PARTS.get(kind)
    if part is not None:
        name, wanted = part
        inner = getattr(command, name)
        if type(inner) is not wanted:
            raise CommandFault(KINDS[kind], name, found(inner), f"an {wanted.__name__}")
        if getattr(command, "foreign", False) is not True:
            _check_fields(inner, wanted, KINDS[kind])
        elif not is_text(owner := getattr(inner, "application_id", None)):
            raise CommandFault(KINDS[kind], "application_id", found(owner), TEXT.allowed)
        else:
            _check_fields(inner, wanted, KINDS[kind], besides="application_id")
    _check_fields(command, kind, KINDS[kind])


def _check_fields(record: object, kind: type, command: str, *, besides: str = "") -> None:
    getter, rules = _RULES[kind]
    for value, (default, fits, name) in zip(getter(record), rules):
        # Most fields are at their default, and nobody needs to look at these.
        if value is not default and not fits(value) and name != besides:
            raise CommandFault(command, name, found(value), FIELDS[kind][name].allowed)


def _default(kind: type, name: str) -> object:
    """The very object that a field holds that was not given; the class itself, which no field holds, for those that must be."""
    declared = next(each for each in fields(kind) if each.name == name)
    if declared.default is not MISSING:
        return declared.default
    return declared.default_factory() if declared.default_factory is not MISSING else kind


def _getter(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple([getattr(record, name) for name in names])


_RULES = {
    kind: (_getter(list(rules)), [(_default(kind, name), rule.fits, name) for name, rule in rules.items()])
    for kind, rules in FIELDS.items()
}
