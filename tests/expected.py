"""A small cluster, a design with a fence and a guarantee, what arrives there, and what is expected of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.expectations import Expectations, expect
from workbench.workloads import Workload, parse_workload

QUEUES = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: system
            properties: {priority.offset: "10"}
          - name: tenants
            properties: {priority.policy: fence, priority.offset: "0"}
            queues:
              - name: a
                properties: {preemption.delay: 15s}
                resources: {guaranteed: {vcore: 2}}
              - name: b
                properties: {preemption.delay: 15s}
"""
UNFENCED = QUEUES.replace('{priority.policy: fence, priority.offset: "0"}', '{priority.offset: "20"}')
"""Tenants before the system."""
NO_GUARANTEE = QUEUES.replace("                resources: {guaranteed: {vcore: 2}}\n", "")

MONDAY = """\
workload:
  pools: 1 x vcore=4
  jobs:
    - {id: night, submit: 0s, duration: 100s, count: 5, queue: root.tenants.b, user: ben, resources: {vcore: "1"}}
    - {id: urgent, submit: 5s, duration: 20s, count: 3, queue: root.tenants.a, user: ann, resources: {vcore: "1"}}
    - {id: backup, submit: 6s, duration: 10s, queue: root.system, user: sys, resources: {vcore: "1"}}
"""
"""Ten requests for four cores: the tenants' first, so that the others have to wait; two of b are stopped for a's guarantee."""

FENCE = """\
config: |
  partitions: [{name: default, queues: [{name: root, queues: [{name: other}]}]}]
events:
  - add_node: {id: node, resources: {vcore: "1"}}
  - add_app: {id: nightly, queue: root.tenants.b, user: ben}
  - add_app: {id: urgent, queue: root.system, user: sys}
  - add_ask: {app: nightly, key: n, resources: {vcore: "1"}, priority: 5}
  - add_ask: {app: urgent, key: u, resources: {vcore: "1"}}
  - schedule: 2
  - release: {app: urgent, key: u}
  - schedule: 2
"""
"""Both wait for one core; the fence decides. The queues are those of the design that is tested."""

BY_CHANCE: dict[str, Any] = {
    "synthetic": {
        "pools": "2 x vcore=4,memory=16Gi",
        "length": "1h",
        "load": 1.1,
        "classes": [
            {
                "name": "etl",
                "arrivals": "poisson(every=1m)",
                "duration": "exponential(5m)",
                "size": {"vcore": "1"},
                "queue": "root.tenants.b",
            }
        ],
    }
}
"""Arrivals by chance, in root.tenants.b only."""


def monday() -> Workload:
    """What arrives."""
    made = parse_workload(MONDAY)
    assert isinstance(made, Workload)
    return made


def judged(*expectations: dict[str, Any], **more: Any) -> Expectations:
    """These expectations of the design, with what arrives on Monday unless another workload is given."""
    given: dict[str, Any] = {"design": QUEUES, "workloads": {"monday": monday()}, "expect": list(expectations)}
    return expect(given | more)


def put(folder: Path, expectations: str, **files: str) -> Path:
    """A file of expectations in a folder, beside the design, the workload and the scenario. Returns its path."""
    there = {"queues.yaml": QUEUES, "monday.yaml": MONDAY, "fence.yaml": FENCE, "production.yaml": UNFENCED} | files
    for name, text in there.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "queues.expect.yaml"
    path.write_text(expectations, encoding="utf-8")
    return path
