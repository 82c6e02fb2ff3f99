"""JupyterLab as a process that ends with whoever started it, however that one ends.

Run as a script by `server.py`, which holds the other end of standard input and never writes to it. When that end is closed, by
intent or because the process that held it was killed, the server is asked to end, and its kernels with it. A pipe tells this on
every system, and at once; nothing has to be asked again and again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading


def end_with_starter() -> None:
    """Wait until the other end of standard input is closed, then end as if terminated from outside."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def run() -> None:
    """Be JupyterLab, with the arguments of this process."""
    threading.Thread(target=end_with_starter, name="end-with-starter", daemon=True).start()
    from jupyterlab.labapp import main

    sys.exit(main())


if __name__ == "__main__":
    run()
