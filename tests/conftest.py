"""Property tests are played in one of two ways, chosen by Hypothesis' own option `--hypothesis-profile`. See `laws`.

`-m quick` selects what tells soonest whether something broke: the rules, the parts beneath the screen and the promises about the
project. It is chosen by folder, so that a new test belongs to it or not by where it is.
"""

from __future__ import annotations

import os
from pathlib import Path

import laws
import pytest

laws.register_profiles()
# It was meant for this run, and not for those that tests start.
os.environ.pop("PYTEST_ADDOPTS", None)

HERE = Path(__file__).resolve().parent
QUICK = {"search", "simulation", "spec", "test_layers.py", "test_import_time.py", "test_project.py"}
"""Folders and files of the tests in the selection. Those of the rest start processes, draw pictures, or try long."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.suffix == ".py" and HERE in item.path.parents and item.path.relative_to(HERE).parts[0] in QUICK:
            item.add_marker(pytest.mark.quick)
