"""A run, told: a sentence, the table of its measures, a picture, a page. Registers itself with `workbench.runs.shown`."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any

from workbench.measures import units
from workbench.measures.table import MeasureTable, measure
from workbench.plots.page import Section, figure_html, page
from workbench.runs import shown
from workbench.runs.run import Run

MOST_JOBS = 200
"""Rows of jobs on a page, the longest waits first; all of them are in the table that `--csv` writes."""


class Telling:
    """One run, told."""

    def __init__(self, run: Run):
        self._run = run

    @cached_property
    def measures(self) -> MeasureTable:
        """The table of its measures."""
        return measure(self._run)

    @cached_property
    def sentence(self) -> str:
        """How many jobs came to what, how long they waited, what it cost."""
        record, table = self._run.record, self.measures
        states: dict[str, int] = {}
        for row in self._run.jobs:
            states[row.state] = states.get(row.state, 0) + 1
        count = len(self._run.jobs)
        if not count:
            return "The workload has no jobs."
        rest = [f"{number} {state}" for state, number in sorted(states.items(), key=lambda each: -each[1]) if state != "finished"]
        told = [f"{states.get('finished', 0):,} of {count:,} jobs finished in {units.shown(record.ended_ns / units.NS, 'seconds')}"]
        if rest:
            told[0] += f" ({', '.join(rest)})"
        if table["wait.p50"] is not None:
            told.append(f"half of the requests waited at most {table.show('wait.p50')}, 95 of 100 at most {table.show('wait.p95')}")
        preempted = table["preempted"]
        told.append(f"{table.show('preempted')} stopped for others" if preempted else "nothing was preempted")
        return f"{'; '.join(told)}."

    def picture(self) -> Any:
        """What was used and who waited over time, as a plotly figure."""
        from workbench.measures.over_time import figure

        return figure(self.measures.reading)

    def html(self) -> str:
        """For a notebook: the sentence, the table, the picture where there is plotly."""
        parts = [f"<p><strong>{escape(self.sentence)}</strong></p>", self.measures._repr_html_()]
        return "".join(parts)

    def page(self) -> str:
        """One HTML page that needs no network."""
        run = self._run
        sections = [
            Section("measures", "Measures", self.measures._repr_html_()),
            Section("time", "Use over time", figure_html(self.picture(), "use-over-time", with_script=True)),
            Section("jobs", "Jobs that waited longest", self._jobs()),
        ]
        about = f"{run.workload.name or 'A workload'} under release {run.release}, seed {run.seed}."
        return page("What came of it", self.sentence, sections, description=about, linked=True)

    def _jobs(self) -> str:
        rows = sorted(self._run.jobs, key=lambda row: (row.wait_s is not None, -(row.wait_s or 0)))[:MOST_JOBS]
        heads = ("job", "user", "queue", "class", "submitted", "started", "ended", "waited", "restarts", "state")
        lines = "".join(
            "<tr>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in (row.job, row.user, row.queue, row.kind, *map(_time, row[4:8])))
            + f"<td>{row.restarts}</td><td>{escape(row.state)}</td></tr>"
            for row in rows
        )
        head = "".join(f'<th scope="col">{each}</th>' for each in heads)
        more = len(self._run.jobs) - len(rows)
        note = f"<p>{more:,} more are left out.</p>" if more else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{note}"


def _time(seconds: float | None) -> str:
    return "" if seconds is None else units.short(seconds, "seconds")


shown.register(Telling)
