"""Leaderboards and pages of players as the server computes them, made up for their reports."""

from __future__ import annotations

from grandstand.campaign_events import Estimate
from grandstand.server.bodies.players import (
    HeadToHead,
    Leaderboard,
    LeaderboardRow,
    OptionSetInfo,
    PlayerMatch,
    PlayerPage,
)

SETTING = OptionSetInfo(id="s1", game="cricket", label="20 overs a side", options={}, rules=3, matches=120)
NOW = 1_000_000.0


def row(player: str, **more: object) -> LeaderboardRow:
    fields: dict[str, object] = {
        "player": player,
        "kind": "bot",
        "matches": 30,
        "counted": 30,
        "seats": 30,
        "scored": 30,
        "assisted": 0,
        "costed": 30,
        "wins": 3,
        "decisions": 100,
        "score": Estimate(mean=0.5, low=0.4, high=0.6, n=30),
        "rating": Estimate(mean=1500, low=1420, high=1580, n=30),
    }
    return LeaderboardRow.model_validate({**fields, **more})


def pair(a: str, b: str, *, differ: bool, n: int = 12) -> HeadToHead:
    return HeadToHead(a=a, b=b, share=Estimate(mean=0.7, low=0.4, high=0.9, n=n), stronger=0.9, differ=differ)


def leaderboard(*players: LeaderboardRow, **more: object) -> Leaderboard:
    """Return a leaderboard on which all pairs are separated, unless `pairs` says otherwise."""
    names = [player.player for player in players]
    pairs = [pair(a, b, differ=True) for place, a in enumerate(names) for b in names[place + 1 :]]
    fields = {"game": "cricket", "setting": SETTING, "settings": [SETTING], "needed": 20, "table": players}
    return Leaderboard.model_validate({**fields, "pairs": pairs, **more})


def match(number: int, **more: object) -> PlayerMatch:
    fields: dict[str, object] = {
        "episode_id": f"cricket-{number}",
        "title": f"Match {number}",
        "ended_at": NOW - 7200,
        "seats": ["home"],
        "opponents": ["weak"],
        "score": 1.0,
        "won": True,
        "counted": True,
        "forfeited": False,
        "faults": 0,
        "fallbacks": 0,
        "assisted": 0,
    }
    return PlayerMatch.model_validate({**fields, **more})


def player_page(**more: object) -> PlayerPage:
    fields = {
        "player": "strong",
        "kind": "bot",
        "settings": [SETTING],
        "setting": SETTING,
        "figures": row("strong"),
        "rank": 2,
        "needed": 20,
        "played": 1,
        "matches": [match(1)],
    }
    return PlayerPage.model_validate({**fields, **more})
