"""The runs that a comparison needs: every design with the same arrivals, seed by seed. Ended early, what is finished stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike

from workbench.comparison.comparison import Comparison
from workbench.comparison.sides import Side, names_of, source_of
from workbench.runs import Run, simulate
from workbench.runs.run import Tell
from workbench.runs.simulate import Design, Nodes, design_of
from workbench.values.errors import CommandError
from workbench.workloads import AnyWorkload, Pool, Workload, of_seed, parse_nodes, workload_given

MOST_SEEDS = 10_000


class Plan:
    """What is to be run, and what was.

    Args:
        designs: two to four, the first is what the others are compared with.
        workload: a `Workload`, something that makes one of a seed, or a path to a file with either.
        seeds: how many, from 0 on, or which. Where chance plays no part one is enough, and only one is played.
        nodes, until, release, rate: as in `simulate`.
        names: of the designs; A, B, C and D without them.

    Raises:
        ConfigError: a design is not valid; says which.
        CommandError: the designs, names or seeds make no sense.
    """

    def __init__(
        self,
        designs: Sequence[Design],
        workload: AnyWorkload | str | PathLike[str],
        *,
        seeds: int | Sequence[int] = 1,
        nodes: Nodes = None,
        until: str | float | None = None,
        release: str | None = None,
        rate: float | None = None,
        names: Sequence[str] | None = None,
    ):
        self.names = names_of(designs, names)
        self.sources = [source_of(each) for each in designs]
        self.configs = [design_of(each) for each in designs]
        self._pools = None if nodes is None else _pools(nodes)
        self._workload = workload_given(workload)
        self._until, self._release, self._rate = until, release, rate
        self.notes: list[str] = []
        self.seeds = self._seeds(seeds)
        self.finished: list[list[Run]] = []
        """By seed, the runs of all designs."""

    def play(self, *, progress: Tell | None = None, stop: Callable[[], bool] | None = None) -> None:
        """Play what has not been played. Ended early, seeds that all designs have been played with are kept."""
        total = len(self.seeds) * len(self.configs)
        for seed in self.seeds[len(self.finished) :]:
            workload = self._arrivals(seed)
            runs: list[Run] = []
            for name, config in zip(self.names, self.configs):
                before = len(self.finished) * len(self.configs) + len(runs)
                of = f", seed {seed}" if len(self.seeds) > 1 else ""

                def tell(fraction: float, text: str, before: int = before, what: str = f"{name}{of}") -> None:
                    if progress is not None:
                        progress((before + fraction) / total, f"{what}: {text}")

                run = simulate(
                    config,
                    workload,
                    until=self._until,
                    seed=seed,
                    release=self._release,
                    rate=self._rate,
                    progress=tell,
                    stop=stop,
                )
                if run.stopped:
                    return
                runs.append(run)
            self.finished.append(runs)

    def comparison(self) -> Comparison:
        """The comparison of what was played.

        Raises:
            CommandError: nothing was played with all designs.
        """
        if not self.finished:
            raise CommandError("it was stopped before all designs had been played once, so there is nothing to compare yet")
        notes = list(self.notes)
        if len(self.finished) < len(self.seeds):
            notes.append(f"It was stopped: {len(self.finished)} of {len(self.seeds)} seeds were played.")
        sides = [
            Side(name, source, config, tuple(runs[at] for runs in self.finished))
            for at, (name, source, config) in enumerate(zip(self.names, self.sources, self.configs))
        ]
        return Comparison(tuple(sides), tuple(notes))

    def _arrivals(self, seed: int) -> Workload:
        made = of_seed(self._workload, seed)
        return made if self._pools is None else replace(made, pools=self._pools)

    def _seeds(self, seeds: int | Sequence[int]) -> list[int]:
        if isinstance(seeds, int) and not isinstance(seeds, bool):
            found = list(range(seeds)) if 1 <= seeds <= MOST_SEEDS else []
        elif isinstance(seeds, Sequence) and not isinstance(seeds, str) and all(isinstance(each, int) for each in seeds):
            found = list(dict.fromkeys(seeds))
        else:
            found = []
        if not found:
            raise CommandError(f"seeds are how many from 1 to {MOST_SEEDS:,}, or a list of whole numbers, not {seeds!r}")
        if len(found) > 1 and isinstance(self._workload, Workload):
            pools = self._workload.pools if self._pools is None else self._pools
            if not any(pool.fails_every_ms for pool in pools):
                self.notes.append("Nothing in this workload happens at random, so one seed tells as much as many.")
                return found[:1]
        return found


def _pools(nodes: str | Sequence[Pool]) -> tuple[Pool, ...]:
    return parse_nodes(nodes) if isinstance(nodes, str) else tuple(nodes)


def compare(
    *designs: Design,
    workload: AnyWorkload | str | PathLike[str],
    seeds: int | Sequence[int] = 1,
    nodes: Nodes = None,
    until: str | float | None = None,
    names: Sequence[str] | None = None,
    release: str | None = None,
    rate: float | None = None,
    progress: Tell | None = None,
    stop: Callable[[], bool] | None = None,
) -> Comparison:
    """What becomes of the same arrivals under two to four designs. CP-1.

    print(wb.compare("queues.yaml", "draft.yaml", workload=monday, nodes="20 x vcore=8,memory=32Gi"))

    Args:
        designs: loaded configurations, texts of a queues.yaml, or paths to one; the others are compared with the first.
        workload: a `Workload`, something that makes one of a seed, such as a `Synthetic`, or a path to a file with either.
        seeds: how many, from 0 on, or which ones; differences are then those of pairs with the same seed.
        nodes: in place of those of the workload, such as "20 x vcore=8,memory=32Gi".
        until: where each run ends, such as "2h", or seconds; None to go on until nothing more can happen.
        names: what the designs are called; A, B, C and D without them.
        release: of the core whose rules hold, "1.9", "1.8" or "1.4".
        rate: the scheduler places at most so many a second.
        progress: is told now and then how much is done, of 1, and what.
        stop: is asked now and then whether to end early; seeds that were finished are compared.

    Raises:
        ConfigError: a design is not valid.
        WorkloadError: the workload cannot be, or there are no nodes.
        CommandError: another argument is no good, or it was stopped before there was anything to compare.
    """
    plan = Plan(designs, workload, seeds=seeds, nodes=nodes, until=until, names=names, release=release, rate=rate)
    plan.play(progress=progress, stop=stop)
    return plan.comparison()
