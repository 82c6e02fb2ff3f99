"""What would change it: for a waiting ask, the smallest change that flips the test which keeps it, tried before it is told. E-5.

The changes are proposed by the modules of this folder, which are named like the families of `records.refusals`; `trying`
carries them out and undoes them.
"""

from workbench.simulation.remedies import nodes, order, preemption, room, slots
from workbench.simulation.remedies.remedy import EFFECTS, KINDS, Remedies, Remedy
from workbench.simulation.remedies.trying import remedies

__all__ = ["EFFECTS", "KINDS", "Remedies", "Remedy", "nodes", "order", "preemption", "remedies", "room", "slots"]
