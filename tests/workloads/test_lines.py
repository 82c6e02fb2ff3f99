"""Lines of long files: in bounded memory, in any encoding, with the line of what is wrong."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest

from workbench.values.errors import WorkloadError
from workbench.workloads.faults import Faults
from workbench.workloads.sources import lines as module
from workbench.workloads.sources.lines import head, lines


def written(folder, content: bytes):
    path = folder / "given.txt"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"a\nb\xc3\xa9\n", None),
        (b"\xef\xbb\xbfa\nb\xc3\xa9\n", None),
        ("a\nbé\n".encode("utf-16"), None),
        (b"a\nb\xe9\n", "latin-1"),
        (gzip.compress(b"a\nb\xc3\xa9\n", mtime=0), None),
    ],
)
def test_lines_are_read_in_any_encoding_packed_or_not(tmp_path, content, encoding):
    assert list(lines(written(tmp_path, content), encoding=encoding)) == [(1, "a\n"), (2, "bé\n")]


def test_lines_end_as_on_any_system(tmp_path):
    assert [text for _, text in lines(written(tmp_path, b"a\r\nb\rc\nd"))] == ["a\r\n", "b\r", "c\n", "d"]


def test_a_wrong_byte_is_named_with_its_line(tmp_path):
    path = written(tmp_path, b"good line\n" * 30_000 + b"caf\xe9\n")
    with pytest.raises(WorkloadError) as told:
        list(lines(path))
    assert str(told.value).startswith(f"{path}:line 30001: not UTF-8 text: byte 0xe9 (save it as UTF-8, or name its encoding")


def test_an_unknown_encoding_is_an_error(tmp_path):
    with pytest.raises(WorkloadError, match="there is no encoding 'klingon'"):
        list(lines(written(tmp_path, b"a"), encoding="klingon"))


def test_a_packed_file_that_is_cut_off_says_so_after_the_lines_that_are_whole(tmp_path):
    content = b"".join(b"line %d\n" % each for each in range(50_000))
    reading = lines(written(tmp_path, gzip.compress(content)[:60_000]))
    seen = []
    with pytest.raises(WorkloadError, match="ends in the midst") as told:
        for each in reading:
            seen.append(each)
    assert seen and told.value.line == len(seen) == seen[-1][0]


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_LINE", 100)
    with pytest.raises(WorkloadError, match="line 2: longer than 100 characters"):
        list(lines(written(tmp_path, b"a\n" + b"x" * 1000)))


def test_progress_goes_up_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TOLD_EVERY", 1000)
    told = []
    for _ in lines(written(tmp_path, b"0123456789\n" * 10_000), progress=lambda done, text: told.append((done, text))):
        pass
    fractions = [done for done, _ in told]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert told[-1][1] == "10,000 lines of given.txt"


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = written(tmp_path, gzip.compress((b"a line of a very long file " * 100 + b"\n") * 4_000))
    tracemalloc.start()
    assert sum(1 for _ in lines(path)) == 4_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 2**20


def test_the_head_of_a_file_is_unpacked(tmp_path):
    assert head(written(tmp_path, gzip.compress(b"hello", mtime=0))) == b"hello"
    assert len(head(written(tmp_path, b"x" * 200_000))) == module.HEAD_BYTES


def test_the_first_fault_ends_the_reading_unless_it_may_go_on():
    fault = WorkloadError("column a: is wrong", line=4)
    with pytest.raises(WorkloadError):
        Faults().meet(fault)

    going = Faults(keep_going=True)
    assert going.notes() == ()
    for _ in range(5):
        going.meet(fault)
    assert going.notes("row") == (
        "5 rows could not be read and were left out: line 4: column a: is wrong; line 4: column a: is wrong; "
        "line 4: column a: is wrong; and 2 more.",
    )
