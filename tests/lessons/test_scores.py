"""Scores: what became of every question and exercise, in the file beside the notebook, and of a whole class."""

from __future__ import annotations

import csv
import json

import pytest

import workbench as wb
from workbench import Workbench, lessons
from workbench.bench.scores import Scored, Scores, beside_notebook, packed, unpacked
from workbench.bench.session_files import NOTEBOOK_VARIABLE
from workbench.cli import main
from workbench.lessons.classroom import classroom
from workbench.values.errors import ScoreError


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.setenv(NOTEBOOK_VARIABLE, str(tmp_path / "06-fences.ipynb"))
    return tmp_path / "06-fences.scores.json"


def asked(question: str, *answers: str) -> Workbench:
    bench = Workbench.example("multitenancy")
    bench.predict(ask="request", question=question)
    for answer in answers:
        bench.predict(answer)
    return bench


@pytest.mark.parametrize(
    "answers, outcome, points, tries",
    [(["P1"], "first", 1, 1), (["P10", "P1"], "second", 0.5, 2), (["P10", "P9"], "wrong", 0, 2), (["P10"], "open", 0, 1)],
)
def test_a_question_is_scored_by_the_try_that_was_right(answers, outcome, points, tries):
    asked("fences 1", *answers)
    assert (wb.score["fences 1"].outcome, wb.score["fences 1"].points, wb.score["fences 1"].tries) == (outcome, points, tries)


def test_what_was_overlooked_is_kept_with_the_wrong_answer():
    asked("fences 1", "P10", "P1")
    assert wb.score["fences 1"].wrong == (("P10", "offsets"),)


def test_the_first_outcome_counts_and_a_cell_that_runs_again_does_not_give_tries_back():
    asked("fences 1", "P10")
    asked("fences 1", "P1")
    assert wb.score["fences 1"].outcome == "second"
    asked("fences 1", "P1")
    assert wb.score["fences 1"].outcome == "second"
    asked("fences 2").reveal()
    asked("fences 2", "P1")
    assert wb.score["fences 2"].outcome == "shown"


def test_a_question_without_a_name_is_not_kept():
    asked("", "P1")
    assert len(wb.score) == 0
    with pytest.raises(KeyError, match="nothing was answered yet"):
        wb.score["fences 1"]


def test_they_are_kept_beside_the_notebook_and_are_there_in_the_next_kernel(notebook):
    asked("fences 1", "P1")
    assert beside_notebook() == notebook
    assert Scores.read(notebook)["fences 1"].outcome == "first"
    again = Scores(follows=True)
    assert again.points == 1
    again.answered("fences 2", "wrong", ("P9", ""))
    assert list(Scores.read(notebook)) == ["fences 1", "fences 2"]


def test_a_damaged_file_is_told_and_neither_written_over_nor_in_the_way_of_a_prediction(notebook):
    notebook.write_text("{", encoding="utf-8")
    text = asked("fences 1").predict("P1")
    assert text.startswith("Right.")
    assert "06-fences.scores.json: holds no scores" in text
    assert notebook.read_text(encoding="utf-8") == "{"


def test_they_are_exported_as_csv_and_json(tmp_path):
    asked("fences 1", "P10", "P1")
    wb.score.to_csv(tmp_path / "mine.csv")
    wb.score.to_json(tmp_path / "mine.scores.json")
    (line,) = csv.DictReader((tmp_path / "mine.csv").open(encoding="utf-8"))
    assert (line["name"], line["outcome"], line["points"], line["wrong"]) == ("fences 1", "second", "0.5", "P10")
    assert dict(Scores.read(tmp_path / "mine.scores.json")) == dict(wb.score)
    assert "0.5 of 1 point." in repr(wb.score)


def test_what_is_written_is_read_again_and_other_texts_are_refused():
    found = {"a 1": Scored("a 1", "question", "second", 2, (("P9", "fences"),)), "a exercise": Scored("a exercise", "exercise")}
    assert unpacked(packed(found), "file") == found
    for text in ("", "[]", '{"format": 2}', '{"format": 1, "scores": [{}]}', packed(found).replace("second", "third")):
        with pytest.raises(ScoreError, match="^file: "):
            unpacked(text, "file")


# ---- in a cell that asserts ------------------------------------------------------------------------------------------


def test_a_cell_of_an_automatic_grader_asserts_points_and_solutions():
    exercise = lessons.exercise("fences")
    mine = exercise.start()
    mine.set("root.tenants.tenant-b", "priority.offset", 20)
    asked("fences 1", "P1")
    names = {"wb": wb, "exercise": exercise, "mine": mine}
    exec('assert wb.score["fences 1"].points >= 0.5\nassert exercise.solves(mine)', names)


# ---- a class ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for who, answers in {"ada": ["P1"], "ben": ["P10", "P1"], "cleo": ["P10", "P9"]}.items():
        wb.score.forget()
        asked("fences 1", *answers)
        (tmp_path / who).mkdir()
        wb.score.to_json(tmp_path / who / "06-fences.scores.json")
    return tmp_path


def test_a_class_is_collected_from_its_folders(folder):
    found = classroom(folder)
    assert [row[:4] for row in found.member_table.rows] == [("ada", "1", "1", "0"), ("ben", "1", "0", "1"), ("cleo", "1", "0", "0")]
    (question,) = found.question_table.rows
    assert question == ("fences 1", "3", "1", "1", "P10 (2), P9 (1)", "offsets (2)")


def test_the_command_prints_who_is_where_and_what_went_wrong_most(folder, capsys):
    (folder / "dan.scores.json").write_text("no", encoding="utf-8")
    assert main(["class", str(folder), "--csv", str(folder / "all.csv"), "--json", str(folder / "all.json")]) == 1
    output = capsys.readouterr()
    assert "cleo" in output.out and "P10 (2), P9 (1)" in output.out
    assert "dan.scores.json: holds no scores" in output.err
    assert len((folder / "all.csv").read_text(encoding="utf-8").splitlines()) == 4
    assert [row["outcome"] for row in json.loads((folder / "all.json").read_text(encoding="utf-8"))] == ["first", "second", "wrong"]


def test_a_folder_that_is_not_there_is_told(tmp_path, capsys):
    assert main(["class", str(tmp_path / "none")]) == 2
    assert "there is no folder of that name" in capsys.readouterr().err
