"""Runs of workloads of every family, exported as scenarios and played on the real core: does it decide the same? Rule WL-6.

    python -m oracle.runs --families all --seeds 20

Prints a line for each run and a summary; the exit code is 1 if a run differs. `--record DIR` writes the runs on which all plays of
the core agree as recordings, which `tests/conformance` plays without the core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from workload_families import FAMILIES, case

from oracle.program import CORES, build, play
from oracle.verdict import Verdict, judge
from workbench.runs import Run, simulate
from workbench.runs.plain import plain_scenario
from workbench.simulation.scenario import Scenario, scenario_to_dict

UNTIL = "30m"
SHOWS = {
    "preempt": ("PREEMPTED_BY_SCHEDULER", "~1"),
    "gangs": ("PLACEHOLDER_REPLACED",),
    "nodes": ("remove_node", "~1"),
    "failing": ("remove_node", "~1"),
    "elastic": ('"e-000"', "remove_node"),
}
"""Family -> what has to occur in a recording of it, so that it is about what the family is for; ~1 is the key of what came back."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="oracle.runs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="+", default=["all"], choices=["all", *FAMILIES], metavar="FAMILY")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each family (default %(default)s)")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=10, help="of each run; with many the core rarely plays one twice alike")
    parser.add_argument("--plain", action="store_true", help="at the recorded pace where that decides the same")
    parser.add_argument("--times", type=int, default=30, help="plays on the core, at most (default %(default)s)")
    parser.add_argument("--core", default="1.8", choices=sorted(CORES), help="release of the core (default %(default)s)")
    parser.add_argument("--program", type=Path, help="the program, if it is built already: go test -c in oracle/core")
    parser.add_argument("--record", type=Path, metavar="DIR", help="keep here the runs that the core always plays alike")
    parser.add_argument("--keep", type=int, default=3, help="recordings of each family (default %(default)s)")
    given = parser.parse_args()
    families = FAMILIES if "all" in given.families else given.families
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        program = given.program or build(Path(folder) / "oracle", release=given.core)
        ask = partial(play, program, release=given.core)
        for family in families:
            kept = 0
            for verdict, scenario in _verdicts(family, given, ask):
                found[verdict.kind] += 1
                print(verdict, flush=True)
                if given.record is not None and kept < given.keep and verdict.ways == 1 and verdict.kind == "alike":
                    kept += record(given.record, family, replace(scenario, expect=ask(scenario)))
    print(f"{found['alike']} alike, {found['open']} open, {found['differs']} differ")
    return 1 if found["differs"] or found["failed"] else 0


def _verdicts(family: str, given: argparse.Namespace, ask: partial) -> Iterator[tuple[Verdict, Scenario]]:
    with ThreadPoolExecutor() as pool:
        seeds = range(given.first_seed, given.first_seed + given.seeds)
        scenarios = [exported(family, seed, given.jobs, plain=given.plain) for seed in seeds]
        verdict = partial(judge, play=ask, times=given.times, always=given.record is not None)
        yield from zip(pool.map(verdict, scenarios), scenarios)


def exported(family: str, seed: int, jobs: int, *, plain: bool = False) -> Scenario:
    """A run of a workload of a family, as a scenario; its description says which."""
    run = simulated(family, seed, jobs)
    scenario = plain_scenario(run)[0] if plain else run.scenario()
    return replace(scenario, name=f"{family}-{seed}", description=f"{jobs} jobs of the family {family}, seed {seed}, for {UNTIL}.")


def simulated(family: str, seed: int, jobs: int) -> Run:
    """The run itself."""
    each = case(family, seed, jobs=jobs)
    return simulate(each.design, each.workload, seed=each.seed, rate=each.rate, until=UNTIL, reasons=False)


def simulated_again(scenario: Scenario) -> Run:
    """The run that a scenario was made of, simulated anew."""
    found = re.fullmatch(r"(\d+) jobs of the family (\w+), seed (\d+), for \w+\.", scenario.description)
    assert found, f"not the description of an exported run: {scenario.description}"
    return simulated(found[2], int(found[3]), int(found[1]))


def record(folder: Path, family: str, scenario: Scenario) -> bool:
    """Write a recording, small: packed, and the same bytes for the same recording. Whether it is about what the family is for."""
    text = json.dumps(scenario_to_dict(scenario), separators=(",", ":"), sort_keys=True)
    if not all(each in text for each in SHOWS.get(family, ())):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / f"{scenario.name}.json.gz", scenario)
    return True


def write(path: Path, scenario: Scenario) -> None:
    """Write a scenario packed, the same bytes for the same scenario."""
    text = json.dumps(scenario_to_dict(scenario), separators=(",", ":"), sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    sys.exit(main())
