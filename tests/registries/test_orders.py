"""An order that is registered from outside is taken by the configuration, decides in both searches, and is explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from scenes import config_text
from twins import Twins

import workbench as wb
from workbench.bench import schema
from workbench.config import load_config, vocabulary
from workbench.scheduler import policies
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Cycle, Release
from workbench.scheduler.releases import profiles
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import Resource

CORE = Resource(vcore=1000)


@pytest.fixture(autouse=True)
def registries_as_before() -> Iterator[None]:
    """What a test registers is gone after it."""
    tables = [policies.APPLICATION_ORDERS, policies.QUEUE_ORDERS, policies.NODE_ORDERS, profiles.PROFILES]
    names = [vocabulary.APPLICATION_SORT_POLICIES, vocabulary.NODE_SORT_POLICIES]
    kept = [dict(table) for table in tables], [list(each) for each in names]
    yield
    for table, before in zip(tables, kept[0]):
        table.clear()
        table.update(before)
    for each, known in zip(names, kept[1]):
        each[:] = known


class Deadline(NamedTuple):
    deadline: int
    priority: int


def by_deadline(application, guaranteed, by_priority):
    """Applications name their deadline in their id, as in x-7."""
    return Deadline(int(application.id.partition("-")[2] or 99), -application.priority)


def placed(twins: Twins, cycles: int) -> list[str]:
    found = []
    for _ in range(cycles):
        twins.apply(Cycle())
        found.append(twins.decisions[0].application_id)
    return found


def waiting(config: str, *applications: str, queue: str = "root.a", asks: int = 2, release: str = "1.8") -> Twins:
    twins = Twins(load_config(config), release=release)
    twins.apply(AddNode(node_id="n", capacity=Resource(vcore=64_000, memory=64)))
    for name in applications:
        twins.apply(AddApplication(application=ApplicationSpec(id=name, queue=queue, user="u")))
        for number in range(asks):
            twins.apply(AddAsk(ask=AskSpec(application_id=name, key=f"{name}.{number}", resource=CORE)))
    return twins


def test_a_sort_policy_of_applications_decides():
    policies.register_application_order("deadline", by_deadline, words={"deadline": "deadline"})
    twins = waiting(config_text("a: {application.sort.policy: deadline}"), "x-7", "x-3", "x-5")
    assert placed(twins, 6) == ["x-3", "x-3", "x-5", "x-5", "x-7", "x-7"]


@pytest.mark.parametrize("release", profiles.PROFILES)
def test_its_name_is_taken_under_every_release_and_unknown_without_it(release):
    text = config_text("a: {application.sort.policy: deadline}")
    assert Twins(load_config(text), release=release).state.partitions["default"].root.children["a"].settings == (
        Twins(load_config(config_text()), release=release).state.partitions["default"].root.children["a"].settings
    )
    policies.register_application_order("deadline", by_deadline)
    leaf = Twins(load_config(text), release=release).state.partitions["default"].root.children["a"]
    assert leaf.settings.application_sort_policy == "deadline"
    assert "deadline" in schema.SETTINGS["application.sort.policy"].allowed


def test_equals_go_by_creation():
    policies.register_application_order("level", lambda application, guaranteed, by_priority: 1)
    twins = waiting(config_text("a: {application.sort.policy: level}"), "z", "y", "x", asks=1)
    assert placed(twins, 3) == ["z", "y", "x"]
    assert twins.state.partitions["default"].root.children["a"].settings.application_sort_policy == "level"


def test_a_key_that_reads_more_than_its_application_is_asked_for_every_time():
    # Who has waited longest since anything in the leaf was placed: it depends on all of them.
    def fewest_first(application, guaranteed, by_priority):
        others = application.queue.applications.values()
        return sum(len(each.allocations) for each in others if each is not application) * -1

    policies.register_application_order("turns", fewest_first)
    twins = waiting(config_text("a: {application.sort.policy: turns}"), "x", "y")
    assert placed(twins, 4) == ["x", "y", "x", "y"]
    twins.apply(Release(application_id="y", key="y.0"))
    twins.retrace(5, (Cycle(), Cycle()))


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (lambda application, guaranteed, by_priority: None, "is made of numbers, texts and tuples of numbers"),
        (lambda application, guaranteed, by_priority: float("nan"), "application x has nan"),
        (lambda application, guaranteed, by_priority: (1,) if application.id == "x" else ("a",), "one form, a number as at first"),
        (lambda application, guaranteed, by_priority: (1,) if application.id == "x" else (1, 2), "has a number, a number"),
    ],
    ids=["nothing", "not a number", "kinds", "lengths"],
)
def test_a_key_that_cannot_be_compared_is_refused_in_words(key, told):
    policies.register_application_order("odd", key)
    with pytest.raises(CommandError, match=f"sort policy 'odd'.*{told}"):
        placed(waiting(config_text("a: {application.sort.policy: odd}"), "x", "y"), 1)


def test_a_sort_policy_of_nodes_decides():
    with pytest.raises(ConfigError, match="undefined policy: last"):
        load_config(config_text(nodesortpolicy={"type": "last"}))
    policies.register_node_order("last", lambda node, weights: -int(node.id[1:]))
    twins = Twins(load_config(config_text(nodesortpolicy={"type": "last"})))
    for number in (1, 3, 2):
        twins.apply(AddNode(node_id=f"n{number}", capacity=CORE))
    twins.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")))
    taken = []
    for key in "abc":
        twins.apply(AddAsk(ask=AskSpec(application_id="x", key=key, resource=CORE)))
        twins.apply(Cycle())
        taken.append(twins.decisions[0].node_id)
    assert taken == ["n3", "n2", "n1"]
    assert "last" in schema.OF_PARTITION["nodesortpolicy.type"].allowed


def test_a_score_that_is_no_number_is_refused_in_words():
    policies.register_node_order("odd", lambda node, weights: float("nan"))
    twins = Twins(load_config(config_text(nodesortpolicy={"type": "odd"})))
    with pytest.raises(CommandError, match="sort policy 'odd': the score of node n must be a number, found nan"):
        twins.apply(AddNode(node_id="n", capacity=CORE))


def test_an_order_of_queues_decides_in_a_release_that_names_it():
    policies.register_queue_order("last named", lambda queue, fair_maximum: -ord(queue.name[0]))
    profiles.register(replace(profiles.V1_8, version="1.8-last", queue_order="last named"))
    twins = waiting(config_text("a: {}\nb: {}\nc: {}"), "x", queue="root.a", asks=1, release="1.8-last")
    for name, queue in (("y", "root.b"), ("z", "root.c")):
        twins.apply(AddApplication(application=ApplicationSpec(id=name, queue=queue, user="u")))
        twins.apply(AddAsk(ask=AskSpec(application_id=name, key=name, resource=CORE)))
    assert placed(twins, 3) == ["z", "y", "x"]


@pytest.mark.parametrize(
    "again",
    [
        lambda: policies.register_application_order("fifo", by_deadline),
        lambda: policies.register_node_order("fair", lambda node, weights: 0),
        lambda: policies.register_queue_order("largest", lambda queue, fair_maximum: 0),
        lambda: profiles.register(profiles.V1_8),
    ],
    ids=["applications", "nodes", "queues", "release"],
)
def test_a_name_is_given_once(again):
    with pytest.raises(CommandError, match="already; the names taken are"):
        again()


def test_every_order_of_the_core_has_a_file_of_its_own_and_the_configuration_knows_its_name():
    assert {each.ORDER.name for each in policies.BUILT_IN} == {"fifo", "fair", "stateaware", "largest", "list", "binpacking"}
    assert set(policies.NODE_ORDERS) == set(vocabulary.NODE_SORT_POLICIES)
    assert set(policies.APPLICATION_ORDERS) == set(schema.SETTINGS["application.sort.policy"].allowed) | {"stateaware"}


def test_on_the_screen_an_order_is_chosen_told_and_drawn():
    policies.register_application_order("deadline", by_deadline, words={"deadline": "deadline"})
    bench = wb.Workbench.from_yaml(config_text("a: {}"))
    bench.add_node("n", {"vcore": "8", "memory": "8Gi"})
    for name in ("x-7", "x-3"):
        bench.add_request(name, name, {"vcore": "1"}, queue="root.a")
    assert bench.simulation.preview().application_id == "x-7"
    bench.set("root.a", "application.sort.policy", "deadline")
    assert bench.simulation.preview().application_id == "x-3"
    assert "x-3 (deadline 3) before x-7 (deadline 7)" in str(bench.why())
    standings = wb.explain.standing_rows(bench.simulation.state, bench.simulation.preview(), "root.a")
    assert "deadline" in standings.columns
    assert "deadline" in str(bench.figure("shares").to_dict()["layout"])
