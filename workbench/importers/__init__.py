"""What other systems have, as a cluster here: one module for each kind, which registers itself with `registry`.

`opening.opened` tells what a file or a folder is, and reads it.
"""

import workbench.importers.designs  # noqa: F401 - registers its kinds first, so that they lead the list
from workbench.importers import alibaba, designs, rest, yarn
from workbench.importers.kubernetes import importer as kubernetes

__all__ = ["alibaba", "designs", "kubernetes", "rest", "yarn"]
