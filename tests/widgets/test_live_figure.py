"""LiveFigure is its present picture: what a new view gets, and what a click in it tells (A-16, U-29)."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

import plotly.graph_objects as go

from workbench.widgets.parts.live_figure import LiveFigure


def picture(y: float) -> go.Figure:
    return go.Figure(data=[go.Scatter(x=[1, 2], y=[y, y], customdata=["a", "b"])], layout={"height": 300})


def test_a_new_view_gets_the_present_picture():
    live = LiveFigure(picture(1), "one")
    live.show(picture(5), "five")
    state = live.get_state()
    assert state["figure"]["data"][0]["y"] == [5, 5]
    assert state["label"] == "five"


def test_one_change_is_one_message(monkeypatch):
    live = LiveFigure(picture(1), "one")
    sent = []
    monkeypatch.setattr(live, "_send", lambda message, buffers=None: sent.append(message))
    live.show(picture(5), "five")
    assert [sorted(message["state"]) for message in sent] == [["figure", "label"]]


def test_an_equal_picture_is_not_sent_again(monkeypatch):
    live = LiveFigure(picture(1), "one")
    sent = []
    monkeypatch.setattr(live, "_send", lambda message, buffers=None: sent.append(message))
    live.show(picture(1), "one")
    assert sent == []


def test_a_click_tells_the_mark():
    live, heard = LiveFigure(picture(1)), []
    live.on_click(lambda trace, point: heard.append(trace["customdata"][point]))
    live._handle_custom_msg({"event": "click", "trace": 0, "point": 1}, [])
    assert heard == ["b"]


@pytest.mark.parametrize(
    "content",
    [None, [], {}, {"event": "click"}, {"event": "click", "trace": 9, "point": 0}, {"event": "click", "trace": 0, "point": -1},
     {"event": "click", "trace": "0", "point": 0}],
    ids=["nothing", "a list", "no event", "no mark", "no such trace", "no such point", "no number"],
)  # fmt: skip
def test_a_message_that_is_no_click_is_ignored(content):
    live, heard = LiveFigure(picture(1)), []
    live.on_click(lambda trace, point: heard.append(point))
    live._handle_custom_msg(content, [])
    assert heard == []
