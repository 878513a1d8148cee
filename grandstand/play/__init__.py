"""A match with its players: the runner, verification, evaluation, statistics."""
