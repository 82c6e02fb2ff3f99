"""What the core's own reader of YAML would say of a text that is no YAML, or has a key that there is not. RE-20

For what lies deeper the configuration is read by rules that the core and the workbench share, and so are the words.
"""

from __future__ import annotations

from workbench.values.errors import ConfigError

NOT_YAML = "not valid YAML: "
UNKNOWN_KEY = "unknown key "
RECORDS = {
    "a configuration": "SchedulerConfig",
    "the configuration": "SchedulerConfig",
    "a partition": "PartitionConfig",
    "a queue": "QueueConfig",
    "a placement rule": "PlacementRule",
    "a filter": "Filter",
    "a limit": "Limit",
    "a child template": "ChildTemplate",
}
"""What the workbench calls a mapping of the configuration -> what the core calls it."""


def reason(error: ConfigError) -> str:
    """The error in the core's words as far as they are known, in ours where not."""
    text = error.text
    if text.startswith(NOT_YAML):
        problem = text.removeprefix(NOT_YAML).partition(" while ")[0]
        where = f"line {error.line}: " if error.line else ""
        return f"yaml: {where}{problem}"
    if text.startswith(UNKNOWN_KEY):
        key, _, called = text.removeprefix(UNKNOWN_KEY).partition(" in ")
        record = RECORDS.get(called)
        if record is not None:
            return f"yaml: unmarshal errors:\n  line {error.line}: field {key[1:-1]} not found in type configs.{record}"
    return text
