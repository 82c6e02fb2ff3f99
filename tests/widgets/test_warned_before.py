"""An edit in the tree that would have requests refused is told before it happens, and carried out when it is asked for again."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


WISH = {"verb": "add", "path": "root.system.system-high", "name": "below", "number": "1", "index": None}


def test_an_edit_that_refuses_requests_is_told_first(bench):
    screen = bench.screen
    answer = screen._on_wish(WISH)
    assert "would refuse 1 request of 1 app" in answer and "once more" in answer
    assert bench.status.is_error and not bench.can_undo
    assert screen._on_wish(WISH) == ""
    assert bench.can_undo and bench.selected == "root.system.system-high.below"
    assert "Refused now" in bench.status.text
    assert "refused 1 request of 1 app" in screen.why.text
    assert "refused" in screen.bar.count.text


def test_after_something_else_happened_the_edit_is_told_anew(bench):
    screen = bench.screen
    screen._on_wish(WISH)
    bench.step()
    assert "would refuse" in screen._on_wish(WISH)


def test_an_edit_that_refuses_nothing_happens_at_once(bench):
    assert bench.screen._on_wish({**WISH, "path": "root.system"}) == ""
    assert bench.selected == "root.system.below"
