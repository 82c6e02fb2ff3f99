"""Advice that is new with a file: what the checks find in it and did not find in what is in force, on the same cluster."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.advice import Check, checks
from workbench.advice.lints.reload import NumberOfTheRoot, StaysUntilRestart
from workbench.config.model import SchedulerConfig
from workbench.scheduler.records.state import Cluster

TOLD_ELSEWHERE = (NumberOfTheRoot, StaysUntilRestart)
"""What stays until a restart is a part of its own."""


@dataclass(frozen=True, slots=True)
class FreshAdvice:
    """Attributes:
    new: what is found only in the new file, most urgent first.
    gone: what is found only in the old one.
    """

    new: tuple[Check, ...] = ()
    gone: tuple[Check, ...] = ()


def fresh_advice(old: SchedulerConfig, new: SchedulerConfig, cluster: Cluster) -> FreshAdvice:
    """What the checks say of one and not of the other. The same thing found with other numbers is no news."""
    before, after = ({_about(each): each for each in checks(config, cluster) if not _is_elsewhere(each)} for config in (old, new))
    return FreshAdvice(
        tuple(each for about, each in after.items() if about not in before),
        tuple(each for about, each in before.items() if about not in after),
    )


def _about(check: Check) -> tuple[object, ...]:
    return type(check.lint), check.code, check.partition.lower(), check.path, check.key, check.lint.about


def _is_elsewhere(check: Check) -> bool:
    return isinstance(check.lint, TOLD_ELSEWHERE)
