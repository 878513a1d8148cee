#!/usr/bin/env python3
"""Play matches of the showcase's players and print how good the chances of the viewers' questions were.

    scripts/question_chances.py werewolf --matches 100 --seed 5000

Of each kind: the questions, and the mean Brier score of the chances when it was first asked and when it was closed, and
of equal chances. Of those with yes and no also the mean chance of yes and the share of yes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grandstand.games.questions import YES, Closed, ViewerQuestion, brier  # noqa: E402
from grandstand.games.registry import game_spec  # noqa: E402
from grandstand.games.story import StoryEvent  # noqa: E402
from grandstand.models import Event  # noqa: E402
from grandstand.play.headless import MatchPlan, play_match  # noqa: E402
from grandstand.spectator.replay import from_lines  # noqa: E402

Row = tuple[ViewerQuestion, ViewerQuestion, Mapping[str, float]]
"""A question as it was first asked, as it was closed, and its answer."""


def answers(game: str, events: Sequence[Event]) -> list[Row]:
    """Return the questions of a match that have an answer."""
    asker = game_spec(game).story.questions()
    first: dict[str, ViewerQuestion] = {}
    last: dict[str, ViewerQuestion] = {}
    closed: set[str] = set()
    rows: list[Row] = []
    for event in events:
        if event.audience != "public":
            continue
        for asking in asker.read([StoryEvent(event.seq, event.type, event.data)]):
            if isinstance(asking, ViewerQuestion):
                first.setdefault(asking.key, asking)
                last[asking.key] = asking
            elif isinstance(asking, Closed):
                closed.add(asking.key)
            elif asking.shares and asking.key in closed:
                rows.append((first[asking.key], last[asking.key], asking.shares))
    return rows


async def play(game: str, matches: int, seed: int) -> list[Row]:
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        for number in range(seed, seed + matches):
            players = tuple(game_spec(game).bots.showcase(Random(number)))
            plan = MatchPlan(f"{game}-{number}", game, players, {}, number, folder=Path(folder))
            await play_match(plan)
            assert plan.file is not None
            with plan.file.open(encoding="utf-8") as file:
                rows += answers(game, from_lines(file).events)
            plan.file.unlink()
    return rows


def table(rows: Sequence[Row]) -> None:
    kinds: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kinds[row[0].kind].append(row)
    print(f"{'question':10}{'asked':>7}{'first':>8}{'closed':>8}{'equal':>8}{'chance':>8}{'yes':>8}")
    for kind, own in kinds.items():
        scores = [
            (brier(first.chances, shares), brier(last.chances, shares), brier(first.equal, shares))
            for first, last, shares in own
        ]
        means = "".join(f"{sum(column) / len(own):8.3f}" for column in zip(*scores, strict=True))
        yes = [(last.chances[YES], shares.get(YES, 0.0)) for _, last, shares in own if YES in last.chances]
        figures = "".join(f"{sum(column) / len(yes):8.3f}" for column in zip(*yes, strict=True))
        print(f"{kind:10}{len(own):7}{means}{figures}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args()
    table(asyncio.run(play(options.game, options.matches, options.seed)))


if __name__ == "__main__":
    main()
