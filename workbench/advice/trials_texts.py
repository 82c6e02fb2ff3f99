"""What trying a check out showed, by code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.explain import refusals
from workbench.explain.wording import counted, listing, name, seconds
from workbench.values.quantities import format_quantity

Numbers = Mapping[str, Any]


def trial_text(code: str, path: str, happens: bool, numbers: Numbers) -> str:
    """What trying a check out showed."""
    sentence = _TRIALS.get(str(numbers.get("case", "")))
    said = sentence(name(path), happens, numbers) if sentence else refusals.raw_text(code, path, numbers)
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
        f"{seconds(numbers['since_ns'])} after its first attempt a request had not been looked at again."
        if happens
        else "a request was looked at again."
        if numbers["looked"]
        else "the request never came to an attempt."
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
        f"outside {where} {counted(numbers['stopped'], 'pod')} were stopped for a request that {where} has no room for."
        if happens
        else f"nothing outside {where} was stopped."
    ),
    "shares": lambda where, happens, numbers: (
        f"{where} got {numbers['placed']} of {counted(numbers['wanted'], 'pod')}, and "
        f"{listing([name(each) for each in numbers['others']], most=3)} got all the rest."
        if happens
        else f"{where} got {numbers['placed']} of {counted(numbers['wanted'], 'pod')}."
    ),
    "robbed": lambda where, happens, numbers: (
        f"{counted(numbers['stopped'], 'pod')} of {where} were stopped for {name(numbers['other'])}, then "
        f"{numbers['back']} there for {where}, while both were below their guarantees."
        if happens
        else f"{where} and {name(numbers['other'])} did not stop each other's pods."
    ),
}
"""What was measured -> the sentence."""
