"""The report: a line for each figure as soon as it is there, and everything as JSON, written anew with every figure."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import edits, growth, history, peer, preemption, rollout, search, server, startup, trace
from benchmarks.measure import Figure, Options

SECTIONS: dict[str, Callable[[Options], Iterator[Figure]]] = {
    module.SECTION: module.figures for module in (peer, growth, search, preemption, trace, rollout, history, edits, server, startup)
}


def report(options: Options, sections: Iterable[str], *, json_file: Path | None = None, file=None) -> dict[str, Any]:
    """Measure, print the table to `file` (None: standard output), and return what goes into the JSON file."""
    file = file or sys.stdout
    figures: list[dict[str, Any]] = []
    found = {
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "scale": options.scale,
        "rounds": options.rounds,
        "figures": figures,
    }
    print("| section | what | figure | target | met | remarks |\n| --- | --- | --- | --- | --- | --- |", file=file)
    for section in sections:
        for figure in SECTIONS[section](options):
            figures.append({**asdict(figure), "target": str(figure.target or ""), "met": figure.verdict})
            print(line(figure), file=file, flush=True)
            if json_file is not None:
                json_file.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return found


def line(figure: Figure) -> str:
    """A row of the table."""
    value = "-" if figure.value is None else f"{figure.value:.3g} {figure.unit}"
    return f"| {figure.section} | {figure.name} | {value} | {figure.target or ''} | {figure.verdict} | {figure.note} |"
