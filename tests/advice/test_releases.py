"""Checks speak of a release: the one asked for, or that of the cluster. R-901, R-903, R-907, R-940, R-950."""

from __future__ import annotations

import pytest
from scenes import Scene, config_text

from workbench.advice import checks
from workbench.cli import main
from workbench.config import load_config, parse_config
from workbench.values.errors import CommandError

ON = {"preemption": {"quotapreemptionenabled": True}}
OLD, NEW = "preemption.quota.delay", "quota.preemption.delay"


def codes(queues: str, release: str, **partition) -> dict[str, list[str]]:
    """Queue -> codes of what is said of it, of L-13 and the checks of quota preemption."""
    found: dict[str, list[str]] = {}
    for check in checks(load_config(config_text(queues, **partition)), release=release):
        if check.code in ("L-13", "L-32", "L-33", "L-34"):
            found.setdefault(check.path, []).append(check.code)
    return found


@pytest.mark.parametrize("release, key, other", [("1.8", OLD, NEW), ("1.9", NEW, OLD)])
def test_each_release_is_told_the_key_that_it_reads(release, key, other):  # L-13, R-901
    assert codes(f"a: {{max: {{vcore: 4}}, {key}: 90s}}", release, **ON) == {}
    found = checks(load_config(config_text(f"a: {{max: {{vcore: 4}}, {other}: 90s}}", **ON)), release=release)
    (check,) = [each for each in found if each.code == "L-13"]
    assert key in check.text
    mended = check.remedies[0].apply(load_config(config_text(f"a: {{max: {{vcore: 4}}, {other}: 90s}}", **ON)))
    assert mended.partitions[0].root.queues[0].properties == {key: "90s"}


def test_an_inherited_delay_counts_from_1_9_on():  # L-32, R-903
    queues = "p: {%s: 90s, a: {max: {vcore: 4}}}"
    assert codes(queues % OLD, "1.8", **ON) == {"root.p": ["L-32"]}
    assert codes(queues % NEW, "1.9", **ON) == {}
    assert codes(queues.replace("max: {vcore: 4}", "") % NEW, "1.9", **ON) == {"root.p": ["L-32"]}


def test_a_delay_on_a_parent_is_no_danger_from_1_9_on():  # L-33, R-907
    queues = "p: {max: {vcore: 4}, %s: 90s, a: {}}"
    assert codes(queues % OLD, "1.8", **ON) == {"root.p": ["L-33"]}
    assert codes(queues % NEW, "1.9", **ON) == {}


@pytest.mark.parametrize("release, told", [("1.8", True), ("1.9", False)])
def test_what_a_parent_newly_lists_stays_until_a_restart_up_to_1_8(release, told):  # L-38, R-940
    scene = Scene("p: {a: {}}", release=release)
    config = load_config(config_text("p: {application.sort.policy: fair, a: {guaranteed: {vcore: 1}}}"))
    assert ("L-38" in [check.code for check in checks(config, scene.engine.state)]) is told


def test_what_nobody_lists_any_more_stays_in_every_release():  # L-38, R-941
    scene = Scene("a: {priority.offset: 5}", release="1.9")
    (check,) = [each for each in checks(load_config(config_text("a: {}")), scene.engine.state) if each.code == "L-38"]
    assert "what neither the queue nor one above it lists any more stays until a restart" in check.text


NESTED = """
partitions:
- name: default
  queues:
  - name: root
    limits: [{limit: l, users: [u], maxapplications: 5}]
    queues:
    - {name: root, parent: true, limits: [{limit: l, users: [u], maxapplications: 9}]}
"""


def test_a_configuration_can_be_refused_by_one_release_only(tmp_path, capsys):
    assert [check.severity for check in checks(parse_config(NESTED), release="1.9")] == ["error"]
    assert not [check for check in checks(parse_config(NESTED), release="1.8") if check.severity == "error"]
    path = tmp_path / "queues.yaml"
    path.write_text(NESTED)
    assert main(["validate", "--quiet", "--release", "1.8", str(path)]) == 0
    assert main(["validate", "--quiet", "--release", "1.9", str(path)]) == 1
    assert "of queue root is greater than" in capsys.readouterr().out


def test_there_is_no_advice_for_a_release_that_nobody_follows():
    with pytest.raises(CommandError, match="there is no release '2'"):
        checks(load_config(config_text("a: {}")), release="2")
