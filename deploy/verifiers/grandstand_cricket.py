"""Cricket captaincy as an environment of verifiers: two agents, one match."""

from __future__ import annotations

import verifiers.v1 as vf
from grandstand_verifiers.matches import MatchEnvConfig, MatchPlay, MatchTaskset, seat

__all__ = ["CricketEnv", "CricketTaskset"]


class CricketTaskset(MatchTaskset):
    """Matches of limited-overs cricket."""

    game = "cricket"


class CricketEnvConfig(MatchEnvConfig):
    """An agent for each captain."""

    home: vf.AgentConfig = seat()
    away: vf.AgentConfig = seat()


class CricketEnv(MatchPlay, vf.Env[CricketEnvConfig]):
    """One match of cricket."""

    game = "cricket"
