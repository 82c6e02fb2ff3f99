"""`bench.serve()` and `wb.serve()`: the very simulation that is on the screen, in the loop of the notebook or beside a script."""

from __future__ import annotations

import asyncio
import gc
import json
import threading

import pytest
from server.asking import Client
from tornado.httpclient import AsyncHTTPClient

import workbench as wb
from workbench import CommandError, Workbench
from workbench.bench import shown
from workbench.bench.work import Progress


@pytest.fixture
def bench():
    made = Workbench.example("multitenancy")
    yield made
    if made.server is not None:
        made.server.stop()


def test_what_is_done_over_http_is_seen_on_the_screen_and_the_other_way_round(bench):
    seen = []
    client = Client(bench.serve())
    bench.on_change(lambda: seen.append(bench.simulation.position))
    client.post("step")
    assert (bench.simulation.position, seen) == (1, [1])
    assert bench.calls[-1] == "bench.step()"
    bench.step()
    assert client.state()["step"] == 2
    bench.set("root.tenants", "priority.policy", None)
    client.post("undo")
    assert bench.config == Workbench.example("multitenancy").config


def test_in_a_running_loop_it_is_that_loop_that_serves(bench):
    async def in_a_notebook():
        server = bench.serve()
        asking = AsyncHTTPClient()
        headers = {"Authorization": f"Bearer {server.token}"}
        told = await asking.fetch(server.address + "workbench/v1/step", method="POST", body="", headers=headers)
        assert json.loads(told.body)["step"] == bench.simulation.position == 1
        long = await asking.fetch(server.address + "workbench/v1/run", method="POST", body="", headers=headers)
        assert json.loads(long.body)["step"] == bench.simulation.position > 3
        assert "workbench-server" not in {each.name for each in threading.enumerate()}
        server.stop()
        with pytest.raises(OSError):
            await asking.fetch(server.address, headers=headers)

    asyncio.run(in_a_notebook())
    assert not bench.server.running
    bench.step()  # nobody listens any more, and nobody is missed


def test_a_loop_that_has_ended_took_the_server_with_it_and_another_can_be_started(bench):
    async def in_a_notebook():
        return bench.serve()

    first = asyncio.run(in_a_notebook())
    bench.step()
    assert not first.running
    assert Client(bench.serve()).state()["step"] == 1


def test_it_is_served_once_however_often_it_is_asked_for(bench):
    server = bench.serve()
    assert bench.serve() is server and bench.serve(server.port) is server
    with pytest.raises(CommandError, match="is served at .* already; stop that server first"):
        bench.serve(no_token=True)
    with pytest.raises(CommandError, match="already"):
        bench.serve(server.port - 1)
    server.stop()
    again = bench.serve()
    assert again is not server and again.running


def test_it_tells_where_it_is_in_text_and_the_status_line_keeps_the_token_to_itself(bench):
    server = bench.serve()
    assert repr(server).startswith(f"Served at {server.url}\n")
    assert server.url == f"{server.address}?token={server.token}"
    assert bench.status.text == f"Served at {server.address}" and server.token not in " ".join(bench.calls)


@pytest.mark.parametrize(
    "options, told",
    [
        ({"port": 70_000}, "is no port"),
        ({"port": -1}, "is no port"),
        ({"port": "80"}, "port must be a whole number"),
        ({"nonsense": 1}, "a server has no option 'nonsense'; the options are"),
        ({"ui": "nowhere"}, "holds no index.html"),
        ({"host": "0.0.0.0", "no_token": True}, "leave --no-token out"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_served(bench, options, told):
    with pytest.raises(CommandError, match=told):
        bench.serve(**options)
    assert bench.server is None and bench.status.is_error


def test_a_verb_that_fails_later_leaves_the_server_running(bench):
    server = bench.serve()
    with pytest.raises(CommandError):
        bench.goto(1000)
    assert bench.server is server and Client(server).state()["step"] == 0


def test_what_a_verb_looks_ahead_at_is_seen_by_nobody(bench):
    client, stop, seen = Client(bench.serve()), threading.Event(), set()

    def ask():
        while not stop.is_set():
            seen.add(client.get("/ws/v1/partition/default/queues").body)

    asking = threading.Thread(target=ask)
    asking.start()
    for _ in range(30):
        bench.why()
        bench.table("pending")
        repr(bench)
    stop.set()
    asking.join()
    assert seen == {client.get("/ws/v1/partition/default/queues").body}


def test_without_a_name_the_workbench_on_the_screen_is_served(bench, monkeypatch):
    monkeypatch.setattr(shown, "_last", [])
    with pytest.raises(CommandError, match="no workbench is on the screen"):
        wb.serve()
    bench._repr_mimebundle_()
    assert wb.serve() is bench.server
    assert wb.serve(bench) is bench.server
    with pytest.raises(CommandError, match="what is served is a workbench, not"):
        wb.serve(bench.simulation)


def test_a_workbench_that_is_gone_is_not_on_the_screen_any_more(monkeypatch):
    monkeypatch.setattr(shown, "_last", [])
    shown.note(Workbench.example("two-tenants"))
    gc.collect()
    with pytest.raises(CommandError, match="no workbench is on the screen"):
        wb.serve()


def test_what_a_long_verb_failed_with_is_told_once_and_not_of_the_next_one(bench):
    def fails():
        yield Progress("on the way", pause=0.001)
        raise CommandError("in the midst")

    def is_short():
        return None
        yield

    async def in_a_notebook():
        bench.player.start(fails())
        with pytest.raises(CommandError, match="in the midst"):
            await bench.player.ended()
        bench.player.start(is_short())
        await bench.player.ended()

    asyncio.run(in_a_notebook())
