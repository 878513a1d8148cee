"""Whole matches of any game of Grandstand as one environment of verifiers, with the id `grandstand-verifiers`."""

from grandstand_verifiers.environment import MatchEnv, MatchTaskset, load_environment
from grandstand_verifiers.harness import SeatHarness

__all__ = ["MatchEnv", "MatchTaskset", "SeatHarness", "load_environment"]
