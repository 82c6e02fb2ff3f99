"""What all pictures of a comparison share: the mark of each queue, the same everywhere, axes of time, and the kinds of pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.sides import Side
from workbench.config.edit import walk
from workbench.explain.tables import Table
from workbench.measures import units
from workbench.measures.queue_marks import Mark, queue_marks
from workbench.plots import theme as themes
from workbench.plots.theme import Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

OTHERS = "other queues"
WIDTH, HEIGHT = 960, 420
CELLS = 160
"""Steps of a series over time, as many as can be told apart."""


def marks_of(first: Side, other: Side) -> Callable[[str], Mark]:
    """The mark of each queue, from the designs and what they made, so that it is the same in every picture."""
    sides = (first, other)
    known = [path for side in sides for path, _ in walk(side.config.partition().root)]
    return queue_marks([*known, *(path for side in sides for run in side.runs for path in run.record.queues)])


@dataclass(frozen=True)
class TimeAxis:
    """Equal cells of time in a unit that people read: `factor` seconds are one."""

    start_s: float
    end_s: float
    factor: float
    unit: str

    @property
    def edges(self) -> list[float]:
        """Where cells begin, in the unit, and where the last ends."""
        return [self._at(cell) / self.factor for cell in range(CELLS + 1)]

    def _at(self, cell: int) -> float:
        return self.start_s + (self.end_s - self.start_s) * cell / CELLS

    def spread(self, steps: Sequence[tuple[float, float, float]]) -> list[float]:
        """(since, until, amount) as the average of each cell."""
        width = (self.end_s - self.start_s) / CELLS
        found = [0.0] * CELLS
        for since, until, amount in steps:
            if not amount or width <= 0:
                continue
            first = max(0, int((since - self.start_s) / width))
            last = min(CELLS - 1, int((until - self.start_s) / width))
            for cell in range(first, last + 1):
                overlap = min(until, self._at(cell + 1)) - max(since, self._at(cell))
                if overlap > 0:
                    found[cell] += amount * overlap / width
        return found


def time_axis(*sides: Side) -> TimeAxis:
    """The time that the first runs of all sides cover."""
    readings = [side.tables[0].reading for side in sides]
    start, end = min(each.from_ns for each in readings) / 1e9, max(each.until_ns for each in readings) / 1e9
    for factor, unit, enough in ((86_400, "days", 4), (3600, "hours", 3), (60, "minutes", 3)):
        if end - start >= enough * factor:
            return TimeAxis(start, end, factor, unit)
    return TimeAxis(start, max(end, start + 1), 1, "seconds")


def seed_drawn(side: Side) -> str:
    """For the end of a sentence: of which seed a picture over time is, where there are several."""
    return f" (seed {side.runs[0].seed}, one of {len(side.runs)})" if len(side.runs) > 1 else ""


LOG_FLOOR = 1.0
"""Seconds: on a logarithmic axis of waits, shorter ones stand at the edge."""


_COARSE = (1, 10, 60, 600, 3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400)
_BETWEEN = (2, 5, 20, 30, 120, 300, 1200, 1800, 2 * 3600, 12 * 3600, 2 * 86_400, 14 * 86_400)


def wait_ticks(smallest: float, largest: float) -> tuple[list[float], list[str]]:
    """Ticks of a logarithmic axis of waits, in words: more of them where the axis is short."""

    def within(places: tuple[int, ...]) -> list[int]:
        return [place for place in places if smallest * 0.95 <= place <= largest * 1.05]

    kept = within(_COARSE)
    if len(kept) < 4:
        kept = within(tuple(sorted((*_COARSE, *_BETWEEN))))
    return [float(place) for place in kept], ["1 s or less" if place == 1 else short(place) for place in kept]


def short(seconds: float) -> str:
    return units.short(seconds, units.SECONDS)


def legend(theme: Theme, height: int, below: int) -> dict[str, Any]:
    """A legend under the picture that does nothing when it is clicked at."""
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": -below / max(height, 1),
        "yanchor": "top",
        "font": {"size": themes.SMALL_SIZE, "color": theme.text},
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
    }


@dataclass(frozen=True)
class Kind:
    """One picture: what it is called, its data (with a `sentence`), what draws the data, the table that says the same, and whether
    it is of one resource."""

    title: str
    rows: Callable[..., Any]
    figure: Callable[..., go.Figure]
    table: Callable[[Any], Table]
    of_resource: bool = False

    def data(self, comparison: Comparison, resource: str | None = None, seed: int | None = None) -> Any:
        """What is drawn: of a resource if it is a picture of one, of the runs of one seed if one is named. CommandError for a
        resource that nobody has, or a seed that was not played."""
        if seed is not None:
            comparison = comparison.of_seed(seed)
        if not self.of_resource:
            return self.rows(comparison)
        return self.rows(comparison, comparison.first.tables[0].reading.resource_drawn(resource))


Kinds = Mapping[str, Kind]
