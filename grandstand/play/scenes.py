"""Moments of an episode for its game's cards, and the events at which a clip has a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import TypeAdapter

from grandstand.games.base import SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.picture import Card, CardRow, Picture, Pictures, Place, Scene, SeatColours, colours
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Event
from grandstand.spectator.frames import EpisodeSummary

MOST_PARTS = 1500
"""The most places and things of a picture: no real board has more."""
LONGEST_OUTLINES = 60_000
"""The most characters of the outlines in a published picture, which may be long lines that take time to draw."""


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


def picture_of(game: str, scene: Scene) -> Picture | None:
    """Return the picture of a moment; None if nothing was shown yet. Raise ValueError if it cannot be drawn: the
    events of a match that is published here may be anything."""
    form = _pictures(game)
    if form.scene:
        return _checked(form.scene(scene))
    shown = next((data for kind, data in reversed(scene) if kind == "PictureShown"), None)
    if shown is None:
        return None
    picture = _reader().validate_python(shown.get("state"))
    outlines = sum(len(place.outline) for place in picture.places) + sum(len(each.symbol) for each in picture.things)
    if outlines > LONGEST_OUTLINES:
        raise ValueError(f"the outlines of a published picture have at most {LONGEST_OUTLINES} characters")
    return _checked(picture)


def ground_of(game: str) -> Sequence[Place]:
    """Return the places of a game that are the same at every moment but for their owners."""
    return _pictures(game).ground()


def _checked(picture: Picture) -> Picture:
    """Return a picture that can be drawn in a short time. Raise ValueError for any other."""
    if len(picture.places) + len(picture.things) > MOST_PARTS:
        raise ValueError(f"a picture has at most {MOST_PARTS} places and things")
    if not (0 < picture.width < 1e9 and 0 < picture.height < 1e9):
        raise ValueError(f"the size of a picture is positive: {picture.width} by {picture.height}")
    return picture


@cache
def _reader() -> TypeAdapter[Picture]:
    return TypeAdapter(Picture)


def _pictures(game: str) -> Pictures:
    spec = spec_of(game)
    return spec.picture if spec else Pictures()


def colours_of(summary: EpisodeSummary) -> Mapping[SeatId, SeatColours]:
    """Return the colours of the seats."""
    form = _pictures(summary.game)
    both = {**colours([info.seat for info in summary.seats]), **form.colours}
    return {seat: SeatColours(*each, form.washes.get(seat, "")) for seat, each in both.items()}


def card_of(summary: EpisodeSummary, scene: Scene) -> Card:
    """Return the card of the standing as the game words it, or with scores alone if the game does not."""
    if card := _pictures(summary.game).card:
        return card(scene)
    rows = [CardRow(info.seat, info.seat, _score(summary.scores.get(info.seat))) for info in summary.seats]
    return Card(summary.turn, rows)


def headline_of(summary: EpisodeSummary) -> str:
    """Return the headline of a match: its prospects, or its result as its story has it, else the result or message.

    A story has the result if it calls the match decided: other prospects are older than the result.
    """
    outlook = summary.outlook
    if outlook and outlook.headline and (summary.outcome is None or outlook.excitement == 0):
        return outlook.headline
    return summary.outcome.text if summary.outcome else summary.message


def beats_of(game: str) -> Mapping[str, float]:
    """Return the types of the events at which a clip has a frame -> seconds for which it is shown."""
    return _pictures(game).beats


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:g}" if abs(score) >= 100 else f"{score:.3g}"
