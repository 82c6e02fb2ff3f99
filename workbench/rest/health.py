"""`scheduler/healthcheck`: the last check of what must always hold. RE-22"""

from __future__ import annotations

from typing import Any

from workbench.rest.routes import Request
from workbench.rest.source import Source


def last_check(source: Source, request: Request) -> dict[str, Any]:
    """What the check at the last full half minute found."""
    return {}
