"""Slurm's accounting as a workload, on a small made-up record. WL-11."""

from __future__ import annotations

import gzip

import pytest

from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, Tasks, Workload, read
from workbench.workloads.sources.registry import recognised
from workbench.workloads.sources.spread import evenly

HEADER = (
    "JobID|User|Group|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|Priority|NNodes|AllocTRES|ReqTRES"
)
GIB = 2**30
GPU = "nvidia.com/gpu"


def row(id="100", state="COMPLETED", **columns) -> str:
    """A job of two processors that ran a minute, with some columns otherwise."""
    values = {
        "JobID": id,
        "User": "ann",
        "Group": "bio",
        "Account": "bio.lab",
        "Partition": "batch",
        "QOS": "normal",
        "State": state,
        "Submit": "2026-01-05T08:00:00",
        "Eligible": "2026-01-05T08:00:00",
        "Start": "2026-01-05T08:05:00",
        "End": "2026-01-05T08:06:00",
        "Elapsed": "00:01:00",
        "Timelimit": "02:00:00",
        "Priority": "4294901",
        "NNodes": "1",
        "AllocTRES": "billing=2,cpu=2,mem=4G,node=1",
        "ReqTRES": "billing=2,cpu=1,mem=2G,node=1",
        **columns,
    }
    return "|".join(values[name] for name in HEADER.split("|"))


@pytest.fixture
def sacct(tmp_path):
    """Read rows, or a whole text, as such a record."""

    def loaded(*rows, header=HEADER, **options) -> Workload:
        path = tmp_path / "given.psv"
        text = "\n".join([header, *rows]) + "\n" if not (rows and isinstance(rows[0], bytes)) else rows[0]
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(path, "sacct", **options)

    return loaded


def noted(workload: Workload, words: str) -> str:
    """The one note with these words."""
    (found,) = [note for note in workload.notes if words in note]
    return found


def ids(workload: Workload) -> list[str]:
    return [job.id for job in workload.jobs]


# --- what becomes of a row ---


def test_a_row_is_a_job_with_a_task(sacct):
    workload = sacct(row())
    assert workload.jobs == (
        Job(
            id="100",
            submit_ms=0,
            tasks=(Tasks(resource=Resource(vcore=2000, memory=4 * GIB), duration_ms=60_000),),
            user="ann",
            groups=("bio",),
            queue="root.batch",
            tags={"state": "completed"},
            kind="normal",
        ),
    )
    assert workload.zero == "2026-01-05T08:00:00"
    assert workload.notes == ("The accounting does not tell of nodes; they have to be given.",)


def test_what_it_was_given_counts_first_unless_asked_otherwise(sacct):
    assert sacct(row(), amounts="requested").jobs[0].tasks[0].resource == Resource(vcore=1000, memory=2 * GIB)
    assert sacct(row(AllocTRES="")).jobs[0].tasks[0].resource == Resource(vcore=1000, memory=2 * GIB)


def test_times_count_from_the_first_arrival_and_jobs_are_sorted(sacct):
    workload = sacct(
        row("1", Submit="2026-01-05T09:00:00", Eligible="Unknown"),
        row("2", Submit="2026-01-04T23:59:59", Eligible="None"),
        row("3", Submit="2026-01-05T09:00:00", Eligible=""),
    )
    assert [(job.id, job.submit_ms) for job in workload.jobs] == [("2", 0), ("1", 32_401_000), ("3", 32_401_000)]


def test_a_job_arrives_when_it_was_eligible_unless_asked_otherwise(sacct):
    rows = row("1"), row("2", Eligible="2026-01-05T08:10:00")
    workload = sacct(*rows)
    assert [job.submit_ms for job in workload.jobs] == [0, 600_000]
    assert noted(workload, "eligible later").endswith("1 job (first in line 3).")
    assert [job.submit_ms for job in sacct(*rows, arrives="submit").jobs] == [0, 0]


@pytest.mark.parametrize(
    ("elapsed", "seconds"), [("1-02:03:04", 93_784), ("00:00:07", 7), ("10:00", 600), ("100-00:00:00", 8_640_000)]
)
def test_the_duration_is_days_hours_minutes_and_seconds(sacct, elapsed, seconds):
    assert sacct(row(Elapsed=elapsed)).jobs[0].tasks[0].duration_ms == seconds * 1000


def test_without_elapsed_start_and_end_say_how_long(sacct):
    assert sacct(row(Elapsed="")).jobs[0].tasks[0].duration_ms == 60_000
    short = "JobID|Submit|Start|End|AllocCPUS"
    assert sacct("7|1767600000|1767600010|1767600040|3", header=short).jobs[0].tasks[0].duration_ms == 30_000


def test_seconds_as_such_count_before_others(sacct):
    workload = sacct("7|2026-01-05T08:00:00+01:00|90|00:00:01|3", header="JobID|Submit|ElapsedRaw|Elapsed|NCPUS")
    assert workload.jobs[0].tasks[0].duration_ms == 90_000
    assert workload.zero == "2026-01-05T07:00:00"


def test_a_duration_of_zero_stays_and_is_said(sacct):
    workload = sacct(row(Elapsed="00:00:00"))
    assert workload.jobs[0].tasks[0].duration_ms == 0
    assert noted(workload, "duration of 0").endswith("1 job (first in line 2).")


@pytest.mark.parametrize(
    ("tres", "amounts", "gpu_type"),
    [
        ("cpu=8,gres/gpu=2,gres/gpu:a100=2,mem=512M", {"vcore": 8000, "memory": 2**29, GPU: 2}, "a100"),
        ("cpu=8,gres/gpu:a100=2", {"vcore": 8000, GPU: 2}, "a100"),
        ("cpu=8,gres/gpu:a100=2,gres/gpu:t4=1,gres/gpu=3", {"vcore": 8000, GPU: 3}, ""),
        ("cpu=8,gres/gpu=1", {"vcore": 8000, GPU: 1}, ""),
        ("cpu=1,mem=1.5G,node=1,billing=77,energy=5K", {"vcore": 1000, "memory": 3 * 2**29}, ""),
        ("cpu=1,mem=2T", {"vcore": 1000, "memory": 2**41}, ""),
        ("cpu=1,mem=100", {"vcore": 1000, "memory": 100 * 2**20}, ""),
        ("cpu=2K", {"vcore": 2_000_000}, ""),
    ],
)
def test_resources_are_read(sacct, tres, amounts, gpu_type):
    (task,) = sacct(row(AllocTRES=tres)).jobs[0].tasks
    assert (dict(task.resource), task.tags.get("gpu-type", "")) == (amounts, gpu_type)


def test_cards_have_the_name_that_is_asked_for(sacct):
    assert sacct(row(AllocTRES="cpu=1,gres/gpu=1"), gpu="amd.com/gpu").jobs[0].tasks[0].resource["amd.com/gpu"] == 1


def test_other_resources_are_left_out_and_said(sacct):
    workload = sacct(row(AllocTRES="cpu=1,mem=1G,license/matlab=2,gres/shard=0"))
    assert noted(workload, "no counterpart") == (
        "Asked for resources that have no counterpart here, which are left out (license/matlab): 1 job (first in line 2)."
    )


@pytest.mark.parametrize(("memory", "gib"), [("16G", 16), ("4Gc", 16), ("8Gn", 16), ("4096Mc", 16), ("16777216K", 16)])
def test_without_lists_of_resources_other_columns_say_it(sacct, memory, gib):
    workload = sacct(f"7|2026-01-05T08:00:00|00:01:00|4|2|{memory}", header="JobID|Submit|Elapsed|AllocCPUS|NNodes|ReqMem")
    (task,) = workload.jobs[0].tasks
    assert (task.count, task.resource) == (2, Resource(vcore=2000, memory=gib * GIB // 2))


@pytest.mark.parametrize("memory", ["", "0", "0n", "0c"])
def test_memory_that_is_not_told_is_said(sacct, memory):
    workload = sacct(f"7|2026-01-05T08:00:00|00:01:00|4|{memory}", header="JobID|Submit|Elapsed|AllocCPUS|ReqMem")
    assert workload.jobs[0].tasks[0].resource == Resource(vcore=4000)
    assert noted(workload, "no memory").endswith("1 job (first in line 2).")


# --- several nodes ---

WIDE = "cpu=10,mem=8G,node=4,gres/gpu=4"


def test_a_job_on_several_nodes_is_a_gang_as_even_as_can_be(sacct):
    (job,) = sacct(row(AllocTRES=WIDE)).jobs
    assert job.gang == Gang()
    assert [(each.name, each.count, each.resource) for each in job.tasks] == [
        ("node", 2, Resource({"vcore": 3000, "memory": 2 * GIB, GPU: 1})),
        ("node-2", 2, Resource({"vcore": 2000, "memory": 2 * GIB, GPU: 1})),
    ]


def test_it_is_independent_tasks_or_a_single_one_when_asked(sacct):
    (job,) = sacct(row(AllocTRES=WIDE), spread="independent").jobs
    assert (job.gang, [each.count for each in job.tasks]) == (None, [2, 2])
    (job,) = sacct(row(AllocTRES=WIDE), spread="single").jobs
    assert (job.gang, [dict(each.resource) for each in job.tasks]) == (None, [{"vcore": 10_000, "memory": 8 * GIB, GPU: 4}])


@pytest.mark.parametrize("nodes", [1, 2, 3, 7])
@pytest.mark.parametrize("cpus", [7, 8, 21])
@pytest.mark.parametrize("gpus", [0, 1, 5, 14])
def test_spreading_keeps_every_sum_of_units(nodes, cpus, gpus):
    parts = evenly({"vcore": cpus * 1000, "gpu": gpus}, nodes, {"vcore": 1000, "gpu": 1})
    assert sum(count for count, _ in parts) == nodes
    for name, total in (("vcore", cpus * 1000), ("gpu", gpus)):
        assert sum(count * each.get(name, 0) for count, each in parts) == total


def test_components_of_a_heterogeneous_job_are_one_gang(sacct):
    workload = sacct(row("9+0", AllocTRES="cpu=1,node=1"), row("9+1", AllocTRES="cpu=8,node=2", Elapsed="00:00:30"), row("10"))
    assert ids(workload) == ["9", "10"]
    job = workload.jobs[0]
    assert job.gang == Gang()
    assert [(each.name, each.count, each.resource["vcore"], each.duration_ms) for each in job.tasks] == [
        ("node", 1, 1000, 60_000),
        ("node-2", 2, 4000, 30_000),
    ]


# --- ids ---


def test_tasks_of_arrays_are_jobs_and_steps_are_not(sacct):
    rows = [row(id) for id in ("5_1", "5_2", "5_2.batch", "6", "6.0", "6.extern", "7+0", "7+0.batch", "8_3.0")]
    workload = sacct(*rows)
    assert ids(workload) == ["5_1", "5_2", "6", "7"]


def test_an_array_that_waits_stands_for_its_tasks(sacct):
    waiting = row("5_[3-4,7,10-14:2%2]", "PENDING", Start="Unknown", End="Unknown", Elapsed="00:00:00", AllocTRES="")
    workload = sacct(row("5_1"), waiting, censored="limit")
    assert ids(workload) == ["5_1", "5_3", "5_4", "5_7", "5_10", "5_12", "5_14"]


def test_a_requeued_job_arrives_once_and_runs_as_the_last_time(sacct):
    workload = sacct(
        row("1", "NODE_FAIL", Elapsed="00:00:50"),
        row("2"),
        row("1", "PREEMPTED", Submit="2026-01-05T09:00:00", Elapsed="00:00:40"),
        row("1", "COMPLETED", Submit="2026-01-05T10:00:00", Elapsed="00:00:30"),
    )
    assert [(job.id, job.submit_ms, job.tasks[0].duration_ms, job.tags["state"]) for job in workload.jobs] == [
        ("1", 0, 30_000, "completed"),
        ("2", 0, 60_000, "completed"),
    ]
    assert noted(workload, "requeued").endswith("1 job (first in line 4).")


def test_rows_of_a_requeued_job_may_come_in_any_order(sacct):
    rows = row("1", Submit="2026-01-05T10:00:00", Elapsed="00:00:30"), row("1", "REQUEUED", Elapsed="00:00:50"), row("2")
    assert [(job.id, job.submit_ms, job.tasks[0].duration_ms) for job in sacct(*rows).jobs] == [("1", 0, 30_000), ("2", 0, 60_000)]


def test_jobs_of_several_clusters_are_not_mixed(sacct):
    header = "Cluster|" + HEADER
    workload = sacct("a|" + row("1"), "b|" + row("1"), header=header, queue="root.{cluster}")
    assert [(job.id, job.queue) for job in workload.jobs] == [("1", "root.a"), ("1@b", "root.b")]


# --- states ---


@pytest.mark.parametrize(
    "state", ["COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "DEADLINE", "CANCELLED by 1234", "CANCELLED+"]
)
def test_what_ended_ran_as_long_as_it_says(sacct, state):
    workload = sacct(row(state=state))
    assert workload.jobs[0].tasks[0].duration_ms == 60_000
    assert workload.jobs[0].tags["state"] == state.split()[0].rstrip("+").lower()
    assert len(workload.notes) == 1


def test_what_was_cancelled_before_it_ran_is_left_out(sacct):
    never = {"Start": "None", "Elapsed": "00:00:00", "AllocTRES": "", "ReqTRES": ""}
    workload = sacct(row("1", "CANCELLED by 77", **never), row("2"))
    assert ids(workload) == ["2"]
    assert noted(workload, "cancelled before") == "Left out, since they were cancelled before they ran: 1 job (first in line 2)."


@pytest.mark.parametrize("state", ["NODE_FAIL", "PREEMPTED", "REQUEUED", "BOOT_FAIL"])
def test_what_the_cluster_stopped_runs_as_long_as_it_had(sacct, state):
    workload = sacct(row(state=state))
    assert workload.jobs[0].tasks[0].duration_ms == 60_000
    assert noted(workload, "stopped by the cluster").endswith("1 job (first in line 2).")


OPEN = {"End": "Unknown"}


@pytest.mark.parametrize("state", ["RUNNING", "SUSPENDED", "COMPLETING"])
@pytest.mark.parametrize(
    ("censored", "limit", "seconds", "said"),
    [
        ("elapsed", "02:00:00", 60, "are taken to end there"),
        ("limit", "02:00:00", 7200, "run to their time limit"),
        ("limit", "00:00:10", 60, "run to their time limit"),
        ("limit", "UNLIMITED", None, "have no time limit"),
        ("limit", "Partition_Limit", None, "have no time limit"),
        ("leave_out", "02:00:00", None, "Left out: had not ended"),
    ],
)
def test_what_still_runs_at_the_end_is_said_with_the_assumption(sacct, state, censored, limit, seconds, said):
    workload = sacct(row("1"), row("2", state, Timelimit=limit, **OPEN), censored=censored)
    assert [job.tasks[0].duration_ms for job in workload.jobs] == [60_000, *([] if seconds is None else [seconds * 1000])]
    assert noted(workload, said).endswith("1 job (first in line 3).")


def test_what_still_waits_at_the_end_is_left_out_unless_its_limit_is_taken(sacct):
    waiting = row("2", "PENDING", Start="Unknown", Elapsed="00:00:00", AllocTRES="", **OPEN)
    workload = sacct(row("1"), waiting)
    assert ids(workload) == ["1"]
    assert "1 job" in noted(workload, "were waiting at the end")
    (_, job) = sacct(row("1"), waiting, censored="limit").jobs
    assert (job.tasks[0].duration_ms, job.tasks[0].resource["vcore"]) == (7_200_000, 1000)


def test_what_another_cluster_ran_is_left_out(sacct):
    assert "1 job" in noted(sacct(row("1", "REVOKED"), row("2")), "another cluster")


def test_a_state_that_is_not_known_is_said(sacct):
    workload = sacct(row(state="DREAMING"))
    assert len(workload.jobs) == 1
    assert noted(workload, "not known here").endswith("1 job (first in line 2).")


# --- names ---


@pytest.mark.parametrize(
    ("pattern", "queue"),
    [
        ("root.{account}", "root.bio_dot_lab"),
        ("root.{partition}.{account}", "root.batch.bio_dot_lab"),
        ("root.{qos}.{user}-of-{group}", "root.normal.ann-of-bio"),
        ("root.all", "root.all"),
        ("", ""),
    ],
)
def test_queues_follow_a_pattern(sacct, pattern, queue):
    assert sacct(row(), queue=pattern).jobs[0].queue == queue


def test_names_that_no_queue_may_have_are_changed_and_it_is_said(sacct):
    workload = sacct(
        row("1", Partition="big mem"), row("2", Partition="BIG-MEM"), row("3", Partition=""), row("4", Partition="gpu,cpu")
    )
    assert [job.queue for job in workload.jobs] == ["root.big-mem", "root.big-mem", "root.none", "root.gpu"]
    assert "The queue for partition 'big mem' is called 'big-mem'." in workload.notes
    assert "Several of partition share the queue 'big-mem': 'big mem', 'BIG-MEM'." in workload.notes
    assert "Jobs without partition are in a queue 'none'." in workload.notes


def test_users_and_groups_have_legal_names(sacct):
    workload = sacct(row("1", User="0 cool", Group="dom users"), row("2", User="", Group=""))
    assert [(job.user, job.groups) for job in workload.jobs] == [("_0-cool", ("dom-users",)), ("nobody", ())]
    assert "The user '0 cool' is called '_0-cool'." in workload.notes
    assert "The group 'dom users' is called 'dom-users'." in workload.notes
    assert noted(workload, "Without a user").endswith("1 job (first in line 3).")


def test_the_priority_is_taken_when_asked(sacct):
    assert sacct(row()).jobs[0].priority == 0
    workload = sacct(row("1"), row("2", Priority="4294967295"), priority=True)
    assert [job.priority for job in workload.jobs] == [4294901, 2**31 - 1]
    assert "1 job (first in line 3)" in noted(workload, "priority above")


# --- files ---


@pytest.mark.parametrize("save", [str.encode, lambda text: text.encode("utf-16"), lambda text: gzip.compress(text.encode())])
@pytest.mark.parametrize("end", ["\n", "\r\n", "|\n"])
def test_a_record_is_read_however_it_was_saved(sacct, save, end):
    text = end.join([HEADER, row("1"), row("2"), ""])
    assert sacct(save(text)).jobs == sacct(row("1"), row("2")).jobs


def test_only_the_first_jobs_are_taken_when_asked(sacct):
    workload = sacct(row("1", Submit="2026-01-05T09:00:00"), row("2"), first=1)
    assert ids(workload) == ["2"]
    assert "Only the first 1 jobs were taken." in workload.notes


def test_bars_in_the_one_column_of_free_text_do_no_harm(sacct):
    workload = sacct("1|a|b|2026-01-05T08:00:00|00:01:00|3", header="JobID|JobName|Submit|Elapsed|NCPUS")
    assert [(job.id, job.submit_ms) for job in workload.jobs] == [("1", 0)]


BROKEN = {
    "too few fields": ("100|ann", "the row has 2 fields, the header 17"),
    "too many fields": (row() + "|x", "the row has 18 fields, the header 17"),
    "no id": (row("job"), "column jobid: 'job' is no id such as 123"),
    "an array cut off": (row("5_[1,3,5,...]"), "is the list cut off?"),
    "an array of none": (row("5_[9-3]"), "an array has 1 to"),
    "a large array": (row("5_[0-999999999]"), "an array has 1 to"),
    "no submission": (row(Submit="Unknown"), "column submit: is not known"),
    "no time": (row(Submit="yesterday"), "column submit: 'yesterday' is no time such as"),
    "no month": (row(Eligible="2026-13-05T08:00:00"), "column eligible: '2026-13-05T08:00:00' is no time"),
    "no span": (row(Elapsed="an hour"), "column elapsed: 'an hour' is no span"),
    "a negative span": (row(Elapsed="-00:01:00"), "column elapsed"),
    "an end before the start": (row(Elapsed="", End="2026-01-05T08:00:00"), "column end: 2026-01-05T08:00:00 is before the start"),
    "no limit": (row(Timelimit="soon"), "column timelimit: 'soon'"),
    "no amount": (row(AllocTRES="cpu"), "column alloctres: 'cpu' is no entry such as cpu=4"),
    "no number": (row(AllocTRES="cpu=many"), "column alloctres: 'cpu=many': 'many' is no whole number"),
    "no memory": (row(AllocTRES="cpu=1,mem=lots"), "column alloctres: 'lots' is no memory"),
    "no processors": (row(AllocTRES="mem=4G", ReqTRES=""), "nothing says how many processors the job had"),
    "too much memory": (row(AllocTRES="cpu=1,mem=999999999999E"), "does not fit in 64 bits"),
    "too many nodes": (row(AllocTRES="cpu=9000000,node=9000000"), "9000000 nodes are more than"),
    "no priority": (row(Priority="high"), "column priority"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_row_is_named_with_file_line_and_column(sacct, name):
    text, said = BROKEN[name]
    with pytest.raises(WorkloadError) as caught:
        sacct(row("1"), text, row("2"))
    assert said in str(caught.value)
    assert caught.value.line == 3
    assert str(caught.value.source).endswith("given.psv")


@pytest.mark.parametrize("name", BROKEN)
def test_what_could_be_read_is_kept_when_asked_and_the_rest_counted(sacct, name):
    text, said = BROKEN[name]
    workload = sacct(row("1"), text, row("2"), keep_going=True)
    assert ids(workload) == ["1", "2"]
    assert "line 3" in noted(workload, "could not be read") and said in noted(workload, "could not be read")


def test_wrong_bytes_are_named_with_their_line(sacct):
    with pytest.raises(WorkloadError, match="not UTF-8 text") as caught:
        sacct("\n".join([HEADER, row("1"), row("2", User="\xe9")]).encode("latin-1"))
    assert caught.value.line == 3


def test_what_stands_before_the_end_of_a_damaged_file_is_kept_when_asked(sacct):
    packed = gzip.compress("\n".join([HEADER, *(row(str(number)) for number in range(20_000))]).encode())
    with pytest.raises(WorkloadError, match="ends in the midst"):
        sacct(packed[: len(packed) // 2])
    workload = sacct(packed[: len(packed) // 2], keep_going=True)
    assert 5_000 < len(workload.jobs) < 15_000
    assert "ends in the midst" in noted(workload, "could not be read")


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("User|Submit|Elapsed|NCPUS", "JobID"),
        ("JobID|Elapsed|NCPUS", "Submit"),
        ("JobID|Submit|Start|NCPUS", "Elapsed"),
        ("JobID|Submit|Elapsed", "AllocTRES"),
        (row(), "JobID"),
    ],
)
def test_a_column_that_is_missing_is_named_with_the_call_that_prints_it(sacct, header, missing):
    with pytest.raises(WorkloadError, match=f"there is no column {missing}") as caught:
        sacct(header=header)
    assert (caught.value.line, "--format JobID,User" in caught.value.hint) == (1, True)


def test_a_column_twice_is_refused(sacct):
    with pytest.raises(WorkloadError, match="two columns are called submit"):
        sacct(header=HEADER + "|Submit")


@pytest.mark.parametrize("option", [{"spread": "wide"}, {"arrives": "late"}, {"amounts": "all"}, {"censored": "no"}])
def test_an_option_with_another_value_is_refused(sacct, option):
    with pytest.raises(WorkloadError, match=next(iter(option))):
        sacct(row(), **option)


@pytest.mark.parametrize("text", [HEADER, HEADER + "\n" + row(), "\njobidraw|submit\n", "JobID%20|Submit\n"])
def test_it_is_recognised_by_what_is_in_it(tmp_path, text):
    for name, content in (("a.txt", text.encode()), ("b", gzip.compress(text.encode())), ("c.csv", text.encode("utf-16"))):
        (tmp_path / name).write_bytes(content)
        assert recognised(tmp_path / name) == "sacct"
