"""The scheduler's web interface, from a folder, at the same place as the answers (RE-41); and what is there without one."""

from __future__ import annotations

import os

import pytest

from workbench import Workbench

SECRET = "not for anybody"


@pytest.fixture
def folder(tmp_path):
    """A built interface, and beside it what is nobody's business."""
    built = tmp_path / "dist"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!DOCTYPE html><title>interface</title>")
    (built / "main.js").write_text("fetch('/ws/v1/clusters')")
    (built / "assets" / "envconfig.json").write_text("{}")
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "dist-of-another").mkdir()
    (tmp_path / "dist-of-another" / "secret.txt").write_text(SECRET)
    os.symlink(tmp_path / "secret.txt", built / "linked.txt")
    os.symlink(tmp_path, built / "above")
    return built


@pytest.fixture
def client(serving, folder):
    return serving(ui=folder)


def test_the_page_its_files_and_the_answers_are_at_one_place(client):
    page = client.get("/")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html")
    assert b"<title>interface" in page.body
    assert client.get("/main.js").headers["Content-Type"] in ("text/javascript", "application/javascript")
    assert client.get("/assets/envconfig.json").document == {}
    assert client.get("/ws/v1/clusters").status == 200
    assert client.get("/ws/v1/nothing").body == b"404"


def test_an_address_within_the_page_is_the_page(client):
    assert b"<title>interface" in client.get("/dashboard").body
    assert b"<title>interface" in client.get("/queues/default").body
    assert client.get("/missing.js").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "/%252e%252e/secret.txt",
        "//secret.txt",
        "/../dist-of-another/secret.txt",
        "/linked.txt",
        "/above/secret.txt",
        "/above/dist/../secret.txt",
        "/%00/secret.txt",
        "/etc/passwd",
    ],
)
def test_nothing_outside_the_folder_is_served_be_it_by_dots_or_by_links(client, path):
    reply = client.get(path)
    assert SECRET.encode() not in reply.body and b"root:" not in reply.body
    assert reply.status in (400, 403, 404) or b"<title>interface" in reply.body
    assert client.get("/").status == 200


def test_the_page_is_opened_with_the_token_and_its_files_come_with_the_cookie(client):
    assert client.ask("GET", "/main.js", token="").status == 401
    opened = client.ask("GET", f"/?token={client.server.token}", token="")
    assert (opened.status, opened.headers["Location"]) == (302, "/")
    cookie = opened.headers["Set-Cookie"].partition(";")[0]
    for path in ("/", "/main.js", "/ws/v1/clusters"):
        assert client.ask("GET", path, token="", Cookie=cookie).status == 200


def test_a_file_that_is_known_already_is_not_sent_again(client):
    first = client.get("/main.js")
    assert client.get("/main.js", If_None_Match=first.headers["ETag"]).status == 304


def test_the_page_loads_nothing_from_elsewhere_and_no_other_page_frames_it(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy


def test_files_are_read_only(client):
    assert client.ask("PUT", "/main.js", b"x").status == 405
    assert client.ask("DELETE", "/main.js").status == 405


def test_without_an_interface_a_page_says_what_is_here_whatever_the_design_is_called(serving):
    bench = Workbench.example("multitenancy")
    bench.name = "<script>alert(1)</script>"
    page = serving(bench).get("/")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=UTF-8")
    assert b"<script" not in page.body and b"ws/v1/metrics" in page.body
