"""CPU time and size of cards and clips.

    python -m benchmarks.cards

A match of each game between built-in players, with seed 1: the first card of the process, with the time that resvg and
the typefaces take to load; ten moments as cards; and a clip of the whole match. To compare two
commits, run it alternately in a checkout of each.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.headless import MatchPlan, play_match
from grandstand.server.cards.drawing import card_svg, clip_frames, clip_moments
from grandstand.server.cards.encoding import encoded_card, encoded_clip
from grandstand.spectator.record_file import read_events

MATCHES: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "diplomacy": ("coordinated", {"last_year": 1906}),
    "cricket": ("heuristic", {"overs": 10}),
}

Result = TypeVar("Result")


def played(game: str, folder: Path) -> Sequence[Event]:
    """Return the events of a match."""
    player, options = MATCHES[game]
    players = (player,) * len(game_spec(game).seats())
    plan = MatchPlan(f"{game}-1", game, players, options, seed=1, folder=folder)
    asyncio.run(play_match(plan))
    assert plan.file
    return read_events(plan.file)


def seconds(draw: Callable[[], Result]) -> tuple[Result, float]:
    """Return what `draw` returns, and its CPU seconds."""
    began = time.process_time()
    result = draw()
    return result, time.process_time() - began


def measure(game: str, events: Sequence[Event]) -> None:
    """Draw cards and a clip of `events`, and print their cost."""
    stops = [len(events) * number // 10 for number in range(1, 11)]
    first, alone = seconds(lambda: encoded_card(card_svg(events[: stops[0]])))
    cards, each = seconds(lambda: [encoded_card(card_svg(events[:stop])) for stop in stops])
    moments, times = clip_moments(events, next(e.seq for e in events if e.type == "TurnStarted"), events[-1].seq)
    clip, whole = seconds(lambda: encoded_clip(clip_frames(events, moments), times))
    print(f"{game}: the first card {alone:.3f} s, {len(first) / 1000:.0f} kB")
    print(f"{game}: a card {each / len(cards):.3f} s, {max(map(len, cards)) / 1000:.0f} kB")
    print(f"{game}: a clip of {len(moments)} frames {whole:.2f} s, {len(clip) / 1e6:.2f} MB")


def main() -> None:
    for game in MATCHES:
        with tempfile.TemporaryDirectory() as folder:
            measure(game, played(game, Path(folder)))


if __name__ == "__main__":
    main()
