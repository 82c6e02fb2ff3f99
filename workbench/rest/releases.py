"""What the web services of the releases do otherwise, apart from what their schedulers do otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

METRICS = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Manners:
    """How one release answers.

    Attributes:
        packs: long answers are packed for those who can unpack them (R-961).
        metrics_type: content type of the metrics.
        without: addresses that it does not have (R-960).
    """

    packs: bool = False
    metrics_type: str = METRICS
    without: frozenset[str] = frozenset()


OLDER = Manners()
BY_RELEASE: Mapping[str, Manners] = MappingProxyType(
    {"1.9": Manners(True, f"{METRICS}; escaping=underscores", frozenset({"/ws/v1/scheduler/node-utilization"}))}
)


def manners_of(release: str) -> Manners:
    """How the release answers, like "1.8"."""
    return BY_RELEASE.get(release, OLDER)
