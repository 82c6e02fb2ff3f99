"""Colours by role: contrast against the notebook's background, hues per top-level queue. U-21 to U-23."""

from __future__ import annotations

from itertools import combinations

import plotly.graph_objects as go
import pytest

from workbench.plots import theme as themes
from workbench.plots.theme import DARK, LIGHT, contrast
from workbench.simulation import Simulation

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
SIX_AND_MORE = (
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    + ", ".join(f"{{name: q{number}, queues: [{{name: leaf}}]}}" for number in range(8))
    + "]}]}]"
)


def root_of(config: str):
    return Simulation(config).state.partitions["default"].root


@BOTH
def test_text_has_a_contrast_of_4_5_to_the_background(theme):  # U-22
    assert all(contrast(colour, background) >= 4.5 for colour in (theme.text, theme.muted) for background in theme.backgrounds)


@BOTH
def test_marks_have_a_contrast_of_3_by_their_outline(theme):  # U-22
    assert all(contrast(theme.text, background) >= 3 for background in theme.backgrounds)


@BOTH
def test_lines_and_the_arrow_have_a_contrast_of_3_without_an_outline(theme):  # U-22
    assert all(
        contrast(colour, background) >= 3 for colour in (theme.line, theme.chosen, theme.muted) for background in theme.backgrounds
    )


@BOTH
def test_the_next_choice_stands_out_on_the_free_part_of_a_node(theme):  # U-22
    assert contrast(theme.chosen, theme.free) >= 3


@pytest.mark.parametrize(("fill", "text"), themes.ON_FILL.items(), ids=themes.ON_FILL)
def test_text_and_patterns_on_a_fill_are_readable(fill, text):  # U-22
    assert contrast(fill, text) >= 4.5


@BOTH
def test_no_two_hues_are_the_same_and_none_is_the_colour_of_a_choice(theme):
    assert all(one != other for one, other in combinations((*theme.hues, theme.chosen, theme.muted), 2))


def test_contrast_is_that_of_wcag():
    assert round(contrast("#767676", "#FFFFFF"), 2) == 4.54
    assert contrast("#0072B2", "#FFFFFF") == contrast("#FFFFFF", "#0072B2")


def test_the_top_level_queue_sets_the_hue_of_everything_below():  # ux 6
    colours = themes.queue_colours(root_of(SIX_AND_MORE))
    assert colours["root.q0"] == colours["root.q0.leaf"] == themes.BLUE
    assert colours["root.q1.leaf"] == themes.ORANGE
    assert colours["root"] == LIGHT.muted


def test_hues_start_again_after_the_last():
    slots = themes.hue_slots(root_of(SIX_AND_MORE))
    assert [slots[f"q{number}"] for number in range(8)] == [0, 1, 2, 3, 4, 5, 0, 1]


@BOTH
def test_figures_let_the_notebook_shine_through_and_take_its_text_colour(theme):  # U-23
    layout = go.layout.Template(themes.template(theme)).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert layout.font.color == theme.text
    assert contrast(layout.hoverlabel.font.color, layout.hoverlabel.bgcolor) >= 4.5
