"""A match with its players: the runner, verification, statistics."""
