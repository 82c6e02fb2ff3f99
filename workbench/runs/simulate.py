"""`simulate`: from a design, a workload and some nodes to a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.files.reading import read_text
from workbench.importers.opening import opened, recognised
from workbench.runs.moments import moment_ns
from workbench.runs.player import Player, pace_of
from workbench.runs.run import Run, Tell
from workbench.scheduler.releases.profiles import DEFAULT, profile_of
from workbench.values.errors import CommandError, ScenarioError, WorkloadError
from workbench.values.found import found as phrase
from workbench.workloads.checks import check_workload
from workbench.workloads.given import workload_given
from workbench.workloads.model import Pool
from workbench.workloads.nodes import FORM, parse_nodes
from workbench.workloads.seeded import of_seed

Design = SchedulerConfig | str | Path
Nodes = str | Sequence[Pool] | None


def simulate(
    design: Design,
    workload: Any,
    *,
    nodes: Nodes = None,
    until: str | float | None = None,
    seed: int = 0,
    release: str | None = None,
    rate: float | None = None,
    reasons: bool = True,
    progress: Tell | None = None,
    stop: Callable[[], bool] | None = None,
) -> Run:
    """Play a workload under a design, with the decisions of the real scheduler. WL-1 to WL-7.

    Args:
        design: a loaded configuration, the text of a queues.yaml, or a path to one.
        workload: a `Workload`, something that makes one of a seed, such as a `Synthetic`, or a path to a file with either.
        nodes: in place of those of the workload, such as "20 x vcore=8,memory=32Gi".
        until: where to end, such as "2h", or seconds; None to go on until nothing more can happen.
        seed: of a made-up workload, and of nodes that fail at random.
        release: of the core whose rules hold, "1.9", "1.8" or "1.4"; None for the usual one.
        rate: the scheduler places at most so many a second; None for as fast as can be.
        reasons: write down for every second that a request waits what held it back.
        progress: is told now and then how much is done, of 1, and what.
        stop: is asked at every instant whether to end early; what was done until then, holds.

    Raises:
        ConfigError: the design is not valid.
        WorkloadError: the workload cannot be, or there are no nodes.
        CommandError: there is no such release, or another argument is no good.
    """
    profile = profile_of(release) if release is not None else DEFAULT
    config = design_of(design, limits_by_path=profile.limits_by_path)
    made = of_seed(workload_given(workload), seed)
    if nodes is not None:
        made = replace(made, pools=parse_nodes(nodes) if isinstance(nodes, str) else tuple(nodes))
    check_workload(made)
    if not made.pools and not any(event.happens == "added" for event in made.node_events):
        raise WorkloadError("there are no nodes to run on", hint=f"neither the workload nor you name any; {FORM}")
    version = profile.version
    until_ns = until_of(until)
    player = Player(config, made, release=version, seed=seed, pace=pace_of(rate), until_ns=until_ns, reasons=reasons)
    stopped: list[bool] = []

    def asked() -> bool:
        if stop is not None and stop():
            stopped.append(True)
        return bool(stopped)

    record = player.play(stop=asked if stop is not None else None, tell=progress)
    return Run(config, made, version, seed, rate, until_ns, record, bool(stopped))


def design_of(design: Design, *, limits_by_path: bool = True) -> SchedulerConfig:
    """The configuration that is meant: itself, a text of several lines or with a colon, or that of the file of this name.

    A file may be a queues.yaml or anything else that has one and that an importer recognises, such as a ConfigMap or a scenario.

    `limits_by_path` as for `load_config`.
    """
    if isinstance(design, SchedulerConfig):
        return design
    if isinstance(design, str) and ("\n" in design or ":" in design and not Path(design).is_file()):
        return load_config(design, limits_by_path=limits_by_path)
    try:
        kind = recognised(design)
    except ScenarioError:
        kind = "queues"  # as which it is refused with its line
    if kind == "queues":
        return load_config(read_text(design), source=str(design), limits_by_path=limits_by_path)
    return load_config(opened(design, kind).imported.scenario.text, source=str(design), limits_by_path=limits_by_path)


def until_of(until: str | float | None) -> int | None:
    """The instant in nanoseconds that a duration or a number of seconds means; None for None."""
    if until is None:
        return None
    ns = moment_ns(until)
    if not ns:
        raise CommandError(f"a run ends after its start, not at {phrase(until)}")
    return ns
