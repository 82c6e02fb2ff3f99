"""The pictures of the screen, as a table: title of the tab, from what the picture is made, and what draws it.

A picture is pure: rows from the present, a figure from the rows. Adding an entry here adds its tab, its place in the report and
its name in `Workbench.figure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import plotly.graph_objects as go

from workbench.bench import texts
from workbench.bench.present import Present
from workbench.explain import wording
from workbench.explain.preemption import attempts
from workbench.explain.usage import used_types
from workbench.plots import frame
from workbench.plots.pictures import nodes, order, path, preemption, preemption_rows, shares, slope, time, usage
from workbench.plots.shown import Figure
from workbench.plots.theme import Theme
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation.simulation import Simulation, Step
from workbench.values.registry import Registry

RESOURCE = "Resource"
STAGE_LABEL = "Stage"
MEASURE_LABEL = "Bars"
COVERED_WIDTH, COVERED_HEIGHT = 560, 120
"""Pixels of what stands for a covered picture."""
MEASURES: Mapping[str, str] = {"amount": "amount", "share": "share of max"}
STAGES: Mapping[str, str] = {"candidates": "candidates", "chosen": "chosen", "result": "result"}


@dataclass(frozen=True, slots=True)
class PictureOption:
    """Something to choose about a picture, by a control in its head.

    Attributes:
        label: of the control.
        choices: value -> its word, at present; with only one there is nothing to choose.
        start: the value where nothing was chosen; "" for the first.
        is_toggle: all choices stand side by side.
    """

    label: str
    choices: Callable[[Present], Mapping[str, str]]
    start: str = ""
    is_toggle: bool = False

    def value(self, present: Present, chosen: str) -> str:
        """What holds: what was chosen if that is there now."""
        known = self.choices(present)
        return next((each for each in (chosen, self.start) if each in known), next(iter(known), ""))


@dataclass(frozen=True, slots=True)
class PictureKind:
    """One picture.

    Attributes:
        title: of its tab.
        needs: the attributes of `Present` that `rows` takes, in this order.
        rows: the data of the picture; its `sentence` says what is to be seen.
        figure: `figure(rows, theme, width=, height=, titled=)`; marks with a queue path in `customdata` can be clicked.
        options: keyword of `rows` -> what there is to choose.
        tells_next: it shows what the next decision is, so that it is covered while a prediction is asked for.
    """

    title: str
    needs: tuple[str, ...]
    rows: Callable[..., Any]
    figure: Callable[..., go.Figure]
    options: Mapping[str, PictureOption] = field(default_factory=dict)
    tells_next: bool = True

    def data(self, present: Present, chosen: Mapping[str, str] = MappingProxyType({})) -> Any:
        """The data of the picture now; `chosen` are values of its options."""
        values = {name: option.value(present, chosen.get(name, "")) for name, option in self.options.items()}
        return self.rows(*(getattr(present, need) for need in self.needs), **{name: each for name, each in values.items() if each})


STATE_AND_NEXT = ("partition", "decision")


def _order(partition: Partition, taken: Sequence[Step], decision: Decision, covered: bool) -> order.OrderRows:
    """What was decided so far stays to be seen while the next decision is covered."""
    return order.rows(partition, taken, None if covered else decision)


def _shares(partition: Partition, decision: Decision, selected: str) -> shares.ShareRows:
    """Of the selected queue; else wherever the next choice is made."""
    return shares.rows(partition, decision, path=selected or None)


def _usage(partition: Partition, decision: Decision, *, resource: str | None = None, measure: str = "amount") -> usage.UsageRows:
    return usage.rows(partition, decision, resource=resource, of_maximum=measure == "share")


def _types(of: Callable[[Partition], Iterable[str]]) -> PictureOption:
    return PictureOption(RESOURCE, lambda present: {kind: wording.name(kind) for kind in of(present.partition)})


LAST, NEXT = "last", "next"
"""Of which step the picture of preemption tells where the last step stopped somebody."""
OF_LABEL = "Of"


def _told_of(present: Present, of: str) -> Decision:
    """The decision that the picture of preemption tells of."""
    return present.preempted if of == LAST and present.preempted is not None else present.decision


def _steps(present: Present) -> Mapping[str, str]:
    """What was preempted stays to be seen after its step; the next one can be chosen where it tries to preempt as well."""
    if present.preempted is None:
        return {}
    last = {LAST: texts.of_step(present.simulation.position)}
    return {**last, NEXT: texts.NEXT_STEP} if attempts(present.decision) or present.decision.stoppings else last


def _preemption(
    simulation: Simulation,
    partition: Partition,
    decision: Decision,
    preempted: Decision | None,
    *,
    of: str = NEXT,
    stage: str = preemption_rows.CHOSEN,
    resource: str | None = None,
) -> preemption.PreemptionRows:
    """The attempt that comes next; or that of the last step, in the state in which it was made."""
    if preempted is None or of != LAST:
        return preemption.rows(partition, decision, resource=resource, stage=stage)
    position = simulation.position
    with simulation.visiting(position - 1):
        then = simulation.state.partitions[partition.name.lower()]
        data = preemption.rows(then, simulation.preview(), resource=resource, stage=stage)
    return replace(data, sentence=texts.at_step(position, data.sentence))


def _stages(present: Present) -> Mapping[str, str]:
    """Only a preemption that takes place has more than one stage."""
    chosen = OF.value(present, present.pictures.get("preemption", {}).get("of", ""))
    happens = any(attempt.succeeded for attempt in attempts(_told_of(present, chosen)))
    return {stage: word for stage, word in STAGES.items() if happens or stage == preemption_rows.CHOSEN}


def _measures(present: Present) -> Mapping[str, str]:
    """Without any maximum there is nothing to take a share of."""
    limited = any(queue.maximum for queue in walk(present.partition.root))
    return {measure: word for measure, word in MEASURES.items() if limited or measure == "amount"}


def _preempting_types(present: Present) -> Mapping[str, str]:
    """The type that the picture would take by itself stands first."""
    chosen = OF.value(present, present.pictures.get("preemption", {}).get("of", ""))
    first = preemption_rows.first_type(present.partition, _told_of(present, chosen))
    kinds = [first, *(kind for kind in used_types(present.partition) if kind != first)]
    return {kind: wording.name(kind) for kind in kinds}


MEASURE = PictureOption(MEASURE_LABEL, _measures, start="amount")
OF = PictureOption(OF_LABEL, _steps, start=LAST, is_toggle=True)
STAGE = PictureOption(STAGE_LABEL, _stages, start=preemption_rows.CHOSEN, is_toggle=True)

PICTURES: Registry[PictureKind] = Registry("picture")
"""Name -> picture, in the order of the tabs."""

BUILT_IN: Mapping[str, PictureKind] = {
    "path": PictureKind("Path", STATE_AND_NEXT, path.rows, path.figure),
    "slope": PictureKind("Slope", STATE_AND_NEXT, slope.rows, slope.figure),
    "order": PictureKind("Order", ("partition", "taken", "decision", "covered"), _order, order.figure, tells_next=False),
    "usage": PictureKind("Usage", STATE_AND_NEXT, _usage, usage.figure, {"resource": _types(used_types), "measure": MEASURE}),
    "nodes": PictureKind("Nodes", STATE_AND_NEXT, nodes.rows, nodes.figure, {"resource": _types(nodes.resource_types)}),
    "shares": PictureKind("Shares", (*STATE_AND_NEXT, "selected"), _shares, shares.figure),
    "preemption": PictureKind(
        "Preemption",
        ("simulation", *STATE_AND_NEXT, "preempted"),
        _preemption,
        preemption.figure,
        {"of": OF, "stage": STAGE, "resource": PictureOption(RESOURCE, _preempting_types)},
    ),
    "time": PictureKind("Time", ("use", "partition"), time.rows, time.figure, tells_next=False),
}
for _name, _kind in BUILT_IN.items():
    PICTURES.register(_name, _kind)


def covered_figure(theme: Theme) -> go.Figure:
    """What stands for a picture that would tell what is asked for."""
    return Figure(layout=frame.layout(texts.COVERED_PICTURE, theme, COVERED_WIDTH, COVERED_HEIGHT, True))


def register_picture(name: str, kind: PictureKind) -> PictureKind:
    """Add a picture: its tab on screens made from now on, its place in reports, its name in `Workbench.figure`.

    Raises:
        CommandError: the name is taken.
    """
    return PICTURES.register(name, kind)
