"""A sweep as one HTML page that needs no network: what it came to, the trade-offs, pictures, every combination, what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from workbench.config.write.export import to_yaml
from workbench.explain.html import sentences_html, table_html
from workbench.explain.wording import name
from workbench.plots.packed import loader_html
from workbench.plots.page import Section, text_html
from workbench.plots.page import page as whole_page
from workbench.sweeps.pictures import PICTURES, Picture
from workbench.sweeps.result import Sweep
from workbench.values.errors import CommandError

MOST_ROWS = 2000
T = TypeVar("T")


def page(sweep: Sweep, title: str) -> str:
    """The whole page as text."""
    return whole_page(f"Sweep: {title}" if title else "Sweep", sweep.sentence, list(_sections(sweep)), linked=True)


def _sections(sweep: Sweep) -> Iterator[Section]:
    front = _possible(lambda: sweep.front())
    if front:
        table = Sweep(sweep.plan, front).table(*(goal.wanted for goal in sweep.goals))
        yield Section("front", "Trade-offs: combinations that no other beats", table_html(table, "In the order of the first goal"))
    drawn = ""
    for number, draw in enumerate(_pictures(sweep)):
        picture = _possible(draw)
        if picture is not None:
            drawn += picture.to_html(f"picture-{number}")
    if drawn:
        yield Section("pictures", "Pictures", drawn + loader_html())
    yield Section("combinations", "Combinations", table_html(sweep.table(most=MOST_ROWS, brief=True)))
    if sweep.errors:
        told = (f"{name(each, 200)}: {name(error, 400)}" for each, error in sweep.errors.items())
        yield Section("errors", "What could not be run", sentences_html(told))
    best = _possible(lambda: sweep.best())
    if best is not None:
        yield Section("best", "The best design", text_html(to_yaml(sweep.config(best))))


def _pictures(sweep: Sweep) -> Iterator[Callable[[], Picture]]:
    if len(sweep.goals) > 1:
        yield lambda: PICTURES["tradeoffs"](sweep)
    for measure, of in sweep.columns():
        yield lambda measure=measure, of=of: PICTURES["lines"](sweep, measure=measure, of=of)  # type: ignore[misc]
    if len(sweep.addresses) > 1:
        yield lambda: PICTURES["heat"](sweep)
        yield lambda: PICTURES["parallel"](sweep)


def _possible(make: Callable[[], T]) -> T | None:
    """What can be made of this sweep; None for a picture that needs other goals or settings."""
    try:
        return make()
    except CommandError:
        return None
