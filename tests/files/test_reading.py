"""Files and texts are taken up to one size, in UTF-8 or marked UTF-16; whatever cannot be read is one sentence about the file."""

from __future__ import annotations

import codecs
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.bench.designs import read_design
from workbench.bench.workbench import Workbench
from workbench.cli import main
from workbench.config import load_config, load_path
from workbench.conformance.replay import scenario_files
from workbench.conformance.tables import check_tables
from workbench.files import reading
from workbench.importers.alibaba import load_alibaba
from workbench.importers.csv_table import records
from workbench.importers.rest import load_rest
from workbench.simulation import Simulation
from workbench.simulation.scenario import load_scenario, parse_scenario
from workbench.values.errors import ConfigError, ScenarioError, WorkbenchError

CONFIG = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]"
TABLE = "app,key,queue,vcore\nx,k,root.a,1\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Readers stop at 200 bytes, so that nobody has to write 256 MiB."""
    monkeypatch.setattr(reading, "MOST_BYTES", 200)
    return 200


def bench() -> Workbench:
    return Workbench(Simulation(CONFIG))


def rest_folder(folder: Path, nodes: str = "[]", applications: str = "[]", config: str = "partitions: []") -> Path:
    for name, text in (("nodes.json", nodes), ("applications.json", applications), ("config.yaml", config)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def through_rest(path: Path) -> object:
    folder = path.parent / f"of-{path.name}"
    folder.mkdir()
    rest_folder(folder)
    (folder / "nodes.json").unlink()
    os.link(path, folder / "nodes.json")
    return load_rest(folder)


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "configuration": ("a.yaml", load_path),
    "screen, configuration": ("a.yaml", lambda path: Workbench.from_yaml(str(path))),
    "ConfigMap": ("a.yaml", lambda path: Workbench.from_configmap(str(path))),
    "design": ("a.yaml", read_design),
    "scenario": ("a.json", load_scenario),
    "trace table": ("a.csv", lambda path: load_alibaba(path, path)),
    "pasted table": ("a.csv", lambda path: bench().load_inputs(path)),
    "answers of the API": ("a.json", through_rest),
}
"""Reader -> the ending that it wants, and how a file gets to it."""


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_stops_at_the_same_size(small, tmp_path, reader):
    name, read = READERS[reader]
    path = tmp_path / name
    path.write_bytes(b"#" * (small + 1))
    with pytest.raises((ConfigError, ScenarioError), match=f"larger than {small} bytes") as caught:
        read(path)
    assert caught.value.source.endswith((name, "nodes.json"))


def test_what_is_packed_counts_unpacked(small, tmp_path):
    path = tmp_path / "a.yaml.gz"
    path.write_bytes(gzip.compress(b" " * 1000))
    with pytest.raises(ScenarioError, match="larger than 200 bytes"):
        load_scenario(path)


@pytest.mark.parametrize(
    "take", [load_config, parse_scenario, lambda text: list(records(text))], ids=["configuration", "scenario", "table"]
)
def test_a_text_may_be_no_longer_than_a_file(small, take):
    with pytest.raises((ConfigError, ScenarioError), match="longer than 200 characters"):
        take("a" * 201)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: caf\xe9\n", "not UTF-8 text: byte 0xe9"),
        (codecs.BOM_UTF16_LE + b"a", "not UTF-16 text: byte 0x61"),
        (gzip.compress(b"partitions: []", mtime=0), r"not UTF-8 text: byte 0x8b \(it is a gzip file"),
    ],
    ids=["Latin-1", "half a character", "packed"],
)
def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path, reader, data, said):
    name, read = READERS[reader]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises((ConfigError, ScenarioError), match=said) as caught:
        read(path)
    assert caught.value.line == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_mark_at_the_beginning_tells_the_encoding_to_every_reader(tmp_path, encoding):
    (tmp_path / "a.csv").write_text(TABLE, encoding=encoding)
    wb = bench()
    wb.load_inputs(tmp_path / "a.csv")
    assert "x" in wb.partition.applications
    (tmp_path / "a.json").write_text(json.dumps({"config": "", "events": []}), encoding=encoding)
    assert load_scenario(tmp_path / "a.json").events == ()


@pytest.mark.parametrize(
    "path",
    ["nothing", ".", "x" * 300, "nul\x00inside", "half\ud800"],
    ids=["missing", "folder", "300 characters", "NUL", "half a character"],
)
@pytest.mark.parametrize("reader", [name for name in READERS if name != "answers of the API"])
def test_a_name_under_which_nothing_can_be_read_is_told_in_a_sentence(tmp_path, monkeypatch, reader, path):
    monkeypatch.chdir(tmp_path)
    name, read = READERS[reader]
    with pytest.raises(WorkbenchError):
        read(Path(path if path == "." else path + Path(name).suffix))


def test_a_circle_of_links_and_a_folder_that_is_none_are_told_in_a_sentence(tmp_path):
    circle = tmp_path / "a"
    circle.symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(circle)
    for read in (load_path, load_rest, check_tables, lambda path: scenario_files([path])):
        with pytest.raises(WorkbenchError, match="cannot be read: Too many levels of symbolic links"):
            read(circle)
    for read in (load_rest, check_tables):
        with pytest.raises(WorkbenchError, match="there is no such folder"):
            read(tmp_path / "missing")


@pytest.mark.parametrize(
    "read", [load_rest, check_tables, lambda path: scenario_files([path])], ids=["answers", "tables", "recordings"]
)
def test_a_folder_that_nobody_may_read_is_told_in_a_sentence(tmp_path, monkeypatch, read):
    def refuse(path: object) -> list[str]:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "listdir", refuse)
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ScenarioError, match="cannot be read: Permission denied"):
        read(tmp_path)


@pytest.mark.parametrize("command", ["validate", "replay"])
@pytest.mark.parametrize("path", ["x" * 300 + ".json", "nothing.json", "circle"], ids=["300 characters", "missing", "circle"])
def test_the_commands_say_so_in_a_line_and_end_with_2(tmp_path, monkeypatch, capsys, command, path):
    monkeypatch.chdir(tmp_path)
    Path("circle").symlink_to("circle")
    assert main([command, path]) == 2
    told = capsys.readouterr()
    assert len((told.out + told.err).splitlines()) == 1
    assert path[:200] in told.out + told.err


# -- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_lines_of_a_table_end_as_on_any_system(end):
    wb = bench()
    wb.load_inputs(TABLE.replace("\n", end) + "\n")
    assert list(wb.partition.applications["x"].asks) == ["k"]


@pytest.mark.parametrize(
    ("table", "line", "said"),
    [
        ("app,key,vcore\nx,k\rk2,1\n", 2, "2 cells where the header has 3"),
        ("app,key,vcore\nx,k," + "1" * 200_000 + "\n", 2, "not valid CSV: field larger than field limit"),
        ("app,key,priority,vcore\nx,k,3000000000,1\n", 2, "priority must be a whole number from -2147483648"),
        ("app,key,vcore\nx,k,1e400\n", 2, "invalid quantity"),
        ("app,key,repeat,vcore\n" + "x,k,10000,1\n" * 101, 101, "stands for more than 1000000 inputs"),
    ],
    ids=["a lone CR", "a long field", "priority", "amount", "many"],
)
def test_a_table_that_cannot_be_taken_is_told_with_its_line_and_changes_nothing(table, line, said):
    wb = bench()
    before = wb.simulation.digest()
    with pytest.raises(ScenarioError, match=said) as caught:
        wb.load_inputs(table)
    assert (caught.value.line, wb.simulation.digest()) == (line, before)


# -- what a few characters stand for ----------------------------------------------------------------------------------


def test_a_million_requests_each_in_fifty_lines_are_refused_before_one_is_made(tmp_path):
    request = {"allocationKey": "k", "resource": {"vcore": 1}, "pendingCount": 1_000_000}
    application = {
        "applicationID": "x",
        "queueName": "root.a",
        "requests": [{**request, "allocationKey": f"k{number}"} for number in range(50)],
    }
    folder = rest_folder(
        tmp_path,
        applications=json.dumps([application]),
        config=CONFIG,
    )
    with pytest.raises(ScenarioError, match=r"requests\[1\]: the answers stand for more than 1000000 waiting requests"):
        load_rest(folder)


def test_repeats_of_a_scenario_are_counted_before_they_are_made(monkeypatch):
    made = []
    monkeypatch.setattr("workbench.simulation.scenario.reading._names", lambda given, key: made.append(given) or ["n"])
    event = "- add_node: {id: n, resources: {}, repeat: 600000}\n"
    with pytest.raises(ScenarioError, match=r"events\[1\]: the scenario has more than 1000000 events"):
        parse_scenario(f"config: ''\nevents:\n{event * 3}")
    assert len(made) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"priority": 3_000_000_000}, "priority must be a whole number"),
        ({"allocationKey": "k\ud800"}, "half a surrogate pair"),
        ({"pendingCount": 10**7}, "out of range"),
        ({"pendingCount": "5"}, "must be an integer"),
    ],
)
def test_an_answer_of_the_api_passes_the_gate_of_every_input(tmp_path, change, said):
    request = {"allocationKey": "k", "resource": {"vcore": 1}, **change}
    application = {"applicationID": "x", "queueName": "root.a", "requests": [request]}
    folder = rest_folder(
        tmp_path,
        applications=json.dumps([application]),
        config=CONFIG,
    )
    with pytest.raises(ScenarioError, match=said):
        load_rest(folder)


def test_answers_nested_without_end_and_gangs_beyond_64_bits_are_refused(tmp_path):
    deep = '{"children":[' * 900 + "{}" + "]}" * 900
    folder = rest_folder(tmp_path)
    (folder / "config.yaml").unlink()
    (folder / "queues.json").write_text(deep.replace("{", '{"queuename":"root",'.replace(",", ", "), 1))
    with pytest.raises(ScenarioError):
        load_rest(folder)
    group = {"count": 1_000_000, "minResource": {"memory": 2**62}}
    rest_folder(
        tmp_path,
        applications=json.dumps([{"applicationID": "x", "queueName": "root.a", "placeholderData": [group]}]),
        config=CONFIG,
    )
    with pytest.raises(ScenarioError, match="more than 64 bits"):
        load_rest(folder)
