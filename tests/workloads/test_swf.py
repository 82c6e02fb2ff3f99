"""The Standard Workload Format, read and written, on small files made by hand. WL-11."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.values.errors import FileError, WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, Pool, Tasks, Workload, read, write
from workbench.workloads.sources.registry import recognised
from workbench.workloads.sources.swf import read_swf
from workbench.workloads.sources.swf_writing import swf_text, write_swf

SAMPLE = """\
; Version: 2.2
; Computer: a small one
; UnixStartTime: 1767571200
; MaxNodes: 4 (all alike)
; MaxProcs: 32
; Queue: 1 root.prod
; Queue: 2 Night jobs of everybody
;
; no header at all
1   0  5  100   4 90 500  4 200 1024 1 3 1 2 1 1 -1 -1
2  10  0 60.5   8 -1  -1 -1  -1   -1 0 4 2 3 2 1 -1 -1
3  10  7    0  20 -1 300 20  -1   -1 5 3 1 2 0 -1 1 30
4  20 -1   -1  -1 -1  -1  4  -1   -1 5 3 1 2 1 1 -1 -1
5  30 -1   -1   4 -1  -1  4  -1   -1 -1 3 1 2 1 1 -1 -1
6  40  0   10  -1 -1  -1 -1  -1   -1 1 3 1 2 1 1 -1 -1
7  50  0   10   3 -1  -1  2  -1   -1 1 -1 -1 -1 -1 -1 2 -1
"""
MIB = 2**20


@pytest.fixture
def swf(tmp_path):
    """Read a text as a file of this format."""

    def loaded(text=SAMPLE, **options) -> Workload:
        path = tmp_path / "given.swf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(path, "swf", **options)

    return loaded


def by_id(workload: Workload) -> dict[str, Job]:
    return {job.id: job for job in workload.jobs}


def line(**fields) -> str:
    """A job that has nothing special, with some fields (by place, `f4=...`) otherwise."""
    values = ["1", "0", "0", "10", "1", "-1", "-1", "1", "-1", "-1", "1", "1", "1", "1", "1", "1", "-1", "-1"]
    for name, value in fields.items():
        values[int(name[1:]) - 1] = str(value)
    return " ".join(values)


def noted(workload: Workload, words: str) -> str:
    """The one note with these words."""
    (found,) = [note for note in workload.notes if words in note]
    return found


# --- fields ---


def test_a_line_becomes_a_job_with_a_task_of_its_processors(swf):
    assert by_id(swf())["1"] == Job(
        id="1",
        submit_ms=0,
        tasks=(Tasks(resource=Resource(vcore=4000, memory=4 * MIB), duration_ms=100_000),),
        user="user-3",
        groups=("group-1",),
        queue="root.prod",
        tags={"executable": "2", "partition": "1", "status": "completed"},
    )


def test_a_time_may_have_a_fraction(swf):
    assert by_id(swf())["2"].tasks[0].duration_ms == 60_500
    assert swf(line(f2="12.25")).jobs[0].submit_ms == 12_250


def test_a_job_larger_than_a_node_is_a_gang_of_full_nodes_and_a_rest(swf):
    job = by_id(swf())["3"]
    assert job.gang == Gang()
    assert [(each.name, each.count, each.resource) for each in job.tasks] == [
        ("node", 2, Resource(vcore=8000)),
        ("rest", 1, Resource(vcore=4000)),
    ]


@pytest.mark.parametrize(
    ("spread", "counts", "gang"), [("gang", [2, 1], Gang()), ("independent", [2, 1], None), ("single", [1], None)]
)
def test_what_becomes_of_a_job_larger_than_a_node_can_be_chosen(swf, spread, counts, gang):
    job = by_id(swf(spread=spread))["3"]
    assert [each.count for each in job.tasks] == counts
    assert sum(each.count * each.resource["vcore"] for each in job.tasks) == 20_000
    assert job.gang == gang


def test_a_job_that_fills_nodes_exactly_is_a_gang_of_one_kind(swf):
    (job,) = swf(line(f8=24), cores_per_node=8).jobs
    assert [(each.name, each.count) for each in job.tasks] == [("node", 3)]
    assert job.gang == Gang()


@pytest.mark.parametrize(
    ("status", "tag"), [("0", "failed"), ("1", "completed"), ("5", "cancelled"), ("-1", None)], ids=["0", "1", "5", "-1"]
)
def test_the_status_is_a_tag(swf, status, tag):
    assert swf(line(f11=status)).jobs[0].tags.get("status") == tag


def test_a_status_that_is_not_defined_is_said(swf):
    workload = swf(line(f11="9"))
    assert "status" not in workload.jobs[0].tags
    assert noted(workload, "status") == "Have a status that the format does not define: 1 job (first in line 1)."


def test_what_is_not_known_stays_open(swf):
    job = by_id(swf())["7"]
    assert (job.user, job.groups, job.queue, dict(job.tags)) == ("nobody", (), "", {"status": "completed"})
    notes = swf().notes
    assert "Without a user, whose user is called nobody: 1 job (first in line 16)." in notes
    assert "Without a queue, left to the placement rules: 1 job (first in line 16)." in notes


def test_requested_processors_count_first_and_the_difference_is_said(swf):
    workload = swf()
    assert by_id(workload)["7"].tasks[0].resource["vcore"] == 2000
    assert by_id(workload)["2"].tasks[0].resource["vcore"] == 8000, "nothing was requested: what was given counts"
    assert "another number of processors than they requested, which was taken: 1 job" in noted(workload, "another number")
    assert by_id(swf(processors="allocated"))["7"].tasks[0].resource["vcore"] == 3000


def test_memory_is_that_of_each_processor_in_kib(swf):
    assert swf(line(f8=3, f10=2048)).jobs[0].tasks[0].resource["memory"] == 3 * 2048 * 1024
    assert swf(line(f8=3, f7=512), memory="used").jobs[0].tasks[0].resource["memory"] == 3 * 512 * 1024
    assert "memory" not in swf(line(f8=3, f10=2048), memory="none").jobs[0].tasks[0].resource
    without = swf(line(f7=512))
    assert "memory" not in without.jobs[0].tasks[0].resource
    assert noted(without, "no memory").endswith("1 job (first in line 1).")


def test_a_job_that_never_ran_is_left_out_and_counted(swf):
    workload = swf()
    assert [job.id for job in workload.jobs] == ["1", "2", "3", "7"]
    assert "Left out, since they were cancelled before they ran: 1 job (first in line 13)." in workload.notes
    assert "Left out, since nothing says how long they ran: 1 job (first in line 14)." in workload.notes
    assert "Left out, since nothing says how many processors they had: 1 job (first in line 15)." in workload.notes


def test_a_run_time_of_zero_stays_and_is_counted(swf):
    workload = swf()
    assert by_id(workload)["3"].tasks[0].duration_ms == 0
    assert "Ran for less than half a second, which is a duration of 0: 1 job (first in line 12)." in workload.notes


def test_parts_of_an_execution_are_left_out(swf):
    text = "\n".join([line(f4=30), line(f4=10, f11=2), line(f2=-1, f4=20, f11=3)])
    workload = swf(text)
    assert [(job.id, job.tasks[0].duration_ms) for job in workload.jobs] == [("1", 30_000)]
    assert noted(workload, "a part of the execution").endswith("2 lines (first in line 2).")


def test_by_default_nobody_waits_for_a_preceding_job_and_it_is_said(swf):
    workload = swf()
    assert [job.after for job in workload.jobs] == [(), (), (), ()]
    assert "2 jobs (first in line 12)" in noted(workload, "Name a job that precedes them;")


def test_jobs_wait_for_the_preceding_one_when_asked(swf):
    workload = swf(after=True)
    assert {job.id: job.after for job in workload.jobs} == {"1": (), "2": (), "3": ("1",), "7": ("2",)}
    assert "1 job (first in line 12)" in noted(workload, "think time")


def test_a_preceding_job_that_is_not_before_is_not_waited_for(swf):
    workload = swf("\n".join([line(f17=2), line(f1=2, f17=7), line(f1=3, f17=3)]), after=True)
    assert [job.after for job in workload.jobs] == [(), (), ()]
    assert noted(workload, "not in the file before them").endswith("3 jobs (first in line 1).")


# --- queues ---


def test_a_queue_has_its_number_unless_the_head_names_a_path(swf):
    found = by_id(swf())
    assert (found["1"].queue, found["2"].queue, found["3"].queue) == ("root.prod", "root.queue-2", "root.queue-0")


@pytest.mark.parametrize(
    ("pattern", "queue"),
    [
        ("root.all", "root.all"),
        ("", ""),
        ("root.q{queue}.{user}", "root.q2.4"),
        ("root.{queue_name}", "root.night"),
        ("root.g{group}.p{partition}.e{executable}", "root.g2.p1.e3"),
    ],
)
def test_queues_follow_a_pattern(swf, pattern, queue):
    assert by_id(swf(queue=pattern))["2"].queue == queue


def test_an_unknown_number_in_a_pattern_is_called_none_and_said(swf):
    workload = swf(queue="root.{queue}")
    assert by_id(workload)["7"].queue == "root.none"
    assert "Jobs without queue are in a queue 'none'." in workload.notes


@pytest.mark.parametrize("pattern", ["root.{color}", "queue", "root..x", "root.a b"])
def test_a_pattern_that_is_no_path_is_refused_with_what_is_allowed(swf, pattern):
    with pytest.raises(WorkloadError, match=r"\{queue\}"):
        swf(queue=pattern)


# --- the machine ---


def test_the_head_tells_the_machine(swf):
    (pool,) = swf(SAMPLE, memory_per_node="64Gi").pools
    assert (pool.name, pool.count, pool.capacity) == ("node", 4, Resource(vcore=8000, memory=64 * 2**30))


def test_nodes_of_unknown_memory_have_enough_for_what_asks_for_most(swf):
    workload = swf()
    assert workload.pools[0].capacity == Resource(vcore=8000, memory=8 * 1024 * 1024)
    assert "1,024 KiB" in noted(workload, "how much memory a node had")


def test_processors_alone_are_one_node(swf):
    workload = swf("; MaxProcs: 100\n" + line(f8=70))
    assert [(pool.count, pool.capacity["vcore"]) for pool in workload.pools] == [(1, 100_000)]
    assert workload.jobs[0].tasks[0].count == 1
    assert "how many nodes the 100 processors were on" in noted(workload, "they are one node")


def test_nodes_alone_have_one_processor_each(swf):
    workload = swf("; MaxNodes: 128\n" + line(f8=3))
    assert [(pool.count, pool.capacity["vcore"]) for pool in workload.pools] == [(128, 1000)]
    assert [(each.count, each.resource["vcore"]) for each in workload.jobs[0].tasks] == [(3, 1000)]


def test_processors_that_are_not_equally_many_on_each_node_keep_their_sum(swf):
    workload = swf("; MaxNodes: 3\n; MaxProcs: 10\n" + line(f8=3))
    assert [(pool.name, pool.count, pool.capacity["vcore"]) for pool in workload.pools] == [("node-4", 1, 4000), ("node", 2, 3000)]
    assert noted(workload, "not equally many") == "10 processors on 3 nodes are not equally many on each: 1 nodes have one more."


def test_the_size_of_a_node_can_be_told(swf):
    workload = swf("; MaxProcs: 100\n" + line(f8=70), cores_per_node=16)
    assert [(pool.count, pool.capacity["vcore"]) for pool in workload.pools] == [(6, 16_000)]
    assert [(each.count, each.resource["vcore"]) for each in workload.jobs[0].tasks] == [(4, 16_000), (1, 6000)]
    assert noted(workload, "no whole number of nodes") == "100 processors are no whole number of nodes of 16; there are 6 nodes."


def test_without_a_head_nodes_have_to_be_given(swf):
    workload = swf(line())
    assert workload.pools == ()
    assert noted(workload, "nodes have to be given")


def test_jobs_that_fit_nowhere_are_said(swf):
    workload = swf("; MaxProcs: 4\n; MaxNodes: 1\n" + line(f8=5) + "\n" + line(f1=2, f8=4, f10=1024), memory_per_node="3Mi")
    assert noted(workload, "more processors than").endswith("1 job (first in line 3).")
    assert noted(workload, "more memory than").endswith("1 job (first in line 4).")


def test_the_head_tells_when_zero_was(swf):
    assert swf().zero == "2026-01-05T00:00:00Z"


def test_another_version_is_said(swf):
    assert noted(swf("; Version: 3.1\n" + line()), "version 3.1")


# --- order, encodings, progress ---


def test_lines_out_of_order_are_sorted_and_it_is_said(swf):
    workload = swf("\n".join([line(f2=9), line(f1=2, f2=3), line(f1=3, f2=9)]))
    assert [job.id for job in workload.jobs] == ["2", "1", "3"]
    assert noted(workload, "were sorted")


@pytest.mark.parametrize(
    "content",
    [
        SAMPLE.encode(),
        SAMPLE.replace("\n", "\r\n").encode(),
        SAMPLE.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + SAMPLE.encode(),
        SAMPLE.encode("utf-16"),
        SAMPLE.replace("no header", "H\u00f4pital").encode("latin-1"),
        gzip.compress(SAMPLE.encode()),
        SAMPLE.encode().rstrip(),
    ],
    ids=["utf-8", "crlf", "cr", "byte order mark", "utf-16", "latin-1 in a comment", "gzip", "no last newline"],
)
def test_a_file_is_read_however_it_was_saved(swf, content):
    assert swf(content) == swf()


def test_only_the_first_jobs_are_read_when_asked(swf):
    workload = swf(first=2)
    assert [job.id for job in workload.jobs] == ["1", "2"]
    assert workload.notes[-2:] and noted(workload, "Only the first") == "Only the first 2 jobs were read."
    assert not [note for note in swf(line(), first=1).notes if "Only" in note]


def test_progress_is_told(tmp_path):
    path = tmp_path / "long.swf"
    path.write_text("\n".join(line(f1=number) for number in range(1, 50_001)))
    told = []
    read_swf(path, progress=lambda done, text: told.append((done, text)))
    fractions = [done for done, _ in told]
    assert len(told) == 2 and fractions == sorted(fractions) and 0 < fractions[0] <= 1
    assert "lines of long.swf" in told[0][1]


# --- what is broken ---

BROKEN = {
    "too few fields": (line() + "\n1 2 3", 2, "a job has 18 fields, this line 3"),
    "too many fields": (line() + " 7", 1, "a job has 18 fields, this line 19"),
    "a word": (line(f4="long"), 1, "field 4 (run time) is 'long': it must be a number"),
    "not a number": (line(f4="nan"), 1, "field 4 (run time) is 'nan': it must be a number"),
    "infinite": (line(f4="1e99"), 1, "field 4 (run time) is '1e99': it must be from 0 to 1e+15"),
    "a part of a processor": (line(f8="1.5"), 1, "field 8 (requested processors) is '1.5': it must be a whole number"),
    "an underline": (line(f8="1_0"), 1, "field 8 (requested processors) is '1_0': it must be a number"),
    "no job number": (line(f1="-1"), 1, "field 1 (job number) is '-1': every job needs a number"),
    "a number twice": ("\n".join([line(), line(f1=2), line()]), 3, "field 1 (job number) is 1, which a job before has"),
    "a negative submit time": (line(f2="-5"), 1, "field 2 (submit time) is '-5': it must be from 0"),
    "an unknown submit time": (line(f2="-1"), 1, "field 2 (submit time) is '-1': it must be from 0"),
    "a late submit time": (line(f2=10**11), 1, "field 2 (submit time)"),
    "a negative run time": (line(f4="-20"), 1, "field 4 (run time) is '-20': it must be from 0"),
    "a long run time": (line(f4=10**11), 1, "field 4 (run time) is '100000000000': it must be at most"),
    "negative processors": (line(f8="-4"), 1, "field 8 (requested processors) is '-4'"),
    "negative memory": (line(f10="-4"), 1, "field 10 (requested memory) is '-4'"),
    "too much memory": (line(f8=10**6, f10=10**15), 1, "64 bits of bytes"),
    "no text": (line() + "\n\x00\x01", 2, "this line 1"),
    "cut off in the midst": (line() + "\n" + line()[:-20], 2, "a job has 18 fields"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_line_is_named_with_file_line_and_field(swf, name):
    text, number, said = BROKEN[name]
    with pytest.raises(WorkloadError) as caught:
        swf(text)
    assert said in str(caught.value)
    assert caught.value.line == number
    assert str(caught.value.source).endswith("given.swf")


@pytest.mark.parametrize("name", BROKEN)
def test_what_could_be_read_is_kept_when_asked_and_the_rest_counted(swf, name):
    text, number, said = BROKEN[name]
    workload = swf(text + "\n" + line(f1=99), keep_going=True)
    assert workload.jobs[-1].id == "99"
    assert f"line {number}" in noted(workload, "could not be read") and said in noted(workload, "could not be read")


def test_more_tasks_than_can_be_is_a_fault_that_says_what_to_do(swf):
    with pytest.raises(WorkloadError, match="give cores_per_node"):
        swf("; MaxNodes: 10\n" + line(f8=10**7))


@pytest.mark.parametrize("option", [{"spread": "wide"}, {"memory": "all"}, {"processors": "some"}, {"memory_per_node": "much"}])
def test_an_option_with_another_value_is_refused(swf, option):
    with pytest.raises(WorkloadError, match=next(iter(option))):
        swf(**option)


def test_fields_that_become_nothing_may_hold_anything(swf):
    assert len(swf(line(f3="-77", f6="-5", f9="-2")).jobs) == 1


# --- recognition ---


@pytest.mark.parametrize(
    "text",
    [SAMPLE, line(), "\n\n" + line(), "; Version: 2.2\n; MaxProcs: 3\n", "; MaxProcs: 3\n1 2 3\n", "1 0 0 1.5" + " -1" * 14],
    ids=["whole", "no head", "blank lines", "no jobs", "a broken line", "a fraction"],
)
def test_it_is_recognised_by_what_is_in_it(tmp_path, text):
    for name, content in (("jobs.txt", text.encode()), ("jobs.dat", gzip.compress(text.encode())), ("jobs", text.encode("utf-16"))):
        (tmp_path / name).write_bytes(content)
        assert recognised(tmp_path / name) == "swf"


@pytest.mark.parametrize(
    "text", ["submit,duration\n0,1\n", "jobs:\n- id: a\n", "; a comment\n1 2 3\n", "1 2 3\n", "JobID|Submit\n1|2\n", "a " * 18]
)
def test_other_files_are_not_taken_for_it(tmp_path, text):
    path = tmp_path / "jobs.swf"
    path.write_text(text)
    try:
        found = recognised(path)
    except WorkloadError:
        found = "none"
    assert found != "swf"


# --- writing ---

ONE = Job(
    id="7",
    submit_ms=1500,
    tasks=(Tasks(resource=Resource(vcore=2000, memory=2 * MIB), duration_ms=60_000),),
    user="user-3",
    groups=("group-4",),
    queue="root.queue-5",
    tags={"executable": "6", "partition": "2", "status": "failed"},
)


def test_a_job_is_written_as_eighteen_fields():
    text, notes = swf_text(Workload(jobs=(ONE,), name="a\nday"))
    assert text.splitlines() == [
        "; Version: 2.2",
        "; Note: a day",
        "; MaxJobs: 1",
        "; MaxRecords: 1",
        "; MaxQueues: 1",
        "; Queue: 5 root.queue-5",
        "7 1.5 -1 60 2 -1 -1 2 -1 1024 0 3 4 6 5 2 -1 -1",
    ]
    assert notes == ()


def test_waits_of_a_run_are_written():
    text, _ = swf_text(Workload(jobs=(ONE,)), waits={"7": 12.5})
    assert text.splitlines()[-1].split()[2] == "12.5"
    never, _ = swf_text(Workload(jobs=(ONE,)), waits={"7": None})
    assert never.splitlines()[-1].split()[2] == "-1"


def test_names_become_numbers_and_it_is_said():
    jobs = (
        Job(id="a", submit_ms=0, tasks=ONE.tasks, user="ann", queue="root.prod"),
        Job(id="b", submit_ms=0, tasks=ONE.tasks, user="user-1", queue="root.queue-1", after=("a",)),
    )
    text, notes = swf_text(Workload(jobs=jobs))
    rows = [row.split() for row in text.splitlines() if not row.startswith(";")]
    assert [(row[0], row[11], row[14], row[16]) for row in rows] == [("1", "2", "2", "-1"), ("2", "1", "1", "1")]
    assert "; Queue: 2 root.prod" in text.splitlines()
    assert any(note.startswith("Jobs have other numbers") and "2 jobs" in note for note in notes)
    assert any(note.startswith("Users, groups or queues have a number") and "1 job" in note for note in notes)


def lost(**changes) -> tuple[str, ...]:
    fields = {"id": "1", "submit_ms": 0, "tasks": ONE.tasks, **changes}
    return swf_text(Workload(jobs=(Job(**fields),)))[1]


def tasks(**changes) -> dict:
    return {"tasks": (Tasks(**{"resource": Resource(vcore=1000), "duration_ms": 1000, **changes}),)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (tasks(duration_ms=None), "Do not end by themselves"),
        (tasks(count=2, duration_ms=(1, 2)), "the run time is the longest"),
        (tasks(count=2), "not a gang"),
        (tasks(resource=Resource(vcore=500)), "rounded up"),
        (tasks(resource=Resource(vcore=1000, memory=1000)), "rounded up"),
        (tasks(resource=Resource({"vcore": 1000, "nvidia.com/gpu": 1})), "more than processors and memory"),
        (tasks(node_selector={"a": "b"}), "only on some nodes"),
        (tasks(priority=3), "priority"),
        ({"priority": 3}, "priority"),
        (tasks(preemptible=False), "May not be stopped"),
        (tasks(tags={"a": "b"}), "class or tags"),
        ({"kind": "ci"}, "class or tags"),
        ({"tags": {"namespace": "x"}}, "class or tags"),
        ({"groups": ("group-1", "group-2")}, "several groups"),
        ({"tasks": (*ONE.tasks, *ONE.tasks, *ONE.tasks), "gang": Gang()}, "several kinds"),
    ],
)
def test_what_the_format_cannot_say_is_said(changes, said):
    assert any(said in note and note.endswith("1 job.") for note in lost(**changes)), lost(**changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pools": (Pool(name="a", capacity=Resource(vcore=1000)), Pool(name="b", capacity=Resource(vcore=2000)))}, "one size"),
        ({"pools": (Pool(name="a", capacity=Resource(vcore=1000, gpu=1)),)}, "Other resources"),
        ({"pools": (Pool(name="a", capacity=Resource(vcore=1000), maximum=4),)}, "What happens to nodes"),
        ({"start_delay_ms": 5}, "start delay"),
    ],
)
def test_what_the_format_cannot_say_of_the_cluster_is_said(changes, said):
    assert any(said in note for note in swf_text(Workload(**changes))[1])


def test_writing_fails_as_a_whole(tmp_path):
    with pytest.raises(FileError):
        write_swf(Workload(jobs=(ONE,)), tmp_path / "none" / "a.swf")


NUMBER = st.integers(0, 10**6)


@st.composite
def expressible(draw) -> Workload:
    """A workload of which the format says everything: gangs of full nodes with a rest, and numbers for names."""
    cores = draw(st.integers(1, 64))
    nodes = draw(st.integers(1, 20))
    kb = draw(st.lists(st.integers(0, 10**7), min_size=1, max_size=3))
    start = draw(st.integers(1, 2 * 10**9))
    numbers = draw(st.lists(st.integers(1, 10**9), unique=True, max_size=8))
    submits = sorted(draw(st.lists(st.integers(0, 10**12), min_size=len(numbers), max_size=len(numbers))))
    jobs: list[Job] = []
    used = 0
    for number, submit in zip(numbers, submits):
        each = draw(st.sampled_from(kb))
        used = max(used, each)
        full, rest = draw(st.tuples(st.integers(0, nodes), st.integers(0, cores - 1)).filter(any))
        duration = draw(st.integers(0, 10**9))

        parts = [("node", full, cores)] * (full > 0) + [("rest" if full else "", 1, rest)] * (rest > 0)
        if (full, rest) == (1, 0):
            parts = [("", 1, cores)]
        tags = {name: str(draw(NUMBER)) for name in draw(st.sets(st.sampled_from(["executable", "partition"])))}
        status = draw(st.sampled_from([None, "failed", "completed", "cancelled"]))
        user, group = draw(st.none() | NUMBER), draw(st.none() | NUMBER)
        jobs.append(
            Job(
                id=str(number),
                submit_ms=submit,
                tasks=tuple(
                    Tasks(
                        resource=Resource(vcore=size * 1000, **({"memory": size * each * 1024} if each else {})),
                        count=count,
                        name=name,
                        duration_ms=duration,
                    )
                    for name, count, size in parts
                ),
                user="nobody" if user is None else f"user-{user}",
                groups=() if group is None else (f"group-{group}",),
                queue=draw(st.sampled_from(["", "root.prod", "root.a.b:c", "root.queue-1", "root.queue-2", "root.queue-0"])),
                tags={**tags, **({"status": status} if status else {})},
                gang=Gang() if full + (rest > 0) > 1 else None,
                after=draw(st.sampled_from([(), *((job.id,) for job in jobs)])),
            )
        )
    memory = {"memory": cores * used * 1024} if used else {}
    pool = Pool(name="node", capacity=Resource(vcore=cores * 1000, **memory), count=nodes)
    zero = datetime.fromtimestamp(start, UTC)
    return Workload(jobs=tuple(jobs), pools=(pool,), zero=zero.isoformat().replace("+00:00", "Z"), name="w")


@given(expressible(), st.booleans())
def test_what_the_format_can_say_is_read_as_it_was_written(tmp_path_factory, workload, packed):
    path = tmp_path_factory.mktemp("swf") / f"w.swf{'.gz' * packed}"
    assert write(workload, path) == ()
    found = read(path, after=True)
    assert (found.jobs, found.pools, found.zero, found.name) == (workload.jobs, workload.pools, workload.zero, workload.name)


def test_nobody_is_written_as_unknown():
    text, notes = swf_text(
        Workload(jobs=tuple(Job(id=str(n), submit_ms=0, tasks=ONE.tasks, user=user) for n, user in ((1, ""), (2, "nobody"))))
    )
    assert [row.split()[11] for row in text.splitlines() if not row.startswith(";")] == ["-1", "-1"]
    assert notes == ()
