"""Releases of the scheduler core, and in what they differ."""
