"""Opening a design: examples by their short names, what is meant by a name that is not there, and whether it was modified."""

from __future__ import annotations

import pytest

from workbench import ScenarioError, Workbench
from workbench.bench.templates import TEMPLATES


def test_an_example_of_a_folder_opens_by_its_own_name():
    bench = Workbench.open("preemption-law-1")
    assert bench.name == "documented/preemption-law-1"
    assert bench.status.text.startswith("Opened the design documented/preemption-law-1")


@pytest.mark.parametrize("typed", ["preemption-law-11", "premption-law-1", "documented/preemption-law1"])
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(typed):
    with pytest.raises(ScenarioError, match=r"Did you mean .*documented/preemption-law-1"):
        Workbench.open(typed)


def test_a_design_is_modified_from_its_first_edit_until_that_is_undone():
    bench = Workbench.example("multitenancy")
    assert not bench.is_modified
    bench.step()
    assert not bench.is_modified
    bench.set("root.tenants", "priority.offset", 5)
    assert bench.is_modified
    bench.undo()
    assert not bench.is_modified
    bench.redo()
    bench.load("two-tenants")
    assert not bench.is_modified
    bench.undo()
    assert bench.is_modified


# ---- files with errors, and no file at all ------------------------------------------------------------------------------

BROKEN = """\
partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: a
            resources: {max: {vcore: -4}}
"""


def test_a_file_with_errors_opens_as_a_draft_of_an_empty_design(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(BROKEN)
    bench = Workbench.open(file)
    assert bench.name == "mine" and bench.draft is not None and bench.draft.text == BROKEN
    assert bench.draft.error.line and bench.status.is_error and f"line {bench.draft.error.line}" in bench.status.text
    bench.edit_yaml(BROKEN.replace("-4", "4"))
    assert bench.draft is None and "root.a" in {queue.path for queue in bench.partition.root.children.values()}


@pytest.mark.parametrize("text", ["partitions:\n  - name: [\n", "partitions: 3\n", "partitions:\n\t- x\n"])
def test_a_file_that_is_no_yaml_opens_too(tmp_path, text):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    assert Workbench.open(file).draft.text == text


def test_loading_a_file_with_errors_is_one_undo_entry(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(BROKEN)
    bench = Workbench.example("multitenancy")
    bench.load(file)
    assert bench.draft is not None
    bench.undo()
    assert bench.name == "multitenancy" and bench.draft is None


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_a_template_takes_what_is_submitted(name):
    bench = Workbench.new(name)
    assert bench.config.partitions[0].root.submit_acl == "*" or 'submitacl: "*"' in str(bench.to_yaml())
    assert Workbench.open(f"new/{name}").config == bench.config
    assert not [check for check in bench.check() if check.severity == "error"]


def test_an_empty_design_needs_no_file_and_runs_what_is_put_in():
    bench = Workbench.new()
    bench.add_queue("root", "mine")
    bench.add_node("node-1", {"vcore": 4})
    bench.add_request("app", "P1", {"vcore": 1}, queue="root.mine")
    assert bench.step().key == "P1"


def test_an_unknown_template_is_answered_with_those_that_are_there():
    with pytest.raises(ScenarioError, match="there are empty, teams"):
        Workbench.new("nosuch")
