"""Random designs with workloads, by family and seed: small, crowded, and of every kind that a workload can be."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload

FAMILIES = ("plain", "priorities", "preempt", "gangs", "limits", "nodes", "failing", "elastic", "after", "mixed")


class Case(NamedTuple):
    design: str
    workload: Workload
    seed: int
    rate: float | None


def case(family: str, seed: int, *, jobs: int = 25) -> Case:
    """One of a family."""
    chance = Random(f"{family}/{seed}")
    has = {family} if family != "mixed" else set(chance.sample(FAMILIES[1:-1], 3))
    leaves = [f"root.{name}" for name in "abcd"[: chance.randint(2, 4)]]
    pools = [Pool(name="n", capacity=Resource(vcore=4000, memory=8 << 30), count=chance.randint(2, 4))]
    if "failing" in has:
        pools = [
            Pool(
                name="n",
                capacity=pools[0].capacity,
                count=pools[0].count,
                fails_every_ms=400_000,
                repair_ms=chance.choice([20_000, 90_000]),
            )
        ]
    if "elastic" in has:
        pools.append(
            Pool(
                name="e",
                capacity=Resource(vcore=4000, memory=8 << 30),
                count=0,
                minimum=0,
                maximum=3,
                start_delay_ms=chance.choice([5_000, 40_000]),
                idle_ms=30_000,
            )
        )
    made: list[Job] = []
    at_ms = 0
    for number in range(jobs):
        at_ms += chance.choice([0, 0, 1_000, 4_000, 13_500])
        made.append(_job(chance, has, number, at_ms, leaves, [each.id for each in made]))
    events = []
    if "nodes" in has:
        events = [
            NodeEvent(at_ms=15_000, node_id="n-000", happens="drained"),
            NodeEvent(at_ms=40_000, node_id="n-001", happens="removed"),
            NodeEvent(at_ms=55_000, node_id="n-000", happens="undrained"),
            NodeEvent(
                at_ms=chance.choice([60_000, 120_000]),
                node_id="n-001",
                happens="added",
                capacity=Resource(vcore=4000, memory=8 << 30),
            ),
        ]
    restarts = Restarts(
        comes_back_after_ms=chance.choice([5_000, 5_000, 45_000, None]),
        how=chance.choice(["from_start", "keeps", "checkpoint"]),
        checkpoint_ms=20_000,
    )
    workload = Workload(
        jobs=tuple(made),
        pools=tuple(pools),
        node_events=tuple(events),
        restarts=restarts,
        start_delay_ms=chance.choice([0, 0, 3_000]),
        name=f"{family}-{seed}",
    )
    rate = chance.choice([None, None, None, 5.0]) if family in ("plain", "mixed") else None
    return Case(_design(chance, has, leaves), workload, seed, rate)


def _job(chance: Random, has: set[str], number: int, at_ms: int, leaves: list[str], earlier: list[str]) -> Job:
    duration_ms = chance.choice([2_000, 10_000, 35_500, 80_000, 200_000])
    count = chance.choice([1, 1, 2, 5])
    gang = None
    if "gangs" in has and chance.random() < 0.5:
        gang = Gang(style=chance.choice(["Soft", "Hard"]), timeout_ms=chance.choice([8_000, 60_000]))
        count = chance.randint(1, 4)
    tasks = [
        Tasks(
            name="work",
            resource=Resource(vcore=chance.choice([500, 1000, 2000]), memory=chance.choice([1, 2, 4]) << 30),
            count=count,
            duration_ms=duration_ms
            if chance.random() < 0.7
            else tuple(chance.choice([1_000, 20_000, 60_000]) for _ in range(count)),
            preemptible=chance.random() < 0.9,
            may_preempt=chance.random() < 0.9,
        )
    ]
    if chance.random() < 0.2:
        tasks.append(Tasks(name="lead", resource=Resource(vcore=1000), duration_ms=duration_ms + 5_000))
    return Job(
        id=f"job-{number:02d}",
        submit_ms=at_ms,
        tasks=tuple(tasks),
        user=chance.choice(["ann", "ben", "cleo"]),
        queue=chance.choice(leaves) if chance.random() < 0.97 else "root.nowhere",
        priority=chance.choice([0, 0, 5, 100]) if has & {"priorities", "preempt"} else 0,
        gang=gang,
        after=(chance.choice(earlier),) if "after" in has and earlier and chance.random() < 0.4 else (),
    )


def _design(chance: Random, has: set[str], leaves: list[str]) -> str:
    lines = ["partitions:", "  - name: default"]
    if "preempt" not in has and chance.random() < 0.5:
        lines += ["    preemption: {enabled: false}"]
    lines += [f"    nodesortpolicy: {{type: {chance.choice(['fair', 'binpacking'])}}}"]
    lines += ["    queues:", "      - name: root", "        submitacl: '*'"]
    if chance.random() < 0.5:
        lines += ["        properties: {application.sort.policy: fifo}"]
    lines += ["        queues:"]
    for place, leaf in enumerate(leaves):
        lines += [f"          - name: {leaf.removeprefix('root.')}"]
        properties = [f"application.sort.policy: {chance.choice(['fifo', 'fair'])}"]
        if "preempt" in has:
            properties += ["preemption.delay: 10s"]
        if "priorities" in has and chance.random() < 0.6:
            properties += [
                f"priority.offset: '{chance.choice([-10, 10, 500])}'",
                f"priority.policy: {chance.choice(['default', 'fence'])}",
            ]
        lines += [f"            properties: {{{', '.join(properties)}}}"]
        resources = []
        if "preempt" in has and place < 2:
            resources += [f"guaranteed: {{vcore: {chance.choice([2, 4])}}}"]
        if "limits" in has and chance.random() < 0.5:
            resources += [f"max: {{vcore: {chance.choice([4, 6])}}}"]
        if resources:
            lines += [f"            resources: {{{', '.join(resources)}}}"]
        if "limits" in has:
            if chance.random() < 0.5:
                lines += [f"            maxapplications: {chance.choice([1, 3])}"]
            lines += [
                "            limits:",
                f"              - {{limit: each, users: ['*'], maxresources: {{vcore: {chance.choice([2, 3])}}}}}",
            ]
    return "\n".join(lines) + "\n"
