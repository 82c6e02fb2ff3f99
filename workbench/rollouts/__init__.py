"""From a draft to the live cluster: what a new file would do to what runs and waits there, before it is rolled out. RO-1 to RO-3.

found = wb.rollout("draft.yaml", "saved-answers/")
print(found)
found.to_html("rollout.html")

One module for each question: `acceptance`, the edits of `comparison.edits`, `effects` (played by `ahead`), `fresh_advice`,
`arrivals`, `tidings`, `back`. `live` is the one place that knows where clusters come from. Nothing is ever written to one.
"""

from workbench.rollouts.live import Live, read_live
from workbench.rollouts.rollout import Rollout, rollout

__all__ = ["Live", "Rollout", "read_live", "rollout"]
