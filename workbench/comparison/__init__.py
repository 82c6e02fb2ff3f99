"""Is B better than A? The same arrivals under several designs: who waits longer, who is stopped, why, by which edit. CP-1 to CP-7.

found = wb.compare("queues.yaml", "draft.yaml", workload=monday)
print(found)
found.to_html("report.html")
"""

from workbench.comparison.changes import Change
from workbench.comparison.comparison import Comparison
from workbench.comparison.plan import Plan, compare
from workbench.comparison.sides import Side
from workbench.comparison.table import ChangeTable

__all__ = ["Change", "ChangeTable", "Comparison", "Plan", "Side", "compare"]
