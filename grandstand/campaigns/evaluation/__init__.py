"""Paired evaluation: a player and a reference in the same matches with the same seeds."""
