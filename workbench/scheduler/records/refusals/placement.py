"""Where a submission does not go: rules that lead nowhere, queues that do not take it, and rejections with the core's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal


@dataclass(frozen=True, slots=True)
class RuleWithoutInput(Refusal):
    """What the rule reads is not there; `value` of the rule."""

    code: ClassVar[str] = "rule-input"
    reads: str
    value: str


@dataclass(frozen=True, slots=True)
class RuleFiltered(Refusal):
    code: ClassVar[str] = "rule-filter"
    user: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueMissing(Refusal):
    """The rule led to these queues, which are not there, and creates none."""

    code: ClassVar[str] = "rule-missing"
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParentRuleLost(Refusal):
    """The parent rule, the subject, leads nowhere."""

    code: ClassVar[str] = "rule-parent"


@dataclass(frozen=True, slots=True)
class RuleError(Refusal):
    """An error, which ends the search. PL-43"""

    code: ClassVar[str] = "rule-error"
    text: str


@dataclass(frozen=True, slots=True)
class IsParent(Refusal):
    code: ClassVar[str] = "queue-parent"


@dataclass(frozen=True, slots=True)
class IsDraining(Refusal):
    code: ClassVar[str] = "queue-draining"


@dataclass(frozen=True, slots=True)
class NoSubmitAccess(Refusal):
    """No ACL of the queues that were `asked`, on the way to the root, lets the user submit. PL-34"""

    code: ClassVar[str] = "queue-access"
    user: str
    groups: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejected(Refusal):
    """The submission is rejected; `text` is the core's own."""

    text: str


@dataclass(frozen=True, slots=True)
class NoPartition(Rejected):
    code: ClassVar[str] = "J-01"


@dataclass(frozen=True, slots=True)
class UnknownUser(Rejected):
    code: ClassVar[str] = "J-02"


@dataclass(frozen=True, slots=True)
class PartitionStopped(Rejected):
    code: ClassVar[str] = "J-03"


@dataclass(frozen=True, slots=True)
class Duplicate(Rejected):
    code: ClassVar[str] = "J-04"


@dataclass(frozen=True, slots=True)
class NoRule(Rejected):
    code: ClassVar[str] = "J-05"


@dataclass(frozen=True, slots=True)
class RuleFailed(Rejected):
    code: ClassVar[str] = "J-06"


@dataclass(frozen=True, slots=True)
class NotCreated(Rejected):
    code: ClassVar[str] = "J-07"


@dataclass(frozen=True, slots=True)
class NoLeaf(Rejected):
    code: ClassVar[str] = "J-08"


@dataclass(frozen=True, slots=True)
class GangNeedsFifo(Rejected):
    code: ClassVar[str] = "J-09"


@dataclass(frozen=True, slots=True)
class GangTooLarge(Rejected):
    code: ClassVar[str] = "J-10"
