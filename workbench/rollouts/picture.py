"""How much queues hold, minute by minute, today and with the file: small drawings for the page, a line for each of the two.

Drawn here as plain SVG, so that a page of one answer needs no script. What is drawn stands in words below each drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from workbench.explain.wording import in_order, name
from workbench.rollouts.effects import Effects
from workbench.values.quantities import format_quantity

MOST, MOST_TURNS = 6, 4
WIDTH, HEIGHT = 300, 90
STYLE = """\
.uses { display: flex; flex-wrap: wrap; gap: 0.6rem 1.6rem; margin: 0.6rem 0; }
.uses figure { margin: 0; width: 19rem; }
.uses figcaption { font-size: 0.85rem; overflow-wrap: anywhere; }
.uses svg { width: 100%; height: auto; display: block; background: var(--shade); }
.uses p { font-size: 0.8rem; color: var(--faint); margin: 0.1rem 0; }
.uses path { fill: none; stroke-width: 2; }
.uses .today { stroke: var(--faint); stroke-dasharray: 5 4; }
.uses .new { stroke: var(--link); }
"""


@dataclass(frozen=True, slots=True)
class Line:
    """What a queue holds of one resource at the start and after each minute; 0 where there is no such queue."""

    queue: str
    resource: str
    today: tuple[int, ...]
    new: tuple[int, ...]


def lines(effects: Effects) -> tuple[Line, ...]:
    """One for each leaf whose use becomes another, of the first resource that does; those with the largest difference first."""
    found = [line for path, pairs in effects.uses for line in _line(path, pairs)]
    paths = [each.queue for each in found]
    leaves = [each for each in found if not any(path.startswith(f"{each.queue}.") for path in paths)]
    return tuple(sorted(leaves, key=lambda each: (-_difference(each), each.queue)))


def _line(path: str, pairs: Sequence[tuple[object, object]]) -> Iterator[Line]:
    held = [tuple(getattr(use, "allocated", {}) for use in pair) for pair in pairs]
    for resource in in_order({kind for pair in held for use in pair for kind in use}):
        today, new = (tuple(pair[side].get(resource, 0) for pair in held) for side in (0, 1))
        if today != new:
            yield Line(path, resource, today, new)
            return


def _difference(line: Line) -> float:
    """The largest, as a share of the most that is held: resources have units of their own."""
    return max(abs(one - other) for one, other in zip(line.today, line.new)) / max(*line.today, *line.new)


def drawn(effects: Effects) -> str:
    """The drawings as markup; empty if nothing differs."""
    found = lines(effects)
    if not found:
        return ""
    more = f"<p>and {len(found) - MOST} more queues</p>" if len(found) > MOST else ""
    legend = "<p>What queues hold, minute by minute, where it differs: dashed as today, solid with the file.</p>"
    return f'{legend}<div class="uses">{"".join(_figure(each) for each in found[:MOST])}{more}</div>'


def _figure(line: Line) -> str:
    top = max(*line.today, *line.new)
    told = f"{_range(line.today, line.resource)} today, {_range(line.new, line.resource)} with the file"
    title = f"{name(line.queue, None)} holds {name(line.resource)}"
    paths = "".join(
        f'<path class="{which}" d="{_path(values, top)}"/>' for which, values in (("today", line.today), ("new", line.new))
    )
    label = escape(f"{title}: {told}")
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{paths}</svg>'
        f"<p>{escape(told)}; {len(line.today) - 1} min</p></figure>"
    )


def _path(values: Sequence[int], top: int) -> str:
    """Steps from minute to minute."""
    wide, high = WIDTH / max(1, len(values) - 1), HEIGHT - 12
    heights = [f"{HEIGHT - 6 - high * each / top:.1f}" for each in values]
    return f"M0 {heights[0]}" + "".join(f"H{wide * at:.1f}V{height}" for at, height in enumerate(heights[1:], 1))


def _range(values: Sequence[int], resource: str) -> str:
    """What it becomes in turn, as "4 to 0 to 4"; where that is often, from what to what and between which."""
    turns = [each for at, each in enumerate(values) if not at or each != values[at - 1]]
    if len(turns) > MOST_TURNS:
        return (
            f"{format_quantity(turns[0], resource)} to {format_quantity(turns[-1], resource)}, "
            f"between {format_quantity(min(turns), resource)} and {format_quantity(max(turns), resource)},"
        )
    return " to ".join(format_quantity(each, resource) for each in turns)
