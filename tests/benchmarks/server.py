"""Serving: fifty clients ask for everything that there is about a cluster, in a process of its own.

What is compared is how long a small answer takes, since a small answer is what a large one may hold up: of a cluster with 1,500
nodes and 8,000 allocations, and of one with a single node, asked for the same addresses in the same order by as many clients. The
clients are in one process beside the server's, so both share the machine, on both sides alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import yaml

from benchmarks.clusters import GIB, config_text
from benchmarks.measure import Figure, Options, Target, in_turn, spread
from workbench.files.writing import write_file

SECTION = "server"
NODES, ALLOCATIONS, QUEUES, EACH = 1500, 8000, 20, 40
CLIENTS, REQUESTS, MANY = 50, 100, 100_000
"""Clients, requests of each in one measurement, and requests over which the memory is watched."""
SMALL = 10_000
"""Bytes of a body from which on an answer is no small one."""
PARTITION = "/ws/v1/partition/default"
WHOLE = (
    *(f"{PARTITION}{path}" for path in ("/queues", "/nodes", "/placementrules", "/applications/active", "/applications/completed")),
    *(f"{PARTITION}/usage/{each}" for each in ("users", "groups")),
    *(f"/ws/v1/{each}" for each in ("clusters", "partitions", "config", "history/apps", "history/containers", "events/batch")),
    *(f"/ws/v1/{each}" for each in ("scheduler/healthcheck", "scheduler/node-utilizations", "metrics")),
    "/workbench/v1/state",
)


def scenario(nodes: int, allocations: int) -> dict[str, object]:
    """A cluster and what is asked for in it; applications of forty requests."""
    queues = [{"name": f"q{number}"} for number in range(QUEUES)]
    node = {"id": "node", "resources": {"vcore": 16_000, "memory": 64 * GIB}, "repeat": nodes}
    events: list[dict[str, object]] = [{"add_node": node}]
    for number in range(-(-allocations // EACH)):
        count = min(EACH, allocations - number * EACH)
        resources = {"vcore": 1000, "memory": 2 * GIB}
        events.append({"add_app": {"id": f"app-{number}", "queue": f"root.q{number % QUEUES}", "user": f"user-{number % 7}"}})
        events.append({"add_ask": {"app": f"app-{number}", "key": f"ask-{number}", "resources": resources, "repeat": count}})
    return {"name": "served", "config": config_text(queues), "events": events}


def addresses(nodes: int, allocations: int) -> list[str]:
    """Everything that is asked for: each whole once, and some of the single ones."""
    seed = random.Random(1)
    single = [f"{PARTITION}/node/node-{seed.randrange(nodes):03d}" for _ in range(40)]
    single += [f"{PARTITION}/application/app-{seed.randrange(-(-allocations // EACH))}" for _ in range(40)]
    single += [f"{PARTITION}/queue/root.q{number}{below}" for number in range(QUEUES) for below in ("", "/applications")]
    return [*WHOLE, *single]


@contextmanager
def serving(nodes: int, allocations: int, folder: Path) -> Iterator[Served]:
    """A server with that cluster, everything placed."""
    folder.mkdir(exist_ok=True)
    file = folder / "served.yaml"
    write_file(file, yaml.safe_dump(scenario(nodes, allocations)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "workbench", "serve", str(file), "--port", "0", "--no-token"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = next(int(line.split(":")[2].rstrip("/\n")) for line in process.stdout if line.startswith("Address"))
        served = Served(process.pid, port, nodes, allocations)
        asyncio.run(served.run())
        yield served
    finally:
        process.terminate()
        process.communicate()


@dataclass(frozen=True, slots=True)
class Served:
    """A server, and what it holds."""

    pid: int
    port: int
    nodes: int
    allocations: int

    async def run(self) -> None:
        """Place everything, and ask once for every address, so that it is steady."""
        async with Client(self.port) as client:
            _, body = await client.ask("POST", "/workbench/v1/run")
            assert json.loads(body)["step"] >= self.allocations, body
            await client.ask("POST", "/workbench/v1/advance", b'{"seconds": 60}')  # the first health check is made by then
            for address in addresses(self.nodes, self.allocations):
                await client.ask("GET", address)

    def small_answers(self, clients: int, requests: int) -> list[float]:
        """Seconds that each small answer took while so many clients asked for everything."""
        return asyncio.run(self._asked(clients, requests))

    async def _asked(self, clients: int, requests: int) -> list[float]:
        found: list[float] = []

        async def one(number: int) -> None:
            order = random.Random(number)
            known = addresses(self.nodes, self.allocations)
            async with Client(self.port) as client:
                for _ in range(requests):
                    begun = time.perf_counter()
                    _, body = await client.ask("GET", order.choice(known))
                    if len(body) < SMALL:
                        found.append(time.perf_counter() - begun)

        await asyncio.gather(*(one(number) for number in range(clients)))
        return found

    def memory(self) -> int | None:
        """Bytes that the process holds; None where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except OSError:
            return None
        return pages * os.sysconf("SC_PAGE_SIZE")


class Client:
    """One connection that is kept, with one request at a time."""

    def __init__(self, port: int):
        self._port = port

    async def __aenter__(self) -> Client:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**26)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, method: str, address: str, body: bytes = b"") -> tuple[int, bytes]:
        self._writer.write(f"{method} {address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin1").lower()
        length = int(head.partition("content-length:")[2].split("\r\n")[0])
        status = int(head.split()[1])
        assert status == 200, f"{address}: {head}"
        return status, await self._reader.readexactly(length)


def p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def figures(options: Options) -> Iterator[Figure]:
    nodes, allocations = options.scaled(NODES), options.scaled(ALLOCATIONS)
    clients, requests = options.scaled(CLIENTS, 2), options.scaled(REQUESTS, 40)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(nodes, allocations, Path(folder)) as large,
        serving(1, 1, Path(folder) / "empty") as empty,
    ):
        ones, others = in_turn(
            lambda: p95(large.small_answers(clients, requests)), lambda: p95(empty.small_answers(clients, requests)), options.rounds
        )
        yield Figure(
            SECTION,
            f"95 of 100 small answers, {clients} clients asking all: {nodes:,} nodes, {allocations:,} allocations / one node",
            median(ones) / median(others),
            "x",
            Target("<=", 3),
            f"{median(ones) * 1e3:.1f} / {median(others) * 1e3:.1f} ms",
            {"large_s": ones, "empty_s": others},
        )
        yield _memory(large, clients, options.scaled(MANY, 400))


def _memory(served: Served, clients: int, requests: int) -> Figure:
    """What the process holds after so many requests, divided by what it held after a tenth of them."""
    name = f"memory of the server after {requests:,} requests / after a tenth of them"
    held = []
    for _ in range(10):
        served.small_answers(clients, requests // 10 // clients or 1)
        held.append(served.memory())
    found = [each for each in held if each is not None]
    if not found:
        return Figure(SECTION, name, None, note="not measured: this system does not tell the memory of another process")
    told = f"{spread([each / 1e6 for each in found])} MB"
    return Figure(SECTION, name, found[-1] / found[0], "x", Target("<=", 1.1), told, {"bytes": found})
