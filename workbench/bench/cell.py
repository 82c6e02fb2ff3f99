"""Which cell of a notebook is being run, as far as the front end tells its kernel. Nothing else is asked of IPython."""

from __future__ import annotations

import sys


def cell_id() -> str:
    """The id of the cell that is run now; "" outside of notebooks, and in front ends that do not tell."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    try:
        return str(shell.get_parent()["metadata"]["cellId"]) if shell is not None else ""
    except (AttributeError, LookupError, TypeError):
        return ""
