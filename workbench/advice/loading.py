"""What the real loader reports: the error of validation, or what validation lets pass and loading does not. C-30, C-125, PL-23."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config import validate
from workbench.config.checks import Finding
from workbench.config.model import SchedulerConfig
from workbench.scheduler.engine import Engine
from workbench.scheduler.placement.rule_set import build_rules
from workbench.values.errors import ConfigError


def refusal(config: SchedulerConfig) -> ConfigError | None:
    """The first error of validation, at which it ends."""
    try:
        validate(config)
    except ConfigError as error:
        return error
    return None


def invalid(error: ConfigError) -> Finding:
    """The refusal as a finding."""
    return Finding(
        code="invalid", severity="error", line=error.line, rules=("C-30",), numbers={"text": error.text, "hint": error.hint}
    )


def load_errors(config: SchedulerConfig) -> Iterator[Finding]:
    """What stops a valid configuration from being loaded, and rules that leave a partition without any."""
    try:
        Engine(config, history=False)
    except ConfigError as error:
        yield Finding(
            code="not-loaded",
            severity="error",
            line=error.line,
            rules=("C-125", "C-102", "C-21"),
            numbers={"text": error.text, "hint": error.hint},
        )
        return
    for partition in config.partitions:
        try:
            build_rules(partition)
        except ConfigError as error:
            yield Finding(
                code="no-rules",
                severity="error",
                partition=partition.name,
                key="placementrules",
                line=error.line,
                rules=("PL-23", "PL-22", "PL-21"),
                numbers={"text": error.text, "hint": error.hint},
            )
