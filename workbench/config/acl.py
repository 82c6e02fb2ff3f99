"""Access control lists: who may submit to a queue or administer it. Rules C-100 to C-108.

An ACL text is `*`, or a user list, optionally one blank and a group list. Two readers exist in the core and disagree
about blanks: the validator (`check_acl`) trims and splits on any white space, the builder (`Acl.parse`) does not trim
and splits on single blanks. A text may therefore pass validation and fail to load (C-102). Asking the queues on the
way to the root is left to the scheduler (C-106).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.values.errors import ConfigError

WILDCARD = "*"

# Stricter than the names of limits and filters (C-61, C-62): what does not comply is dropped without a word. C-103
USER_NAME = re.compile(r"[_a-zA-Z][a-zA-Z0-9_.@-]*\$?")
GROUP_NAME = re.compile(r"[_a-zA-Z][a-zA-Z0-9_-]*")

_HINT = "write users, one blank, groups: 'sue,bob dev,test'; no blank after a comma, before or behind"


@dataclass(frozen=True, slots=True)
class Acl:
    """A built list. Immutable; `everybody` overrides the names."""

    users: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    everybody: bool = False

    @classmethod
    def parse(cls, text: str) -> Acl:
        """The list as the core builds it when a queue is created or reloaded. C-102 to C-104.

        Raises:
            ConfigError: more than one blank; the text quotes the ACL untrimmed.
        """
        parts = text.split(" ")
        if len(parts) > 2:
            raise ConfigError(_many_blanks(text), hint=_HINT)
        users, groups = parts[0], parts[1] if len(parts) == 2 else ""
        if WILDCARD in (text.strip(), users, groups):
            return EVERYBODY
        return cls(_names(users, USER_NAME), _names(groups, GROUP_NAME))

    def allows(self, user: str, groups: Iterable[str] = ()) -> bool:
        """Whether this list alone lets the user or one of the groups in; exact and case sensitive. C-105."""
        return self.everybody or user in self.users or any(group in self.groups for group in groups)


NOBODY = Acl()
EVERYBODY = Acl(everybody=True)


def check_acl(text: str) -> str | None:
    """Why the configuration validator refuses the text, in the core's words; None if it accepts. C-36, C-101."""
    text = text.strip()
    return _many_blanks(text) if len(text.split()) > 2 else None


def dropped_names(text: str) -> tuple[str, ...]:
    """Names in the text that can never match and that the core drops without a word, in written order. C-103, C-104.

    Empty when the text does not load, and when it allows everybody.
    """
    parts = text.split(" ")
    if len(parts) > 2 or Acl.parse(text).everybody:
        return ()
    patterns = zip(parts, (USER_NAME, GROUP_NAME), strict=False)
    return tuple(name for part, pattern in patterns for name in part.split(",") if name and not pattern.fullmatch(name))


def _names(part: str, pattern: re.Pattern[str]) -> frozenset[str]:
    return frozenset(name for name in part.split(",") if pattern.fullmatch(name))


def _many_blanks(text: str) -> str:
    return f"multiple spaces found in ACL: '{text}'"
