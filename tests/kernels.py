"""Kernels that end, and further ones, as far as the session files can tell: what a process knows of them, and its claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import Workbench
from workbench.bench import keeper
from workbench.files import claim

TENANTS = "root.tenants"


def killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is gone, and with it what it knows of its own files and its claims on them."""
    for each in keeper.KEEPERS.values():
        if each._claim is not None:
            each._claim.give_up()
    another(monkeypatch)


def another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process: what has been made so far goes on elsewhere."""
    monkeypatch.setattr(keeper, "KEEPERS", {})


def files(folder: Path) -> list[str]:
    """The names of the files there, without the locks."""
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(claim.ENDING))


def worked() -> Workbench:
    """Somebody's work: steps, inputs, and edits in both modes."""
    wb = Workbench.example("multitenancy")
    wb.autosave()
    wb.run(max_steps=3)
    wb.set(TENANTS, "priority.offset", 5)
    wb.add_request("late", "r", {"vcore": "1"}, queue="root.system.system-low")
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 7)
    wb.step()
    wb.select(TENANTS)
    return wb
