"""What every picture of a sweep is: a sentence, a table with what it shows, and a figure of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import Measure, measure_named
from workbench.measures.units import SECONDS, SHARE
from workbench.sweeps.cells import Wanted
from workbench.sweeps.choices import key_of
from workbench.sweeps.settings import label
from workbench.values.errors import CommandError
from workbench.values.found import shown
from workbench.values.registry import Registry

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.sweeps.result import Sweep, Variant

WIDTH, HEIGHT = 960, 420
MARGIN = {"l": 90, "r": 24, "t": 64, "b": 60}
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "hexagon")
"""Lines are told apart by these as well as by colour."""


@dataclass(frozen=True)
class Picture:
    """A picture of a sweep.

    Attributes:
        sentence: what is to be seen.
        table: the same in numbers.
        traces, layout: what the figure is made of, as plotly takes it.
    """

    sentence: str
    table: Table
    traces: Sequence[dict[str, Any]]
    layout: dict[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", f"{self.sentence[:1].upper()}{self.sentence[1:]}")

    def figure(self, *, width: int = WIDTH, height: int = HEIGHT, dark: bool = False, titled: bool = True) -> go.Figure:
        """The picture as a plotly figure. ModuleNotFoundError where there is no plotly."""
        from workbench.plots import frame
        from workbench.plots.shown import Figure
        from workbench.plots.theme import DARK, LIGHT

        common = frame.layout(self.sentence, DARK if dark else LIGHT, width, height, titled)
        layout = {**common, "margin": MARGIN, **self.layout}
        if not titled:
            layout["margin"] = {**layout["margin"], "t": 20}
        return Figure(data=list(self.traces), layout=layout)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.figure()._repr_mimebundle_()
        return found

    def __str__(self) -> str:
        return f"{self.sentence}\n\n{self.table}"

    __repr__ = __str__

    def to_html(self, identifier: str) -> str:
        """The picture and, folded, its table, as a part of a page that has the script of `workbench.plots.packed`."""
        from workbench.plots.packed import picture_html

        drawn = picture_html(self.figure(titled=False), identifier)
        folded = f"<details><summary>{escape(IN_NUMBERS)}</summary>{table_html(self.table)}</details>"
        return f"<figure><figcaption>{escape(self.sentence)}</figcaption>{drawn}{folded}</figure>"


IN_NUMBERS = "The same in numbers"

PICTURES: Registry[Callable[..., Picture]] = Registry("picture of a sweep")
"""Name -> a function of the sweep and what it shows."""


def register_picture(name: str, picture: Callable[..., Picture]) -> None:
    """Add a picture: a function whose first argument is the sweep. CommandError if the name is taken."""
    PICTURES.register(name, picture)


# -- what pictures ask of a sweep ---------------------------------------------------------------------------------------


def number_shown(sweep: Sweep, measure: str | None, of: str | None) -> Wanted:
    """The number that is meant, by default that of the first goal. CommandError if the sweep has not got it."""
    first = sweep.columns()[:1] or (("", "cluster"),)
    found = (measure_named(measure).name if measure else first[0][0], of or (first[0][1] if measure is None else "cluster"))
    if found not in sweep.numbers:
        there = ", ".join(f"{name} of {scope}" for name, scope in sweep.numbers[:12]) or "none, as no run is done"
        raise CommandError(f"the sweep has no {found[0] or 'number'} of {found[1]}; it has {there}")
    return found


def setting_shown(sweep: Sweep, setting: str | None, *, but: Sequence[str] = ()) -> str:
    """The setting that is meant, by default the first that takes several values. CommandError if it is not varied."""
    if setting is not None:
        if setting not in sweep.addresses:
            raise CommandError(f"the sweep does not vary {shown(setting)}; it varies {', '.join(sweep.addresses) or 'nothing'}")
        return setting
    several = [each for each in sweep.addresses if each not in but and len(values_of(sweep, each)) > 1]
    rest = [each for each in sweep.addresses if each not in but]
    if not rest:
        raise CommandError("the sweep varies too few settings for this picture")
    return (several or rest)[0]


def values_of(sweep: Sweep, setting: str) -> list[Any]:
    """The values of a setting, numbers in ascending order before all else, the rest as they come."""
    found = {key_of({"": each.point.get(setting)}): each.point.get(setting) for each in sweep.variants}
    values = list(found.values())
    if all(is_number(value) for value in values):
        return sorted(values)
    return values


def is_number(value: object) -> bool:
    """Whether a value can stand on an axis of numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Scale:
    """How a measure stands on an axis: its values divided by `by`, in `unit`."""

    by: float
    unit: str

    def of(self, value: float | None) -> float | None:
        """A value on the axis."""
        return None if value is None else value / self.by


def scale_of(measure: Measure, values: Sequence[float | None]) -> Scale:
    """The unit in which these values are well to be read."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if measure.unit == SECONDS:
        for by, unit in ((3600.0, "hours"), (60.0, "minutes")):
            if largest >= 2 * by:
                return Scale(by, unit)
        return Scale(1.0, "seconds")
    return Scale(0.01, "percent") if measure.unit == SHARE else Scale(1.0, measure.unit)


def axis(measure: Measure, of: str, scale: Scale) -> dict[str, Any]:
    """An axis for a measure."""
    return {"title": {"text": broken(f"{measure.title}, {of}, {scale.unit}", 38)}, "rangemode": "tozero"}


def broken(words: str, most: int) -> str:
    """Some words on lines of so many characters at most, as plotly takes them."""
    from workbench.plots.text import plain

    return "<br>".join(plain(line) for line in wrap(words, most))


def legend(entries: int) -> dict[str, Any]:
    """A legend below the picture, a line for each entry, and the room for it; empty for a single one."""
    if entries < 2:
        return {"showlegend": False}
    room = 26 + 19 * entries
    return {
        "showlegend": True,
        "legend": {"orientation": "v", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        "margin": {**MARGIN, "b": MARGIN["b"] + room},
        "height": HEIGHT + room,
    }


def short_names(sweep: Sweep) -> dict[str, str]:
    """Address of a setting -> its name without the queue, where that tells it from the others."""
    ends = [address.rpartition(":")[2] for address in sweep.addresses]
    return {address: end if ends.count(end) == 1 else address for address, end in zip(sweep.addresses, ends)}


def in_short(sweep: Sweep, variant: Variant) -> str:
    """A combination in words, without the queues of its settings where the rest tells them apart."""
    shorts = short_names(sweep)
    return name(", ".join(f"{shorts[address]} {label(value)}" for address, value in variant.point.items()), 200)


def words_of(point: Any, settings: Sequence[str]) -> str:
    """Some settings of a combination, in words."""
    return ", ".join(f"{address} {label(point[address])}" for address in settings if address in point)
