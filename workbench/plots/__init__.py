"""Pictures of the state and of decisions: data first (`rows`), then a plotly figure made of it (`figure`).

    workbench.plots.slope(sim)        # a picture of the present, as a plotly Figure

The functions, one per picture, are those of `of_simulation`; they load on first use. A picture has one name: of its
function here, of its module in `pictures`, in `bench.picture(name)`, and on its tab.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["nodes", "order", "path", "preemption", "shares", "slope", "time", "usage"]
FORMER = ("node_bars",)
"""Names that are understood with a warning, until the next release."""


def __getattr__(name: str) -> Any:
    if name not in (*__all__, *FORMER):
        raise AttributeError(f"module 'workbench.plots' has no attribute {name!r}")
    return getattr(import_module("workbench.plots.of_simulation"), name)
