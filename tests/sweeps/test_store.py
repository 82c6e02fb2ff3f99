"""What was finished is kept, whatever ends a sweep, and is never computed again. SW-3."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from cli.process import default_signals
from sweep_cells import PLAIN, Script, cell, computed, number
from sweep_plans import planned, specs

from workbench.sweeps.cells import CellResult, Outcome
from workbench.sweeps.driving import Stand, driven
from workbench.sweeps.executors import Serial, chosen
from workbench.sweeps.executors.processes import Processes
from workbench.sweeps.store import Memory, StudyError, StudyFile

TESTS = Path(__file__).parents[1]
VALUES = {"wait.p95": {"cluster": 1 / 3, "root.prod": None}}


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    with closing(Memory() if request.param == "memory" else StudyFile(tmp_path / "study.db")) as found:
        yield found


def drive(store, cells, script=PLAIN, executor=None, **more):
    return list(driven(cells, store, executor or Serial(), function=cell, workloads={"w": script}, **more))


def started(*arguments: object, **more) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(TESTS.parent), str(TESTS)])
    return subprocess.Popen(
        [sys.executable, "-m", "sweep_driver", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **{"preexec_fn": default_signals} | more,
    )


def test_a_result_comes_back_as_it_was(store):
    result = CellResult("a", VALUES)
    store.keep(result, point="{}", seed=3)
    assert store.finished(["a", "b"]) == {"a": result}


def test_of_a_finished_cell_the_first_result_counts(store):
    store.keep(CellResult("a", VALUES))
    store.keep(CellResult("a", {}, Outcome.FAILED, "too late"))
    assert store.finished(["a"])["a"].values == VALUES


def test_a_failed_cell_is_not_finished_and_a_later_success_counts(store):
    store.keep(CellResult("a", {}, Outcome.FAILED, "no luck"))
    assert store.finished(["a"]) == {}
    store.keep(CellResult("a", VALUES))
    assert store.finished(["a"])["a"].outcome is Outcome.DONE


def test_what_a_search_asked_for_first_stays(store):
    assert store.trial("s", 0) is None
    assert store.keep_trial("s", 0, "{}") == "{}"
    assert store.keep_trial("s", 0, "other") == "{}" == store.trial("s", 0)


def test_a_finished_cell_is_never_computed_again(tmp_path):
    (tmp_path / "notes").mkdir()
    script = Script(str(tmp_path / "notes"), invalid_at=(1,))
    for count in (3, 5):
        with closing(StudyFile(tmp_path / "study.db")) as store:
            results = drive(store, planned(count, script), script)
        assert len(results) == count
    assert sorted(computed(tmp_path / "notes").values()) == [1] * 5


def test_a_cell_that_fails_is_tried_once_more_and_told_with_its_error(store, tmp_path):
    stands: list[Stand] = []
    script = Script(str(tmp_path / "notes"), raises_at=(1,))
    (tmp_path / "notes").mkdir()
    results = drive(store, planned(3, script), script, progress=stands.append)
    assert sorted(computed(tmp_path / "notes").values()) == [1, 1, 2]
    assert [result.error for result in results if result.error] == ["RuntimeError: seed 1 cannot be computed"]
    assert stands[-1] == Stand(3, 3, 0, 1, "RuntimeError: seed 1 cannot be computed")


def test_the_next_run_tries_a_failed_cell_again_but_not_an_invalid_one(store, tmp_path):
    script = Script(str(tmp_path / "notes"), raises_at=(1,), invalid_at=(2,))
    (tmp_path / "notes").mkdir()
    for _ in range(2):
        drive(store, planned(3, script), script)
    assert sorted(computed(tmp_path / "notes").values()) == [1, 1, 4]


def test_a_stopped_sweep_keeps_what_is_done_and_goes_on_there(store):
    seen: list[Stand] = []
    first = drive(store, planned(5), progress=seen.append, stopped=lambda: len(seen) > 2)
    assert len(first) == 2
    rest: list[Stand] = []
    assert len(drive(store, planned(5), progress=rest.append)) == 5
    assert rest[0] == Stand(2, 5, 2)


def test_a_driver_that_is_killed_loses_no_finished_cell_and_leaves_no_process_behind(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    driver = started(tmp_path / "study.db", notes, 6, 2, 3)
    assert driver.stdout is not None
    finished = [driver.stdout.readline() for _ in range(5)]  # the sixth waits
    pids = {int(pid) for each in notes.iterdir() for pid in each.read_text().split()}
    driver.kill()
    driver.communicate()
    gone = time.monotonic() + 20
    while alive := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < gone, f"still there: {alive}"
    before = computed(notes)
    with closing(StudyFile(tmp_path / "study.db")) as store:
        assert len(store.results()) == 5
        script = Script(str(notes))
        results = drive(store, planned(6, script), script)
    assert {result.digest for result in results} >= {each.strip() for each in finished}
    assert sorted(computed(notes).values()) == [1, 1, 1, 1, 1, 2]
    assert sum(before.values()) == 6


def is_alive(pid: int) -> bool:
    """Whether a process computes on; one that only nobody has asked for its end yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_ctrl_c_keeps_what_is_done(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    driver = started(tmp_path / "study.db", notes, 3, 1, 2)
    assert driver.stdout is not None
    for _ in range(2):
        driver.stdout.readline()
    driver.send_signal(signal.SIGINT)
    try:
        _, errors = driver.communicate(timeout=60)
    finally:
        driver.kill()
    assert "KeyboardInterrupt" in errors
    with closing(StudyFile(tmp_path / "study.db")) as store:
        assert len(store.results()) == 2


def test_a_worker_that_is_killed_costs_no_cell(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    script = Script(str(notes), dies_once_at=(1,))
    with closing(StudyFile(tmp_path / "study.db")) as store:
        drive(store, planned(5, script), script, Processes(2))
        assert [result.outcome for result in store.results().values()] == [Outcome.DONE] * 5


def test_two_drivers_of_one_study_do_not_destroy_it_and_have_the_same_numbers(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    drivers = [started(tmp_path / "study.db", notes, 30, "serial") for _ in range(2)]
    told = [each.communicate(timeout=60) for each in drivers]
    assert [each.returncode for each in drivers] == [0, 0], told
    assert [len(set(output.split())) for output, _ in told] == [30, 30]
    with closing(StudyFile(tmp_path / "study.db")) as store:
        found = store.results()
    expected = {spec.digest: number(spec) for spec in specs(30, Script(str(notes)))}
    assert {digest: result.values["wait.p95"]["cluster"] for digest, result in found.items()} == expected


def test_a_cell_that_another_driver_finished_meanwhile_is_not_computed_again(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    script = Script(str(notes))
    with closing(StudyFile(tmp_path / "study.db")) as ours, closing(StudyFile(tmp_path / "study.db")) as theirs:
        results = driven(planned(4, script), ours, Serial(), function=cell, workloads={})
        next(results)
        drive(theirs, planned(4, script), script)
        assert len([*results]) == 3
    assert sorted(computed(notes).values()) == [1, 1, 1, 1]


def test_a_full_disk_keeps_what_was_finished_and_says_what_to_do(tmp_path):
    with closing(StudyFile(tmp_path / "study.db")) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StudyError, match="finished before is kept: make room, then the same command goes on"):
            for number_ in range(1000):
                store.keep(CellResult(f"cell {number_}", {str(each): {"cluster": each / 7} for each in range(50)}))
        kept = len(store.results())
        assert kept == number_
        store._connection.execute("PRAGMA max_page_count = 100000")
        store.keep(CellResult("one more", VALUES))
    with closing(StudyFile(tmp_path / "study.db")) as store:
        assert len(store.results()) == kept + 1


def test_a_disk_that_is_full_for_the_whole_process_ends_it_with_a_sentence(tmp_path):
    import resource

    notes = tmp_path / "notes"
    notes.mkdir()

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))

    driver = started(tmp_path / "study.db", notes, 400, "serial", preexec_fn=limited)
    output, errors = driver.communicate(timeout=60)
    assert driver.returncode == 2
    assert "most likely as there is no room left on the disk" in errors
    with closing(StudyFile(tmp_path / "study.db")) as store:
        kept = store.results()
        assert len(output.split()) <= len(kept) < 400
        script = Script(str(notes))
        assert len(drive(store, planned(400, script), script)) == 400
    assert max(computed(notes).values()) <= 2
    assert sum(each == 2 for each in computed(notes).values()) == 1


def test_a_workload_is_kept_once(tmp_path):
    with closing(StudyFile(tmp_path / "study.db")) as store:
        for _ in range(2):
            store.keep_workload("w", b"what arrives")
        assert store.workload("w") == b"what arrives"
        assert store.workload("v") is None


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cells (theirs)")
        other.commit()
    before = path.read_bytes()
    with pytest.raises(StudyError, match="another program's database"):
        StudyFile(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"name: no database\n" * 100, "it is no study, and is left as it is"), (None, "it cannot be opened")],
    ids=["text", "folder"],
)
def test_what_is_no_database_is_left_alone_and_told(tmp_path, content, says):
    path = tmp_path / "study.db"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(StudyError, match=says):
        StudyFile(path)
    assert path.is_dir() if content is None else path.read_bytes() == content


def test_a_later_format_is_left_alone(tmp_path):
    with closing(StudyFile(tmp_path / "study.db")) as store:
        store._connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StudyError, match="a later version of the workbench made this study"):
        StudyFile(tmp_path / "study.db")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StudyError, match="there is no such folder"):
        StudyFile(tmp_path / "no" / "study.db")


def test_an_executor_that_ends_early_leaves_what_was_finished(tmp_path):
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from workbench.values.errors import CommandError

    notes = tmp_path / "notes"
    notes.mkdir()
    script = Script(str(notes), dies_at=(7,))
    with closing(StudyFile(tmp_path / "study.db")) as store:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(CommandError, match="broken"):
            drive(store, planned(8, script), script, chosen(pool))
        assert len(store.results()) == 7
