"""What is said of queues beforehand is what the scheduler does: whom it looks at, and whom it leaves out, and why."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from scenes import Scene

from workbench.config import may_preempt
from workbench.scheduler.objects.tree import leaves
from workbench.scheduler.preemption import general

policies = st.sampled_from(["default", "fence", "disabled"])
once, twice = (st.sampled_from(["", f"guaranteed: {{vcore: {cores}}}, "]) for cores in (1, 2))
"""What a leaf is promised, and a parent of two."""


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Two parents of two leaves each and a leaf beside them, with any policies and guarantees."""

    def queue(name: str, below: str = "") -> str:
        return f"{name}: {{{draw(twice if below else once)}preemption.delay: 1s, preemption.policy: {draw(policies)}, {below}}}"

    return "\n".join(
        [
            queue("x", f"{queue('a')}, {queue('b')}"),
            queue("y", f"{queue('c')}, {queue('d')}"),
            queue("e"),
        ]
    )


def scene_of(tree: str) -> Scene:
    """Every leaf holds one of its own and one core more than anything promises, and the node is full."""
    scene = Scene(tree, confirm=False)
    paths = [leaf.path for leaf in leaves(scene.queue("root"))]
    scene.node("n1", vcore=4 * len(paths))
    for path in paths:
        scene.runs(f"of-{path}", path, 4)
    return scene


@examples(60)
@given(trees())
def test_the_scheduler_finds_victims_in_just_those_leaves_that_may_be_preempted(tree):
    scene = scene_of(tree)
    for taker in leaves(scene.queue("root")):
        scene.wants(f"for-{taker.path}", taker.path)
        ask = scene.application(f"for-{taker.path}").asks[f"for-{taker.path}-0"]
        told = general.attempt(scene.partition, taker, ask, 10**12, nodes_tried=True)
        givers = [giver for giver in leaves(scene.queue("root")) if not may_preempt.is_disabled(giver)]
        assert set(told.eligible) == {giver.path for giver in givers if may_preempt.can_reach(taker, giver)}
        unclaimed = general.without_claim(taker, ask, nodes_tried=True)
        assert (unclaimed is None) == may_preempt.has_claim(taker)
        if unclaimed is not None:
            assert (told.reason, told.refusal) == (unclaimed.reason, unclaimed.refusal)
