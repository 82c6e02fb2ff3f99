"""After any sequence of verbs the state is the one that it should be: undo, redo, back, goto, branches, recover, save and open.

The model is in `verb_sequences`; `fuzz_verbs` plays many more and longer sequences than fit into a test.
"""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from laws import examples
from properties.verb_sequences import STARTS, VERBS, Play

CALLS = st.sampled_from([name for name, (weight, _) in VERBS.items() for _ in range(weight)]).flatmap(
    lambda name: st.tuples(st.just(name), st.tuples(*map(st.sampled_from, VERBS[name][1])))
)


class Verbs(RuleBasedStateMachine):
    play: Play | None = None

    @initialize(start=st.sampled_from(sorted(STARTS)))
    def begin(self, start):
        self.play = Play(start)

    @precondition(lambda self: self.play is not None)
    @rule(call=CALLS)
    def carry_out(self, call):
        self.play.do(*call)

    def teardown(self):
        if self.play is not None:
            self.play.finish()


@pytest.mark.hypothesis
def test_every_sequence_of_verbs_leads_to_the_state_that_it_should():  # U-4, U-16, A-4
    run_state_machine_as_test(Verbs, settings=examples(25, stateful_step_count=20))


def ask(key: str, at: float | None = None) -> tuple:
    return "add_request", ("x", key, {"vcore": "1"}, 0, "root.a", at)


EDIT = ("set", (("root.a", "priority.offset", "5"),))
FOUND = {
    "an input of a later step stays one when another comes before it": (
        "work",
        [("step", ()), ("remove_node", ("n2", None)), ("back", (1,)), ask("k0"), EDIT, ("undo", ()), ("step", ())],
    ),
    "time that cycles let pass is not lost to an edit": ("work", [("run", (9,)), ("cycle", ()), ("cycle", ()), EDIT, ("undo", ())]),
    "nor behind a planned input": ("work", [("run", (9,)), ask("k0", 40.0), ("cycle", ()), EDIT, ("undo", ())]),
    "a cycle among cycles that the script asks for": ("script", [("step", ()), ("cycle", ()), ("back", (2,)), ("goto", (2,))]),
    "what was put in at a step is there again when an undo is followed by a step back": (
        "work",
        [("step", ()), ask("k0"), ("cycle", ()), ("step", ()), EDIT, ("undo", ()), ("back", (1,)), ("step", ())],
    ),
    "undo brings back the steps ahead": ("work", [("run", (2,)), ("back", (2,)), ask("k0"), ("undo", ()), ("goto", (2,))]),
    "redo goes to the present step of what is made again": (
        "work",
        [ask("k0"), ("step", ()), ("undo", ()), ("step", ()), ("redo", ()), ("recover", ()), ("undo", ())],
    ),
    "a run through steps that were gone back over, after a cycle and a wait": (
        "script",
        [("step", ()), ("cycle", ()), ("advance", (2,)), ("back", (1,)), ("goto", (1,)), ("reset", ()), ("run", (2,))],
    ),
    "the same where nothing is left in the script": (
        "work",
        [("step", ()), ("cycle", ()), ("advance", (2,)), ("back", (1,)), ("goto", (1,)), ("reset", ()), ("run", (2,))],
    ),
    "a step that does not exist": ("script", [("goto", (9,)), ("step", ())]),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_once_led_elsewhere(name):
    start, calls = FOUND[name]
    play = Play(start)
    for call in calls:
        play.do(*call)
    play.finish()
