"""What is legal and yet does not do what it seems to: the checks that need nothing but the configuration. E-40, section 6."""

from workbench.config.checks.design import Design, QueueFacts, designs, texts_with
from workbench.config.checks.finding import SEVERITIES, Edit, Finding, Repair, Severity, applied
from workbench.config.checks.table import CHECKS, findings

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Design",
    "Edit",
    "Finding",
    "QueueFacts",
    "Repair",
    "Severity",
    "applied",
    "designs",
    "findings",
    "texts_with",
]
