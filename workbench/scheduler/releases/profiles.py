"""The releases whose rules can be followed: every module of this folder that is named for one, such as `v1_8`, holds its PROFILE.

A new release is one such module. The profile of a cluster never changes.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from workbench.config.properties import Property
from workbench.scheduler import releases
from workbench.scheduler.releases.profile import Profile, StateTimer
from workbench.scheduler.releases.v1_4 import PROFILE as V1_4
from workbench.scheduler.releases.v1_4 import STARTING_NS
from workbench.scheduler.releases.v1_8 import PROFILE as V1_8
from workbench.scheduler.releases.v1_9 import PROFILE as V1_9
from workbench.values.errors import CommandError
from workbench.values.registry import Registry

__all__ = [
    "every_property",
    "DEFAULT",
    "PROFILES",
    "STARTING_NS",
    "V1_4",
    "V1_8",
    "V1_9",
    "Profile",
    "StateTimer",
    "profile_of",
    "register",
    "release_names",
]

PROFILES: Registry[Profile] = Registry("release")
"""Version -> profile, the newest first."""
DEFAULT: Profile = V1_8


def register(profile: Profile) -> Profile:
    """Make a profile known by its version, for scenarios, the command line and the screen. CommandError if it is taken."""
    return PROFILES.register(profile.version, profile)


def release_names(word: str = "and") -> str:
    """The versions that there are, as in "1.9, 1.8 and 1.4"."""
    *others, last = PROFILES
    return f"{', '.join(others)} {word} {last}" if others else last


def profile_of(version: str) -> Profile:
    """The profile of a release, written like "1.4". CommandError if there is none."""
    if version not in PROFILES:
        raise CommandError(f"there is no release {version!r}; there are {release_names()}")
    return PROFILES[version]


def every_property() -> dict[str, Property]:
    """Key -> property, of all that some release evaluates; where several do, as in the newest."""
    found: dict[str, Property] = {}
    for profile in PROFILES.values():
        for key, known in profile.properties.items():
            found.setdefault(key, known)
    return found


def _number(module: str) -> tuple[int, ...]:
    """Of the release that a module is named for; () if it is named for none."""
    parts = module.removeprefix("v").split("_")
    return tuple(map(int, parts)) if module[:1] == "v" and all(part.isdecimal() for part in parts) else ()


for _module in sorted((each.name for each in iter_modules(releases.__path__) if _number(each.name)), key=_number, reverse=True):
    register(import_module(f"{releases.__name__}.{_module}").PROFILE)
