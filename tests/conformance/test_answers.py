"""What the real scheduler's web service answered is answered here: RE-1 to RE-6, RE-20 to RE-23.

Some recordings of each release are played in every run; `workbench answers` plays them all.
"""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest

from workbench.conformance.answers import ask, first_difference, load_recording, unordered
from workbench.conformance.replay import family_of, scenario_files
from workbench.values.errors import ScenarioError

HERE = Path(__file__).parent
FOLDERS = {"1.8": HERE / "rest", "1.9": HERE / "release-1.9" / "rest"}
PLAYED = {
    "1.8": """asked-0 asked-1 churn-200000 dynamic-200005 flat-200005 gang-200001 limits-200004 mixed-200001 placed-200004
        preempt-200002 preempt_tree-200006 reload-200001 restore-200004 tree-200004""".split(),
    "1.9": "churn-250001 gang-250002 preempt-250000 reload-250000".split(),
}
ONE = FOLDERS["1.8"] / "rest-flat-200005.json.gz"


@pytest.mark.parametrize(("release", "name"), [(release, name) for release, names in PLAYED.items() for name in names])
def test_every_answer_is_as_recorded(release, name):
    recording = load_recording(FOLDERS[release] / f"rest-{name}.json.gz")
    assert recording.scenario.engine == release
    asked = list(ask(recording))
    assert [str(each) for each in asked if each.difference] == []
    assert len(asked) == sum(map(len, recording.answers.values())) > 50


def test_no_family_is_left_out():
    families = {family_of(path) for path in scenario_files([FOLDERS["1.8"]], answers=True)}
    assert families == {f"rest-{name.rpartition('-')[0]}" for name in PLAYED["1.8"]}


# -- what the comparison tells ------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded(tmp_path):
    """Writes a recording after something in it was changed."""
    content = json.loads(gzip.decompress(ONE.read_bytes()))

    def written(change):
        altered = copy.deepcopy(content)
        change(altered)
        path = tmp_path / "rest-flat-1.json"
        path.write_text(json.dumps(altered))
        return path

    return written


def differences(path):
    return [each.difference for each in ask(load_recording(path)) if each.difference]


def test_a_status_a_type_and_a_field_that_differ_are_named(recorded):
    def change(content):
        answers = {each["request"]["path"]: each for each in content["rest"]}
        answers["/ws/v1/clusters"]["body"][0]["partition"] = "other"
        answers["/ws/v1/partitions"]["status"] = 404
        answers["/ws/v1/nothing"]["content_type"] = "text/html"

    assert sorted(differences(recorded(change))) == [
        '[0].partition is "default" instead of "other"',
        "status 200 instead of 404",
        "type 'text/plain; charset=utf-8' instead of 'text/html'",
    ]


def test_a_field_too_many_and_one_too_few_are_named():
    assert first_difference({"a": 1}, {}) == "a is missing, recorded 1"
    assert first_difference({"a": {}}, {"a": {"b": [2]}}) == "a.b is [2], recorded nothing"
    assert first_difference([1], [1, 2]) == "the body has 2 items instead of 1, the first beyond is 2"
    assert first_difference({"a": True}, {"a": 1}) == "a is 1 instead of true"


def test_only_arrays_whose_order_means_something_are_compared_in_order():
    """RE-5"""
    assert unordered({"nodes": [2, 1], "stateLog": [2, 1]}, {"stateLog"}) == {"nodes": [1, 2], "stateLog": [2, 1]}
    assert unordered([2, 1]) == [1, 2]
    assert unordered([2, 1], keep=True) == [2, 1]


@pytest.mark.parametrize(
    "text", ["[]", "{}", "no JSON", '{"config": "", "events": [], "rest": 1}', '{"config": "", "events": [3], "rest": []}']
)
def test_what_is_no_recording_is_refused(tmp_path, text):
    path = tmp_path / "rest-1.json"
    path.write_text(text)
    with pytest.raises(ScenarioError):
        list(ask(load_recording(path)))
