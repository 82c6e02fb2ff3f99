"""Laws are checked without a deadline: how long an example takes on a shared machine is not what they are about.

In CI the examples are the same in every run; elsewhere each run tries others. Nothing is remembered between runs: a failing
example prints what reproduces it.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("laws", deadline=None, print_blob=True, database=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("laws")
