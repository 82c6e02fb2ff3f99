"""Advice on a configuration: what the loader would refuse, what has no effect, what cannot hold. Chapter 09, section 6."""

from workbench.advice.added import register_check
from workbench.advice.check import Check, Remedy
from workbench.advice.checking import checks
from workbench.advice.lint import Finding, Lint, finding
from workbench.advice.trials import Trial, can_be_tried, try_out

__all__ = [
    "Check",
    "Finding",
    "Lint",
    "Remedy",
    "Trial",
    "can_be_tried",
    "checks",
    "finding",
    "register_check",
    "try_out",
]
