"""Edits and undo: how a changed design or changed inputs take effect, each as one entry that can be taken back (U-4, U-16)."""

from __future__ import annotations

from dataclasses import replace

from workbench.bench import design_edits, study, texts
from workbench.bench.controller import Text, call_of
from workbench.bench.desk import RELOAD, RERUN, Desk
from workbench.bench.study import Study
from workbench.bench.verbs import edits_texts
from workbench.bench.work import Work
from workbench.config.diff import diff
from workbench.config.model import SchedulerConfig
from workbench.explain.refused import Refused
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.passes.surprises import present_priority
from workbench.scheduler.releases.profiles import profile_of
from workbench.values.errors import CommandError


def edit_mode(desk: Desk, mode: str) -> None:
    """What later edits do: "rerun" plays the same inputs again from the start, "reload" applies them at this step.

    CommandError for another mode.
    """
    with desk.verb(call_of("edit_mode", mode), repeats="bench.edit_mode(") as say:
        if mode not in (RERUN, RELOAD):
            raise CommandError(texts.no_such("edit mode", mode, (RERUN, RELOAD)))
        desk.edits = mode
        say(texts.EDIT_MODES[mode])


def release(desk: Desk, version: str) -> Work[Text]:
    """Follow the rules of another release of the core, such as "1.9": the same design and inputs are played again. One undo entry.

    CommandError if that release is not known, ConfigError if it would refuse the design; then nothing changes.
    """
    with desk.verb(call_of("release", version), works=True) as say:
        profile_of(version)
        before = desk.study()
        if version == desk.simulation.release:
            say(edits_texts.release_is(version))
        else:
            scenario = replace(before.scenario, engine=version)
            outcome = yield from restudy(desk, replace(study.up_to_here(before), scenario=scenario))
            if outcome is not None:
                desk.remember(before)
            say(f"{edits_texts.release_is(version)} {outcome}" if outcome is not None else texts.EDIT_STOPPED)
    return Text(desk.status.text)


def undo(desk: Desk) -> Work[Text]:
    """Take back the last edit or input. CommandError if there is none."""
    with desk.verb("bench.undo()", works=True) as say:
        if not desk.past:
            raise CommandError("there is no edit to undo")
        wanted, present = desk.past[-1], desk.study()
        undone, same = desk.config, wanted.name == desk.name
        outcome = yield from return_to(desk, wanted, restores=True)
        if outcome is not None:
            desk.past, desk.future = desk.past[:-1], [*desk.future, present]
        again = edits_texts.in_force_again(diff(undone, desk.config) if same else ())
        say(f"{texts.undone(again)} {outcome}" if outcome is not None else texts.EDIT_STOPPED)
    return Text(desk.status.text)


def redo(desk: Desk) -> Work[Text]:
    """Make the last undone edit or input again. CommandError if there is none."""
    with desk.verb("bench.redo()", works=True) as say:
        if not desk.future:
            raise CommandError("there is no edit to make again")
        wanted, present = desk.future[-1], desk.study()
        outcome = yield from return_to(desk, wanted)
        if outcome is not None:
            desk.past, desk.future = [*desk.past, present], desk.future[:-1]
        say(f"{texts.redone()} {outcome}" if outcome is not None else texts.EDIT_STOPPED)
    return Text(desk.status.text)


def redesign(desk: Desk, config: SchedulerConfig, mode: str = "") -> Work[str | None]:
    """Work: another design takes effect, as the switch says unless a `mode` is given, and one undo entry is made. How the outcome
    changed, or None when it was stopped and nothing changed."""
    before, ahead = desk.study(), desk.ahead
    outcome: str | None
    if (mode or desk.edits) == RELOAD:
        old_next, position = desk.simulation.preview(), desk.simulation.position
        desk.simulation.reload(config)
        desk.forget_turns()
        desk.differs_at = 0
        stale = [
            (queue.path, queue.priority, present)
            for queue in walk(desk.partition.root)
            if (present := present_priority(queue)) != queue.priority
        ]
        outcome = edits_texts.reloaded(position, old_next, desk.simulation.preview())
        outcome = f"{outcome} {edits_texts.stale(stale)}".rstrip()
    else:
        outcome = yield from restudy(desk, study.with_design(study.up_to_here(before), desk.config, config))
    if outcome is None:
        return None
    desk.remember(before)
    return f"{outcome} {texts.steps_dropped(ahead)}".rstrip()


def return_to(desk: Desk, wanted: Study, *, restores: bool = False) -> Work[str | None]:
    """Work: be as in an earlier or later study, and then at the present step if it is of the same design. What to say about it,
    or None.

    With `restores` it is something that was in force before, so nothing is said to differ.
    """
    if wanted.name == desk.name:
        return (yield from restudy(desk, wanted, at=desk.simulation.position, restores=restores))
    after = yield from study.replayed(wanted)
    if after is None:
        return None
    desk.simulation, desk.name, desk.differs_at, desk.draft = after, wanted.name, 0, None
    desk.forget_turns()
    desk.drop_lost_selection()
    return texts.opened(wanted.name)


def restudy(desk: Desk, wanted: Study, *, at: int | None = None, restores: bool = False) -> Work[str | None]:
    """Work: play another study up to its step, or to step `at`. How the outcome changed, or None when it was stopped."""
    before, position, refused = desk.simulation, desk.simulation.position, desk.refused
    after = yield from study.replayed(wanted, at)
    if after is None:
        return None
    old_next, new_next = before.preview(), after.preview()
    desk.simulation = after
    desk.forget_turns()
    desk.differs_at = 0 if restores else design_edits.first_difference(before.steps, after.steps, position)
    desk.drop_lost_selection()
    if restores:
        return texts.restored(position, after.position, new_next)
    outcome = texts.outcome(position, after.position, desk.differs_at, old_next, new_next)
    return " ".join(filter(None, (outcome, _newly_refused(desk, refused))))


def _newly_refused(desk: Desk, before: Refused) -> str:
    """What an edit has the scheduler refuse that it took before, and why; "" for nothing."""
    now = desk.refused
    if set(now.applications) <= set(before.applications) and set(now.requests) <= set(before.requests):
        return ""
    return texts.refused_now(now.many, next(iter(now.applications.values()), "") or next(iter(now.requests.values()), ""))
