"""Positions to solve, and the judge of a solution."""
