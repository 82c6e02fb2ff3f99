"""While a prediction is asked for, no part of the screen tells what comes next: for every question of every lesson."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("ipywidgets")

import ipywidgets as widgets
from lessons.playing import LESSONS, questions
from lessons.test_nothing_tells import another_next

from workbench import Workbench


def parts(widget: widgets.Widget) -> list[widgets.Widget]:
    """The widget and everything in it."""
    found = [widget]
    for child in getattr(widget, "children", ()):
        found += parts(child)
    return found


def shown(bench: Workbench) -> dict[str, str]:
    """What each part of the screen shows, with every tab and every picture in front once, and everything opened that can be."""
    screen, told = bench.screen, {}
    for toggle in (screen.reasons.all, screen.reasons.changed):
        toggle.value = True
    tabs, pictures = screen.tables.widget, screen.picture.tabs
    for front in range(max(len(tabs.children), len(pictures.children))):
        tabs.selected_index = front % len(tabs.children)
        pictures.selected_index = front % len(pictures.children)
        screen.redraw()
        for part in parts(screen.widget):
            state = {name: value for name, value in part.get_state().items() if not name.startswith(("_", "layout", "style"))}
            told[f"{front} {type(part).__name__} {part.model_id}"] = json.dumps(state, default=str, sort_keys=True)
    return told


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_part_of_the_screen_tells_what_is_next(lesson):
    for bench in questions(lesson):
        shown(bench)  # pictures are made when their tab is first seen
        now = shown(bench)
        with another_next(bench):
            other = shown(bench)
        assert [name for name in now if now[name] != other.get(name)] == [], f"step {bench.simulation.position}"
