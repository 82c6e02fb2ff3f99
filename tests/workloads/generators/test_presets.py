"""Presets: each says itself, fits its queue tree, and is read from a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

import workbench as wb
from workbench.simulation.scenario import document
from workbench.values.errors import CommandError, ScenarioError
from workbench.workloads.checks import check_workload
from workbench.workloads.generators import PRESETS, read
from workbench.workloads.generators.writing import to_yaml

every_preset = pytest.mark.parametrize("name", PRESETS)
NEEDED = ("research-cluster", "ci-farm", "training-and-inference", "data-platform")


def leaves(config: wb.SchedulerConfig) -> set[str]:
    def walk(queue, path):
        if not queue.queues:
            yield path
        for child in queue.queues:
            yield from walk(child, f"{path}.{child.name}")

    return set(walk(config.partitions[0].queues[0], "root"))


def test_there_is_one_for_each_kind_of_cluster():
    assert set(NEEDED) <= set(PRESETS)


@every_preset
@pytest.mark.parametrize("nodes", [2, 7, 200])
def test_the_design_is_accepted_has_no_finding_and_has_the_queues_of_the_jobs(name, nodes):
    preset = wb.workloads.preset(name, nodes=nodes)
    config = wb.load_config(preset.design())
    assert {each.queue for each in preset.spec.classes} == leaves(config)
    assert wb.checks(config) == ()


@every_preset
@pytest.mark.parametrize("nodes", [2, 20])
def test_every_job_fits_on_a_node_and_the_load_is_the_one_asked_for(name, nodes):
    preset = wb.workloads.preset(name, nodes=nodes, load=0.7)
    workload = preset.workload(1)
    check_workload(workload)
    assert len(workload.notes) == 1  # that it is made up; a job that is too large would be told, too
    assert preset.spec.offered()[1] == pytest.approx(0.7, rel=0.02)
    capacity = sum(pool.count for pool in workload.pools)
    assert capacity == nodes


@every_preset
def test_it_says_itself_in_words(name):
    preset = wb.workloads.preset(name)
    assert PRESETS[name].words in str(preset)
    assert preset.sentence().endswith("nodes on average.")
    assert "<table" in preset._repr_html_()


@given(
    st.sampled_from(NEEDED),
    st.integers(2, 500),
    st.floats(0.01, 3),
    st.integers(1, 10**9),
    st.integers(-5, 5),
)
@examples(30)
def test_what_is_written_is_read_as_an_equal_one(name, nodes, load, length_ms, seed):
    preset = wb.workloads.Preset(name=name, nodes=nodes, load=load, length_ms=length_ms, seed=seed)
    assert read(document.read(to_yaml(preset.written()))) == preset


def test_a_file_of_a_workload_may_name_a_preset():
    made = wb.workloads.parse_workload("workload: {preset: ci-farm, nodes: 5, load: 1.2, length: 1d}")
    assert made == wb.workloads.preset("ci-farm", nodes=5, load=1.2, length="1d")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("preset: ci-frm", "line 1: preset: there is no preset 'ci-frm'; did you mean ci-farm?"),
        ("preset: ci-farm\nnodes: 1", "line 2: nodes: 1 is out of range"),
        ("preset: ci-farm\nload: 0", "line 2: load: the load must be above 0"),
        ("preset: ci-farm\nlenght: 1d", "line 2: unknown key 'lenght' (did you mean length?"),
    ],
)
def test_a_fault_is_told_with_its_line(text, part):
    with pytest.raises(ScenarioError) as told:
        read(document.read(text))
    assert part in str(told.value)


def test_a_preset_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(CommandError, match="there are research-cluster, ci-farm"):
        wb.workloads.preset("mainframe")
