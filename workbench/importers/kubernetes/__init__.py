"""Objects of Kubernetes as a scenario: nodes, pods, namespaces, priority classes and ConfigMaps, as `kubectl get` writes them.

What one object means to the scheduler is told by small functions, one theme a module; `cluster` puts their answers together.
Rules K-n of chapter 12.
"""
