"""Diplomacy as an environment of verifiers: seven agents, one match."""

from __future__ import annotations

import verifiers.v1 as vf
from grandstand_verifiers.matches import MatchEnvConfig, MatchPlay, MatchTaskset, seat

__all__ = ["DiplomacyEnv", "DiplomacyTaskset"]


class DiplomacyTaskset(MatchTaskset):
    """Matches of Diplomacy."""

    game = "diplomacy"


class DiplomacyEnvConfig(MatchEnvConfig):
    """An agent for each power."""

    austria: vf.AgentConfig = seat()
    england: vf.AgentConfig = seat()
    france: vf.AgentConfig = seat()
    germany: vf.AgentConfig = seat()
    italy: vf.AgentConfig = seat()
    russia: vf.AgentConfig = seat()
    turkey: vf.AgentConfig = seat()


class DiplomacyEnv(MatchPlay, vf.Env[DiplomacyEnvConfig]):
    """One match of Diplomacy."""

    game = "diplomacy"
