"""The way down with kept orders: queue by queue, application by application, ask by ask, as `descent` goes.

What a turn does is written once, in `placing`, `reserved_pass` and `placeholder_pass`; here is only whom to ask, and when not
to. An application or queue that was asked in vain gets a `Rest` and is passed over while it holds.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import partial

from workbench.scheduler import policies
from workbench.scheduler.objects import gang, reservations
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.limits import over_maximum
from workbench.scheduler.objects.users import Standing, limited_levels, standing
from workbench.scheduler.passes import descent, placeholder_pass, placing
from workbench.scheduler.passes.node_walk import Visited
from workbench.scheduler.passes.placing import Placement, Turn
from workbench.scheduler.preemption import quota
from workbench.scheduler.preemption.general import Answer
from workbench.scheduler.preemption.turn import AttemptsLeft
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.state import Allocation, Application, Cluster, Node, Partition, Queue, Tracker
from workbench.scheduler.search.ask_book import FRESH, AskBook, Pending
from workbench.scheduler.search.fit_table import FitTable
from workbench.scheduler.search.line import Entry
from workbench.scheduler.search.preempting import Preempting
from workbench.scheduler.search.ranking import ApplicationRanking, QueueRanking
from workbench.scheduler.search.rest import NEVER, Rest, Together, may_limit_applications, slots_of, together
from workbench.scheduler.search.shapes import Shape, Shapes
from workbench.values.resources import Resource, component_wise_min, fit_in_max_undef, strictly_greater_than_zero, sub_only_existing


class Search:
    """Everything kept for one engine. Its journal must be watched; see `journal.Journal.touched`."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self.stirred = 0
        """Grows whenever anything was touched on which an answer could depend, but the clock: not by an attempt in vain."""
        self._begin()

    def _begin(self) -> None:
        """Forget everything: at first, and when the configuration changes."""
        self._config = self._ctx.cluster.config
        self._shapes: dict[str, Shapes] = {}
        self._tables: dict[str, FitTable] = {}
        """Of each partition: what is known of a shape is known of the nodes of one."""
        self._queues: dict[Queue, QueueRanking] = {}
        self._applications: dict[Queue, ApplicationRanking] = {}
        self._books: dict[Application, AskBook] = {}
        self._where: dict[Allocation, tuple[Pending, Entry]] = {}
        self._rests: dict[Application | Queue, Rest | Together] = {}
        self._victims: dict[str, Preempting] = {}
        """Of each partition in which somebody tried to preempt."""
        self._unlimited: dict[Application, Standing] = {}
        """Applications that no limit of a user or group concerns, with where they stood when this was found."""
        self._structure = 0
        """Counts the changes in which levels of users and groups exist."""
        self.stirred += 1
        self._in_vain: dict[tuple[str, str], int] = {}
        """(partition, pass) -> `stirred` when the pass found nothing. It depends on no clock, so it would find nothing again."""
        self._expires_ns: dict[str, int] = {}
        """Partition -> when, at the earliest, a reservation ends of itself: all that the reserved pass asks the clock (R-951)."""

    # ---- the passes ------------------------------------------------------------------------------------------

    def regular(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
        """The regular pass over the whole tree. R-512, P-133."""
        self.catch_up()
        root = partition.root
        return self._regular(partition, root, root.maximum, _room(None, root), quota.is_asked_in_cycles(partition))

    def reserved(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
        """The reserved pass: only leaves with reservations have anything to say. R-513."""
        self.catch_up()
        this, until_ns = (partition.name, "reserved"), NEVER
        if self._in_vain.get(this) == self.stirred and ctx.now_ns < self._expires_ns.get(partition.name, NEVER):
            return None
        before = self.stirred
        # An old reservation may end in the midst of a leaf's turn, and what is behind it must see that.
        nodes = Watched(self, self._table(partition)) if ctx.profile.reservations_age else self._table(partition)
        for leaf in self._leaves(partition.root, partition.root.maximum):
            if leaf.reserved_applications:
                until_ns = min(until_ns, reservations.next_end_ns(partition, leaf, ctx.now_ns) or NEVER)
                placement = descent.reserved_leaf(ctx, partition, leaf, None, nodes)
                if placement is not None:
                    return placement
                self.catch_up()
        if self.stirred == before:
            # Otherwise who was asked early may have another answer now.
            self._in_vain[this] = before
            self._expires_ns[partition.name] = until_ns
        return None

    def placeholders(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
        """The placeholder pass. R-514."""
        self.catch_up()
        this, timeless = (partition.name, "placeholders"), True
        if self._in_vain.get(this) == self.stirred:
            return None
        before = self.stirred
        for leaf in self._leaves(partition.root, partition.root.maximum):
            timeless = timeless and not _lets_in(leaf)
            for application in self._in_order(leaf):
                if any(each.placeholder for each in application.allocations.values()):
                    placement = placeholder_pass.attempt(ctx, partition, application, None)
                    if placement is not None:
                        return placement
        self.catch_up()
        if timeless and self.stirred == before:
            self._in_vain[this] = before
        return None

    def _leaves(self, queue: Queue, fair_maximum: Resource | None) -> Iterator[Queue]:
        """The leaves that wait for something, in scheduling order."""
        if queue.is_leaf:
            yield queue
            return
        ranking = self._ranking(queue)
        for child in ranking.in_order(fair_maximum):
            yield from self._leaves(child, ranking.fair_of(child))

    def _regular(
        self, partition: Partition, queue: Queue, fair_maximum: Resource | None, room: Resource | None, enforcing: bool
    ) -> Placement | None:
        """The placement below the queue; None if there is none, and then it rests if everybody below does."""
        if self._rests_still(queue, partition, room):
            return None
        if enforcing and quota.is_due(self._ctx, partition, queue):
            self._ctx.note_over_quota(queue)
            enforcing = False
        asked: list[Application | Queue] = []
        if queue.is_leaf:
            placement = self._regular_leaf(partition, queue, room, asked)
            if placement is not None:
                return placement
        else:
            ranking = self._ranking(queue)
            for child in ranking.in_order(fair_maximum):
                placement = self._regular(partition, child, ranking.fair_of(child), _room(room, child), enforcing)
                if placement is not None:
                    return placement
                asked.append(child)
        if queue.quota_start_ns is None:
            self._rest(queue, self._rest_of_all(asked, room))
        return None

    def _regular_leaf(
        self, partition: Partition, leaf: Queue, room: Resource | None, asked: list[Application | Queue]
    ) -> Placement | None:
        ctx, left = self._ctx, AttemptsLeft(kept=self)
        for application in self._in_order(leaf):
            asked.append(application)
            if self._rests_still(application, partition, room, exhausted=not left.count):
                continue
            unlimited = self._is_unlimited(partition, application, leaf)
            held = descent.held_back(ctx, partition, application, unlimited=unlimited) is not None
            if held or (application.backoff_until_ns is not None and descent.backoff(ctx, application) is not None):
                self.catch_up()
                self._rest(application, self._waiting(application, room, NEVER if held else application.backoff_until_ns or 0))
                continue
            placement, rest = self._asks(partition, application, leaf, room, left, unlimited)
            if placement is not None:
                return placement
            self._rest(application, rest)
        return None

    def _rests_still(
        self, who: Application | Queue, partition: Partition, room: Resource | None, *, exhausted: bool = False
    ) -> bool:
        """Whether it was asked in vain and would be again; a rest that is over is forgotten."""
        rest = self._rests.get(who)
        if rest is None:
            return False
        if rest.seen == self.stirred and not rest.is_over(self._ctx.now_ns, exhausted=exhausted):
            return True
        if rest.holds(self._table(partition), self._ctx.now_ns, room, self._structure, exhausted=exhausted):
            rest.seen = self.stirred
            return True
        del self._rests[who]
        return False

    def _rest(self, who: Application | Queue, rest: Rest | Together | None) -> None:
        if rest is not None:
            self._rests[who] = rest

    def _rest_of_all(self, asked: list[Application | Queue], room: Resource | None) -> Together | None:
        """The rest of who has these below; None if one of them has none, or not any more.

        Some were asked early in the pass, and a later attempt may have changed what they rested on.
        """
        rests = [rest for each in asked if (rest := self._rests.get(each)) is not None]
        made = together(rests, room, self._structure) if len(rests) == len(asked) else None
        if made is not None and all(rest.seen == self.stirred for rest in rests):
            made.seen = self.stirred
        return made

    # ---- one application -------------------------------------------------------------------------------------

    def _asks(
        self,
        partition: Partition,
        application: Application,
        leaf: Queue,
        room: Resource | None,
        left: AttemptsLeft,
        unlimited: bool,
    ) -> tuple[Placement | None, Rest | None]:
        """The application's turn, asking only those asks that may have another answer than last time."""
        ctx, table = self._ctx, self._table(partition)
        one_by_one = leaf.settings.backoff_threshold > 0
        turn = placing.begin(
            ctx, partition, application, Watched(self, table) if one_by_one else table, room, left, unlimited=unlimited
        )
        if not unlimited:
            self._looked_up(partition, application)
        if one_by_one:
            # Every ask counts there, also the ones whose answer is known. R-571
            placement = placing.attempt(ctx, turn)
            self.catch_up()
            return placement, None
        book = self._book(partition, application)
        waiting: list[tuple[Entry, Pending]] | None = None
        after: Entry | None = None
        if len(book.kinds) == 1 and FRESH in book.kinds:
            # The usual case: the first that was never looked at, and nobody else waits.
            after = book.kinds[FRESH].line.first()
            assert after is not None  # a kind with nobody in it is forgotten
            tried = placing.try_ask(ctx, turn, after[3])
            if tried.placement is not None or tried.ends:
                return tried.placement, None
            self.catch_up()
        while True:
            if waiting is None:
                changes, exhausted = table.changes, left.count == 0
                waiting = [
                    (entry, pending)
                    for pending in list(book.kinds.values())
                    if (entry := self._next(table, turn, pending, after)) is not None
                ]
                heapq.heapify(waiting)
            if not waiting:
                break
            after, pending = waiting[0]
            tried = placing.try_ask(ctx, turn, after[3])
            if tried.placement is not None or tried.ends:
                return tried.placement, None
            self.catch_up()
            if table.changes != changes or exhausted != (left.count == 0):
                # The attempt ended reservations, or used up what may be tried: others may have another answer now.
                waiting = None
                continue
            entry = self._next(table, turn, pending, after)
            if entry is None:
                heapq.heappop(waiting)
            else:
                heapq.heapreplace(waiting, (entry, pending))
        self.catch_up()
        return None, self._unplaced(table, turn, book)

    def _is_unlimited(self, partition: Partition, application: Application, leaf: Queue) -> bool:
        """Whether the user and group of the application were looked up before, and nothing limits either.

        Looking them up the first time is what makes them known (PL-110, PL-129), so that is never left out.
        """
        known = self._unlimited.get(application)
        return known is not None and known == standing(partition.users, leaf.path, application.user, application.id)

    def _looked_up(self, partition: Partition, application: Application) -> None:
        path, user = application.leaf.path, application.user
        if next(limited_levels(partition.users, path, user, application.id), None) is None:
            self._unlimited[application] = standing(partition.users, path, user, application.id)

    def _next(self, table: FitTable, turn: Turn, pending: Pending, after: Entry | None) -> Entry | None:
        """The first ask of its kind behind `after` that is worth a look."""
        kind, line = pending.kind, pending.line
        if kind.shape is None:
            return line.first(after)
        need = kind.shape.resource
        if kind.task_group and self._gang_waits(turn.application, pending):
            return None
        has_user_room = fit_in_max_undef(turn.user_room, need)
        if has_user_room == kind.lacks_user_room:
            return line.first(after)
        if not has_user_room:
            return None
        has_room = fit_in_max_undef(turn.headroom, need)
        if not kind.attempted or has_room == kind.lacks_queue_room or (has_room and kind.required_node):
            return line.first(after)
        entry = self._preempting(turn, pending, after)
        if not has_room:
            return entry
        if table.best(kind.shape) is not None and over_maximum(turn.application.leaf, need) is None:
            return line.first(after)
        reserving = self._reserving(table, turn, pending, kind.shape, after)
        return reserving if entry is None or (reserving is not None and reserving < entry) else entry

    def _preempting(self, turn: Turn, pending: Pending, after: Entry | None) -> Entry | None:
        if not turn.partition.preemption_enabled or not turn.left.count:
            return None
        return pending.preempting().due(self._ctx.now_ns, pending.alive).first(after)

    def _reserving(self, table: FitTable, turn: Turn, pending: Pending, shape: Shape, after: Entry | None) -> Entry | None:
        due = pending.reserving().due(self._ctx.now_ns, pending.alive)
        entry = due.first(after)
        if entry is None or table.has_no_place(shape):
            return None
        while entry is not None and entry[3].key in turn.application.reservations:
            entry = due.first(entry)
        return entry

    @staticmethod
    def _gang_waits(application: Application, pending: Pending) -> bool:
        entry = pending.line.first()
        return entry is None or gang.open_group(application, entry[3]) is not None

    def _unplaced(self, table: FitTable, turn: Turn, book: AskBook) -> Rest | None:
        """What is known of an application whose asks all got their answer. None if one could have another at once."""
        application, now_ns = turn.application, self._ctx.now_ns
        rest = self._waiting(application, turn.headroom, NEVER)
        due_ns = NEVER
        lacking: set[Shape] = set()
        no_room: set[Shape] = set()
        no_place: set[Shape] = set()
        preempting = turn.partition.preemption_enabled
        for pending in book.kinds.values():
            kind = pending.kind
            if kind.shape is None:
                return None
            if (kind.task_group and self._gang_waits(application, pending)) or kind.lacks_user_room:
                continue
            if kind.required_node:
                return None
            if preempting:
                alarm = pending.preempting()
                # Whose time has come and who was not asked waits for an attempt that is left. P-24
                due = now_ns if len(alarm.due(now_ns, pending.alive)) else alarm.next_ns() or NEVER
                rest.preempts_ns = min(rest.preempts_ns, due)
            if kind.lacks_queue_room:
                lacking.add(kind.shape)
                continue
            for name, amount in kind.shape.needs:
                if amount > rest.held.get(name, 0):
                    rest.held[name] = amount
            if not table.has_no_room(kind.shape):
                # There is a node, but the queues take no more of it: nothing that a rest could watch.
                return None
            no_room.add(kind.shape)
            alarm = pending.reserving()
            if len(alarm.due(now_ns, pending.alive)):
                if not table.has_no_place(kind.shape):
                    if any(entry[3].key not in application.reservations for entry in alarm.due(now_ns, pending.alive)):
                        return None
                else:
                    no_place.add(kind.shape)
            due_ns = min(due_ns, alarm.next_ns() or NEVER)
        rest.until_ns = due_ns
        rest.lacking, rest.no_room, rest.no_place = frozenset(lacking), frozenset(no_room), frozenset(no_place)
        return rest

    def _waiting(self, application: Application, room: Resource | None, due_ns: int) -> Rest:
        """What the answers that held the application back came from."""
        slots = tuple((queue, slots_of(queue)) for queue in ancestry(application.leaf) if may_limit_applications(queue))
        partition = self._partition_of(application)
        levels = tuple(
            (level, level.usage, len(level.applications))
            for level in limited_levels(partition.users, application.leaf.path, application.user, application.id)
        )
        return Rest(due_ns, {}, frozenset(), room, frozenset(), frozenset(), slots, levels, self._structure, seen=self.stirred)

    # ---- preemption ------------------------------------------------------------------------------------------

    def attempt(self, partition: Partition, leaf: Queue, ask: Allocation, now_ns: int, *, nodes_tried: bool) -> Answer:
        """An attempt to preempt that nobody wants explained, as `general.attempt`."""
        self.catch_up()
        kept = self._victims.get(partition.name)
        if kept is None:
            kept = self._victims[partition.name] = Preempting(partition, partial(self._shape_of, self._shapes[partition.name]))
        return kept.attempt(partition, leaf, ask, now_ns, nodes_tried=nodes_tried)

    # ---- what is kept ----------------------------------------------------------------------------------------

    def _table(self, partition: Partition) -> FitTable:
        table = self._tables.get(partition.name)
        if table is None:
            shapes = self._shapes[partition.name] = Shapes()
            table = self._tables[partition.name] = FitTable(partition, partial(self._shape_of, shapes))
        return table

    def _shape_of(self, shapes: Shapes, ask: Allocation) -> Shape:
        stands = self._where.get(ask)
        return (stands[0].kind.shape if stands is not None else None) or shapes.of(ask)

    def _ranking(self, queue: Queue) -> QueueRanking:
        ranking = self._queues.get(queue)
        if ranking is None:
            ranking = self._queues[queue] = QueueRanking(queue, self._ctx.profile)
        return ranking

    def _in_order(self, leaf: Queue) -> Iterable[Application]:
        if _lets_in(leaf):
            # Who is let in depends on others; no version that is still maintained has such a policy.
            return (application for _, application in policies.order_applications(leaf, self._ctx.now_ns)[1])
        if len(leaf.applications) == 1:
            return [application for application in leaf.applications.values() if strictly_greater_than_zero(application.pending)]
        ranking = self._applications.get(leaf)
        if ranking is None:
            ranking = self._applications[leaf] = ApplicationRanking(leaf)
        return ranking.in_order()

    def _book(self, partition: Partition, application: Application) -> AskBook:
        book = self._books.get(application)
        if book is None:
            book = self._books[application] = AskBook(application, self._shapes[partition.name], self._where)
        return book

    def _partition_of(self, application: Application) -> Partition:
        root = list(ancestry(application.leaf))[-1]
        return next(each for each in self._ctx.cluster.partitions.values() if each.root is root)

    def catch_up(self) -> None:
        """Tell whatever is kept which records were touched since the last time."""
        touched = self._ctx.journal.touched
        if not touched:
            return
        cluster = self._ctx.cluster
        if cluster.config is not self._config:
            self._begin()
            touched.clear()
            return
        if self._victims:
            for name, kept in list(self._victims.items()):
                kept.heard.update(touched)
                if kept.is_behind:
                    del self._victims[name]
        asks: list[Allocation] = []
        stirs = False
        for record in touched:
            kind = type(record)
            if kind is Queue:
                stirs = True
                if record.parent in self._queues:
                    self._queues[record.parent].touch(record)
                if self._rests:
                    self._forget_rest(record)
                if not record.applications and not record.children:
                    # Perhaps a dynamic one on its way out; if not, an empty order is soon made again.
                    self._queues.pop(record, None)
                    self._applications.pop(record, None)
            elif kind is Allocation:
                asks.append(record)
            elif kind is Node:
                stirs = True
                for partition in cluster.partitions.values():
                    self._table(partition).touch(record)
            elif kind is Application:
                stirs = True
                self._application_touched(record)
            elif kind is Tracker:
                stirs = True
                self._structure += 1
            elif kind is not Cluster:  # the clock, and the number of cycles
                stirs = True
        if stirs:
            self.stirred += 1
        if asks:
            self._asks_touched(asks)
        touched.clear()

    def _asks_touched(self, asks: list[Allocation]) -> None:
        """All leave before any enters: after an undo, another ask can come to the place of one that is gone."""
        changed = []
        for ask in asks:
            stands = self._where.get(ask)
            book = stands[0].book if stands is not None else self._book_for(ask)
            if book is None:
                self.stirred += 1
                continue
            if stands is None:
                self.stirred += 1
            else:
                book.leave(ask)
                now = self._where.get(ask)
                if now is None or now[1] is not stands[1]:
                    self.stirred += 1
            if not ask.allocated:
                changed.append((ask, book))
            if self._rests:
                self._rests.pop(book.application, None)
                self._forget_rest(book.application.queue)
        for ask, book in changed:
            book.enter(ask)

    def _book_for(self, ask: Allocation) -> AskBook | None:
        for partition in self._ctx.cluster.partitions.values():
            application = partition.applications.get(ask.application_id)
            if application is not None and application.asks.get(ask.key) is ask:
                return self._books.get(application)
        return None

    def _application_touched(self, application: Application) -> None:
        leaf = application.queue
        if leaf is None:
            # An undone submission left an application without its leaf: whoever ranks it must look.
            for ranking in self._applications.values():
                ranking.touch(application)
        elif leaf in self._applications:
            self._applications[leaf].touch(application)
        if self._rests:
            self._rests.pop(application, None)
            self._forget_rest(leaf)
        if not self._is_active(application):
            self._unlimited.pop(application, None)
            book = self._books.pop(application, None)
            if book is not None:
                book.forget()

    def _is_active(self, application: Application) -> bool:
        for partition in self._ctx.cluster.partitions.values():
            if partition.applications.get(application.id) is application:
                return True
        return False

    def _forget_rest(self, queue: Queue | None) -> None:
        rests = self._rests
        while queue is not None and rests:
            rests.pop(queue, None)
            queue = queue.parent


class Watched:
    """The nodes of a table for who does not tell it what he touches on the way, as `placing.Nodes`."""

    def __init__(self, search: Search, table: FitTable):
        self._search, self._table = search, table

    def first(
        self, ctx: Context, ask: Allocation, leaf: Queue, *, skip: str = "", trace: Trace | None = None
    ) -> tuple[Node | None, Visited]:
        self._search.catch_up()
        return self._table.first(ctx, ask, leaf, skip=skip)

    def tried(self, ask: Allocation, visited: Visited) -> list[Node]:
        return self._table.tried(ask, visited)


def _lets_in(leaf: Queue) -> bool:
    """Whether the policy of the leaf lets in only some of its applications, by others and by the clock."""
    return policies.APPLICATION_ORDERS[leaf.settings.application_sort_policy].admission is not None


def _room(above: Resource | None, queue: Queue) -> Resource | None:
    """The headroom of a queue below that of its parent. R-545."""
    if queue.maximum is None:
        return above
    return component_wise_min(above, sub_only_existing(queue.maximum, queue.allocated))
