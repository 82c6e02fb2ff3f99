"""A figure that shows itself in a notebook as data for JupyterLab's own plot view, with its sentence as the text.

The usual display of a plotly Figure brings the whole plotting library along, five megabytes into every notebook that stores
its outputs, or asks another host for it. Both are ruled out here; JupyterLab needs only the data.
"""

from __future__ import annotations

import json
from typing import Any

import plotly.graph_objects as go

from workbench.plots.rounding import rounded
from workbench.plots.theme import LIGHT, THEMES

MIME = "application/vnd.plotly.v1+json"


class Figure(go.Figure):  # type: ignore[misc]  # plotly has no types
    """A plotly Figure like any other, but for how a notebook shows it."""

    _ipython_display_ = None

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        sentence = (self.layout.meta or {}).get("sentence", "a figure")
        data = rounded(json.loads(self.to_json(validate=False)))
        data["layout"].setdefault("paper_bgcolor", _paper(data["layout"]))
        return {MIME: data, "text/plain": sentence}


def _paper(layout: dict[str, Any]) -> str:
    """A paper that its texts can be read on: a notebook may be dark where a picture is drawn for light, and the other way round."""
    text = layout.get("template", {}).get("layout", {}).get("font", {}).get("color")
    return next((theme.backgrounds[0] for theme in THEMES.values() if theme.text == text), LIGHT.backgrounds[0])
