"""A placement rule as the state of a partition holds it. What each does is in `rules`."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler.placement.filters import Filter


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule ready to be asked; `parent` yields the queue above. `value` is in lower case."""

    name: str
    create: bool = False
    value: str = ""
    filter: Filter = Filter()
    parent: Rule | None = None
