"""Cells computed here, in processes, on Dask and on other executors: the same numbers, whatever happens to a process. SW-2."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import active_children, get_context
from types import ModuleType

import own_measures
import pytest
from sweep_cells import Script, cell, computed, number
from sweep_plans import DESIGN, results_of, specs

from workbench.measures import MEASURES, Measure, register_measure
from workbench.measures.wait import waits_of
from workbench.sweeps import sweep
from workbench.sweeps.cells import CellSpec, Outcome
from workbench.sweeps.executors import Serial, Work, chosen, submitting
from workbench.sweeps.executors.processes import Processes
from workbench.sweeps.executors.remote import Submitted
from workbench.values.errors import CommandError
from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload, synthetic

SETTINGS = {"root.prod:priority.offset": [0, 100], "load": [1, 1.5]}
EXPECTED = {spec.seed: number(spec) for spec in specs(8)}


@pytest.fixture(scope="module")
def cluster():
    """A Dask cluster of two workers, each a process with one thread."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as found:
        yield found


def numbers(results):
    return {seed: result.values["wait.p95"]["cluster"] for seed, result in sorted(results.items())}


def test_one_process_and_two_have_the_same_numbers():
    assert numbers(results_of(Serial(), specs(8), cell)) == EXPECTED
    assert numbers(results_of(Processes(2), specs(8), cell)) == EXPECTED


def test_dask_has_the_same_numbers(cluster):
    assert numbers(results_of(chosen(cluster.scheduler_address), specs(8), cell)) == EXPECTED


@pytest.fixture
def own_measure():
    """A measure that nobody but this process knows. M-8"""
    yield register_measure(own_measures.NAME, own_measures.MEASURE)
    del MEASURES[own_measures.NAME]


def test_real_runs_of_a_made_up_workload_have_the_same_numbers_everywhere(cluster, own_measure):
    made_up = synthetic(
        length="20m",
        load=0.9,
        pools="2 x vcore=4,memory=16Gi",
        classes=[
            {"name": name, "arrivals": "poisson(per_hour=60)", "queue": f"root.{name}", "size": {"vcore": "1"}, "duration": "2m"}
            | {"share": 0.5}
            for name in ("prod", "batch")
        ],
    )
    found = [
        sweep(DESIGN, SETTINGS, made_up, measures=["wait.p95", own_measure.name], seeds=2, executor=each).cells()
        for each in ("serial", 2, cluster.scheduler_address)
    ]
    assert found[0] == found[1] == found[2]
    rows = [dict(zip(found[0].columns, row)) for row in found[0]]
    assert len(rows) == 8 and not any(row["error"] for row in rows)
    assert any(row[f"{own_measure.name} cluster"] for row in rows)


@pytest.mark.parametrize("where", ["a lambda", "a notebook"])
def test_an_own_measure_that_other_processes_cannot_find_is_told_before_anything_runs(monkeypatch, where):
    """M-8. Here it would do."""

    def longest(reading, scope):
        return max(waits_of(reading, scope), default=None)

    monkeypatch.setattr(longest, "__qualname__", "longest")
    monkeypatch.setattr(longest, "__module__", "__main__")
    main = ModuleType("__main__")
    main.longest = longest
    monkeypatch.setitem(sys.modules, "__main__", main)
    of = longest if where == "a notebook" else lambda reading, scope: longest(reading, scope)
    monkeypatch.setitem(MEASURES, "wait.own", Measure("longest", "seconds", "lower", of, name="wait.own"))
    tasks = Tasks(resource=Resource(vcore=1000), duration_ms=1000)
    workload = Workload(jobs=(Job(id="x", submit_ms=0, tasks=(tasks,), queue="root.prod"),))
    arguments = {"measures": ["wait.own"], "nodes": "1 x vcore=1"}
    with pytest.raises(CommandError, match="'wait.own': define it by name in a module"):
        sweep(DESIGN, {"root.prod:priority.offset": [0]}, workload, executor=1, **arguments)
    assert sweep(DESIGN, {"root.prod:priority.offset": [0]}, workload, executor="serial", **arguments).is_complete


def test_a_cell_is_another_one_when_its_own_measure_computes_something_else():
    """SW-3: what is kept in a file is never that of a function from before."""

    def digest(of):
        own = (replace(own_measures.MEASURE, of=of, name="own"),)
        return CellSpec(design=DESIGN, workload=None, workload_digest="w", wanted=(("own", ""),), own=own).digest

    assert digest(lambda reading, scope: 1) == digest(lambda reading, scope: 1)
    assert digest(lambda reading, scope: 1) != digest(lambda reading, scope: 2)
    assert digest(lambda reading, scope: scope in {"a", "b"}) != digest(lambda reading, scope: scope in {"a", "c"})


def test_a_client_of_dask_has_the_same_numbers_and_stays_open(cluster):
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        assert numbers(results_of(chosen(client), specs(8), cell)) == EXPECTED
        assert client.status == "running"


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, lambda count: ProcessPoolExecutor(count, get_context("spawn"))])
def test_any_executor_that_has_submit_has_the_same_numbers_and_stays_open(kind):
    with kind(2) as pool:
        assert numbers(results_of(chosen(pool), specs(8), cell)) == EXPECTED
        assert pool.submit(abs, -1).result() == 1


def test_futures_that_call_nobody_back_are_waited_for():
    class Future:
        def __init__(self, value):
            self.result = lambda: value

    class Pool:
        def submit(self, function, *arguments):
            return Future(function(*arguments))

    assert numbers(results_of(Submitted(Pool(), 3), specs(8), cell)) == EXPECTED


@pytest.mark.parametrize("executor", [Serial(), Processes(2)], ids=["serial", "processes"])
def test_a_cell_that_raises_has_failed_with_its_error_and_stops_no_other(executor):
    results = results_of(executor, specs(4, Script(raises_at=(1,), invalid_at=(2,))), cell)
    assert [results[seed].outcome for seed in range(4)] == [Outcome.DONE, Outcome.FAILED, Outcome.INVALID, Outcome.DONE]
    assert results[1].error == "RuntimeError: seed 1 cannot be computed"


def test_a_dask_worker_tells_what_a_cell_raised(cluster):
    results = results_of(chosen(cluster.scheduler_address), specs(2, Script(raises_at=(1,))), cell)
    assert results[1].error == "RuntimeError: seed 1 cannot be computed"


def test_a_process_that_is_killed_is_replaced_and_its_cells_go_again(tmp_path):
    results = results_of(Processes(2), specs(6, Script(str(tmp_path), dies_once_at=(2,))), cell)
    assert [results[seed].outcome for seed in range(6)] == [Outcome.DONE] * 6
    assert len(computed(tmp_path)) == 6


def test_a_cell_that_kills_its_process_each_time_is_lost_and_takes_no_other_along(tmp_path):
    results = results_of(Processes(2), specs(5, Script(str(tmp_path), dies_at=(0, 3))), cell)
    assert [results[seed].outcome for seed in range(5)] == [Outcome.LOST, Outcome.DONE, Outcome.DONE, Outcome.LOST, Outcome.DONE]
    assert "ended without a word" in results[0].error


def test_a_function_that_cannot_be_sent_is_told_and_hangs_nobody():
    results = results_of(Processes(1), specs(2), lambda spec: cell(spec))
    assert {result.outcome for result in results.values()} == {Outcome.FAILED}
    assert "pickle" in results[0].error


def test_a_stopped_sweep_ends_what_its_processes_are_at(tmp_path):
    before = {each.pid for each in active_children()}
    waiting = Script(str(tmp_path), waits_at=(1,))
    results = results_of(Processes(2), specs(2, waiting), cell, lambda: any(tmp_path.glob("waiting-*")))
    assert set(results) <= {0}
    assert {each.pid for each in active_children()} <= before


def test_an_interrupt_at_the_moment_a_cell_is_sent_ends_what_the_pool_is_at():
    """The pool has the cell, and nobody has noted it yet: a pool that were kept would go on with it, and hold up the end."""

    class Pool:
        ended = False

        def submit(self, function, spec):
            raise KeyboardInterrupt

        def close(self):
            self.ended = True

    pool = Pool()
    with pytest.raises(KeyboardInterrupt):
        list(submitting.results(Work(cell, iter(specs(1)).__next__), lambda: pool, 1))
    assert pool.ended


def test_a_broken_pool_of_somebody_else_is_told():
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(CommandError, match="that was given is broken"),
    ):
        results_of(chosen(pool), specs(2, Script(dies_at=(0, 1))), cell)


def test_a_dask_scheduler_that_goes_away_is_told(tmp_path):
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster:
        executor = chosen(cluster.scheduler_address)

        def gone() -> bool:
            if any(tmp_path.glob("waiting-*")):
                cluster.close()
            return False

        with pytest.raises(CommandError, match="the Dask scheduler at tcp://.* is gone"):
            results_of(executor, specs(2, Script(str(tmp_path), waits_at=(0, 1))), cell, gone)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (0, "the number of processes is a whole number from 1 up, found 0"),
        ("fast", "no executor is called 'fast'"),
        (object(), "found a value of type object"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_an_executor_that_there_is_not_is_told(given, says, monkeypatch):
    from workbench.sweeps.executors import dask_cluster

    monkeypatch.setattr(dask_cluster, "CONNECT_WITHIN", "0.5s")
    with pytest.raises(CommandError) as told:
        chosen(given)
    assert says in str(told.value)
