"""How well a description fits the workload that it was made from, for people."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from workbench.workloads.generators.arrivals import Arrivals
from workbench.workloads.generators.distributions import Distribution
from workbench.workloads.generators.times import in_words

COLUMNS = ("class", "jobs", "arrivals", "distance", "durations", "distance", "scaled by", "sizes")


@dataclass(frozen=True, slots=True)
class ClassFit:
    """How well one class is described.

    Attributes:
        name: of the class.
        jobs: how many there were.
        duration, distance: the distribution of durations, and how far it is from the measured ones: the largest difference between
            the shares of durations up to some length (Kolmogorov-Smirnov), from 0 to 1.
        arrivals, gap_distance: the same for arrivals and the gaps between them.
        scaled: what durations were multiplied with, so that the work is what it was.
        empirical_sizes: how many different sizes there were.
    """

    name: str
    jobs: int
    duration: Distribution
    distance: float
    arrivals: Arrivals
    gap_distance: float
    scaled: float
    empirical_sizes: int


@dataclass(frozen=True, slots=True)
class FitReport:
    """How well a description fits, class by class, and what it does not say any more."""

    classes: tuple[ClassFit, ...]
    lost: tuple[str, ...]

    def sentence(self) -> str:
        """One sentence about all of it."""
        worst = max(self.classes, key=lambda each: each.distance)
        jobs = sum(each.jobs for each in self.classes)
        classes = f"{len(self.classes)} classes" if len(self.classes) > 1 else "1 class"
        return (
            f"{jobs:,} jobs are described as {classes}; the durations of {worst.name} fit worst: their distribution is off by at "
            f"most {worst.distance:.1%}."
        )

    def rows(self) -> list[tuple[str, ...]]:
        """One row a class, as in `COLUMNS`."""
        return [
            (
                each.name,
                f"{each.jobs:,}",
                each.arrivals.words(),
                f"{each.gap_distance:.1%}",
                f"{each.duration.name}, mean {in_words(each.duration.mean())}",
                f"{each.distance:.1%}",
                f"{each.scaled:.3f}",
                f"{each.empirical_sizes:,}",
            )
            for each in self.classes
        ]

    def __str__(self) -> str:
        lines = [COLUMNS, *self.rows()]
        widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        return "\n".join([self.sentence(), "", *table, "", *self.lost])

    def _repr_html_(self) -> str:
        head = "".join(f'<th style="text-align:left">{escape(column)}</th>' for column in COLUMNS)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row) + "</tr>" for row in self.rows()
        )
        lost = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.lost)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div><p>{escape(self.sentence())}</p>{table}<ul>{lost}</ul></div>"
