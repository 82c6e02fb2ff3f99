"""Every measure a second time, from the columns of the record and second by second, on runs that follow no scheduler at all.

What is measured has to hold for whatever happened. So attempts here arrive, run and stop at random, in gangs and with restarts, on
nodes that come, go and drain; only that use is within capacity is not cared for.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from happened import Happened
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.measures import MeasureTable, Scope
from workbench.measures.reasons import waited_ns
from workbench.measures.series import debt_over_time, use_over_time, waiting_over_time
from workbench.measures.water import fill
from workbench.runs.record import Attempt, Fate, JobState, Record
from workbench.workloads.model import Restarts

S = 10**9
END = 20
QUEUES = ("root.a", "root.t.b", "root.t.c", "root.d.new")
TREE = """
a: {guaranteed: {vcore: 3}}
t: {guaranteed: {vcore: 4}, max: {vcore: 6}, b: {guaranteed: {vcore: 3, memory: 2}}, c: {max: {vcore: 2}}}
d: {parent: true, template: {resources: {guaranteed: {vcore: 1}}}}
"""
GUARANTEED = {
    "root.a": {"vcore": 3000},
    "root.t": {"vcore": 4000},
    "root.t.b": {"vcore": 3000, "memory": 2},
    "root.d.new": {"vcore": 1000},
}
MAXIMUM = {"root.t": {"vcore": 6000}, "root.t.b": {"vcore": 6000}, "root.t.c": {"vcore": 2000}}
CHILDREN = {"root": ["root.a", "root.t", "root.d"], "root.t": ["root.t.b", "root.t.c"], "root.d": ["root.d.new"]}
RESOURCES = ("vcore", "memory")
SCALE = {"vcore": 1000, "memory": 2**30}


@st.composite
def runs(draw: st.DrawFn) -> Happened:
    restarts = draw(st.sampled_from([Restarts(), Restarts(how="keeps"), Restarts(how="checkpoint", checkpoint_ms=2000)]))
    run = Happened(TREE, until=END, warm_up=draw(st.integers(0, 8)), restarts=restarts)
    for name in ("n1", "n2", "n3"):
        # A later change may be the loss of the node.
        for at in sorted(draw(st.sets(st.integers(0, END), max_size=3))) or [0]:
            capacity = draw(st.integers(0, 6))
            more = {"vcore": capacity, "memory": draw(st.integers(1, 6))} if capacity else {}
            run.node(name, at, schedulable=draw(st.booleans()), **more)
    run.job("first", "root.d.new", vcore=1)
    seconds = st.integers(0, END)
    stopped: list[int] = []
    for index in range(draw(st.integers(1, 6))):
        gang = draw(st.booleans())
        count = draw(st.integers(1, 3))
        name, at = f"j{index}", draw(seconds)
        state = draw(st.sampled_from([None, None, None, JobState.FAILED, JobState.REJECTED]))
        run.job(
            name,
            draw(st.sampled_from(QUEUES)) if state != JobState.REJECTED else "",
            at,
            user=draw(st.sampled_from(["anna", "ben"])),
            groups=draw(st.sampled_from([(), ("g",), ("g", "h")])),
            kind=draw(st.sampled_from(["", "ml"])),
            count=count,
            lasts=draw(st.integers(0, 8)),
            gang=gang,
            ends=None if state is None else draw(st.integers(at, END)),
            state=state,
            vcore=draw(st.integers(0, 4)),
            memory=draw(st.integers(0, 3)),
        )
        if state == JobState.REJECTED:
            run.attempt(name, arrives=at, ends=at, fate=Fate.REJECTED)
            continue
        for number in range(count):
            for placeholder in (True, False) if gang else (False,):
                arrives, kept = draw(st.integers(at, END)), 0
                for restart in range(draw(st.integers(1, 3))):
                    starts = draw(st.none() | st.integers(arrives, END))
                    ends = draw(st.none() | st.integers(arrives if starts is None else starts, END))
                    fate = None
                    if starts is not None and ends is not None:
                        fate = draw(st.sampled_from([Fate.FINISHED, Fate.PREEMPTED, Fate.PREEMPTED, Fate.NODE_LOST]))
                    mine = run.attempt(
                        name,
                        arrives,
                        starts,
                        ends,
                        fate=fate,
                        number=number,
                        restart=restart,
                        placeholder=placeholder,
                        node=draw(st.sampled_from(["n1", "n2", "n3"])),
                        kept=kept,
                        stopped_for=draw(st.sampled_from([None, *stopped])) if fate == Fate.PREEMPTED and stopped else None,
                    )
                    stopped.append(mine)
                    waited_until = starts if starts is not None else END if ends is None else ends
                    cuts = sorted(draw(st.lists(st.integers(arrives, waited_until), max_size=2)))
                    for since, until in zip([arrives, *cuts], [*cuts, waited_until]):
                        run.held(mine, draw(st.sampled_from(["W-11", "W-17", "gang"])), since, until)
                    if fate not in (Fate.PREEMPTED, Fate.NODE_LOST) or ends == END:
                        break
                    kept = draw(st.integers(0, kept + ends - starts))
                    arrives = draw(st.integers(ends, END))
    return run


# -- The naive way ----------------------------------------------------------------------------------------------------


class Naive:
    def __init__(self, run: Happened):
        self.record: Record = run.record
        self.start = run.warm_up
        self.attempts = list(self.record.attempts())
        self.seconds = range(run.warm_up, END)

    def in_scope(self, index: int, scope: Scope) -> bool:
        return self.job_in_scope(self.attempts[index].job, scope)

    def job_in_scope(self, number: int, scope: Scope) -> bool:
        job, place = self.record.workload.jobs[number], self.record.job_queue[number]
        queue = self.record.queues[place] if place >= 0 else ""
        return {
            "cluster": True,
            "queue": f"{queue}.".startswith(f"{scope.name}."),
            "user": job.user == scope.name,
            "group": scope.name in (job.groups or ("",)),
            "class": job.kind == scope.name,
            "job": job.id == scope.name,
        }[scope.kind]

    def jobs(self, scope: Scope) -> list[int]:
        return [number for number in range(len(self.record.workload.jobs)) if self.job_in_scope(number, scope)]

    def waits_at(self, attempt: Attempt, second: int) -> bool:
        ends = attempt.placed_ns if attempt.placed_ns >= 0 else attempt.ended_ns if attempt.ended_ns >= 0 else END * S
        return attempt.fate != Fate.REJECTED and attempt.arrived_ns <= second * S < ends

    def runs_at(self, attempt: Attempt, second: int) -> bool:
        ends = attempt.ended_ns if attempt.ended_ns >= 0 else END * S
        return attempt.placed_ns >= 0 and attempt.placed_ns <= second * S < ends

    def sum_at(self, second: int, scope: Scope, resource: str, *, running: bool) -> int:
        test = self.runs_at if running else self.waits_at
        return sum(
            self.record.resource_of(index).get(resource, 0)
            for index, attempt in enumerate(self.attempts)
            if test(attempt, second) and self.in_scope(index, scope)
        )

    def used(self, second: int, path: str, resource: str) -> int:
        return self.sum_at(second, Scope("queue", path), resource, running=True)

    def wanted(self, second: int, path: str, resource: str) -> int:
        return self.used(second, path, resource) + self.sum_at(second, Scope("queue", path), resource, running=False)

    def nodes_at(self, second: int) -> dict[int, tuple[dict[str, int], bool]]:
        found = {}
        for change in self.record.node_changes:
            if change.at_ns <= second * S:
                found[change.node] = (dict(change.capacity or {}), change.schedulable and change.capacity is not None)
        return found

    def free_at(self, second: int) -> list[dict[str, int]]:
        free = []
        for node, (capacity, schedulable) in self.nodes_at(second).items():
            if schedulable:
                running = [i for i, a in enumerate(self.attempts) if a.node == node and self.runs_at(a, second)]
                rest = {r: capacity.get(r, 0) - sum(self.record.resource_of(i).get(r, 0) for i in running) for r in RESOURCES}
                free.append({r: max(amount, 0) for r, amount in rest.items()})
        return free

    def hours(self, amounts: list[int], resource: str) -> float:
        return sum(amounts) / 3600 / SCALE[resource]

    # M-1

    def waits(self, scope: Scope) -> list[tuple[int, int, bool]]:
        """(arrival, wait, never) in nanoseconds."""
        found = []
        for number in self.jobs(scope):
            job = self.record.workload.jobs[number]
            mine = [a for a in self.attempts if a.job == number and a.fate != Fate.REJECTED]
            gang = [a for a in mine if job.gang and (a.placeholder or a.restart == 0)]
            for a in mine:
                if a not in gang:
                    until = a.placed_ns if a.placed_ns >= 0 else a.ended_ns if a.ended_ns >= 0 else END * S
                    found.append((a.arrived_ns, until - a.arrived_ns, a.placed_ns < 0))
            if gang:
                arrived = min(a.arrived_ns for a in gang)
                real = [a.placed_ns for a in gang if not a.placeholder]
                if len(real) == job.size and min(real) >= 0:
                    found.append((arrived, max(real) - arrived, False))
                else:
                    ended = self.record.job_ended_ns[number]
                    found.append((arrived, (ended if ended >= 0 else END * S) - arrived, True))
        return [each for each in found if each[0] >= self.start * S]

    # M-3

    def stranded(self, resource: str) -> float:
        found = []
        for second in self.seconds:
            free = self.free_at(second)
            total = {r: sum(each[r] for each in free) for r in RESOURCES}
            asks = [self.record.resource_of(i) for i, a in enumerate(self.attempts) if self.waits_at(a, second)]
            if any(
                ask.get(resource, 0) > 0
                and all(ask.get(r, 0) <= total[r] for r in RESOURCES)
                and not any(all(ask.get(r, 0) <= each[r] for r in RESOURCES) for each in free)
                for ask in asks
            ):
                found.append(total[resource])
        return self.hours(found, resource)

    def idle(self, scope: Scope, resource: str) -> float:
        return self.hours(
            [
                sum(each[resource] for each in self.free_at(second))
                for second in self.seconds
                if self.sum_at(second, scope, resource, running=False) > 0
            ],
            resource,
        )

    # M-4

    def own_debt(self, second: int, path: str, resource: str) -> int:
        guaranteed = GUARANTEED.get(path, {}).get(resource, 0)
        return max(min(guaranteed, self.wanted(second, path, resource)) - self.used(second, path, resource), 0)

    def debt(self, second: int, path: str, resource: str) -> int:
        below = sum(self.debt(second, child, resource) for child in CHILDREN.get(path, ()))
        return max(self.own_debt(second, path, resource), below)

    def stretches(self, is_short: list[bool]) -> list[int]:
        lengths, length = [], 0
        for short in [*is_short, False]:
            if not short and length:
                lengths.append(length)
            length = length + 1 if short else 0
        return lengths

    # M-5

    def entitled(self, path: str, resource: str) -> int:
        own = GUARANTEED.get(path, {}).get(resource, 0)
        return own or sum(self.entitled(child, resource) for child in CHILDREN.get(path, ()))

    def ideal(self, second: int, path: str, resource: str, amount: float) -> dict[str, float]:
        """Leaf -> its ideal part of `amount`."""
        children = CHILDREN.get(path)
        if not children:
            return {path: amount}
        highs = {c: min(self.wanted(second, c, resource), MAXIMUM.get(c, {}).get(resource, math.inf)) for c in children}
        lows = {c: min(self.entitled(c, resource), highs[c]) for c in children}
        low, high = 0.0, 1e6
        if sum(lows.values()) >= amount:
            parts = {c: lows[c] * amount / sum(lows.values()) if amount else 0.0 for c in children}
        else:
            for _ in range(100):
                level = (low + high) / 2
                parts = {c: min(max(level, lows[c]), highs[c]) for c in children}
                low, high = (level, high) if sum(parts.values()) < amount else (low, level)
        found: dict[str, float] = {}
        for child in children:
            found.update(self.ideal(second, child, resource, parts[child]))
        return found

    def fairness(self, path: str) -> tuple[float | None, float | None]:
        totals = {r: sum(self.used(second, path, r) for second in self.seconds) for r in RESOURCES}
        distances, used, ideal = [], {}, {}
        for resource in RESOURCES:
            apart = 0.0
            for second in self.seconds:
                for leaf, part in self.ideal(second, path, resource, self.used(second, path, resource)).items():
                    now = self.used(second, leaf, resource)
                    apart += abs(part - now) / 2
                    used[leaf, resource] = used.get((leaf, resource), 0) + now
                    ideal[leaf, resource] = ideal.get((leaf, resource), 0) + part
            if totals[resource]:
                distances.append(apart / totals[resource])
        got = []
        for leaf in sorted({leaf for leaf, _ in used}):
            shares = {r: ideal[leaf, r] / totals[r] for r in RESOURCES if totals[r]}
            if shares and max(shares.values()) > 0:
                # Shares that are equal but for rounding leave the resource open; both are compared.
                best = [r for r in RESOURCES if r in shares and shares[r] >= max(shares.values()) - 1e-12]
                got.append([used[leaf, r] / ideal[leaf, r] for r in best])
        is_open = any(max(each) - min(each) > 1e-9 for each in got)
        values = [each[0] for each in got]
        jain = sum(values) ** 2 / (len(values) * sum(x * x for x in values)) if any(values) else None
        return max(distances, default=None), math.nan if is_open else jain

    # M-6

    def stopped(self, scope: Scope, fate: Fate) -> list[int]:
        return [
            i
            for i, a in enumerate(self.attempts)
            if a.fate == fate and a.placed_ns >= 0 and a.ended_ns >= self.start * S and self.in_scope(i, scope)
        ]

    def lost(self, index: int) -> int:
        a = self.attempts[index]
        if a.placeholder:
            return 0
        back = [b for b in self.attempts if b[:3] == a[:3] and not b.placeholder and b.restart == a.restart + 1]
        restarts = self.record.workload.restarts
        if back:
            after = back[0].kept_ns
        elif a.ended_ns + restarts.comes_back_after_ms * 10**6 < END * S:
            after = 0
        else:
            done = a.kept_ns + a.ended_ns - a.placed_ns
            after = {"from_start": 0, "keeps": done, "checkpoint": done - done % (restarts.checkpoint_ms * 10**6)}[restarts.how]
        return a.ended_ns - a.placed_ns + a.kept_ns - after


SCOPES = [
    Scope("cluster"),
    Scope("queue", "root"),
    Scope("queue", "root.t"),
    Scope("queue", "root.a"),
    Scope("queue", "root.d.new"),
]
SCOPES += [Scope("user", "anna"), Scope("group", "g"), Scope("group", ""), Scope("class", "ml"), Scope("job", "j0")]


def there(table: MeasureTable, scope: Scope) -> bool:
    return scope.kind in ("cluster", "queue") or scope.name in table.reading.scopes.by_name(scope.kind)


def ranked(values: list[int], percent: int) -> int:
    """The smallest value that at least so many percent do not exceed, by trying all."""
    return min(v for v in values if Fraction(sum(w <= v for w in values), len(values)) >= Fraction(percent, 100))


@given(runs())
@examples(30)
def test_waits_agree_in_every_scope(run):
    table, naive = run.table(), Naive(run)
    for scope in SCOPES:
        if not there(table, scope):
            continue
        waits = naive.waits(scope)
        assert table["requests", scope] == len(waits)
        lengths = [wait for _, wait, _ in waits]
        if not waits:
            assert table["wait.mean", scope] is None
            continue
        assert table["wait.mean", scope] == sum(lengths) / len(lengths) / S
        assert table["wait.max", scope] == max(lengths) / S
        assert table["wait.never", scope] == sum(never for _, _, never in waits)
        for percent in (50, 90, 95, 99):
            assert table[f"wait.p{percent}", scope] == ranked(lengths, percent) / S


@given(runs())
@examples(35)
def test_reasons_sum_up_to_the_wait_exactly(run):
    table, naive = run.table(), Naive(run)
    for scope in SCOPES:
        if not there(table, scope):
            continue
        total = sum(
            (a.placed_ns if a.placed_ns >= 0 else a.ended_ns if a.ended_ns >= 0 else END * S) - a.arrived_ns
            for i, a in enumerate(naive.attempts)
            if naive.in_scope(i, scope) and a.arrived_ns >= run.warm_up * S and a.fate != Fate.REJECTED
        )
        found = waited_ns(table.reading, scope)
        assert sum(found.values()) == total
        assert found["unknown"] == 0
        for number, reason in enumerate(run.record.reasons):
            assert found[reason] == sum(
                hold.until_ns - hold.since_ns
                for hold in run.record.holds()
                if hold.reason == number
                and naive.in_scope(hold.attempt, scope)
                and naive.attempts[hold.attempt].arrived_ns >= run.warm_up * S
            )


@given(runs())
@examples(15)
def test_use_idle_and_stranded_agree_second_by_second(run):
    table, naive = run.table(), Naive(run)
    for resource in RESOURCES:
        capacity = sum(c.get(resource, 0) for second in naive.seconds for c, _ in naive.nodes_at(second).values())
        for scope in SCOPES:
            if not there(table, scope):
                continue
            used = [naive.sum_at(second, scope, resource, running=True) for second in naive.seconds]
            assert table[f"used.{resource}", scope] == pytest.approx(naive.hours(used, resource))
            share = table[f"utilization.{resource}", scope]
            assert share == (pytest.approx(sum(used) / capacity) if capacity else None)
            assert table[f"idle_while_waiting.{resource}", scope] == pytest.approx(naive.idle(scope, resource))
        assert table[f"stranded.{resource}"] == pytest.approx(naive.stranded(resource))
        assert table[f"stranded.{resource}"] <= table[f"idle_while_waiting.{resource}"] + 1e-12


@given(runs())
@examples(15)
def test_debt_agrees_second_by_second(run):
    table, naive = run.table(), Naive(run)
    for path in ("root", "root.a", "root.t", "root.t.b", "root.d.new"):
        short = [[naive.debt(second, path, r) for r in RESOURCES] for second in naive.seconds]
        for place, resource in enumerate(RESOURCES):
            expected = naive.hours([each[place] for each in short], resource)
            is_guaranteed = any(resource in found for other, found in GUARANTEED.items() if f"{other}.".startswith(f"{path}."))
            assert table[f"debt.{resource}", path] == (pytest.approx(expected) if is_guaranteed else None)
        assert table["debt.longest", path] == max(naive.stretches([any(each) for each in short]), default=0)
        if path != "root":
            own = naive.stretches([any(naive.own_debt(second, path, r) for r in RESOURCES) for second in naive.seconds])
            asked = any(naive.wanted(second, path, r) for second in naive.seconds for r in GUARANTEED[path])
            assert table["time_to_guarantee.max", path] == (max(own, default=0) if asked else None)
            assert table["time_to_guarantee.mean", path] == (sum(own) / max(len(own), 1) if asked else None)
    assert table["debt.vcore", "root.t"] >= table["debt.vcore", "root.t.b"]


def test_who_holds_more_than_the_maximum_while_nobody_waits_is_not_where_it_should_be():
    run = Happened(TREE, until=END)
    run.job("j", "root.t.c", vcore=3)
    run.attempt("j", arrives=0, starts=0)
    table = run.table()
    assert table["fairness.distance", "root"] == pytest.approx(Naive(run).fairness("root")[0]) == pytest.approx(1 / 6)


@given(runs())
@examples(15)
def test_fairness_agrees_second_by_second(run):
    table, naive = run.table(), Naive(run)
    for path in ("root", "root.t"):
        distance, jain = naive.fairness(path)
        assert table["fairness.distance", path] == (None if distance is None else pytest.approx(distance, abs=1e-9))
        found = table["fairness.jain", path]
        if jain is None or not math.isnan(jain):
            assert found == (None if jain is None else pytest.approx(jain, abs=1e-6))
        assert found is None or 0 < found <= 1 + 1e-9
        assert distance is None or table["fairness.distance", path] <= 1 + 1e-9


@given(runs())
@examples(30)
def test_stops_and_lost_work_agree(run):
    table, naive = run.table(), Naive(run)
    for scope in SCOPES:
        if not there(table, scope):
            continue
        stopped = naive.stopped(scope, Fate.PREEMPTED)
        assert table["preempted", scope] == len(stopped)
        assert table["preempted.for_quota", scope] == sum(naive.attempts[i].stopped_for < 0 for i in stopped)
        helped = [naive.attempts[i].stopped_for for i in naive.stopped(Scope("cluster"), Fate.PREEMPTED)]
        assert table["preempted.by", scope] == sum(i >= 0 and naive.in_scope(i, scope) for i in helped)
        tasks = [naive.attempts[i][:3] for i in stopped if not naive.attempts[i].placeholder]
        assert table["storm", scope] == sum(tasks.count(task) > 1 for task in set(tasks))
        for name, fate in (("lost", Fate.PREEMPTED), ("lost_with_nodes", Fate.NODE_LOST)):
            lost = [naive.record.resource_of(i).get("vcore", 0) * Fraction(naive.lost(i), S) for i in naive.stopped(scope, fate)]
            assert table[f"{name}.vcore", scope] == pytest.approx(float(sum(lost)) / 3600 / 1000)


@given(runs())
@examples(40)
def test_a_stop_is_in_vain_if_its_request_or_its_queue_got_nothing_from_it(run):
    table, naive = run.table(), Naive(run)
    expected = 0
    for index in naive.stopped(Scope("cluster"), Fate.PREEMPTED):
        a = naive.attempts[index]
        if a.stopped_for < 0:
            continue
        wants = naive.attempts[a.stopped_for]
        if wants.placed_ns < a.ended_ns:
            expected += 1
            continue
        path = naive.record.queue_of(a.stopped_for)
        while path and path not in GUARANTEED:
            path = path.rpartition(".")[0]
        rest = range(a.ended_ns // S, END)
        expected += bool(path and rest) and all(any(naive.own_debt(s, path, r) for r in RESOURCES) for s in rest)
    assert table["preempted_in_vain"] == expected


@given(runs())
@examples(60)
def test_slowdown_turnaround_and_throughput_agree(run):
    table, naive = run.table(), Naive(run)
    record = run.record
    for scope in SCOPES:
        if not there(table, scope):
            continue
        jobs = [j for j in naive.jobs(scope) if record.job_submitted_ns[j] >= run.warm_up * S]
        done = [j for j in jobs if record.job_state[j] == JobState.FINISHED]
        turnaround = {j: Fraction(record.job_ended_ns[j] - record.job_submitted_ns[j], S) for j in done}
        runs_for = {j: Fraction(record.workload.jobs[j].tasks[0].duration_ms or 0, 1000) for j in done}
        slow = [
            max((turnaround[j] - runs_for[j] + runs_for[j]) / max(runs_for[j], 10), 1)
            for j in done
            if record.workload.jobs[j].tasks[0].duration_ms is not None
        ]
        assert table["jobs.submitted", scope] == len(jobs)
        assert table["jobs.finished", scope] == len(done)
        assert table["turnaround.max", scope] == (float(max(turnaround.values())) if done else None)
        assert table["slowdown.mean", scope] == (pytest.approx(float(sum(slow) / len(slow))) if slow else None)
        assert table["slowdown.p90", scope] == (pytest.approx(float(ranked(slow, 90))) if slow else None)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted), min_size=1, max_size=6),
    st.integers(0, 60),
)
@examples(200)
def test_water_is_all_poured_and_nobody_gets_more_while_somebody_lower_could(bounds, amount):
    floors, ceilings = [low for low, _ in bounds], [high for _, high in bounds]
    parts = fill(amount, floors, ceilings)
    assert sum(parts) == pytest.approx(min(amount, sum(ceilings)))
    assert all(0 <= part <= high + 1e-9 for part, high in zip(parts, ceilings))
    if sum(floors) <= amount:
        assert all(part >= low - 1e-9 for part, low in zip(parts, floors))
        for (one, low), (other, high) in ((a, b) for a in zip(parts, floors) for b in zip(parts, ceilings)):
            assert one <= low + 1e-9 or other >= high - 1e-9 or one <= other + 1e-9


@given(runs(), st.sampled_from([3, 7, 1000]))
@examples(40)
def test_series_have_the_same_sums_however_few_points_they_have(run, points):
    table, naive = run.table(), Naive(run)
    for resource in RESOURCES:
        for series, running in ((use_over_time, True), (waiting_over_time, False)):
            rows = series(table.reading, resource, points=points)
            assert len({row.since_s for row in rows}) <= points
            for path in ("root", "root.t", "root.a"):
                mine = [row for row in rows if row.queue == path]
                assert all(one.until_s == pytest.approx(next_.since_s) for one, next_ in zip(mine, mine[1:]))
                amounts = [naive.sum_at(second, Scope("queue", path), resource, running=running) for second in naive.seconds]
                found = sum((row.until_s - row.since_s) * row.amount for row in mine)
                assert found == pytest.approx(sum(amounts) / SCALE[resource])
        rows = debt_over_time(table.reading, resource, points=points)
        for path in ("root", "root.t", "root.t.b"):
            found = sum((row.until_s - row.since_s) * row.amount for row in rows if row.queue == path)
            assert found / 3600 == pytest.approx(table[f"debt.{resource}", path] or 0)
