"""A made-up workload for people: one sentence, a text, a piece of HTML."""

from __future__ import annotations

from html import escape

from workbench.values.quantities import format_quantity
from workbench.workloads.generators.arrivals import Regular
from workbench.workloads.generators.counts import mean_count
from workbench.workloads.generators.distributions import Constant, Distribution
from workbench.workloads.generators.sizes import mean_size
from workbench.workloads.generators.spec import JobClass, Synthetic
from workbench.workloads.generators.times import in_words

COLUMNS = ("class", "queue", "jobs", "arrive", "tasks a job", "duration of a task", "size of a task on average")


def sentence(spec: Synthetic) -> str:
    """What it is, in one sentence.

    About how many jobs, of which classes, in which time, and what load they are.
    """
    count = f"about {_rounded(spec.expected_jobs())} jobs in {in_words(spec.length_ms)}"
    classes = f", of {len(spec.classes)} classes" if len(spec.classes) > 1 else f", all of class {spec.classes[0].name}"
    offered = spec.offered()
    load = ""
    if offered:
        nodes = sum(pool.count for pool in spec.pools)
        load = f"; they ask for {offered[1]:.0%} of the {offered[0]} of {nodes:,} nodes on average"
    head = f"{spec.name}: " if spec.name else ""
    return f"{head}{count if head else count.capitalize()}{classes}{load}."


def rows(spec: Synthetic) -> list[tuple[str, ...]]:
    """One row a class, as in `COLUMNS`."""
    return [_row(each, spec.length_ms) for each in spec.scaled_classes()]


def as_text(spec: Synthetic) -> str:
    """The sentence and a table."""
    lines = [COLUMNS, *rows(spec)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    return "\n".join([sentence(spec), "", *table])


def as_html(spec: Synthetic) -> str:
    """The same as HTML, escaped."""
    head = "".join(f'<th style="text-align:left">{escape(column)}</th>' for column in COLUMNS)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows(spec)
    )
    return f"<div><p>{escape(sentence(spec))}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _row(each: JobClass, length_ms: int) -> tuple[str, ...]:
    expected = each.arrivals.expected(length_ms)
    about = "" if isinstance(each.arrivals, Regular) and isinstance(each.arrivals.jobs, Constant) else "about "
    tasks = f"{mean_count(each.tasks):.3g}" + ("" if isinstance(each.tasks, Constant) else " on average")
    if each.gang is not None:
        tasks += ", gangs" if each.gang_share == 1 else f", {each.gang_share:.0%} gangs"
    size = ", ".join(f"{name} {_amount(amount, name)}" for name, amount in mean_size(each.sizes).items())
    return (
        each.name,
        each.queue or "by rule",
        f"{about}{_rounded(expected)}",
        each.arrivals.words(),
        tasks,
        _duration(each.duration),
        size,
    )


def _duration(duration: Distribution) -> str:
    if isinstance(duration, Constant):
        return in_words(duration.value)
    mean = duration.mean()
    return f"{in_words(duration.quantile(0.5))} half the time, p95 {in_words(duration.quantile(0.95))}" + (
        f", mean {in_words(mean)}" if mean < 1e15 else ""
    )


def _amount(amount: float, type_name: str) -> str:
    if type_name == "vcore":
        return f"{amount / 1000:.3g}"
    if type_name == "memory":
        size, units = amount, ["B", "Ki", "Mi", "Gi", "Ti"]
        while size >= 1024 and len(units) > 1:
            size, units = size / 1024, units[1:]
        return f"{size:.3g} {units[0]}"
    return format_quantity(int(amount), type_name) if amount == int(amount) else f"{amount:.3g}"


def _rounded(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 or count == int(count) else f"{count:.1f}"
