"""What can be chosen about a picture: by its control, by the verb, remembered per picture and in the session."""

from __future__ import annotations

import json

import pytest

from workbench import CommandError, Workbench
from workbench.bench import session, session_files


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def test_a_picture_in_a_cell_is_as_wide_as_asked_for_and_names_fit_in():
    bench = Workbench.example("multitenancy")
    narrow, wide = bench.figure("slope"), bench.figure("slope", width=900)
    assert (narrow.layout.width, wide.layout.width) == (560, 900)
    assert "system-high" not in str([trace.text for trace in narrow.data])
    assert "system-high" in str([trace.text for trace in wide.data])


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("uses", {"resource": "memory"}, "no picture 'uses'"),
        ("usage", {"stage": "result"}, "no option 'stage'"),
        ("usage", {"resource": "<b>"}, "no resource '<b>'; there are vcore, memory"),
    ],
)
def test_what_is_not_there_is_refused(bench, name, options, said):
    with pytest.raises(CommandError, match=said):
        bench.picture(name, **options)
    assert bench.pictures == {}


def test_a_session_of_a_version_without_options_can_be_read(bench, tmp_path):
    path = tmp_path / "a.session.json"
    bench.autosave(path)
    bench.step()
    body = path.read_text("utf-8").split("\n")[1]
    older = body.replace(', "pictures": {}', "")
    assert older != body
    path.write_text(json.dumps({"workbench-session": 1, "sha256": session._digest(older)}) + "\n" + older + "\n", "utf-8")
    assert session_files.read(path).pictures == {}
