"""The rule loop: rule after rule until one leads to a queue that takes the application. PL-30 to PL-46.

Every rule leaves an `Attempt` behind, whether it led anywhere or not; together they are the explanation of a placement
and of a refusal (E-30). Refusal codes: `rule-input` (nothing to read), `rule-filter`, `rule-parent` (the parent rule
yielded nothing), `rule-missing` (no such queue, and the rule may not create it), `rule-error`, `queue-parent`,
`queue-access`, `queue-draining`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.config.validation.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.scheduler.objects import access, tree
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.dynamic_queues import nearest_existing
from workbench.scheduler.placement import tags
from workbench.scheduler.placement.filters import passes
from workbench.scheduler.placement.identity import Identity
from workbench.scheduler.placement.rule import Rule
from workbench.scheduler.placement.rules import KINDS, ROOT, Asked, Kind
from workbench.scheduler.records.commands import ApplicationSpec
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.placement import (
    IsDraining,
    IsParent,
    NoSubmitAccess,
    ParentRuleLost,
    QueueMissing,
    RuleError,
    RuleFiltered,
    RuleWithoutInput,
)
from workbench.scheduler.records.state import RECOVERY_QUEUE, Partition, Queue

NO_MATCH = "application rejected: no placement rule matched"
BELOW_ROOT = "root."
RECOVERY = Rule("recovery", create=True)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one rule came to.

    Attributes:
        rule: name of the rule, or "default queue" for the fallback of PL-31.
        value: as configured, in lower case.
        create: whether the rule may create what is missing.
        passed_filter: None if the filter was not asked.
        path: the queue that the rule led to, as generated; "" if it led nowhere.
        parent: what the parent rule came to; None without one, or when it did not run.
        refusal: why it was passed over; None if the path was taken, or served as parent of the next rule.
    """

    rule: str
    value: str = ""
    create: bool = False
    passed_filter: bool | None = None
    path: str = ""
    parent: Attempt | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The application goes to `path`, as generated: it may not exist yet, and lookups ignore its case (PL-46)."""

    path: str
    trace: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class NotPlaced:
    """No rule takes the application; `reason` is the whole text of the rejection."""

    reason: str
    trace: tuple[Attempt, ...]


def place(partition: Partition, spec: ApplicationSpec, identity: Identity) -> Placed | NotPlaced:
    """Where the application goes. The first rule that leads to a queue that takes it wins; an error ends it all."""
    asked = Asked(spec.queue, identity.user, identity.groups, spec.tags, tags.is_forced(spec.tags))
    trace: list[Attempt] = []
    for attempt in _attempts(partition, asked):
        trace.append(attempt)
        if attempt.refusal is None:
            return Placed(attempt.path, tuple(trace))
        if isinstance(attempt.refusal, RuleError):
            return NotPlaced(f"failed to place application {spec.id}: {attempt.refusal.text}", tuple(trace))
    return NotPlaced(f"failed to place application {spec.id}: {NO_MATCH}", tuple(trace))


def _attempts(partition: Partition, asked: Asked) -> Iterator[Attempt]:
    """What each rule comes to, in order: the configured ones, recovery, the queue for what none of them takes."""
    if partition.placement_rules is None:
        return  # PL-23
    for rule in (*partition.placement_rules, RECOVERY):
        attempt = _followed(partition, rule, asked)
        yield attempt if attempt.refusal is not None else _checked(partition, attempt, asked)
    fallback = partition.profile.fallback_queue
    if fallback and tree.find(partition, fallback) is not None:
        yield _checked(partition, Attempt("default queue", path=fallback), asked)


def _checked(partition: Partition, attempt: Attempt, asked: Asked) -> Attempt:
    """The attempt, refused if the queue it led to does not take the application. PL-33 to PL-35."""
    path = attempt.path
    if path == RECOVERY_QUEUE and asked.forced:
        return attempt
    queue = tree.find(partition, path)
    if queue is None:
        # Whether that queue can have children is not asked here: creating fails, without trying further rules. PL-35
        refusal = _no_access(nearest_existing(partition, path)[0], asked)
    elif not queue.is_leaf:
        refusal = IsParent(queue.path)
    else:
        refusal = _no_access(queue, asked)
        if refusal is None and queue.status == "Draining" and partition.profile.placement_skips_draining:
            refusal = IsDraining(queue.path)
    return replace(attempt, refusal=refusal)


def _no_access(queue: Queue, asked: Asked) -> Refusal | None:
    """The refusal with the queues whose ACLs were asked, on the way to the root; None if one of them allows."""
    if access.may_submit(queue, asked.user, asked.groups):
        return None
    walk = tuple(at.path for at in ancestry(queue)) if queue.path != RECOVERY_QUEUE else (queue.path,)
    return NoSubmitAccess(queue.path, asked.user, asked.groups, walk)


# -- one rule ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Name:
    """A queue name that a rule generated: complete, or to be put below the queue of the parent rule."""

    text: str
    is_complete: bool


def _followed(partition: Partition, rule: Rule, asked: Asked) -> Attempt:
    """Where a rule leads, whoever may submit there. PL-40 to PL-45."""
    kind = KINDS[rule.name]
    attempt = Attempt(rule.name, rule.value, rule.create)
    offered = kind.names(rule, asked)
    if kind.input_first and not offered:
        return replace(attempt, refusal=_no_input(rule, kind))
    passed = passes(rule.filter, asked.user, asked.groups)
    attempt = replace(attempt, passed_filter=passed)
    if not passed:
        return replace(attempt, refusal=RuleFiltered(rule.name, asked.user, asked.groups))
    if not offered:
        return replace(attempt, refusal=_no_input(rule, kind))
    above: Attempt | None = None
    missing: list[str] = []
    for text in offered:
        # The name is checked before the parent rule runs, so its error comes first.
        name = _generated(kind, text, checked=partition.profile.placement_checks_names)
        if name is None:
            return replace(attempt, parent=above, refusal=_error(text, INVALID_QUEUE_NAME))
        path = name.text
        if not name.is_complete:
            if above is None and rule.parent is not None:
                above = _parent(partition, rule.parent, asked)
                attempt = replace(attempt, parent=above)
            if above is not None and above.refusal is not None:
                return replace(attempt, refusal=_inherited(above))
            path = f"{above.path if above is not None else ROOT}.{path}"
        if rule.create or tree.find(partition, path) is not None:
            return replace(attempt, path=path)
        missing.append(path)
    return replace(attempt, path=missing[-1], refusal=QueueMissing(missing[-1], tuple(missing)))


def _parent(partition: Partition, rule: Rule, asked: Asked) -> Attempt:
    """Where a parent rule leads; a leaf there is an error. PL-43."""
    attempt = _followed(partition, rule, asked)
    if attempt.refusal is not None:
        return attempt
    if not attempt.path.startswith(BELOW_ROOT):
        # Quirk kept from the reference: a fixed rule with value root comes here too and becomes root.root.
        attempt = replace(attempt, path=BELOW_ROOT + attempt.path)
    queue = tree.find(partition, attempt.path)
    if queue is not None and queue.is_leaf:
        return replace(attempt, refusal=_error(attempt.path, f"parent rule returned a leaf queue: {attempt.path}"))
    return attempt


def _generated(kind: Kind, text: str, *, checked: bool) -> _Name | None:
    """The name with its dots replaced or taken for levels; None if a level is checked and no valid name. PL-41, PL-42, PL-53."""
    qualified = text.startswith(BELOW_ROOT)
    # A fixed value root is complete as well. Other values that begin with these letters, such as rootless, make the
    # reference crash; here they are relative. PL-55
    is_complete = kind.dots != "replaced" and qualified or kind.dots == "levels" and text == ROOT
    if kind.dots == "replaced" or kind.dots == "levels if qualified" and not qualified:
        text = text.replace(".", "_dot_")
    return _Name(text, is_complete) if not checked or all(map(is_queue_name, text.split("."))) else None


def _no_input(rule: Rule, kind: Kind) -> Refusal:
    return RuleWithoutInput(rule.name, kind.reads, rule.value)


def _error(subject: str, text: str) -> Refusal:
    return RuleError(subject, text)


def _inherited(parent: Attempt) -> Refusal:
    """An error of the parent rule is one of this rule; nothing stays nothing. PL-43."""
    assert parent.refusal is not None
    return parent.refusal if isinstance(parent.refusal, RuleError) else ParentRuleLost(parent.rule)
