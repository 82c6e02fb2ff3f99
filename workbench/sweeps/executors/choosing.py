"""Which executor is meant by what somebody gave."""

from __future__ import annotations

import sys
from typing import Any

from workbench.sweeps.executors.seam import Executor
from workbench.sweeps.executors.serial import Serial
from workbench.values.errors import CommandError
from workbench.values.found import found

SERIAL, PROCESSES = "serial", "processes"
IN_A_BROWSER = sys.platform == "emscripten"


def chosen(given: Any = None) -> Executor:
    """The executor for what was given.

    Args:
        given: None for processes, as many as there are cores, or this process where there is only one core or it is a browser's;
            "serial"; "processes", or a number of them; the address of a Dask scheduler such as `tcp://host:8786`; a
            `distributed.Client`; any object with `submit`, such as a `concurrent.futures.Executor`; or an executor of one's own.

    Raises:
        CommandError: it is none of these, or nobody answers there.
    """
    if given == SERIAL or given is None and IN_A_BROWSER:
        return Serial()
    if hasattr(given, "results"):
        executor: Executor = given
        return executor
    if IN_A_BROWSER:
        raise CommandError("a browser's Python has no processes; leave the executor out")
    from workbench.sweeps.executors.processes import Processes, cores

    if given is None:
        return Serial() if cores() == 1 else Processes()
    if given == PROCESSES:
        return Processes()
    if isinstance(given, int):
        return Processes(given)
    if isinstance(given, str):
        if ":" not in given:
            raise CommandError(
                f"no executor is called {given!r}; there are {SERIAL}, {PROCESSES}, and the address of a Dask scheduler"
            )
        from workbench.sweeps.executors.dask_cluster import Dask

        return Dask(given)
    if hasattr(given, "scheduler_info") and hasattr(given, "scatter"):
        from workbench.sweeps.executors.dask_cluster import Dask

        return Dask(given)
    if hasattr(given, "submit"):
        from workbench.sweeps.executors.remote import Submitted

        return Submitted(given)
    raise CommandError(
        f"cells are computed by an executor: {SERIAL}, {PROCESSES}, a number of processes, the address of a Dask scheduler, or an "
        f"object with submit; found {found(given)}"
    )
