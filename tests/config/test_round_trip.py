"""An edited queues.yaml is the text that a person wrote, changed where it was edited and nowhere else."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.config import edit, load_config, parse_config
from workbench.config.model import Limit, NodeSorting, PlacementRule, PreemptionSwitches, QueueConfig, SchedulerConfig
from workbench.config.read.tree_shape import completed
from workbench.config.write.export import from_configmap, plain_yaml, to_configmap, to_yaml
from workbench.config.write.round_trip import rewritten

GOLDEN = Path(__file__).with_name("commented")
"""queues.yaml as somebody wrote it, and `<edit>.yaml` as it is to be after the edit of that name."""

COMMENTED = (GOLDEN / "queues.yaml").read_text(encoding="utf-8")


def limits_of(config: SchedulerConfig) -> tuple[Limit, ...]:
    return edit.queue_at(config, "root.teams").limits


EDITS = {
    "property": lambda config: edit.with_property(config, "root.teams.search", "priority.offset", 20),
    "new-property": lambda config: edit.with_property(config, "root.teams.search", "preemption.policy", "fence"),
    "no-property": lambda config: edit.with_property(config, "root.teams.search", "priority.offset", None),
    "first-property": lambda config: edit.with_property(config, "root.batch", "priority.offset", -10),
    "maximum": lambda config: edit.with_max(config, "root.teams.search", {"vcore": "30", "memory": "64Gi", "nvidia.com/gpu": "4"}),
    "guaranteed": lambda config: edit.with_guaranteed(config, "root.batch", {"vcore": "5"}),
    "limits": lambda config: edit.with_field(
        config, "root.teams", "limits", tuple(replace(each, max_applications=9) for each in limits_of(config))
    ),
    "new-limit": lambda config: edit.with_field(
        config, "root.teams", "limits", (Limit(users=("ann",), max_applications=1), *limits_of(config))
    ),
    "access": lambda config: edit.with_field(config, "root.teams", "submitacl", "sue,bob dev"),
    "template": lambda config: edit.with_field(
        config,
        "root.users",
        "childtemplate",
        replace(edit.queue_at(config, "root.users").child_template, max_applications=3),
    ),
    "rules": lambda config: edit.with_placement_rules(
        config, (config.partition().placement_rules[0], PlacementRule(name="tag", value="namespace", create=True))
    ),
    "node-order": lambda config: edit.with_node_sorting(config, NodeSorting(type="fair", weights={"vcore": 3.0, "memory": 1.0})),
    "preemption": lambda config: edit.with_preemption(config, PreemptionSwitches(enabled=True)),
    "added": lambda config: edit.with_queue_added(config, "root.teams", QueueConfig(name="ads", properties={"a": "1"}), index=1),
    "below-a-leaf": lambda config: edit.with_queue_added(config, "root.batch", QueueConfig(name="nightly")),
    "removed": lambda config: edit.without_queue(config, "root.teams.search"),
    "renamed": lambda config: edit.with_queue_renamed(config, "root.teams.search", "find"),
    "moved": lambda config: edit.with_queue_moved(config, "root.teams.search", "root", index=0),
    "reordered": lambda config: edit.with_queue_moved(config, "root.teams.web", "root.teams", index=0),
    "copied": lambda config: edit.with_queue_duplicated(config, "root.teams.web"),
    "anchor": lambda config: edit.with_max(config, "root.teams.web", {"vcore": "15"}),
}


def changed_lines(before: str, after: str) -> list[str]:
    """Lines that are there before or after only, as a comparison of two files shows them."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


@pytest.mark.parametrize("name", EDITS)
def test_a_commented_file_keeps_its_comments(name):
    edited = EDITS[name](load_config(COMMENTED))
    text = to_yaml(edited)
    assert text == (GOLDEN / f"{name}.yaml").read_text(encoding="utf-8")
    assert load_config(text) == edited


def test_one_property_is_one_line():
    edited = to_yaml(EDITS["property"](load_config(COMMENTED)))
    assert changed_lines(COMMENTED, edited) == [
        "-                    priority.offset:   '10'    # agreed with the others",
        "+                    priority.offset:   '20'    # agreed with the others",
    ]


def test_an_edit_and_its_way_back_leave_the_file_as_it_was():
    edited = load_config(to_yaml(EDITS["property"](load_config(COMMENTED))))
    assert to_yaml(edit.with_property(edited, "root.teams.search", "priority.offset", 10)) == COMMENTED


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_breaks_the_end_and_the_mark_at_the_beginning_stay(newline, end, mark):
    text = mark + COMMENTED.rstrip("\n").replace("\n", newline) + end.replace("\n", newline)
    expected = mark + (GOLDEN / "below-a-leaf.yaml").read_text(encoding="utf-8").rstrip("\n").replace("\n", newline)
    assert to_yaml(EDITS["below-a-leaf"](load_config(text))) == expected + end.replace("\n", newline)


def test_a_file_without_a_root_gets_one_when_root_is_told_something():  # C-20
    text = "partitions:\n- queues:\n  # the first\n  - name: a   # one\n  - name: b\n"
    added = edit.with_property(load_config(text), "root.a", "x", "1")
    assert to_yaml(added) == text.replace("# one\n", "# one\n    properties:\n      x: 1\n")
    told = edit.with_field(load_config(text), "root", "submitacl", "*")
    assert to_yaml(told) == (
        "partitions:\n- queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
        "    # the first\n    - name: a   # one\n    - name: b\n"
    )  # fmt: skip


ANCHORED = """\
partitions:
- queues:
  - name: root
    queues:
    - name: a
      resources: &size  # of all
        max: {vcore: 4}
    - name: b  # second
      resources: *size
    - name: c
      resources:
        <<: *size
        guaranteed: {vcore: 1}
"""


def test_a_change_of_what_an_anchor_stands_for_leaves_its_aliases_what_they_were():
    edited = edit.with_max(load_config(ANCHORED), "root.a", {"vcore": "5"})
    text = to_yaml(edited)
    assert load_config(text) == edited
    assert "&size  # of all" in text and "- name: b  # second" in text


def test_without_the_queue_that_has_the_anchor_the_others_say_it_themselves():
    text = to_yaml(edit.without_queue(load_config(ANCHORED), "root.a"))
    assert edit.paths(load_config(text)) == ("root", "root.b", "root.c")
    assert "- name: b  # second\n      resources: {max: {vcore: 4}}\n" in text


def test_a_merged_key_can_be_set_and_taken_out():
    config = load_config(ANCHORED)
    assert "<<: *size" in to_yaml(edit.with_max(config, "root.c", {"vcore": "2"}))
    gone = edit.with_max(config, "root.c", None)
    assert load_config(to_yaml(gone)) == gone and "# second" in to_yaml(gone)


WAYS = [
    "partitions: [{queues: [{name: root, queues: [{name: a}, {name: b, properties: {x: 1}}]}]}]  # all in one line\n",
    'partitions: [{queues: [{name: root, queues: [{name: a},  # one\n  {name: "b", properties: {x: 1,},},  # two\n]}]}]\n',
    """\
? partitions
: - queues:
    - name: root
      queues: # all
      - name: a
      - ? name
        : b
        properties: {x: 1}
""",
    """\
%YAML 1.2
---
# first
partitions: !!seq
- !!map
  queues: [{name: a}, {name: !!str b, properties: {x: !!str 1}}]
...
# end
""",
    """\
partitions:
- queues:
  - name: a
  - name: b
    properties:
      x: >-
        1
    adminacl: |-
      sue
  # end
""",
    """\
partitions:
- queues:
  - name: a
    limits: []
    properties:
    resources: ~
  - name: b
    properties: {x: 1}
  - ~
""",
]


@pytest.mark.parametrize("text", WAYS)
@pytest.mark.parametrize("path", ["root.a", "root.b"])
def test_any_way_to_write_it_can_be_edited(text, path):
    config = load_config(text)
    for edited in (
        edit.with_property(config, path, "x", "2"),
        edit.with_property(config, path, "x", None),
        edit.with_property(config, path, "y", "a, b"),
        edit.with_max(config, path, {"vcore": "1"}),
        edit.with_queue_renamed(config, path, "c"),
        edit.with_queue_added(config, path, QueueConfig(name="d")),
        edit.without_queue(config, path),
        edit.with_queue_moved(config, "root.a", "root.b"),
        edit.with_queue_moved(config, "root.b", "root.a"),
        edit.with_queue_moved(config, "root.b", "root", index=0),
        edit.with_field(config, path, "limits", (Limit(users=("sue",), max_applications=2),)),
    ):
        found = rewritten(text, edited)
        assert found is not None
        written = found.text
        assert completed(parse_config(written)) == edited
        if path == "root.a" or "# two" not in text:
            assert [note for note in ("# all", "# first", "# end") if note in text and note not in written] == []


def test_what_cannot_be_kept_is_said_in_the_first_line():
    text = "partitions: &a  # mine\n- queues: [{name: b}]\n"
    without = replace(load_config(text), partitions=())
    assert to_yaml(without) == "# Written anew; comments of the text before could not be kept.\npartitions: []\n"
    assert load_config(to_yaml(without)) == without


def test_tags_make_nothing():
    text = "partitions:\n- queues:\n  - name: a\n    properties: {x: !!python/object/apply:os.system ['echo'], y: 1}\n"
    with pytest.raises(Exception, match="must be text"):
        load_config(text)
    text = text.replace(" ['echo']", " 'echo'")
    edited = edit.with_property(load_config(text), "root.a", "y", "2")
    assert to_yaml(edited) == text.replace("y: 1", "y: 2")


def test_a_configuration_made_in_code_is_written_in_the_one_form():
    config = load_config(COMMENTED)
    made = replace(config, text="")
    assert to_yaml(made) == plain_yaml(config) != COMMENTED
    assert to_yaml(config) == COMMENTED


def test_a_text_that_no_longer_fits_is_not_believed():
    config = load_config(COMMENTED)
    other = replace(config, partitions=edit.without_queue(config, "root.batch").partitions)
    assert load_config(to_yaml(other)) == other


def test_a_deep_tree_can_be_edited():
    depth = 90
    lines = ["partitions:", "- queues:"]
    for level in range(depth):
        lines += [f"{'  ' * (level + 1)}- name: q{level}  # {level}", f"{'  ' * (level + 1)}  queues:"]
    text = "\n".join(lines[:-1]) + "\n"
    path = ".".join(["root", *(f"q{level}" for level in range(depth))])
    edited = to_yaml(edit.with_property(load_config(text), path, "x", "1"))
    assert len(changed_lines(text, edited)) == 2


CONFIGMAP = """\
# of the platform team
apiVersion: v1
kind: ConfigMap
metadata:
  name: yunikorn-configs
  namespace: yunikorn   # where it runs
  labels: {app: yunikorn}
data:
  # of the service
  log.level: "-1"
  queues.yaml: |
    # queues of all
    partitions:
      - name: default
        queues:
          - name: root
            submitacl: '*'

            queues:
              - name: a   # first
                properties:
                  priority.offset: "1"
  # more of the service
  service.schedulingInterval: 2s
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_inside_a_configmap_everything_else_stays(newline):
    text = CONFIGMAP.replace("\n", newline)
    config = load_config(from_configmap(text))
    edited = edit.with_property(config, "root.a", "priority.offset", 2)
    assert to_configmap(edited, into=text) == text.replace('priority.offset: "1"', 'priority.offset: "2"')
    assert to_configmap(config, into=text) == text


@pytest.mark.parametrize("header", ["|-", "|+", "|2", ">", '"'])
def test_a_configmap_that_writes_it_otherwise_carries_the_new_text(header):
    head, rest = CONFIGMAP.split("|\n")
    block, tail = rest.split("  # more of the service")
    inner = from_configmap(CONFIGMAP)
    if header == '"':
        block = '"' + inner.replace('"', '\\"').replace("\n", "\\n") + '"\n'
    elif header == ">":
        block = ">\n" + "".join(f"{line}\n\n" for line in block.splitlines() if line.strip())
    else:
        block = f"{header}\n{block}"
    text = f"{head}{block}  # more of the service{tail}"
    edited = edit.with_property(load_config(from_configmap(text)), "root.a", "priority.offset", 2)
    written = to_configmap(edited, into=text)
    assert load_config(from_configmap(written)) == edited
    around = ("# of the platform", "# where it runs", "# of the service", "# more of the service")
    assert all(note in written for note in around)
    assert all(note in from_configmap(written) for note in ("# queues of all", "# first"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_last_queue_of_a_text_without_a_final_line_break_moves_into_the_one_above(newline):
    lines = ["partitions:", "- name: default", "  queues:", "  - name: a", "  - name: b  # the last"]
    text = newline.join(lines)
    config = completed(parse_config(text))
    found = rewritten(text, edit.with_queue_moved(config, "root.b", "root.a"))
    assert found is not None
    assert found.text == newline.join([*lines[:4], "    queues:", "    - name: b  # the last"])
