"""What is made of a scenario that the core does not play as the engine does: undefined order, or a difference and what shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oracle.program import PlayFailed
from oracle.runs import write
from oracle.shrink import shrunk
from oracle.verdict import Verdict, judge
from workbench.simulation.scenario import Scenario

Play = Callable[[Scenario], dict[str, Any]]
FURTHER = 30
"""Runs of the core before an order is called undefined or a difference real: five and twelve turned out to be too few."""
WHILE_SHRINKING = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """What one scenario showed.

    Attributes:
        scenario: as it was made.
        verdict: of it, after one run of the core where that is ours, and else after further ones.
        least: the smallest scenario that still shows it, with what the core did; None if there is none, or it was not looked for.
        least_verdict: of that one.
    """

    scenario: Scenario
    verdict: Verdict
    least: Scenario | None = None
    least_verdict: Verdict | None = None

    @property
    def kind(self) -> str:
        """One of these.

        - "alike";
        - "undefined order": the core itself decides it in several ways;
        - "real difference": the core decides it in one way, which is not ours;
        - "unclear": it has several ways and none is ours, nor is the order known to be open where ours leaves them;
        - "core failed": it ended early or hangs. Known: a replacement said of what has none, the time-out of some gangs (R-723);
          on 1.8 a reservation to cancel that is the application's own (R-933); on 1.9 a parent's quota already covered (R-916).
        """
        judged = self.least_verdict or self.verdict
        if judged.kind == "differs":
            return "real difference" if judged.ways == 1 else "unclear"
        if self.verdict.kind == "failed":
            return "core failed"
        if self.verdict.kind == "alike":
            return "undefined order" if self.verdict.ways > 1 else "alike"
        return "undefined order"

    def __str__(self) -> str:
        lines = [f"{self.scenario.name}: {self.kind}"]
        if self.kind == "undefined order":
            lines.append(f"  the core has {self.verdict.ways} ways in {self.verdict.plays} runs, {self.verdict.ours} of them ours")
        elif self.kind != "alike":
            lines.append(f"  {self.verdict}")
        if self.least is not None and self.least_verdict is not None:
            lines.append(f"  of {len(self.scenario.events)} events {len(self.least.events)} show it: {self.least_verdict}")
        return "\n".join(lines)


def examine(scenario: Scenario, play: Play, *, further: int = FURTHER, tries: int = 0) -> Finding:
    """Ask the core about a scenario: once, and so many times further if its play is not ours; then shrink what differs.

    Args:
        tries: so many smaller scenarios are asked about at most; 0: it is not shrunk.
    """
    verdict = judge(scenario, play, times=1 + further)
    if verdict.kind != "differs" or not tries:
        return Finding(scenario, verdict)
    least = shrunk(scenario, lambda each: judge(each, play, times=WHILE_SHRINKING).kind == "differs", tries=tries)
    again = judge(least, play, times=1 + further)
    try:
        least = replace(least, expect=play(least))
    except PlayFailed:
        pass
    return Finding(scenario, verdict, least, again)


def keep(folder: Path, finding: Finding) -> None:
    """Write a finding down: the scenario, the smallest one as a recording, and the report."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{finding.scenario.name}-{finding.scenario.engine}"
    write(folder / f"{name}.json.gz", finding.scenario)
    if finding.least is not None:
        write(folder / f"{name}-least.json.gz", finding.least)
    (folder / f"{name}.txt").write_text(f"{finding}\n", encoding="utf-8")
