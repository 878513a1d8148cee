"""The style of bots beside that of people: kinds of orders, bounces, supports of others, fleets, openings; as Markdown.

    python -m benchmarks.diplomacy_style --games 7 --seed 1 --players coordinated,showcase

Each row is of games between seven of one bot, to the end of 1910; `showcase` is the line-up of the first page, seven
characters that negotiate. The row of people is of twenty human games with press, from the test data.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console

from benchmarks import diplomacy_press
from grandstand.games.diplomacy.bots import PLANNERS, POLICIES
from grandstand.games.diplomacy.bots.openings import book
from grandstand.games.diplomacy.bots.stance import Plan, public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.record.saved_game import read_saved_game
from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import IS_FLEET, POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA
from grandstand.games.diplomacy.rules.state import SPRING, Resolution, State

HUMAN_GAMES = Path(__file__).parents[1] / "tests/games/diplomacy/data/human_games.jsonl.gz"
LAST_YEAR = 1910
LARGE = 7
"""Centres from which the mix of units is counted."""
WATCHED = ("ENGLAND", "TURKEY", "AUSTRIA")
DEFAULT = "coordinated,search-fast,search,showcase,dumbbot,defensive,territorial"


@dataclass
class Style:
    """Counts over the movement phases of some games."""

    orders: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    fleets: Counter[int] = field(default_factory=Counter)
    units: Counter[int] = field(default_factory=Counter)
    openings: list[Counter[str]] = field(default_factory=lambda: [Counter() for _ in POWERS])
    known: int = 0
    """Openings that are in the book of human games."""

    def add_game(self, phases: Iterable[Resolution]) -> None:
        """Count one game, given by its movement phases."""
        played = list(phases)
        self._add_openings(played[0])
        for resolution in played:
            self._add_orders(resolution)
            self._add_mix(resolution.before)
        for earlier, later in pairwise(played):
            self._add_repeats(earlier, later)

    def _add_orders(self, resolution: Resolution) -> None:
        movement = resolution.movement
        assert movement is not None
        for province, (power, _) in resolution.before.units.items():
            kind, _, a, _ = resolution.orders.get(province, (HOLD, 0, 0, 0))
            if kind in (MOVE, VIA):
                self.orders["move"] += 1
                self.events["bounced"] += province not in movement.moved
                self.events["jammed"] += _jammed(movement, province)
            elif kind in (SUPPORT, SUPPORT_MOVE):
                self.orders["support"] += 1
                backed = resolution.before.units.get(UNIT_PROVINCE[a])
                self.events["foreign"] += backed is not None and backed[0] != power
                self.events["void"] += province in movement.void
            else:
                self.orders["convoy" if kind == CONVOY else "hold"] += 1

    def _add_repeats(self, earlier: Resolution, later: Resolution) -> None:
        assert earlier.movement is not None
        for mover in earlier.movement.target:
            same = later.before.units.get(mover) == earlier.before.units[mover]
            if mover not in earlier.movement.moved and same:
                self.events["bounced and there"] += 1
                self.events["repeated"] += later.orders.get(mover) == earlier.orders[mover]

    def _add_mix(self, state: State) -> None:
        counts = state.center_counts()
        if state.phase == SPRING:
            for power, unit in state.units.values():
                if counts[power] >= LARGE:
                    self.fleets[power] += IS_FLEET[unit]
                    self.units[power] += 1

    def _add_openings(self, first: Resolution) -> None:
        for power in range(len(POWERS)):
            own = {at: order for at, order in first.orders.items() if first.before.units[at][0] == power}
            self.openings[power][str(sorted(own.items()))] += 1
            self.known += own in [plan for plan, _ in book()[power]]

    def row(self, name: str) -> str:
        """Return the row of the table."""
        orders, events = self.orders, self.events
        cells = [
            name,
            *(_share(orders[kind], orders.total()) for kind in ("hold", "move", "support")),
            _share(events["foreign"], orders["support"]),
            _share(orders["convoy"], orders.total()),
            _share(events["bounced"], orders["move"]),
            _share(events["repeated"], events["bounced and there"]),
            _share(events["repeated"], orders["move"]),
            _share(events["jammed"], orders["move"]),
            _share(events["void"], orders["support"]),
            " / ".join(_share(self.fleets[POWER[name]], self.units[POWER[name]]) for name in WATCHED),
            _share(self.known, sum(counted.total() for counted in self.openings)),
            f"{sum(map(len, self.openings)) / len(POWERS):.1f}",
        ]
        return f"| {' | '.join(cells)} |"


HEADER = (
    "| | hold | move | support | foreign, of supports | convoy | bounced, of moves | same again, of bounced "
    "| same again, of moves | jammed behind a friend, of moves | void, of supports "
    "| fleets at 7 centres and more: England / Turkey / Austria "
    "| openings known from people | openings per power |\n" + "|---" * 14 + "|"
)


def _jammed(movement: Movement, mover: int) -> bool:
    """Return whether a unit of its own power stayed where the mover wanted to go."""
    there = movement.target.get(mover)
    return (
        mover not in movement.moved
        and there is not None
        and there in movement.units
        and there not in movement.moved
        and movement.units[there][0] == movement.units[mover][0]
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def human_games() -> Iterator[list[Resolution]]:
    """Yield the movement phases of each human game."""
    with gzip.open(HUMAN_GAMES, "rt", encoding="utf-8") as lines:
        for line in lines:
            phases = [phase for phase in read_saved_game(json.loads(line)) if phase.state.name.endswith("M")]
            yield [phase.state.resolve(phase.book.orders) for phase in phases if phase.book.orders]


def bot_game(name: str, seed: str) -> Iterator[Resolution]:
    """Yield the movement phases of a game between seven of a bot that know the public record."""
    state, relations = State.start(), Relations()
    while state.year <= LAST_YEAR and state.solo() is None:
        orders: Plan = {}
        for power in state.to_act():
            rng = Random(f"{seed}/{state.name}/{power}")
            if name in PLANNERS:
                orders.update(PLANNERS[name](state, power, rng, public_stance(state, power, relations)))
            else:
                orders.update(POLICIES[name](state, power, rng))
        resolution = state.resolve(orders)
        relations = relations.after(resolution)
        if resolution.movement is not None:
            yield resolution
        state = resolution.after


def main(
    games: Annotated[int, typer.Option(help="games per row")] = 14,
    seed: Annotated[int, typer.Option(help="seed of all games")] = 1,
    players: Annotated[str, typer.Option(help="rows, separated by commas: bots, or showcase")] = DEFAULT,
) -> None:
    """Print the table of style."""
    print(HEADER)
    people = Style()
    for phases in human_games():
        people.add_game(phases)
    print(people.row("people"), flush=True)
    for name in players.split(","):
        style = Style()
        for game in range(games):
            Console(stderr=True).print(f"{name}: game {game + 1} of {games}", end="\r")
            if name == "showcase":
                style.add_game(asyncio.run(diplomacy_press.play(seed + game, LAST_YEAR)).phases)
            else:
                style.add_game(bot_game(name, f"{seed}/{name}/{game}"))
        print(style.row(name), flush=True)


if __name__ == "__main__":
    typer.run(main)
