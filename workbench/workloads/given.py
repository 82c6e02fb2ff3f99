"""What somebody gives as a workload: one, something that makes one of a seed, or the file that holds either."""

from __future__ import annotations

import os
from typing import Any

from workbench.values.errors import CommandError
from workbench.values.found import found
from workbench.workloads.model import Workload
from workbench.workloads.seeded import AnyWorkload, Seeded
from workbench.workloads.sources.registry import read


def workload_given(given: Any) -> AnyWorkload:
    """The workload itself, what makes one of a seed, or what is in the file of that name.

    Raises:
        WorkloadError: the file cannot be read.
        CommandError: it is none of these.
    """
    if isinstance(given, str | os.PathLike):
        if isinstance(given, str) and "\n" in given:
            raise CommandError("a workload is a file or a Workload; its text is read by wb.workloads.parse_workload")
        return read(given)
    if isinstance(given, Workload | Seeded) and not isinstance(given, type):
        return given
    allowed = "a workload is a Workload, something with a method workload(seed), or the name of a file"
    raise CommandError(f"{allowed}, not {found(given)}")
