"""Facts of release 1.9 hold here, and so do those of 1.8 that were recorded beside them. Rules R-900 to R-997."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.conformance.replay import family_of, replay, scenario_files
from workbench.conformance.tables import check_table
from workbench.simulation.scenario import load_scenario
from workbench.values.errors import ScenarioError

RECORDED = Path(__file__).parent / "release-1.9"
ON_1_9 = scenario_files([RECORDED / "scenarios-1.9"])
ON_1_8 = scenario_files([RECORDED / "scenarios-1.8"])
FACTS = {"configs": 4, "preemption": 63}
"""Table -> facts that are checked and must hold."""


@pytest.mark.parametrize("path", [*ON_1_9, *ON_1_8], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_scenario_comes_out_as_in_its_release(path):
    scenario = load_scenario(path)
    assert scenario.engine == path.parent.name.removeprefix("scenarios-")
    report = replay(scenario)
    assert report.agrees, str(report)
    assert report.matched == report.total


def test_what_was_recorded_on_1_8_was_recorded_on_1_9_as_well():
    assert {path.name for path in ON_1_8} <= {path.name for path in ON_1_9}
    assert {family_of(path) for path in ON_1_8} > {"quota_preempt", "preempt_deep"}


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_fact_of_the_table_holds(name):  # what the attempt looked at on the way is told as far as 1.9 tells it
    report = check_table(RECORDED / "tables" / f"{name}.yaml")
    assert report.differences == ()
    assert report.matched == report.total == FACTS[name]
    assert report.unchecked == 0


def test_every_fact_about_objects_of_kubernetes_holds():
    report = check_table(RECORDED / "kubernetes.json.gz")
    assert report.differences == ()
    assert report.matched == report.total == 11


def test_a_table_of_a_release_that_nobody_follows_is_refused(tmp_path):
    (tmp_path / "preemption.yaml").write_text("version: yunikorn-core v3.7.0\ncases: []\n")
    with pytest.raises(ScenarioError, match="the facts are of release 3.7; there are"):
        check_table(tmp_path / "preemption.yaml")
