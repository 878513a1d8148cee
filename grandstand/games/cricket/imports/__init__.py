"""Real matches, read from Cricsheet's documents: what is recorded of them, and nothing invented."""
