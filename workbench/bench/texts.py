"""Labels of the screen and the sentences of its status line that several of its parts share (U-26).

Why something was chosen or refused is phrased by `workbench.explain`; here it is only said what the person just
did and what that changed. Configuration keys are written exactly as in queues.yaml (U-8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from workbench.explain import wording, words
from workbench.explain.wording import counted, name
from workbench.scheduler.records.decision import Decision

CHECKS = "Checks"
NO_CHECKS = (
    "No check has anything to say: the scheduler would load this design, and nothing in it is known to be ignored or to "
    "contradict itself with these nodes and applications. Whether it does what you want, only steps show."
)
EDIT_MODES: Mapping[str, str] = {
    "rerun": "Edits run the same inputs again from the start.",
    "reload": "Edits apply from now on, as a reload does on a live cluster.",
}
EDIT_STOPPED = "Stopped before the edit took effect. The design is unchanged."
NOTHING_CHANGED = "Nothing changes by this."
NO_INPUTS = "Nothing was put in yet."
PREDICT_QUESTION = "Which one is next?"
PREDICT_HOW = (
    "Choose your answer beside it, or select a queue in the tree, and press Answer; or say it in code: "
    'bench.predict("...") with a queue, an application, a request, a node, or "nothing".'
)


def predict_how(with_what: str) -> str:
    """How a question of one level is answered."""
    return f'Choose your answer beside it and press Answer, or say it in code: bench.predict("...") with {with_what}, or "nothing".'


PREDICT_VICTIMS = "What will be stopped?"
PREDICT_VICTIMS_HOW = (
    'Say it in code: bench.predict(victims=["..."]) with the names of all that are stopped, or victims=[] for '
    "none.\nOn the screen, select the queue that loses something and press Answer."
)
PREDICT_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "next": (PREDICT_QUESTION, PREDICT_HOW),
    "request": ("Which request is next?", predict_how('a request by its key, or as "app/key"')),
    "application": ("Which application is next?", predict_how("an application, or something that only it has")),
    "queue": ("Which queue is next?", predict_how("the queue that is served")),
    "node": ("Which node takes the next request?", predict_how("a node")),
    "victims": (PREDICT_VICTIMS, PREDICT_VICTIMS_HOW),
}
"""What is asked for -> the question, and how to answer it."""
COVERED_NEXT = "?"
COVERED = "Covered until you have answered."
COVERED_WHY = "Covered until you have answered: this would tell what comes next."
COVERED_PICTURE = "Covered until you have answered: this picture shows what comes next."
COVERED_AFTER_ANSWER = "What comes next is covered, so that it can be asked for. Show next uncovers it, and so does Step."

NO_CONFIGURATION = "Created by a placement rule: this queue has no configuration of its own."
NOTHING_SELECTED = "Select a queue in the tree to edit it."
NO_STEPS = "Nothing was decided yet. Press Step."
NO_QUEUES = "The design's queues appear here."

PENDING, RUNNING, EVENTS = "Pending", "Running", "Events"
ORDER, CALLS, WHY = "Order so far", "Python calls", "Why"
TURN, NO_TURN = "served at step", "–"
NOTHING_PENDING = "No request is waiting."
RUN, RUN_HINT = "Run", "Step until nothing more can be allocated"
STOP, STOP_HINT = "Stop", "Keep the last completed step"
NOTHING_MORE = "Nothing is next: every request has been served."
NOTHING_ACCEPTED = "Nothing is next: what was put in has been refused."
NOTHING_MORE_ACCEPTED = "Nothing is next: every request that was accepted has been served."
NOTHING_ASKED = "Nothing is next: no request has been put in yet. Inputs has a form for them."
SELECT_A_REQUEST = "Find a request, or select it in Pending, to see why it is not next."
BROKEN = "The workbench failed at this. The design and the state are unchanged."

BROKEN_STEPS = "The workbench failed at this. The steps taken until then are whole, and the design is unchanged."


def opened(name: str) -> str:
    return f"Opened the design {name}."


def served(decision: Decision) -> str:
    """What the decision did, as a sentence."""
    who = words.about(decision)
    return words.headline(decision.outcome, who, wording.name(decision.node_id), done=True)


def stepped(number: int, decision: Decision) -> str:
    return at_step(number, served(decision))


NEXT_STEP = "next"


def of_step(number: int) -> str:
    return f"step {number}"


def at_step(number: int, sentence: str) -> str:
    return f"Step {number}: {sentence}"


def nothing_left(waiting: int, refused: str = "") -> str:
    if not waiting and refused:
        return f"Nothing is waiting: the scheduler refused {refused}."
    if not waiting:
        return "Nothing is waiting: every request has been served."
    return f"Nothing can be allocated now; {counted(waiting, 'request')} waiting. Pending gives the first reason of each."


def design_label(name: str, is_modified: bool) -> str:
    """A design in the list of the bar: the group of an example, its name, and a mark."""
    group, _, short = name.rpartition("/")
    label = f"{group} › {wording.name(short)}" if group else wording.name(name)
    return f"● {label}, modified" if is_modified else label


def applied(commands: int) -> str:
    return f"The scheduler received {counted(commands, 'command')}."


def progress(position: int, waiting: int, refused: str = "") -> str:
    waits = f"{counted(waiting, 'request')} waiting" if waiting else "nothing waiting"
    return f"Step {position}, {waits}" + (f", refused: {refused}" if refused else "")


def moved(number: int, decision: Decision | None) -> str:
    return "Back at the start." if decision is None else f"At step {number}: {served(decision)}"


def no_earlier_step() -> str:
    return "This is the start; there is no earlier step."


def ran(steps: int, position: int, waiting: int = 0, wait_ms: int | None = None) -> str:
    """What a run came to; `waiting` requests cannot be served now, and in `wait_ms` the scheduler looks at one of them anew."""
    if not waiting:
        return f"Ran {counted(steps, 'step')}; now at step {position}."
    waits = f"{counted(waiting, 'request')} {'waits' if waiting == 1 else 'wait'}"
    later = f" The scheduler looks anew in {wording.seconds(wait_ms * 1_000_000)}; Skip lets time pass." if wait_ms else ""
    return f"Ran {counted(steps, 'step')}; now at step {position}, where nothing can be allocated and {waits}.{later}"


def running(position: int) -> str:
    return f"Running: step {position}. Stop keeps the last completed step."


def stopped(steps: int, position: int) -> str:
    return f"Stopped after {counted(steps, 'step')}, at step {position}."


def changed(path: str, key: str, value: str | None) -> str:
    return f"{key} of {path} is now {value}." if value is not None else f"{key} of {path} is no longer set."


def undone(again: str = "") -> str:
    return f"The last edit is undone: {again}." if again else "The last edit is undone."


def redone() -> str:
    return "The edit is made again."


def unchanged(path: str, key: str) -> str:
    return f"{key} of {path} has this value already."


def unknown_property(key: str, nearest: list[str]) -> str:
    meant = f"; did you mean {nearest[0]}?" if nearest else ""
    return f"The scheduler knows no property {key}{meant}"


def value_refused(path: str, key: str, why: str, allowed: tuple[str, ...]) -> str:
    choices = f" Allowed: {', '.join(allowed)}." if allowed else ""
    return f"{key} of {path}: {why}.{choices} The design is unchanged."


def outcome(asked: int, reached: int, differs_at: int, old_next: Decision, new_next: Decision) -> str:
    """What a changed design changed, over the steps taken and the next one."""
    if differs_at:
        return f"The outcome first differs at step {differs_at}." + (f" The run ends at step {reached}." if reached < asked else "")
    same = "The steps taken stay the same. " if asked else ""
    if (old_next.application_id, old_next.key) != (new_next.application_id, new_next.key):
        return f"{same}Next is {_who(new_next)} instead of {_who(old_next)}."
    return f"{same}Next is still {_who(new_next)}."


def refused_now(many: str, why: str) -> str:
    return f"Refused now: {many}. {why}"


def restored(asked: int, reached: int, next_one: Decision) -> str:
    """Where a design that is in force again stands."""
    ends = f" The run ends at step {reached}." if reached < asked else ""
    return (f"Next is {_who(next_one)}." if next_one.changed_something else "Nothing is next.") + ends


def _who(decision: Decision) -> str:
    if decision.outcome == "enforced":
        return f"the quota of {words.about(decision)}"
    return words.about(decision) if decision.changed_something else "nothing"


def key_head(key: str, is_own: bool) -> str:
    """A key of the editor; the ring marks that this queue sets it."""
    return f"{key} ◦ set here" if is_own else key


def default(value: str) -> str:
    return "Remove" if not value else "Reset to default" if value == "default" else f"Reset to default ({value})"


def remove(key: str) -> str:
    return f"Remove {key} from this queue"


def more_rows(number: int) -> str:
    return f"and {counted(number, 'more request')}" if number > 0 else ""


def earlier_allocations(number: int) -> str:
    return f"and {counted(number, 'earlier allocation')}" if number > 0 else ""


def earlier_rows(number: int) -> str:
    return f"and {counted(number, 'earlier step')}" if number > 0 else ""


def selected(path: str) -> str:
    return f"Selected {path}." if path else "Nothing is selected."


def selected_request(application_id: str, key: str, path: str) -> str:
    return f"Selected {words.request(key, application_id)} in {path}."


def no_such_design(design: str, examples: Iterable[str], near: Sequence[str] = ()) -> str:
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no design {design}: no file of that name, and the examples are {', '.join(examples)}.{meant}"


def no_such(kind: str, name: str, known: Iterable[str]) -> str:
    return f"there is no {kind} {name!r}; there are {', '.join(known)}"


def summary(name: str, position: int, waiting: int, decision: Decision | None, refused: str = "") -> tuple[str, str, str]:
    """The three lines that stand for a workbench where no screen can be shown (U-28); None where the next one is covered."""
    following = COVERED_NEXT if decision is None else _who(decision)
    return f"Workbench {name}", progress(position, waiting, refused), f"Next: {following}"


# ---- regions, tabs and controls of the screen ---------------------------------------------------------------------------

QUEUES, NODES, INPUTS, YAML = "Queue table", "Node table", "Inputs", "YAML"
INPUT, BY_TABLE, BY_FILE, PATH, PATH_EXAMPLE = "Input", "Table of requests", "File", "path", "scenario.yaml or requests.csv"
ADD_HINT, INPUT_PROBLEM, GIVE_A_PATH = "Put it into the cluster now", "Input: problem", "give the path of a file"
CYCLE, CYCLE_HINT = "Cycle", "One scheduling cycle, even if it changes nothing"
SKIP, SKIP_HINT = "Skip", "Let simulated time pass to what comes next: the end of a delay, a backoff, a timer"
UNTIL, NUMBER = "Run until", "n"
PLAY, PLAY_HINT, SPEED = "Play", "Step by step, to be watched (space)", "steps/s"
EDIT_MODE, FIND, VIEW, HELP, HELP_HINT = "Edits", "Find", "View", "?", "Keys"


def earlier_inputs(number: int) -> str:
    return f"and {counted(number, 'earlier input')}" if number > 0 else ""


# ---- in words ---------------------------------------------------------------------------------------------------------


def check_place(path: str, partition: str) -> str:
    return name(path, 120) if path else f"partition {name(partition)}"


def steps_dropped(ahead: int) -> str:
    """What becomes of the recorded steps behind the present one when something is put in before them; "" for none."""
    if not ahead:
        return ""
    return f"The {counted(ahead, 'step')} ahead {'is' if ahead == 1 else 'are'} dropped; Step or Run decides anew."


def name_missing(label: str) -> str:
    return f"{name(label)}: give a name"
