"""Traces and dumps of other systems as scenarios."""
