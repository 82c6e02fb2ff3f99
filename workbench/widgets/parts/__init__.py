"""Widgets that a browser draws, each a module here and a script beside it."""
