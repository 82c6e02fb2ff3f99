"""The lines of a picture that lists queues from top to bottom in tree order, folded if there are too many to be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.plots import plot_words
from workbench.plots.layout import REST, Folded, fold, places
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Queue


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One line.

    Attributes:
        path: of the queue; of a line that stands for several, of their parent.
        label: short name, with the number of queues that are folded into it.
        depth: steps from the root.
        queues: the queue; or those that the line stands for, side by side: their amounts add up.
        leaves: paths of all leaves in or below `queues`.
        has_children: queues below it have lines of their own.
    """

    path: str
    label: str
    depth: int
    queues: tuple[Queue, ...]
    leaves: frozenset[str]
    has_children: bool

    @property
    def queue(self) -> Queue | None:
        """The one queue of the line; None if it stands for several."""
        return self.queues[0] if self.path == self.queues[0].path else None


def tree_lines(root: Queue, most: int, keep: Sequence[str] = ()) -> list[TreeLine]:
    """At most about `most` lines for the queues from `root` down, depth first, children by name.

    Queues of `keep` have a line of their own, the first ones if there are too many of them.
    """
    queues = {queue.path: queue for queue in walk(root)}
    kept = [path for path in keep if path in queues][:most]

    def children(path: str) -> list[str]:
        return [child.path for _, child in sorted(queues[path].children.items())]

    while True:
        above = {".".join(names[:count]) for names in (path.split(".") for path in kept) for count in range(1, len(names) + 1)}
        for lines in (most, 3 * most // 4, most // 2, most // 3, most // 4, 1):
            folded = fold(root.path, children, sorted(above), max(1, lines))
            drawn = places(root.path, folded.below)
            if len(drawn) <= most or len(queues) <= most:
                return [_line(path, place.depth, queues, folded, children) for path, place in drawn.items()]
        if not kept:
            return [_line(path, place.depth, queues, folded, children) for path, place in drawn.items()]
        kept = kept[: len(kept) // 2]


def _line(path: str, depth: int, queues: dict[str, Queue], folded: Folded, children: Callable[[str], Sequence[str]]) -> TreeLine:
    if path.endswith(REST):
        parent = path.removesuffix(REST)
        members = tuple(queues[child] for child in children(parent) if child not in folded.below(parent))
        label = plot_words.more_queues(folded.hidden[path])
    else:
        parent, members = path, (queues[path],)
        hidden = folded.hidden.get(path, 0)
        label = queues[path].name + (f" {plot_words.hidden_queues(hidden)}" if hidden else "")
    leaves = frozenset(at.path for member in members for at in walk(member) if at.is_leaf)
    return TreeLine(parent, label, depth, members, leaves, bool(folded.below(path)))
