"""Batches of a published match."""

from __future__ import annotations

from typing import Any

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster


def seated(seed: int, **options: Any) -> MatchRunner:
    spec = game_spec("diplomacy")
    seating = Roster.load().episode(spec)
    return MatchRunner(Match(spec, options, seed), {seat: seating.player("random", seat) for seat in spec.seats()})


def batch(episode: str = "diplomacy-test", first: int = 0) -> list[dict[str, Any]]:
    """The first events of a match, as they are sent."""
    runner = seated(1)
    drafts = [*runner.created({}, title="t", origin="publisher"), *runner.started()]
    return [
        {"episode_id": episode, "epoch": 7, "seq": seq, "at": 1.0, **draft._asdict()}
        for seq, draft in enumerate(drafts)
        if seq >= first
    ]
