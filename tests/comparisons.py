"""Two small designs and what arrives under them: production behind nightly work, which comes first with a larger offset."""

from __future__ import annotations

from random import Random

from workbench.comparison import Comparison, compare
from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload, parse_nodes

PLAIN = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: prod
          - name: batch
            properties: {priority.offset: '10'}
"""
FIRST = PLAIN.replace("name: prod\n", "name: prod\n            properties: {priority.offset: '100'}\n")
"""Production first."""
NODES = "2 x vcore=4,memory=16Gi"


def job(name: str, at: float, runs: float, queue: str = "root.batch", *, vcore: int = 1, count: int = 1, user: str = "sue") -> Job:
    """A job that arrives at a second and runs so many."""
    tasks = Tasks(resource=Resource(vcore=1000 * vcore), count=count, duration_ms=round(runs * 1000))
    return Job(id=name, submit_ms=round(at * 1000), tasks=(tasks,), queue=queue, user=user)


def behind_nightly_work() -> Workload:
    """Eight cores full of nightly work, more of it waiting, and production behind it."""
    jobs = [job(f"night-{number}", 0, 100, user="ben", vcore=4) for number in range(6)]
    jobs += [job(f"prod-{number}", 10 + number, 20, "root.prod", user="anna", vcore=4) for number in range(2)]
    return Workload(jobs=tuple(jobs), pools=parse_nodes(NODES))


def arrivals(count: int, seed: int = 1, *, every: float = 12.0) -> Workload:
    """Jobs of both queues by chance."""
    chance, at, jobs = Random(seed), 0.0, []
    for number in range(count):
        at += chance.expovariate(1 / every)
        queue = chance.choice(("prod", "batch", "batch"))
        runs = 5 + chance.expovariate(1 / 40)
        jobs.append(
            job(f"{queue}-{number}", at, runs, f"root.{queue}", vcore=chance.randint(1, 3), user=chance.choice(("ann", "bo", "cy")))
        )
    return Workload(jobs=tuple(jobs), pools=parse_nodes(NODES))


class Arrivals:
    """The same by seed, as a made-up workload gives them."""

    def __init__(self, count: int):
        self.count = count

    def workload(self, seed: int) -> Workload:
        return arrivals(self.count, seed)


def production_first() -> Comparison:
    """What the offset does to production and nightly work."""
    return compare(PLAIN, FIRST, workload=behind_nightly_work())
