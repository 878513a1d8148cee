"""CPU time and size of cards and clips.

    python -m benchmarks.cards

A match of each game between built-in players, with seed 1: the first card of the process, with the time that resvg and
the typefaces take to load; ten moments as cards; and a clip of the whole match. To compare two
commits, run it alternately in a checkout of each.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.report import Cell, add_out, publish, table
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


def measure(game: str, events: Sequence[Event]) -> list[list[Cell]]:
    """Draw cards and a clip of `events`, and return a row of their cost for each."""
    stops = [len(events) * number // 10 for number in range(1, 11)]
    first, alone = seconds(lambda: encoded_card(card_svg(events[: stops[0]])))
    cards, each = seconds(lambda: [encoded_card(card_svg(events[:stop])) for stop in stops])
    moments, times = clip_moments(events, next(e.seq for e in events if e.type == "TurnStarted"), events[-1].seq)
    clip, whole = seconds(lambda: encoded_clip(clip_frames(events, moments), times))
    return [
        [f"{game}, the first card of the process", alone, len(first)],
        [f"{game}, a card", each / len(cards), max(map(len, cards))],
        [f"{game}, a clip of {len(moments)} frames", whole, len(clip)],
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_out(parser)
    options = parser.parse_args()
    rows = []
    for game in MATCHES:
        with tempfile.TemporaryDirectory() as folder:
            rows += measure(game, played(game, Path(folder)))
    section = table("Cost", ["measurement", "CPU seconds", ("size", "bytes")], rows)
    publish("Cards and clips", "A match of each game, seed 1", [section], options.out)


if __name__ == "__main__":
    main()
