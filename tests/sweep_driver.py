"""A sweep as a process of its own, to be killed: `python -m sweep_driver FILE FOLDER CELLS EXECUTOR [WAITS_AT]`."""

from __future__ import annotations

import sys
from contextlib import closing

from sweep_cells import Script, cell
from sweep_plans import planned

from workbench.sweeps.driving import driven
from workbench.sweeps.executors import chosen
from workbench.sweeps.store import StudyFile
from workbench.values.errors import WorkbenchError


def main(file: str, folder: str, count: str, executor: str, waits_at: str = "") -> None:
    script = Script(folder, waits_at=(int(waits_at),) if waits_at else ())
    cells = planned(int(count), script)
    with closing(StudyFile(file)) as store:
        given = int(executor) if executor.isdigit() else executor
        for result in driven(cells, store, chosen(given), function=cell, workloads={"w": script}):
            print(result.digest, flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except WorkbenchError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
