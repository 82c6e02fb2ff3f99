"""Values without a scheduler: quantities with units, resource vectors, durations, and the errors that people see."""
