"""Speed and memory, as ratios measured side by side in one run. Not part of the tests; from the folder `tests`:

    ../.venv/bin/python -m benchmarks --help

One module measures one kind of figure and has a function `figures(options)`; `measure` knows how two things are compared
fairly, `clusters` what is scheduled.
"""
