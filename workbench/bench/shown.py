"""Which workbench is on the screen, for what can be asked of it without naming it."""

from __future__ import annotations

import weakref
from typing import Any

from workbench.bench.desk import Desk
from workbench.bench.serving import Server
from workbench.values.errors import CommandError
from workbench.values.found import found

NOTHING_SHOWN = (
    "no workbench is on the screen, so there is nothing to serve; leave one as the last line of a cell first, or name it: "
    "wb.serve(bench)"
)
_last: list[weakref.ref[Desk]] = []


def note(bench: Desk) -> None:
    """That workbench is shown now."""
    _last[:] = [weakref.ref(bench)]


def serve(bench: Desk | None = None, port: int = 0, **options: Any) -> Server:
    """Serve a workbench over HTTP, without one that which was shown last; see `Workbench.serve`.

    Raises:
        CommandError: none is shown, and as `Workbench.serve`.
    """
    chosen = bench if bench is not None else _last[0]() if _last else None
    if chosen is None:
        raise CommandError(NOTHING_SHOWN)
    if not isinstance(chosen, Desk):
        raise CommandError(f"what is served is a workbench, not {found(chosen)}")
    serving: Server = chosen.serve(port, **options)  # type: ignore[attr-defined]
    return serving
