"""The labels, annotations and names of Kubernetes and of the scheduler that decide anything. K-1 to K-40."""

from __future__ import annotations

DOMAIN = "yunikorn.apache.org/"
SCHEDULER = "yunikorn"
"""`spec.schedulerName` of the pods that are the scheduler's. K-1."""

APP_ID, APP_ID_LEGACY, APP_ID_SPARK = f"{DOMAIN}app-id", "applicationId", "spark-app-selector"
QUEUE, QUEUE_LEGACY = f"{DOMAIN}queue", "queue"
USER_INFO, USER_LABEL, NOBODY = f"{DOMAIN}user.info", f"{DOMAIN}username", "nobody"
ALLOW_PREEMPTION = f"{DOMAIN}allow-preemption"
TASK_GROUPS, TASK_GROUP_NAME = f"{DOMAIN}task-groups", f"{DOMAIN}task-group-name"
POLICY_PARAMETERS = f"{DOMAIN}schedulingPolicyParameters"
PLACEHOLDER, PLACEHOLDER_LABEL = f"{DOMAIN}placeholder", "placeholder"
PLACEHOLDERS = (PLACEHOLDER, f"{DOMAIN}internal.placeholder", f"internal.{DOMAIN}placeholder")
"""Annotations, any of which marks a placeholder."""

NAMESPACE_QUOTA, NAMESPACE_GUARANTEED = f"{DOMAIN}namespace.quota", f"{DOMAIN}namespace.guaranteed"
NAMESPACE_MAX_CPU, NAMESPACE_MAX_MEMORY = f"{DOMAIN}namespace.max.cpu", f"{DOMAIN}namespace.max.memory"
NAMESPACE_MAX_APPS, PARENT_QUEUE = f"{DOMAIN}namespace.maxApps", f"{DOMAIN}parentqueue"

# Tags that the Kubernetes side sends with applications and allocations.
TAG_FORCE, TAG_NAMESPACE, TAG_PULL_SECRETS = "application.create.force", "namespace", "imagePullSecrets"
TAG_QUOTA, TAG_GUARANTEED = "namespace.resourcequota", "namespace.resourceguaranteed"
TAG_MAX_APPS, TAG_PARENT_QUEUE = "namespace.resourcemaxapps", "namespace.parentqueue"
TAG_LABEL, TAG_POD_NAMESPACE, TAG_POD_NAME = "kubernetes.io/label/", "kubernetes.io/meta/namespace", "kubernetes.io/meta/podName"
TAG_REQUIRED_NODE, TAG_FOREIGN, TAG_CREATED = f"{DOMAIN}requiredNode", "foreign", "creationTime"

DEFAULT_NAMESPACE, SYSTEM_NAMESPACE = "default", "kube-system"
CORDON_TAINT = "node.kubernetes.io/unschedulable"

OWN = "policy-workbench/"
"""Prefix of the annotations that an export writes, for what Kubernetes has no place for: the names before they were made valid."""
OWN_KEY, OWN_NAME, OWN_PLACEHOLDERS, OWN_FOREIGN = f"{OWN}key", f"{OWN}name", f"{OWN}placeholders", f"{OWN}foreign"
