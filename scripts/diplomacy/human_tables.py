"""Writes the tables of human play in `games/diplomacy/data` from the twenty human games of the test data.

python scripts/diplomacy/human_tables.py
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

from grandstand.games.diplomacy.record.saved_game import read_saved_game
from grandstand.games.diplomacy.rules.map import IS_FLEET, POWERS, START_YEAR
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import SPRING

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests/games/diplomacy/data/human_games.jsonl.gz"
TABLES = ROOT / "grandstand/games/diplomacy/data"
BANDS = (1, 5, 7, 10)
"""Fewest centres of each band in the table of fleets."""


def openings(games: list[dict[str, Any]]) -> list[list[str | int]]:
    """Return rows of power, number of games and the orders of the first spring, the most frequent first."""
    rows: list[list[str | int]] = []
    counts: list[Counter[str]] = [Counter() for _ in POWERS]
    for saved in games:
        first = read_saved_game(saved)[0]
        for power in range(len(POWERS)):
            own = [order for at, order in first.book.orders.items() if first.state.units[at][0] == power]
            counts[power]["; ".join(order_text(order) for order in own)] += 1
    for power, counted in enumerate(counts):
        rows += [[POWERS[power], count, orders] for orders, count in counted.most_common()]
    return rows


def fleets(games: list[dict[str, Any]]) -> list[list[str | int]]:
    """Return rows of power, fewest centres of the band, fleets and units in springs after the first."""
    counts = {(power, band): [0, 0] for power in range(len(POWERS)) for band in BANDS}
    for saved in games:
        for phase in read_saved_game(saved):
            if phase.state.phase != SPRING or phase.state.year == START_YEAR:
                continue
            centers = phase.state.center_counts()
            for power, unit in phase.state.units.values():
                band = max(band for band in BANDS if band <= max(1, centers[power]))
                counts[power, band][0] += IS_FLEET[unit]
                counts[power, band][1] += 1
    return [[POWERS[power], band, *counted] for (power, band), counted in counts.items()]


def _write(name: str, header: list[str], rows: list[list[str | int]]) -> None:
    with (TABLES / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    """Write both tables."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    _write("openings.csv", ["power", "games", "orders"], openings(games))
    _write("fleets.csv", ["power", "centers", "fleets", "units"], fleets(games))


if __name__ == "__main__":
    main()
