"""Matches of cricket as the story receives them, and what it tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.match import Match, event_data
from grandstand.games.registry import game_spec
from grandstand.games.story import Comment, StoryEvent, Telling

SPEC = game_spec("cricket")


@lru_cache
def record(seed: int, **options: Any) -> list[StoryEvent]:
    """Return the public events of a match of two captains, numbered as they would be recorded."""
    match = Match(SPEC, {"overs": 5, **options}, seed)
    events = [*match.game.opening()]
    while not match.over:
        seat = match.waiting[0]
        events += match.apply(seat, SPEC.bots.players["neutral"](match.game, seat, match.rng(seat)))
    public = [event for event in events if event.seats() is None]
    return [StoryEvent(seq, type(event).__name__, event_data(event)) for seq, event in enumerate(public)]


def tell(events: Sequence[StoryEvent], episode: str = "cricket-x") -> list[Telling]:
    """Tell a match event by event."""
    story = CricketStory(episode)
    return [item for event in events for item in story.tell([event])]


def comments(telling: Sequence[Telling]) -> list[Comment]:
    return [item for item in telling if isinstance(item, Comment)]
