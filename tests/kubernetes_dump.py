"""A made-up but complete dump of a cluster, as `kubectl get nodes,pods,namespaces,priorityclasses,configmaps -A` writes it.

The same seed gives the same bytes. Beside the objects stands how many of each kind were made, for the notes to be compared with.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import yaml
from kubernetes_objects import A, config_map, listed, priority_class

QUEUES = """\
partitions:
  - name: default
    placementrules:
      - name: provided
        create: true
      - name: tag
        value: namespace
        create: true
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: prod
            properties: {priority.offset: "100"}
          - name: batch
            resources: {max: {vcore: 400, memory: 1600Gi}}
          - name: gangs
            properties: {application.sort.policy: fifo}
"""
TEAMS = ("prod", "batch", "gangs", "team-a", "team-b")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Without references, as kubectl writes."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


@dataclass
class Dump:
    """The objects, and how many there are of what the notes count."""

    objects: list[dict[str, Any]]
    counts: Counter[str] = field(default_factory=Counter)

    def json(self) -> str:
        """As `-o json` writes them."""
        return json.dumps(listed(*self.objects), indent=4)

    def yaml(self) -> str:
        """As `-o yaml` writes them: keys in the order of the alphabet, items at the margin."""
        return yaml.dump(listed(*self.objects), Dumper=_Dumper, sort_keys=True)


def made(seed: int = 1, *, nodes: int = 200, pods: int = 3000) -> Dump:
    """A dump with so many nodes and pods."""
    rng = random.Random(seed)
    dump = Dump([])
    names = [f"worker-{number:04d}" for number in range(nodes)]
    dump.objects += [_node(rng, name, place, dump.counts) for place, name in enumerate(names)]
    room = {each["metadata"]["name"]: [31, 100] for each in dump.objects}
    dump.objects += [_namespace(each, dump.counts) for each in ("default", "kube-system", *TEAMS)]
    dump.objects += [priority_class("high", 1000), priority_class("low", -10, preemptionPolicy="Never")]
    dump.objects += [
        config_map("yunikorn-defaults", {"queues.yaml": "partitions: []", "service.schedulingInterval": "1s"}),
        config_map("yunikorn-configs", {"queues.yaml": QUEUES}),
        config_map("kube-root-ca.crt", {"ca.crt": "-----BEGIN CERTIFICATE-----"}, namespace="default"),
    ]
    dump.counts["other config maps"] += 1
    for name in names:
        dump.objects.append(_foreign(rng, name, len(dump.objects), dump.counts))
        pods -= 1
    made_pods: list[dict[str, Any]] = []
    job = 0
    while len(made_pods) < pods:
        job += 1
        made_pods += _job(rng, job, min(rng.randint(1, 12), pods - len(made_pods)), names, room, dump.counts)
    dump.objects += made_pods
    return dump


def _node(rng: random.Random, name: str, place: int, counts: Counter[str]) -> dict[str, Any]:
    offered = {"cpu": "31850m", "ephemeral-storage": "95551679124", "hugepages-2Mi": "0", "memory": "129887236Ki", "pods": "110"}
    labels = {
        "beta.kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/zone": f"zone-{'abc'[place % 3]}",
        "disk": rng.choice(("ssd", "hdd")),
    }
    spec: dict[str, Any] = {"podCIDR": f"10.{place // 250}.{place % 250}.0/24", "providerID": f"made-up://{name}"}
    if place % 10 == 9:
        offered["nvidia.com/gpu"] = "8"
        spec["taints"] = [{"effect": "NoSchedule", "key": "nvidia.com/gpu", "value": "present"}]
    if place % 50 == 49:
        spec["unschedulable"] = True
        spec.setdefault("taints", []).append({"effect": "NoSchedule", "key": "node.kubernetes.io/unschedulable"})
        counts["cordoned"] += 1
    counts["nodes"] += 1
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {"node.alpha.kubernetes.io/ttl": "0"},
            "creationTimestamp": "2026-01-02T03:04:05Z",
            "labels": labels,
            "name": name,
            "resourceVersion": str(1000 + place),
            "uid": _uid(rng),
        },
        "spec": spec,
        "status": {
            "addresses": [{"address": f"10.0.{place // 250}.{place % 250}", "type": "InternalIP"}],
            "allocatable": offered,
            "capacity": {**offered, "cpu": "32", "memory": "131936132Ki"},
            "conditions": [{"lastHeartbeatTime": "2026-02-02T03:04:05Z", "message": "ok", "status": "True", "type": "Ready"}],
            "images": [{"names": ["pause:3.10"], "sizeBytes": 268051}],
            "nodeInfo": {"architecture": "amd64", "kubeletVersion": "v1.34.2", "operatingSystem": "linux"},
        },
    }


def _namespace(name: str, counts: Counter[str]) -> dict[str, Any]:
    annotations = {}
    if name.startswith("team"):
        annotations = {f"{A}namespace.quota": json.dumps({"cpu": "64", "memory": "256Gi"}), f"{A}namespace.maxApps": "50"}
        counts["quotas"] += 1
    metadata = {"name": name, "labels": {"kubernetes.io/metadata.name": name}, "annotations": annotations}
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": metadata,
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Active"},
    }


def _pod(
    rng: random.Random, namespace: str, name: str, created: int, requests: dict[str, str], owner: str, **more: Any
) -> dict[str, Any]:
    minute, second = divmod(created, 60)
    hour, minute = divmod(minute, 60)
    stamp = f"2026-02-{1 + hour // 24:02d}T{hour % 24:02d}:{minute:02d}:{second:02d}Z"
    container = {
        "args": ["--work", "3600"],
        "env": [{"name": "POD_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}}],
        "image": "example/work:1.4",
        "imagePullPolicy": "IfNotPresent",
        "name": "main",
        "resources": {"limits": requests, "requests": requests},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "volumeMounts": [
            {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access", "readOnly": True}
        ],
    }
    spec = {
        "containers": [container],
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": 0,
        "restartPolicy": "Never",
        "schedulerName": "yunikorn",
        "securityContext": {},
        "serviceAccountName": "default",
        "terminationGracePeriodSeconds": 30,
        "tolerations": [
            {"effect": "NoExecute", "key": f"node.kubernetes.io/{each}", "operator": "Exists", "tolerationSeconds": 300}
            for each in ("not-ready", "unreachable")
        ],
        "volumes": [
            {"name": "kube-api-access", "projected": {"defaultMode": 420, "sources": [{"serviceAccountToken": {"path": "token"}}]}}
        ],
        **more,
    }
    owners = [{"apiVersion": "v1", "blockOwnerDeletion": True, "controller": True, "kind": owner, "name": "o", "uid": _uid(rng)}]
    metadata = {
        "annotations": {},
        "creationTimestamp": stamp,
        "labels": {},
        "name": name,
        "namespace": namespace,
        "ownerReferences": owners,
        "resourceVersion": str(rng.randint(1, 10**9)),
        "uid": _uid(rng),
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": spec,
        "status": {"phase": "Pending", "qosClass": "Guaranteed"},
    }


def _foreign(rng: random.Random, node: str, number: int, counts: Counter[str]) -> dict[str, Any]:
    """The agent that a DaemonSet has on every node."""
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]}}}  # fmt: skip
    found = _pod(
        rng, "kube-system", f"agent-{number}", 60, {"cpu": "100m", "memory": "200Mi"}, "DaemonSet",
        affinity=affinity, nodeName=node, schedulerName="default-scheduler", tolerations=[{"operator": "Exists"}],
    )  # fmt: skip
    found["status"] = {"phase": "Running", "podIP": "10.1.1.1"}
    counts["foreign"] += 1
    return found


def _job(
    rng: random.Random, number: int, size: int, nodes: list[str], room: dict[str, list[int]], counts: Counter[str]
) -> list[dict[str, Any]]:
    """The pods of one application."""
    team, kind = rng.choice(TEAMS), rng.choice(("Job", "ReplicaSet"))
    queue = {"prod": "root.prod", "batch": "root.batch", "gangs": "root.gangs"}.get(team, "")
    cpu = rng.randint(1, 6)
    requests = {"cpu": str(cpu), "memory": f"{cpu * 4}Gi"}
    phase = rng.choices(("Running", "Pending", "Succeeded", "Failed", "other"), (60, 20, 14, 3, 3))[0]
    found = []
    for member in range(size):
        pod = _pod(rng, team, f"job-{number}-{member}", 1000 + number * 60 + member, requests, kind)
        found.append(pod)
        metadata, spec = pod["metadata"], pod["spec"]
        metadata["labels"] = {"app": f"job-{number}", "applicationId": f"app-{number}"}
        if queue:
            metadata["labels"]["queue"] = queue
        metadata["annotations"][f"{A}user.info"] = json.dumps({"user": f"user-{number % 7}", "groups": [team]})
        if team == "prod":
            spec.update(priority=1000, priorityClassName="high")
        if number % 5 == 0:
            spec["nodeSelector"] = {"disk": "ssd"}
        if number % 11 == 0:
            spec["topologySpreadConstraints"] = [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]
        if phase == "other":
            spec["schedulerName"] = "default-scheduler"
            counts["foreign waiting"] += 1
            continue
        if phase in ("Succeeded", "Failed"):
            spec["nodeName"], pod["status"]["phase"] = nodes[number % len(nodes)], phase
            counts["ended"] += 1
            continue
        if number % 11 == 0:
            counts["spread"] += 1
        node = _place(cpu, nodes, room, number) if phase == "Running" and number % 5 else ""
        if node:
            spec["nodeName"] = node
            pod["status"] = {
                "phase": "Running",
                "conditions": [{"lastTransitionTime": "2026-02-02T03:04:05Z", "status": "True", "type": "PodScheduled"}],
                "containerStatuses": [{
                    "allocatedResources": requests, "containerID": "containerd://1", "image": "example/work:1.4", "imageID": "",
                    "name": "main",
                    "ready": True, "resources": {"limits": requests, "requests": requests}, "restartCount": 0, "started": True,
                    "state": {"running": {"startedAt": "2026-02-02T03:04:05Z"}},
                }],
                "podIP": "10.1.2.3",
            }  # fmt: skip
        counts["running" if node else "waiting"] += 1
    gang = phase == "Pending" and team == "gangs"
    if gang:
        wanted = {"cpu": str(cpu), "memory": f"{cpu * 4}Gi"}
        groups = json.dumps([{"name": "workers", "minMember": size, "minResource": wanted}])
        for pod in found:
            pod["metadata"]["annotations"] |= {f"{A}task-groups": groups, f"{A}task-group-name": "workers"}
        counts["placeholders"] += size
    return found


def _place(cpu: int, nodes: list[str], room: dict[str, list[int]], number: int) -> str:
    """A node without taints that has room."""
    for step in range(len(nodes)):
        place = (number * 7 + step) % len(nodes)
        left = room[nodes[place]]
        if place % 10 != 9 and left[0] >= cpu and left[1] > 0:
            left[0] -= cpu
            left[1] -= 1
            return nodes[place]
    return ""


def _uid(rng: random.Random) -> str:
    text = f"{rng.getrandbits(128):032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
