"""How a workbench is shown: by whoever registered a view, and as text where nobody could."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.bench import view


class Sign:
    """A view that only says of what it is one."""

    def __init__(self, bench: Workbench):
        self.bench = bench

    def bundle(self, **options: object) -> dict[str, object]:
        return {"text/html": f"<b>{self.bench.name}</b>"}


@pytest.fixture
def nobody(monkeypatch):
    monkeypatch.setattr(view, "_makers", [])


def test_a_workbench_is_shown_by_the_view_that_was_registered(nobody):
    view.register(Sign)
    bench = Workbench.example("multitenancy")
    assert isinstance(bench.screen, Sign)
    assert bench._repr_mimebundle_() == {"text/html": "<b>multitenancy</b>", "text/plain": repr(bench)}


def test_the_view_registered_last_counts(nobody):
    view.register(lambda bench: pytest.fail("asked the first"))
    view.register(Sign)
    assert isinstance(Workbench.example("multitenancy").screen, Sign)


def test_a_workbench_has_one_view(nobody):
    view.register(Sign)
    bench = Workbench.example("multitenancy")
    assert bench.screen is bench.screen


def test_where_the_module_of_the_screen_cannot_be_imported_a_workbench_is_text(nobody, monkeypatch):
    monkeypatch.setattr("workbench.VIEW", "workbench.no_such_module")
    bench = Workbench.example("multitenancy")
    assert bench._repr_mimebundle_() == {"text/plain": repr(bench)}
    with pytest.raises(ImportError):
        bench.screen  # noqa: B018
