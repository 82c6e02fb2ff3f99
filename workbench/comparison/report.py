"""The comparison as one page that needs nothing but itself: sentence, table, partings, edits, winners, pictures, designs. CP-7"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from workbench.comparison.table import SHOWN
from workbench.config.diff import diff
from workbench.explain.html import sentences_html, table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.plots.packed import loader_html, picture_html
from workbench.plots.page import Section, page

if TYPE_CHECKING:
    from workbench.comparison.comparison import Comparison
    from workbench.comparison.partings import Parting

MOST_LINES = 200
"""Lines of the table of measures on the page; all of them are in the CSV."""
_WRAPPED = "<style>section#measures td:first-of-type { white-space: normal; min-width: 11rem; }</style>"
"""Titles of measures are sentences, and a page is as wide as a page."""
MOST_PLAYED = 20_000
"""Placements that are played again to tell why the costliest parting came about; the first is always told."""
LATE = "It is late in the run; `found.partings.costliest.reasons` plays up to it and tells why."
_SIDE_BY_SIDE = 'style="display:grid;grid-template-columns:1fr 1fr;gap:0 2rem"'


def report_html(comparison: Comparison, *, whole: bool = True, resource: str | None = None, seed: int | None = None) -> str:
    """The page as text.

    Args:
        whole: with where the designs part and which edit does what, which plays designs in between.
        resource, seed: of the pictures.
    """
    sections = [
        Section("measures", "What changes", _measures(comparison)),
        *(section for other in comparison.others for section in _of_pair(comparison.against(other.name), whole, resource, seed)),
        Section("basis", "What this rests on", sentences_html((comparison.basis, *comparison.notes)) + loader_html()),
    ]
    names = " and ".join(name(side.name) for side in comparison.sides)
    return page(f"Comparison of {names}", comparison.sentence, sections, linked=True)


def _measures(comparison: Comparison) -> str:
    whole = comparison.table.as_text(MOST_LINES)
    first, rest = (replace(whole, rows=rows, keys=()) for rows in (whole.rows[:SHOWN], whole.rows[SHOWN:]))
    note = f"<p>{escape(whole.note)}</p>" if whole.note else ""
    if not rest.rows:
        return _WRAPPED + table_html(first) + note
    return f"{_WRAPPED}{table_html(first)}<details><summary>{len(rest.rows)} more</summary>{table_html(rest)}{note}</details>"


def _of_pair(pair: Comparison, whole: bool, resource: str | None, seed: int | None) -> Iterator[Section]:
    other = pair.others[0]
    title = f"{name(pair.first.name)} and {name(other.name)}"
    at = f"with-{pair.others[0].name}"
    yield Section(f"{at}-pictures", f"Pictures of {title}", "".join(_pictures(pair, at, resource, seed)))
    if whole:
        yield Section(f"{at}-partings", f"Where {title} part", _partings(pair))
        yield Section(f"{at}-edits", f"Which edit does what, from {name(pair.first.name)} to {name(other.name)}", _edits(pair))
    yield Section(f"{at}-jobs", f"Who gains and who loses with {name(other.name)}", _moved(pair))
    yield Section(f"{at}-designs", f"What differs in {name(other.name)}", _designs(pair))


def _pictures(pair: Comparison, at: str, resource: str | None, seed: int | None) -> Iterator[str]:
    from workbench.comparison.pictures import PICTURES

    for which, kind in PICTURES.items():
        data = kind.data(pair, resource, seed)
        if not kind.table(data).rows:
            # An empty picture would only take room.
            yield f"<h3>{escape(kind.title)}</h3><p>{escape(data.sentence)}.</p>"
            continue
        drawn = picture_html(kind.figure(data, titled=False), f"{at}-{which}")
        yield (
            f"<h3>{escape(kind.title)}</h3><figure><figcaption>{escape(data.sentence)}</figcaption>{drawn}"
            f"<details><summary>As a table</summary>{table_html(kind.table(data))}</details></figure>"
        )


def _partings(pair: Comparison) -> str:
    partings = pair.partings
    if partings.first is None:
        return sentences_html(("They decide alike throughout.",))
    parts = ["<h3>First</h3>", _parting(partings.first), sentences_html((f"What decides it: {partings.cause}.",))]
    if partings.costliest is not None:
        late = partings.costliest.played > MOST_PLAYED
        told = sentences_html((partings.costliest.sentence, LATE)) if late else _parting(partings.costliest)
        parts += ["<h3>Costliest</h3>", told]
    return "".join([*parts, "<h3>Queue by queue</h3>", table_html(partings.table())])


def _parting(parting: Parting) -> str:
    columns = "".join(
        f"<div><p><strong>Why {escape(name(who))}</strong></p>{sentences_html(reasons)}</div>"
        for who, reasons in zip(parting.names, parting.reasons)
    )
    return f"{sentences_html((parting.sentence,))}<div {_SIDE_BY_SIDE}>{columns}</div>"


def _edits(pair: Comparison) -> str:
    attribution = pair.attribution
    return attribution._repr_html_()


def _moved(pair: Comparison) -> str:
    moved = pair.moved
    return sentences_html((moved.sentence,)) + table_html(moved.table()) + table_html(moved.user_table())


def _designs(pair: Comparison) -> str:
    found = diff(pair.first.config, pair.others[0].config)
    lines = tuple(
        (
            name(each.path or f"partition {each.partition}"),
            name(each.key) if each.key else "the queue itself",
            "not set" if each.old is None else name(each.old),
            "not set" if each.new is None else name(each.new),
        )
        for each in found[:MOST_LINES]
    )
    columns = ("of", "setting", name(pair.first.name), name(pair.others[0].name))
    return table_html(Table("Settings that differ", columns, lines, empty="The designs mean the same."))
