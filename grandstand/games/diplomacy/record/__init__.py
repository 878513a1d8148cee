"""A match as events and as files."""
