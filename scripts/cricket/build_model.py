"""Assemble games/cricket/data/ball_model.json from published aggregates; the raking constants come later.

    python scripts/cricket/build_model.py --data DIR

DIR holds the calibration aggregates made from Cricsheet (ODC-By 1.0): refmodel_context_2018_2024.json,
train_modern_2023_2024.json, train_classic_2018_2022.json and the tracked-ball aggregates
causal_line_length_t20i.json, intent_and_field_effects.json, short_formats.json, and
balls_train_2018_2024.csv.gz, which is counted. No raw ball is copied.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import Counter
from math import log
from pathlib import Path
from typing import Any

from grandstand.games.cricket.model.ball_model import DATA, SET_BIN, SET_ROWS, BallModel, along, times
from grandstand.games.cricket.vocab import CLASSES, GROUPS, LENGTHS, LINES, PHASES, SHOT_FAMILIES, ZONES

OUT = Path(__file__).parents[2] / "grandstand" / "games" / "cricket" / "data" / "ball_model.json"
BINS = {
    "bfc": ["(-1, 0]", "(0, 2]", "(2, 5]", "(5, 9]", "(9, 14]", "(14, 20]", "(20, 30]", "(30, 200]"],
    "rrc": ["inn1", "(-1.0, 4.0]", "(4.0, 6.0]", "(6.0, 7.0]", "(7.0, 8.0]", "(8.0, 9.0]", "(9.0, 10.0]",
            "(10.0, 11.0]", "(11.0, 12.0]", "(12.0, 14.0]", "(14.0, 18.0]", "(18.0, 40.0]"],
    "wkc": [str(n) for n in range(9)],
    "posc": [str(n) for n in range(1, 12)],
    "ovc": [str(n) for n in range(20)],
    "fh": ["False", "True"],
}  # fmt: skip
WICKET_BINS = ["(-1, 1]", "(1, 3]", "(3, 5]", "(5, 9]"]
RUN_CLASSES = ("1", "2", "4", "6", "W")
BALLS = "balls_train_2018_2024.csv.gz"
HITTERS = 1.0
"""OURS: how much better than average, in standard deviations, those are who bat in a Super Over."""
SET_CLASSES = ("1", "4", "6", "W")


def row(coefficients: dict[str, float]) -> list[float]:
    return [round(coefficients.get(k, 0.0), 4) for k in CLASSES]


def context(ref: dict[str, Any]) -> dict[str, Any]:
    coef = ref["coef"]
    table: dict[str, Any] = {name: [row(coef[name][b]) for b in bins] for name, bins in BINS.items()}
    table["intercept"] = row(ref["intercept"])
    table["phase_group"] = [[row(coef["ph_bg"][p + g]) for g in GROUPS] for p in PHASES]
    table["phase_wickets"] = [
        [row(coef["ph_wk"].get(p + b) or coef["ph_wk"][p + WICKET_BINS[2]]) for b in WICKET_BINS] for p in PHASES
    ]
    return table


def eras(ref: dict[str, Any]) -> dict[str, list[float]]:
    def mean(seasons: range) -> list[float]:
        rows = [row(ref["coef"]["era"][str(s)]) for s in seasons]
        return [round(sum(column) / len(column), 4) for column in zip(*rows, strict=True)]

    return {"classic": mean(range(2018, 2023)), "modern": mean(range(2023, 2025))}


def delivery(causal: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for group in GROUPS:
        adjusted = causal["adjusted_logodds_vs_dot"][group]
        length = {name: adjusted["length"][name] for name in LENGTHS if name in adjusted["length"]}
        mixes = {p: dict(causal["length_mix"][f"{group}|{p}"]) for p in PHASES}
        if group == "pace":
            fine, short = causal["fine_length"]["pace"], causal["by_length"]["pace|short"]
            high = fine["12-13"]
            length["bouncer"] = {
                k: length["short"][k] + log((high[k] / high["0"]) / (short[k] / short["0"])) for k in RUN_CLASSES
            }
            share = (fine["12-13"]["n"] + fine["13-14"]["n"]) / short["n"]
            for mix in mixes.values():
                mix["bouncer"] = mix["short"] * share
                mix["short"] *= 1 - share
        else:
            length["bouncer"] = length["short"]
        out[group] = {
            "length": [lever(length[name]) for name in LENGTHS],
            "line": [lever(adjusted["line"][name]) for name in LINES],
            "wide": [round(causal["extra_rate_by_line"][f"{group}|{name}"], 4) for name in LINES],
            "length_mix": [normal([mixes[p].get(name, 0.0) for name in LENGTHS]) for p in PHASES],
            "line_mix": [normal([causal["line_mix"][f"{group}|{p}"][name] for name in LINES]) for p in PHASES],
            "length_zone": [zone_tilt(causal, "by_length", f"{group}|{name}") for name in LENGTHS],
            "line_zone": [zone_tilt(causal, "by_line", f"{group}|{name}") for name in LINES],
            "length_kind": [kind_tilt(causal, "by_length", group, name) for name in LENGTHS],
            "line_kind": [kind_tilt(causal, "by_line", group, name) for name in LINES],
        }
    return out


def lever(effect: dict[str, float]) -> list[float]:
    """Log-odds against a dot ball; threes move with twos, the classes that no table gives do not move."""
    return row({**{k: effect[k] for k in RUN_CLASSES}, "3": effect["2"]})


def normal(weights: list[float]) -> list[float]:
    return [round(w / sum(weights), 4) for w in weights]


def zone_tilt(causal: dict[str, Any], table: str, key: str) -> list[float]:
    """Return the likelihood of each sector relative to the overall one; 1 where a key was too rare for a table."""
    zones = causal["zones"]
    result = zones[table].get(key.replace("bouncer", "short"))
    return [round(result.get(z, 0.0) / zones["overall"][z], 3) if result else 1.0 for z in ZONES]


KINDS = {"bowled": "bowled", "caught": "caught", "lbw": "leg before wicket", "stumped": "stumped"}


def kind_tilt(causal: dict[str, Any], table: str, group: str, name: str) -> list[float]:
    """Relative odds of bowled, caught, lbw, stumped given a bowler's wicket there, against the group as a whole."""
    cells = {k: v for k, v in causal[table].items() if k.startswith(group) and v["wk"]}
    total = {k: sum(c["wk"].get(word, 0) * c["W"] * c["n"] for c in cells.values()) for k, word in KINDS.items()}
    cell = cells.get(f"{group}|{name.replace('bouncer', 'short')}")
    if cell is None:
        return [1.0] * 4
    wickets = cell["W"] * cell["n"]
    base = {k: total[k] / sum(total.values()) for k in KINDS}
    prior = 8.0  # pseudo-wickets: keeps a kind possible where a thin cell saw none
    shares = {k: (cell["wk"].get(w, 0) * wickets + prior * base[k]) / (wickets + prior) for k, w in KINDS.items()}
    return [round(shares[k] / max(base[k], 1e-3), 3) for k in KINDS]


def variations(causal: dict[str, Any]) -> dict[str, Any]:
    """Return pace variations by phase: log-odds against a dot relative to the stock ball, and their frequencies."""
    cells = causal["pace_variation"]
    names = {"stock": "stock", "slower_ball": "slower_ball", "cutter": "off_pace", "quick": "quick"}
    effects: dict[str, list[list[float]]] = {}
    shares: dict[str, list[float]] = {}
    for p in PHASES:
        stock = cells[f"{p}|stock"]
        total = sum(cells[f"{p}|{n}"]["n"] for n in names.values())
        for ours, theirs in names.items():
            cell = cells[f"{p}|{theirs}"]
            shrink = cell["n"] / (cell["n"] + 400)  # thin cells pulled towards no effect
            effects.setdefault(ours, []).append(
                lever({k: shrink * log((cell[k] / cell["0"]) / (stock[k] / stock["0"])) for k in RUN_CLASSES})
            )
            shares.setdefault(ours, []).append(round(cell["n"] / total, 4))
    return {"effect": effects, "share": shares}


def sub_draws(era: dict[str, Any]) -> dict[str, Any]:
    def kinds(cell: dict[str, float]) -> dict[str, float]:
        names = ("bowled", "caught", "lbw", "stumped", "caught and bowled", "hit wicket")
        return {k: cell.get(k, 0.0003) for k in names}

    overall = kinds(era["dismissals"]["overall"])
    table = [
        [
            {k: round(kinds(era["dismissals"][p])[k] * kinds(era["dismissals"][g])[k] / overall[k], 5) for k in overall}
            for g in GROUPS
        ]
        for p in PHASES
    ]
    return {
        "kinds": table,
        "wide_runs": era["wide_runs"],
        "legbye_runs": era["legbye_runs"],
        "bye_runs": era["bye_runs"],
        "bye_share": [
            round(c["bye"] / (c["bye"] + c["legbye"]), 4) for c in (era["by_phase"][p]["p"] for p in PHASES)
        ],
        "runout": {"striker_out": era["runout"]["striker_out"], "completed": era["runout"]["runs_completed"]},
        "spin_by_over": [era["bowling"]["spin_share_by_over"][str(o)] for o in range(20)],
        "field_first": era["results"]["toss_field"],
        "reviews": {side: [era["drs"]["by"][side][k] for k in ("n", "upheld")] for side in ("batting", "fielding")},
        "review_innings": 2 * era["meta"]["matches"],
        "tail_wickets": tail_wickets(era["by_phase_wkts"]),
        "phase_targets": [
            row(merge(era["by_phase"][p]["p"])) for p in PHASES
        ],
    }  # fmt: skip


def set_targets(balls: Path, seasons: range) -> list[dict[str, float]]:
    """Return the shares of the classes by how well set the striker was: a row for each of `SET_BIN`'s."""
    rows = [Counter[str]() for _ in range(SET_ROWS)]
    with gzip.open(balls, "rt", encoding="utf-8") as file:
        for ball in csv.DictReader(file):
            if int(ball["season"]) in seasons:
                rows[SET_BIN[int(ball["bat_bf"] or 0)]][ball["y"]] += 1
    return [{name: round(row[name] / row.total(), 5) for name in ("0", *SET_CLASSES)} for row in rows]


def tail_wickets(cells: dict[str, Any]) -> float:
    """Wickets per legal ball with eight or nine down."""
    tail = [cell for key, cell in cells.items() if key.endswith(("|8", "|9"))]
    share: float = sum(c["wkt_per_legal"] * c["legal"] for c in tail) / sum(c["legal"] for c in tail)
    return round(share, 5)


def super_over(short: dict[str, Any]) -> list[float]:
    """Log-odds of a Super Over's ball relative to the last over of an innings, as the model has it for new hitters.

    34 real innings are few: shares are pulled to the model's with the weight of as many balls again.
    """
    ours = BallModel("modern")
    ability = DATA["ability"]
    hitter = along(ability["batter_dir"], HITTERS * ability["sd_batter"])
    pair = times(ours.position[2], ours.free_hit[0], ours.chase[0], ours.set_ness[1], hitter)
    weights = times(ours.context(19, 2, 0, 0), pair)
    expected = [w / sum(weights) for w in weights]
    observed = merge(short["super_over"]["p"])
    mean = [(observed[k] + e) / 2 for k, e in zip(CLASSES, expected, strict=True)]
    logs = [log(m / e) for m, e in zip(mean, expected, strict=True)]
    return [round(x - logs[0], 4) for x in logs]


def unraked() -> dict[str, Any]:
    """Return the values that scripts/cricket/rake.py fits by playing: none yet, and initial values for the umpire."""
    kinds = ("bowled", "caught", "lbw", "stumped", "caught and bowled", "hit wicket")
    return {
        "classes": [[0.0] * len(CLASSES) for _ in PHASES],
        "set": [[0.0] * len(CLASSES) for _ in range(SET_ROWS)],
        "tail": 0.0,
        "kinds": dict.fromkeys(kinds, 1.0),
        "umpire": {"missed": 0.23, "hope": 0.3, "wrong": 0.005, "turned_down": 0.03, "chance": 0.43},
    }


def unlevelled() -> dict[str, list[list[float]]]:
    """Return the values that scripts/cricket/level_shots.py fits, as they are before it."""
    return {family: [[0.0] * len(GROUPS) for _ in PHASES] for family in SHOT_FAMILIES if family != "leave"}


def merge(p: dict[str, float]) -> dict[str, float]:
    """Shares of deliveries in our eleven classes."""
    out = dict.fromkeys(CLASSES, 0.0)
    for key, share in p.items():
        if key in ("bye", "legbye"):
            out["lb"] += share
        elif key in ("W_run_out", "W_obstructing_the_field"):
            out["RO"] += share
        elif key.startswith("W_"):
            out["W"] += share
        else:
            out["4" if key in ("5", "7") else key] += share
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    ref, causal, axis, modern, classic, short = (
        json.loads((data / f"{name}.json").read_text())
        for name in ("refmodel_context_2018_2024", "causal_line_length_t20i", "intent_and_field_effects",
                     "train_modern_2023_2024", "train_classic_2018_2022", "short_formats")
    )  # fmt: skip
    zones = causal["zones"]
    old = json.loads(OUT.read_text()) if OUT.exists() else {}
    model = {
        "about": "Contains information from Cricsheet (https://cricsheet.org), made available under the Open Data "
        "Commons Attribution License (ODC-By) v1.0. See README.md in this folder.",
        "classes": CLASSES,
        "context": context(ref),
        "era": eras(ref),
        "ability": ref["meta"]["recommended_dispersion"],
        "risk_axis": axis["intent_pc1"],
        "edge": axis["powerplay_edge"],
        "delivery": delivery(causal),
        "pace_variation": variations(causal),
        "super_over": super_over(short),
        "zones": {
            "by_runs": {k: [v[z] for z in ZONES] for k, v in zones["by_runs"].items()},
            "caught": [zones["caught_by_zone"][z] for z in ZONES],
        },
        "draws": {
            "modern": sub_draws(modern) | {"set_targets": set_targets(data / BALLS, range(2023, 2025))},
            "classic": sub_draws(classic) | {"set_targets": set_targets(data / BALLS, range(2018, 2023))},
        },
        "raked": {era: unraked() | old.get("raked", {}).get(era, {}) for era in ("classic", "modern")},
        "shot_levels": old.get("shot_levels") or unlevelled(),
        "matchup": old.get("matchup") or dict.fromkeys(RUN_CLASSES, 0.0),
    }
    OUT.write_text(dumps(model) + "\n")
    print(f"{OUT}: {OUT.stat().st_size} bytes")


def dumps(value: Any, indent: int = 0) -> str:
    """JSON with one line per table row: a file whose changes can be read."""
    flat = json.dumps(value)
    if len(flat) <= 110 or not isinstance(value, dict | list | tuple):
        return flat
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        body = ",\n".join(f"{pad}{json.dumps(k)}: {dumps(v, indent + 1)}" for k, v in value.items())
        return "{\n" + body + "\n" + " " * indent + "}"
    body = ",\n".join(pad + dumps(v, indent + 1) for v in value)
    return "[\n" + body + "\n" + " " * indent + "]"


if __name__ == "__main__":
    main()
