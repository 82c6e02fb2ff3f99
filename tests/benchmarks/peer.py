"""The core's own benchmark, here and on the core itself, in turn: requests per second on an empty cluster.

The peer is a program that plays the benchmark on the real core when the environment variable PEER_BENCH says
`nodes,requests,queues,policy`, and prints `seconds=...`. Both sides have the same nodes, queues and asks. The core's clock
runs from the submission of the asks to the last allocation, ours from the first cycle to the last allocation, with history
on; what the submission takes here is among the details.
"""

from __future__ import annotations

import gc
import os
import re
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from statistics import median

from benchmarks.clusters import allocate, application, config_text, engine
from benchmarks.measure import Figure, Options, Target, in_turn, until
from workbench.scheduler.records.commands import AddAsk, AskSpec
from workbench.values.resources import Resource

SECTION = "peer"
CASES = ((500, 2, 5), (1000, 2, 5), (2000, 2, 5), (5000, 2, 5), (500, 50, 8), (500, 500, 80))
"""Nodes, queues, and how many times as fast we want to be."""
ONCE_FROM = 500
"""With so many queues the core takes a minute, and one round must do."""
ASK = Resource(memory=10, vcore=1000)


def figures(options: Options) -> Iterator[Figure]:
    for nodes, queues, wanted in CASES:
        nodes = options.scaled(nodes, 10)
        name = f"{nodes:,} nodes, {queues} queues: requests per second, ours / the core's"
        target = Target(">=", wanted)
        if options.peer is None:
            rate, details = ours(nodes, options.requests, queues, options.limit_s)
            yield Figure(SECTION, name, None, "x", target, f"not measured: no --peer; ours alone: {rate:,.0f}/s", details)
            continue
        rounds = 1 if queues >= ONCE_FROM else options.rounds
        both = in_turn(
            partial(ours, nodes, options.requests, queues, options.limit_s), partial(theirs, options, nodes, queues), rounds
        )
        our_rates, their_rates = [rate for rate, _ in both[0]], both[1]
        fewest = min(details["allocated"] for _, details in both[0])
        early = f"; ours stopped after {fewest:,} of {options.requests:,}" if fewest < options.requests else ""
        yield Figure(
            SECTION,
            name,
            median(our_rates) / median(their_rates),
            "x",
            target,
            f"ours {median(our_rates):,.0f}/s, the core's {median(their_rates):,.0f}/s{early}",
            {"ours_per_second": our_rates, "peer_per_second": their_rates, "ours": [details for _, details in both[0]]},
        )


def ours(nodes: int, requests: int, queues: int, limit_s: float) -> tuple[float, dict]:
    """Requests per second of wall time, and what else was seen."""
    config = config_text(
        {
            "name": f"q{number}",
            "resources": {"guaranteed": {"memory": str(1_000_000 * (number % 7 + 1)), "vcore": str(10 * (number % 5 + 1))}},
        }
        for number in range(queues)
    )
    each = requests // nodes + 1
    made = engine(config, nodes=nodes, capacity=Resource(memory=10 * each, vcore=1000 * each))
    for number in range(queues):
        application(made, f"app-{number}", f"root.q{number}")
    begun = time.perf_counter()
    for number in range(requests):
        made.apply(AddAsk(ask=AskSpec(application_id=f"app-{number % queues}", key=f"k-{number}", resource=ASK)))
    submitted = time.perf_counter()
    gc.collect()
    started = time.perf_counter()
    done = 0
    for _ in until(limit_s, requests):
        allocate(made)
        done += 1
    seconds = time.perf_counter() - started
    return done / seconds, {"allocated": done, "seconds": round(seconds, 3), "submission_s": round(submitted - begun, 3)}


def theirs(options: Options, nodes: int, queues: int) -> float:
    assert options.peer is not None
    environment = {**os.environ, "PEER_BENCH": f"{nodes},{options.requests},{queues},fair"}
    done = subprocess.run([options.peer, "-test.run", "TestPeerBench"], env=environment, capture_output=True, text=True, check=True)
    found = re.search(r"seconds=([0-9.]+)", done.stdout)
    assert found, f"the peer printed no seconds: {done.stdout[-300:]}"
    return options.requests / float(found[1])
