"""A cluster that is served and imported again is the same cluster, but for what the import says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from server.asking import Client

from workbench import Workbench
from workbench.importers.rest import import_rest
from workbench.rest import Source, answer
from workbench.simulation import Simulation
from workbench.simulation.scenario import example, example_names

PARTITION = "/ws/v1/partition/default"


def looked(ask: Any) -> dict[str, Any]:
    """Where everything is, what it holds and what it waits for, as the scheduler answers it, without times and counters."""
    nodes = {
        node["nodeID"]: (
            node["capacity"],
            {each["allocationKey"]: (each["applicationId"], each["resource"]) for each in node.get("allocations") or ()},
            node["schedulable"],
        )
        for node in ask(f"{PARTITION}/nodes")
    }
    apps = {
        app["applicationID"]: (
            app["queueName"],
            app["user"],
            sorted((each["allocationKey"], each["priority"], str(each["resource"])) for each in app.get("requests") or ()),
            sorted((each["allocationKey"], each["nodeId"], each["priority"]) for each in app.get("allocations") or ()),
        )
        for app in ask(f"{PARTITION}/applications/active")
    }
    queues = {
        queue["queuename"]: {key: queue.get(key) for key in ("allocatedResource", "pendingResource", "maxResource", "properties")}
        for queue in walked(ask(f"{PARTITION}/queues"))
    }
    return {"nodes": nodes, "apps": apps, "queues": queues}


def walked(queue: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield queue
    for child in queue.get("children") or ():
        yield from walked(child)


OF_TODAY = [name for name in example_names() if example(name).engine == "1.8"]
"""A service does not tell by which release it decides, and an import takes it for 1.8."""


@pytest.mark.parametrize("name", OF_TODAY)
@pytest.mark.parametrize("steps", [0, 3, 100])
def test_an_example_served_and_imported_over_http_is_the_same_cluster(serving, tmp_path, name, steps):
    bench = Workbench.example(name)
    bench.run(max_steps=steps)
    client: Client = serving(bench)
    token = tmp_path / "token"
    token.write_text(client.server.token)
    imported = import_rest(client.server.address, token_file=token)
    assert not imported.partial
    again = imported.simulation()[0]
    source = Source.of(again)
    served = looked(lambda path: client.get(path).document)
    assert looked(lambda path: answer(source, "GET", path).document) == served
    assert served["nodes"] and served["apps"]
    assert next_of(again) == next_of(bench.simulation)


def next_of(simulation: Simulation) -> tuple[str, str]:
    decision = simulation.preview()
    return decision.application_id, decision.key
