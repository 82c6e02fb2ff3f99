"""What holds for every test of the bench: how slow this machine is at the moment decides nothing."""

from __future__ import annotations

import pytest

from workbench.bench import keeper
from workbench.bench.verbs import checking


@pytest.fixture(autouse=True)
def nothing_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions are written after every verb, and checks are made anew at every step, whatever they take."""
    for module in (keeper, checking):
        monkeypatch.setattr(module, "SLOW_SECONDS", 1e9)
