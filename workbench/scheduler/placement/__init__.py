"""Which queue an application goes to: rules, filters, and whose groups count. Chapter 03, sections 2 to 8 and 9.3.

Reads the partition and answers with values; creating what is missing and registering the application is left to
`applications.py` and `dynamic_queues.py`. Only `identity` writes: it remembers the groups of users (PL-16).
"""

from workbench.scheduler.placement.chain import Attempt, NotPlaced, Placed, place
from workbench.scheduler.placement.rule import Rule
from workbench.scheduler.placement.rule_set import build_rules
from workbench.scheduler.placement.rules import canonical_name, is_extension

__all__ = ["Attempt", "NotPlaced", "Placed", "Rule", "build_rules", "canonical_name", "is_extension", "place"]
