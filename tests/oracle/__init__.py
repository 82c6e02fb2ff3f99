"""Asks the real scheduler core. Needs Go; no test does. From the folder `tests`:

../.venv/bin/python -m oracle.runs --help
"""
