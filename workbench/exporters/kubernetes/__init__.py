"""A scenario as objects of Kubernetes, so that a lesson or a finding can be tried on a real cluster. K-51.

`exporting.export_kubernetes` makes them and says what Kubernetes has no place for; `files` writes them.
"""
