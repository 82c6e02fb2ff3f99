"""How a figure shows itself in a notebook: data for JupyterLab's plot view, a sentence as text, and nothing of another host."""

from __future__ import annotations

import json

import pytest

from workbench import Workbench, plots

MIME = "application/vnd.plotly.v1+json"


@pytest.mark.parametrize("name", ["path", "slope", "order", "usage", "nodes", "shares", "preemption", "time"])
def test_a_notebook_stores_the_data_and_the_sentence_of_a_figure(name):  # U-24, and section 13: at most 300 kB a notebook
    figure = Workbench.example("multitenancy").figure(name)
    bundle = figure._repr_mimebundle_()
    assert set(bundle) == {MIME, "text/plain"}
    assert bundle["text/plain"] == figure.layout.meta["sentence"]
    assert len(json.dumps(bundle)) < 60_000
    assert [trace["type"] for trace in bundle[MIME]["data"]] == [trace.type for trace in figure.data]


def test_ipython_leaves_the_display_to_the_data():
    assert plots.path(Workbench.example("multitenancy").simulation)._ipython_display_ is None


@pytest.mark.parametrize(("theme", "paper"), [("light", "#FFFFFF"), ("dark", "#111111")])
def test_a_picture_brings_its_paper_into_a_notebook_which_may_be_of_the_other_theme(theme, paper):
    figure = plots.path(Workbench.example("multitenancy").simulation, theme=theme)
    assert figure._repr_mimebundle_()[MIME]["layout"]["paper_bgcolor"] == paper
    figure.update_layout(paper_bgcolor="#EEEEEE")
    assert figure._repr_mimebundle_()[MIME]["layout"]["paper_bgcolor"] == "#EEEEEE"
