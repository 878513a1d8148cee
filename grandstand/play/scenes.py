"""Moments of an episode as its game's cards read them, and the events at which a clip has a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.games.cards import Card, Row, Scene
from grandstand.games.registry import GAMES, game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import EpisodeSummary, Event, TurnStarted

GREY = "#55606a"
"""The colour of a seat whose game defines none."""
TURNS = {TurnStarted.__name__: 1.0}
"""The beats of a game that defines none."""


def spec_of(game: str) -> GameSpec | None:
    """Return the spec of a game; None for an unknown game, which may be played elsewhere and published here."""
    return game_spec(game) if game in GAMES else None


def game_title(game: str) -> str:
    """Return the title of a game, or the name of an unknown game."""
    spec = spec_of(game)
    return spec.rules.title if spec else game


def public_scene(events: Sequence[Event]) -> Scene:
    """Return the public events among `events`, as (type, data)."""
    return [(event.type, event.data) for event in events if event.audience == "public"]


def card_of(summary: EpisodeSummary, scene: Scene) -> Card:
    """Return the standing in the words of the game, or by the scores alone if the game has no words for it."""
    spec = spec_of(summary.game)
    if spec and spec.picture:
        return spec.picture.card(scene)
    rows = [Row(info.seat, info.seat, _score(summary.scores.get(info.seat)), GREY) for info in summary.seats]
    return Card(summary.turn, rows)


def headline_of(summary: EpisodeSummary) -> str:
    """Return the headline of a match: its result, or its prospects."""
    if summary.outcome:
        return summary.outcome.text
    return summary.outlook.headline if summary.outlook and summary.outlook.headline else summary.message


def beats_of(game: str) -> Mapping[str, float]:
    """Return the types of the events at which a clip has a frame -> seconds for which it is shown."""
    spec = spec_of(game)
    return spec.picture.beats if spec and spec.picture else TURNS


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:g}" if abs(score) >= 100 else f"{score:.3g}"
