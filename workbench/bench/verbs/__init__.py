"""The verbs of a workbench, grouped by what they are about. Each group is a part of `Workbench` and no more than that."""
