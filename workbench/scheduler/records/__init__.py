"""The state as records, the journal that alone writes them, and what goes in and comes out: commands, events, decisions."""
