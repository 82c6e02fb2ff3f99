"""Nodes as a line of text. WL-4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Pool, parse_nodes
from workbench.workloads.nodes import amounts_text, parse_amounts

SMALL = Resource(vcore=8000, memory=32 * 2**30)
BIG = Resource({"vcore": 64000, "memory": 512 * 2**30, "nvidia.com/gpu": 8})


@pytest.mark.parametrize(
    ("text", "pools"),
    [
        ("20 x vcore=8,memory=32Gi", [("node", 20, SMALL)]),
        ("20x vcore=8, memory=32Gi;", [("node", 20, SMALL)]),
        ("vcore=8,memory=32Gi", [("node", 1, SMALL)]),
        ("gpu: 4 x vcore=64,memory=512Gi,nvidia.com/gpu=8; 2 x vcore=8,memory=32Gi", [("gpu", 4, BIG), ("node", 2, SMALL)]),
        ("1 x vcore=8,memory=32Gi; vcore=8,memory=32Gi", [("node-1", 1, SMALL), ("node-2", 1, SMALL)]),
        ("login: vcore=8,memory=32Gi", [("login", 1, SMALL)]),
    ],
)
def test_a_line_names_pools_of_nodes(text, pools):
    assert parse_nodes(text) == tuple(Pool(name=name, count=count, capacity=capacity) for name, count, capacity in pools)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no nodes are named"),
        (" ; ", "no nodes are named"),
        ("0 x vcore=8", "'0' nodes"),
        ("9999999999 x vcore=8", "'9999999999' nodes"),
        ("20 nodes", "'20 nodes' is no amount of a resource (write nodes as '20 x vcore=8,memory=32Gi'"),
        ("3 x vcore", "'vcore' is no amount of a resource"),
        ("3 x vcore=8,vcore=9", "'vcore' occurs twice"),
        ("3 x vcore=8,memory=32GB", "invalid quantity: '32GB' of 'memory'"),
        ("3 x vcore=-1", "invalid quantity: '-1' of 'vcore'"),
        ("a: vcore=1; a: vcore=2", "two pools are called 'a'"),
        ("node: vcore=1; vcore=2", "two pools are called 'node'"),
        ("\ud800: vcore=1", "a text of whole characters"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(text, said):
    with pytest.raises(WorkloadError) as told:
        parse_nodes(text)
    assert said in str(told.value)
    assert told.value.hint


@examples(60)
@given(st.dictionaries(st.sampled_from(["vcore", "memory", "nvidia.com/gpu"]), st.integers(0, 2**62), min_size=1))
def test_amounts_are_read_as_they_are_written(amounts):
    assert parse_amounts(amounts_text(Resource(amounts))) == Resource(amounts)
