"""Whatever writes a file for somebody leaves the old one or the new one, and says when it could not."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from faults.disk import FAULTS, every_fault

from workbench import Workbench
from workbench.cli import main
from workbench.cli.importing import write
from workbench.config.service import ServiceConfig, save_service
from workbench.lab import folder
from workbench.lab.folder import NOTEBOOK, START_PAGE, WRITTEN, provide_notebook, provide_start
from workbench.simulation.scenario import example
from workbench.values.errors import WorkbenchError


@dataclass(frozen=True)
class Saving:
    """Something that writes one file.

    Attributes:
        name: of the file.
        old: what may be there before; None where an existing file is kept.
        save: writes it.
    """

    name: str
    old: str | None
    save: Callable[[Path], object]


WORKED = Workbench.example("two-tenants")
SAVINGS = {
    "a scenario in YAML": Saving("s.yaml", "old", lambda path: WORKED.save(path)),
    "a scenario in JSON": Saving("s.json", "old", lambda path: WORKED.save(path)),
    "an imported trace": Saving("t.json.gz", "old", lambda path: write(example("two-tenants"), path)),
    "a queues.yaml": Saving("queues.yaml", "old", lambda path: WORKED.save_config(path)),
    "a ConfigMap": Saving("configmap.yaml", "old", lambda path: WORKED.save_config(path, form="configmap")),
    "a report": Saving("r.html", "old", lambda path: WORKED.report(path)),
    "a service configuration": Saving(
        "service.yaml", "log.level: info\n", lambda path: save_service(ServiceConfig({"log.level": "debug"}), path)
    ),
    "a copied notebook": Saving(NOTEBOOK, None, lambda path: provide_notebook(path.parent)),
    "the start page": Saving(START_PAGE, f"{WRITTEN}\nold", lambda path: provide_start(path.parent)),
}


@pytest.fixture
def folders(tmp_path: Path) -> Callable[[], Path]:
    """Makes an empty folder, another one at every call."""
    numbers = count()

    def make() -> Path:
        made = tmp_path / str(next(numbers))
        made.mkdir()
        return made

    return make


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("what", SAVINGS)
def test_the_old_file_or_the_new_one_is_there_and_a_failure_is_told(folders, monkeypatch, what, fault):
    saving = SAVINGS[what]
    page = "<p>a page</p>"
    monkeypatch.setattr("workbench.bench.report.report_html", lambda _bench: page)  # made anew it takes seconds
    monkeypatch.setattr(folder, "lessons_and_examples", dict)
    complete = folders() / saving.name
    saving.save(complete)

    def prepare() -> Path:
        path = folders() / saving.name
        if saving.old is not None:
            path.write_text(saving.old)
        return path

    for path, met in every_fault(fault, prepare, saving.save):
        held = path.read_bytes() if path.exists() else None
        assert held in (complete.read_bytes(), saving.old and saving.old.encode()), met.place
        assert met.error is not None or held == complete.read_bytes(), met.place
        if isinstance(met.error, Exception):
            assert isinstance(met.error, WorkbenchError) and str(path.parent) in str(met.error), met.place
        if what in ("a scenario in YAML", "a report") and isinstance(met.error, Exception):
            assert WORKED.status.is_error and WORKED.status.text == str(met.error), met.place
        saving.save(path)
        assert path.read_bytes() == complete.read_bytes(), met.place


@pytest.mark.parametrize("fault", FAULTS)
def test_every_copied_lesson_is_whole_or_not_there_and_the_next_start_brings_the_rest(folders, monkeypatch, fault):
    lessons = dict(list(folder.lessons_and_examples().items())[:3])
    monkeypatch.setattr(folder, "lessons_and_examples", lambda: lessons)
    monkeypatch.setattr(folder, "start_page", lambda: f"{WRITTEN}\nnew")
    complete = folders()
    provide_start(complete)

    def files(top: Path) -> dict[str, bytes]:
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in top.rglob("*")
            if path.is_file() and not path.name.endswith(".part")
        }

    for there, met in every_fault(fault, lambda: folders() / "new", provide_start):
        assert files(there).items() <= files(complete).items(), met.place
        assert not isinstance(met.error, Exception) or "choose a folder with --dir" in str(met.error), met.place
        provide_start(there)
        assert files(there) == files(complete), met.place


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_the_command_line_says_in_one_line_what_could_not_be_written(tmp_path, monkeypatch, capsys, number):
    path = tmp_path / "page.html"
    path.write_text("old")
    scenario = tmp_path / "s.json"
    WORKED.save(scenario)

    def failing(*_args: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", failing)
    assert main(["run", str(scenario), "--steps", "1", "--json", "--html", str(path)]) == 2
    output = capsys.readouterr()
    assert output.err == f"workbench: cannot write {path}: {os.strerror(number)}\n"
    assert [json.loads(line) for line in output.out.splitlines()] and path.read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["page.html", "s.json"]
