"""CP-3: the first decision that differs, why each design made its own, and the edit behind it."""

from __future__ import annotations

from comparisons import FIRST, PLAIN, Arrivals, behind_nightly_work, job, production_first

import workbench as wb
from workbench.comparison.decisions import decisions, first_difference
from workbench.workloads import Workload, parse_nodes


def test_the_first_decision_that_differs_has_its_time_and_what_each_chose():
    found = production_first().partings.first
    assert found.at_ns == 100 * 10**9
    assert found.sentence == "At 1 min 40 s A places night-2 on node-000; B places prod-0 on node-000."


def test_both_reasons_stand_side_by_side():
    ours, theirs = production_first().partings.first.reasons
    assert "root: batch (10) before prod (0)." in ours
    assert "root: prod (100) before batch (10)." in theirs


def test_the_edit_that_decided_it_is_named_among_others():
    edited = FIRST.replace("name: batch\n", "name: batch\n            maxapplications: 50\n            adminacl: joe\n")
    found = wb.compare(PLAIN, edited, workload=behind_nightly_work()).partings
    assert len(found.variants.edits) == 3
    assert str(found.cause) == "root.prod: priority.offset not set → 100"
    assert found.cause.alone


def test_edits_that_decide_only_together_are_named_together():
    # The second of two jobs waits for either limit; only without both it runs beside the first.
    small = PLAIN.replace("name: prod\n", "name: prod\n            resources: {max: {vcore: 2}}\n")
    both = small.replace("name: prod\n", "name: prod\n            maxapplications: 1\n")
    jobs = (job("p", 1, 10, "root.prod", vcore=2), job("q", 2, 10, "root.prod", vcore=2))
    load = Workload(jobs=jobs, pools=parse_nodes("1 x vcore=4,memory=1Gi"))
    found = wb.compare(both, PLAIN, workload=load).partings
    assert [str(each) for each in found.cause.edits] == [
        "root.prod: maxapplications 1 → not set",
        "root.prod: max.vcore 2 → not set",
    ]
    assert not found.cause.alone
    assert str(found.cause).endswith("together with other edits")


def test_where_one_design_does_nothing_its_reason_is_why_it_does_not_do_the_same():
    held = PLAIN.replace("name: prod\n", "name: prod\n            resources: {max: {vcore: 2}}\n")
    load = Workload(
        jobs=(job("p", 1, 10, "root.prod", vcore=2), job("q", 2, 10, "root.prod")), pools=parse_nodes("1 x vcore=4,memory=1Gi")
    )
    found = wb.compare(PLAIN, held, workload=load).partings.first
    assert found.sentence == "At 2 s A places q on node-000; B waits; 9 s later it places q on node-000."
    assert any("root.prod" in each and "2" in each for each in found.reasons[1])


def test_each_queue_has_its_own_first_parting():
    found = production_first().partings.by_queue
    assert [(each.queue, each.at_ns // 10**9) for each in found] == [("root.batch", 100), ("root.prod", 100)]
    assert found[1].says(0) == "waits; 3 min 20 s later it places prod-0 on node-000"


def test_the_costliest_parting_is_that_of_the_task_that_loses_most():
    found = production_first().partings.costliest
    assert found.cost_s == 20
    assert found.sentence.endswith("That costs night-2 20 s of waiting.")


def test_a_job_that_is_turned_away_is_a_parting():
    closed = PLAIN.replace('submitacl: "*"', "submitacl: ben")
    found = wb.compare(PLAIN, closed, workload=behind_nightly_work()).partings.first
    assert found.sentence == "At 10 s A takes prod-0 into root.prod; B turns prod-0 away."


def test_designs_that_decide_alike_do_not_part():
    found = wb.compare(PLAIN, PLAIN, workload=behind_nightly_work()).partings
    assert (found.first, found.by_queue, found.costliest) == (None, (), None)
    assert str(found) == "They decide alike throughout."


def test_before_the_first_parting_all_decisions_are_the_same():
    found = wb.compare(PLAIN, FIRST, workload=Arrivals(30), seeds=2)
    ours, theirs = (decisions(run.record) for run in found.partings.runs)
    place = first_difference(ours, theirs)
    assert ours[:place] == theirs[:place]
    assert min(ours[place].at_ns, theirs[place].at_ns) == found.partings.first.at_ns
