"""The Workbench in a script: the verbs, their status line, edits and undo, and that none of it needs a screen."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench import Workbench


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


# ---- without a screen ---------------------------------------------------------------------------------------------


def test_a_script_needs_neither_widgets_nor_plots():  # U-27
    script = (
        "import sys\n"
        "from workbench import Workbench\n"
        "bench = Workbench.example('multitenancy')\n"
        "bench.step(); bench.set('root.tenants', 'priority.offset', 3); bench.why(); bench.table('pending'); repr(bench)\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'ipywidgets', 'anywidget', 'plotly', 'IPython', 'networkx', 'numpy'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_release_is_chosen_on_the_screen_and_kept_in_a_saved_scenario(bench, tmp_path):
    bench.screen.bar.release.value = "1.4"
    assert bench.simulation.release == "1.4"
    bench.save(tmp_path / "kept.yaml")
    assert Workbench.open(tmp_path / "kept.yaml").simulation.release == "1.4"
    bench.undo()
    assert bench.screen.bar.release.value == "1.8"
