"""What differs between two configurations, told as plain values, leads from the one to the other."""

from __future__ import annotations

import json

import pytest
from config_strategies import configs, edits
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config import edit, load_config
from workbench.config.write.changes import changed, changes
from workbench.values.errors import ConfigError

TEXT = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: '*'
    queues:
    - name: a
      queues: [{name: b, resources: {max: {vcore: 3}}}, {name: c}]
    - name: d
      limits: [{limit: all, users: ['*'], maxapplications: 3}]
"""


def through_json(before, after):
    return changed(before, json.loads(json.dumps(changes(before, after))))


@examples(6)
@given(configs(), configs())
def test_what_is_told_leads_from_any_configuration_to_any_other(before, after):
    assert through_json(before, after) == after


@examples(15)
@given(configs(), st.lists(edits, max_size=4))
def test_what_is_told_of_edits_leads_to_what_they_made(config, steps):
    after = config
    for change, *arguments in steps:
        try:
            after = change(after, *arguments)
        except ConfigError:
            continue
    assert through_json(config, after) == after


def test_queues_that_are_as_they_were_are_only_named():
    config = load_config(TEXT)
    told = changes(config, edit.with_property(config, "root.a.c", "priority.offset", "5"))
    (root,) = told["partitions"][0]["queues"]
    assert root["queues"] == [
        {"name": "a", "queues": ["b", {"name": "c", "properties": {"priority.offset": "5"}}]},
        "d",
    ]


def test_what_was_changed_remembers_the_text_that_it_was_made_from_and_its_lines():
    config = load_config(TEXT)
    after = through_json(config, edit.with_property(config, "root.a.c", "priority.offset", "5"))
    assert after.origin == config.text and after.text == ""
    assert [queue.line for queue in after.partition().root.queues] == [8, 10]


def test_what_is_not_about_the_configuration_is_refused():
    config = load_config(TEXT)
    told = changes(config, edit.with_property(config, "root.a.c", "priority.offset", "5"))
    with pytest.raises(LookupError):
        changed(edit.without_queue(config, "root.d"), told)
