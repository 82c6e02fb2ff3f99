"""Less motion (U-25), and a workbench that says something where no widgets can be shown (U-28)."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench


def test_a_static_workbench_stores_its_tree_beside_the_three_lines():  # U-28
    bench = Workbench.example("multitenancy", static=True)
    text = bench._repr_mimebundle_()["text/plain"]
    assert text.splitlines()[:3] == repr(bench).splitlines()
    assert text.splitlines()[4].split() == ["queue", "priority", "next", "use"]
    assert "└─ tenants ▣" in text


def test_without_it_there_are_three_lines():  # U-28
    bench = Workbench.example("multitenancy")
    assert bench._repr_mimebundle_()["text/plain"] == repr(bench)


def test_nothing_moves_when_nobody_wants_it():  # U-25
    bench = Workbench.example("multitenancy", motion=False)
    assert "wb-still" in bench.screen.widget._dom_classes
    assert "wb-still" not in Workbench.example("multitenancy").screen.widget._dom_classes


def test_the_stored_output_is_small():  # section 13
    bench = Workbench.example("multitenancy", static=True)
    assert len(json.dumps(bench._repr_mimebundle_())) < 10_000
