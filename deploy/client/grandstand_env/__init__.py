"""The client of Grandstand's OpenEnv environment, without the server."""

from grandstand_env.client import GrandstandEnv
from grandstand_env.models import MatchAction, MatchObservation, MatchState

__all__ = ["GrandstandEnv", "MatchAction", "MatchObservation", "MatchState"]
