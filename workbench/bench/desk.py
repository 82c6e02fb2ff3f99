"""The desk of a workbench: everything that its verbs read and write.

A desk holds the simulation, what undo and redo go back to, the selection, what is asked for and what was checked. It decides
nothing and has no verbs: those are functions on a desk, in `workbench.bench.verbs`, and what is shown of it is read from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from workbench.advice import Trial
from workbench.bench import designs_texts, forecast, texts
from workbench.bench.checked import Checked
from workbench.bench.controller import Controller, Status
from workbench.bench.designs import Draft
from workbench.bench.keeper import Keeper
from workbench.bench.prediction import Instant, Question, Score
from workbench.bench.serving import Server
from workbench.bench.study import Study, study_of
from workbench.bench.views import known_view
from workbench.config.model import SchedulerConfig
from workbench.explain.refused import Causes, Refused, refused
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation.remedies import Remedies
from workbench.simulation.scenario import Scenario
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError
from workbench.values.found import found

UNNAMED = "design"
"""What a design is called that nobody gave a name."""
RERUN, RELOAD = "rerun", "reload"
MOST_ENTRIES = 100
"""Edits and inputs that can be undone."""
_APPARATUS = frozenset(
    {
        "status",
        "calls",
        "turn",
        "player",
        "_listeners",
        "_pulses",
        "_open",
        "keeper",
        "keeping_later",
        "offers_resume",
        "resume_offer",
        "server",
        "_screen",
    }
)
"""Attributes that are about showing and keeping what is studied, and not part of it."""


class Desk(Controller):
    """The state of one workbench, made of a simulation, or of a scenario at its start. CommandError for anything else.

    Attributes:
        simulation: the state and the decisions. After using it directly, call `refresh`.
        name: short name of the design.
        configmap: the text of the ConfigMap that the design came out of, "" if it did not.
        selected: path of the selected queue, "" for none.
        selected_request: (application id, ask key) of the selected request, or None.
        view: the preset of the screen: "full", "teach", "inspect" or "edit".
        pictures: name of a picture -> the values chosen for its options; see `picture`.
        wanted_picture: the picture that was last brought to the front by `picture`, "" for none, and how often one was.
        keys: whether single letters are verbs while the screen has the focus.
        motion: whether anything on the screen may move; where the system asks for less motion, nothing does either way.
        static: whether a picture in text, the tree with its priorities, is stored beside the three lines of text.
        edits: "rerun" or "reload": what an edit does in mid-run.
        differs_at: the first step whose outcome the last edit changed, 0 when none did.
        past, future: what undo and redo go to, the nearest last.
        score: of the predictions made so far.
        asked: the prediction that was asked for last.
        answered: when the last answer was given, and what it came to, in lines.
        replied: what was said to the last wrong answer that left a try, in lines.
        checks_made: the checks made last, of whatever that was; None before the first.
        trials: of which design, and check -> what came of trying it.
        helped: of which request in which state, and what was found to help it.
        keeper: what writes the session to its file, None while no session is kept.
        keeping_later: the appointment with the event loop for another attempt at a save that failed.
        draft: a text that is to become the design, and what is wrong with it; None once a design is in force.
        resume_offer: of which design that session is, how far it came and how old it is, in a few words.
        offers_resume: an earlier run of this notebook left a session, and nobody has said yet what to do about it.
        server: what serves this workbench over HTTP, None while nobody asked for that.
    """

    def __init__(
        self,
        simulation: Simulation | Scenario,
        *,
        name: str | None = None,
        call: str | None = None,
        view: str = "full",
        keys: bool = True,
        motion: bool = True,
        static: bool = False,
    ):
        if isinstance(simulation, Scenario):
            name = simulation.name if name is None else name
            simulation, call = Simulation.from_scenario(simulation), call or "Workbench.from_scenario(scenario)"
        if not isinstance(simulation, Simulation):
            raise CommandError(designs_texts.no_design(found(simulation)))
        name = UNNAMED if name is None else name
        super().__init__(Status(texts.opened(name), f"bench = {call or 'Workbench(simulation)'}"))
        self.simulation, self.name = simulation, name
        self.configmap = ""
        self.view, self.keys, self.motion, self.static = known_view(view), keys, motion, static
        self.selected = ""
        self.selected_request: tuple[str, str] | None = None
        self.pictures: Mapping[str, Mapping[str, str]] = {}
        self.wanted_picture: tuple[str, int] = ("", 0)
        self.checks_made: Checked | None = None
        self.trials: tuple[SchedulerConfig, Mapping[str, Trial]] | None = None
        self.helped: tuple[tuple[object, ...], Remedies] | None = None
        self.keeper: Keeper | None = None
        self.keeping_later: asyncio.TimerHandle | None = None
        self.offers_resume = False
        self.resume_offer = ""
        self.draft: Draft | None = None
        self.server: Server | None = None
        self._turns: forecast.Turns | None = None
        self._refused: tuple[tuple[object, ...], Refused] | None = None
        self._preempted: tuple[tuple[object, ...], Decision] | None = None
        self._causes: tuple[Simulation, Causes] = (simulation, {})
        self.forget_edits()
        self.forget_predictions()

    def forget_edits(self) -> None:
        """Nothing was edited."""
        self.edits = RERUN
        self.differs_at = 0
        self.past: list[Study] = []
        self.future: list[Study] = []

    def forget_predictions(self) -> None:
        """Nothing was predicted."""
        self.score = Score()
        self.asked = Question()
        self.answered: tuple[Instant, str] | None = None
        self.replied = ""

    # -- the design and its state ---------------------------------------------------------------------------------------

    @property
    def config(self) -> SchedulerConfig:
        """The design in force: the one at the start, or that of the last reload."""
        return self.simulation.state.config

    @property
    def partition(self) -> Partition:
        """The partition on the screen: the first of the configuration."""
        return self.simulation.state.partitions[self.config.partitions[0].name.lower()]

    @property
    def turns(self) -> forecast.Turns:
        """(application id, ask key) -> the step that will serve it if nothing else is put in."""
        if self._turns is None:
            self._turns = forecast.turns(self.simulation)
        return self._turns

    @property
    def refused(self) -> Refused:
        """What the scheduler has refused up to now, and why."""
        simulation = self.simulation
        if self._causes[0] is not simulation:
            self._causes = simulation, {}
        if self._refused is None or self._refused[0] != simulation.instant:
            self._refused = simulation.instant, refused(simulation, self._causes[1])
        return self._refused[1]

    @property
    def preempted(self) -> Decision | None:
        """The decision of the last step, with every comparison, if it stopped somebody."""
        simulation = self.simulation
        position = simulation.position
        if not position or not simulation.steps[position - 1].decision.victims:
            return None
        if self._preempted is None or self._preempted[0] != simulation.instant:
            self._preempted = simulation.instant, simulation.explain(position)
        return self._preempted[1]

    def forget_turns(self) -> None:
        """Something was put in, or changed, so that others may be served, and at other steps."""
        self._turns = None

    @property
    def ahead(self) -> int:
        """Recorded steps behind the present one, which an edit or an input drops."""
        return self.simulation.recorded - self.simulation.position

    def instant(self) -> Instant:
        """What tells two states of this workbench apart, well enough to know whether somebody moved it."""
        simulation = self.simulation
        return (
            simulation,
            simulation.position,
            simulation.now_ns,
            len(simulation.inputs),
            simulation.played,
            simulation.planned,
        )

    def kept(self) -> Callable[[], None]:
        """All that a verb can change, as a function that brings it back. What keeps the session is not of that kind."""
        of_all, simulation, kept = super().kept(), self.simulation, self.simulation.keep()
        were = {name: value for name, value in vars(self).items() if name not in _APPARATUS}

        def be_as_before() -> None:
            of_all()
            vars(self).update(were)
            simulation.restore(kept)

        return be_as_before

    def steps_kept(self) -> Callable[[], None]:
        """The steps that were taken until a verb was broken off stay, and a call that takes them is noted."""
        simulation, begun = self.simulation, self.simulation.position

        def note() -> None:
            taken = simulation.position - begun
            if self.simulation is simulation and taken > 0:
                self.calls = [*self.calls, f"bench.run(max_steps={taken})"]

        return note

    def drop_lost_selection(self) -> None:
        """A queue that is no longer there is not selected."""
        if self.selected and find(self.partition, self.selected) is None:
            self.selected, self.selected_request = "", None

    def tell(self) -> None:
        """Let whoever listens look. What has moved since a question or an answer has closed it, also where it comes back here."""
        instant = self.instant()
        if self.asked.at not in (None, instant):
            self.asked = self.asked.closed()
        if self.answered is not None and self.answered[0] != instant:
            self.answered = None
        super().tell()

    # -- what can be gone back to ---------------------------------------------------------------------------------------

    def study(self) -> Study:
        """The present, as data that can be come back to."""
        return study_of(self.simulation, self.name)

    def remember(self, before: Study) -> None:
        """`before` is what undo goes back to; the way forward ends here."""
        self.past, self.future = [*self.past, before][-MOST_ENTRIES:], []

    @property
    def is_modified(self) -> bool:
        """Something was edited or put in since the design was opened, and is not undone."""
        return any(each.name == self.name for each in self.past)

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    @property
    def can_redo(self) -> bool:
        return bool(self.future)

    # -- what is to be known at all times -------------------------------------------------------------------------------

    @property
    def warning(self) -> str:
        """What stays true until it is mended, in a sentence: that the session cannot be kept. "" where there is nothing."""
        return "" if self.keeper is None else self.keeper.problem

    # -- what is asked for ----------------------------------------------------------------------------------------------

    @property
    def question_open(self) -> bool:
        """A prediction is asked for, of the step that comes next now. Whatever moves the state closes the question."""
        return self.asked.at is not None and self.asked.at == self.instant()

    @property
    def next_covered(self) -> bool:
        """What comes next is shown nowhere: it is asked for, or an answer was just given, and the next question may be about it.

        Whoever asks in so many words is told all the same, unless a question is open.
        """
        return self.question_open or bool(self.verdict)

    @property
    def priorities_covered(self) -> bool:
        """The question that is open is to be answered without the priorities that queues and applications have now."""
        return self.question_open and self.asked.blind

    @property
    def reply(self) -> str:
        """What was said to a wrong answer to the question that is open, in lines; "" before one."""
        return self.replied if self.question_open and self.asked.wrong else ""

    @property
    def question(self) -> tuple[str, str]:
        """What was asked for last, and how to answer it."""
        return texts.PREDICT_QUESTIONS[self.asked.about]

    @property
    def verdict(self) -> str:
        """Whether the last answer was right, and what happened, in lines; "" once something else has happened since."""
        return self.answered[1] if self.answered is not None and self.answered[0] == self.instant() else ""
