"""One scheduling cycle, plainly: the passes, the way down the tree, an ask against the nodes, and what to say about a failure."""
