"""Checks that depend on a workload, tried out. The scenario that was played comes along, to be opened and stepped through."""

from workbench.advice.trials import of_placing, of_preemption
from workbench.advice.trials.trying import Trial, can_be_tried, try_out

__all__ = ["Trial", "can_be_tried", "of_placing", "of_preemption", "try_out"]
