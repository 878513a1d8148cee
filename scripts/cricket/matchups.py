"""Measure what the turn of the ball away from a batter changes: log-odds against a dot ball, by kind of bowling.

    python -m scripts.cricket.matchups --balls balls_train_2018_2024.csv.gz --squads ipl_2026_squads.csv [--write]

The balls have a bowler's style and a batter's id, the squads have the hands of batters by id. A logit for each class
against the dot ball has over, balls faced, wickets down, season, style, and every batter and bowler with the spread of
abilities as the prior; what is left is the interaction of hand and style. With `--write`, the effect of finger spin,
each class shrunk by its standard error, becomes `matchup` in games/cricket/data/ball_model.json.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from grandstand.games.cricket.model.ball_model import DATA, SET_BIN, Array
from scripts.cricket.build_model import OUT, RUN_CLASSES, dumps

AWAY: Final = {
    "Right-arm off-spin": ("finger", "Left-hand"), "Left-arm orthodox": ("finger", "Right-hand"),
    "Right-arm leg-spin": ("wrist", "Right-hand"), "Left-arm wrist spin": ("wrist", "Left-hand"),
    "Right-arm pace": ("pace", "Left-hand"), "Left-arm pace": ("pace", "Right-hand"),
}  # fmt: skip
"""Style -> (kind, the hand from which the stock ball turns away; for pace, the hand across which it is angled)."""
TURNS = 12
"""Newton steps of a fit."""
WEAK = 0.1
"""The precision of the prior of a state's effect."""
Row = dict[str, str]


def columns(rows: list[Row]) -> tuple[Array, Array]:
    """Return [ball, column] and the precision of each column's prior; the first column is the turn away."""
    away = np.array([float(row["hand"] == AWAY[row["style"]][1]) for row in rows])
    parts: list[Array] = [(away - away.mean())[:, None], np.ones((len(rows), 1))]
    precision = [0.0, 0.0]
    ability = DATA["ability"]
    states: list[tuple[Callable[[Row], object], float]] = [
        (lambda row: row["over"], WEAK),
        (lambda row: SET_BIN[int(row["bat_bf"])], WEAK),
        (lambda row: min(int(row["wkts"]), 7), WEAK),
        (lambda row: row["season"], WEAK),
        (lambda row: row["style"], WEAK),
        (lambda row: row["batter_id"], ability["sd_batter"] ** -2),
        (lambda row: row["bowler_id"], ability["sd_bowler"] ** -2),
    ]
    for of, weight in states:
        values = [of(row) for row in rows]
        names = sorted(set(values), key=str)
        parts.append(np.eye(len(names))[[names.index(value) for value in values]])
        precision += [weight] * len(names)
    return np.hstack(parts), np.array(precision)


def effect(known: Array, precision: Array, happened: Array) -> tuple[float, float]:
    """Return the log-odds of the first column and their standard error, by Newton's method."""
    at = np.zeros(known.shape[1])
    for _ in range(TURNS):
        chance = 1 / (1 + np.exp(-known @ at))
        information = (known * (chance * (1 - chance))[:, None]).T @ known + np.diag(precision)
        at += np.linalg.solve(information, known.T @ (happened - chance) - precision * at)
    return float(at[0]), float(np.linalg.inv(information)[0, 0] ** 0.5)


def shrunk(size: float, error: float) -> float:
    """Return the effect times the share of its square that is not error."""
    return float(size**3 / (size**2 + error**2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--balls", type=Path, required=True)
    parser.add_argument("--squads", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    with args.squads.open(encoding="utf-8") as file:
        hands = {row["player_id"]: row["batting_hand"] for row in csv.DictReader(file)}
    with gzip.open(args.balls, "rt", encoding="utf-8") as file:
        rows = [
            row | {"hand": hands[row["batter_id"]]}
            for row in csv.DictReader(file)
            if row["batter_id"] in hands and row["style"] in AWAY and row["free_hit"] == "0"
        ]
    for kind in ("finger", "wrist", "pace"):
        own = [row for row in rows if AWAY[row["style"]][0] == kind]
        found = {}
        for name in RUN_CLASSES:
            pair = [row for row in own if row["y"] in ("0", name)]
            known, precision = columns(pair)
            found[name] = effect(known, precision, np.array([float(row["y"] == name) for row in pair]))
        sizes = ", ".join(f"{name} {size:+.3f} ± {error:.3f}" for name, (size, error) in found.items())
        print(f"{kind} {len(own)} balls: {sizes}")
        if kind == "finger":
            DATA["matchup"] = {name: round(shrunk(*each), 3) for name, each in found.items()}
    if args.write:
        OUT.write_text(dumps(DATA) + "\n")


if __name__ == "__main__":
    main()
