"""From a configuration to text: queues.yaml, and the Kubernetes ConfigMap that carries it."""
