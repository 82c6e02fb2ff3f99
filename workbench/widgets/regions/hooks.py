"""What a tab of the table region can do, and what it may ask of the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import ipywidgets as widgets

from workbench.bench.present import Present
from workbench.bench.workbench import Workbench


class Tab(Protocol):
    """What a tab of the region can do."""

    widget: widgets.Widget

    def draw(self, present: Present) -> None:
        """Show the present."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What tabs may ask of the screen.

    Attributes:
        workbench: to read from.
        select_request: hears the (application id, ask key) of the selected row, or None.
        carry_out: carries out `verb(*args, **kwargs)` by name; the refusal, or None.
        open_line: shows a line of the configuration's text.
    """

    workbench: Workbench
    select_request: Callable[[tuple[str, str] | None], None]
    carry_out: Callable[..., Exception | None]
    open_line: Callable[[int], None]
