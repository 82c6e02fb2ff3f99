"""What happened, told from what was written: events, counters, histories. Nothing here is kept by the scheduler itself."""
