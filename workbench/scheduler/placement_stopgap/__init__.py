"""Placement: which queue an application goes to. Chapter 03 sections 1 to 8.

Everything here reads and answers; queues that are missing are created by `dynamic_queues`.
"""

from workbench.scheduler.placement_stopgap.chain import NotPlaced, Placed, RuleStep, place
from workbench.scheduler.placement_stopgap.rules import build_rules

__all__ = ["NotPlaced", "Placed", "RuleStep", "build_rules", "place"]
