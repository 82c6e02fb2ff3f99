"""What makes the scheduler refuse a configuration, in its order and its words."""
