"""Files: the one place that writes them, so that each is whole or as it was, and the claim of one process on a file."""
