"""Matches of Grandstand as environments of verifiers."""

from grandstand_verifiers.harness import SeatHarness

__all__ = ["SeatHarness"]
