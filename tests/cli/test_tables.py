"""`workbench tables` prints a line for each table and what differs below it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.cli import main

RECORDED = Path(__file__).parents[1] / "conformance"

RIGHT = '{type: "vcore", text: "1", value: 1000}'
WRONG = '{type: "vcore", text: "1", value: 1}'


def tables(tmp_path, capsys, **files):
    """Exit code and printed lines for a folder of these files, each a list of facts or a whole text."""
    for name, facts in files.items():
        text = facts if isinstance(facts, str) else "cases:\n" + "".join(f"  - {fact}\n" for fact in facts)
        (tmp_path / f"{name}.yaml").write_text(text)
    code = main(["tables", str(tmp_path)])
    output = capsys.readouterr()
    assert output.err == ""
    return code, output.out.splitlines()


def test_a_table_whose_facts_all_hold_is_one_line(tmp_path, capsys):
    assert tables(tmp_path, capsys, quantities=[RIGHT, RIGHT]) == (0, ["quantities.yaml: 2/2 match"])


def test_one_fact_that_differs_decides_the_exit_code_and_is_shown(tmp_path, capsys):
    code, lines = tables(tmp_path, capsys, quantities=[RIGHT, WRONG])
    assert (code, lines[0]) == (1, "quantities.yaml: 1/2 match")
    assert len(lines) == 2
    assert "1000" in lines[1]


def test_tables_of_other_names_are_no_business_of_this_command(tmp_path, capsys):
    assert tables(tmp_path, capsys, quantities=[RIGHT], notes="one: two") == (0, ["quantities.yaml: 1/1 match"])


@pytest.mark.parametrize("text", ["", "[", "cases: 1", "cases: [1]", "cases: [{}]", "cases: []", "[1, 2]"])
def test_a_broken_table_counts_as_a_difference_and_the_others_are_still_checked(tmp_path, capsys, text):
    code, lines = tables(tmp_path, capsys, acls=text, quantities=[RIGHT])
    assert code == 1
    assert lines[-1] == "quantities.yaml: 1/1 match"
    assert "acls.yaml" in lines[0]


def test_a_folder_without_tables_ends_with_a_sentence(tmp_path, capsys):
    assert main(["tables", str(tmp_path)]) == 2
    assert "none of the known tables is here" in capsys.readouterr().err
    assert main(["tables", str(tmp_path / "nowhere")]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


def test_single_tables_can_be_named(tmp_path, capsys):
    (tmp_path / "quantities.yaml").write_text(f"cases: [{RIGHT}]\n")
    (tmp_path / "notes.yaml").write_text("one: two\n")
    assert main(["tables", str(tmp_path / "quantities.yaml"), str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == ["quantities.yaml: 1/1 match"] * 2
    assert main(["tables", str(tmp_path / "notes.yaml")]) == 2
    assert "its name is that of no table" in capsys.readouterr().err


def test_facts_about_objects_of_kubernetes_are_the_last_line(tmp_path, capsys):
    shutil.copy(RECORDED / "kubernetes.json.gz", tmp_path)
    assert tables(tmp_path, capsys, quantities=[RIGHT]) == (0, ["quantities.yaml: 1/1 match", "kubernetes.json: 226/226 match"])
