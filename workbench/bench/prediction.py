"""Predictions of the next decision: what an answer can name, and whether the decision is the one that it names.

An answer names a queue, an application, a request or a node by its name, or "nothing"; where victims are asked for, all of
their keys. It is right if the decision is about what it names. Names of different kinds may be equal; any of them counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.bench import texts
from workbench.explain import refusals, words
from workbench.explain.tables import Table, node_rows, waiting_rows
from workbench.explain.wording import listing, name
from workbench.scheduler.objects import holdings
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Cluster, Partition
from workbench.simulation.waiting import Waiting
from workbench.values.errors import CommandError

COVERED_COLUMNS = ("request", "app", "queue", "priority")
COVERED_NODE_COLUMNS = ("node", "capacity", "allocated", "others", "available", "state")
PRIORITIES_COLUMNS = (*COVERED_COLUMNS, "seen at leaf → … → root child")
PREDICT_BELOW_ROOT = "root holds everything; name a queue below it"

NOTHING = "nothing"
NEXT, VICTIMS = "next", "victims"
REQUEST, APPLICATION, QUEUE, NODE = "request", "application", "queue", "node"
"""What can be asked for: what the next step is about, in any words or on one level, or what it stops."""
TRIES = 2
"""Answers that a question takes; after the last one the step is taken, whatever it was."""

Instant = tuple[object, ...]
"""What tells two states of a workbench apart."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many predictions were made, how many of them were right at the first try, and how many at the second."""

    right: int = 0
    made: int = 0
    second: int = 0

    def after(self, is_right: bool, tried: int = 1) -> Score:
        """With one question more, that was answered with that try."""
        at_first = is_right and tried == 1
        return Score(self.right + at_first, self.made + 1, self.second + (is_right and not at_first))


@dataclass(frozen=True, slots=True)
class Question:
    """A prediction that was asked for.

    Attributes:
        about: what is asked: "next" or "victims".
        call: the call that asked for it, "" before the first.
        blind: it is to be answered without the priorities that queues and applications have now.
        at: when it was asked; None when it is closed.
        name: what it is called in the scores, "" if it is not kept there.
        wrong: the wrong answers that were given to it.
    """

    about: str = NEXT
    call: str = ""
    blind: bool = False
    at: Instant | None = None
    name: str = ""
    wrong: tuple[str, ...] = ()

    def closed(self) -> Question:
        return replace(self, at=None)


def names_the_next(answer: str, decision: Decision, partition: Partition, waiting: Sequence[Waiting]) -> bool:
    """Whether the decision is about what the answer names. CommandError if there is nothing of that name, or for root."""
    wanted = answer.strip().lower()
    check_name(answer, partition, waiting)
    if not decision.changed_something:
        return wanted == NOTHING
    below_root = decision.path[1:]
    about = {
        *below_root,
        *(path.rpartition(".")[2] for path in below_root),
        decision.application_id,
        decision.key,
        decision.node_id,
    }
    return wanted in {name.lower() for name in about if name}


def check_name(answer: str, partition: Partition, waiting: Sequence[Waiting]) -> None:
    """CommandError if there is nothing of that name that could be next, or for root."""
    wanted = answer.strip().lower()
    if wanted == partition.root.path:
        raise CommandError(PREDICT_BELOW_ROOT)
    if wanted not in set(_names(partition, waiting)):
        raise CommandError(nothing_to_predict(answer))


def names_the_victims(answers: Sequence[str], decision: Decision, partition: Partition) -> bool:
    """Whether the decision stops exactly these allocations.

    A key that several applications use means all of them; `app/key` means that of one.

    Raises:
        CommandError: nothing of that key is running.
    """
    running = [(application.id, allocation.key) for application, allocation in holdings.running(partition)]
    named: set[tuple[str, str]] = set()
    for answer in answers:
        meant = {each for each in running if _is_meant(answer, *each)}
        if not meant:
            raise CommandError(no_such_victim(answer, sorted({key for _, key in running})[:8]))
        named |= meant
    return named == set(decision.stopped)


def _is_meant(answer: str, application_id: str, key: str) -> bool:
    """Whether an answer names an allocation: by its key, or as application/key."""
    return answer in (key, f"{application_id}/{key}")


def why_spared(answers: Sequence[str], decision: Decision, partition: Partition) -> tuple[str, ...]:
    """For every allocation or queue that was named and loses nothing, what protected it, if the decision's attempts say so for
    all of it."""
    running = [(application, allocation.key) for application, allocation in holdings.running(partition)]
    named = {
        answer: [
            (application.id, key, application.queue_path) for application, key in running if _is_meant(answer, application.id, key)
        ]
        for answer in answers
    }
    found: dict[str, str] = {}
    for _, attempt in decision.preemptions:
        for verdict in attempt.verdicts:
            for answer in answers:
                stays = [each for each in named[answer] if (each[0], each[1]) not in decision.stopped]
                # A queue that is protected as a whole has one verdict for all that runs in it.
                about = (
                    any((application_id, key) == (verdict.application_id, verdict.key) for application_id, key, _ in stays)
                    if verdict.key
                    else any(f"{path}.".startswith(f"{verdict.queue}.") for _, _, path in stays)
                    or answer.strip().lower() in (verdict.queue, verdict.queue.rpartition(".")[2])
                )
                if about and verdict.refusal is not None:
                    found.setdefault(answer, spared_because(answer, refusals.reason(verdict.refusal)))
    return tuple(found[answer] for answer in answers if answer in found)


def names_who_loses(answer: str, decision: Decision, partition: Partition) -> bool:
    """Whether everything that the decision stops runs in the queue of that name or path, or is the allocation of that key;
    "nothing" if it stops nothing. CommandError if there is nothing of that name."""
    wanted = answer.strip().lower()
    stopped = [
        allocation
        for application, allocation in holdings.running(partition)
        if (application.id, allocation.key) in decision.stopped
    ]
    if wanted == NOTHING:
        return not stopped
    if wanted == partition.root.path:
        raise CommandError(PREDICT_BELOW_ROOT)
    keys = {allocation.key.lower() for _, allocation in holdings.running(partition)}
    queues = {name for queue in walk(partition.root) for name in (queue.path, queue.name.lower())}
    if wanted not in keys | queues:
        raise CommandError(nothing_to_lose(answer))
    holders = [partition.applications[each.application_id].queue for each in stopped]
    in_queue = all(any(wanted in (at.path, at.name.lower()) for at in ancestry(queue)) for queue in holders if queue is not None)
    return bool(stopped) and (in_queue or {each.key.lower() for each in stopped} == {wanted})


def _names(partition: Partition, waiting: Sequence[Waiting]) -> Iterator[str]:
    yield NOTHING
    for queue in walk(partition.root):
        if queue is not partition.root:
            yield from (queue.path, queue.name.lower())
    for item in waiting:
        yield from (item.application.id.lower(), item.ask.key.lower(), f"{item.application.id}/{item.ask.key}".lower())
    yield from (node.lower() for node in partition.nodes)


def covered_table(waiting: Sequence[Waiting]) -> Table:
    """The waiting requests in the order in which they came, without what tells who is next."""
    return _with(waiting_rows(as_they_came(waiting)), COVERED_COLUMNS)


def priorities_table(waiting: Sequence[Waiting]) -> Table:
    """The same with what every queue on the way up sees of each request: what a prediction of priorities is made from."""
    return _with(waiting_rows(as_they_came(waiting)), PRIORITIES_COLUMNS)


def covered_nodes(state: Cluster, partition: str) -> Table:
    """The nodes by name, without their order and score, which tell what is tried first."""
    table = node_rows(state, partition)
    order = sorted(range(len(table.rows)), key=lambda at: table.keys[at])
    return _with(
        replace(table, rows=tuple(table.rows[at] for at in order), keys=tuple(table.keys[at] for at in order)),
        COVERED_NODE_COLUMNS,
    )


def without_priorities(table: Table) -> Table:
    """The table with what it tells of present priorities covered."""
    if words.PRIORITY not in table.columns:
        return table
    return without_column(table, words.PRIORITY)


def without_column(table: Table, column: str) -> Table:
    """The table with what stands in a column covered."""
    at = table.columns.index(column)
    return replace(table, rows=tuple((*row[:at], texts.COVERED_NEXT, *row[at + 1 :]) for row in table.rows))


def as_they_came(waiting: Sequence[Waiting]) -> tuple[Waiting, ...]:
    """What waits in the order of arrival, without anything that tells who is next."""
    came = sorted(waiting, key=lambda item: (item.ask.created_ns, item.ask.seq))
    return tuple(replace(item, rank=rank, refusal=None) for rank, item in enumerate(came, 1))


def _with(table: Table, columns: tuple[str, ...]) -> Table:
    """The table with these columns only."""
    kept = [table.columns.index(column) for column in columns]
    return replace(table, columns=columns, rows=tuple(tuple(row[at] for at in kept) for row in table.rows))


# ---- in words ---------------------------------------------------------------------------------------------------------


def spared_because(key: str, reason: str) -> str:
    """What protected somebody who was named as a victim."""
    return f"Why not {name(key)}? {reason}"


def nothing_to_predict(answer: str) -> str:
    return f'{name(answer)} is no queue, and no application, request or node that is waiting; "nothing" is an answer, too'


def nothing_to_lose(answer: str) -> str:
    return f'{name(answer)} is no queue, and nothing that runs; "nothing" is an answer, too'


def no_such_victim(answer: str, running: Sequence[str]) -> str:
    some = f"; running are {listing([name(key) for key in running])}" if running else "; nothing is running"
    return f"no allocation {name(answer)} is running{some}"
