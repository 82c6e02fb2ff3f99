"""The codes that findings can carry, and which of them are only found where there is a state to look at."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.advice.lint import Lint
from workbench.advice.lints.table import CLUSTER_CHECKS


def known_codes() -> tuple[str, ...]:
    """Every code, sorted; those of added checks too."""
    return tuple(sorted({each.code for each in _lints()}))


def needs_a_state(code: str) -> bool:
    """Whether it is found only with nodes, applications or settings in force: with `checks(config, cluster)`."""
    looking = {check.__module__ for check in CLUSTER_CHECKS}
    return all(each.__module__ in looking for each in _lints() if each.code == code)


def _lints(of: type[Lint] = Lint) -> Iterator[type[Lint]]:
    for each in of.__subclasses__():
        if hasattr(each, "code"):
            yield each
        yield from _lints(each)
