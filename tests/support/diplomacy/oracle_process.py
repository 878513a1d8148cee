"""The `diplomacy` package behind a pipe: one JSON command per line in, one JSON answer per line out.

Runs in a process of its own, with the package on its path; nothing else imports it.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from diplomacy import Game  # type: ignore[import-not-found]
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format  # type: ignore[import-not-found]


def game_at(position: Any) -> Any:
    game = Game()
    units = {
        power: [*position["units"][power], *("*" + unit for unit in position["retreats"].get(power, ()))]
        for power in game.powers
    }
    retreats = {power: position["retreats"].get(power, {}) for power in game.powers}
    game.set_state({"name": position["phase"], "units": units, "retreats": retreats, "centers": position["centers"]})
    return game


def position_data(game: Any) -> Any:
    state = game.get_state()
    return {
        "phase": state["name"],
        "units": {power: [u for u in units if u[0] != "*"] for power, units in state["units"].items()},
        "retreats": state["retreats"],
        "centers": state["centers"],
    }


def play(command: Any) -> Any:
    """One phase from a position."""
    game = game_at(command["position"])
    for power, orders in command["orders"].items():
        game.set_orders(power, orders)
    refused = [str(error) for error in game.error]
    game.process()
    results: Any = next(iter(game.result_history.values()), {})
    return {
        **position_data(game),
        "results": {u: [str(r) for r in rs] for u, rs in results.items()},
        "refused": refused,
    }


def legal(command: Any) -> Any:
    """All possible orders of a position, by location."""
    return game_at(command["position"]).get_all_possible_orders()


def load(command: Any) -> Any:
    """A saved game, loaded and written again."""
    return to_saved_game_format(from_saved_game_format(command["saved"]))


def random_game(command: Any) -> Any:
    """A saved game of random play."""
    rng = random.Random(command["seed"])
    game = Game()
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= command["last_year"]:
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            due = abs(game.get_state()["builds"][power]["count"]) if game.phase_type == "A" else len(places)
            chosen = rng.sample(sorted(places), due)
            game.set_orders(power, [rng.choice(sorted(possible[at])) for at in chosen if possible[at]])
        game.process()
    return to_saved_game_format(game)


def reach(command: Any) -> Any:
    """Every unit of the map and where it can move without convoy."""
    board = Game().map
    places = [place.upper() for place in board.locs]
    units = [f"{kind} {place}" for kind in "AF" for place in places if board.is_valid_unit(f"{kind} {place}")]
    return {
        unit: sorted(to for to in places if board.abuts(unit[0], unit[2:], "-", to) and f"{unit[0]} {to}" in units)
        for unit in units
    }


COMMANDS = {"play": play, "legal": legal, "load": load, "random_game": random_game, "reach": reach}

if __name__ == "__main__":
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(COMMANDS[command["do"]](command)), flush=True)  # noqa: T201
