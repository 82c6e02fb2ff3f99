"""The designs between two designs, played with the same arrivals: an edit alone on the first, or left out of the second. CP-4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from workbench.comparison.edits import Edit, edits, with_edits
from workbench.comparison.sides import Side
from workbench.config.model import SchedulerConfig
from workbench.config.validation.validate import validate
from workbench.runs import Run, simulate
from workbench.runs.run import Tell
from workbench.values.errors import ConfigError

NS = 1_000_000_000


class Variants:
    """What is between two sides. Nothing is played before it is asked for, and nothing twice."""

    def __init__(self, first: Side, other: Side):
        self.first, self.other = first, other
        self._played: dict[frozenset[Edit], Side | None] = {}

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """What was edited from the first design to the other; at most eight."""
        return edits(self.first.config, self.other.config)

    def config(self, chosen: Iterable[Edit]) -> SchedulerConfig | None:
        """The first design with some of the edits; None if the scheduler would not take it."""
        made = with_edits(self.first.config, self.other.config, tuple(chosen))
        try:
            validate(made)
        except ConfigError:
            return None
        return made

    def side(self, chosen: Iterable[Edit], *, progress: Tell | None = None, stop: Callable[[], bool] | None = None) -> Side | None:
        """What the first design with some of the edits does; None if the scheduler would not take it.

        Raises:
            Interrupted: `stop` said so.
        """
        key = frozenset(chosen)
        if not key:
            return self.first
        if key == frozenset(self.edits):
            return self.other
        if key not in self._played:
            config = self.config(each for each in self.edits if each in key)
            if config is None:
                self._played[key] = None
            else:
                runs = tuple(replayed(run, config, progress=progress, stop=stop) for run in self.first.runs)
                if any(run.stopped for run in runs):
                    raise Interrupted
                self._played[key] = Side("", "", config, runs)
        return self._played[key]

    def without(self, edit: Edit) -> frozenset[Edit]:
        """All edits but one."""
        return frozenset(self.edits) - {edit}


class Interrupted(Exception):
    """Somebody asked to stop."""


def replayed(
    run: Run,
    config: SchedulerConfig,
    *,
    until_ns: int | None = None,
    progress: Tell | None = None,
    stop: Callable[[], bool] | None = None,
) -> Run:
    """What another design does with the arrivals of a run.

    Args:
        until_ns: up to an instant, instead of to the run's own end.
    """
    end_ns = run.until_ns if until_ns is None else until_ns
    return simulate(
        config,
        run.workload,
        until=None if end_ns is None else end_ns / NS,
        seed=run.seed,
        release=run.release,
        rate=run.rate,
        reasons=until_ns is None and bool(run.record.reasons),
        progress=progress,
        stop=stop,
    )
