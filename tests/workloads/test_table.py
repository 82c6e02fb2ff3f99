"""Tables of jobs: CSV files and data frames. WL-10."""

from __future__ import annotations

import gzip
import tracemalloc
from datetime import UTC, datetime, timedelta

import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from workload_strategies import workloads

from workbench.values.errors import CommandError, WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, Pool, Tasks, Workload, read
from workbench.workloads.checks import check_workload
from workbench.workloads.sources import table_rows
from workbench.workloads.sources.registry import recognised
from workbench.workloads.sources.table import from_frame, read_table
from workbench.workloads.sources.table_writing import as_csv

FULL = """\
id,submit,duration,user,groups,queue,class,priority,count,resources,gang,tags,after
a,0,300,ann,dev;ops,root.a,web,5,3,"vcore=500m,memory=2Gi",,k=v;x=,
b,1m,1h30m,bob,,root.b,,,2,vcore=1,Hard,,a
c,90.5,10;;2.5,,,,,-1,3,,yes,,a;b
"""


def table(folder, text, name="jobs.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def jobs_of(folder, text, **options):
    return read(table(folder, text), **options).jobs


def test_every_column_says_what_it_is_named_for(tmp_path):
    def job(id, submit_ms, tasks, **more):
        return Job(id=id, submit_ms=submit_ms, tasks=(tasks,), **more)

    assert jobs_of(tmp_path, FULL) == (
        job(
            "a",
            0,
            Tasks(resource=Resource(vcore=500, memory=2 * 2**30), count=3, duration_ms=300_000),
            user="ann",
            groups=("dev", "ops"),
            queue="root.a",
            kind="web",
            priority=5,
            tags={"k": "v", "x": ""},
        ),
        job(
            "b",
            60_000,
            Tasks(name="tasks", resource=Resource(vcore=1000), count=2, duration_ms=5_400_000),
            user="bob",
            queue="root.b",
            gang=Gang(style="Hard"),
            after=("a",),
        ),
        job(
            "c",
            90_500,
            Tasks(name="tasks", resource=Resource(), count=3, duration_ms=(10_000, None, 2500)),
            priority=-1,
            gang=Gang(),
            after=("a", "b"),
        ),
    )


def test_other_tables_are_read_with_a_mapping_and_units(tmp_path):
    text = "vc,start_time,run_min,cpus,mem_gb,gpus,comment\nx,5,1.5,0.5,1.5,2,hello\ny,6,0,2,3,0,\n"
    path = table(tmp_path, text)
    workload = read(path, map="submit=start_time:h,duration=run_min:min,queue=vc,vcore=cpus,memory=mem_gb:GiB,nvidia.com/gpu=gpus")

    assert [(job.submit_ms, job.queue, job.tasks[0].duration_ms) for job in workload.jobs] == [
        (18_000_000, "x", 90_000),
        (21_600_000, "y", 0),
    ]
    assert workload.jobs[0].tasks[0].resource == Resource({"vcore": 500, "memory": 3 * 2**29, "nvidia.com/gpu": 2})
    assert workload.notes == (
        "The column 'comment' was not used.",
        "With a duration of zero, so that their tasks end when they start: 1 job (first in line 3).",
    )
    named = {"submit": ("start_time", "h"), "duration": ("run_min", "min"), "queue": "vc", "vcore": ("cpus", "cores")}
    assert read_table(path, map=named).workload.jobs[0].tasks[0].resource == Resource(vcore=500)


@pytest.mark.parametrize(
    ("cells", "amounts"),
    [
        ("1,2", {"vcore": 1000, "memory": 2}),
        ("1.5,2.0", {"vcore": 1500, "memory": 2}),
        ("250m,8Gi", {"vcore": 250, "memory": 8 * 2**30}),
        ("1e1,1e9", {"vcore": 10_000, "memory": 10**9}),
        (" 2 ,", {"vcore": 2000}),
        ("0.0001,0", {"vcore": 1, "memory": 0}),
    ],
)
def test_columns_can_be_named_for_resources(tmp_path, cells, amounts):
    (job,) = jobs_of(tmp_path, f"submit,vcore,memory\n0,{cells}\n")
    assert job.tasks[0].resource == Resource(amounts)


@pytest.mark.parametrize(
    ("text", "zero", "times", "note"),
    [
        ("2024-03-04T10:00:30Z\n2024-03-04T10:00:00.250Z", "2024-03-04T10:00:00.250000Z", [0, 29_750], ""),
        ("2024-03-04 10:00:00+01:00\n2024-03-04 09:00:01Z", "2024-03-04T09:00:00Z", [0, 1000], ""),
        (
            "2024-03-04 10:00:00\n2024-03-05",
            "2024-03-04T10:00:00Z",
            [0, 50_400_000],
            "no zone, taken as UTC: 2 jobs",
        ),
        (
            "1709546400\n1709546401.5",
            "2024-03-04T10:00:00Z",
            [0, 1500],
            "seconds since 1970",
        ),
        ("1000000000\n5", "", [5000, 10**12], ""),
    ],
)
def test_dates_are_counted_from_the_first(tmp_path, text, zero, times, note):
    rows = "".join(f"{line},1,1\n" for line in text.splitlines())
    workload = read(table(tmp_path, f"submit,vcore,duration\n{rows}"))
    assert (workload.zero, [job.submit_ms for job in workload.jobs]) == (zero, times)
    assert note in " ".join(workload.notes) and bool(note) == bool(workload.notes)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_delimiter_is_found_out(tmp_path, sign):
    text = sign.join(["submit", "vcore", "user"]) + "\n" + sign.join(["1", "2", '"a,b;c"']) + "\n"
    assert jobs_of(tmp_path, text)[0].user == "a,b;c"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: ("\n\n" + text.replace("\n", "\n\n")).encode(),
        lambda text: gzip.compress(text.encode()),
        lambda text: text.replace("submit", "Submit").replace("user", " USER ").encode(),
    ],
    ids=["mark", "utf-16", "windows", "old mac", "blank lines", "packed", "capitals"],
)
def test_texts_of_any_system_are_read(tmp_path, change):
    assert jobs_of(tmp_path, change(FULL), format="table") == jobs_of(tmp_path, FULL)
    assert recognised(table(tmp_path, change(FULL))) == "table"


def test_another_encoding_is_named_and_an_unnamed_one_told_with_its_line(tmp_path):
    path = table(tmp_path, "submit,vcore,user\n1,1,José\n".encode("latin-1"))
    assert read(path, encoding="latin-1").jobs[0].user == "José"
    with pytest.raises(WorkloadError, match=r"jobs\.csv:line 2: not UTF-8 text: byte 0xe9 .*name its encoding"):
        read(path)


HEAD = "id,submit,duration,count,vcore,priority,gang,after,tags\n"
WRONG = [
    ("x,y\n1,2\n", "line 1: there is no column submit, when each job arrives (name yours with a mapping such as"),
    ("submit,y\n1,2\n", "line 1: no column says what tasks ask for"),
    ("submit,submit,vcore\n1,1,2\n", "line 1: two columns are called 'submit'"),
    (HEAD + "a,-1,,,,,,,\n", "line 2: column submit: is negative: '-1'"),
    (HEAD + "a,-5s,,,,,,,\n", "line 2: column submit: is negative: '-5s'"),
    (HEAD + "a,,,,,,,,\n", "line 2: column submit: is empty"),
    (HEAD + "a,soon,,,,,,,\n", "line 2: column submit: no span of time: 'soon' (write 90s, 5m, 1h30m, 2d, 250ms, or"),
    (HEAD + "a,1,-3,,,,,,\n", "line 2: column duration: is negative: '-3'"),
    (HEAD + "a,1,1e12,,,,,,\n", "line 2: column duration: is longer than a hundred years: '1e12'"),
    (HEAD + "a,1,nan,,,,,,\n", "line 2: column duration: no span of time: 'nan'"),
    (HEAD + "a,1,1;2,3,,,,,\n", "line 2: column duration: has 2 entries, count is 3"),
    (HEAD + "a,1,1,0,,,,,\n", "line 2: column count: must be a whole number from 1 to 10000000, found '0'"),
    (HEAD + "a,1,1,1.5,,,,,\n", "line 2: column count: must be a whole number"),
    (HEAD + "a,1,1,1,-1,,,,\n", "line 2: column vcore: is negative: '-1'"),
    (HEAD + "a,1,1,1,1e20,,,,\n", "line 2: column vcore: is too large: '1e20'"),
    (HEAD + "a,1,1,1,one,,,,\n", "line 2: column vcore: invalid quantity: 'one' (allowed are numbers, and texts"),
    (HEAD + "a,1,1,1,1,high,,,\n", "line 2: column priority: must be a whole number from -2147483648"),
    (HEAD + "a,1,1,1,1,,maybe,,\n", "line 2: column gang: must be yes, no, Soft or Hard, found 'maybe'"),
    (HEAD + "a,1,1,1,1,,,b,\n", "line 2: column after: job 'a' waits for 'b', which is no job"),
    (HEAD + "a,1,1,1,1,,,a,\n", "line 2: column after: jobs wait for each other in a circle"),
    (HEAD + "a,1,1,1,1,,,,k\n", "line 2: column tags: 'k' is no tag (write key=value"),
    (HEAD + "a,1,,,,,,,\n\na,2,,,,,,,\n", "line 4: column id: job 'a' occurs twice, as on line 2"),
    (HEAD + "a,1,,,,,,,\nb,2,,\n", "line 3: the row has 4 fields, the header 9"),
    (HEAD + 'a,1,,,"x,,,,\nb,2,,,,,,,\n', "not valid CSV: unexpected end of data (is a quote open?)"),
    (HEAD + "a,2024-01-01,,,,,,,\nb,5,,,,,,,\n", "line 3: column submit: is '5', and the first row has a date (dates or numbers"),
    (HEAD + "a,5,,,,,,,\nb,2024-01-01,,,,,,,\n", "line 3: column submit: is a date, and the first row has a number"),
    (HEAD + "a,0001-01-01,,,,,,,\nb,2024-01-01,,,,,,,\n", "the dates are more than a hundred years apart"),
    ("submit,memory\n1,1.5\n", "line 2: column memory: must be a whole number, found '1.5' (a unit can be given with the mapping"),
    ("submit,resources\n1,vcore\n", "line 2: column resources: 'vcore' is no amount of a resource"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[said[:60] for _, said in WRONG])
def test_what_is_wrong_is_told_with_line_and_column(tmp_path, text, said):
    with pytest.raises(WorkloadError) as told:
        jobs_of(tmp_path, text)
    assert str(told.value).startswith(str(tmp_path / "jobs.csv"))
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("map", "said"),
    [
        ("submit", "'submit' maps nothing (write submit=COLUMN"),
        ("submit=a,submit=b", "'submit' is mapped twice"),
        ("submit=when", "there is no column 'when' (the columns are time, cpus)"),
        ("submit=tim", "there is no column 'tim' (did you mean time? the columns are time, cpus)"),
        ("submit=time:weeks", "there is no unit 'weeks' for submit (there are ns, us, ms, s, sec, min, h, d)"),
        ("submit=time,vcore=cpus:GiB", "there is no unit 'GiB' for vcore (there are m, cores)"),
        ("submit=time,user=cpus:s", "user has no unit, found 's'"),
    ],
)
def test_a_mapping_that_makes_no_sense_is_told(tmp_path, map, said):
    path = table(tmp_path, "time,cpus\n1,2\n")
    with pytest.raises(WorkloadError) as told:
        read(path, "table", map=map)
    assert said in str(told.value)


def test_an_unknown_delimiter_is_told(tmp_path):
    with pytest.raises(CommandError, match="there is no delimiter 'pipe'; there are comma, semicolon, tab"):
        read(table(tmp_path, FULL), delimiter="pipe")


def test_rows_that_cannot_be_read_are_left_out_counted_and_said_where_that_is_wanted(tmp_path):
    text = HEAD + 'a,1,1,1,1,,,,\nb,-1,,,,,,,\nc,2,,\nd,3,1,1,1,,,b;a,\ne,"x"y,,,,,,,\nf,4,1,1,1,,,,\n'
    workload = read(table(tmp_path, text), keep_going=True)

    assert [(job.id, job.after) for job in workload.jobs] == [("a", ()), ("d", ("a",)), ("f", ())]
    assert workload.notes == (
        "1 job waits for jobs that are not here; it is as if these had ended.",
        "3 rows could not be read and were left out: line 3: column submit: is negative: '-1'; "
        "line 4: the row has 4 fields, the header 9; line 6: not valid CSV: ',' expected after '\"'.",
    )


def test_of_a_file_that_is_cut_off_what_is_there_is_offered(tmp_path):
    rows = "".join(f"{each},{each * 7919 % 10_007},1\n" for each in range(20_000))
    path = table(tmp_path, gzip.compress(("submit,duration,vcore\n" + rows).encode())[:40_000], "jobs.csv.gz")

    with pytest.raises(WorkloadError, match="the packed file ends in the midst"):
        read(path)
    workload = read(path, keep_going=True)
    assert 1000 < len(workload.jobs) < 20_000
    assert "1 row could not be read and was left out: line" in workload.notes[-1]


def test_rows_may_stand_in_any_order(tmp_path):
    assert [job.id for job in jobs_of(tmp_path, "id,submit,vcore\nb,5,1\na,1,1\nc,5,1\n")] == ["a", "b", "c"]


def test_only_the_first_jobs_can_be_taken_and_it_is_said(tmp_path):
    path = table(tmp_path, "submit,vcore,duration\n5,1,1\n1,1,1\n2,1,1\n")
    assert [job.id for job in read(path, first=2).jobs] == ["job-000002", "job-000001"]
    assert read(path, first=2).notes == ("Only the first 2 jobs were taken.",)
    assert read(path, first=3).notes == ()


def test_a_table_of_too_many_jobs_is_an_error_that_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(table_rows, "MOST_JOBS", 3)
    path = table(tmp_path, "submit,vcore\n" + "1,1\n" * 5)
    with pytest.raises(WorkloadError, match="line 5: there are more than 3 jobs .take only the first, such as the first 3"):
        read(path)
    assert len(read(path, first=3).jobs) == 3


def test_memory_follows_the_jobs_that_are_kept_and_not_the_file(tmp_path):
    path = table(tmp_path, gzip.compress(b"submit,vcore,comment\n" + (b"1,1," + b"x" * 5000 + b"\n") * 4_000), "long.csv.gz")
    tracemalloc.start()
    assert len(read(path, first=100).jobs) == 100
    assert len(read(path).jobs) == 4000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * 2**20  # the file has twenty


def test_jobs_that_ask_for_the_same_share_what_they_ask_for(tmp_path):
    one, other = jobs_of(tmp_path, "submit,vcore,user\n1,1,somebody\n2,1,somebody\n")
    assert one.tasks[0].resource is other.tasks[0].resource and one.user is other.user


# -- written -----------------------------------------------------------------------------------------------------------

plain = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=6)


@st.composite
def sayable(draw):
    """A workload of which a table can say all."""
    ids = draw(st.lists(plain, max_size=5, unique=True))
    times = sorted(draw(st.lists(st.integers(0, 10**12 - 1), min_size=len(ids), max_size=len(ids))))
    jobs = []
    for id, at in zip(ids, times):
        gang = draw(st.sampled_from([None, Gang(), Gang(style="Hard")]))
        count = draw(st.integers(1, 3))
        duration = st.none() | st.integers(0, 10**12)
        several = st.lists(duration, min_size=count, max_size=count).map(tuple) if count > 1 else st.nothing()
        amounts = draw(st.dictionaries(st.sampled_from(["vcore", "memory", "nvidia.com/gpu"]), st.integers(0, 2**60)))
        task = Tasks(resource=Resource(amounts), count=count, name="tasks" if gang else "", duration_ms=draw(duration | several))
        jobs.append(
            Job(
                id=id,
                submit_ms=at,
                tasks=(task,),
                user=draw(st.just("") | plain),
                groups=tuple(draw(st.lists(plain, max_size=2))),
                queue=draw(st.just("") | plain),
                tags=draw(st.dictionaries(plain, st.just("") | plain, max_size=2)),
                kind=draw(st.just("") | plain),
                priority=draw(st.integers(-(2**31), 2**31 - 1)),
                gang=gang,
                after=tuple(draw(st.lists(st.sampled_from(ids[: len(jobs)]), max_size=2, unique=True))) if jobs else (),
            )
        )
    return Workload(jobs=tuple(jobs))


@examples(25)
@given(sayable())
def test_what_a_table_can_say_reads_back_equal(tmp_path_factory, workload):
    written = as_csv(workload)
    path = tmp_path_factory.getbasetemp() / "law.csv"
    path.write_text(written.text, encoding="utf-8", newline="")
    assert written.notes == ()
    assert read_table(path).workload.jobs == workload.jobs


@examples(20)
@given(workloads())
def test_what_a_table_cannot_say_is_told_and_the_tasks_are_all_there(tmp_path_factory, workload):
    written = as_csv(workload)
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text(written.text, encoding="utf-8", newline="")
    try:
        back = read_table(path).workload
    except WorkloadError as error:  # ids that are blank or equal once blanks around them are gone
        assert any(job.id != job.id.strip() or not job.id.isprintable() for job in workload.jobs), error
        return
    check_workload(back)
    assert sum(job.size for job in back.jobs) == sum(job.size for job in workload.jobs)


def test_what_is_lost_in_a_table_is_said():
    job = Job(
        id="a",
        submit_ms=0,
        groups=("x;y",),
        gang=Gang(timeout_ms=5),
        tasks=(Tasks(name="w", resource=Resource(vcore=1), tolerations=("t",)), Tasks(name="d", resource=Resource({"a=b": 1}))),
    )
    written = as_csv(Workload(jobs=(job,), pools=(Pool(name="n", capacity=Resource(vcore=1)),)))
    assert written.text == "id,submit,duration,resources,gang\na/w,0,,vcore=1m,Soft\na/d,0,,,Soft\n"
    assert written.notes == (
        "A table has jobs only: nodes, what happens to them, restarts and the times of the record are left out.",
        "Several kinds of tasks, of which each is written as a job of its own: 1 job.",
        "Where tasks may run, and who may stop them, left out: 1 job.",
        "Names with ; or = in them, or with blanks around them, left out: 2 jobs.",
        "Resources whose names a table cannot say, left out: 1 job.",
        "The time-out of a gang, left out: 2 jobs.",
    )


# -- data frames -------------------------------------------------------------------------------------------------------

CELLS = {
    "submit": [0, 60.5],
    "duration": [timedelta(minutes=5), None],
    "user": ["ann", None],
    "groups": [["dev", "ops"], None],
    "count": [3, 1],
    "vcore": [0.5, 2.0],
}
IN_FRAME = (
    Job(
        id="job-000001",
        submit_ms=0,
        user="ann",
        groups=("dev", "ops"),
        tasks=(Tasks(resource=Resource(vcore=500), count=3, duration_ms=300_000),),
    ),
    Job(id="job-000002", submit_ms=60_500, tasks=(Tasks(resource=Resource(vcore=2000)),)),
)


@pytest.mark.parametrize("make", [pandas.DataFrame, pyarrow.table], ids=["pandas", "pyarrow"])
def test_a_frame_of_any_library_is_a_table(make):
    workload = from_frame(make(CELLS), name="monday")
    assert workload.jobs == IN_FRAME
    assert workload.name == "monday"


def test_dates_in_a_frame_are_counted_from_the_first():
    dates = [datetime(2024, 3, 4, 10, 0, 1, tzinfo=UTC), datetime(2024, 3, 4, 10, tzinfo=UTC)]
    workload = from_frame(pandas.DataFrame({"when": dates, "cpus": [1, 2]}), map={"submit": "when", "vcore": "cpus"})
    assert (workload.zero, [job.submit_ms for job in workload.jobs]) == ("2024-03-04T10:00:00Z", [0, 1000])


def test_what_is_wrong_in_a_frame_is_told_with_its_row():
    frame = pandas.DataFrame({"submit": [0, -1], "vcore": [1, 1]})
    with pytest.raises(WorkloadError, match="monday: row 2: column submit: is negative: '-1'"):
        from_frame(frame, name="monday")
    assert "1 row could not be read and was left out: row 2: column submit" in from_frame(frame, keep_going=True).notes[-1]
    with pytest.raises(WorkloadError, match="this is no data frame"):
        from_frame([1, 2])
