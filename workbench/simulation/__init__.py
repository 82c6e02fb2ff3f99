"""Experiments on top of the scheduler: scenarios, simulated time, stepping forwards and back, waiting asks and their reasons."""

from workbench.simulation.simulation import Simulation, Step, amounts_of, asks
from workbench.simulation.upgrade import Upgrade
from workbench.simulation.waiting import Waiting

__all__ = ["Simulation", "Step", "Upgrade", "Waiting", "amounts_of", "asks"]
