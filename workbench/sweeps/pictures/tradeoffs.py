"""Two numbers against each other: a point for each combination, and those that no other beats in both joined by a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.measures import measure_named
from workbench.sweeps.goals import Goal, parted, title
from workbench.sweeps.pictures.picture import Picture, axis, legend, scale_of
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.sweeps.result import Sweep


def tradeoffs(sweep: Sweep, *goals: Goal) -> Picture:
    """What is to be had of one thing for how much of the other.

    Args:
        goals: two, as in `Sweep.front`; without, those of the sweep.

    Raises:
        CommandError: there are not two goals that are traded for each other, or no combination has both numbers.
    """
    from workbench.plots import theme as themes
    from workbench.plots.text import plain

    wanted = goals or sweep.goals
    front = sweep.front(*wanted)
    bounds, aims = parted(wanted)
    across, up = (aims if len(aims) >= 2 else [*aims, *(each for each in bounds if each.aim is None)])[:2]
    both = (across.wanted, up.wanted)
    drawn = [each for each in sweep.variants if all(each.number_of(*key) is not None for key in both)]
    if not front or not drawn:
        raise CommandError("no combination keeps the bounds and has both numbers")
    scales = {key: scale_of(measure_named(key[0]), [each.number_of(*key) for each in drawn]) for key in both}

    def points(variants: Any) -> dict[str, Any]:
        return {
            "type": "scatter",
            "x": [scales[across.wanted].of(each.number_of(*across.wanted)) for each in variants],
            "y": [scales[up.wanted].of(each.number_of(*up.wanted)) for each in variants],
            "text": [plain(str(each)) for each in variants],
            "hovertemplate": "%{text}<extra></extra>",
        }

    traces = [
        {
            **points([each for each in drawn if each not in front]),
            "mode": "markers",
            "name": "beaten by another",
            "marker": {"symbol": "circle-open", "size": 9, "color": themes.GREY},
        },
        {
            **points(front),
            "mode": "lines+markers",
            "name": "beaten by none",
            "line": {"color": themes.BLUE, "width": 2, "shape": "hv"},
            "marker": {"symbol": "diamond", "size": 11, "color": themes.BLUE, "line": {"width": 1}},
        },
    ]
    layout = {
        "xaxis": axis(measure_named(across.measure), across.of, scales[across.wanted]),
        "yaxis": axis(measure_named(up.measure), up.of, scales[up.wanted]),
        **legend(len(traces)),
    }
    few = f"{len(front)} of {len(drawn)} combinations are" if len(front) > 1 else f"1 of {len(drawn)} combinations is"
    sentence = f"{few} beaten by no other in both {title(*across.wanted)} and {title(*up.wanted)}"
    from workbench.sweeps.result import Sweep as Made

    return Picture(sentence, Made(sweep.plan, front).table(across.wanted, up.wanted), traces, layout)
