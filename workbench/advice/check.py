"""One piece of advice as people get it: the place, one sentence, and remedies that can be applied with one click."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.advice import check_texts
from workbench.advice.edits import Repair, applied, repair_text, where
from workbench.advice.lint import Finding, Lint, Severity
from workbench.config.model import SchedulerConfig


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of the configuration that mends what a check found."""

    description: str
    edits: Repair

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        """The configuration with the change made; the given one stays as it is. ConfigError if the place is gone."""
        return applied(self.edits, config)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was found.

    Attributes:
        code: "L-13" and the like are those of chapter 09, section 6; others are rules or short names.
        severity: "error" is what the real loader reports, "warning" what is ignored or cannot work as written, "hint" the rest.
        partition, path, key: where; `path` is "" for a setting of the partition, `key` as in "properties.priority.offset".
        line: of the key, or else of the queue, in the YAML text; None if there is no text.
        text: what was found, what the scheduler does with it, and what to do.
        assumption: what is taken for granted about the workload (E-40); "" if nothing is.
        lint: what was found as a typed value, whose fields are what was compared.
        rules: the rules of the specification that say so.
        remedies: what would mend it, best first.
    """

    code: str
    severity: Severity
    partition: str
    path: str
    key: str
    line: int | None
    text: str
    assumption: str
    lint: Lint
    rules: tuple[str, ...]
    remedies: tuple[Remedy, ...]

    @property
    def depends_on_workload(self) -> bool:
        """Whether another workload may make it untrue (E-40)."""
        return "E-40" in self.rules

    def __str__(self) -> str:
        assumed = f" {self.assumption}" if self.assumption else ""
        return f"{check_texts.check_head(self.severity, self.code, self.line, self.path, self.key)}: {self.text}{assumed}"


def told(finding: Finding) -> Check:
    """The finding in words."""
    lint = finding.lint
    return Check(
        code=lint.code,
        severity=lint.severity,
        partition=finding.partition,
        path=finding.path,
        key=finding.key,
        line=finding.line,
        text=lint.sentence(where(finding.path)),
        assumption=lint.assumption,
        lint=lint,
        rules=lint.rules,
        remedies=tuple(Remedy(repair_text(repair), repair) for repair in finding.repairs),
    )
