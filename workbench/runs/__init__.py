"""What becomes of a workload under a design: the run itself, what happened in it, and any moment of it to look at."""

from workbench.runs.run import Run
from workbench.runs.simulate import simulate

__all__ = ["Run", "simulate"]
