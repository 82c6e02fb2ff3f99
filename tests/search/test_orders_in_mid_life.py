"""Orders that are kept while a reload changes what orders: decisions stay those of a search that keeps nothing.

A reload may change the sort policy of leaves and of nodes with its weights, whether priority counts, guarantees, maxima and
the delay of preemption, in the middle of everything; undo brings back what was. Every release has its own policies.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from scenes import Scene, config_text
from twins import Twins

from workbench.config import load_config
from workbench.scheduler.objects import reservations
from workbench.scheduler.policies.request_order import rank
from workbench.scheduler.preemption import general
from workbench.scheduler.records.commands import (
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    Release,
    UpdateConfig,
)
from workbench.scheduler.releases import profiles
from workbench.scheduler.search.ask_book import AskBook
from workbench.scheduler.search.shapes import Shapes
from workbench.values.resources import Resource

SECOND_NS = 10**9
LEAVES = ("root.p.a", "root.p.b", "root.c")


def design(leaves: str = "fifo", priority: str = "enabled", nodes: str = "fair", weights: str = "", room: str = "") -> UpdateConfig:
    """A reload that changes orders and nothing else: two leaves below a parent, and one beside it."""
    sort = f"application.sort.policy: {leaves}, application.sort.priority: {priority}, preemption.delay: 1s"
    resources = {"": "", "guaranteed": ", guaranteed: {vcore: 2}", "max": ", max: {vcore: 6, memory: 6}"}[room]
    queues = (
        f"application.sort.priority: {priority}\n"
        f"p: {{application.sort.priority: {priority}, guaranteed: {{vcore: 4}}, a: {{{sort}{resources}}}, b: {{{sort}}}}}\n"
        f"c: {{{sort}{resources}}}"
    )
    sorting = {"type": nodes} | ({"resourceweights": {weights: 1.0}} if weights else {})
    return UpdateConfig(config=config_text(queues, nodesortpolicy=sorting))


DESIGNS = st.builds(
    design,
    leaves=st.sampled_from(["fifo", "fair", "stateaware"]),
    priority=st.sampled_from(["enabled", "disabled"]),
    nodes=st.sampled_from(["fair", "binpacking"]),
    weights=st.sampled_from(["", "vcore", "memory"]),
    room=st.sampled_from(["", "guaranteed", "max"]),
)
SIZES = st.sampled_from([Resource(vcore=1000), Resource(vcore=2000), Resource(memory=2), Resource(vcore=1000, memory=1)])
KEYS = st.sampled_from([f"{number}-{ask}" for number in range(6) for ask in range(3)])
STEPS = st.lists(
    st.one_of(
        DESIGNS,
        DESIGNS,
        st.just(Cycle()),
        st.just(Cycle()),
        st.builds(
            lambda key, size, priority: AddAsk(
                ask=AskSpec(application_id=f"x{key[0]}", key=key, resource=size, priority=priority, created_ns=int(key[-1]))
            ),
            KEYS,
            SIZES,
            st.sampled_from([0, 0, 1, 5]),
        ),
        KEYS.map(lambda key: Release(application_id=f"x{key[0]}", key=key)),
        st.sampled_from([100_000_000, SECOND_NS, 31 * SECOND_NS]).map(lambda ns: Advance(ns=ns)),
        st.builds(AddNode, node_id=st.sampled_from(["n3", "n4"]), capacity=SIZES),
        st.integers(1, 6),
    ),
    max_size=40,
)


def asked(number: int, ask: int = 0, priority: int = 0) -> AddAsk:
    size = Resource(vcore=1000)
    return AddAsk(ask=AskSpec(application_id=f"x{number}", key=f"{number}-{ask}", resource=size, priority=priority))


TWO_WAIT = [asked(0, ask) for ask in range(3)] + [asked(3, ask, priority=ask) for ask in range(3)]


@pytest.mark.parametrize("release", profiles.PROFILES)
@example([*TWO_WAIT, Cycle(), design(priority="disabled"), Cycle()])
@example([*TWO_WAIT, Cycle(), design("fair"), Cycle(), design("fair", "disabled"), Cycle(), 2, Cycle()])
@example([*TWO_WAIT, Cycle(), design("stateaware"), Cycle(), design("fair"), Cycle(), 1, Cycle()])
@example([*TWO_WAIT, Cycle(), design(nodes="binpacking"), Cycle(), design(weights="memory"), Cycle(), 3, Cycle()])
@examples(40)
@given(STEPS)
def test_a_reload_changes_the_orders_of_what_waits(release, steps):
    twins = Twins(load_config(design().text), release=release)
    for node, size in (("n1", Resource(vcore=3000, memory=9)), ("n2", Resource(vcore=4000, memory=4))):
        twins.apply(AddNode(node_id=node, capacity=size))
    for number in range(6):
        twins.apply(AddApplication(application=ApplicationSpec(id=f"x{number}", queue=LEAVES[number % 3], user="u")))
    for step in [*steps, Cycle(), Cycle()]:
        if isinstance(step, int):
            twins.retrace(step, (design("fair", "disabled", "binpacking"), Cycle(), Cycle()))
        else:
            twins.apply(step)
    twins.agree_in_state()


# -- requests ---------------------------------------------------------------------------------------------------------

ASKS = ("k0", "k1", "k2", "k3")
DELAYS = {
    delay: Scene(f"a: {{preemption.delay: {delay}, application.sort.policy: {policy}}}").queue("root.a").settings
    for delay, policy in (("1s", "fifo"), ("10s", "fair"), ("30s", "fifo"))
}
ASK_CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.just(""), st.sampled_from([0, 1, 2, 12, 31])),
        st.tuples(st.just("delay"), st.just(""), st.sampled_from(sorted(DELAYS))),
        st.tuples(st.just("priority"), st.sampled_from(ASKS), st.integers(-1, 1)),
        st.tuples(st.just("created_ns"), st.sampled_from(ASKS), st.sampled_from([0, SECOND_NS, 9 * SECOND_NS])),
        st.tuples(st.just("preemption_checked_ns"), st.sampled_from(ASKS), st.sampled_from([None, 20 * SECOND_NS])),
        st.tuples(
            st.sampled_from(
                ["scheduling_attempted", "lacks_user_room", "lacks_queue_room", "preemption_triggered", "allow_preempt_other"]
            ),
            st.sampled_from(ASKS),
            st.booleans(),
        ),
        st.tuples(st.just("allocated"), st.sampled_from(ASKS), st.booleans()),
    ),
    max_size=40,
)


@example([("read", "", 2), ("delay", "", "1s"), ("read", "", 0)])
@example([("delay", "", "1s"), ("read", "", 1), ("delay", "", "10s"), ("priority", "k0", 0), ("delay", "", "1s"), ("read", "", 0)])
@given(ASK_CHANGES)
def test_requests_are_ranked_as_they_are_and_called_when_the_delay_of_today_is_over(steps):
    # All are due in the order of the requests; a reload of another delay touches none of them.
    scene = Scene("a: {preemption.delay: 10s}").app("x")
    for key in ASKS:
        scene.ask("x", key)
    leaf, application = scene.queue("root.a"), scene.application("x")
    known = {key: application.asks[key] for key in ASKS}
    where: dict = {}
    book, now_ns = AskBook(application, Shapes(), where), scene.engine.state.now_ns
    for field, name, value in [*steps, ("read", "", 31)]:
        if field == "delay":
            leaf.settings = DELAYS[value]
        elif field != "read":
            ask = known[name]
            setattr(ask, field, value)
            if ask in where:
                book.leave(ask)
            if not ask.allocated:
                book.enter(ask)
        else:
            now_ns += value * SECOND_NS
            waiting = sorted((rank(ask), ask.key) for ask in known.values() if not ask.allocated)
            kept = sorted((entry[:3], entry[3].key) for pending in book.kinds.values() for entry in pending.line)
            assert kept == waiting
            for pending in book.kinds.values():
                entries = list(pending.line)
                assert [entry[:3] for entry in entries] == sorted(rank(entry[3]) for entry in entries)
                assert {book.kind_of(entry[3]) for entry in entries} == {pending.kind}
                due = [entry for entry in entries if is_due(general.earliest_ns(entry[3], leaf), now_ns)]
                assert list(pending.preempting().due(now_ns, pending.alive)) == due
                old = [entry for entry in entries if entry[3].created_ns + reservations.DELAY_NS < now_ns]
                assert list(pending.reserving().due(now_ns, pending.alive)) == old


def is_due(instant_ns: int | None, now_ns: int) -> bool:
    return instant_ns is not None and instant_ns <= now_ns
