"""The fit table finds the node that a walk over all nodes finds, whatever happened to the nodes since it was last asked.

A row equals the cells computed from the nodes, and a shape that is closed fits no node.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from scenes import config_text

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import asks
from workbench.scheduler.passes.node_walk import NodeWalk
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddNode,
    ApplicationSpec,
    AskSpec,
    DrainNode,
    Release,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.records.state import Node
from workbench.scheduler.search import fit_table
from workbench.scheduler.search.fit_table import INFINITY, LARGEST_SCORE, FitTable
from workbench.scheduler.search.shapes import Shapes
from workbench.values.resources import Resource, add

NAMES = [f"n{number}" for number in range(40)]
SIZES = (Resource(vcore=1), Resource(vcore=3), Resource(vcore=2, gpu=1), Resource(gpu=2), Resource(vcore=6, memory=0))
PLACES: tuple[dict, ...] = ({}, {"tolerations": ("only",)}, {"node_selector": {"zone": "east"}}, {"allowed_nodes": ("n1", "n3")})
SPECS = [
    AskSpec(application_id="x", key=f"{number}-{where}", resource=size, **place)
    for number, size in enumerate(SIZES)
    for where, place in enumerate(PLACES)
]

FEW = st.sampled_from(NAMES[:5])
CAPACITIES = st.builds(Resource, st.fixed_dictionaries({"vcore": st.integers(0, 6)}, optional={"gpu": st.integers(0, 3)}))
LOADS = st.sampled_from(["f1", "f2", "f3"])
NEW = st.builds(
    AddNode,
    node_id=FEW,
    capacity=CAPACITIES,
    schedulable=st.sampled_from([True, True, False]),
    taints=st.sampled_from([(), (), ("only=these:NoSchedule",)]),
    attributes=st.sampled_from([{}, {"zone": "east"}]),
)
ORDERS = [(policy, weights) for policy in ("fair", "binpacking") for weights in ({"vcore": 1.0}, {"gpu": 1.0, "vcore": 0.5}, {})]
"""What a reload can make of the order of nodes: policy and weights."""
STEPS = st.lists(
    st.one_of(
        NEW,
        NEW,
        st.builds(UpdateNode, node_id=FEW, capacity=CAPACITIES),
        st.builds(DrainNode, node_id=FEW),
        st.builds(UndrainNode, node_id=FEW),
        st.builds(RemoveNode, node_id=FEW),
        st.builds(
            lambda node, key, size: AddAllocation(
                ask=AskSpec(application_id="", key=key, resource=size), node_id=node, foreign=True
            ),
            FEW,
            LOADS,
            st.sampled_from(SIZES),
        ),
        LOADS.map(lambda key: Release(application_id="", key=key)),
        st.tuples(st.just("reserve"), FEW),
        st.tuples(st.just("grow"), FEW),
        st.tuples(st.just("look"), st.sampled_from(SPECS)),
        st.tuples(st.just("look"), st.sampled_from(SPECS)),
        st.tuples(st.just("reload"), st.sampled_from(ORDERS)),
        st.tuples(st.just("undo"), st.integers(1, 6)),
    ),
    max_size=40,
)

FREE, USED = AddNode(node_id="n1", capacity=Resource(vcore=5, gpu=1)), AddNode(node_id="n0", capacity=Resource(vcore=5, gpu=2))


class Tables:
    """An engine for the nodes, and a table of them that is told what a search would tell it."""

    def __init__(self, policy: str = "fair"):
        self.engine = Engine(load_config(config_text(nodesortpolicy={"type": policy, "resourceweights": {"vcore": 1.0}})))
        self.engine.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")))
        self.ctx = self.engine._ctx
        self.partition = self.engine.state.partitions["default"]
        self.shapes = Shapes()
        self.asks = {spec.key: asks.record(self.ctx, spec) for spec in SPECS}
        self.table = FitTable(self.partition, self.shapes.of)
        self.known = {key: self.shapes.of(ask) for key, ask in self.asks.items()}
        self.marks = [self.engine.mark]

    def step(self, step) -> None:
        if not isinstance(step, tuple):
            self.engine.apply(step)
        elif step[0] == "reserve" and step[1] in self.partition.nodes:
            node = self.partition.nodes[step[1]]
            if node.reservations:
                self.ctx.journal.drop(node, "reservations", "waiting")
            else:
                self.ctx.journal.put(node, "reservations", "waiting", "x")
        elif step[0] == "grow" and step[1] in self.partition.nodes:
            # And is filled at once, so that there is no more room than before.
            node, more = self.partition.nodes[step[1]], SIZES[1]
            self.engine.apply(UpdateNode(node_id=node.id, capacity=add(node.capacity, more)))
            self.engine.apply(
                AddAllocation(
                    ask=AskSpec(application_id="", key=f"more-{self.engine.mark}", resource=more), node_id=node.id, foreign=True
                )
            )
        elif step[0] == "undo":
            del self.marks[max(1, len(self.marks) - step[1]) :]
            self.engine.unwind(self.marks[-1])
            return
        elif step[0] == "reload":
            policy, weights = step[1]
            self.engine.apply(UpdateConfig(config=config_text(nodesortpolicy={"type": policy, "resourceweights": weights})))
        elif step[0] == "look":
            self.look(step[1])
        self.marks.append(self.engine.mark)

    def look(self, spec: AskSpec) -> None:
        touched = self.ctx.journal.touched
        for record in touched:
            if type(record) is Node:
                self.table.touch(record)
        touched.clear()
        ask, shape, table = self.asks[spec.key], self.known[spec.key], self.table
        node, visited = NodeWalk(self.partition).first(self.ctx, ask, None)
        assert table.best(shape) is node
        nodes = sorted(self.partition.nodes.values(), key=lambda each: each.id)
        if node is None:
            assert set(map(id, table.tried(ask, ()))) == set(map(id, NodeWalk(self.partition).tried(ask, visited)))
        row = table._rows.get(shape)
        if row is not None and row.seen == len(table._touched):
            assert row.cells == [min(each.score, LARGEST_SCORE) if shape.fits(each) else INFINITY for each in nodes]
            starts = range(0, len(nodes), table._block)
            assert row.minima == [min(row.cells[start : start + table._block]) for start in starts]
        for each in self.known.values():
            assert not table.has_no_room(each) or not any(map(each.fits, nodes))
            assert table.has_no_place(each) is not any(map(each.has_place, nodes))


@pytest.mark.parametrize("policy", ["fair", "binpacking"])
@pytest.mark.parametrize("bounds", [{}, {"MOST_ROWS": 2, "LONGEST_LOG": 3}], ids=["roomy", "narrow"])
@example([USED, FREE, ("look", SPECS[0]), ("reload", ORDERS[3]), ("look", SPECS[0]), ("undo", 2)])
@examples(60)
@given(STEPS)
def test_the_best_node_is_the_first_that_a_walk_finds(policy, bounds, steps):
    with pytest.MonkeyPatch.context() as patch:
        for name, bound in bounds.items():
            patch.setattr(fit_table, name, bound)
        tables = Tables(policy)
        for step in [*steps, ("look", SPECS[0]), ("look", SPECS[9])]:
            tables.step(step)
        for name in list(tables.partition.nodes):
            for step in (("grow", name), ("look", SPECS[-4])):
                tables.step(step)
        tables.step(("undo", len(tables.marks)))
        for step in [AddNode(node_id="n1", capacity=Resource(vcore=9)), *(("look", spec) for spec in SPECS)]:
            tables.step(step)


def test_many_nodes_stand_in_blocks_and_the_first_of_equals_wins():
    tables = Tables()
    for name in NAMES:
        tables.step(AddNode(node_id=name, capacity=Resource(vcore=4)))
    spec = SPECS[4]
    for number in range(100):
        best = tables.table.best(tables.known[spec.key])
        tables.look(spec)
        if best is None:
            break
        tables.step(
            AddAllocation(ask=AskSpec(application_id="", key=str(number), resource=spec.resource), node_id=best.id, foreign=True)
        )
        tables.look(spec)
    assert number == len(NAMES)
    assert best is None


def test_shapes_are_equal_where_the_rules_and_the_sizes_are():
    shapes = Shapes()
    made = Tables()
    first, again = (asks.record(made.ctx, AskSpec(application_id="x", key=key, resource=Resource(vcore=1))) for key in "ab")
    zero = asks.record(made.ctx, AskSpec(application_id="x", key="c", resource=Resource(vcore=1, gpu=0)))
    known = shapes.of(first)
    assert shapes.of(again) is known
    assert shapes.of(zero) is not known
    assert shapes.of(zero).needs == known.needs
