"""The types of the OpenEnv environment, in the file in which OpenEnv's tools look for them."""

from grandstand.models import MatchAction, MatchObservation, MatchState

__all__ = ["MatchAction", "MatchObservation", "MatchState"]
