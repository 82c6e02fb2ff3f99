"""Tasks that come, run and end, over and over on a small cluster; as a program it tells what memory and time that took.

python -m benchmarks.life_cycles COUNT history|none
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from benchmarks.clusters import ASK, allocate, application, asks, config_text, engine
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddAsk, AskSpec, Release

COMMANDS_EACH = 3


def small_cluster(*, history: bool) -> Engine:
    """Ten nodes, and an application that has something running and so stays."""
    made = engine(config_text([{"name": "q"}]), nodes=10, history=history)
    application(made, "app", "root.q")
    asks(made, "app", 1, prefix="stays")
    allocate(made)
    return made


def live(at: Engine, name: str, count: int) -> None:
    """So many tasks `name-0` and so on, one after the other: asked for, allocated, released."""
    for number in range(count):
        key = f"{name}-{number}"
        at.apply(AddAsk(ask=AskSpec(application_id="app", key=key, resource=ASK)))
        allocate(at)
        at.apply(Release(application_id="app", key=key))


def timed(at: Engine, name: str, count: int) -> float:
    """Seconds of processor time that these tasks took."""
    started = time.process_time()
    live(at, name, count)
    return time.process_time() - started


def resident_bytes() -> int:
    """The memory that this process holds now; where that cannot be read, the most that it has held."""
    try:
        # Not ru_maxrss: on Linux that starts with what the parent process held.
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def most_bytes() -> int:
    """The most memory that this process has ever held; where that cannot be read, what the system counts, parent included."""
    try:
        # Not ru_maxrss where there is better: see above. This mark begins anew with the program.
        found = next(row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM:"))
        return int(found.split()[1]) * 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    count = int(sys.argv[1])
    cluster = small_cluster(history=sys.argv[2] == "history")
    before, tenth = resident_bytes(), max(1, count // 10)
    early_s = timed(cluster, "early", tenth)
    live(cluster, "middle", max(0, count - 2 * tenth))
    late_s = timed(cluster, "late", tenth)
    print(json.dumps({"life_cycles": count, "before": before, "after": resident_bytes(), "early_s": early_s, "late_s": late_s}))
