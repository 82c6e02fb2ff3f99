"""Kernels that end, and further ones, as far as the session files can tell: what a process knows of them, and its claims."""

from __future__ import annotations

import pytest

from workbench.bench import keeper


def killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is gone, and with it what it knows of its own files and its claims on them."""
    for each in keeper.KEEPERS.values():
        if each._claim is not None:
            each._claim.give_up()
    another(monkeypatch)


def another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process: what has been made so far goes on elsewhere."""
    monkeypatch.setattr(keeper, "KEEPERS", {})
