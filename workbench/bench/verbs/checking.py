"""Checking the design: what the scheduler would refuse, ignore or never do, and applying what would mend it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from workbench import advice
from workbench.advice import Check, Remedy, Trial, check_texts
from workbench.bench import texts
from workbench.bench.checked import Checked, Checks
from workbench.bench.controller import Text, call_of
from workbench.bench.desk import Desk
from workbench.bench.verbs import edits
from workbench.bench.work import Work
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import accepted, written
from workbench.explain.wording import counted, listing, name
from workbench.values.errors import CommandError

SLOW_SECONDS = 0.05
"""Checks that took longer than that are not made anew at every step."""


def check(desk: Desk) -> Checks:
    """Every check of the design in force with the present nodes and applications: errors, then warnings, then hints."""
    with desk.verb("bench.check()", silent=True) as say:
        found = checked(desk, anew=True).checks
        say(checks_summary(_counts(found)))
    return found


def mend(desk: Desk, code: str, path: str = "", remedy: str = "", *, partition: str = "") -> Work[Text]:
    """Apply a remedy of a check of that code and queue: by its text, or the first one. One undo entry.

    `partition` is the one on the screen unless it is given.

    Raises:
        CommandError: there is no such check now, or it has no such remedy.
        ConfigError: the scheduler would refuse the result. The design is unchanged.
    """
    with desk.verb(call_of("mend", code, path, remedy=remedy, partition=partition), works=True) as say:
        wanted = _remedy(desk, code, path, remedy, partition or desk.partition.name)
        config = wanted.apply(desk.config)
        if config == desk.config:
            say(texts.NOTHING_CHANGED)
        else:
            outcome = yield from edits.redesign(desk, accepted(config))
            say(texts.EDIT_STOPPED if outcome is None else f"{mended(wanted.description)} {outcome}")
    return Text(desk.status.text)


def try_out(desk: Desk, code: str, path: str = "", *, partition: str = "") -> Text:
    """Play a small workload that should bring about what a check of that code and queue says, in a cluster of its own.

    What came of it, as a sentence. CommandError if there is no such check now, or nothing to try for it.
    """
    with desk.verb(call_of("try_out", code, path, partition=partition), silent=True) as say:
        found = _found(desk, code, path, partition or desk.partition.name)
        wanted = next((each for each in found if advice.can_be_tried(each)), None)
        if wanted is None:
            raise CommandError(nothing_to_try(code, path, bool(found)))
        trial = advice.try_out(wanted, desk.config)
        known = desk.trials[1] if desk.trials is not None and desk.trials[0] is desk.config else {}
        desk.trials = desk.config, {**known, str(wanted): trial}
        say(trial.text)
    return Text(trial.text)


def trial_of(desk: Desk, check: Check) -> Trial | None:
    """What came of trying that check of the design in force; None if it was not tried."""
    if desk.trials is None or desk.trials[0] is not desk.config:
        return None
    return desk.trials[1].get(str(check))


def checked(desk: Desk, *, anew: bool = False) -> Checked:
    """The checks of the present. Mere steps make them anew only where that is quick, or with `anew`."""
    found, wanted = desk.checks_made, _of_present(desk)
    if found is None or are_due(desk) or anew and found.instant != wanted[2]:
        started = time.perf_counter()
        made = Checks(advice.checks(written(desk.config), desk.simulation.state))
        found = desk.checks_made = Checked(made, *wanted, time.perf_counter() - started)
    return found


def are_due(desk: Desk) -> bool:
    """Whether `checked` would make the checks anew."""
    found, (config, inputs, instant) = desk.checks_made, _of_present(desk)
    return (
        found is None
        or found.config is not config
        or found.inputs != inputs
        or found.instant != instant
        and found.seconds <= SLOW_SECONDS
    )


def _of_present(desk: Desk) -> tuple[SchedulerConfig, int, tuple[int, int]]:
    """What checks depend on: the design, the inputs and the instant."""
    simulation = desk.simulation
    return desk.config, len(simulation.inputs), (simulation.position, simulation.now_ns)


def _remedy(desk: Desk, code: str, path: str, text: str, partition: str) -> Remedy:
    found = _found(desk, code, path, partition)
    remedies = [one for each in found for one in each.remedies]
    wanted = next((one for one in remedies if text in ("", one.description)), None)
    if wanted is None:
        raise CommandError(no_remedy(code, path, bool(found), [one.description for one in remedies]))
    return wanted


def _found(desk: Desk, code: str, path: str, partition: str) -> list[Check]:
    return [each for each in checked(desk, anew=True).checks if (each.code, each.path, each.partition) == (code, path, partition)]


def _counts(found: Checks) -> dict[str, int]:
    counts = dict.fromkeys(check_texts.SEVERITY_NAMES, 0)
    for each in found:
        counts[each.severity] += 1
    return counts


# ---- in words ---------------------------------------------------------------------------------------------------------


def checks_summary(counts: Mapping[str, int]) -> str:
    """How many of each severity."""
    found = [counted(number, check_texts.SEVERITY_NAMES[severity]) for severity, number in counts.items() if number]
    return f"Checks: {', '.join(found)}." if found else texts.NO_CHECKS


def nothing_to_try(code: str, path: str, found: bool) -> str:
    where = texts.check_place(path, "") if path else "the partition"
    return f"check {name(code)} of {where} needs no trial" if found else no_remedy(code, path, False, ())


def mended(remedy: str) -> str:
    return f"Applied: {remedy}"


def no_remedy(code: str, path: str, found: bool, remedies: Sequence[str]) -> str:
    where = texts.check_place(path, "") if path else "the partition"
    if not found:
        return f"no check {name(code)} is there now for {where}"
    return f"check {name(code)} of {where} has no such remedy; it has {listing(remedies, most=5) or 'none'}"
