"""Where the cells of a sweep are computed: here, in processes of this machine, on a Dask cluster, on anything with `submit`. SW-2.

One seam for all, `Executor`: cells go in, results come out as they are there, in any order. The numbers are the same everywhere.
"""

from workbench.sweeps.executors.choosing import chosen
from workbench.sweeps.executors.seam import Executor, Results, Work
from workbench.sweeps.executors.serial import Serial

__all__ = ["Executor", "Results", "Serial", "Work", "chosen"]
