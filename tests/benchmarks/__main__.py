"""Measure, print a table, write JSON. See `python -m benchmarks --help`, from the folder `tests`."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.measure import Options
from benchmarks.report import SECTIONS, report


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Speed and memory of the engine, as ratios where possible.")
    parser.add_argument("--only", action="append", choices=sorted(SECTIONS), help="measure just this section; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every measurement here")
    parser.add_argument("--peer", type=Path, metavar="PROGRAM", help="the program that plays scenarios on the real core")
    parser.add_argument("--trace", type=Path, metavar="DIR", help="folder with the tables of cluster-trace-gpu-v2023")
    parser.add_argument("--trace-tasks", type=int, metavar="N", help="take only the first N tasks of the trace")
    parser.add_argument("--rounds", type=int, default=3, help="measure each pair so often (default %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply the sizes; below 1 for a try (default %(default)s)")
    parser.add_argument(
        "--allocations", type=int, default=1000, metavar="N", help="in each measurement of one allocation (default %(default)s)"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="a single measurement stops after so long (default %(default)s)",
    )
    parser.add_argument("--requests", type=int, default=10_000, help="of the core's own benchmark (default %(default)s)")
    given = parser.parse_args()
    options = Options(
        given.peer and given.peer.resolve(),
        given.trace,
        given.rounds,
        given.scale,
        given.allocations,
        given.limit,
        given.requests,
        given.trace_tasks,
    )
    report(options, given.only or list(SECTIONS), json_file=given.json)


if __name__ == "__main__":
    main()
