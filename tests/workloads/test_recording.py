"""A scheduler that runs, recorded: what becomes of its events and answers, and what is said of what nobody saw. WL-12, WL-16."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from live_scheduler import Scheduler, application, ask, asked, ended, event, new, placed, ran
from loopback import serving

import workbench as wb
from workbench.cli import main
from workbench.cli.record import Keeping, wait
from workbench.importers.rest_client import RestError
from workbench.values.errors import CommandError, FileError
from workbench.workloads import Workload
from workbench.workloads.checks import check_workload
from workbench.workloads.recording import follow
from workbench.workloads.recording.follow import Following
from workbench.workloads.recording.made import workload_of
from workbench.workloads.recording.record import Record
from workbench.workloads.recording.seen import event_of, told_of

WEB = [*new(0, "web"), *ran(2, 12, "web", "w1", asked_s=0)]


def recorded(scheduler: Scheduler, batches: int = 1, *, past: bool = True, **more) -> Workload:
    """The workload of so many batches."""
    waited: list[float] = []
    following = Following(scheduler, waited.append, lambda: len(waited) >= batches, past=past, **more)
    following.run()
    following.finish()
    made = workload_of(following.record)
    check_workload(made)
    return made


def jobs(workload: Workload) -> dict[str, tuple[int, list[int]]]:
    """Job -> when it arrives, and how long each of its tasks runs, in seconds."""
    return {
        job.id: (
            job.submit_ms // 1000,
            [ms and ms // 1000 for tasks in job.tasks for ms in map(tasks.duration_of, range(tasks.count))],
        )
        for job in workload.jobs
    }


# ---- what becomes of it -------------------------------------------------------------------------------------------------


def test_an_application_is_a_job_with_its_user_its_queue_and_its_durations():
    events = [*new(0, "web"), *new(5, "etl", "root.b.c"), *ran(7, 17, "etl", "e1", asked_s=5), *ran(8, 38, "etl", "e2", asked_s=5)]
    scheduler = Scheduler([*WEB, *events], [application("web"), application("etl", user="bob", queue="root.b.c")])
    made = recorded(scheduler)
    assert jobs(made) == {"web": (0, [10]), "etl": (5, [10, 30])}
    etl = made.jobs[1]
    assert (etl.user, etl.groups, etl.queue) == ("bob", ("bobs",), "root.b.c")
    assert [(each.count, dict(each.resource.items())) for each in etl.tasks] == [(2, {"vcore": 1000})]
    assert made.zero == "2000-01-01T00:00:00Z" and made.ends_ms == 38_000


def test_nodes_that_are_alike_are_a_pool():
    scheduler = Scheduler(WEB, [application("web")])
    scheduler.nodes.append(
        {"nodeID": "g", "capacity": {"vcore": 8000}, "attributes": {"gpu": "T4", "si/node-partition": "default"}}
    )
    assert [(each.count, dict(each.capacity.items()), dict(each.attributes)) for each in recorded(scheduler).pools] == [
        (3, {"vcore": 4000, "memory": 2**30}, {}),
        (1, {"vcore": 8000}, {"gpu": "T4"}),
    ]


def test_nodes_that_come_and_go_are_told_but_not_that_those_that_are_there_came():
    changes = [event(0, 0, "n1", type=3), event(1, 0, "new", type=3), event(2, 0, "n2", type=3, change=3)]
    made = recorded(Scheduler([*changes, *WEB], [application("web")]))
    assert "Nodes are those at the beginning; left out: 2 events of nodes that came or went." in made.notes


def test_an_application_without_any_work_is_left_out_and_told():
    waits = [*new(1, "etl", "root.b"), *asked(1, "etl", "e1")]
    made = recorded(Scheduler([*WEB, *new(1, "idle"), *waits], [application(id) for id in ("web", "idle", "etl")]))
    assert "Left out: 1 application that ran nothing and waited for nothing." in made.notes


def test_priorities_and_the_namespace_are_those_of_the_answers():
    tags = {"kubernetes.io/meta/namespace": "shop"}
    asks = (ask("w1", priority=5, placed_s=1, allocationTags=tags), ask("w2", priority=7))
    (job,) = recorded(Scheduler([*new(0, "web"), *asked(0, "web", "w1")], [application("web", asks=asks)])).jobs
    assert [each.priority for each in job.tasks] == [5] and dict(job.tags) == {"namespace": "shop"}


def test_what_is_asked_for_later_is_a_job_of_its_own():
    events = [*WEB, *ran(0.5, 9.5, "web", "w2"), *ran(60, 70, "web", "w3")]
    made = recorded(Scheduler(events, [application("web")]))
    assert jobs(made) == {"web": (0, [10, 9]), "web.2": (60, [10])}
    assert any("jobs of their own (ID.2 and so on): 1 group of requests." in each for each in made.notes)


def test_a_job_of_its_own_takes_no_id_of_an_application():
    events = [*WEB, *new(1, "web.2"), *ran(1, 5, "web.2", "x"), *ran(60, 70, "web", "w3")]
    assert set(jobs(recorded(Scheduler(events, [application("web"), application("web.2")])))) == {"web", "web.2", "web.2-later"}


def test_what_is_stopped_for_others_and_comes_back_is_one_task():
    events = [*new(0, "web"), *asked(0, "web", "w1"), *placed(1, "web", "w1"), *ended(5, "web", "w1", 501)]
    events += [*asked(10, "web", "w2"), *placed(30, "web", "w2"), *ended(50, "web", "w2")]
    made = recorded(Scheduler(events, [application("web")]))
    assert jobs(made) == {"web": (0, [20])}
    assert any("Stopped for others or with their node" in each and each.endswith(": 1 task.") for each in made.notes)


def test_what_is_taken_back_before_it_was_placed_is_left_out_and_told():
    events = [*WEB, *asked(0, "web", "w2"), event(3, 100, "web", "w2", change=3)]
    made = recorded(Scheduler(events, [application("web")]))
    assert jobs(made) == {"web": (0, [10])}
    assert "Left out: 1 request, taken back before being placed." in made.notes


def test_what_runs_at_the_end_is_taken_to_end_there():
    made = recorded(Scheduler([*WEB, *asked(0, "web", "w2"), *placed(4, "web", "w2")], [application("web")]))
    assert jobs(made) == {"web": (0, [10, 8])}
    assert "Ran at the end of the record, and are taken to end there: 1 task." in made.notes


def test_what_waits_at_the_end_runs_as_long_as_is_usual_or_is_left_out():
    events = [
        *WEB,
        *ran(0, 5, "web", "w2"),
        *ran(0, 30, "web", "w3"),
        *asked(0, "web", "w4"),
        *new(1, "etl"),
        *asked(1, "etl", "e1"),
    ]
    made = recorded(Scheduler(events, [application("web"), application("etl", queue="root.b")]))
    assert sorted(jobs(made)["web"][1]) == [5, 10, 10, 30] and "etl" not in jobs(made)
    assert any("run as long as is usual there: 1 request." in each for each in made.notes)
    assert any("Left out: 1 request that waited at the end" in each for each in made.notes)


def test_what_ran_before_arrives_at_the_beginning_for_what_was_left():
    there = application("web", asks=(ask("w1", asked_s=1, placed_s=1), ask("w2", asked_s=2)))
    scheduler = Scheduler([event(10, 302, "n1", type=3, change=1)], [there])
    scheduler.before = lambda batch: scheduler.events.extend(
        [*ended(30, "web", "w1"), *placed(30, "web", "w2"), *ended(40, "web", "w2")]
    )
    made = recorded(scheduler, past=False)
    assert jobs(made) == {"web": (0, [20, 10])}
    assert any("arrive with it for what was left: 1 task." in each for each in made.notes)


def test_a_gang_arrives_with_its_members_and_without_its_placeholders():
    events = [
        *new(0, "spark"),
        *asked(0, "spark", "p1"),
        *placed(1, "spark", "p1"),
        *asked(3, "spark", "m1"),
        *asked(4, "spark", "m2"),
    ]
    events += [
        *placed(5, "spark", "m1"),
        *ended(5, "spark", "p1", 503),
        *placed(6, "spark", "m2"),
        *ran(1, 90, "spark", "driver", asked_s=0),
    ]
    events += [*ended(60, "spark", "m1"), *ended(60, "spark", "m2")]
    groups = (ask("m1", taskGroupName="workers", placed_s=5), ask("m2", taskGroupName="workers", placed_s=6))
    made = recorded(
        Scheduler(events, [application("spark", asks=groups, placeholderData=[{"taskGroupName": "workers", "count": 2}])])
    )
    gang, driver = made.jobs
    assert gang.gang is not None and [(each.name, each.count) for each in gang.tasks] == [("workers", 2)]
    assert (gang.submit_ms, driver.gang, driver.size) == (0, None, 1)
    assert any("taken to be soft: 1 gang." in each for each in made.notes)


def test_an_application_that_was_rejected_is_left_out_and_told():
    made = recorded(Scheduler([*WEB, event(1, 203, "bad"), event(1, 202, "bad")], [application("web")]))
    assert set(jobs(made)) == {"web"} and "Left out: 1 application that the scheduler rejected." in made.notes


def test_of_what_has_ended_the_user_is_asked_for_and_is_nobody_if_that_is_not_told():
    scheduler = Scheduler([*WEB, *new(1, "old"), *ran(1, 3, "old", "o1")], [application("web", user="eve")])
    scheduler.gone.add("web")
    made = recorded(scheduler)
    assert {job.id: job.user for job in made.jobs} == {"web": "eve", "old": "nobody"}
    assert "Whose they are was not told, so that the user is nobody: 1 application." in made.notes


def test_what_was_recorded_is_played(tmp_path):
    events = [*WEB, *new(5, "etl"), *ran(12, 22, "etl", "e1", asked_s=5)]
    made = recorded(Scheduler(events, [application("web"), application("etl")]))
    run = wb.simulate("partitions: [{queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]", made)
    assert [(row.job, row.end_s - row.start_s, row.state) for row in run.jobs] == [
        ("web", 10.0, "finished"),
        ("etl", 10.0, "finished"),
    ]


# ---- following ----------------------------------------------------------------------------------------------------------


def test_many_events_are_asked_for_in_several_batches_without_a_pause(monkeypatch):
    monkeypatch.setattr(follow, "COUNT", 2)
    scheduler = Scheduler(WEB, [application("web")])
    assert jobs(recorded(scheduler)) == {"web": (0, [10])}
    assert scheduler.batches == len(WEB) // 2 + 1


def test_without_the_past_only_what_comes_counts():
    scheduler = Scheduler(WEB)
    scheduler.before = lambda batch: scheduler.events.extend([*new(20, "etl"), *ran(21, 25, "etl", "e1")] if batch == 2 else [])
    assert jobs(recorded(scheduler, 2, past=False)) == {"etl": (9, [4])}


def test_events_that_were_forgotten_are_counted_and_what_is_gone_has_ended():  # loses nothing that it had
    scheduler = Scheduler(
        [*new(0, "web"), *asked(0, "web", "w1"), *placed(0, "web", "w1")], [application("web", asks=(ask("w1", placed_s=0),))]
    )

    def happens(batch: int) -> None:
        if batch == 2:
            scheduler.events += [*ended(4, "web", "w1"), *new(6, "etl"), *ran(6, 8, "etl", "e1")]
            scheduler.forget(len(scheduler.events) - 3)
            scheduler.applications = {"etl": application("etl")}

    scheduler.before = happens
    made = recorded(scheduler, 2)
    assert jobs(made)["web"] == (0, [8])
    assert (
        "Lost: 6 events that the scheduler forgot before they were asked for; what ended meanwhile is taken to end then."
        in made.notes
    )
    assert "Ended while nobody looked: 1 task." in made.notes


def test_a_scheduler_that_starts_anew_is_followed_on():
    scheduler = Scheduler(
        [*new(0, "web"), *asked(0, "web", "w1"), *placed(1, "web", "w1"), *ran(0, 9, "web", "w2")], [application("web")]
    )

    def happens(batch: int) -> None:
        if batch == 2:
            told_again = [*new(20, "web"), *asked(20, "web", "w1"), *placed(20, "web", "w1")]
            scheduler.restart(*told_again, *ended(31, "web", "w1"), *new(40, "etl"), *ran(40, 50, "etl", "e1"))
            scheduler.applications["etl"] = application("etl")

    scheduler.before = happens
    made = recorded(scheduler, 2)
    assert jobs(made) == {"web": (0, [30, 9]), "etl": (40, [10])}
    assert any(each.startswith("The scheduler started anew 1 time;") for each in made.notes)


def test_a_scheduler_that_cannot_be_asked_is_asked_again_later_and_that_is_told():
    scheduler = Scheduler(WEB, [application("web")])

    def fails(batch: int) -> None:
        if batch in (1, 2, 3):
            raise RestError("cannot be reached", reached=False)

    scheduler.before = fails
    waited: list[float] = []
    following = Following(scheduler, waited.append, lambda: len(waited) >= 4, every_s=10, past=True)
    following.run()
    assert waited == [20, 40, 60, 10]
    made = workload_of(following.record)
    assert jobs(made)["web"] == (0, [10]) and "The scheduler could not be asked 1 time." in made.notes


@pytest.mark.parametrize(
    "nonsense", [5, {"type": "x"}, {"timestampNano": 2**70}, {"resource": {"resources": {"vcore": {"value": -5}}}}]
)
def test_what_is_no_event_is_counted_and_passed_over(nonsense):
    made = recorded(Scheduler([*WEB[:2], nonsense, *WEB[2:]], [application("web")]))
    assert jobs(made) == {"web": (0, [10])}
    assert "Left out: 1 event or application that could not be read." in made.notes


@pytest.mark.parametrize("batch", [[], {"LowestID": "x"}, {"EventRecords": 5}, "text"])
def test_what_is_no_batch_at_the_beginning_is_an_error(batch):
    scheduler = Scheduler()
    scheduler.answer = lambda path: batch
    with pytest.raises((RestError, CommandError), match="no batch of events"):
        recorded(scheduler)


def test_a_scheduler_without_events_is_told_how_it_has_some():
    scheduler = Scheduler()
    scheduler.answer = lambda path: None
    with pytest.raises(CommandError, match="event.trackingEnabled: true"):
        recorded(scheduler)


def test_who_is_not_let_in_is_told_of_tokens_and_not_of_events(tmp_path, capsys):
    with serving({"/ws/v1/events/batch": 401}) as service:
        assert main(["record", service.url, "-o", str(tmp_path / "w.yaml")]) == 2
    told = capsys.readouterr().err
    assert "give a token" in told and "trackingEnabled" not in told


STEPS = st.tuples(
    st.sampled_from([203, 202, 200, 201, 204, 206, 405, 100, 500, 501, 502, 503, 504]),
    st.sampled_from(["a", "b"]),
    st.sampled_from(["", "k1", "k2", "k3"]),
    st.sampled_from([0, 1, 2, 3]),
    st.integers(0, 100),
)


@given(st.lists(STEPS, max_size=40), st.lists(st.tuples(st.sampled_from(["a", "b"]), st.booleans(), st.booleans()), max_size=4))
@examples(60)
def test_whatever_is_told_makes_a_workload_that_can_be(steps, answers):
    record = Record()
    for detail, app, key, change, at in steps:
        record.happened(event_of(event(at, detail, app, key, change=change, type=4 if detail == 405 else 2, vcore=1000)))
    for app, placeholder, again in answers:
        told = [
            told_of(
                application(
                    app, asks=(ask("k1", placed_s=3, placeholder=placeholder), ask("k2", taskGroupName="g")), placeholderData=[1]
                )
            )
        ]
        (record.looked_again if again else record.told)(told)
    check_workload(workload_of(record))


# ---- the command --------------------------------------------------------------------------------------------------------


def stops(scheduler: Scheduler, at: int) -> None:
    """Somebody presses Ctrl-C while a batch is asked for."""
    scheduler.before = lambda batch: os.kill(os.getpid(), signal.SIGINT) if batch == at else None


def record(scheduler: Scheduler, tmp_path, *more: str) -> int:
    with serving(scheduler.served()) as service:
        code = main(["record", service.url, "-o", str(tmp_path / "w.yaml"), "--every", "1ms", *more])
        assert {method for method, _ in service.asked} <= {"GET"}
    return code


def test_ctrl_c_ends_it_and_the_file_is_whole(tmp_path, capsys):
    scheduler = Scheduler(WEB, [application("web")])
    stops(scheduler, 3)
    assert record(scheduler, tmp_path, "--past") == 0
    told = capsys.readouterr()
    assert told.out == f"{tmp_path / 'w.yaml'}: 1 jobs of {len(WEB)} events\n" and "note: Constraints on nodes" in told.err
    assert jobs(wb.workloads.read(tmp_path / "w.yaml")) == {"web": (0, [10])}


def test_before_its_time_ctrl_c_is_told_to_the_shell(tmp_path):
    scheduler = Scheduler(WEB, [application("web")])
    stops(scheduler, 1)
    assert record(scheduler, tmp_path, "--past", "--for", "8h") == 130
    assert (tmp_path / "w.yaml").exists()


def test_after_its_time_it_ends_by_itself(tmp_path):
    assert record(Scheduler(WEB, [application("web")]), tmp_path, "--past", "--for", "1ms") == 0
    assert (tmp_path / "w.yaml").exists()


def test_a_recording_takes_the_place_of_nothing(tmp_path, capsys):
    (tmp_path / "w.yaml").write_text("mine")
    assert record(Scheduler(WEB), tmp_path) == 2
    assert "is there already" in capsys.readouterr().err and (tmp_path / "w.yaml").read_text() == "mine"


@pytest.mark.parametrize("arguments", [("--for", "long"), ("--for", "0"), ("--every", "x"), ("--timeout", "-1"), ("--header", "x")])
def test_arguments_that_make_no_sense_are_told_and_nothing_is_written(tmp_path, capsys, arguments):
    assert main(["record", "http://127.0.0.1:1", "-o", str(tmp_path / "w.yaml"), *arguments]) == 2
    assert capsys.readouterr().err and not list(tmp_path.iterdir())


def test_where_nobody_is_nothing_is_written(tmp_path, capsys):
    with serving({}) as service:
        pass
    assert main(["record", service.url, "-o", str(tmp_path / "w.yaml")]) == 2
    assert "cannot be reached" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_the_file_is_written_now_and_then_and_never_more_than_a_share_of_the_time(tmp_path):
    now = [0.0]
    told: list[str] = []
    keeping = Keeping(tmp_path / "w.yaml", lambda share, words: told.append(words), None, clock=lambda: now[0])
    saved: list[float] = []
    keeping.save = lambda record: (saved.append(now[0]), now.__setitem__(0, now[0] + 10))
    for second in (0, 29, 30, 100, 235, 241):
        now[0] = max(now[0], float(second))
        keeping.kept(Record())
    assert saved == [30.0, 241.0]
    assert told[0] == "0 events, 0 applications"


def test_a_disk_that_is_full_for_a_while_ends_nothing(tmp_path):
    keeping = Keeping(tmp_path / "w.yaml", lambda share, words: told.append(words), None, clock=lambda: 100.0)
    told: list[str] = []
    keeping.next_save = 0

    def full(record: Record) -> None:
        raise FileError("w.yaml", "no space left")

    keeping.save = full
    keeping.kept(Record())
    assert told[-1] == "cannot write w.yaml: no space left"


def test_waiting_ends_when_somebody_wants_to_end():
    slept: list[float] = []
    wait(10, lambda: len(slept) == 3, slept.append)
    assert slept == [0.2] * 3


def test_a_file_of_a_recording_says_what_was_not_seen(tmp_path):
    scheduler = Scheduler(WEB, [application("web")])
    stops(scheduler, 1)
    record(scheduler, tmp_path, "--past")
    assert "Constraints on nodes are not told by the scheduler, and left out." in wb.workloads.read(tmp_path / "w.yaml").notes
