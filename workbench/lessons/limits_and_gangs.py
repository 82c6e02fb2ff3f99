"""The exercise on limits and gangs: room for one user's gang, without more for everybody else."""

from __future__ import annotations

from collections import Counter

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.simulation.simulation import Simulation, asks

GANG = ("P1", "P2", "P3", "P4")
MOST_CORES, MOST_APPLICATIONS = 4, 3
TASK = """\
There is room for everybody, but the limits are too narrow. Change the design so that
  1. all four placeholders of ada's gang, P1 to P4, get their places,
  2. nobody else ever holds more than 4 cores (so B3 of ben has to wait),
  3. C1 of cleo runs, too,
  4. but never more than three applications run at a time (so D1 of dan has to wait).
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    simulation = attempt.afresh()
    simulation.run(max_steps=MOST_STEPS)
    placed = [step.decision.key for step in simulation.steps]
    gang = [key for key in GANG if key in placed]
    if len(gang) < len(GANG):
        got = ", ".join(gang) or "none"
        return f"of the four placeholders {got} got a place; the gang gives them back after a minute."
    held = _held(simulation)
    greedy = next((user for user, cores in held.items() if user != "ada" and cores > MOST_CORES), "")
    if greedy:
        return f"{greedy} holds {held[greedy]} cores."
    if "C1" not in placed:
        return "C1 of cleo does not run."
    states = [application.state for application in simulation.state.partitions["default"].applications.values()]
    if states.count("Running") > MOST_APPLICATIONS:
        return f"{states.count('Running')} applications run at a time."
    return ""


def _elsewhere(attempt: Attempt) -> str:
    """Next week somebody else comes first, whom no entry names."""
    simulation = attempt.nodes_only
    simulation.submit("eve-render", queue="root.lab", user="eve", asks=asks(4, prefix="E", vcore="2"))
    simulation.run(max_steps=MOST_STEPS)
    held = _held(simulation)["eve"]
    if held > MOST_CORES:
        return f"Next week eve comes, and holds {held} cores: nobody else was to hold more than {MOST_CORES}."
    return ""


def _held(simulation: Simulation) -> Counter[str]:
    """User -> cores that the applications of that user hold at the end. Nothing ends before, so it is the most they ever held."""
    held: Counter[str] = Counter()
    for application in simulation.state.partitions["default"].applications.values():
        held[application.user] += sum(each.resource.get("vcore", 0) // 1000 for each in application.allocations.values())
    return held


EXERCISE = Exercise(
    "limits-and-gangs",
    "lessons/limits-and-gangs-exercise",
    TASK,
    _missing,
    "A limit that names ada takes the place of the one for everybody, and only for ada; her gang is complete, and the others "
    "are held as before.",
    elsewhere=_elsewhere,
    hints={
        "of the four placeholders": (
            'mine.run() and mine.why_not("P3") say what keeps a placeholder back; mine.table("limits") what each user may use.',
            "a limit that names ada, in front of the one for everybody, takes its place for her.",
        ),
        "applications run at a time": ('mine.table("states") lists them; maxapplications of root.lab counts them.',),
        "C1": ('mine.run() and mine.why_not("C1") say what it waits for.', "maxapplications counts ada's, ben's and cleo's."),
        "eve": (
            'mine.add_request("eve-render", "E1", {"vcore": 6}, user="eve", queue="root.lab") and mine.run() try it; '
            "mine.reset() goes back.",
            'the entry for users: ["*"] holds for everybody who is not named.',
        ),
        "holds": ('mine.run() and mine.table("limits") show what each user may use, and does.',),
    },
)
