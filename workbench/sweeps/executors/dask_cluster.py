"""Cells on a Dask cluster: the extra `dask`. A worker that is lost is the affair of its scheduler, which gives its cells to others.

The workload goes to every worker once. Workers need this package in the same version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench import __version__
from workbench.sweeps.cells import CellFunction, CellSpec
from workbench.sweeps.executors import submitting
from workbench.sweeps.executors.seam import Results, Work
from workbench.values.errors import CommandError

PER_THREAD = 2
"""So many cells are given away for each thread of a worker, so that none waits for the next one."""
CONNECT_WITHIN = "15s"


class Dask:
    """Computes cells on the cluster of a scheduler at an address, `tcp://host:8786`, or of a `distributed.Client`.

    Raises:
        CommandError: Dask is not installed, nobody answers at the address, or the cluster has another version of this package.
    """

    def __init__(self, where: Any):
        self._own = isinstance(where, str)
        self.client = _client(where) if self._own else where
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        self.at_once = sum(each["nthreads"] for each in workers.values()) or 1
        self.name = f"Dask at {self.client.scheduler.address}, {len(workers)} workers"
        self._refuse_others()

    def results(self, work: Work) -> Results:
        """The results as they are there. CommandError as soon as the scheduler is gone."""
        return submitting.results(work, lambda: _Cluster(self.client, work.workloads), PER_THREAD * self.at_once)

    def close(self) -> None:
        """Leave the cluster, unless it was somebody else who went there."""
        if self._own:
            self.client.close(timeout=2)

    def _refuse_others(self) -> None:
        """CommandError if a worker has not got this version of the package: its numbers could be others."""
        try:
            versions = self.client.run(_version)
        except ModuleNotFoundError as error:
            raise CommandError(f"the Dask workers lack {error.name}; install policy-workbench {__version__} there") from None
        others = {worker: version for worker, version in versions.items() if version != __version__}
        if others:
            worker, version = next(iter(others.items()))
            has = f"version {version}" if version else "none"
            raise CommandError(
                f"{len(others)} of {len(versions)} Dask workers lack version {__version__} of policy-workbench, the first "
                f"is {worker} with {has}; install the same one there"
            )


class _Cluster:
    """The cluster, for the cells of one sweep."""

    def __init__(self, client: Any, workloads: Mapping[str, Any]):
        self._client = client
        self._address = client.scheduler.address
        self._futures: dict[str, Any] = {}
        self._workloads = {digest: client.scatter(workload, broadcast=True, hash=False) for digest, workload in workloads.items()}
        self._count = 0

    def submit(self, function: CellFunction, spec: CellSpec) -> Any:
        self._count += 1
        future = self._client.submit(
            submitting.with_workload,
            function,
            spec.without_workload(),
            self._workloads[spec.workload_digest],
            key=f"workbench-cell-{spec.digest[:16]}-{id(self)}-{self._count}",
            pure=False,
        )
        self._futures = {key: each for key, each in self._futures.items() if not each.done()}
        self._futures[future.key] = future
        return future

    def is_loss(self, error: BaseException) -> bool:
        """A scheduler that is gone takes everything along; a worker that is lost does not come to us."""
        from concurrent.futures import CancelledError

        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        return isinstance(error, CancelledError | FutureCancelledError | CommClosedError)

    def check(self) -> None:
        if self._client.status != "running":
            raise CommandError(f"the Dask scheduler at {self._address} is gone")

    def release(self) -> None:
        pass

    def close(self) -> None:
        if self._client.status == "running":
            self._client.cancel(list(self._futures.values()), force=True)


def _version() -> str:
    """In a worker: the version of the package there."""
    return __version__


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise CommandError("Dask is not installed here; 'pip install \"policy-workbench[dask]\"' adds it") from None
    try:
        return Client(address, timeout=CONNECT_WITHIN, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CommandError(f"no Dask scheduler answers at {address}: {' '.join(str(error).split())[:200]}") from None
