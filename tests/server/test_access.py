"""Who may ask (RE-42): the host that is named, the token, and the page that a change comes from."""

from __future__ import annotations

import pytest

from workbench.server.access import Access, host_of, is_loopback

ACCESS = Access(token="secret")
OPEN = Access(token="")
HERE = {"Host": "127.0.0.1:9080"}


def status(access: Access = ACCESS, method: str = "GET", token: str | None = None, **headers: str) -> int:
    """What a request comes to; 200 if nobody minds."""
    refused = access.refusal(method, {**HERE, **{name.replace("_", "-"): value for name, value in headers.items()}}, token)
    return 200 if refused is None else refused.status


def test_without_the_token_nothing_is_answered_and_the_sentence_says_how_to_bring_it():
    refused = ACCESS.refusal("GET", HERE, None)
    assert refused is not None and refused.status == 401
    assert "Authorization: Bearer" in refused.text and "?token=" in refused.text


@pytest.mark.parametrize(
    "headers", [{"Authorization": "Bearer secret"}, {"Authorization": "bearer secret"}, {"Cookie": "a=b; workbench-token=secret"}]
)
def test_the_token_may_come_as_a_header_or_in_the_cookie_of_our_pages(headers):
    assert status(**headers) == 200


def test_the_token_may_come_in_the_address():
    assert status(token="secret") == 200


@pytest.mark.parametrize(
    "headers",
    [{"Authorization": "Bearer Secret"}, {"Authorization": "Basic secret"}, {"Authorization": "secret"}, {"Cookie": "\x00;=;;"}],
)
def test_another_token_is_refused(headers):
    assert status(**headers) == 401
    assert status(token="sécret\udcff", **headers) == 401


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:9080", "localhost.:9080"])
def test_names_of_this_machine_are_welcome_with_whatever_port(host):
    assert status(OPEN, Host=host) == 200


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1", "127.0.0.1/x", "a:b:c", "localhost:x"]
)
def test_a_request_for_another_host_is_refused_so_that_no_page_can_lead_its_own_name_here(host):
    assert status(OPEN, Host=host) == 403
    assert status(token="secret", Host=host) == 403


def test_a_further_host_can_be_allowed_and_a_server_for_everybody_takes_any():
    assert status(Access(token="", hosts=frozenset({"bench.example"})), Host="bench.example:80") == 200
    assert status(Access(token="secret", hosts=None), token="secret", Host="anything") == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_of_another_server_cannot_change_anything_even_with_the_cookie(method):
    cookie = {"Cookie": "workbench-token=secret"}
    assert status(method=method, Origin="http://evil.example", **cookie) == 403
    assert status(method=method, Origin="null", **cookie) == 403
    assert status(method=method, Origin="http://127.0.0.1:9080", **cookie) == 200
    assert status(OPEN, method=method, Origin="http://127.0.0.1:8888") == 403  # another server of this machine
    assert status(method=method, **cookie) == 200  # no browser says where it comes from: curl


def test_a_page_that_was_allowed_may_read_and_change():
    access = Access(token="", origins=frozenset({"http://localhost:4200"}))
    assert status(access, method="POST", Origin="http://localhost:4200") == 200
    assert access.allowed_origin({"Origin": "http://localhost:4200"}) == "http://localhost:4200"
    assert access.allowed_origin({"Origin": "http://evil.example"}) is None
    assert Access(token="").allowed_origin({"Origin": "http://127.0.0.1:9080"}) is None
    assert Access(token="", origins=frozenset("*")).allowed_origin({"Origin": "null"}) == "null"


def test_a_browser_asks_without_the_token_what_a_page_that_was_allowed_may_ask():
    access = Access(token="secret", origins=frozenset({"http://localhost:4200"}))
    asking = {"Access-Control-Request-Method": "POST"}
    assert status(access, "OPTIONS", Origin="http://localhost:4200", **asking) == 200
    assert status(access, "OPTIONS", Origin="http://evil.example", **asking) == 401
    assert status(access, "GET", Origin="http://localhost:4200", **asking) == 401


def test_what_is_said_of_wrong_input_is_bounded():
    refused = OPEN.refusal("GET", {"Host": "x" * 100_000}, None)
    assert refused is not None and len(refused.text) < 400


def test_only_addresses_of_this_machine_are_loopback():
    assert [is_loopback(each) for each in ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost")] == [True] * 5
    assert [is_loopback(each) for each in ("0.0.0.0", "::", "", "10.0.0.1", "example.com")] == [False] * 5
    assert host_of("") == ""
