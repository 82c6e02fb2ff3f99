"""What a scheduler that runs tells of its applications, as a workload: what really happened, to be decided again. WL-12."""
