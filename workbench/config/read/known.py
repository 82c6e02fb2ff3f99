"""Texts that were read a moment ago, and what they say: an edit, its undo and its session are about the same few.

Reading the same text gives the same configuration, and a configuration cannot be changed, so what is kept here decides nothing
but how long an answer takes.
"""

from __future__ import annotations

from collections import OrderedDict

from workbench.config.model import SchedulerConfig

MOST_KNOWN = 16
"""Texts that are kept, the latest ones."""
MOST_CHARACTERS = 4_000_000
"""Longer texts are not kept."""

_KNOWN: OrderedDict[tuple[str, bool], SchedulerConfig] = OrderedDict()


def known(text: str, *, limits_by_path: bool = True) -> SchedulerConfig | None:
    """What the text was found to say, all of it acceptable to the scheduler; None if it was not read lately.

    `limits_by_path`: how the limits were compared, see `load_config`.
    """
    return _KNOWN.get((text, limits_by_path))


def learn(config: SchedulerConfig, *, limits_by_path: bool = True) -> SchedulerConfig:
    """Keep a configuration that is complete and acceptable and says what its own text says. It is given back."""
    if len(config.text) <= MOST_CHARACTERS:
        _KNOWN[config.text, limits_by_path] = config
        while len(_KNOWN) > MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return config
