"""Which names of queues, users, groups and placement rules are valid (C-60 to C-63)."""

from __future__ import annotations

import re

_QUEUE = re.compile(r"[a-zA-Z0-9_:#/@-]{1,64}")
_USER = re.compile(r"[_a-zA-Z][a-zA-Z0-9:#/_.@-]*\$?")
_GROUP = re.compile(r"[_a-zA-Z][a-zA-Z0-9:_.-]*")
_RULE = re.compile(r"[_a-zA-Z][a-zA-Z0-9_]*")

INVALID_QUEUE_NAME = (
    "invalid queue name, max 64 characters consisting of alphanumeric characters and '-', '_', '#', '@', '/', ':' allowed"
)


def is_queue_name(name: str) -> bool:
    """One level of a queue path: 1 to 64 letters, digits and `- _ # @ / :` (C-60)."""
    return _QUEUE.fullmatch(name) is not None


def is_user_name(name: str) -> bool:
    """A user in limits, filters and submissions (C-61); ACLs are stricter (C-103)."""
    return _USER.fullmatch(name) is not None


def is_group_name(name: str) -> bool:
    """A group in limits and filters (C-62); ACLs are stricter (C-103)."""
    return _GROUP.fullmatch(name) is not None


def is_rule_name(name: str) -> bool:
    """An identifier, as the name of a placement rule must be; whether the rule exists is not asked (C-63, C-55)."""
    return _RULE.fullmatch(name) is not None
