"""The core's own texts on an ask: message, count, last time. R-474, R-580.

The plain search counts as the core does. The incremental one does not ask again whose answer it knows, so there the count is
of real looks, and the last time that of the last one; decisions and events do not depend on it.
"""

from __future__ import annotations

from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Allocation


def note(ctx: Context, ask: Allocation, message: str) -> None:
    """Write `message` on the ask once more."""
    count, _ = ask.log.get(message, (0, 0))
    ctx.journal.put(ask, "log", message, (count + 1, ctx.now_ns))
