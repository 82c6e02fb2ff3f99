"""Where a submission does not go."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import listing, name
from workbench.scheduler.records.refusals.placement import (
    Duplicate,
    GangNeedsFifo,
    GangTooLarge,
    IsDraining,
    IsParent,
    NoLeaf,
    NoPartition,
    NoRule,
    NoSubmitAccess,
    NotCreated,
    ParentRuleLost,
    PartitionStopped,
    QueueMissing,
    Rejected,
    RuleError,
    RuleFailed,
    RuleFiltered,
    RuleWithoutInput,
    UnknownUser,
)


@says(RuleWithoutInput, "nothing-to-read")
def _rule_without_input(it: RuleWithoutInput) -> str:
    value = f" {name(it.value)}" if it.value else ""
    return f"It finds no {name(it.reads)}{value} to go by."


@says(RuleFiltered, "filtered")
def _rule_filtered(it: RuleFiltered) -> str:
    groups = listing([name(group) for group in it.groups])
    return f"Its filter does not let user {name(it.user)}" + (f" of {groups}" if groups else "") + " pass."


@says(QueueMissing, "no-such-queue")
def _queue_missing(it: QueueMissing) -> str:
    return f"There is no queue {listing([name(path) for path in it.missing])}, and the rule does not create any."


@says(ParentRuleLost, "no-parent")
def _parent_rule_lost(it: ParentRuleLost) -> str:
    return f"Its parent rule, {name(it.subject)}, leads nowhere."


@says(RuleError, "error")
def _rule_error(it: RuleError) -> str:
    return f"It ends the search with an error: {name(it.text, 400)}."


@says(IsParent, "not-a-leaf")
def _is_parent(it: IsParent) -> str:
    return f"{name(it.subject)} is a parent, and applications run in leaves."


@says(IsDraining, "queue-draining")
def _is_draining(it: IsDraining) -> str:
    return f"{name(it.subject)} is draining and takes nothing new."


@says(NoSubmitAccess, "no-access")
def _no_submit_access(it: NoSubmitAccess) -> str:
    groups = listing([name(group) for group in it.groups])
    asked = listing([name(path) for path in it.asked], most=8)
    return (
        f"User {name(it.user)}"
        + (f" of {groups}" if groups else "")
        + f" may not submit to {name(it.subject)}: no ACL of {asked} says so."
    )


@says(NoPartition, "no-partition")
@says(UnknownUser, "unknown-user")
@says(PartitionStopped, "partition-stopped")
@says(Duplicate, "duplicate")
@says(NoRule, "no-rule")
@says(RuleFailed, "rule-error")
@says(NotCreated, "not-created")
@says(NoLeaf, "no-leaf")
@says(GangNeedsFifo, "gang-needs-fifo")
@says(GangTooLarge, "gang-too-large")
def _rejected(it: Rejected) -> str:
    return f"The scheduler answers: {name(it.text, 400)}."
