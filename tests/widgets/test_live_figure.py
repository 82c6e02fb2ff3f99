"""LiveFigure answers a new view with the present picture (recipes 4.3, A-16)."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

import plotly.graph_objects as go

from workbench.widgets.live_figure import LiveFigure


def test_the_state_for_a_new_view_is_the_present_picture():
    figure = LiveFigure(go.Figure(data=[go.Scatter(x=[1], y=[1])], layout={"height": 300}))
    with figure.batch_update():
        figure.data[0].y = [5]
        figure.layout.height = 400
    state = figure.get_state()
    assert state["_widget_data"][0]["y"] == [5]
    assert state["_widget_layout"]["height"] == 400


def test_the_state_of_single_traits_is_left_to_the_library():
    figure = LiveFigure(go.Figure(data=[go.Scatter(x=[1], y=[1])]))
    assert set(figure.get_state(key="_widget_layout")) == {"_widget_layout"}


def test_the_answer_is_a_copy():
    figure = LiveFigure(go.Figure(data=[go.Scatter(x=[1], y=[1])]))
    figure.get_state()["_widget_data"][0]["x"] = [9]
    assert list(figure.data[0].x) == [1]


def test_what_a_browser_reports_back_stays_the_figures_own():
    figure = LiveFigure(go.Figure(data=[go.Scatter(x=[1], y=[1])]))
    uid = figure.data[0].uid
    figure._js2py_traceDeltas = {
        "trace_deltas": [{"uid": uid, "x": [1], "visible": True}], "trace_edit_id": figure._last_trace_edit_id,
    }
    assert figure.get_state()["_widget_data"][0]["x"] == [1]
