"""The scheduler re-implemented: deterministic, without input or output. `engine.Engine` takes commands and answers with events."""
