"""Records that stay as they were made, here and in other processes."""

from __future__ import annotations

import pickle

import pytest

from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload


def test_a_record_with_a_mapping_can_be_sent_to_another_process():
    tasks = Tasks(resource=Resource(vcore=1), node_selector={"zone": "a"}, duration_ms=5)
    workload = Workload(jobs=(Job(id="one", submit_ms=0, tasks=(tasks,), tags={"team": "x"}),))
    received = pickle.loads(pickle.dumps(workload))
    assert received == workload
    with pytest.raises(TypeError):
        received.jobs[0].tags["team"] = "y"
