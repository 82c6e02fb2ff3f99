"""What an edit of the tree did, for the status line."""

from __future__ import annotations

from workbench.explain.wording import NAME_LENGTH, name


def setting_changed(path: str, key: str, value: str | None) -> str:
    """Values of several lines are not repeated."""
    if value is None:
        return f"{name(key)} of {name(path)} is no longer set."
    if "\n" in value or len(value) > NAME_LENGTH:
        return f"{name(key)} of {name(path)} is changed."
    return f"{name(key)} of {name(path)} is now {name(value)}."


def queue_added(path: str) -> str:
    return f"{name(path)} is added."


def queue_renamed(path: str, new: str) -> str:
    return f"{name(path)} is now {name(new)}."


def queue_moved(path: str, new: str) -> str:
    if path.lower() == new:
        return f"{name(path)} has another place among its siblings."
    return f"{name(path)} has moved to {name(new)}."


def queue_duplicated(path: str, new: str) -> str:
    return f"{name(path)} is copied to {name(new)}."


def queue_deleted(path: str) -> str:
    return f"{name(path)} is removed. Undo brings it back."


def reloaded(path: str | None) -> str:
    return (
        "The design is the one that was given."
        if path is None
        else f"The design is the one that was given, and {name(path, 200)} says so."
    )


def would_be_refused(many: str, why: str) -> str:
    return f"With this the scheduler would refuse {many}. {why}"
