"""A scheduler that runs, asked over its REST interface: what is asked, what comes of it, and what happens if it answers badly."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from loopback import sends, serving

import workbench as wb
from workbench.cli import main
from workbench.importers.opening import opened
from workbench.importers.rest import import_rest
from workbench.importers.rest_answers import asked
from workbench.importers.rest_client import RestError, client
from workbench.values.errors import CommandError, ScenarioError

SAVED = Path(__file__).parent / "rest"
API, BELOW = "/ws/v1", "/ws/v1/partition/default"
ACTIVE = f"{BELOW}/applications/active"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def answers():
    """What the scheduler of the saved answers would say."""
    return {
        f"{API}/partitions": '[{"name": "default"}]',
        f"{API}/config": (SAVED / "config.yaml").read_text(),
        f"{BELOW}/queues": (SAVED / "queues.json").read_text(),
        f"{BELOW}/nodes": (SAVED / "nodes.json").read_text(),
        ACTIVE: (SAVED / "applications.json").read_text(),
    }


def test_a_live_scheduler_is_what_its_saved_answers_are(answers):
    with serving(answers) as service:
        live = import_rest(service.url)
        assert {method for method, _ in service.asked} == {"GET"}
        assert service.paths == list(answers)
    folder = import_rest(str(SAVED))
    assert (live.scenario.events, live.scenario.config, live.notes) == (
        folder.scenario.events,
        folder.scenario.config,
        folder.notes,
    )
    assert not live.partial


@pytest.mark.parametrize("behind", ["", "/", "/ws/v1", "/ws/v1/"])
def test_the_address_may_have_the_path_of_the_interface_behind_it(answers, behind):
    with serving(answers) as service:
        assert import_rest(service.url + behind).queues


def test_a_service_may_lie_below_a_path(answers):
    with serving({f"/proxy/yunikorn{path}": text for path, text in answers.items()}) as service:
        assert import_rest(f"{service.url}/proxy/yunikorn").queues


def test_the_token_and_a_header_are_sent_and_not_told(answers, tmp_path):
    (tmp_path / "token").write_text("secret\n")
    with serving(answers) as service:
        import_rest(service.url, token_file=tmp_path / "token", header="X-Team: research")
        assert (service.headers["Authorization"], service.headers["X-Team"]) == ("Bearer secret", "research")
        assert "secret" not in repr(client(service.url, token="secret"))


def test_the_token_may_stand_in_the_address_as_a_server_prints_it(answers):
    with serving(answers) as service:
        import_rest(f"{service.url}/?token=secret")
        assert service.headers["Authorization"] == "Bearer secret"
        assert not any("secret" in path for path in service.paths)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://", "is no address"),
        ("http://host:port", "is no address"),
        ("http://ann:pw@host", "do not belong into an address"),
        ("http://host/?a=b", "has more behind it"),
        ("http://host/#x", "has more behind it"),
    ],
)
def test_what_is_no_address_is_told(url, told):
    with pytest.raises(CommandError, match=told) as refused:
        client(url)
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize("header", ["X-Team", ": x", "X Team: y", "X: a\r\nY: b"])
def test_what_is_no_header_is_told(header):
    with pytest.raises(CommandError, match="header"):
        import_rest("http://127.0.0.1:1", header=header)


def test_where_nobody_is_one_question_is_enough(tmp_path, capsys):
    with serving({}) as service:
        pass
    assert main(["import", "rest", service.url, "-o", str(tmp_path / "x.yaml")]) == 2
    assert f"{service.url} cannot be reached: " in capsys.readouterr().err
    assert not (tmp_path / "x.yaml").exists()


# ---- what cannot be had -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 500, 503])
def test_what_is_refused_is_told_and_the_rest_kept(answers, status, tmp_path, capsys):
    answers[ACTIVE] = answers[f"{BELOW}/queues"] = status
    with serving(answers) as service:
        assert main(["import", "rest", service.url, "-o", str(tmp_path / "x.yaml")]) == 1
    told = capsys.readouterr()
    assert f"not all of it: /partition/default/applications/active: the scheduler answers {status}." in told.err
    assert told.out.endswith("x.yaml: 2 nodes and 0 applications\n")


def test_without_a_configuration_the_queues_do(answers):
    answers[f"{API}/config"] = 404
    with serving(answers) as service:
        found = import_rest(service.url)
    assert found.partial and "everybody may submit" in " ".join(found.notes)
    assert set(found.queues) == {"web", "batch"}


def test_without_nodes_what_runs_is_left_out_and_what_waits_is_there(answers):
    answers[f"{BELOW}/nodes"] = 500
    with serving(answers) as service:
        found = import_rest(service.url)
    assert found.partial and "3 allocations on nodes that were not there when nodes were asked for are left out." in found.notes
    assert len(found.simulation()[0].waiting()) == 3


def test_without_queues_of_any_kind_there_is_nothing(answers):
    answers[f"{API}/config"] = answers[f"{BELOW}/queues"] = 404
    with serving(answers) as service, pytest.raises(RestError, match="neither configuration nor queues are to be had"):
        import_rest(service.url)


def test_an_older_service_is_asked_queue_by_queue(answers):
    everything = json.loads(answers.pop(ACTIVE))
    for queue in ("root.prod", "root.dev.team-a"):
        found = [each for each in everything if each["queueName"] == queue]
        answers[f"{BELOW}/queue/{queue}/applications"] = json.dumps(found) if found else "null"
    with serving(answers) as service:
        found = import_rest(service.url)
        assert service.paths[-1].startswith(f"{BELOW}/queue/")
    assert set(found.queues) == {"web", "batch"}


def test_other_partitions_are_told(answers):
    answers[f"{API}/partitions"] = '[{"name": "default"}, {"name": "gpu"}]'
    with serving(answers) as service:
        assert "1 other partition is left out: gpu." in import_rest(service.url).notes


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_not_let_in_is_told_of_tokens(answers, status):
    with serving(dict.fromkeys(answers, status)) as service, pytest.raises(RestError, match=f"refuses with {status}; give a token"):
        import_rest(service.url)


@pytest.mark.parametrize("text", ["<html>Sign in</html>", "{", "[" * 100_000, b"\xff\xfe\xfd"])
def test_garbage_is_told_as_an_answer_that_is_none(answers, text):
    answers[f"{BELOW}/nodes"] = text
    with serving(answers) as service:
        found = import_rest(service.url)
    assert found.partial
    assert any("nodes could not be asked: /partition/default/nodes: the answer is no JSON" in each for each in found.notes)


@pytest.mark.parametrize("text", ['[{"nodeID": 5}]', '[{"nodeID": "n"}]', '{"status_code": 500, "message": "x"}'])
def test_json_that_is_no_node_is_an_error_with_the_place(answers, text):
    answers[f"{BELOW}/nodes"] = text
    with serving(answers) as service, pytest.raises(ScenarioError, match="/partition/default/nodes"):
        import_rest(service.url)


def test_an_answer_that_is_too_long_is_given_up(answers):
    with serving({f"{API}/config": "x" * 1000}) as service:
        small = client(service.url)
        limited = type(small)(small.base, most_bytes=100)
        with pytest.raises(RestError, match="the answer is larger than 100 bytes"):
            limited.get("/config")


def test_an_answer_that_takes_too_long_is_given_up(answers):
    ticks = iter(range(0, 1000, 20))
    with serving({f"{API}/config": "x" * 10}) as service:
        with pytest.raises(RestError, match="not whole after 30 s; --timeout gives it more"):
            type(client(service.url))(service.url, clock=lambda: float(next(ticks) * 2)).get("/config")


def test_a_service_that_says_nothing_is_given_up(answers):
    done = threading.Event()
    with serving({f"{API}/config": lambda request: done.wait() and None}) as service:
        try:
            with pytest.raises(RestError, match="there is no answer within 0.05 s"):
                client(service.url, seconds=0.05).get("/config")
        finally:
            done.set()


def test_an_answer_that_breaks_off_is_told(answers):
    answers[f"{BELOW}/nodes"] = sends(200, {"Content-Length": "1000"}, b"[")
    with serving(answers) as service:
        found = import_rest(service.url)
    assert found.partial and any("the answer broke off" in each for each in found.notes)


# ---- redirections -------------------------------------------------------------------------------------------------------


def test_a_redirection_within_the_service_is_followed(answers):
    answers["/elsewhere"] = answers[f"{BELOW}/nodes"]
    answers[f"{BELOW}/nodes"] = sends(301, {"Location": "/elsewhere", "Content-Length": "0"})
    with serving(answers) as service:
        assert not import_rest(service.url).partial


@pytest.mark.parametrize(
    "there", ["http://127.0.0.1:1/", "https://{host}/", "http://localhost/", "file:///etc/hostname", "ftp://{host}/"]
)
def test_a_redirection_to_another_service_is_refused(answers, there):
    with serving(answers) as service:
        location = there.format(host=service.url.removeprefix("http://"))
        service.answers[f"{BELOW}/nodes"] = sends(302, {"Location": location, "Content-Length": "0"})
        found = import_rest(service.url)
    assert found.partial and any("which is not followed" in each for each in found.notes)


def test_a_redirection_in_a_circle_ends(answers):
    answers[f"{BELOW}/nodes"] = sends(302, {"Location": f"{BELOW}/nodes", "Content-Length": "0"})
    with serving(answers) as service:
        assert import_rest(service.url).partial
        assert service.paths.count(f"{BELOW}/nodes") < 10


# ---- who uses it --------------------------------------------------------------------------------------------------------


def test_the_answers_are_kept_where_it_is_wished_and_tell_the_same_again(answers, tmp_path):
    with serving(answers) as service:
        live = import_rest(service.url, save=tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["applications.json", "config.yaml", "nodes.json", "queues.json"]
    assert opened(tmp_path).imported.scenario.events == live.scenario.events


def test_what_came_is_kept_even_if_it_makes_no_sense(answers, tmp_path):
    answers[f"{BELOW}/nodes"] = '[{"nodeID": 5}]'
    with serving(answers) as service, pytest.raises(ScenarioError):
        import_rest(service.url, save=tmp_path)
    assert (tmp_path / "nodes.json").read_text() == '[{"nodeID": 5}]'


def test_a_folder_that_is_not_there_is_told_before_anything_is_asked(answers, tmp_path):
    with serving(answers) as service, pytest.raises(CommandError, match="there is no folder"):
        import_rest(service.url, save=tmp_path / "nothing")
    assert not service.asked


def test_the_bench_opens_an_address(answers):
    with serving(answers) as service:
        bench = wb.Workbench.open(service.url)
    assert set(bench.partition.applications) == {"web", "batch"}
    assert "How long requests and allocations are there is counted from now on." in bench.status.text


def test_it_is_told_how_far_the_questions_are(answers):
    told = []
    with serving(answers) as service:
        asked(client(service.url), lambda share, words: told.append((share, words)))
    assert [share for share, _ in told] == sorted(share for share, _ in told) and told[-1][1] == "asking for applications"
