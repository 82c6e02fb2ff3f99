"""A rule, predicate, protection, importer, picture or check that is registered from outside works in engine and workbench."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import plotly.graph_objects as go
import pytest
from happened import Happened
from scenes import Scene, config_text

import workbench as wb
from workbench.advice import Lint, finding, register_check
from workbench.advice.added import ADDED_CHECKS
from workbench.bench.pictures import PICTURES, PictureKind, register_picture
from workbench.cli import main
from workbench.config import load_config, vocabulary
from workbench.importers.imported import Imported
from workbench.importers.registry import IMPORTERS, Importer, Option, import_from, register_importer
from workbench.measures import MEASURES, Measure, register_measure
from workbench.scheduler.placement import filters, rules
from workbench.scheduler.policies import predicates
from workbench.scheduler.preemption import quota
from workbench.scheduler.preemption.protections import PROTECTIONS, register_protection
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import Resource


@pytest.fixture(autouse=True)
def registries_as_before() -> Iterator[None]:
    """What a test registers is gone after it."""
    names = list(vocabulary.FILTER_TYPES)
    tables = [
        filters.FILTER_TYPES,
        ADDED_CHECKS,
        PICTURES,
        IMPORTERS,
        MEASURES,
        PROTECTIONS,
        rules.KINDS,
        predicates.PREDICATES,
        predicates._READS,
    ]
    kept = [dict(table) for table in tables]
    yield
    for table, before in zip(tables, kept):
        table.clear()
        table.update(before)
    vocabulary.FILTER_TYPES[:] = names


def test_a_placement_rule_places_and_is_told():
    @rules.register("nightly", "tag of the night", dots="levels")
    def nightly(rule, asked):
        return ("root.night",) if asked.tags.get("when") == "night" else ()

    scene = Scene("night: {}\nday: {}", placementrules=[{"name": "nightly"}, {"name": "provided"}])
    scene.app("x", "root.day", tags={"when": "night"}).app("y", "root.day")
    assert [scene.application(name).queue.path for name in ("x", "y")] == ["root.night", "root.day"]
    bench = wb.Workbench.from_yaml(config_text("night: {}\nday: {}", placementrules=[{"name": "nightly"}, {"name": "provided"}]))
    bench.simulation.submit("x", queue="root.day", tags={"when": "night"})
    assert "nightly" in str(bench.table("placements"))


def test_a_type_of_placement_filter_lets_pass_whom_it_says():
    filters.register_filter_type("both", lambda users, groups, user, of: users.match(user) and any(map(groups.match, of)))
    rule = {"name": "fixed", "value": "root.a", "filter": {"type": "both", "users": ["sue"], "groups": ["dev"]}}
    text = config_text("a: {}\nb: {}", placementrules=[rule, {"name": "fixed", "value": "root.b"}])
    bench = wb.Workbench.from_yaml(text)
    for name, user, groups in (("x", "sue", ("dev",)), ("y", "sue", ("ops",)), ("z", "bob", ("dev",))):
        bench.simulation.submit(name, queue="root.b", user=user, groups=groups)
    placed = {app.id: app.queue.path for app in bench.partition.applications.values()}
    assert placed == {"x": "root.a", "y": "root.b", "z": "root.b"}
    with pytest.raises(ConfigError, match="invalid rule filter type Both.*added were both"):
        load_config(text.replace("both", "Both"))
    with pytest.raises(CommandError, match="taken"):
        filters.register_filter_type("deny", lambda *_: True)


def test_a_predicate_keeps_asks_off_nodes_and_says_why():
    @predicates.register_predicate("even nodes")
    def even_nodes(node, ask):
        return None if int(node.id[-1]) % 2 == 0 else "node(s) were odd"

    bench = wb.Workbench.from_yaml(config_text())
    bench.add_node("n1", {"vcore": "4"})
    bench.add_request("x", "k", {"vcore": "1"}, queue="root.a")
    assert "node(s) were odd" in str(bench.why_not("k"))
    bench.add_node("n2", {"vcore": "4"})
    assert bench.simulation.step().node_id == "n2"


PREEMPTING = "a: {guaranteed: {vcore: 2}, preemption.delay: 1s}\nb: {}"


def preempts() -> Scene:
    scene = Scene(PREEMPTING, confirm=False).node("n1", vcore=2)
    return scene.runs("mine", "root.b", 2).wants("x", "root.a")


def test_a_protection_keeps_victims_and_says_why():
    decision = preempts().later(2)
    assert decision.preemptions[-1][1].succeeded
    register_protection("mine stays", lambda victim, ask: victim.application_id == "mine", words="Nothing of mine is stopped.")
    decision = preempts().later(2)
    attempt = decision.preemptions[-1][1]
    assert not attempt.succeeded
    assert {each.refusal.code for each in attempt.verdicts} == {"X-01", "X-30"}
    assert "Nothing of mine is stopped." in {wb.explain.refusals.reason(each.refusal) for each in attempt.verdicts}


def test_a_protection_holds_on_a_required_node_too():
    def victims():
        scene = (
            Scene("b: {}\nd: {}").node("n1", vcore=4).node("n2", vcore=9).drain("n2").runs("mine", "root.b", 4).app("d", "root.d")
        )
        scene.ask("d", "daemon", required="n1").cycle()
        return scene.cycle().victims

    assert victims() == ("mine-3",)
    register_protection("mine stays", lambda victim, ask: victim.application_id == "mine", words="Nothing of mine is stopped.")
    assert victims() == ()


def test_a_protection_holds_for_a_quota_too():
    leaf = preempts().queue("root.b")
    assert [each.key for each in quota.victims(leaf, Resource(vcore=1000))] == ["mine-1"]
    register_protection("mine stays", lambda victim, ask: ask is None, words="Nothing is stopped for a quota.")
    assert quota.victims(leaf, Resource(vcore=1000)) == []


def one_node(name: str, queue: str | None) -> Imported:
    return Imported(
        Scenario(config=config_text(f"{queue or 'a'}: {{}}"), name=name, description=f"One queue of {name}."), ("A note.",)
    )


ONE_NODE = Importer(
    "a trace for tests",
    "Makes one queue.",
    (Option("name", "its name", required=True), Option("queue", "its queue", metavar="QUEUE")),
    one_node,
)


def test_an_importer_is_a_subcommand_and_a_call(tmp_path, capsys):
    register_importer("one", ONE_NODE)
    assert main(["import", "one", "short", "--queue", "b", "-o", str(tmp_path / "made.yaml")]) == 0
    told = capsys.readouterr()
    assert "One queue of short." in told.out and told.err == "note: A note.\n"
    bench = wb.Workbench.from_scenario(str(tmp_path / "made.yaml"))
    assert list(bench.partition.root.children) == ["b"]
    assert list(wb.Workbench.from_scenario(import_from("one", name="n").scenario).partition.root.children) == ["a"]


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, "needs name"), ({"name": "n", "size": 3}, "has no option 'size'"), (None, "there is no importer 'two'")],
)
def test_what_an_importer_lacks_is_told(options, told):
    register_importer("one", ONE_NODE)
    with pytest.raises(CommandError, match=told):
        import_from("two") if options is None else import_from("one", **options)


def test_a_picture_has_a_tab_a_name_and_a_place_in_the_report(tmp_path):
    class Rows:
        sentence = "A picture of nothing"

    def figure(rows, theme="light", *, width=0, height=0, titled=True, **options):
        return go.Figure(layout={"meta": {"sentence": rows.sentence}})

    register_picture("nothing", PictureKind("Nothing at all", ("partition",), lambda partition: Rows(), figure))
    bench = wb.Workbench.from_yaml(config_text())
    assert bench.figure("nothing").layout.meta["sentence"] == "A picture of nothing"
    bench.report(str(tmp_path / "report.html"))
    assert "A picture of nothing" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_check_is_told_with_its_own_words():
    @dataclass(frozen=True)
    class ShortName(Lint):
        code = "Z-01"
        severity = "hint"
        assumption = "This assumes that people read names."
        length: int

        def sentence(self, where):
            return f"{where} has a name of {self.length} letter."

    def short_names(design, partition, cluster):
        for queue in design.queues.values():
            name = queue.path.rpartition(".")[2]
            if len(name) < 2:
                yield finding(design, queue, "", ShortName(len(name)))

    register_check("short names", short_names)
    bench = wb.Workbench.from_yaml(config_text("a: {}\nlong: {}"))
    assert "root.a has a name of 1 letter." in [check.text for check in wb.checks(bench.simulation.config)]
    assert "root.a has a name of 1 letter. This assumes that people read names." in " ".join(str(bench.check()).split())
    (told,) = [check for check in wb.checks(bench.simulation.config) if isinstance(check.lint, ShortName)]
    assert (told.code, told.severity, told.path, told.lint.length) == ("Z-01", "hint", "root.a", 1) and told.line


def test_a_measure_is_in_the_table_of_a_run_with_its_title_and_unit():
    def nights(reading, scope):
        return sum(job >= 0 for job in reading.scopes.jobs(scope))

    register_measure("nights", Measure("jobs by night", "jobs", "neither", nights))
    run = Happened("a: {}", until=10).job("x")
    run.attempt("x", arrives=0, starts=0)
    assert run.table().show("nights", "root.a") == "1 job"
    assert "jobs by night" in {row.title for row in run.table().rows()}


@pytest.mark.parametrize(
    "again",
    [
        lambda: register_measure("wait.mean", MEASURES["wait.mean"]),
        lambda: register_importer("one", ONE_NODE) and register_importer("one", ONE_NODE),
        lambda: register_picture("slope", PICTURES["slope"]),
    ],
    ids=["measure", "importer", "picture"],
)
def test_a_name_is_given_once(again):
    with pytest.raises(CommandError, match="already; the names taken are"):
        again()
