"""The ring marks one queue and leaves the picture otherwise as it is (U-12)."""

from __future__ import annotations

import pytest

pytest.importorskip("plotly")

import plotly.graph_objects as go

from workbench.plots.selection import ring


def picture() -> go.Figure:
    return go.Figure(data=[go.Scatter(x=[0, 1], y=[0, 0]), go.Scatter(x=[3, 4], y=[5, 6], customdata=["root.a", "root.b"])])


def test_the_ring_stands_around_the_mark_of_the_queue():
    ringed = ring(picture(), "root.b")
    assert (list(ringed.data[-1].x), list(ringed.data[-1].y), list(ringed.data[-1].customdata)) == ([4], [6], ["root.b"])
    assert len(ringed.data) == 3


@pytest.mark.parametrize("path", ["", "root.gone"])
def test_without_such_a_mark_the_ring_is_empty(path):
    ringed = ring(picture(), path)
    assert len(ringed.data) == 3
    assert len(ringed.data[-1].x) == 0
