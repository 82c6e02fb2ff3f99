"""What queues hold, drawn minute by minute, where it becomes another: the numbers, and the words below them."""

from __future__ import annotations

from rollout_scenes import Cluster, design

from workbench.rollouts import rollout
from workbench.rollouts.effects import Effects
from workbench.rollouts.picture import Line, drawn, lines

QUOTA = {"preemption": "{quotapreemptionenabled: true}"}


def lowered() -> Effects:
    """Six cores of which two have to go after two minutes."""
    today = design("a: {resources: {max: {vcore: 8}}, properties: {quota.preemption.delay: 2m}}\nb:", **QUOTA)
    live = Cluster(today, release="1.9").runs("x", "root.a", 6).runs("y", "root.b", 2)
    found = rollout(today.replace("vcore: 8", "vcore: 4"), live.scenario, minutes=4).effects
    assert found is not None
    return found


def test_only_leaves_whose_use_changes_are_drawn_with_a_value_at_the_start_and_after_each_minute():
    assert lines(lowered()) == (Line("root.a", "vcore", (6000,) * 5, (6000, 6000, 6000, 4000, 4000)),)


def test_each_drawing_says_in_words_what_it_shows():
    made = drawn(lowered())
    assert "<figcaption>root.a holds vcore</figcaption>" in made
    assert "<p>6 today, 6 to 4 with the file; 4 min</p>" in made
    assert 'aria-label="root.a holds vcore: 6 today, 6 to 4 with the file"' in made


def test_nothing_is_drawn_where_nothing_differs():
    plain = design("a:\nb:")
    found = rollout(plain, Cluster(plain).runs("x", "root.a").scenario).effects
    assert found is not None
    assert drawn(found) == ""
