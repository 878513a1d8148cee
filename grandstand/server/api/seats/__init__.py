"""Seats of live matches."""
