"""Refusals and surprises in words, in modules by family, named like those of `scheduler.records.refusals`.

The values are made by the engine, which knows no words: amounts, units and names are written here.
"""

from workbench.explain.refusals import nodes, placement, preemption, room, slots, surprises, taking_part, victims
from workbench.explain.refusals.saying import preemption_reason, raw, raw_text, reason, short_name, surprise

__all__ = [
    "nodes",
    "placement",
    "preemption",
    "preemption_reason",
    "raw",
    "raw_text",
    "reason",
    "room",
    "short_name",
    "slots",
    "surprise",
    "surprises",
    "taking_part",
    "victims",
]
