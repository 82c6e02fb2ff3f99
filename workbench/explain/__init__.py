"""Decisions and the state in words: sentences, reasons and plain-text tables. English is in `catalogue` only."""

from workbench.explain.catalogue import reason, short_name
from workbench.explain.tables import Table, node_rows, order_rows, pending_rows, queue_rows, render, step_rows, waiting_rows
from workbench.explain.why import Explanation, title, why, why_not

__all__ = [
    "Explanation", "Table", "node_rows", "order_rows", "pending_rows", "queue_rows", "reason", "render", "short_name",
    "step_rows", "title", "waiting_rows", "why", "why_not",
]
