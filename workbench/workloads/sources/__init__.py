"""Where workloads come from: one module for each format, which registers itself with `registry`."""
