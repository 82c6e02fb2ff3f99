"""The gate for inputs: what a simulation takes, from whomever it comes, is what a scenario file can say and a reader reads back.

`check_input` is asked when an input is applied, `check_planned` when one is kept for later, `check_scenario` when a whole
scenario is played, and the reader asks the same functions about what it has read. The fields of commands are judged by
`command_checks`; here is what files add to that.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.config.model import SchedulerConfig
from workbench.config.write.export import is_accepted, loaded, text_of
from workbench.scheduler.records import command_checks, commands
from workbench.scheduler.records.command_checks import CommandFault, is_whole
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation.scenario.model import LAST_MS, AdvanceMs, Pace, Planned, Scenario, ScenarioEvent, Schedule, Until
from workbench.values.errors import CommandError, ConfigError
from workbench.values.found import found
from workbench.values.resources import Resource

MOST_CYCLES = 1_000_000
"""Cycles of one `Schedule`."""
MOST_EVENTS = 1_000_000
"""Events of one scenario, repeated ones counted one by one."""
MS_NS = 1_000_000


def check_input(command: object) -> None:
    """Nothing, if a simulation can take the input and a scenario file can say it.

    Raises:
        CommandFault: a field holds what it may not; with the field, what was found and what is allowed.
        CommandError: it is no input.
    """
    kind = type(command)
    if kind is AdvanceMs:
        _whole("advance_ms", "ms", command.ms, LAST_MS)  # type: ignore[attr-defined]
    elif kind is Until:
        _whole("until_ns", "at_ns", command.at_ns, LAST_MS * MS_NS)  # type: ignore[attr-defined]
    elif kind is Schedule:
        _whole("schedule", "cycles", command.cycles, MOST_CYCLES)  # type: ignore[attr-defined]
    elif kind in (commands.Advance, commands.Cycle):
        raise CommandError(
            f"{kind.__name__} is for the engine and no input; AdvanceMs lets time pass, and Schedule asks for scheduling cycles"
        )
    else:
        command_checks.check(command)
        _check_said(command)


def check_planned(command: object, at_ms: object) -> None:
    """Nothing, if the input can wait for this time, in milliseconds since the start. Raises as `check_input`."""
    check_input(command)
    if isinstance(command, AdvanceMs | Schedule | Until):
        raise CommandError(f"{type(command).__name__} cannot have a time of its own; only what is sent to the scheduler can")
    _whole(commands.KINDS[type(command)], "at_ms", at_ms, LAST_MS)


def check_scenario(scenario: Scenario) -> None:
    """Nothing, if the scenario can be played and written. Raises as `check_input`."""
    for name in ("name", "description") if isinstance(scenario.config, SchedulerConfig) else ("config", "name", "description"):
        _must("scenario", name, getattr(scenario, name), command_checks.TEXT)
    _must("scenario", "confirm_releases", scenario.confirm_releases, command_checks.SWITCH)
    _must("scenario", "engine", scenario.engine, command_checks.TEXT)
    profile_of(scenario.engine)
    if type(scenario.pace) is not Pace:
        raise CommandFault("scenario", "pace", found(scenario.pace), "a Pace")
    for name in ("message_ns", "cycle_ns"):
        if not is_whole(getattr(scenario.pace, name), 0, LAST_MS * MS_NS):
            raise CommandFault(
                "scenario", f"pace.{name}", found(getattr(scenario.pace, name)), f"a whole number from 0 to {LAST_MS * MS_NS}"
            )
    for event in scenario.events:
        if type(event) is not ScenarioEvent:
            raise CommandFault("scenario", "events", found(event), "a tuple of ScenarioEvent")
        check_input(event.command)
    due_ms = 0
    for each in scenario.planned:
        if type(each) is not Planned:
            raise CommandFault("scenario", "planned", found(each), "a tuple of Planned")
        check_planned(each.command, each.at_ms)
        if each.at_ms < due_ms:
            raise CommandFault("scenario", "planned", f"{each.at_ms} ms behind {due_ms} ms", "in the order of time")
        due_ms = each.at_ms


def check_partitions(config: SchedulerConfig, scenario: Scenario) -> None:
    """Nothing, if every input is for a partition that is there, or that may be there when its turn comes.

    The rule: a partition is one of the configuration at the start, or one that a configuration to come before the input names. For
    an input of the script that is one of the script before it, or any with a time, for what the clock shows then is not known; for
    an input with a time it is one of the script, or one with no later time. What a configuration to come takes away does not
    count: an input with a time whose partition is gone by then is ignored.

    Raises:
        CommandError: with the input, counted from 1, and the partitions that there are.
    """
    there = named_in(config)
    for number, event in enumerate(scenario.events):
        name = _partition(event.command)
        if name is not None and name.lower() not in there:
            before = (*(each.command for each in scenario.events[:number]), *(each.command for each in scenario.planned))
            if name.lower() not in there | brought(before):
                raise CommandError(f"input {number + 1}, {_kind(event.command)}: {no_partition(name, there)}")
    for number, each in enumerate(scenario.planned):
        name = _partition(each.command)
        if name is not None and name.lower() not in there:
            before = (*(other.command for other in scenario.events), *(other.command for other in scenario.planned[:number]))
            if name.lower() not in there | brought(before):
                raise CommandError(f"planned input {number + 1}, {_kind(each.command)}: {no_partition(name, there)}")


def named_in(config: SchedulerConfig) -> frozenset[str]:
    """The partitions of a configuration, in lower case."""
    return frozenset(each.name.lower() for each in config.partitions)


def brought(inputs: Iterable[object]) -> frozenset[str]:
    """The partitions that the configurations among these inputs name; one that the scheduler will reject brings none."""
    found: frozenset[str] = frozenset()
    for command in inputs:
        if isinstance(command, commands.UpdateConfig):
            try:
                found |= named_in(loaded(command.config))
            except ConfigError:
                continue
    return found


def no_partition(name: str, there: Iterable[str]) -> str:
    """Why an input cannot be, with what can."""
    return f"no partition {name!r}; the configuration has: {', '.join(sorted(there)) or 'none'}"


def _partition(command: object) -> str | None:
    return getattr(command, "partition", None)


def _kind(command: object) -> str:
    return commands.KINDS.get(type(command), type(command).__name__)


def _check_said(command: object) -> None:
    """What the scheduler could take, or answer with a rejection, but no file says."""
    kind = commands.KINDS[type(command)]
    match command:
        case commands.AddAsk(ask=ask) | commands.AddAllocation(ask=ask):
            _amounts(kind, "resource", ask.resource)
            if ask.allowed_nodes == ():
                raise CommandFault(kind, "allowed_nodes", "an empty tuple", "None if every node will do, or name some")
        case commands.AddNode(capacity=capacity) | commands.UpdateNode(capacity=capacity):
            _amounts(kind, "capacity", capacity)
        case commands.AddApplication(application=spec):
            if spec.placeholder_ask is not None:
                _amounts(kind, "placeholder_ask", spec.placeholder_ask)
            if spec.execution_timeout_ns % MS_NS:
                raise CommandFault(kind, "execution_timeout_ns", f"{spec.execution_timeout_ns}", "whole milliseconds")
        case commands.UpdateConfig(config=SchedulerConfig() as config) if not is_accepted(config):
            try:
                text_of(config)
            except ConfigError as error:
                raise CommandFault(kind, "config", f"one that no text can say ({error})", "what a queues.yaml can say") from None
        case commands.Release(application_id="", key=""):
            raise CommandError(
                f"{kind} names nothing: give an application and a key, an application for all it has, or a foreign key"
            )


def _amounts(kind: str, field: str, resource: Resource) -> None:
    for name, amount in resource.amounts.items():
        if amount < 0:
            raise CommandFault(kind, field, f"{amount} of {name}", "amounts from 0 up")


def _whole(kind: str, field: str, value: object, most: int) -> None:
    if not is_whole(value, 1, most):
        raise CommandFault(kind, field, found(value), f"a whole number from 1 to {most}")


def _must(kind: str, field: str, value: object, wanted: command_checks.Kind) -> None:
    if not wanted.fits(value):
        raise CommandFault(kind, field, found(value), wanted.allowed)
