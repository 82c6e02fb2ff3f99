"""The Alibaba GPU trace with its true times, on a small made-up sample of the two tables. WL-14."""

from __future__ import annotations

import pytest

from workbench.importers.alibaba import GPU_TYPE, MODEL_ATTRIBUTE
from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Job, Pool, Tasks, Workload, read
from workbench.workloads.sources.registry import recognised

NODES = """\
sn,cpu_milli,memory_mib,gpu,model
n-0,8000,16384,0,
n-1,16000,32768,2,T4
n-2,16000,32768,1,P100
n-3,16000,32768,2,T4
n-4,8000,32768,1,T4
"""
HEADER = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
TASKS = (
    HEADER
    + """\
t-0,4000,8192,0,0,,LS,Running,0,100,5
t-1,2000,4096,1,460,,BE,Succeeded,10,60,10
t-2,2000,4096,2,1000,T4|V100|P100,Guaranteed,Pending,10,40,
t-3,1000,1024,1,1000,P100,Burstable,Running,60,,70
t-4,1000,1024,0,0,,BE,Failed,70,70,70
"""
)


@pytest.fixture
def trace(tmp_path):
    """Read the sample, or other texts, from a folder with the two tables."""

    def loaded(tasks=TASKS, nodes: str | None = NODES, **options) -> Workload:
        if nodes is not None:
            (tmp_path / "some_nodes.csv").write_text(nodes)
        (tmp_path / "some_pods.csv").write_text(tasks)
        return read(tmp_path, **options)

    return loaded


def by_id(workload: Workload) -> dict[str, Job]:
    return {job.id: job for job in workload.jobs}


def noted(workload: Workload, words: str) -> str:
    """The one note with these words."""
    (found,) = [note for note in workload.notes if words in note]
    return found


def test_a_task_is_a_job_that_arrives_and_runs_as_it_did(trace):
    assert by_id(trace())["t-1"] == Job(
        id="t-1",
        submit_ms=10_000,
        tasks=(Tasks(resource=Resource({"vcore": 2000, "memory": 4096 * 2**20, GPU_TYPE: 460}), duration_ms=50_000),),
        user="trace",
        queue="root.be",
        tags={"phase": "Succeeded"},
        kind="BE",
    )


def test_the_duration_counts_from_the_placement(trace):
    assert by_id(trace())["t-0"].tasks[0].duration_ms == 95_000


def test_what_was_never_placed_runs_as_long_as_it_was_there_or_is_left_out(trace):
    workload = trace()
    assert by_id(workload)["t-2"].tasks[0].duration_ms == 30_000
    assert noted(workload, "never placed").endswith("1 job (first in line 4).")
    without = trace(unplaced="leave_out")
    assert "t-2" not in by_id(without)
    assert noted(without, "never placed") == "Left out, since they were never placed in the trace: 1 job (first in line 4)."


def test_what_was_not_deleted_ends_with_the_trace(trace):
    workload = trace()
    assert by_id(workload)["t-3"].tasks[0].duration_ms == 30_000
    assert noted(workload, "not deleted").endswith("1 job (first in line 5).")
    assert noted(workload, "last second").endswith("1 job (first in line 2).")


def test_a_duration_of_zero_stays_and_is_said(trace):
    workload = trace()
    assert by_id(workload)["t-4"].tasks[0].duration_ms == 0
    assert noted(workload, "duration of 0").endswith("1 job (first in line 6).")


def test_equal_nodes_are_a_pool_with_the_model_of_their_gpus(trace):
    t4, p100 = {MODEL_ATTRIBUTE: "T4"}, {MODEL_ATTRIBUTE: "P100"}
    large = {"vcore": 16_000, "memory": 32768 * 2**20}
    assert trace().pools == (
        Pool(name="cpu", capacity=Resource(vcore=8000, memory=16384 * 2**20)),
        Pool(name="T4", count=2, capacity=Resource({**large, GPU_TYPE: 2000}), attributes=t4),
        Pool(name="P100", capacity=Resource({**large, GPU_TYPE: 1000}), attributes=p100),
        Pool(name="T4-2", capacity=Resource({"vcore": 8000, "memory": 32768 * 2**20, GPU_TYPE: 1000}), attributes=t4),
    )


def test_the_model_of_gpus_says_where_a_task_may_run(trace):
    found = {id: job.tasks[0] for id, job in by_id(trace()).items()}
    assert (found["t-0"].allowed_nodes, dict(found["t-0"].node_selector)) == (None, {})
    assert (found["t-3"].allowed_nodes, dict(found["t-3"].node_selector)) == (None, {MODEL_ATTRIBUTE: "P100"})
    assert found["t-2"].allowed_nodes == ("T4-000", "T4-001", "P100-000", "T4-2-000")


def test_only_the_first_nodes_and_tasks_are_taken_when_asked(trace):
    workload = trace(first=2, first_nodes=2)
    assert [job.id for job in workload.jobs] == ["t-0", "t-1"]
    assert [pool.name for pool in workload.pools] == ["cpu", "T4"]
    assert "Only the first 2 tasks were read." in workload.notes
    assert not [note for note in trace(first=5).notes if "Only" in note]
    assert noted(trace(TASKS + "broken\n", first=5), "Only the first 5")


def test_rows_out_of_order_are_sorted_and_it_is_said(trace):
    workload = trace(HEADER + "b,1,1,0,0,,LS,Running,9,10,9\na,1,1,0,0,,LS,Running,3,10,3\n")
    assert [job.id for job in workload.jobs] == ["a", "b"]
    assert noted(workload, "were sorted")


def test_the_table_of_tasks_alone_finds_its_nodes_beside_it_or_does_without(trace, tmp_path):
    alone = trace(nodes=None)
    assert alone.pools == ()
    assert noted(alone, "no table of nodes")
    assert noted(alone, "several models").endswith("1 job (first in line 4).")
    assert by_id(alone)["t-3"].tasks[0].node_selector == {MODEL_ATTRIBUTE: "P100"}
    assert trace().jobs == read(tmp_path / "some_pods.csv").jobs
    assert read(tmp_path / "some_pods.csv").pools == trace().pools


def test_the_table_of_nodes_can_be_named(trace, tmp_path):
    trace()
    (tmp_path / "other.csv").write_text(NODES)
    with pytest.raises(WorkloadError, match=r"several tables of nodes: other.csv, some_nodes.csv"):
        read(tmp_path)
    assert len(read(tmp_path, node_table=str(tmp_path / "other.csv")).pools) == 4


def test_it_is_recognised_by_what_is_in_it(trace, tmp_path):
    trace()
    assert recognised(tmp_path) == "alibaba"
    (tmp_path / "some_pods.csv").rename(tmp_path / "pods.txt")
    assert recognised(tmp_path / "pods.txt") == "alibaba"


def test_a_folder_without_the_tables_is_not_recognised(tmp_path):
    (tmp_path / "a.csv").write_text("submit,duration\n")
    with pytest.raises(WorkloadError, match="nothing here tells"):
        read(tmp_path)
    with pytest.raises(WorkloadError, match="no file in the folder has the columns"):
        read(tmp_path, "alibaba")


BROKEN = {
    "a number": ("x,many,1,0,0,,LS,Running,0,1,0", "column cpu_milli"),
    "a class": ("x,1,1,0,0,,XX,Running,0,1,0", "column qos: unknown class 'XX'"),
    "a model": ("x,1,1,1,1000,A10,LS,Running,0,1,0", "column gpu_spec: no node has a GPU of model 'A10'"),
    "a name twice": ("t-0,1,1,0,0,,LS,Running,0,1,0", "column name: task 't-0' occurs twice"),
    "an early end": ("x,1,1,0,0,,LS,Running,9,1,9", "column deletion_time: 1 is before"),
    "an early placement": ("x,1,1,0,0,,LS,Running,5,9,4", "column scheduled_time: 4 is not between"),
    "a late placement": ("x,1,1,0,0,,LS,Running,5,9,10", "column scheduled_time: 10 is not between"),
    "a part of GPUs": ("x,1,1,2,500,,LS,Running,5,9,6", "column gpu_milli"),
    "fields": ("x,1,1", "the row has 3 fields, the header 11"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_row_is_named_with_file_line_and_column(trace, name):
    text, said = BROKEN[name]
    with pytest.raises(WorkloadError) as caught:
        trace(f"{TASKS}{text}\n")
    assert said in str(caught.value)
    assert caught.value.line == 7
    assert str(caught.value.source).endswith("some_pods.csv")


@pytest.mark.parametrize("name", BROKEN)
def test_what_could_be_read_is_kept_when_asked_and_the_rest_counted(trace, name):
    text, said = BROKEN[name]
    workload = trace(f"{TASKS}{text}\nlast,1,1,0,0,,LS,Running,80,81,80\n", keep_going=True)
    assert [job.id for job in workload.jobs] == ["t-0", "t-1", "t-2", "t-3", "t-4", "last"]
    assert "line 7" in noted(workload, "could not be read") and said in noted(workload, "could not be read")


def test_a_broken_table_of_nodes_is_named(trace):
    with pytest.raises(WorkloadError, match="column gpu") as caught:
        trace(nodes=NODES + "n-9,1,1,many,\n")
    assert caught.value.line == 7


def test_an_option_with_another_value_is_refused(trace):
    with pytest.raises(WorkloadError, match="unplaced"):
        trace(unplaced="never")


def test_progress_is_told(trace):
    told = []
    trace(progress=lambda done, text: told.append((done, text)))
    assert told == [(0.0, "0 tasks of some_pods.csv")]
