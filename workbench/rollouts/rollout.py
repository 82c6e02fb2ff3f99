"""The rollout of a new file to a cluster, tried beforehand: accepted or not, what changes, who is touched, the way back. RO-1"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from workbench.comparison import Comparison
from workbench.comparison.edits import Edit, edits
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import QUEUES_KEY, to_patch
from workbench.files.writing import write_file
from workbench.rollouts import headline
from workbench.rollouts.acceptance import Acceptance, accepted
from workbench.rollouts.admission import admissions, answers, submissions
from workbench.rollouts.ahead import Ahead
from workbench.rollouts.arrivals import compared
from workbench.rollouts.back import Back
from workbench.rollouts.effects import Drained, Effects, drained, draining, only, over_maximum
from workbench.rollouts.fresh_advice import FreshAdvice, fresh_advice
from workbench.rollouts.horizon import MOST, long_enough
from workbench.rollouts.lasting import Stays, stays
from workbench.rollouts.live import Live, in_force, read_live
from workbench.rollouts.new import New, read_new
from workbench.rollouts.tidings import Tiding, tidings
from workbench.scheduler.records.state import Cluster
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, ConfigError
from workbench.workloads import AnyWorkload

Tell = Callable[[float, str], None]
MANY_EDITS = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class Rollout:
    """What a new file would do to a cluster. `print` it, or let a notebook show it.

    Attributes:
        new: the file.
        live: the cluster.
        old: the configuration that is in force there.
        acceptance: whether the scheduler would take the file (part 1).
        edits: what changes (2).
        effects: what happens then to what runs and waits (3); None if the file does not come into force.
        advice: what the checks find in it and not in the old one (4).
        comparison: of the two with a workload (5); None without one.
        tidings: what people of each queue should be told (6).
        back: the way back, and what it would do (7); None if there is nothing to go back from.
    """

    new: New
    live: Live
    old: SchedulerConfig
    acceptance: Acceptance
    edits: tuple[Edit, ...] = ()
    effects: Effects | None = None
    advice: FreshAdvice = FreshAdvice()
    comparison: Comparison | None = None
    tidings: tuple[Tiding, ...] = ()
    back: Back | None = None

    @property
    def exit_code(self) -> int:
        """0: nothing stands against it; 1: something would be stopped or refused. RO-2"""
        return 1 if headline.against(self) else 0

    @property
    def against(self) -> tuple[str, ...]:
        """What stands against it, a phrase each; empty for nothing."""
        return headline.against(self)

    @property
    def sentence(self) -> str:
        """What it comes to."""
        return headline.sentence(self)

    @property
    def nothing_changes(self) -> bool:
        """Whether the file means what is in force, and everything goes on as it would without it."""
        return not self.edits and self.effects is not None and self.effects.nothing

    def patch(self, *, name: str = "yunikorn-configs", namespace: str = "yunikorn") -> str:
        """What `kubectl patch configmap` takes to roll it out: the file as it stands, and no other key.

        Raises:
            CommandError: the scheduler would refuse the file.
        """
        if not self.acceptance.accepted:
            raise CommandError("there is no patch for a file that would not come into force")
        return to_patch(self.new.text, name=name, namespace=namespace, key=self._key)

    def patch_back(self, *, name: str = "yunikorn-configs", namespace: str = "yunikorn") -> str:
        """The same with what is in force now, to go back."""
        return to_patch(self.old, name=name, namespace=namespace, key=self._key)

    @property
    def _key(self) -> str:
        return self.new.key or self.live.key or QUEUES_KEY

    # ---- as text, in a notebook, as files ----------------------------------------------------------------------

    def __str__(self) -> str:
        from workbench.rollouts.told import as_text

        return as_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from workbench.rollouts.page import body

        return body(self)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Everything as one page that needs no network; written to a file, too, if a path is given. FileError if it cannot be."""
        from workbench.rollouts.page import page

        made = page(self)
        if path is not None:
            write_file(path, made)
        return made

    def as_data(self) -> dict[str, object]:
        """The rollout as plain data."""
        from workbench.rollouts.data import as_data

        return as_data(self)

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Write it as a JSON file. FileError if it cannot be written."""
        write_file(path, json.dumps(self.as_data(), indent=1))


def rollout(
    new: SchedulerConfig | str | os.PathLike[str],
    live: Live | Simulation | Scenario | str | os.PathLike[str],
    workload: AnyWorkload | str | os.PathLike[str] | None = None,
    *,
    release: str | None = None,
    minutes: int | None = None,
    seeds: int = 1,
    progress: Tell | None = None,
) -> Rollout:
    """What a new file would do to a cluster, before anybody rolls it out. Nothing is written to any cluster. RO-1, RO-3

    print(wb.rollout("draft.yaml", "saved-answers/"))

    Args:
        new: a queues.yaml or the ConfigMap that carries one: its path, its text, or loaded.
        live: the cluster: the path of whatever an importer recognises, such as a folder of saved REST answers or a scenario; the
            name of an example; a scenario; or a simulation, or a workbench, at its present moment.
        workload: what arrives in the long run, for a comparison.
        release: of the core whose rules hold, "1.9", "1.8" or "1.4"; None for what the scenario says.
        minutes: how far to look ahead; None for as long as the delays of preemption want, and at least ten.
        seeds: of the comparison.
        progress: is told now and then how much is done, of 1, and what.

    Raises:
        ConfigError, ScenarioError: one of them cannot be read, or the live cluster has a configuration that no scheduler takes.
            That the new one would be refused is no error: the result says so.
        CommandError: another argument is no good.
        WorkloadError: the workload cannot be.
    """
    if minutes is not None and not (isinstance(minutes, int) and not isinstance(minutes, bool) and 1 <= minutes <= MOST):
        raise CommandError(f"minutes are a whole number from 1 to {MOST}, not {minutes!r}")
    tell: Tell = progress or (lambda fraction, text: None)
    file, cluster = read_new(new), read_live(live, release=release)
    tell(0.0, "the cluster as it is")
    engine, place = cluster.engine()
    old = in_force(engine)
    acceptance, config = accepted(file.text, engine)
    found = Rollout(file, cluster, old, acceptance)
    if config is None:
        return found
    found = replace(found, edits=edits(old, config, MANY_EDITS), advice=fresh_advice(old, config, engine.state))
    if acceptance.accepted:
        planned = cluster.scenario.planned
        played = [*(each.command for each in cluster.scenario.events), *(each.command for each in planned[: place.planned])]
        ahead = Ahead(engine, planned[place.planned :], place.unconfirmed)
        effects, back = _played(ahead, played, file.text, old.text, minutes, tell)
        found = replace(found, effects=effects, tidings=tidings(old, config, effects), back=back)
        if workload is not None:
            share = 0.5 if progress is not None else 0.0

            def further(fraction: float, text: str) -> None:
                tell(share + (1 - share) * fraction, text)

            found = replace(found, comparison=compared(old, config, workload, engine.state, seeds=seeds, progress=further))
    tell(1.0, "done")
    return found


def _played(
    ahead: Ahead, played: Sequence[object], text: str, old_text: str, minutes: int | None, tell: Tell
) -> tuple[Effects, Back | None]:
    """What happens with the file, without it, and after going back. The engine is then where it was."""
    state = ahead.engine.state
    now = ahead.mark()
    asked = submissions(ahead.engine, played)
    before, stays_before = answers(ahead.engine, asked), stays(state)
    over_before = {(each.queue, each.maximum) for each in over_maximum(state)}
    draining_before = {queue.path for queue in draining(state)}
    length = minutes or long_enough(state)
    ahead.reload(text)
    length = minutes or max(length, long_enough(state))
    lasting = tuple(each for each in stays(state) if each not in stays_before)
    over = tuple(each for each in over_maximum(state) if (each.queue, each.maximum) not in over_before)
    gone = _drained(state, draining_before)
    let_in = admissions(before, answers(ahead.engine, asked))
    tell(0.1, "with the new file")
    new = ahead.play(length)
    back = _back(ahead, old_text, length, stays_before, tell)
    ahead.return_to(now)
    tell(0.4, "without it")
    today = ahead.play(length)
    ahead.return_to(now)
    gone_ns = {each.queue: each.at_ns for each in new.gone}
    gone = tuple(replace(each, gone_ns=gone_ns.get(each.queue)) for each in gone)
    return Effects(today, new, gone, over, lasting, let_in), back


def _back(ahead: Ahead, old_text: str, length: int, stays_before: tuple[Stays, ...], tell: Tell) -> Back:
    """The old file as a reload where the engine stands now, against staying with the new one."""
    state, then = ahead.engine.state, ahead.mark()
    tell(0.2, "staying with it")
    stayed = ahead.play(length)
    ahead.return_to(then)
    draining_before = {queue.path for queue in draining(state)}
    try:
        ahead.reload(old_text)
    except ConfigError as error:
        return Back(old_text, length, error.text)
    tell(0.3, "going back")
    gone = _drained(state, draining_before)
    lasting = tuple(each for each in stays(state) if each not in stays_before)
    course = ahead.play(length)
    return Back(old_text, length, "", only(course.stopped, stayed.stopped), gone, lasting)


def _drained(state: Cluster, before: set[str]) -> tuple[Drained, ...]:
    return tuple(drained(queue) for queue in draining(state) if queue.path not in before)
