"""A workload with so many times as much arriving: what the setting `load` of a sweep does."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from workbench.values.errors import CommandError
from workbench.values.found import found
from workbench.workloads.model import Workload

MOST = 1000.0


@dataclass(frozen=True, slots=True)
class Denser:
    """Makes of a seed what `source` makes of it, with arrivals `load` times as close together."""

    source: Any
    load: float

    def workload(self, seed: int) -> Workload:
        return with_arrivals(self.source.workload(seed), self.load)


def load_of(value: object) -> float:
    """The load that a setting asks for. CommandError for anything but a number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST:
        raise CommandError(
            f"load: must be a number above 0 and at most {MOST:g}, 1 for the workload as it is; found {found(value)}"
        )
    return float(value)


def with_load(workload: Any, load: float) -> Any:
    """The same jobs, `load` times as close together.

    A made-up workload that is given by its share of the cluster gets so many times that share, which keeps its days and weeks.
    """
    if isinstance(workload, Workload):
        return with_arrivals(workload, load)
    if is_dataclass(workload) and not isinstance(workload, type) and any(each.name == "load" for each in fields(workload)):
        share = workload.load  # type: ignore[attr-defined]
        if share is not None:
            changed: Any = replace(workload, load=share * load)
            return changed
    return Denser(workload, load)


def with_arrivals(workload: Workload, load: float) -> Workload:
    """The workload with every job arriving at its time divided by `load`; durations and nodes stay as they are."""
    return replace(
        workload,
        jobs=tuple(replace(job, submit_ms=round(job.submit_ms / load)) for job in workload.jobs),
        ends_ms=None if workload.ends_ms is None else round(workload.ends_ms / load),
        warm_up_ms=round(workload.warm_up_ms / load),
    )
