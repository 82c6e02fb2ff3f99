"""Laws are checked without a deadline: how long an example takes on a shared machine is not what they are about."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("laws", deadline=None, print_blob=True)
settings.load_profile("laws")
