"""Files of Hadoop, whole and broken: what is read, what is refused with its line, and that nothing else is looked at."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from yarn_files import CLUSTER, grade_of, imported, line_about, queue

import workbench as wb
from workbench.cli import main
from workbench.config import load_config
from workbench.importers.opening import opened, recognised
from workbench.importers.yarn import document, import_yarn
from workbench.importers.yarn.document import read_documents
from workbench.values.errors import ConfigError, WorkbenchError

P = "yarn.scheduler.capacity."
QUEUES = f"<property><name>{P}root.queues</name><value>a</value></property>"


def of(folder: Path, text: str | bytes, name: str = "cs.xml") -> Path:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def properties(folder: Path, text: str | bytes) -> dict[str, str]:
    return {each.name: each.value for each in read_documents([of(folder, text)]).properties.values()}


def test_names_values_and_lines_are_read_whatever_else_stands_there(tmp_path):
    text = """<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
<!-- ours -->
<configuration>
  <property>
    <name> one </name>
    <value>
      1 &amp; <![CDATA[<2>]]>
    </value>
    <description>What <b>one</b> is.</description>
    <source>here</source>
  </property>
  <property name="two" value="2"/>
</configuration>
"""
    found = read_documents([of(tmp_path, text)]).properties
    assert {name: (each.value, each.line) for name, each in found.items()} == {"one": ("1 & <2>", 5), "two": ("2", 13)}


def test_the_last_one_counts_and_the_others_are_told(tmp_path):
    text = f"<configuration>{QUEUES}\n{QUEUES.replace('>a<', '>b<')}</configuration>"
    result = import_yarn([of(tmp_path, text)])
    assert [each.name for each in queue(result, "root").queues] == ["b"]
    assert any("another one takes its place" in each and "line 2" in each for each in result.notes)


def test_what_is_final_is_not_overridden_by_a_later_file(tmp_path):
    final = of(tmp_path, f"<configuration>{QUEUES.replace('</property>', '<final>true</final></property>')}</configuration>")
    later = of(tmp_path, f"<configuration>{QUEUES.replace('>a<', '>b<')}</configuration>", "later.xml")
    assert [each.name for each in queue(import_yarn([final, later]), "root").queues] == ["a"]


def test_variables_are_filled_in_from_the_same_files(tmp_path):
    text = "<configuration><property name='x' value='${y}-${y}'/><property name='y' value='1'/></configuration>"
    assert properties(tmp_path, text)["x"] == "1-1"


LEADING_NOWHERE = {
    "${nothing}": r"nothing in the files sets '\$\{nothing\}'",
    "${x}": "lead round in a circle",
    "${y}${y}": "stand for too long|circle",
}


@pytest.mark.parametrize(("value", "told"), LEADING_NOWHERE.items())
def test_variables_that_lead_nowhere_are_an_error_with_the_line(tmp_path, value, told):
    text = f"<configuration>\n<property name='x' value='{value}'/><property name='y' value='{'${x}' * 9}'/></configuration>"
    with pytest.raises(ConfigError, match=f"cs.xml:line 2: x: .*({told})"):
        properties(tmp_path, text)


def test_variables_that_stand_for_more_than_any_file_are_an_error_before_they_are_filled_in(tmp_path):
    properties_ = {"x": "${y}" * 10_000, "y": "${z}" * 10_000, "z": "z" * 10_000}
    text = "".join(f"<property name='{name}' value='{value}'/>" for name, value in properties_.items())
    with pytest.raises(ConfigError, match="x: its variables stand for too long a text"):
        properties(tmp_path, f"<configuration>{text}</configuration>")


def test_all_variables_together_may_stand_for_so_much_only(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "MOST_TEXT", 1000)
    text = "".join(f"<property name='x{number}' value='${{y}}'/>" for number in range(20))
    with pytest.raises(ConfigError, match="the variables of all properties stand for too long a text"):
        properties(tmp_path, f"<configuration>{text}<property name='y' value='{'y' * 100}'/></configuration>")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_is_the_one_that_the_file_says(tmp_path, encoding):
    declared = encoding.removesuffix("-sig")
    text = f"<?xml version='1.0' encoding='{declared}'?><configuration><property name='x' value='\u00e9'/></configuration>"
    assert properties(tmp_path, text.encode(encoding)) == {"x": "\u00e9"}


def test_a_packed_file_is_unpacked(tmp_path):
    path = tmp_path / "capacity-scheduler.xml.gz"
    path.write_bytes(gzip.compress(f"<configuration>{QUEUES}</configuration>".encode()))
    assert opened(path).imported.scenario.name == "capacity-scheduler"


# ---- a whole one --------------------------------------------------------------------------------------------------------

COMPANY = Path(__file__).parent / "yarn" / "capacity-scheduler.xml"
"""The queues of a made-up company, with every kind of property, written as people write them."""


def test_every_property_of_a_whole_file_is_in_the_report_with_its_line():
    report = import_yarn([COMPANY], "memory=1000Gi,vcores=400").report
    for number, line in enumerate(COMPANY.read_text().splitlines(), 1):
        match = re.search("<name>(.*)</name>", line)
        if match is not None:
            place = number if "<property>" in line else number - 1
            assert f"| `{match[1]}` | line {place} |" in report


def test_a_whole_file_is_what_the_scheduler_would_take(tmp_path, capsys):  # Y-2
    assert main(["import", "yarn", str(COMPANY), "--cluster", "memory=1000Gi,vcores=400", "-o", str(tmp_path / "q.yaml")]) == 0
    assert main(["validate", str(tmp_path / "q.yaml")]) == 0
    capsys.readouterr()
    bench = wb.Workbench.open(tmp_path / "q.yaml")
    for number, (user, groups, path) in enumerate(
        [
            ("web", (), "root.services"),
            ("ann", ("support",), "root.support.training"),
        ]
    ):
        bench.simulation.submit(f"x{number}", queue="", user=user, groups=groups)
        assert bench.partition.applications[f"x{number}"].queue.path == path


# ---- broken ones --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not valid XML: no element found"),
        ("<configuration>\n<property>", "line 2: not valid XML"),
        ("<configuration>\n<property></configuration>", "line 2: not valid XML: mismatched tag"),
        ("<configuration>\n<property><value>1</value></property></configuration>", "line 2: a property has no name"),
        ("<configuration>\n<property><name>x</name></property></configuration>", "line 2: the property 'x' has no value"),
        ("<configuration>\n<property><name>x</name><name>y</name></property></configuration>", "line 2: .* two elements <name>"),
        ("\n<html></html>", "line 2: the outermost element is <html>, not <configuration>"),
        ("<configuration>" + "<a>" * 9, "nested too deeply"),
        (b"<configuration>\xff</configuration>", "line 1: not valid XML"),
        ("<?xml version='1.0' encoding='nonsense'?><configuration/>", "encoding"),
    ],
)  # fmt: skip
def test_broken_xml_is_an_error_with_the_line(tmp_path, text, told):  # Y-3
    with pytest.raises(ConfigError, match=rf"cs.xml:.*{told}"):
        import_yarn([of(tmp_path, text)])


BOMB = "<!DOCTYPE c [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n<configuration>&b;</configuration>"
OUTSIDE = "<!DOCTYPE c [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>\n<configuration>&a;</configuration>"


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, "<!DOCTYPE configuration SYSTEM 'http://127.0.0.1:1/x.dtd'><configuration/>"])
def test_entities_and_document_types_are_refused_with_the_line(tmp_path, text):  # Y-3
    with pytest.raises(ConfigError, match="line 1: a document type"):
        import_yarn([of(tmp_path, text)])


def test_an_entity_that_is_declared_nowhere_is_an_error(tmp_path):  # Y-3
    with pytest.raises(ConfigError, match="line 1: not valid XML: undefined entity"):
        import_yarn([of(tmp_path, "<configuration>&a;</configuration>")])


def test_another_file_is_never_followed_and_that_is_told(tmp_path):  # Y-3
    of(tmp_path, f"<configuration>{QUEUES.replace('>a<', '>b<')}</configuration>", "other.xml")
    text = f"<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>{QUEUES}\n<xi:include href='other.xml'/></configuration>"
    result = import_yarn([of(tmp_path, text)])
    assert [each.name for each in queue(result, "root").queues] == ["a"]
    assert grade_of(result, "xi:include") == "Not converted"
    assert "line 2" in line_about(result, "xi:include") and "'other.xml' is not followed" in line_about(result, "xi:include")


def test_allocations_of_the_fair_scheduler_are_refused_with_hadoops_own_converter(tmp_path):  # Y-3
    path = of(tmp_path, "<?xml version='1.0'?>\n<allocations><queue name='a'/></allocations>", "fair-scheduler.xml")
    assert recognised(path) == "yarn"
    with pytest.raises(ConfigError, match=r"line 2: .*Fair Scheduler .*yarn fs2cs"):
        opened(path)


def test_a_file_may_only_be_so_large(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "MOST_BYTES", 100)
    with pytest.raises(ConfigError, match="larger than 100 bytes"):
        import_yarn([of(tmp_path, "<configuration>" + " " * 100)])


TAGS = ("<configuration>", "<property>", "<name>", "<value>")
WORDS = [*TAGS, *(tag.replace("<", "</") for tag in TAGS), f"{P}root.queues", f"{P}root.a.capacity", "a", "50", "[memory=1]"]
WORDS += ["&lt;", "<!--", "-->", "${x}", "\n", "<![CDATA[", "]]>", "\x00"]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
@examples(50)
def test_whatever_stands_in_the_file_it_is_read_or_refused_in_a_sentence(tmp_path_factory, words):
    path = of(tmp_path_factory.mktemp("xml"), "".join(words))
    try:
        load_config(import_yarn([path], CLUSTER).scenario.text)
    except WorkbenchError as refused:
        assert "cs.xml" in str(refused)


# ---- the command --------------------------------------------------------------------------------------------------------


def test_the_command_writes_queues_and_report_and_tells_the_notes(tmp_path, capsys):  # Y-2
    path = of(tmp_path, f"<configuration>{QUEUES}<property name='{P}root.a.capacity' value='100'/></configuration>")
    out, report = tmp_path / "queues.yaml", tmp_path / "report.md"
    assert main(["import", "yarn", str(path), "--cluster", "memory=10Gi,vcores=4", "-o", str(out), "--report", str(report)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{out}: ") and "settings came over exactly" in told.out
    assert "note: Nearly: yarn.scheduler.capacity.root.a.capacity (line 1)" in told.err
    assert report.read_text().startswith("# cs.xml as queues of YuniKorn\n")
    assert main(["validate", str(out)]) == 0


def test_the_command_without_a_size_says_how_to_give_it_and_writes_nothing(tmp_path, capsys):  # Y-1
    path = of(tmp_path, f"<configuration>{QUEUES}<property name='{P}root.a.capacity' value='100'/></configuration>")
    assert main(["import", "yarn", str(path), "-o", str(tmp_path / "queues.yaml")]) == 2
    assert "--cluster memory=1024Gi,vcores=256" in capsys.readouterr().err
    assert not (tmp_path / "queues.yaml").exists()


def test_size_and_nodes_together_are_refused(tmp_path, capsys):
    path = of(tmp_path, f"<configuration>{QUEUES}</configuration>")
    arguments = ["import", "yarn", str(path), "--cluster", "vcores=1", "--nodes", str(path), "-o", str(tmp_path / "q.yaml")]
    assert main(arguments) == 2
    assert "not both" in capsys.readouterr().err


def test_a_source_of_nodes_without_nodes_is_told(tmp_path, capsys):
    path = of(tmp_path, f"<configuration>{QUEUES}</configuration>")
    assert main(["import", "yarn", str(path), "--nodes", str(path), "-o", str(tmp_path / "q.yaml")]) == 2
    assert "has no nodes" in capsys.readouterr().err


def test_names_of_a_file_are_data_in_the_report(tmp_path):
    result = imported(tmp_path, {"root.queues": "a", "root.a.x|y`\u202e": 1})
    assert "\u202e" not in result.report and "x\\|y" in result.report
    assert line_about(result, "root.queues")
