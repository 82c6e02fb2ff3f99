"""Every preset runs under its own design, and its jobs get through."""

from __future__ import annotations

import pytest

from workbench.runs import simulate
from workbench.workloads import PRESETS, preset


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_runs_under_its_own_design(name):
    made = preset(name, nodes=3, length="6h", load=0.4)
    run = simulate(made.design(), made, reasons=False)
    assert run.jobs
    assert {row.state for row in run.jobs} == {"finished"}
