"""Pictures on a page that is to stay small: the drawing script packed, once, and the data of each picture beside it.

The script alone is larger than what many mail servers let through; packed it is less than two megabytes. The browser unpacks it
itself (`DecompressionStream`, in every browser since 2023), so that the page needs no network. Where scripts are not run, what
stands beside the pictures has to do: each has a table.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from workbench.plots.rounding import rounded

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LOADER = """\
<script type="text/plain" id="drawing-script">%s</script>
<script>
(async () => {
  const packed = document.getElementById("drawing-script");
  const bytes = Uint8Array.from(atob(packed.textContent), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.appendChild(script);
  packed.remove();
  for (const place of document.querySelectorAll("[data-picture]")) {
    const picture = JSON.parse(place.querySelector("script").textContent);
    place.replaceChildren();
    await Plotly.newPlot(place, picture.data, picture.layout, {displaylogo: false, displayModeBar: false});
  }
  document.documentElement.dataset.drawn = "yes";
})();
</script>
"""


def picture_html(figure: go.Figure, identifier: str) -> str:
    """A picture as markup, to be drawn by `loader_html`. Its sentence is its text alternative."""
    sentence = (figure.layout.meta or {}).get("sentence", "a picture")
    # Within a script element only its end could be read as markup.
    data = json.dumps(rounded(json.loads(figure.to_json())), separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div id="{escape(identifier)}" data-picture role="img" aria-label="{escape(sentence)}" '
        f'style="min-height:{figure.layout.height or 300}px"><script type="application/json">{data}</script></div>'
    )


@cache
def loader_html() -> str:
    """The script that draws all pictures of a page; once, at its end."""
    from plotly.offline import get_plotlyjs

    return _LOADER % base64.b64encode(gzip.compress(get_plotlyjs().encode("utf-8"), 9, mtime=0)).decode("ascii")
