"""Less motion (U-25), and a workbench that says something where no widgets can be shown (U-28)."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import Workbench
from workbench.simulation.scenario import example

REST = Path(__file__).parents[1] / "importers" / "rest"
TREE = """\
queue                priority  next   use
root                     1001  ▸      vcore used 0 of 16
├─ system                1001  ▸ >1   vcore used 0 of 16
│  ├─ system-normal        10  >2     vcore used 0 of 16
│  ├─ system-high        1001  ▸ >1   vcore used 0 of 16
│  └─ system-low         -997  >3     vcore used 0 of 16
└─ tenants ▣                0  >2     vcore used 0 of 16
   ├─ tenant-a ▣           10  >1     vcore used 0 of 16
   │  ├─ child-a-1          8  >1     vcore used 0 of 16
   │  └─ child-a-2          6  >2     vcore used 0 of 16
   └─ tenant-b ▣            0  >2     vcore used 0 of 16
      ├─ child-b-1          9  >1     vcore used 0 of 16
      └─ child-b-2          8  >2     vcore used 0 of 16"""


def test_the_tree_is_stable_text():  # U-6, U-13
    bench = Workbench.example("multitenancy")
    assert [line.split() for line in bench.tree_text().splitlines()] == [line.split() for line in TREE.splitlines()]
    bench.step()
    lines = bench.tree_text().splitlines()
    assert lines[4].split()[2:] == ["system-high", "n/a", "vcore", "used", "1", "of", "16"]
    bench.back()
    assert bench.tree_text() == Workbench.example("multitenancy").tree_text()


def test_the_tree_tells_nothing_while_a_prediction_is_asked_for():  # section 5, predict
    bench = Workbench.example("multitenancy")
    bench.predict()
    assert "▸" not in bench.tree_text() and ">1" not in bench.tree_text()


def test_names_in_the_tree_are_one_line_each():
    bench = Workbench.from_yaml("partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]", static=True)
    assert len(bench.tree_text().splitlines()) == 3


@pytest.mark.parametrize("make", [
    lambda **shown: Workbench.example("multitenancy", **shown),
    lambda **shown: Workbench.open("multitenancy", **shown),
    lambda **shown: Workbench.from_scenario(example("multitenancy"), **shown),
    lambda **shown: Workbench.from_yaml(Workbench.example("multitenancy").to_yaml(), **shown),
    lambda **shown: Workbench.from_configmap(Workbench.example("multitenancy").to_configmap(), **shown),
    lambda **shown: Workbench.from_rest(REST, **shown),
], ids=["example", "open", "from_scenario", "from_yaml", "from_configmap", "from_rest"])  # fmt: skip
def test_every_way_to_make_a_workbench_takes_them(make):
    bench = make(motion=False, static=True, view="teach", keys=False)
    assert (bench.motion, bench.static, bench.view, bench.keys) == (False, True, "teach", False)
