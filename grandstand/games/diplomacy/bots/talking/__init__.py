"""The letters of the built-in players that negotiate."""
