"""Cut the evaluation packs out of real innings: games/cricket/data/packs/*.json.

    python scripts/cricket/build_packs.py --data DIR

DIR holds balls_train_2018_2024.csv.gz, deliveries made from Cricsheet (ODC-By 1.0): match, innings, over, legal, wkts,
score, target, bat_pos, bgroup, bowler_id, y, runs_bat, runs_ext, wkt_kind. Contested means a chance of .2 to .8 by our
own tables. Changing what is chosen changes the digests: raise the version then.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.scenario_replay import KINDS, replay
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.model.win_probability import ceiling, win_probability
from grandstand.games.cricket.packs import PackRecord

OUT = Path(__file__).parents[2] / "grandstand" / "games" / "cricket" / "data" / "packs"
SOURCE = "Contains information from Cricsheet (https://cricsheet.org), ODC Attribution License (ODC-By) v1.0"
LETTERS = {kind: letter for letter, kind in KINDS.items() if letter != "n"}
RULES = format_rules(20)
SIDE = invented_teams(0)[0]


class Unclear(Exception):
    """The rows do not say what happened."""


@dataclass(frozen=True)
class Played:
    """A real innings: its bowlers' groups, its overs as tokens, and (runs, wickets) after each over."""

    season: int
    match: str
    number: int
    target: int | None
    bowlers: str
    overs: tuple[str, ...]
    scores: tuple[tuple[int, int], ...]

    def until(self, over: int) -> dict[str, Any]:
        """Return the record of the first overs, with only the bowlers that had come on."""
        overs = self.overs[:over]
        used = 1 + max((int(text.split()[0]) for text in overs), default=-1)
        return {"bowlers": self.bowlers[:used], "overs": list(overs)}


Row = dict[str, str]


def innings_rows(data: Path) -> Iterator[list[Row]]:
    result: dict[tuple[str, str], list[Row]] = defaultdict(list)
    with gzip.open(data / "balls_train_2018_2024.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            result[row["match"], row["innings"]].append(row)
    yield from result.values()


def read(rows: list[Row]) -> Played:
    """Play the rows by the Laws and write down what they leave open: who was run out, who had crossed."""
    by_over: dict[int, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        by_over[int(row["over"])].append(i)
    target = int(float(rows[0]["target"])) if rows[0]["target"] else None
    bowlers: dict[str, str] = {}
    overs: list[str] = []
    scores: list[tuple[int, int]] = []
    innings = Innings(int(rows[0]["innings"]), 0, RULES, target)
    for over, balls in sorted(by_over.items()):
        if over != len(overs) or len({rows[i]["bowler_id"] for i in balls}) > 1:
            raise Unclear("overs missing or shared")
        bowler = rows[balls[0]]["bowler_id"]
        bowlers.setdefault(bowler, rows[balls[0]]["bgroup"][0])
        number = list(bowlers).index(bowler)
        tokens: list[str] = []
        for i in balls:
            tokens.append(choose(innings, rows, i, number, tokens, bowlers))
        text = " ".join([str(number), *tokens])
        replay(innings, PackRecord("".join(bowlers.values()), (text,)), SIDE)
        overs.append(text)
        scores.append((innings.runs, innings.wickets))
    season = int(rows[0]["season"])
    groups = "".join(bowlers.values())
    return Played(season, rows[0]["match"], innings.number, target, groups, tuple(overs), tuple(scores))


def choose(innings: Innings, rows: list[Row], i: int, bowler: int, before: list[str], bowlers: dict[str, str]) -> str:
    """Return the token of row `i` after which the next row's score and striker are right."""
    for token in tokens_of(rows, i):
        trial = innings.clone()
        try:
            replay(trial, PackRecord("".join(bowlers.values()), (" ".join([str(bowler), *before, token]),)), SIDE)
        except (ValueError, IndexError):
            continue
        if trial.closed is not None and i + 1 < len(rows):
            continue
        if i + 1 == len(rows) or fits(trial, rows[i + 1]):
            return token
    raise Unclear(f"row {i}: {rows[i]}")


def fits(innings: Innings, row: Row) -> bool:
    while innings.striker is None or innings.non_striker is None:
        innings.send_in(innings.waiting()[0])
    observed = (innings.runs, innings.wickets, innings.striker + 1)
    return observed == (int(row["score"]), int(row["wkts"]), int(row["bat_pos"]))


def tokens_of(rows: list[Row], i: int) -> Iterator[str]:
    """Ways to write row `i`, the likeliest first."""
    row = rows[i]
    bat, extra, kind = int(row["runs_bat"]), int(row["runs_ext"]), row["wkt_kind"]
    if row["y"] == "wide":
        runs = "wd" if extra == 1 else f"{extra}wd"
    elif row["y"] == "noball":
        runs = "nb" if bat + extra == 1 else f"{bat}nb" if extra == 1 else f"{extra - 1}nbb"
    elif row["y"] == "lb":
        runs = f"{extra}lb"
    else:
        runs = str(bat) if bat else "."
    outs = [""]
    if kind == "run out":
        later = {int(other["bat_pos"]) for other in rows[i + 1 :]}
        outs = ["Wr", "Wn"] if int(row["bat_pos"]) not in later else ["Wn"]
    elif kind:
        if kind not in LETTERS:
            raise Unclear(kind)
        outs = ["W" + LETTERS[kind]]
    for crossed in ("", "~"):
        for out in outs:
            yield runs + out + crossed


# --- choosing ---------------------------------------------------------------------------------------------------------


def chance(played: Played, over: int) -> float:
    """Return the batting side's chance after so many overs."""
    runs, wickets = played.scores[over - 1] if over else (0, 0)
    tables = win_probability("modern", RULES)
    if played.target is None:
        return tables.first().at(6 * over, wickets, ceiling(RULES) - runs)
    return tables.chase.at(6 * over, wickets, played.target - runs)


def contested(played: Played, over: int) -> bool:
    return len(played.overs) > over and 0.2 <= chance(played, over) <= 0.8


class Cutter:
    """Cuts scenarios, each match at most once per cut."""

    def __init__(self, matches: dict[str, dict[int, Played]]) -> None:
        self.matches = matches

    def cut(self, name: str, number: int, over: int, most: int, wanted: Callable[[Played], bool]) -> list[Any]:
        pool = [m[number] for m in self.matches.values() if contested(m[number], over) and wanted(m[number])]
        Random(name).shuffle(pool)
        return [self.scenario(played, over) for played in pool[:most]]

    def scenario(self, played: Played, over: int) -> dict[str, Any]:
        runs, wickets = played.scores[over - 1]
        innings = [played.until(over)]
        title = f"{runs}/{wickets} after {over} overs"
        if played.target is not None:
            first = self.matches[played.match][1]
            innings.insert(0, first.until(20))
            need, left = played.target - runs, 120 - 6 * over
            title = f"{need} to win off {left} with {10 - wickets} wickets in hand"
        number = played.number
        return {"id": f"{played.match}-{number}-{over}", "season": played.season, "title": title, "innings": innings}


def packs(cutter: Cutter) -> Iterator[dict[str, Any]]:
    """Return the packs but five-over; every choice is by what the state says, never by what came of it."""

    def anything(_: Played) -> bool:
        return True

    def slow(played: Played) -> bool:
        runs, wickets = played.scores[8]
        return 2 <= wickets <= 5 and (runs <= 68 if played.target is None else True)

    def small(played: Played) -> bool:
        return played.target is not None and played.target <= 160

    cut = cutter.cut
    both = ["batting", "bowling"]
    parts = {
        "powerplay": (both, "Two overs gone, the field is up: set a platform, or take early wickets.",
                      cut("powerplay", 1, 2, 16, anything) + cut("powerplay", 2, 2, 16, anything)),
        "middle-squeeze": (both, "Nine overs gone and two to five wickets with them: rebuild, or choke.",
                           cut("middle", 1, 9, 16, slow) + cut("middle", 2, 9, 16, slow)),
        "death-overs": (both, "The last five overs of a first innings.", cut("death", 1, 15, 32, anything)),
        "chase-30": (both, "Chases with thirty balls left and both sides in it.", cut("chase", 2, 15, 48, anything)),
        "small-totals": (["bowling"], "Defend a target of 160 or less from the sixth over on.",
                         cut("small", 2, 5, 32, small)),
    }  # fmt: skip
    mixed = [scenario for _, _, result in parts.values() for scenario in sorted(result, key=lambda s: s["id"])[:10]]
    yield pack("default", both, "Ten of each: powerplay, middle, death, chases, small totals.", mixed)
    for name, (roles, about, result) in parts.items():
        yield pack(name, roles, about, result)


def pack(name: str, roles: list[str], about: str, scenarios: list[Any], overs: int = 20) -> dict[str, Any]:
    scenarios = sorted(scenarios, key=lambda scenario: scenario["id"])
    return {"name": name, "version": 1, "about": about, "source": SOURCE, "overs": overs, "roles": roles,
            "scenarios": scenarios}  # fmt: skip


def five_over() -> dict[str, Any]:
    shoot_outs = [{"id": f"shoot-out-{n:02}", "title": "five overs a side, from the toss", "innings": []}
                  for n in range(1, 33)]  # fmt: skip
    return pack("five-over", ["batting", "bowling"], "Whole matches of five overs.", shoot_outs, overs=5) | {
        "source": "none: five-over matches are too rare to have real situations"
    }


def lines(document: dict[str, Any]) -> str:
    """JSON, a scenario a line."""
    scenarios = document.pop("scenarios")
    head = json.dumps(document, ensure_ascii=False)[:-1]
    body = ",\n".join(json.dumps(scenario, ensure_ascii=False) for scenario in scenarios)
    document["scenarios"] = scenarios
    return f'{head}, "scenarios": [\n{body}\n]}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    matches: dict[str, dict[int, Played]] = defaultdict(dict)
    unclear = 0
    for rows in innings_rows(data):
        try:
            played = read(rows)
        except Unclear:
            unclear += 1
            continue
        matches[played.match][played.number] = played
    whole = {
        match: result for match, result in matches.items()
        if set(result) == {1, 2} and result[2].target == result[1].scores[-1][0] + 1
    }  # fmt: skip
    print(f"{len(whole)} matches read; {unclear} innings left out because the rows do not settle what happened")
    OUT.mkdir(exist_ok=True)
    for document in [*packs(Cutter(whole)), five_over()]:
        path = OUT / f"{document['name']}.json"
        path.write_text(lines(document), encoding="utf-8")
        print(f"{path.name}: {len(document['scenarios'])} scenarios, {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
