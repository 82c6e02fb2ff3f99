"""Building the queue tree and its settings. Every verb is one undo entry; what would be invalid is refused with a reason.

All raise ConfigError, and change nothing, when the scheduler would refuse the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from workbench.bench import design_edits, schema, study, texts
from workbench.bench.controller import Text, call_of
from workbench.bench.desk import RELOAD, Desk
from workbench.bench.verbs import build_texts, edits
from workbench.bench.work import Work
from workbench.config import edit, load_config
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.config.write.export import accepted, written
from workbench.explain.refused import refused
from workbench.files.writing import write_file
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation.simulation import Simulation
from workbench.values.errors import ConfigError, WorkbenchError

YAML_APPLIED = "The design is now what the YAML says."
NO_PARTITION = "a design needs a partition"
YAML_UNCHANGED = "The YAML is the design in force."


def add_queue(desk: Desk, parent: str, name: str, *, index: int | None = None) -> Work[Text]:
    """Add a queue without settings below `parent`, last unless `index` says otherwise. A leaf becomes a parent by it."""
    path = f"{parent}.{name}".lower()
    return (
        yield from _build(
            desk,
            call_of("add_queue", parent, name, index=index),
            lambda old, at: edit.with_queue_added(old, parent, QueueConfig(name=name), at, index=index),
            lambda new: (path, build_texts.queue_added(path)),
        )
    )


def rename_queue(desk: Desk, path: str, name: str) -> Work[Text]:
    """Give a queue another name; everything below it moves along."""
    renamed = f"{path.rpartition('.')[0]}.{name}".lower()
    return (
        yield from _build(
            desk,
            call_of("rename_queue", path, name),
            lambda old, at: edit.with_queue_renamed(old, path, name, at),
            lambda new: (renamed, build_texts.queue_renamed(path, renamed)),
        )
    )


def duplicate_queue(desk: Desk, path: str, name: str | None = None) -> Work[Text]:
    """Copy a queue with everything below it, right behind it; unnamed it becomes `a-copy`, `a-copy-2` and so on."""
    known = frozenset(edit.paths(desk.config, desk.partition.name))

    def tell(new: SchedulerConfig) -> tuple[str, str]:
        copy = next((each for each in edit.paths(new, desk.partition.name) if each not in known), path)
        return copy, build_texts.queue_duplicated(path, copy)

    return (
        yield from _build(
            desk,
            call_of("duplicate_queue", path, *([name] if name else [])),
            lambda old, at: edit.with_queue_duplicated(old, path, name, at),
            tell,
        )
    )


def move_queue(desk: Desk, path: str, parent: str, *, index: int | None = None) -> Work[Text]:
    """Move a queue with everything below it under another parent, or to another place among its siblings.

    `index` counts among the other children; without it the queue becomes the last.
    """
    moved = f"{parent}.{path.rpartition('.')[2]}".lower()
    return (
        yield from _build(
            desk,
            call_of("move_queue", path, parent, index=index),
            lambda old, at: edit.with_queue_moved(old, path, parent, at, index=index),
            lambda new: (moved, build_texts.queue_moved(path, moved)),
        )
    )


def delete_queue(desk: Desk, path: str) -> Work[Text]:
    """Remove a queue with everything below it."""
    return (
        yield from _build(
            desk,
            call_of("delete_queue", path),
            lambda old, at: edit.without_queue(old, path, at),
            lambda new: (path.rpartition(".")[0], build_texts.queue_deleted(path)),
        )
    )


def set(desk: Desk, path: str, key: str, value: object) -> Work[Text]:
    """Set one setting of a queue, or of the partition with the path "partition"; None goes back to the default.

    `key` is the configuration key, such as "priority.offset", "resources.max" or "limits". Amounts may be a dict, and
    whatever is a list in queues.yaml the text of that list. Returns how the outcome changed.

    Raises:
        ConfigError: no such queue or key, or a value that the scheduler would refuse or ignore. The design is unchanged.
    """
    text = None if value is None else schema.text_of(value)
    with desk.verb(call_of("set", path, key, text), works=True) as say:
        config = design_edits.with_setting(desk.config, path, key, text, desk.partition)
        if config == desk.config:
            say(texts.unchanged(path, key))
        else:
            outcome = yield from edits.redesign(desk, config)
            say(texts.EDIT_STOPPED if outcome is None else f"{build_texts.setting_changed(path, key, text)} {outcome}")
    return Text(desk.status.text)


def edit_yaml(desk: Desk, text: str) -> Work[Text]:
    """Replace the whole design by the text of a queues.yaml. ConfigError with the line if the scheduler refuses it."""
    with desk.verb(call_of("edit_yaml", text), works=True) as say:
        config = load_config(text)
        if not config.partitions:
            raise ConfigError(NO_PARTITION)
        if config.text == written(desk.config).text:
            say(YAML_UNCHANGED)
        else:
            outcome = yield from edits.redesign(desk, config)
            if outcome is not None:
                desk.draft = None
            say(texts.EDIT_STOPPED if outcome is None else f"{YAML_APPLIED} {outcome}")
    return Text(desk.status.text)


def reload(desk: Desk, text: str, *, path: str | Path | None = None) -> Work[Text]:
    """Replace the whole design now, as on a live cluster, whatever the switch for edits says. With a `path` the text is written
    there as well, as it came; either both happens or nothing.

    Raises:
        ConfigError: with the line, if the scheduler refuses the text, or refuses it at this step.
        FileError: the file cannot be written.
    """
    with desk.verb(call_of("reload", text, path=None if path is None else str(path)), works=True) as say:
        config = load_config(text, limits_by_path=profile_of(desk.simulation.release).limits_by_path)
        if not config.partitions:
            raise ConfigError(NO_PARTITION)
        outcome = yield from edits.redesign(desk, config, RELOAD)
        if path is not None and outcome is not None:
            write_file(path, text)
        say(texts.EDIT_STOPPED if outcome is None else f"{build_texts.reloaded(None if path is None else str(path))} {outcome}")
    return Text(desk.status.text)


def would_refuse(desk: Desk, verb: str, *arguments: str, index: int | None = None) -> Text:
    """What the scheduler would refuse of all that was put in at the start, if this change of the tree were made, and why.

    "" where it would refuse nothing more than now, where edits apply from now on, and for a change that is not possible at all.
    `verb` is "add_queue", "rename_queue", "duplicate_queue", "move_queue" or "delete_queue", with its arguments.
    """
    if desk.edits == RELOAD or verb not in _CHANGES:
        return Text("")
    try:
        config = accepted(_CHANGES[verb](desk.config, desk.partition.name, index, *arguments))
        wanted = study.with_design(study.up_to_here(desk.study()), desk.config, config)
        then = refused(Simulation.from_scenario(wanted.scenario))
    except WorkbenchError:
        return Text("")
    now = desk.refused
    why = [
        *(each for id, each in then.applications.items() if id not in now.applications),
        *(each for who, each in then.requests.items() if who not in now.requests),
    ]
    return Text(build_texts.would_be_refused(then.many, why[0]) if why else "")


_CHANGES: Mapping[str, Callable[..., SchedulerConfig]] = {
    "add_queue": lambda old, at, index, parent, name: edit.with_queue_added(old, parent, QueueConfig(name=name), at, index=index),
    "rename_queue": lambda old, at, index, path, name: edit.with_queue_renamed(old, path, name, at),
    "duplicate_queue": lambda old, at, index, path: edit.with_queue_duplicated(old, path, None, at),
    "move_queue": lambda old, at, index, path, parent: edit.with_queue_moved(old, path, parent, at, index=index),
    "delete_queue": lambda old, at, index, path: edit.without_queue(old, path, at),
}


def _build(
    desk: Desk,
    call: str,
    change: Callable[[SchedulerConfig, str], SchedulerConfig],
    tell: Callable[[SchedulerConfig], tuple[str, str]],
) -> Work[Text]:
    """Work: change the tree and select the queue that it is about; `tell` gives its path and what was done."""
    with desk.verb(call, works=True) as say:
        config = change(desk.config, desk.partition.name)
        if config == desk.config:
            say(texts.NOTHING_CHANGED)
        else:
            config = accepted(config)
            outcome = yield from edits.redesign(desk, config)
            selected, done = tell(config)
            if outcome is not None:
                desk.selected, desk.selected_request = selected, None
                desk.drop_lost_selection()
            say(texts.EDIT_STOPPED if outcome is None else f"{done} {outcome}")
    return Text(desk.status.text)
