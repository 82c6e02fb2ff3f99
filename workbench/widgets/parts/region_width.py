"""How wide the picture region is in the browser and how high its head: pictures are laid out in pixels, so Python has to know."""

from __future__ import annotations

import anywidget
import traitlets

from workbench.widgets.parts.browser_part import script


class RegionWidth(anywidget.AnyWidget):
    """An invisible element inside a region of class `wb-picture-region`.

    Traits:
        width: pixels, in steps of ten; 0 until a browser has measured. With several views the last one measured counts.
        head: pixels that the sentence and the controls above the picture take; 0 until a browser has measured.
    """

    _esm = script("region_width.js")

    width = traitlets.Int(0).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
