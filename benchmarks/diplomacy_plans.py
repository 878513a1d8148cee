"""The worth of orders against players who search: a table in docs/results/strength.md.

    python -m benchmarks.diplomacy_plans --policy FOLDER --search 4 --positions 100

In positions from games between bots, one power is ordered by each of several players, and the others `DRAWS` times by
the bot `search`. Every pair is rolled out, and the end judged as `search` judges it: by the expected share of the final
score (`bots/search/worth.py`). All players meet the same orders and the same noise, so that their differences
are known far better than by whole games. It says nothing of what an order is worth later than the rollout's end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Annotated

import numpy as np
import torch
import typer

from benchmarks.diplomacy_strength import ALONE, Chooser, policy_chooser, search_alone
from benchmarks.report import Cell, Out, mean, publish, table
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_orders
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.players.options import TrainedOptions
from grandstand.report import Value

DRAWS = 8
"""Joint orders of the others, by `search` with other random streams."""
NOISES = 4
"""Rollouts of each."""
SEASONS = (3, 29)
"""The movement phases, from 1902 to 1915, from which the position of a game is drawn."""
SEARCHED = 6
"""The phases before it that `search-fast` plays; `coordinated` plays the ones before."""
CONTROL = "search"
OPTIONS = DiplomacyOptions(press="none", last_year=1920)


def position(seed: int) -> DiplomacyGame | None:
    """Return a game in its measured position; None if it was over before."""
    rng, game, seasons = Random(seed), DiplomacyGame(OPTIONS), 0
    until = rng.randint(*SEASONS)
    while game.outcome is None:
        if game.state.phase in (SPRING, FALL):
            if seasons == until:
                return game
            seasons += 1
        bot = BOTS["search-fast" if until - seasons < SEARCHED else "coordinated"]
        for seat in list(game.to_act()):
            game.apply(seat, bot(game.clone(), seat, Random(f"{seed}/{game.turn}/{seat}")))
    return None


def worths(game: DiplomacyGame, seed: int, players: Mapping[str, Chooser]) -> dict[str, tuple[float, float]]:
    """Return, by player, the worth of its orders for one power, and their CPU seconds."""
    seats = list(game.to_act())
    seat = Random(f"{seed}/seat").choice(seats)
    draws: list[Plan] = [
        {place: order for other in seats if other != seat
         for place, order in _plan(game, other, BOTS[CONTROL], f"{seed}/{draw}/{other}").items()}
        for draw in range(DRAWS)
    ]  # fmt: skip
    out = {}
    for name, choose in players.items():
        began = time.process_time()
        own = _plan(game, seat, choose, f"{seed}/own")
        seconds = time.process_time() - began
        joint = [draw | own for draw in draws for _ in range(NOISES)]
        scores = results(game.state, joint, np.random.default_rng(seed), len(joint))
        out[name] = float(scores[:, POWERS.index(seat)].mean()), seconds
    return out


def _plan(game: DiplomacyGame, seat: str, choose: Chooser, label: str) -> Plan:
    return read_orders(game.state, {"orders": {seat: choose(game.clone(), seat, Random(label))["orders"]}}).orders


def main(
    policy: Annotated[Path | None, typer.Option(help="The folder of a run or of a whole policy.")] = None,
    search: Annotated[int, typer.Option(min=1, help="Its proposals to the search at play time.")] = 4,
    positions: Annotated[int, typer.Option(min=2)] = 100,
    first: Annotated[int, typer.Option(min=0, help="The seed of the first position; the others follow it.")] = 0,
    out: Out = None,
) -> None:
    """Report what each player's orders are worth more than those of `search`, with 95 % intervals over positions."""
    torch.set_num_threads(1)
    players: dict[str, Chooser] = {name: BOTS[name] for name in (CONTROL, "coordinated", "dumbbot")}
    players[ALONE] = search_alone
    if policy is not None:
        options = TrainedOptions(folder=policy, temperature=1.0)
        players["policy"] = policy_chooser(options)
        players["policy with search"] = policy_chooser(options.model_copy(update={"search": search}))
    found: list[dict[str, tuple[float, float]]] = []
    seed = first
    while len(found) < positions:
        game, seed = position(seed), seed + 1
        if game is not None:
            found.append(worths(game, seed, players))

    def more(name: str, than: str) -> Value:
        return mean([each[name][0] - each[than][0] for each in found])

    rows: list[list[Cell]] = [
        [name, more(name, CONTROL), 1000 * fmean(each[name][1] for each in found)] for name in players
    ]
    if policy is not None:
        rows.append(["what proposals add", more("policy with search", ALONE), None])
    worth = fmean(each[CONTROL][0] for each in found)
    section = table("Worth of orders", ["player", (f"more than {CONTROL}", "signed"), ("CPU ms", "count")], rows)
    conditions = f"{positions} positions from seeds {first} to {seed - 1}; orders of {CONTROL} are worth {worth:.4f}"
    publish("Orders against players who search", conditions, [section], out)


if __name__ == "__main__":
    typer.run(main)
