"""The cost of cards and clips: `python -m benchmarks.cards`.

Plays a match of each game and draws its last card, ten more, and a clip of the whole match, in this process. Prints the
CPU time, the size, and the memory of the process at the end.
"""

from __future__ import annotations

import asyncio
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.headless import MatchPlan, play_match
from grandstand.server.cards.drawing import card_svg, clip_frames, clip_moments
from grandstand.server.cards.encoding import encoded_card, encoded_clip
from grandstand.spectator.record_file import read_events

MATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "diplomacy": ("coordinated", {"last_year": 1906}),
    "cricket": ("heuristic", {"overs": 10}),
}


EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"/>'


def main() -> None:
    started = time.process_time()
    encoded_card(EMPTY)
    print(f"loading resvg, and an empty card: {time.process_time() - started:.2f} s")
    for game, (player, options) in MATCHES.items():
        with tempfile.TemporaryDirectory() as folder:
            players = (player,) * len(game_spec(game).seats())
            plan = MatchPlan(f"{game}-1", game, players, options, seed=1, folder=Path(folder))
            asyncio.run(play_match(plan))
            assert plan.file
            measure(game, read_events(plan.file))
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, with the games")


def measure(game: str, events: Sequence[Event]) -> None:
    """Draw cards and a clip of `events`, and print their cost."""
    began = time.process_time()
    cards = [encoded_card(card_svg(events[: len(events) * number // 10])) for number in range(1, 11)]
    each = (time.process_time() - began) / len(cards)
    print(f"{game}: a card {each:.2f} s, {max(map(len, cards)) / 1000:.0f} kB")
    first = next(event.seq for event in events if event.type == "TurnStarted")
    last = events[-1].seq
    while True:
        try:
            moments, seconds = clip_moments(events, first, last)
            break
        except ValueError:
            last = first + (last - first) * 3 // 4
    began = time.process_time()
    clip = encoded_clip(clip_frames(events, moments), seconds)
    print(f"{game}: a clip of {len(moments)} frames {time.process_time() - began:.1f} s, {len(clip) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
