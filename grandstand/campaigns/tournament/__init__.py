"""Tournaments between several players. `setup`, `run` and `report` play them; the other modules are pure."""
