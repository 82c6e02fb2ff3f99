"""Would the scheduler accept a file: when it starts with it, and as a reload of what is in force. In the core's own words."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.advice import Check, checks
from workbench.config import checksum, load_config
from workbench.config.model import SchedulerConfig
from workbench.rollouts.live import in_force
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import UpdateConfig
from workbench.scheduler.records.events import ConfigRejected
from workbench.values.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Attributes:
    at_start: why a scheduler would not start with it; empty if it would.
    as_reload: why one that runs would not take it; empty if it would.
    line: of what is wrong, where one is at fault.
    unchanged: it is, text by text, what is in force, so that a reload does nothing.
    hangs: partitions that it takes away. The real core waits for itself then, and never comes back. C-150
    troubles: errors that only loading shows, such as rules that no application can be placed by.
    """

    at_start: str = ""
    as_reload: str = ""
    line: int | None = None
    unchanged: bool = False
    hangs: tuple[str, ...] = ()
    troubles: tuple[Check, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it comes into force, now and after a restart."""
        return not (self.at_start or self.as_reload or self.hangs)


def accepted(text: str, engine: Engine) -> tuple[Acceptance, SchedulerConfig | None]:
    """What becomes of a file at the present moment of an engine with history, and the file loaded; None if it cannot be.

    The engine stays as it is.
    """
    profile = engine.state.profile
    try:
        config = load_config(text, limits_by_path=profile.limits_by_path)
        if not config.partitions:
            raise ConfigError("the configuration has no partition")
    except ConfigError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return Acceptance(f"{error.text}{hint}", _reload(text, engine) or error.text, error.line), None
    at_start, line = "", None
    try:
        Engine(config, release=profile.version, history=False)
    except ConfigError as error:
        at_start, line = error.text, error.line
    now = in_force(engine)
    names = {each.name.lower() for each in config.partitions}
    hangs = tuple(each.name for each in now.partitions if each.name.lower() not in names)
    return (
        Acceptance(
            at_start,
            _reload(text, engine),
            line,
            checksum(text) == checksum(now.text),
            hangs,
            tuple(each for each in checks(config, release=profile.version) if each.severity == "error"),
        ),
        config,
    )


def _reload(text: str, engine: Engine) -> str:
    mark = engine.mark
    try:
        events = engine.apply(UpdateConfig(config=text))
        return next((event.reason for event in events if isinstance(event, ConfigRejected)), "")
    finally:
        engine.unwind(mark)
