"""AccaSim, a simulator of batch systems, on a file of jobs: first in, first out, on equal nodes. A program of its own:

python -m benchmarks.accasim_run JOBS.swf NODES CORES

It prints the seconds of processor time and the jobs that were dispatched. AccaSim 1.1 is of a time when `collections` held the
abstract classes, and it asks for a logger where none is needed; what it misses is put there before it is imported.
"""

from __future__ import annotations

import collections
import collections.abc
import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

EPOCH = 0


def run(jobs: Path, nodes: int, cores: int) -> dict[str, float]:
    """Play the file; ImportError if AccaSim is not installed."""
    for name in ("Mapping", "MutableMapping", "Sequence", "Iterable", "Callable"):
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    warnings.simplefilter("ignore")
    from accasim.base.allocator_class import FirstFit
    from accasim.base.scheduler_class import FirstInFirstOut
    from accasim.base.simulator_class import Simulator

    with tempfile.TemporaryDirectory() as folder:
        system = Path(folder) / "system.json"
        described = {
            "groups": {"node": {"core": cores}},
            "resources": {"node": nodes},
            "equivalence": {"processor": {"core": 1}},
            "start_time": EPOCH,
        }
        system.write_text(json.dumps(described), encoding="utf-8")
        before = Path.cwd()
        os.chdir(folder)  # its results go into the folder where it runs
        try:
            started = time.process_time()
            simulator = Simulator(
                str(jobs),
                str(system),
                FirstInFirstOut(FirstFit()),
                scheduling_output=False,
                statistics_output=False,
                show_statistics=False,
                RESULTS_FOLDER_NAME="results",
            )
            simulator.start_simulation()
            seconds = time.process_time() - started
        finally:
            os.chdir(before)
        return {"seconds": seconds, "jobs": simulator.dispatched_jobs}


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3]))))
