"""From YAML text to the configuration model, with the line of everything."""
