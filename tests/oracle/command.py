"""Asks the real core about random scenarios: does it decide as the engine does?

    python -m tests.oracle --seeds 200                 both cores
    python -m tests.oracle --seeds 200 --core 1.9.0    one of them

For each scenario on which they part it says whether the order is undefined, which further runs of the core show, or the
difference is real; that one is made as small as it stays different. What is found is kept in a folder. The exit code is 1 if
there is a real difference; where the core has many ways, and none of them is ours, that is told as unclear. Go 1.25 or newer is
needed; the build takes minutes once and is cached.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

from oracle.findings import FURTHER, Finding, examine, keep
from oracle.program import CORES, PlayFailed, cache_folder, cached, play
from oracle.scenarios import FAMILIES, LARGE, NARROW, SMALL, scenario

SIZES = {"small": SMALL, "narrow": NARROW, "large": LARGE, "any": None}
RELEASES = {version.removeprefix("v"): release for release, (version, _) in CORES.items()}
"""Version of the core's module -> release."""
LONGEST_S = 30
"""Of one run of the core; one that takes longer hangs."""
AT_ONCE = 2


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    families = tuple(FAMILIES) if "all" in given.families else tuple(given.families)
    until = None if given.within is None else time.monotonic() + given.within
    programs: dict[str, Path] = {}
    for version in given.core:
        try:
            programs[version] = given.program or cached(release=RELEASES[version], within_s=_left(until))
        except PlayFailed as error:
            if not given.if_possible:
                print(f"core {version}: {error}", file=sys.stderr)
                return 2
            print(f"core {version}: NOT ASKED, its program could not be built here: {str(error).strip()[-400:]}", flush=True)
    real = 0
    for number, (version, program) in enumerate(programs.items()):
        release, now = RELEASES[version], time.monotonic()
        share = None if until is None else now + (until - now) / (len(programs) - number)
        ask = partial(play, program, release=release, longest_s=LONGEST_S)
        made = (
            scenario(seed, release=release, size=SIZES[given.size], families=families)
            for seed in range(given.first_seed, given.first_seed + given.seeds)
        )
        found: Counter[str] = Counter()
        for finding in _findings(made, partial(examine, play=ask, further=given.further, tries=given.tries), share):
            found[finding.kind] += 1
            if finding.kind not in ("alike", "undefined order"):
                keep(given.keep / version, finding)
                print(finding, flush=True)
        real += found["real difference"]
        asked = sum(found.values())
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
        print(f"core {version}: {asked} of {given.seeds} scenarios asked: {kinds or 'none'}", flush=True)
        if asked < given.seeds:
            print(f"core {version}: the other {given.seeds - asked} were not asked: the {given.within} s were over", flush=True)
    if real:
        print(f"what differs is kept in {given.keep}")
    return 1 if real else 0


def _findings(made: Iterator, examined: Callable[..., Finding], until: float | None) -> Iterator[Finding]:
    """Of one scenario after the other, in their order, a few at once, until the time is over."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while until is None or time.monotonic() < until:
            some = list(islice(made, 4 * AT_ONCE))
            if not some:
                return
            yield from pool.map(examined, some)


def _left(until: float | None) -> float | None:
    return None if until is None else max(1.0, until - time.monotonic())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracle", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=200, help="scenarios on each core (default %(default)s)")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--core", nargs="+", default=list(RELEASES), choices=list(RELEASES), help="which cores (default: all)")
    parser.add_argument("--families", nargs="+", default=["all"], choices=["all", *FAMILIES], metavar="FAMILY")
    parser.add_argument(
        "--size", default="any", choices=list(SIZES), help="of the scenarios (default %(default)s: they take turns)"
    )
    parser.add_argument("--further", type=int, default=FURTHER, help="runs of what is not alike at once (default %(default)s)")
    parser.add_argument("--tries", type=int, default=300, help="smaller scenarios tried for each difference (default %(default)s)")
    parser.add_argument("--within", type=int, metavar="SECONDS", help="stop then, with the builds; says how many were asked")
    parser.add_argument(
        "--keep", type=Path, default=cache_folder() / "found", help="folder for what was found (default %(default)s)"
    )
    parser.add_argument("--program", type=Path, help="the program, if it is built already, for one core")
    parser.add_argument("--if-possible", action="store_true", help="where no program can be built, say so and end well")
    return parser
