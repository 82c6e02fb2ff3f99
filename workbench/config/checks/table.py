"""Every check of a configuration, and all that they find in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.config.checks import access, guarantees, limits, preemption, priorities, property_texts, quota, reach
from workbench.config.checks.design import Design, designs
from workbench.config.checks.finding import Finding
from workbench.config.model import SchedulerConfig

CHECKS: tuple[Callable[[Design], Iterator[Finding]], ...] = (
    *guarantees.CHECKS,
    *preemption.CHECKS,
    *priorities.CHECKS,
    *property_texts.CHECKS,
    *limits.CHECKS,
    *access.CHECKS,
    *reach.CHECKS,
    *quota.CHECKS,
)


def findings(config: SchedulerConfig) -> Iterator[Finding]:
    """What the checks find in a valid configuration, partition by partition."""
    for design in designs(config):
        for check in CHECKS:
            yield from check(design)
