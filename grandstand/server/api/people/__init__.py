"""Players, callers and accounts."""
