"""The data behind the preemption picture: every allocation as a block, by queue, and what the attempt made of it.

Verdicts are those that a traced decision wrote down (`Attempt.verdicts`); the blocks are the allocations of the state that the
decision was made in. Without an attempt the picture shows who could ask and who could give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from workbench.explain import refusals, words
from workbench.explain.balance import balance, guaranteed_type
from workbench.explain.preemption import attempts
from workbench.explain.wording import amounts, in_order, name
from workbench.plots import plot_words, text
from workbench.plots import theme as themes
from workbench.plots.label_column import Label
from workbench.plots.pictures import preemption_texts
from workbench.plots.tree_lines import TreeLine, tree_lines
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.tree import leaves, walk
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.victims import OutsideFence
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, add, fit_in, fit_in_max_undef

ASKS_FOR = "asks for"

MOST_LINES, MOST_BLOCKS = 16, 40
TAKEN, CANDIDATE, GONE, SPARED, PLAIN, ASK = "taken", "candidate", "gone", "spared", "plain", "ask"
"""What a block is: chosen, possible or stopped victim, spared with a reason, of no interest, and what the ask wants."""
CANDIDATES, CHOSEN, RESULT = STAGES = ("candidates", "chosen", "result")
"""Who could be stopped, who is, and what is left when they have ended."""


@dataclass(frozen=True, slots=True)
class Block:
    """One allocation, or the ask itself, from `start` on; base units, 0 is the guarantee. `letter` stands for a code."""

    line: int
    start: int
    amount: int
    what: str
    letter: str
    hue: int | None
    path: str
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreemptionRows:
    """The data of the picture, queues in tree order from the top.

    Attributes:
        notes: what is said behind each line.
        letters: the meaning of every letter on a block.
        fence: first and last line of the queues to which the search is limited; None if it is the whole tree, or there is none.
        ends: line -> where the use of a parent with a guarantee ends; it has no blocks.
        low, high: the ends of the axis.
    """

    sentence: str
    type: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    blocks: tuple[Block, ...]
    letters: tuple[str, ...]
    fence: tuple[int, int] | None
    parents: tuple[tuple[int, int, int], ...]
    low: int
    high: int


def rows(
    partition: Partition,
    decision: Decision,
    *,
    key: str | None = None,
    resource: str | None = None,
    stage: str = CHOSEN,
    most_lines: int = MOST_LINES,
) -> PreemptionRows:
    """What the picture shows of a traced decision and the state it was made in, as `sim.preview()` and `sim.state` give them.

    Args:
        key: the ask whose attempt is shown; None for the one that succeeded, else the first.
        resource: the type; None for one that the ask needs and its queue guarantees.
        stage: one of `STAGES`; without victims there is only one.
        most_lines: more queues than this are folded, keeping those that the attempt is about.
    """
    if stage not in STAGES:
        raise ValueError(f"there is no stage {stage!r}; there are {', '.join(STAGES)}")
    attempt = _attempt(decision, key)
    kind = resource or _type(partition, attempt)
    return _Picture(partition, decision, attempt, kind, stage, most_lines).rows()


def first_type(partition: Partition, decision: Decision) -> str:
    """The type that is shown where none is asked for."""
    return _type(partition, _attempt(decision, None))


def _attempt(decision: Decision, key: str | None) -> Attempt | None:
    found = attempts(decision, key)
    return next((each for each in found if each.succeeded), found[0] if found else None)


def _type(partition: Partition, attempt: Attempt | None) -> str:
    if attempt is None:
        return guaranteed_type(partition)
    kinds = in_order(attempt.ask.resource)
    return next((kind for kind in kinds if kind in (attempt.leaf.guaranteed or ())), kinds[0] if kinds else "vcore")


class _Picture:
    """The tree with the verdicts of one attempt."""

    def __init__(self, partition: Partition, decision: Decision, attempt: Attempt | None, kind: str, stage: str, most_lines: int):
        self.partition, self.decision, self.attempt, self.kind = partition, decision, attempt, kind
        self.stage = stage
        self.candidates = {
            (each.application_id, each.key) for held in (attempt.eligible.values() if attempt is not None else ()) for each in held
        }
        self.slots = themes.hue_slots(partition.root)
        verdicts = attempt.verdicts if attempt is not None else tuple(each for told in decision.stoppings for each in told.verdicts)
        self.single = {(each.application_id, each.key): each.refusal for each in verdicts if each.key}
        self.whole = {each.queue: each.refusal for each in verdicts if not each.key and each.queue and each.refusal is not None}
        self.victims = [(victim.application_id, victim.key) for victim in attempt.victims] if attempt is not None else []
        beside = [(taken.application_id, taken.key) for told in decision.beside for taken in told.taken]
        self.victims += list(decision.stopped) if attempt is None else beside
        self.codes: dict[type[Refusal], str] = {}
        self.has_guarantees = any(kind in (queue.guaranteed or ()) for queue in walk(partition.root))
        about = [attempt.leaf.path] if attempt is not None else []
        about += [each.queue for each in verdicts if each.queue and (each.refusal is None or each.key)]
        far = sorted(leaves(partition.root), key=lambda queue: (-abs(balance(queue, kind).above), queue.path))
        about += [queue.path for queue in far if balance(queue, kind).above]
        lines = tree_lines(partition.root, most_lines + 1, list(dict.fromkeys(about)))
        # Root has no guarantee; what it holds is the sum of the others.
        self.lines = lines[1:] if len(lines) > 1 else lines

    def rows(self) -> PreemptionRows:
        blocks: list[Block] = []
        labels, notes, parents = [], [], []
        for number, line in enumerate(self.lines):
            labels.append(self._label(line))
            if line.has_children:
                notes.append(self._whole_note(line.path))
                found = balance(line.queues[0], self.kind)
                if found.guaranteed:
                    parents.append((number, -found.guaranteed, found.above))
            else:
                made, note = self._blocks(number, line)
                blocks += made
                notes.append(note)
        low = min([0, *(block.start for block in blocks), *(start for _, start, _ in parents)])
        high = max([0, *(block.start + block.amount for block in blocks), *(end for _, _, end in parents)])
        if low == high:
            high = low + 1
        letters = tuple(preemption_texts.letter_means(letter, kind) for kind, letter in self.codes.items())
        return PreemptionRows(
            self._sentence(),
            self.kind,
            tuple(labels),
            tuple(notes),
            tuple(blocks),
            letters,
            self._fence(),
            tuple(parents),
            low,
            high,
        )

    def _label(self, line: TreeLine) -> Label:
        found = balance(line.queues[0], self.kind)
        hover = [text.full_name(line.path) if line.queue is not None else line.label]
        if line.queue is not None:
            hover += [
                text.amount(plot_words.USED, found.used, self.kind),
                text.amount(words.GUARANTEED, found.guaranteed, self.kind)
                if found.guaranteed is not None
                else plot_words.NO_GUARANTEE,
                text.amount(plot_words.ABOVE, found.above, self.kind),
            ]
            if found.pending:
                hover.append(text.amount(plot_words.PENDING, found.pending, self.kind))
        why = self._whole(line.path)
        if why is not None:
            hover.append(refusals.reason(why))
        is_askers = self.attempt is not None and line.path == self.attempt.leaf.path
        return Label(
            line.path,
            line.label,
            max(0, line.depth - 1),
            themes.slot_of(line.path, self.slots),
            tuple(hover),
            is_bold=is_askers,
            is_muted=line.has_children or self._is_outside(line.path),
        )

    def _whole(self, path: str) -> Refusal | None:
        """What protects a queue, or one above it, as a whole."""
        return next((refusal for queue, refusal in self.whole.items() if path == queue or path.startswith(f"{queue}.")), None)

    def _is_outside(self, path: str) -> bool:
        refusal = self._whole(path)
        return isinstance(refusal, OutsideFence)

    def _whole_note(self, path: str) -> str:
        return refusals.short_name(self.whole[path]) if path in self.whole else ""

    def _blocks(self, number: int, line: TreeLine) -> tuple[list[Block], str]:
        """The blocks of a line and the words behind it. Victims end the row, the first to go outermost."""
        held = [
            allocation
            for queue in line.queues
            for leaf in walk(queue)
            for application in sorted(leaf.applications.values(), key=lambda each: each.seq)
            for allocation in sorted(application.allocations.values(), key=lambda each: each.seq)
            if allocation.resource.get(self.kind, 0) > 0 and (not allocation.preempted or self._is_victim(allocation))
        ]
        stay = [each for each in held if not self._is_victim(each)]
        go = sorted((each for each in held if self._is_victim(each)), key=self._position, reverse=True)
        queue = line.queue
        guaranteed = (queue.guaranteed or EMPTY).get(self.kind, 0) if queue is not None else 0
        hue, path = themes.slot_of(line.path, self.slots), line.path
        blocks, at = [], -guaranteed
        spare = max(0, MOST_BLOCKS - len(go))
        for allocation in stay[:spare]:
            refusal = self.single.get((allocation.application_id, allocation.key))
            what = CANDIDATE if self._could_go(allocation) else PLAIN if refusal is None else SPARED
            blocks.append(
                Block(
                    number,
                    at,
                    allocation.resource[self.kind],
                    what,
                    self._letter(refusal) if what == SPARED else "",
                    hue,
                    path,
                    self._hover(allocation, refusal),
                )
            )
            at += blocks[-1].amount
        rest = stay[spare:]
        if rest:
            amount = sum(allocation.resource[self.kind] for allocation in rest)
            blocks.append(
                Block(
                    number,
                    at,
                    amount,
                    PLAIN,
                    "",
                    hue,
                    path,
                    (preemption_texts.merged(len(rest)), text.amount(plot_words.USED, amount, self.kind)),
                )
            )
            at += amount
        for allocation in go:
            what = CANDIDATE if self._could_go(allocation) else GONE if self.stage == RESULT else TAKEN
            blocks.append(Block(number, at, allocation.resource[self.kind], what, "", hue, path, self._hover(allocation, None)))
            at += blocks[-1].amount
        return blocks + self._wish(number, path, at, hue), self._note(line, held, go, at)

    def _wish(self, number: int, path: str, at: int, hue: int | None) -> list[Block]:
        attempt = self.attempt
        if attempt is None or path != attempt.leaf.path:
            return []
        ask = attempt.ask
        what = PLAIN if self.stage == RESULT and attempt.succeeded else ASK
        return [
            Block(
                number,
                at,
                ask.resource.get(self.kind, 0),
                what,
                "",
                hue,
                path,
                (
                    text.full_name(words.request(ask.key, ask.application_id)),
                    f"{words.PRIORITY} {ask.priority}",
                    f"{ASKS_FOR} {amounts(ask.resource)}",
                ),
            )
        ]

    def _note(self, line: TreeLine, held: Sequence[Allocation], go: Sequence[Allocation], end: int) -> str:
        attempt, whole = self.attempt, self._whole(line.path)
        could = sum(self._could_go(allocation) for allocation in held)
        if could:
            return preemption_texts.could_be_stopped(could, len(held))
        if go:
            return preemption_texts.stopped_of(len(go), len(held))
        if attempt is not None and line.path == attempt.leaf.path:
            return f"{ASKS_FOR} {format_quantity(attempt.ask.resource.get(self.kind, 0), self.kind)}"
        if whole is not None:
            # What protects a parent stands behind the parent.
            return self._whole_note(line.path) or (
                "" if any(each.path in self.whole and each.has_children for each in self.lines) else refusals.short_name(whole)
            )
        if attempt is None and line.queue is not None and self.has_guarantees:
            return balance(line.queue, self.kind).may
        return ""

    def _could_go(self, allocation: Allocation) -> bool:
        """Whether to draw it as a possible victim."""
        return self.stage == CANDIDATES and (allocation.application_id, allocation.key) in self.candidates

    def _is_victim(self, allocation: Allocation) -> bool:
        return (allocation.application_id, allocation.key) in self.victims

    def _position(self, allocation: Allocation) -> int:
        return self.victims.index((allocation.application_id, allocation.key))

    def _letter(self, refusal: Refusal | None) -> str:
        if refusal is None:
            return ""
        return self.codes.setdefault(type(refusal), ascii_lowercase[len(self.codes) % 26])

    def _hover(self, allocation: Allocation, refusal: Refusal | None) -> tuple[str, ...]:
        lines = [
            text.full_name(words.request(allocation.key, allocation.application_id)),
            f"{words.PRIORITY} {allocation.priority}",
            amounts(allocation.resource),
            f"{plot_words.NODE} {text.full_name(allocation.node_id)}",
        ]
        if self._is_victim(allocation):
            lines.append(f"{words.TAKEN}: {self._position(allocation) + 1}")
        if refusal is not None:
            lines.append(refusals.reason(refusal))
        return tuple(lines)

    def _fence(self) -> tuple[int, int] | None:
        fence = self.attempt.fence if self.attempt is not None else None
        if fence is None or fence.root.parent is None:
            return None
        inside = [
            number
            for number, line in enumerate(self.lines)
            if line.path == fence.root.path or line.path.startswith(f"{fence.root.path}.")
        ]
        return (inside[0], inside[-1]) if inside else None

    def _sentence(self) -> str:
        decision = self.decision
        told = [
            preemption_texts.stopped_for_quota(name(each.subject), len(each.taken))
            if each.kind == "quota"
            else preemption_texts.others_stopped(len(each.taken), name(each.subject), name(each.key))
            for each in decision.beside
        ]
        if decision.outcome == "enforced" and not told:  # without a trace
            told.append(preemption_texts.stopped_for_quota(name(decision.path[-1]), len(self.victims)))
        for_ask = len(decision.stopped_for_ask)
        if self.attempt is not None:
            told.insert(0, self._sentence_of(self.attempt))
        elif for_ask:
            told.insert(0, preemption_texts.others_stopped(for_ask, name(decision.node_id), name(decision.key)))
        return "; ".join(told) or self._nobody()

    def _sentence_of(self, attempt: Attempt) -> str:
        who, leaf = name(attempt.ask.key), name(attempt.leaf.name)
        if self.stage == CANDIDATES and self.candidates:
            return preemption_texts.could_be_stopped_for(
                who,
                leaf,
                len(self.candidates),
                sum(len(application.allocations) for application in self.partition.applications.values()),
            )
        if self.stage == RESULT and attempt.succeeded:
            if attempt.node is not None and not fit_in(add(attempt.free, attempt.freed), attempt.ask.resource):
                return preemption_texts.then_lacks_room(who, name(attempt.node.id))
            found = balance(attempt.leaf, self.kind)
            return preemption_texts.then_runs(
                who,
                leaf,
                self.kind,
                format_quantity(found.used + attempt.ask.resource.get(self.kind, 0), self.kind),
                format_quantity(found.guaranteed, self.kind) if found.guaranteed else "",
            )
        if attempt.succeeded and attempt.victims:
            losers = list(dict.fromkeys(self._queue_of(victim).name for victim in attempt.victims))
            return preemption_texts.stops_for(who, leaf, len(attempt.victims), losers)
        why = refusals.reason(attempt.refusal) if attempt.refusal is not None else name(attempt.reason)
        return preemption_texts.stops_nothing_for(who, leaf, why)

    def _queue_of(self, victim: Allocation) -> Queue:
        assert self.attempt is not None
        path = next(
            (each.queue for each in self.attempt.taken if (each.application_id, each.key) == (victim.application_id, victim.key)),
            "",
        )
        return next((queue for queue in leaves(self.partition.root) if queue.path == path), self.attempt.leaf)

    def _nobody(self) -> str:
        """Why nobody is stopped in this step; what is being stopped all the same was decided before, or by quota preemption."""
        leaving = [
            (allocation, application.queue)
            for application in self.partition.applications.values()
            for allocation in application.allocations.values()
            if allocation.preempted and application.queue is not None
        ]
        if leaving:
            queues = {queue.path: queue for _, queue in leaving}
            of_quota = self.partition.quota_preemption_enabled and any(_is_over_quota(queue) for queue in queues.values())
            return preemption_texts.stopped_before(len(leaving), [queue.name for queue in queues.values()], of_quota)
        if not self.has_guarantees:
            return preemption_texts.nothing_guaranteed(self.kind)
        found = [(balance(queue, self.kind), queue) for queue in leaves(self.partition.root)]
        below = max(
            ((-each.above, queue) for each, queue in found if each.may == words.MAY_ASK),
            default=None,
            key=lambda pair: (pair[0], pair[1].path),
        )
        above = max(
            ((each.above, queue) for each, queue in found if each.may == words.MAY_GIVE and each.guaranteed),
            default=None,
            key=lambda pair: (pair[0], pair[1].path),
        )
        return preemption_texts.nobody_preempts(
            preemption_texts.is_below(below[1].name, self.kind, format_quantity(below[0], self.kind)) if below else "",
            preemption_texts.is_above(above[1].name, self.kind, format_quantity(above[0], self.kind)) if above and below else "",
        )


def _is_over_quota(queue: Queue) -> bool:
    """Whether it, or a queue above it, holds more than its own maximum."""
    return any(each.maximum is not None and not fit_in_max_undef(each.maximum, each.allocated) for each in ancestry(queue))
