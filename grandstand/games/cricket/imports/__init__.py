"""Real matches, read from Cricsheet's documents, without invented data."""
