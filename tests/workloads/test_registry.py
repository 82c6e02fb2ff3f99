"""Formats of workloads: recognised by what is in a file, and named in errors. WL-10."""

from __future__ import annotations

import gzip

import pytest

from workbench.values.errors import CommandError, WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import SOURCES, Job, Option, Read, Source, Tasks, Workload, Written, read, register_source, write
from workbench.workloads.sources import registry

JOB = Job(id="one", submit_ms=0, tasks=(Tasks(resource=Resource(vcore=1000)),))


def source(mark: bytes, **more) -> Source:
    """A format whose files begin with a mark and say nothing else."""
    taken = {
        "title": f"Marked {mark.decode()}",
        "description": "A file with a mark.",
        "suffixes": (f".{mark.decode().lower()}",),
        "recognises": lambda path, head: head.startswith(mark),
        "read": lambda path, *, keep_going, first, progress, **options: Read(
            Workload(jobs=(JOB,)), (f"keep_going={keep_going} first={first} options={sorted(options.items())}",)
        ),
        **more,
    }
    return Source(**taken)


@pytest.fixture(autouse=True)
def formats(monkeypatch):
    """A registry of our own."""
    monkeypatch.setattr(registry, "SOURCES", type(SOURCES)("format of workloads"))
    registry.SOURCES.register("aaa", source(b"AAA", options=(Option("speed", "How fast.", int),)))
    registry.SOURCES.register("any", source(b"", general=True, suffixes=(".txt",)))


def file(folder, content: bytes, name: str = "given.dat"):
    path = folder / name
    path.write_bytes(content)
    return path


def test_a_file_is_recognised_by_what_is_in_it_packed_or_not(tmp_path):
    assert registry.recognised(file(tmp_path, b"AAA rest")) == "aaa"
    assert registry.recognised(file(tmp_path, gzip.compress(b"AAA rest"))) == "aaa"
    assert registry.recognised(file(tmp_path, b"BBB")) == "any"


def test_of_several_formats_that_recognise_a_file_its_ending_decides_and_without_one_it_is_asked(tmp_path):
    registry.SOURCES.register("a", source(b"A", suffixes=(".a",)))

    assert registry.recognised(file(tmp_path, b"AAA", "x.a")) == "a"
    with pytest.raises(WorkloadError, match="it may be aaa or a"):
        registry.recognised(file(tmp_path, b"AAA"))


def test_reading_hands_over_what_was_asked_and_keeps_the_notes(tmp_path):
    workload = read(file(tmp_path, b"AAA", "monday.aaa"), keep_going=True, first=3, speed=5, other=None)

    assert workload.jobs == (JOB,)
    assert workload.name == "monday"
    assert workload.notes == ("keep_going=True first=3 options=[('speed', 5)]",)


def test_errors_say_which_formats_there_are(tmp_path):
    del registry.SOURCES["any"]
    unknown = file(tmp_path, b"BBB")
    for wrong in (lambda: read(unknown), lambda: read(unknown, "bbb"), lambda: read(file(tmp_path, b""))):
        with pytest.raises(WorkloadError, match="aaa .Marked AAA."):
            wrong()


def test_an_option_that_a_format_does_not_have_is_an_error_with_those_that_it_has(tmp_path):
    with pytest.raises(CommandError, match="the format aaa has no option 'sped'; it has speed"):
        read(file(tmp_path, b"AAA"), sped=4)
    with pytest.raises(CommandError, match="'first' must be a whole number from 1 up, found '0'"):
        read(file(tmp_path, b"AAA"), first=0)


def test_a_workload_is_written_in_the_format_that_the_name_of_the_file_tells(tmp_path):
    registry.SOURCES.register("w", source(b"W", suffixes=(".w",), write=lambda workload: Written("W!", ("lost a bit",))))

    assert write(Workload(), tmp_path / "x.w") == ("lost a bit",)
    assert (tmp_path / "x.w").read_text() == "W!"
    write(Workload(), tmp_path / "x.w.gz")
    assert gzip.decompress((tmp_path / "x.w.gz").read_bytes()) == b"W!"
    with pytest.raises(WorkloadError, match=r"cannot tell the format of .*x\.q from its name \(it must end in \.w, "):
        write(Workload(), tmp_path / "x.q")
    with pytest.raises(WorkloadError, match="aaa is only read .can be written: w"):
        write(Workload(), tmp_path / "x.w", "aaa")


def test_a_file_that_is_not_there_or_a_folder_is_an_error_with_its_name(tmp_path):
    for path in (tmp_path / "missing.aaa", tmp_path):
        with pytest.raises(WorkloadError, match="cannot be read") as told:
            read(path)
        assert told.value.source == str(path)


def test_a_name_is_taken_once():
    with pytest.raises(CommandError, match="there is a format of workloads 'aaa' already"):
        register_source("aaa", source(b"A"))
