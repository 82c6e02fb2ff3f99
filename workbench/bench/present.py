"""What one redraw shows: read once from the workbench and handed to every region, so that they cannot disagree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.bench.desk import Desk
from workbench.bench.prediction import as_they_came
from workbench.explain.refused import Refused
from workbench.explain.use_over_time import Series, series
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation.simulation import Simulation, Step
from workbench.simulation.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Present:
    """The present of a workbench.

    Attributes:
        simulation: the steps taken, the clock, the release.
        partition: the partition on the screen, to read only.
        decision: what Step would decide now, with every comparison.
        waiting: everything that waits, in the order in which the scheduler would come to it.
        selected: path of the selected queue, "" for none.
        pictures: name of a picture -> the values chosen for its options.
        wanted_picture: the picture to bring to the front, and a number that is new whenever that was said anew.
        covered: nothing may tell what comes next: a prediction is asked for, or an answer was just given. Then `decision` decides
            nothing, and `waiting` is in the order of arrival.
        preempted: the decision of the last step, with every comparison, if it stopped somebody.
        refused: what the scheduler has refused, and why.
        answered: it is covered because of an answer, and not because something is asked for.
        blind: nor what priority a queue or an application has now.
    """

    simulation: Simulation
    partition: Partition
    decision: Decision
    waiting: tuple[Waiting, ...]
    selected: str = ""
    pictures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    covered: bool = False
    blind: bool = False
    wanted_picture: tuple[str, int] = ("", 0)
    refused: Refused = field(default_factory=Refused)
    preempted: Decision | None = None
    answered: bool = False

    @property
    def taken(self) -> tuple[Step, ...]:
        """The steps up to the present one."""
        return self.simulation.steps[: self.simulation.position]

    @property
    def use(self) -> Series:
        """Use over time up to the present step."""
        return series(self.simulation, self.partition.name)


def present_of(desk: Desk, *, told: bool = False) -> Present:
    """The present of a workbench as it is shown; `told`: with what comes next, for somebody who asked for it."""
    simulation, covered = desk.simulation, desk.next_covered and not told
    return Present(
        simulation,
        desk.partition,
        Decision(0, simulation.now_ns, desk.partition.name) if covered else simulation.preview(),
        as_they_came(simulation.waiting()) if covered else simulation.waiting(),
        desk.selected,
        desk.pictures,
        covered,
        desk.priorities_covered,
        desk.wanted_picture,
        desk.refused,
        desk.preempted,
        covered and not desk.question_open,
    )
