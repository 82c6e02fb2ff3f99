"""The pictures of a comparison: one call each, with a sentence, and a table that says the same. CP-6

A module for each has `rows` of a comparison, `figure` of rows, `table` of rows. A queue has the same mark in all of them.
"""

from workbench.comparison.pictures import debt, jobs, queues, stopped, use, waits
from workbench.comparison.pictures.marks import Kind, Kinds

PICTURES: Kinds = {
    "use": Kind("Use over time", use.rows, use.figure, use.table, of_resource=True),
    "queues": Kind("Waits by queue", queues.rows, queues.figure, queues.table),
    "waits": Kind("How waits are spread", waits.rows, waits.figure, waits.table),
    "jobs": Kind("Job by job", jobs.rows, jobs.figure, jobs.table),
    "debt": Kind("Short of guarantees", debt.rows, debt.figure, debt.table, of_resource=True),
    "stopped": Kind("Who was stopped for whom", stopped.rows, stopped.figure, stopped.table),
}
"""Name -> picture, in the order in which a report has them."""

__all__ = ["PICTURES"]
