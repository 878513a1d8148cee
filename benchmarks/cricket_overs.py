"""What plans for overs cost and save a captain, beside decisions ball by ball: figures of docs/cricket-tactics.md.

    python -m benchmarks.cricket_overs --matches 20

`heuristic` by plans plays `heuristic` ball by ball, every seed from both sides. The prompts are those of a language
model in matches of `heuristic` with itself, system prompts included, a token counted as four characters.
"""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Annotated

import typer

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.bots.heuristic import ball_by_ball, heuristic
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import DECISIONS, CricketOptions
from grandstand.games.cricket.simulate import Captain, play_match
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.match import event_data
from grandstand.play.ratings.intervals import mean_interval

_TOKEN = 4
"""Characters of a token."""


def by_balls(game: CricketGame, seat: SeatId, rng: Random) -> Action:
    """Decide like `heuristic` in a match of ball by ball decisions."""
    return ball_by_ball(game.state, seat, rng) if game.state.stage == "play" else heuristic(game, seat, rng)


def measured(seed: int) -> list[float]:
    """Return score, score less luck and net decisions of the captain that plans, means of both sides."""
    rows = []
    for seat in SEATS:
        captains: tuple[Captain, Captain] = (heuristic, by_balls) if seat == SEATS[0] else (by_balls, heuristic)
        game, events = play_match(CricketOptions(decisions="over"), seed, *captains)
        assert game.outcome is not None
        numbers = measures([(type(event).__name__, event_data(event)) for event in events], seat)
        rows.append((game.outcome.scores[seat], numbers["score_less_luck"], numbers["decisions"]))
    return [fmean(column) for column in zip(*rows, strict=True)]


def prompts(decisions: str, seed: int) -> tuple[float, float]:
    """Return how often a side is asked in a match, and the tokens of its prompts."""
    asked = characters = 0

    def captain(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        nonlocal asked, characters
        asked += 1
        characters += len(REPLY.system_prompt(game, seat)) + len(REPLY.prompt(game, seat))
        return heuristic(game, seat, rng)

    play_match(CricketOptions(decisions=decisions, win_probability=False), seed, captain, captain)
    return asked / 2, characters / 2 / _TOKEN


def main(
    matches: Annotated[int, typer.Option(min=2, help="Seeds, each played from both sides.")] = 20,
    first: Annotated[int, typer.Option(min=0, help="The first match seed.")] = 500,
    prompted: Annotated[int, typer.Option(min=1, help="Matches whose prompts are counted.")] = 3,
) -> None:
    """Print a row for each figure."""
    rows = [measured(seed) for seed in range(first, first + matches)]
    for name, values in zip(("score", "score less luck", "net decisions"), zip(*rows, strict=True), strict=True):
        print(
            f"| {name}, by overs against ball by ball | {fmean(values):.3f} ± {mean_interval(values).margin or 0:.3f} |"
        )
    for decisions in DECISIONS:
        counts = [prompts(decisions, seed) for seed in range(first, first + prompted)]
        asked, tokens = (fmean(column) for column in zip(*counts, strict=True))
        print(f"| {decisions}: requests, tokens of prompts, a side and match | {asked:.0f}, {tokens:,.0f} |")


if __name__ == "__main__":
    typer.run(main)
