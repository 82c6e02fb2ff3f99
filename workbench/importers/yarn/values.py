"""Single values of properties: numbers, switches, lists of access."""

from __future__ import annotations

import re

from workbench.importers.yarn.document import Property
from workbench.values.found import shown

_USER = re.compile(r"[_a-zA-Z][a-zA-Z0-9_.@-]*[$]?")
_GROUP = re.compile(r"[_a-zA-Z][a-zA-Z0-9_-]*")
LARGEST = 2**31 - 1


def whole(property: Property, least: int = -LARGEST) -> int:
    """A whole number. ConfigError if it is none, or too small or large."""
    if not re.fullmatch(r"[+-]?[0-9]{1,10}", property.value) or not least <= int(property.value) <= LARGEST:
        raise property.fault(f"{shown(property.value)} is no whole number", f"from {least} to {LARGEST}")
    return int(property.value)


def decimal(property: Property) -> float:
    """A number, -1 for none. ConfigError if it is none."""
    if not re.fullmatch(r"-1(?:\.0+)?|[0-9]{1,9}(?:\.[0-9]{1,9})?", property.value):
        raise property.fault(f"{shown(property.value)} is no number", "such as 1, 0.5 or 2, or -1 for none")
    return float(property.value)


def switch(property: Property) -> bool:
    """True or false. ConfigError if it is neither."""
    if property.value.lower() not in ("true", "false"):
        raise property.fault(f"{shown(property.value)} is neither true nor false")
    return property.value.lower() == "true"


def access(property: Property) -> tuple[str, tuple[str, ...]]:
    """Users, a blank, groups, as both schedulers write it; "" for nobody. Also the names that can never match here (C-103)."""
    text = property.text.strip("\t\r\n") if "\n" in property.text else property.text
    users_text, _, groups_text = text.partition(" ") if text.strip() else ("", "", "")
    users, groups = _names(users_text), _names(groups_text)
    if "*" in (*users, *groups):
        return "*", ()
    lost = [each for each in users if not _USER.fullmatch(each)] + [each for each in groups if not _GROUP.fullmatch(each)]
    kept = ",".join(each for each in users if each not in lost), ",".join(each for each in groups if each not in lost)
    return (f"{kept[0]} {kept[1]}" if kept[1] else kept[0]), tuple(lost)


def _names(text: str) -> list[str]:
    return [each for part in text.split(",") if (each := part.strip())]
