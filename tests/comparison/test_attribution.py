"""CP-4: every change is put down to an edit, to several, or to their combination; planted causes are found."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from comparisons import FIRST, PLAIN, arrivals, behind_nightly_work, job

import workbench as wb
from workbench import edit
from workbench.config import load_config
from workbench.config.model import Limit, NodeSorting
from workbench.workloads import Workload, parse_nodes

TREE = load_config("""\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: prod}, {name: batch}, {name: spare}]
""")
DECISIVE = {
    "properties.priority.offset": lambda at: edit.with_property(at, "root.prod", "priority.offset", "100"),
    "resources.max": lambda at: edit.with_max(at, "root.batch", {"vcore": "3"}),
    "maxapplications": lambda at: edit.with_field(at, "root.batch", "maxapplications", 1),
    "limits": lambda at: edit.with_field(at, "root.batch", "limits", (Limit(users=("bo",), max_resources={"vcore": "2"}),)),
    "nodesortpolicy": lambda at: edit.with_node_sorting(at, NodeSorting(type="binpacking")),
    "removed": lambda at: edit.without_queue(at, "root.prod"),
}
IDLE = (
    lambda at: edit.with_property(at, "root.spare", "priority.offset", "7"),
    lambda at: edit.with_property(at, "root.spare", "application.sort.policy", "fair"),
    lambda at: edit.with_max(at, "root.spare", {"vcore": "1"}),
    lambda at: edit.with_guaranteed(at, "root.spare", {"vcore": "1"}),
    lambda at: edit.with_field(at, "root.spare", "maxapplications", 1),
    lambda at: edit.with_field(at, "root.prod", "maxapplications", 5000),
    lambda at: edit.with_field(at, "root.batch", "adminacl", "joe"),
    lambda at: edit.with_field(at, "root.prod", "submitacl", "ann"),
)


def decides(which, load):
    """Whether an edit makes a difference to what arrives."""
    return wb.simulate(TREE, load).digest() != wb.simulate(DECISIVE[which](TREE), load).digest()


def with_all(config, changes):
    for each in changes:
        config = each(config)
    return config


@pytest.mark.parametrize("seed", range(50))
def test_the_one_decisive_edit_among_three_idle_ones_is_named(seed):
    chance = Random(seed)
    which = list(DECISIVE)[seed % len(DECISIVE)]
    load = next(load for number in count(seed) if decides(which, load := arrivals(18, number, every=6)))
    idle = chance.sample(IDLE if which != "removed" else [each for at, each in enumerate(IDLE) if at not in (5, 7)], 3)
    after = with_all(TREE, [*idle, DECISIVE[which]])
    found = wb.compare(TREE, after, workload=load).attribution
    assert len(found.edits) == 4
    (named,) = found.decisive
    assert [part.key for part in named.parts] == [which]
    assert len(found.idle) == 3


@pytest.mark.parametrize("seed", range(10))
def test_designs_that_differ_in_idle_edits_only_make_no_difference(seed):
    after = with_all(TREE, Random(seed).sample(IDLE, 4))
    found = wb.compare(TREE, after, workload=arrivals(18, seed, every=6))
    assert found.sentence.startswith("B makes no difference")
    assert found.attribution.decisive == ()
    assert found.attribution.sentence == "None of the 4 edits changes anything in these runs: there is no difference."


def test_a_change_is_put_down_to_the_edit_that_makes_it_alone_and_without_which_it_is_gone():
    edited = FIRST.replace("name: batch\n", "name: batch\n            maxapplications: 50\n")
    found = wb.compare(PLAIN, edited, workload=behind_nightly_work()).attribution
    credit = found.credit("wait.p95", "root.prod")
    assert [(each.alone, each.left_out) for each in credit.effects] == [(-200, -200), (0, 0)]
    assert [str(each) for each in credit.edits] == ["root.prod: priority.offset not set → 100"]
    assert credit.sentence.endswith("−3 min 20 s (−69 %), which is due to root.prod: priority.offset not set → 100")


def test_a_change_that_needs_two_edits_comes_from_their_combination():
    small = PLAIN.replace("name: prod\n", "name: prod\n            resources: {max: {vcore: 2}}\n")
    both = small.replace("name: prod\n", "name: prod\n            maxapplications: 1\n")
    jobs = tuple(job(name, at, 10, "root.prod", vcore=2) for at, name in enumerate("pqr"))
    found = wb.compare(both, PLAIN, workload=Workload(jobs=jobs, pools=parse_nodes("1 x vcore=8,memory=1Gi"))).attribution
    credit = found.credit("wait.max", "root.prod")
    assert [each.alone for each in credit.effects] == [0, 0]
    assert len(credit.edits) == 2
    assert credit.together
    assert "in combination" in credit.sentence


def test_edits_that_each_do_their_part_share_a_change():
    # Two queues with a maximum each; each loses it by an edit of its own, and the cluster's average wait has both.
    def held(queue, text):
        return text.replace(f"name: {queue}\n", f"name: {queue}\n            resources: {{max: {{vcore: 1}}}}\n")

    jobs = tuple(job(f"{queue}-{number}", number, 30, f"root.{queue}") for number in range(2) for queue in ("prod", "batch"))
    load = Workload(jobs=jobs, pools=parse_nodes("1 x vcore=8,memory=1Gi"))
    credit = wb.compare(held("prod", held("batch", PLAIN)), PLAIN, workload=load).attribution.credit("wait.mean")
    assert len(credit.edits) == 2
    assert not credit.together
    assert sum(each.alone for each in credit.effects) == credit.change.change


def test_an_edit_that_the_scheduler_would_not_take_alone_is_told():
    before = PLAIN.replace("name: prod\n", "name: prod\n            resources: {max: {vcore: 4}}\n")
    after = PLAIN.replace("name: prod\n", "name: prod\n            resources: {guaranteed: {vcore: 6}, max: {vcore: 8}}\n")
    found = wb.compare(before, after, workload=behind_nightly_work()).attribution
    assert [row[1] for row in found.table("wait.p95", "root.prod").rows].count("not a valid design") == 1
