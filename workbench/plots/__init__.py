"""Pictures of the state and of decisions: data first (`rows`), then a plotly figure made of it (`figure`).

    workbench.plots.slope(sim)        # a picture of the present, as a plotly Figure

The functions, one per picture, are those of `of_simulation`; they load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["node_bars", "order", "path", "preemption", "shares", "slope", "time", "usage"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'workbench.plots' has no attribute {name!r}")
    return getattr(import_module("workbench.plots.of_simulation"), name)
