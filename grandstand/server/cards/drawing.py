"""Moments and ranges of an episode as SVG: the part of drawing a card or clip that needs its events."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from grandstand.events import TurnStarted
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.scenes import beats_of, card_of, colours_of, game_title, headline_of, picture_of, public_scene
from grandstand.server.cards.layout import About, laid_out
from grandstand.spectator.summary import summary_at

log = logging.getLogger(__name__)

SILENT = frozenset({"PlayerThinking", "ActionRequested", "NegotiationHeld", "CommentAdded", "FactNoted"})
"""Types of events that change no card."""
MOST_BEATS = 240
"""The most turns or balls in the range of a clip."""
MOST_FRAMES = 60
"""The most frames of a clip. If there are more beats, some are left out at equal distances."""
LONGEST = 30.0
"""Seconds of a clip without its last frame."""
LAST = 2.5
"""Seconds for which the last frame is shown."""


def anchor(events: Sequence[Event], seq: int) -> int:
    """Return the number of the last event up to `seq` that changes a card: all cards from there to `seq` are equal."""
    while seq > 0 and (events[seq].audience != "public" or events[seq].type in SILENT):
        seq -= 1
    return seq


def card_svg(events: Sequence[Event], seq: int | None = None) -> str:
    """Return the card of number `seq` of `events`, by default the last; they start at seq 0 and may go on after it."""
    if seq is None:
        seq = len(events) - 1
    summary = summary_at(events, seq)
    about = About(
        game=game_title(summary.game),
        title=summary.title,
        headline=headline_of(summary),
        players={info.seat: info.player for info in summary.seats},
        chances=summary.outlook.chances if summary.outlook and not summary.outcome else {},
        colours=colours_of(summary),
    )
    scene = public_scene(events[: seq + 1])
    try:
        return laid_out(picture_of(summary.game, scene), card_of(summary, scene), about)
    except Exception:
        # A published match is recorded as it was sent, so its data may be anything.
        log.warning("episode %s: event %d cannot be drawn", summary.episode_id, summary.last_seq, exc_info=True)
        return laid_out(None, card_of(summary.model_copy(update={"game": ""}), []), about)


def clip_moments(events: Sequence[Event], first: int, last: int) -> tuple[list[int], list[float]]:
    """Return the moments of the frames of a clip, and the seconds for which each is shown.

    A frame shows the result of its beat: the moment just before the next beat. The clip of one moment is a still.
    Raise OptionError if the range has no beats, or too many.
    """
    beats = beats_of(events[0].data["game"])
    numbers = [
        event.seq for event in events[first + 1 : last + 1] if event.audience == "public" and event.type in beats
    ]
    if not numbers:
        raise OptionError(f"last: no turn or ball is between {first} and {last}; choose a longer range")
    if len(numbers) > MOST_BEATS:
        raise OptionError(
            f"last: {len(numbers)} turns or balls are between {first} and {last}, and a clip has at most {MOST_BEATS}; "
            "choose a shorter range"
        )
    moments = [*(number - 1 for number in numbers[1:]), last]
    seconds = [beats[events[number].type] for number in numbers]
    if any(event.type == TurnStarted.__name__ for event in events[: first + 1]):
        moments, seconds = [first, *moments], [min(beats.values()), *seconds]
    chosen = _thinned(list(range(len(moments))))
    moments, seconds = [moments[number] for number in chosen], [seconds[number] for number in chosen]
    haste = LONGEST / max(LONGEST, sum(seconds[:-1]))
    return moments, [*(max(0.2, each * haste) for each in seconds[:-1]), LAST]


def _thinned(numbers: list[int]) -> list[int]:
    """Return at most MOST_FRAMES of `numbers`, evenly spaced, the first and the last among them."""
    if len(numbers) <= MOST_FRAMES:
        return numbers
    step = (len(numbers) - 1) / (MOST_FRAMES - 1)
    return [numbers[round(step * number)] for number in range(MOST_FRAMES)]


def clip_frames(events: Sequence[Event], moments: Sequence[int]) -> list[str]:
    """Return the cards of `moments`, the frames of a clip."""
    return [card_svg(events, moment) for moment in moments]
