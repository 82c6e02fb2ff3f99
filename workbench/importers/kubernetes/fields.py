"""Parts of an object as it was read: what is missing is empty, what is of another kind is told with its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from workbench.values.found import found
from workbench.values.text import is_text

Read = TypeVar("Read")

Object = Mapping[str, Any]
"""One object of Kubernetes, or a part of one, as plain values."""


class WrongField(ValueError):
    """A field holds something else than Kubernetes would take.

    Attributes:
        key: where it is in the object, such as `spec.containers[0].resources`.
        text: what was found, and what is allowed.
    """

    def __init__(self, key: str, text: str):
        self.key, self.text = key, text
        super().__init__(f"{key}: {text}")


def value(of: Object, *path: str) -> Any:
    """What is at the path; None if anything on the way is missing."""
    here: Any = of
    for place, key in enumerate(path):
        if here is None:
            return None
        if not isinstance(here, Mapping):
            wrong(path[:place], here, "a mapping")
        here = here.get(key)
    return here


def mapping(of: Object, *path: str) -> Object:
    """The mapping at the path."""
    here = value(of, *path)
    if here is None:
        return {}
    if not isinstance(here, Mapping):
        wrong(path, here, "a mapping")
    return here


def entries(of: Object, *path: str) -> list[Object]:
    """The mappings in the list at the path."""
    here = value(of, *path)
    if here is None:
        return []
    if not isinstance(here, list):
        wrong(path, here, "a list")
    for place, each in enumerate(here):
        if not isinstance(each, Mapping):
            wrong((*path[:-1], f"{path[-1]}[{place}]"), each, "a mapping")
    return here


def text(of: Object, *path: str) -> str:
    """The text at the path."""
    here = value(of, *path)
    if here is None:
        return ""
    if not is_text(here):
        wrong(path, here, "a text")
    return str(here)


def texts(of: Object, *path: str) -> Mapping[str, str]:
    """The mapping of texts to texts at the path, such as labels."""
    here = mapping(of, *path)
    for key, each in here.items():
        if not is_text(key) or not is_text(each):
            wrong((*path, str(key)), each, "a text in quotes")
    return here


def integer(of: Object, *path: str) -> int | None:
    """The whole number at the path."""
    here = value(of, *path)
    if here is not None and type(here) is not int:
        wrong(path, here, "a whole number")
    return here


def names(of: Object, *path: str) -> list[str]:
    """The list of texts at the path."""
    here = value(of, *path)
    if here is None:
        return []
    if not isinstance(here, list) or not all(map(is_text, here)):
        wrong(path, here, "a list of texts")
    return here


def within(place: str, read: Callable[..., Read], *arguments: Any) -> Read:
    """What `read` makes of a part of an object; what it refuses is told with the place of that part."""
    try:
        return read(*arguments)
    except WrongField as error:
        raise WrongField(f"{place}.{error.key}", error.text) from None


def wrong(path: tuple[str, ...], here: object, wanted: str) -> NoReturn:
    """Raise WrongField for what is at the path."""
    raise WrongField(".".join(path) or "the object", f"found {found(here)}, allowed is {wanted}")
