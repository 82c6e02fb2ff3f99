"""Recorded facts about the real scheduler core, and what this one makes of them."""
