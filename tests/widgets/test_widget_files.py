"""The browser parts: packaged, without markup from data, without an address outside, and named as the Python side names them."""

from __future__ import annotations

import re
from importlib import resources

import pytest

FOLDER = resources.files("workbench.widgets.parts")
SCRIPTS = (
    "check_list.js",
    "data_table.js",
    "keyboard.js",
    "live_figure.js",
    "live_text.js",
    "queue_tree.js",
    "region_width.js",
    "step_rail.js",
    "text_editor.js",
)
SHARED = "dom.js"
STYLES = ("queue_tree.css", "screen.css")


def text_of(name: str) -> str:
    return FOLDER.joinpath(name).read_text(encoding="utf-8")


def test_the_list_of_files_is_complete():
    found = {file.name for file in FOLDER.iterdir() if file.name.endswith((".js", ".css"))}
    assert found == {SHARED, *SCRIPTS, *STYLES}


@pytest.mark.parametrize("name", [SHARED, *SCRIPTS])
def test_no_script_reads_data_as_markup_or_code(name):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text_of(name))


@pytest.mark.parametrize("name", [SHARED, *SCRIPTS, *STYLES])
def test_nothing_is_loaded_from_elsewhere(name):
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|\bfetch\(|\bimport\s", text_of(name))


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_trait_that_a_script_uses_exists(name):
    from workbench.widgets.parts import (
        data_table,
        keyboard,
        live_figure,
        live_text,
        queue_tree,
        region_width,
        step_rail,
        text_editor,
    )
    from workbench.widgets.regions import checks_tab

    widget = {
        "check_list.js": checks_tab.CheckList,
        "data_table.js": data_table.DataTable, "live_figure.js": live_figure.LiveFigure, "live_text.js": live_text.LiveText,
        "queue_tree.js": queue_tree.QueueTree, "keyboard.js": keyboard.Keyboard, "text_editor.js": text_editor.TextEditor,
        "region_width.js": region_width.RegionWidth, "step_rail.js": step_rail.StepRail,
    }[name]  # fmt: skip
    assert widget._esm == text_of(SHARED) + text_of(name)  # a script cannot import another
    used = set(re.findall(r"""(?:\.get|\.set)\("([a-z_]+)\"""", text_of(name)))
    assert used
    assert used <= set(widget.class_trait_names(sync=True))


def test_both_parts_of_the_rail_mean_the_same_length():
    from workbench.widgets.parts.step_rail import MOST_DOTS

    assert f"const MOST_DOTS = {MOST_DOTS};" in text_of("step_rail.js")
