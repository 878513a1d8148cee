"""Moments of a match on small boards: a glance at one, and the short replay of what happened."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence
from functools import cache

from pydantic import TypeAdapter

from grandstand.events import FactNoted, TurnStarted
from grandstand.games.base import OptionError
from grandstand.games.picture import Picture, Place
from grandstand.models import Event
from grandstand.play.scenes import card_of, ground_of, picture_of, public_scene
from grandstand.server.bodies.lobby import KeyMoment
from grandstand.server.bodies.matches import Excerpt, Glance
from grandstand.server.cards.drawing import clip_moments
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.summary import summary_at

log = logging.getLogger(__name__)

KEY = 0.5
"""The importance from which a fact is a key moment."""

LONGEST = 400
"""Number of events that a moment has at most. A turn that is longer is shown from its middle."""

SHOTS = 4
"""Number of moments of a short replay at most, after the first."""

_PICTURE = TypeAdapter(Picture)


def glance(events: Sequence[Event], seq: int) -> Glance:
    """Return the moment `seq` of an episode as all may know it; `events` are those released to spectators."""
    summary = summary_at(events, seq)
    scene = public_scene(events[: seq + 1])
    try:
        picture, card = picture_of(summary.game, scene), card_of(summary, scene)
    except Exception:
        # A published match is recorded as it was sent, so its data may be anything.
        log.warning("episode %s: event %d cannot be drawn", summary.episode_id, seq, exc_info=True)
        picture, card = None, card_of(summary.model_copy(update={"game": ""}), [])
    owners: dict[str, str] | None = None
    drawn: dict[str, object] | None = None
    if picture and (ground := _ground(summary.game)):
        owners = {place.id: place.owner for place in picture.places if place.id in ground and place.owner}
        picture = dataclasses.replace(picture, places=[each for each in picture.places if each.id not in ground])
    if picture:
        drawn = _PICTURE.dump_python(picture, mode="json", exclude_defaults=True)
    return Glance(picture=drawn, owners=owners, rows=list(card.rows), facts=list(card.facts))


@cache
def _ground(game: str) -> frozenset[str]:
    return frozenset(place.id for place in ground_of(game))


def ground(game: str) -> bytes:
    """Return the places of a game's ground as JSON, without the fields that have their defaults."""
    return TypeAdapter(Sequence[Place]).dump_json(ground_of(game), exclude_defaults=True)


def excerpt(summary: EpisodeSummary, events: Sequence[Event], first: int, last: int) -> Excerpt:
    """Return the short replay of what happened after the moment `first` of an episode, up to `last`."""
    try:
        moments, _ = clip_moments(events, first, last)
    except OptionError:  # no turn, or too many
        moments = [first, last]
    shots: list[Glance] = []
    for moment in [moments[0], *moments[1:][-SHOTS:]]:
        shot = glance(events, moment)
        if shot not in shots[-1:]:
            shots.append(shot)
    return Excerpt(episode=summary, shots=shots)


def key_moment(summary: EpisodeSummary, events: Sequence[Event], since: int) -> KeyMoment | None:
    """Return the last fact of importance that all may know among the events from number `since`, or None."""
    for event in reversed(events[since:]):
        if event.type == FactNoted.__name__ and event.audience == "public":
            fact = FactNoted.model_validate(event.data)
            if fact.importance >= KEY:
                last = min(event.seq, max(fact.rests_on, default=0))
                first = max(_turn_start(events, last), last - LONGEST)
                drawn = excerpt(summary, events, first, last)
                return KeyMoment(seq=event.seq, first=first, last=last, text=fact.text, excerpt=drawn)
    return None


def _turn_start(events: Sequence[Event], seq: int) -> int:
    """Return the number of the event before `seq` with which a turn began, or 0."""
    return next((at for at in range(seq - 1, 0, -1) if events[at].type == TurnStarted.__name__), 0)
