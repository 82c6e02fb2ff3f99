"""Made-up workloads: described in a few lines, drawn with a seed, fitted to real ones. WL-15."""

from workbench.workloads.generators.arrivals import ARRIVALS, Arrivals, register_arrivals
from workbench.workloads.generators.distributions import DISTRIBUTIONS, Distribution, register_distribution
from workbench.workloads.generators.fitting import fit
from workbench.workloads.generators.making import read, synthetic
from workbench.workloads.generators.presets import PRESETS, Preset, Recipe, preset, register_preset
from workbench.workloads.generators.report import FitReport
from workbench.workloads.generators.spec import JobClass, Synthetic

__all__ = [
    "ARRIVALS",
    "DISTRIBUTIONS",
    "PRESETS",
    "Arrivals",
    "Distribution",
    "FitReport",
    "JobClass",
    "Preset",
    "Recipe",
    "Synthetic",
    "fit",
    "preset",
    "read",
    "register_arrivals",
    "register_distribution",
    "register_preset",
    "synthetic",
]
