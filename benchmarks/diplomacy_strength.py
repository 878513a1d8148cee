"""A trained policy in whole games of Diplomacy against a bot: a row of the tables in docs/results/strength.md.

    python -m benchmarks.diplomacy_strength --policy FOLDER --field dumbbot --games 140 --record games.jsonl

FOLDER is a policy's or a run's. The policy plays `--seats` seats of every game, the bot of `--field` the others, to a
solo or the fall of 1920. Seats rotate: in seven games every seat is the policy's equally often, and with three seats
every pair of seats too. `--search` turns on the search at play time; `--player` measures a built-in bot in place of a
policy, or `search-alone`, that search without proposals. Every game is written to the file of `--record` as it ends,
and those that the file has are not played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Annotated, Any

import torch
import typer

from benchmarks.report import Cell, Columns, Out, mean, publish, table
from grandstand.campaigns.numbers import estimate
from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.registry import game_spec
from grandstand.play.ratings.intervals import bounded_interval
from grandstand.players.options import TrainedOptions
from grandstand.trainer.rollout.live_inference import DecisionRequest, PolicyEngine, searched

OFFSETS = {1: (0,), 3: (0, 1, 3)}
"""Number of seats -> their offsets from the game's number: with three, every pair of seats plays once in seven games.
"""
OPTIONS = DiplomacyOptions(press="none", last_year=1920, stalemate_years=0)

COLUMNS: Columns = [
    "player",
    ("games", "count"),
    "score",
    "score, as a share",
    ("solos", "share"),
    "centres",
    "CPU ms per decision",
]

ALONE = "search-alone"
"""The name of the search at play time without a policy."""

Chooser = Callable[[DiplomacyGame, SeatId, Random], Action]


def play(
    choose: Chooser, seats: int, field: str, number: int, seed: int, options: DiplomacyOptions = OPTIONS
) -> dict[str, Any]:
    """Return the result of a game."""
    own = [POWERS[(number + offset) % len(POWERS)] for offset in OFFSETS[seats]]
    game, seconds, decisions = DiplomacyGame(options), 0.0, 0
    while game.outcome is None:
        for seat in list(game.to_act()):
            rng = Random(f"{seed}/{field}/{number}/{game.turn}/{seat}")
            began = time.process_time()
            action = (choose if seat in own else BOTS[field])(game.clone(), seat, rng)
            if seat in own:
                seconds, decisions = seconds + time.process_time() - began, decisions + 1
            game.apply(seat, action)
    scores, centers = game.outcome.scores, game.state.center_counts()
    return {
        "game": number,
        "scores": {seat: scores[seat] for seat in own},
        "solos": sum(scores[seat] == 1.0 for seat in own),
        "centers": fmean(centers[POWERS.index(seat)] for seat in own),
        "year": game.state.year,
        "seconds": seconds,
        "decisions": decisions,
    }


def policy_chooser(options: TrainedOptions) -> Chooser:
    """Return the policy as it plays in live matches."""
    engine = PolicyEngine(options, game_spec("diplomacy"))

    def choose(game: DiplomacyGame, seat: SeatId, rng: Random) -> Action:
        request = DecisionRequest(game, seat, rng.getrandbits(63))
        answer = engine.ask(request).result()
        if answer.proposals is None:
            return answer.action
        return searched("diplomacy", game, seat, answer.proposals, request.seed).action

    return choose


def search_alone(game: DiplomacyGame, seat: SeatId, rng: Random) -> Action:
    """Return the answer of the search at play time without proposals."""
    return searched("diplomacy", game, seat, (), rng.getrandbits(63)).action


def rows(label: str, results: list[dict[str, Any]]) -> list[list[Cell]]:
    """Return the row of all games, and one for each seat."""
    means = [fmean(result["scores"].values()) for result in results]
    cells: list[Cell] = [
        label,
        len(results),
        mean(means),
        estimate(bounded_interval(means)),
        sum(result["solos"] for result in results) / sum(len(result["scores"]) for result in results),
        fmean(result["centers"] for result in results),
        1000 * sum(result["seconds"] for result in results) / sum(result["decisions"] for result in results),
    ]
    lines = [cells]
    for seat in POWERS:
        scores = [result["scores"][seat] for result in results if seat in result["scores"]]
        if scores:
            lines.append([seat, len(scores), mean(scores), "", "", "", ""])
    return lines


def main(
    policy: Annotated[Path | None, typer.Option(help="The folder of a run or of a whole policy.")] = None,
    player: Annotated[str, typer.Option(help="A built-in bot in place of a policy, or `search-alone`.")] = "",
    version: Annotated[
        str, typer.Option("--version", help="A run's version: a number, `latest` or `base`.")
    ] = "latest",
    temperature: Annotated[float | None, typer.Option("--temperature", min=0.01)] = None,
    search: Annotated[int, typer.Option("--search", min=0, help="Proposals to the search at play time.")] = 0,
    field: Annotated[str, typer.Option(help="The bot in the other seats.")] = "dumbbot",
    seats: Annotated[int, typer.Option(help="1 or 3.")] = 1,
    games: Annotated[int, typer.Option(min=2)] = 140,
    seed: Annotated[int, typer.Option()] = 1,
    record: Annotated[Path | None, typer.Option(help="JSON lines; played games are kept here.")] = None,
    out: Out = None,
) -> None:
    """Play the games and report score, solos, centres and CPU milliseconds per decision, then the score by seat."""
    if (policy is None) == (not player) or seats not in OFFSETS:
        raise typer.BadParameter("give --policy or --player, and --seats 1 or 3")
    torch.set_num_threads(1)
    named = {"version": int(version) if version.isdigit() else version, "temperature": temperature, "search": search}
    if policy is None:
        choose, label = {**BOTS, ALONE: search_alone}[player], player
    else:
        choose = policy_chooser(TrainedOptions.model_validate({"folder": policy, **named}))
        label = ", ".join((str(policy), *(f"{name} {value}" for name, value in named.items() if value is not None)))
    setting = {"player": label, "field": field, "seats": seats, "seed": seed}
    lines = record.read_text().splitlines() if record is not None and record.exists() else []
    kept = [entry for entry in map(json.loads, lines) if all(entry[name] == value for name, value in setting.items())]
    results = {entry["game"]: entry for entry in kept}
    for number in range(games):
        if number not in results:
            results[number] = {**setting, **play(choose, seats, field, number, seed)}
            if record is not None:
                with record.open("a") as file:
                    file.write(json.dumps(results[number]) + "\n")
    section = table("Score", COLUMNS, rows(label, [results[number] for number in range(games)]))
    conditions = f"{seats} of {len(POWERS)} seats, seed {seed}; an equal share is {1 / len(POWERS):.3f}"
    publish(f"{label} against {field}", conditions, [section], out)


if __name__ == "__main__":
    typer.run(main)
