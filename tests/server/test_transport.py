"""How requests are taken: garbage, half of them, too much, the wrong ones. Whatever comes, the next one is answered."""

from __future__ import annotations

import gzip
import logging
import socket
import threading

import pytest

from workbench import Workbench
from workbench.rest import answer
from workbench.server.limits import Limits
from workbench.server.server import Options, Server
from workbench.values.errors import CommandError

CLUSTERS = "/ws/v1/clusters"


def lives(client) -> bool:
    return client.get(CLUSTERS).status == 200


# -- what is asked ------------------------------------------------------------------------------------------------------


def test_the_scheduler_s_own_addresses_are_answered_as_the_scheduler_does(client):
    reply = client.get("/ws/v1/partitions")
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert [each["name"] for each in reply.document] == ["default"]


def test_an_address_that_is_not_there_another_method_and_a_slash_too_many_are_told_as_by_the_core(client):
    assert (client.get("/ws/v1/nothing").status, client.get("/ws/v1/nothing").body) == (404, b"404")
    wrong = client.ask("DELETE", CLUSTERS)
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, OPTIONS")
    moved = client.get(CLUSTERS + "/")
    assert (moved.status, moved.headers["Location"]) == (301, CLUSTERS)


def test_a_query_and_an_escaped_name_reach_the_answer_as_they_were_sent(serving):
    asked = []

    def answering(source, method, path, body, headers):
        asked.append((method, path, body))
        return answer(source, "GET", "/ws/v1/clusters", b"", {})

    client = serving(answering=answering)
    client.get(f"/ws/v1/partition/a%2Fb/queue/r?subtree&token={client.server.token}&x=%20")
    client.ask("POST", "/ws/v1/validate-conf", b"\xff\x00")
    assert asked == [
        ("GET", "/ws/v1/partition/a%2Fb/queue/r?subtree&x=%20", b""),
        ("POST", "/ws/v1/validate-conf", b"\xff\x00"),
    ]


def test_no_page_of_another_server_can_read_an_answer_unless_it_was_allowed(serving):
    closed, opened = serving(), serving(allow_origins=("http://localhost:4200",))
    asked = {"Origin": "http://localhost:4200"}
    assert closed.get(CLUSTERS, **asked).headers["Access-Control-Allow-Origin"] is None
    assert opened.get(CLUSTERS, **asked).headers["Access-Control-Allow-Origin"] == "http://localhost:4200"
    assert opened.get(CLUSTERS, Origin="http://evil.example").headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize("release, packed", [("1.9", "gzip"), ("1.8", None)])
def test_a_long_answer_of_release_1_9_is_packed_for_who_can_unpack_it(serving, release, packed):
    bench = Workbench.example("multitenancy")
    bench.release(release)
    client = serving(bench)
    path = "/ws/v1/partition/default/queues"
    plain, asked = client.get(path), client.get(path, Accept_Encoding="gzip")
    assert plain.headers["Content-Encoding"] is None and len(plain.body) > 1400
    assert asked.headers["Content-Encoding"] == packed
    assert (gzip.decompress(asked.body) if packed else asked.body) == plain.body


def test_an_answer_is_made_once_as_long_as_nothing_happens(serving):
    made = []

    def answering(source, method, path, body, headers):
        made.append(path)
        return answer(source, method, path, body, headers)

    client = serving(answering=answering)
    for _ in range(3):
        client.get(CLUSTERS)
        client.get("/ws/v1/partitions")
    assert made == [CLUSTERS, "/ws/v1/partitions"]
    client.post("step")
    client.get(CLUSTERS)
    assert made == [CLUSTERS, "/ws/v1/partitions", CLUSTERS]


def test_while_a_long_text_is_judged_others_are_answered(serving):
    begun, go_on = threading.Event(), threading.Event()

    def answering(source, method, path, body, headers):
        if method == "POST":
            begun.set()
            assert go_on.wait(60)
        return answer(source, method, path, body, headers)

    client = serving(answering=answering)
    judged: list[int] = []
    judging = threading.Thread(target=lambda: judged.append(client.ask("POST", "/ws/v1/validate-conf", "#" * 30_000).status))
    judging.start()
    assert begun.wait(60)
    assert client.get(CLUSTERS).status == client.post("step").status == 200
    assert not judged
    go_on.set()
    judging.join()
    assert judged == [200]


def test_what_is_kept_of_answers_is_bounded(serving):
    client = serving(limits=Limits(kept_answers=100))
    first = client.get("/ws/v1/partition/default/queues")
    assert client.get("/ws/v1/partition/default/queues").body == first.body


# -- who asks -----------------------------------------------------------------------------------------------------------


def test_nobody_without_the_token_learns_or_changes_anything(client):
    for path in (CLUSTERS, "/", "/workbench/v1/state", "/ws/v1/events/stream", "/anything", "/ws/v1/metrics"):
        refused = client.ask("GET", path, token="wrong")
        assert refused.status == 401 and "token" in refused.message
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert client.ask("POST", "/workbench/v1/step", token="wrong").status == 401
    assert client.state()["step"] == 0


def test_a_request_for_another_host_is_refused_even_with_the_token(client):
    assert client.get(CLUSTERS, Host="evil.example").status == 403
    assert client.raw(b"GET /ws/v1/clusters HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 403")
    assert lives(client)


def test_without_a_token_on_this_machine_a_page_still_changes_nothing(serving):
    client = serving(no_token=True)
    assert client.get(CLUSTERS).status == 200
    assert client.ask("POST", "/workbench/v1/step", Origin="http://evil.example").status == 403
    assert client.state()["step"] == 0


def test_without_a_token_only_this_machine_is_served():
    with pytest.raises(CommandError, match="leave --no-token out"):
        Server(Workbench.example("two-tenants"), Options(host="0.0.0.0", no_token=True))


def test_the_token_can_be_given_by_the_environment(monkeypatch, serving):
    monkeypatch.setenv("WORKBENCH_TOKEN", "of-the-environment")
    assert serving().server.token == "of-the-environment"
    monkeypatch.setenv("WORKBENCH_TOKEN", "with space;")
    with pytest.raises(CommandError, match="letters, digits"):
        serving()


def test_two_servers_have_two_tokens(serving):
    assert serving().server.token != serving().server.token


def test_a_page_opened_with_the_token_keeps_it_in_a_cookie_and_not_in_the_address(client):
    opened = client.ask("GET", f"/?token={client.server.token}", token="")
    assert (opened.status, opened.headers["Location"]) == (302, "/")
    cookie = opened.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert client.ask("GET", CLUSTERS, token="", Cookie=cookie.partition(";")[0]).status == 200
    assert client.ask("GET", f"//evil.example/?token={client.server.token}", token="").headers["Location"] in (
        None,
        "/evil.example/",
    )


# -- too much, too little, garbage --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\xff\xfe garbage \r\n\r\n",
        b"GET\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /ws/v1/clusters HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET /ws/v1/clusters HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n",
        b"POST /workbench/v1/step HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
        b"POST /workbench/v1/step HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /workbench/v1/step HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET " + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 50_000 + b"\r\n",
        b"GET /%ff%00%zz?%=%&& HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/ws/v1/clusters HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=lambda sent: sent[:40].decode("latin1"),
)
def test_garbage_is_refused_and_the_server_lives(client, sent):
    assert b" 200 " not in client.raw(sent, and_no_more=True).partition(b"\r\n")[0]
    assert lives(client)
    assert client.state()["step"] == 0


def authorized(client, line: str, *headers: str) -> bytes:
    lines = [line, "Host: localhost", f"Authorization: Bearer {client.server.token}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_half_a_request_changes_nothing(client):
    whole = authorized(client, "POST /workbench/v1/step HTTP/1.1", "Content-Length: 100")
    for sent in (whole[:20], whole[:-2], whole, whole + b"{"):
        assert client.raw(sent, and_no_more=True) == b""
    assert lives(client)
    assert client.state()["step"] == 0


def test_connections_that_are_opened_and_dropped_leave_nothing_behind(client):
    lives(client)
    before = len(client.server._http._connections)
    for number in range(300):
        with client.connected() as connection:
            if number % 2:
                connection.sendall(authorized(client, "GET /ws/v1/partition/default/queues HTTP/1.1"))
            if number % 3:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert lives(client)
    client.server._own.call(lambda: None)
    assert len(client.server._http._connections) <= before + 1


def test_who_sends_half_a_request_and_waits_is_sent_away(serving):
    client = serving(limits=Limits(idle_s=0.05, body_s=0.05))
    whole = authorized(client, "POST /workbench/v1/step HTTP/1.1", "Content-Length: 100")
    for sent in (whole[:20], whole, whole + b"{"):
        with client.connected() as connection:
            connection.sendall(sent)
            assert connection.recv(65536) == b""  # it is the server that ends the connection
    assert client.state()["step"] == 0


def test_a_body_that_is_too_long_is_refused_with_413_whether_its_length_was_told_or_not(serving):
    client = serving(limits=Limits(body=1000, thrown_away=100_000))
    for path in ("/ws/v1/validate-conf", "/workbench/v1/inputs"):
        refused = client.ask("POST", path, b"x" * 5000)
        assert refused.status == 413 and "1,000 bytes" in refused.message
    chunks = b"1000\r\n" + b"x" * 4096 + b"\r\n0\r\n\r\n"
    told = authorized(client, "POST /ws/v1/validate-conf HTTP/1.1", "Connection: close", "Transfer-Encoding: chunked") + chunks
    assert client.raw(told).startswith(b"HTTP/1.1 413")
    assert lives(client)


def test_a_gigabyte_is_refused_before_it_is_sent(client):
    head = authorized(client, "PUT /workbench/v1/config HTTP/1.1", "Content-Length: 1000000000")
    assert client.raw(head).startswith(b"HTTP/1.1 413")
    assert lives(client)


def test_a_gigabyte_without_a_length_is_not_read(serving):
    client = serving(limits=Limits(body=1000, thrown_away=100_000))
    chunk = b"8000\r\n" + b"x" * 32768 + b"\r\n"
    with client.connected() as connection:
        connection.sendall(authorized(client, "PUT /workbench/v1/config HTTP/1.1", "Transfer-Encoding: chunked"))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for _ in range(100_000):
                connection.sendall(chunk)
    assert lives(client)


def test_only_so_many_are_connected_at_a_time(serving):
    client = serving(limits=Limits(connections=3))
    held = [client.connected() for _ in range(3)]
    for each in held:
        each.sendall(authorized(client, "GET /ws/v1/clusters HTTP/1.1"))
        assert each.recv(65536).startswith(b"HTTP/1.1 200")
    with client.connected() as further:
        assert further.recv(1) == b""
    for each in held:
        each.sendall(authorized(client, "GET /ws/v1/clusters HTTP/1.1", "Connection: close"))
        while each.recv(65536):
            pass
        each.close()
    assert lives(client)


def test_a_fault_of_ours_is_a_500_that_tells_nothing_of_the_inside_and_the_server_lives(serving, caplog):
    def answering(source, method, path, body, headers):
        raise ZeroDivisionError("secret detail")

    client = serving(answering=answering)
    with caplog.at_level(logging.ERROR, "workbench.server"):
        reply = client.get(CLUSTERS)
    assert reply.status == 500 and b"secret detail" not in reply.body
    assert "secret detail" in caplog.text
    assert client.get("/workbench/v1/state").status == 200


# -- where it listens ---------------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_told_with_what_to_do(client):
    with pytest.raises(CommandError, match="is taken by another program.*--port"):
        Server(Workbench.example("two-tenants"), Options(port=client.server.port))


def test_an_address_that_is_not_ours_is_told(monkeypatch):
    with pytest.raises(CommandError, match="cannot listen at 203.0.113.7"):
        Server(Workbench.example("two-tenants"), Options(host="203.0.113.7"))


def test_after_stop_nobody_is_answered_and_a_second_stop_does_nothing(serving):
    client = serving()
    client.server.stop()
    client.server.stop()
    with pytest.raises(ConnectionRefusedError):
        client.get(CLUSTERS)
    assert repr(client.server).endswith("is stopped.")
