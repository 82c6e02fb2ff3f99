"""Pictures of a sweep: each is one call with a sentence, and has its table.

    sweep.picture("lines", setting="root.prod:priority.offset", measure="wait.p95", of="root.prod")

`PICTURES` holds them by name; own ones are added with `register_picture`.
"""

from workbench.sweeps.pictures import heat, lines, parallel, tradeoffs
from workbench.sweeps.pictures.picture import PICTURES, Picture, register_picture

register_picture("lines", lines.lines)
register_picture("heat", heat.heat)
register_picture("parallel", parallel.parallel)
register_picture("tradeoffs", tradeoffs.tradeoffs)

__all__ = ["PICTURES", "Picture", "heat", "lines", "parallel", "register_picture", "tradeoffs"]
