"""How often property tests try: `@examples(40)` above a test, and the profiles that say what comes of it.

- `laws`, the usual one: the examples follow from the text of the test, so that a run tells about the change alone.
- `search`, chosen by `--hypothesis-profile=search`: fifty times as many examples, other ones in every run. What it finds is
  written above its test as an `@example`.

A test tries as often as a second or two allow, so that both the usual run and the long search are run, and not put off.

Neither has a deadline: how long an example takes on a shared machine is not what laws are about. Nothing is remembered between
runs; a failing example prints what reproduces it.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

USUAL = 100
"""Examples of a test that does not say how many."""
TIMES = 50
"""How many times as many the long search tries."""


def register_profiles() -> None:
    """Make the profiles known, and the usual one the one that holds unless the command line chooses another."""
    settings.register_profile("laws", max_examples=USUAL, derandomize=True, deadline=None, print_blob=True, database=None)
    settings.register_profile(
        "search",
        settings.get_profile("laws"),
        derandomize=False,
        max_examples=USUAL * TIMES,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("laws")


def examples(count: int, **more: Any) -> settings:
    """Try so many examples, in a long search as many times more as its profile says; `more` are further settings."""
    return settings(max_examples=count * settings.default.max_examples // USUAL, **more)
