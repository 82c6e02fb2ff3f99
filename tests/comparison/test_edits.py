"""CP-4: the edits between two designs, each of which can be made alone."""

from __future__ import annotations

import pytest
from config_strategies import configs
from hypothesis import given
from laws import examples

from workbench.comparison.edits import edits, with_edits
from workbench.config import load_config
from workbench.config.diff import diff

BEFORE = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            resources: {max: {vcore: 10, memory: 1Gi}}
          - name: b
            queues: [{name: x}, {name: y}]
          - name: c
"""
AFTER = """\
partitions:
  - name: default
    nodesortpolicy: {type: binpacking, resourceweights: {vcore: 2}}
    placementrules: [{name: provided}, {name: user, create: true}]
    preemption: {enabled: false}
    queues:
      - name: root
        submitacl: "*"
        limits: [{limit: all, users: ["*"], maxresources: {vcore: 5}, maxapplications: 3}]
        queues:
          - name: c
            properties: {priority.offset: '5'}
          - name: a
            adminacl: joe
            resources: {max: {vcore: 4}, guaranteed: {vcore: 1}}
          - name: new
            queues: [{name: z, maxapplications: 7}]
"""


def test_a_setting_with_all_its_keys_is_one_edit_and_a_queue_with_all_below_it_as_well():
    found = edits(load_config(BEFORE), load_config(AFTER), most=20)
    assert [str(each) for each in found] == [
        "partition default: placementrules[0] not set → provided; placementrules[1] not set → user; "
        "placementrules[1].create not set → true",
        "partition default: nodesortpolicy.type not set → binpacking; nodesortpolicy.resourceweights.vcore not set → 2",
        "partition default: preemption.enabled not set → false",
        "root: limits[*] not set → all; limits[*].maxapplications not set → 3; limits[*].maxresources.vcore not set → 5",
        "root: queues a, c → c, a",
        "root.a: max.vcore 10 → 4; max.memory 1Gi → not set",
        "root.a: adminacl not set → joe",
        "root.a: guaranteed.vcore not set → 1",
        "root.b: removed",
        "root.c: priority.offset not set → 5",
        "root.new: added",
    ]


def test_each_edit_alone_is_all_that_changes():
    before, after = load_config(BEFORE), load_config(AFTER)
    for each in edits(before, after, most=20):
        made = with_edits(before, after, [each])
        changed = {(found.path, found.key) for found in diff(before, made)}
        assert changed
        assert changed <= {(found.path, found.key) for found in each.differences}


def test_all_edits_together_are_the_other_design():
    before, after = load_config(BEFORE), load_config(AFTER)
    assert diff(with_edits(before, after, edits(before, after, most=20)), after) == ()
    assert with_edits(before, after, []) == before


@pytest.mark.parametrize("most", [1, 3, 8])
def test_of_many_edits_neighbours_count_as_one(most):
    before, after = load_config(BEFORE), load_config(AFTER)
    found = edits(before, after, most)
    assert len(found) <= most
    assert diff(with_edits(before, after, found), after) == ()


@given(configs(), configs())
@examples(7)
def test_between_any_two_designs_all_edits_together_lead_from_one_to_the_other(before, after):
    assert diff(with_edits(before, after, edits(before, after)), after) == ()
