"""Questions that the specification leaves open, put to the real core; its answers are recorded here, one file a question.

The form is that of the recorded scenarios; `description` says which rule was in doubt and what came out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.conformance.replay import replay
from workbench.simulation.scenario import load_scenario

ASKED = sorted((Path(__file__).parent / "asked").glob("*.json"))


@pytest.mark.parametrize("path", ASKED, ids=lambda path: path.stem)
def test_the_question_is_answered_as_by_the_core(path):
    scenario = load_scenario(path)
    assert re.match(r"(R|C|PL|P)-\d+", scenario.description), "the description starts with the rule in doubt"
    report = replay(scenario)
    assert report.agrees, str(report)
