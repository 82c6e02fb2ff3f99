"""The `Workbench` and its screen. `workbench.widgets.workbench` runs without Jupyter; the other modules are its view."""
