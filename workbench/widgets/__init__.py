"""The screen of a workbench: regions around one `Workbench`, and the parts they are made of."""
