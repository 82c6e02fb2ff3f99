"""Former names are understood for a while, and say what to use instead."""

from __future__ import annotations

import pytest

from workbench import Engine, Simulation, Workbench, example, load_config
from workbench.values.renamed import renamed_keyword

CONFIG = "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"


@renamed_keyword("colour", "color")
def painted(thing: str, *, color: str = "grey") -> str:
    return f"{color} {thing}"


def test_the_present_name_is_taken_without_a_word(recwarn):
    assert (painted("door"), painted("door", color="red")) == ("grey door", "red door")
    assert not recwarn.list


def test_a_former_keyword_does_the_same_and_says_what_to_use_where_it_was_written():
    with pytest.warns(DeprecationWarning, match="^colour= is a former name and goes with the next release; use color=$") as said:
        assert painted("door", colour="red") == "red door"
    assert said[0].filename == __file__


def test_both_names_at_once_are_refused():
    with pytest.raises(TypeError, match="colour= is the former name of color=; give only color="):
        painted("door", colour="red", color="red")


@pytest.mark.parametrize(
    "made",
    [
        lambda **named: Engine(load_config(CONFIG), **named).state.profile.version,
        lambda **named: Simulation(CONFIG, **named).release,
        lambda **named: Simulation.from_scenario(example("two-tenants"), **named).release,
    ],
    ids=["Engine", "Simulation", "from_scenario"],
)
def test_version_is_the_former_name_of_release(made):
    with pytest.warns(DeprecationWarning, match="use release=") as said:
        assert made(version="1.4") == made(release="1.4") == "1.4"
    assert [warning.filename for warning in said] == [__file__]


def test_the_version_of_a_simulation_is_its_release():
    with pytest.warns(DeprecationWarning, match="^Simulation.version .* use Simulation.release$") as said:
        assert Simulation(CONFIG, release="1.4").version == "1.4"
    assert said[0].filename == __file__


def test_the_verb_engine_is_the_verb_release():
    bench = Workbench.from_yaml(CONFIG)
    with pytest.warns(DeprecationWarning, match=r"use bench\.release\(\.\.\.\)$") as said:
        bench.engine("1.4")
    assert said[0].filename == __file__
    assert (bench.simulation.release, bench.calls[-1]) == ("1.4", 'bench.release("1.4")')
