"""Lines of queues in tree order, folded where there are too many."""

from __future__ import annotations

from picture_scenes import crowd, nameless, partition, teams

from workbench.plots.tree_lines import tree_lines


def test_a_small_tree_is_whole_and_in_order():
    lines = tree_lines(partition(teams()).root, 16)
    assert [(line.path, line.depth, line.has_children) for line in lines] == [
        ("root", 0, True),
        ("root.batch", 1, False),
        ("root.serving", 1, True),
        ("root.serving.canary", 2, False),
        ("root.serving.online", 2, False),
        ("root.spare", 1, False),
    ]
    assert all(line.queue is not None for line in lines)


def test_every_leaf_of_a_large_tree_is_on_exactly_one_line():
    lines = tree_lines(partition(crowd()).root, 14)
    shown = [leaf for line in lines if not line.has_children for leaf in line.leaves]
    assert len(shown) == len(set(shown)) == 180 and len(lines) <= 14


def test_kept_queues_have_a_line_of_their_own_the_first_ones_if_they_are_too_many():
    root = partition(crowd()).root
    leaves = [child.path for parent in root.children.values() for child in parent.children.values()]
    assert leaves[100] in {line.path for line in tree_lines(root, 14, leaves[100:101])}
    many = tree_lines(root, 14, leaves)
    assert leaves[0] in {line.path for line in many} and len(many) <= 14


def test_a_line_of_several_queues_stands_for_none_of_them():
    rest = [line for line in tree_lines(partition(crowd()).root, 8) if line.queue is None]
    assert rest and all(len(line.queues) > 1 and line.path == line.queues[0].parent.path for line in rest)


def test_root_alone_is_one_line():
    assert [line.path for line in tree_lines(partition(nameless()).root, 10)] == ["root"]
