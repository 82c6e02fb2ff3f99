"""Traces and dumps of other systems as scenarios; those that `workbench import` reads are in `registry.IMPORTERS`."""
