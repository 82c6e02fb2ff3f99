"""A sweep in a notebook while it runs: a bar, how far it is, and a button Stop that keeps what is done. SW-4.

The button is answered while the cell runs where the kernel answers widgets beside it (ipykernel 7, JupyterLab 4.4); everywhere
the kernel's own interrupt does the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

from workbench.sweeps.driving import Stand
from workbench.sweeps.progress import Clock, Meter

STOP, STOPPING = "Stop", "Stopping; what is done is kept."
STOP_HINT = "End the sweep and keep what is done"
OFTEN_S = 0.1
"""The display is drawn anew at most so often, in seconds."""


class Display:
    """The bar and its button. `widget` is what is shown."""

    def __init__(self, clock: Clock):
        import ipywidgets as widgets

        self._clock, self._meter = clock, Meter(clock)
        self._drawn = float("-inf")
        self.is_stopped = False
        self.bar = widgets.FloatProgress(min=0.0, max=1.0, layout=widgets.Layout(width="14em"))
        self.text = widgets.HTML()
        self.button = widgets.Button(description=STOP, tooltip=STOP_HINT, icon="stop")
        self.button.on_click(lambda _: self.stop())
        self.widget: Any = widgets.HBox([self.bar, self.button, self.text])

    def stop(self) -> None:
        """End the sweep as soon as possible."""
        self.is_stopped = True
        self.button.disabled = True
        self.text.value = escape(STOPPING)

    def tell(self, stand: Stand) -> None:
        """Draw how far it is."""
        now = self._clock()
        if self.is_stopped or now - self._drawn < OFTEN_S and stand.done < stand.total:
            return
        self._drawn = now
        self.bar.value = self._meter.fraction(stand)
        self.text.value = escape(self._meter.text(stand))

    def close(self) -> None:
        """Take it away; the result says the rest."""
        self.widget.close()


def in_a_notebook() -> bool:
    """Whether a kernel runs this, which shows widgets."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks at a sweep while it runs.

    Attributes:
        tell: is told how far it is.
        stopped: is asked whether to end it.
        is_interrupted: is told of Ctrl-C, and answers whether that ends the sweep with what there is, rather than everything.
    """

    tell: Callable[[Stand], None] = lambda stand: None
    stopped: Callable[[], bool] = lambda: False
    is_interrupted: Callable[[], bool] = lambda: False


@contextmanager
def watched(
    progress: Callable[[Stand], None] | None,
    stop: Callable[[], bool] | None,
    *,
    clock: Clock | None = None,
    show: Callable[[Any], None] | None = None,
) -> Iterator[Watch]:
    """Who looks at a sweep while the `with` block runs: whoever was given, or a display in a notebook."""
    asked = stop or (lambda: False)
    if progress is not None or show is None and not in_a_notebook():
        yield Watch(progress or (lambda stand: None), asked)
        return
    if clock is None:
        import time

        clock = time.monotonic
    if show is None:
        show = import_module("IPython.display").display
    shown = Display(clock)

    def interrupted() -> bool:
        shown.stop()
        return True

    show(shown.widget)
    try:
        yield Watch(shown.tell, lambda: shown.is_stopped or asked(), interrupted)
    finally:
        shown.close()
