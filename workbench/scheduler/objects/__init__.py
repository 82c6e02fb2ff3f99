"""What the scheduler knows of: applications, asks, allocations, nodes, queues, users, gangs; and how each of them changes."""
