"""Clients that were made for the scheduler, or for whatever serves such things, work with the workbench as they are."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

METRICS = "/ws/v1/metrics"


def samples(client) -> dict:
    """(name, labels) -> value, as Prometheus' own parser reads them."""
    text = client.get(METRICS).body.decode()
    return {
        (each.name, tuple(sorted(each.labels.items()))): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


def test_prometheus_own_parser_reads_the_metrics_and_they_follow_the_simulation(client):
    before = samples(client)
    assert client.get(METRICS).headers["Content-Type"].startswith("text/plain; version=0.0.4")
    client.post("run", {"max_steps": 3})
    after = samples(client)
    assert set(before) <= set(after)
    used = ("yunikorn_queue_resource", (("queue", "root"), ("resource", "vcore"), ("state", "allocated")))
    assert after[used] == client.server.bench.partition.root.allocated["vcore"] > before.get(used, 0)


def test_prometheus_can_bring_the_token_as_it_brings_any_credentials(client):
    assert client.ask("GET", METRICS, token="", Authorization=f"Bearer {client.server.token}").status == 200
    assert client.ask("GET", f"{METRICS}?token={client.server.token}", token="").status == 200


def test_metrics_are_not_packed_in_1_8_although_prometheus_would_unpack_them(client):
    assert client.get(METRICS, Accept_Encoding="gzip").headers["Content-Encoding"] is None
