"""Defaults for any game: a story, and the parts for a trainer."""
