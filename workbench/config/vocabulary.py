"""Names that a configuration may give to what is registered elsewhere: those of the core, and those that were added.

Whether a name is known is asked here when a configuration is read; what it does is said where it is registered.
"""

from __future__ import annotations

from workbench.values.errors import CommandError

NODE_SORT_POLICIES = ["fair", "binpacking"]
"""Of `nodesortpolicy.type`, spelled exactly. C-52."""
FILTER_TYPES = ["allow", "deny"]
"""Of `filter.type` of a placement rule; these two in any case (PL-62), others spelled exactly. C-46."""
APPLICATION_SORT_POLICIES: list[str] = []
"""Of `application.sort.policy`, added to those that a release knows (`properties`)."""


def allow(names: list[str], name: str) -> None:
    """Let a configuration say `name`. CommandError if it cannot be written there, or can be already."""
    if name in names or not name or name != name.strip():
        raise CommandError(f"{name!r} cannot be a name in a configuration: it is taken, empty, or has blanks around it")
    names.append(name)
