"""`events/stream`: everybody hears everything, and nobody waits for who reads slowly."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from workbench import Workbench
from workbench.rest.stream import MOST_OF_A_HOST
from workbench.server.access import HERE

STREAM = "/ws/v1/events/stream"


class Follower:
    """A client that follows the events: one connection, from which lines are taken one by one."""

    def __init__(self, client, path: str = STREAM, receive_buffer: int = 0):
        self.connection = socket.socket()
        if receive_buffer:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.connection.settimeout(60)
        self.connection.connect((HERE[0], client.server.port))
        # In HTTP/1.0 the lines come without the lengths of chunks between them.
        head = f"GET {path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {client.server.token}\r\n\r\n"
        self.connection.sendall(head.encode())
        self.file = self.connection.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def next(self) -> dict:
        return json.loads(self.file.readline())

    def lines(self, count: int) -> list[bytes]:
        return [self.file.readline() for _ in range(count)]

    def close(self) -> None:
        self.file.close()
        self.connection.close()


@pytest.fixture
def follow() -> Iterator:
    followers: list[Follower] = []

    def begin(*args, **given) -> Follower:
        followers.append(Follower(*args, **given))
        return followers[-1]

    yield begin
    for each in followers:
        each.close()


def nodes(count: int, first: int = 0) -> list[dict]:
    return [{"add_node": {"id": f"extra-{number}", "resources": {"vcore": 1}}} for number in range(first, first + count)]


def test_the_instance_comes_first_and_then_what_happens_as_it_happens(client, follow):
    follower = follow(client)
    instance = follower.next()
    assert list(instance) == ["InstanceUUID"]
    client.post("inputs", nodes(1)[0])
    assert follower.next()["objectID"] == "extra-0"
    client.post("step")
    assert follower.next()["type"] in (1, 2, 3, 4, 5)


def test_past_events_are_told_first_to_who_asks_for_them(client, follow):
    batch = client.get("/ws/v1/events/batch").document["EventRecords"]
    follower = follow(client, f"{STREAM}?count=3")
    follower.next()
    assert [follower.next() for _ in range(3)] == batch[-3:]


def test_ten_thousand_events_reach_two_clients_of_whom_one_is_slow_and_nobody_waits_for_it(serving, follow):
    client = serving()
    slow, quick = follow(client, receive_buffer=4096), follow(client)
    quick.next()
    for first in range(0, 10_000, 1000):
        assert client.post("inputs", nodes(1000, first)).status == 200
    heard: list[dict] = []
    while sum(each.get("objectID", "").startswith("extra-") for each in heard[-1:]) == 0 or heard[-1]["objectID"] != "extra-9999":
        heard.append(quick.next())
    assert len(heard) >= 10_000
    assert client.get("/ws/v1/clusters").status == 200  # all the while the slow one has not read a line
    slow.next()
    assert [slow.next() for _ in heard] == heard


def test_what_was_undone_is_not_taken_back_and_what_comes_instead_is_told(client, follow):
    follower = follow(client)
    follower.next()
    client.post("inputs", nodes(1)[0])
    assert follower.next()["objectID"] == "extra-0"
    client.post("undo")
    client.post("inputs", nodes(1, 7)[0])
    heard = [follower.next()]
    while heard[-1].get("objectID") != "extra-7":
        heard.append(follower.next())


def test_only_so_many_of_a_host_may_follow_and_a_place_that_was_left_is_free(client, follow):
    held = [follow(client) for _ in range(MOST_OF_A_HOST)]
    assert [each.status for each in held] == [200] * MOST_OF_A_HOST
    for each in held:
        each.next()
    assert client.get(STREAM).status == 503
    held[0].close()
    while True:
        again = follow(client)
        if again.status == 200:
            break
    assert again.next()


def test_the_end_of_the_server_ends_every_stream(serving, follow):
    client = serving(Workbench.example("two-tenants"))
    follower = follow(client)
    follower.next()
    client.server.stop()
    assert follower.file.read() == b""


def test_a_follower_that_asks_wrongly_is_told_and_takes_no_place(client):
    assert client.get(f"{STREAM}?count=many").status == 400
    assert len(client.server._served.followers) == 0
