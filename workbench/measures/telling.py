"""A run, told: a sentence, the table of its measures, a picture, a page. Registers itself with `workbench.runs.shown`."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any

from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.measures import units
from workbench.measures.table import MeasureTable, measure
from workbench.plots import in_notebook
from workbench.plots.packed import loader_html, picture_html
from workbench.plots.page import Section, page
from workbench.runs import shown
from workbench.runs.run import Run
from workbench.values.errors import CommandError

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

    def picture(self, resource: str | None = None, theme: str = "light", **size: int) -> Any:
        """What was used and who waited over time, as a plotly figure; its sentence is its title. CommandError for an unknown theme
        or resource."""
        from workbench.measures.over_time import figure
        from workbench.plots.theme import THEMES

        if theme not in THEMES:
            raise CommandError(f"there is no theme {theme!r}; there is {' and '.join(THEMES)}")
        return figure(self.measures.reading, resource, theme=THEMES[theme], **size)  # type: ignore[arg-type]  # sizes are no switches

    def picture_table(self, resource: str | None = None) -> Table:
        """What the picture shows, as a table."""
        from workbench.measures.over_time import table

        return table(self.measures.reading, resource)

    def html(self) -> str:
        """The sentence and the table as markup."""
        return f"<p><strong>{escape(self.sentence)}</strong></p>{self.measures._repr_html_()}"

    def display(self) -> None:
        """Show it in a notebook: the sentence, the table, and the picture where there is plotly."""
        in_notebook.show(self.html(), f"{self.sentence}\n{self.measures}", self.picture)

    def page(self) -> str:
        """One HTML page that needs no network."""
        run = self._run
        sections = [
            Section("measures", "Measures", self.measures._repr_html_()),
            Section("time", "Use over time", self._over_time()),
            Section("jobs", "Jobs that waited longest", self._jobs()),
        ]
        about = f"{run.workload.name or 'A workload'} under release {run.release}, seed {run.seed}."
        return page("What came of it", self.sentence, sections, description=about, linked=True)

    def _over_time(self) -> str:
        from workbench.measures.over_time import figure, sentence

        reading = self.measures.reading
        drawn = picture_html(figure(reading, titled=False), "use-over-time")
        told = f"<details><summary>As a table</summary>{table_html(self.picture_table())}</details>"
        return f"<figure><figcaption>{escape(sentence(reading))}.</figcaption>{drawn}{told}</figure>{loader_html()}"

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
