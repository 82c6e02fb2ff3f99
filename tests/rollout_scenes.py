"""Small live clusters for rollouts, whose fate can be worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
from workbench.simulation.scenario import Scenario, ScenarioEvent
from workbench.values.resources import Resource

EVERYBODY = "submitacl: '*'"


def design(queues: str, **partition: str) -> str:
    """A queues.yaml with the queues of the root, a line for each, `name: {settings}`, deeper ones in `queues: [...]`."""
    lines = ["partitions:", "  - name: default"]
    lines += [f"    {key}: {value}" for key, value in partition.items()]
    lines += ["    queues:", "      - name: root", f"        {EVERYBODY}", "        queues:"]
    for line in filter(None, (line.strip() for line in queues.splitlines())):
        name, _, settings = line.partition(": ")
        inner = settings.strip().removeprefix("{").removesuffix("}")
        lines.append(f"          - {{name: {name.rstrip(':')}{', ' if inner else ''}{inner}}}")
    return "\n".join(lines) + "\n"


class Cluster:
    """A live cluster, built up event by event; `scenario` is what a rollout takes."""

    def __init__(self, config: str, *, release: str = "1.8", vcore: int = 10):
        self.config, self.release = config, release
        self.events: list[object] = [AddNode(node_id="n1", capacity=Resource(vcore=1000 * vcore))]

    def app(
        self, id: str, queue: str, user: str = "sue", *, groups: Iterable[str] = (), tags: dict[str, str] | None = None
    ) -> Cluster:
        spec = ApplicationSpec(id=id, queue=queue, user=user, groups=tuple(groups), tags=tags or {})
        self.events.append(AddApplication(application=spec))
        return self

    def runs(self, app: str, queue: str, count: int = 1, *, vcore: int = 1, user: str = "sue", priority: int = 0) -> Cluster:
        """An application with so many running pods `app-0`, `app-1`, ..."""
        self.app(app, queue, user)
        for number in range(count):
            ask = AskSpec(application_id=app, key=f"{app}-{number}", resource=Resource(vcore=1000 * vcore), priority=priority)
            self.events.append(AddAllocation(ask=ask, node_id="n1"))
        return self

    def waits(self, app: str, queue: str, count: int = 1, *, vcore: int = 1, user: str = "sue", priority: int = 0) -> Cluster:
        """An application with so many waiting pods."""
        self.app(app, queue, user)
        for number in range(count):
            ask = AskSpec(application_id=app, key=f"{app}-{number}", resource=Resource(vcore=1000 * vcore), priority=priority)
            self.events.append(AddAsk(ask=ask))
        return self

    @property
    def scenario(self) -> Scenario:
        events = tuple(ScenarioEvent(event, index=index) for index, event in enumerate(self.events))  # type: ignore[arg-type]
        return Scenario(config=self.config, name="live", events=events, engine=self.release)
