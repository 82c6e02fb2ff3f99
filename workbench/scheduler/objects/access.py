"""Who may submit to and administer a queue: its ACLs, then those of its ancestors. C-106, C-107."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.state import RECOVERY_QUEUE, Queue


def may_administer(queue: Queue, user: str, groups: Sequence[str]) -> bool:
    """Whether the admin ACL of the queue or of an ancestor allows the identity."""
    return any(at.admin_acl.allows(user, groups) for at in ancestry(queue))


def may_submit(queue: Queue, user: str, groups: Sequence[str]) -> bool:
    """Whether a submit or admin ACL of the queue or of an ancestor allows the identity; never for the recovery queue."""
    if queue.path == RECOVERY_QUEUE:
        return False
    return any(at.submit_acl.allows(user, groups) or at.admin_acl.allows(user, groups) for at in ancestry(queue))
