"""What the real loader reports: the error of validation, or what validation lets pass and loading does not. C-30, C-125, PL-23."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from workbench.advice.lint import Finding, Lint
from workbench.config import validate
from workbench.config.model import SchedulerConfig
from workbench.scheduler.engine import Engine
from workbench.scheduler.placement.rule_set import build_rules
from workbench.scheduler.releases.profiles import Profile
from workbench.values.errors import ConfigError


@dataclass(frozen=True, slots=True)
class LoaderSays(Lint):
    """An error in the words of the loader, after what it means."""

    severity = "error"
    means: ClassVar[str]
    text: str
    hint: str

    def sentence(self, where: str) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.means} {' '.join(self.text.split(chr(10)))}{hint}."


class Invalid(LoaderSays):
    code = "invalid"
    rules = ("C-30",)
    means = "The scheduler refuses this configuration:"


class NotLoaded(LoaderSays):
    code = "not-loaded"
    rules = ("C-125", "C-102", "C-21")
    means = "Validation accepts this configuration, but loading it fails:"


class NoRules(LoaderSays):
    code = "no-rules"
    rules = ("PL-23", "PL-22", "PL-21")
    means = "The placement rules cannot be built, so a restart rejects every application and a reload fails:"


def refusal(config: SchedulerConfig, profile: Profile) -> ConfigError | None:
    """The first error of validation in a release, at which it ends."""
    try:
        validate(config, limits_by_path=profile.limits_by_path)
    except ConfigError as error:
        return error
    return None


def invalid(error: ConfigError) -> Finding:
    """The refusal as a finding."""
    return Finding(lint=Invalid(error.text, error.hint), line=error.line)


def load_errors(config: SchedulerConfig) -> Iterator[Finding]:
    """What stops a valid configuration from being loaded, and rules that leave a partition without any."""
    try:
        Engine(config, history=False)
    except ConfigError as error:
        yield Finding(lint=NotLoaded(error.text, error.hint), line=error.line)
        return
    for partition in config.partitions:
        try:
            build_rules(partition)
        except ConfigError as error:
            yield Finding(lint=NoRules(error.text, error.hint), partition=partition.name, key="placementrules", line=error.line)
