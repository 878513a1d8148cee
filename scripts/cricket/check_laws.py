"""Replay real matches through `games/cricket/laws/innings.py` and count every ball on which the Laws engine disagrees.

    python scripts/cricket/check_laws.py FOLDER_OR_GIT_DIR

Reads Cricsheet JSON files (ODC-By 1.0) from a folder, or from the newest commit of a bare git directory. Checked on
every ball: who is on strike (where the data leave no choice), six legal balls to the over, no bowler twice running,
the quota, kinds of dismissal off wides, no-balls and free hits, and that the innings ends on its last ball and not
before. A run out, and before October 2022 a catch, does not say who crossed: there the next ball decides.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grandstand.games.cricket.laws.cards import BOWLER_END, STRIKER_END, Ball, Dismissal
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules

NEW_CATCH_LAW = "2022-10-01"


def documents(source: Path) -> Iterator[dict[str, Any]]:
    """Yield the matches under `source`, which may have other JSON files too."""
    for text in _json_files(source):
        document = json.loads(text)
        if isinstance(document, dict) and "innings" in document:
            yield document


def _json_files(source: Path) -> Iterator[bytes]:
    if not (source / "HEAD").exists():
        yield from (file.read_bytes() for file in sorted(source.rglob("*.json")))
        return
    git = ["git", "--git-dir", str(source)]
    listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if name.endswith(".json"):
            yield subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=True).stdout


def ball_of(delivery: dict[str, Any], names: list[str], end: str) -> Ball:
    """Return the delivery as the Laws engine takes it. A boundary is a four or six that the data do not call run."""
    extras = delivery.get("extras", {})
    bat = delivery["runs"]["batter"]
    ball = Ball(bat, boundary=bat in (4, 6) and "non_boundary" not in delivery["runs"])
    ball.noball, ball.penalty = "noballs" in extras, extras.get("penalty", 0)
    if "wides" in extras:
        more = extras["wides"] - 1
        ball.runs, ball.runs_from, ball.wide, ball.boundary = more, "wides", True, more == 4
    elif "byes" in extras or "legbyes" in extras:
        kind = "byes" if "byes" in extras else "legbyes"
        ball.runs, ball.runs_from, ball.boundary = extras[kind], kind, extras[kind] == 4
    if extras.get("noballs", 0) > 1:
        ball.runs, ball.runs_from, ball.boundary = extras["noballs"] - 1, "byes", extras["noballs"] == 5
    for wicket in delivery.get("wickets", []):
        if not wicket["kind"].startswith("retired"):
            ball.dismissal = Dismissal(wicket["kind"], names.index(wicket["player_out"]), end=end)
    return ball


def complete(innings: list[dict[str, Any]], overs: int) -> list[dict[str, Any]]:
    """Return the innings; a first one that rain cut short knows the overs that its chase was given."""
    if len(innings) > 1:
        value = innings[1].get("target", {}).get("overs", overs)
        if value < overs and int(value) == len(innings[0]["overs"]):
            innings[0]["target"] = {"overs": value}
    return innings


class Replay:
    """One innings of a document, ball by ball."""

    def __init__(self, number: int, data: dict[str, Any], info: dict[str, Any], counts: Counter[str]) -> None:
        self.data, self.counts = data, counts
        self.new_law = info["dates"][0] >= NEW_CATCH_LAW
        overs = int(data.get("target", {}).get("overs", info["overs"]) or info["overs"])
        rules = super_over_rules() if data.get("super_over") else format_rules(max(1, min(overs, 50)))
        self.innings = Innings(number, 0, rules, data.get("target", {}).get("runs"))
        self.names: list[str] = []
        self.bowlers: list[str] = []
        self.shortened = info["outcome"].get("method") is not None or info["outcome"].get("result") == "no result"
        self.shortened |= "absent_hurt" in data  # one batter fewer than the Laws engine is told
        self.date = info["dates"][0]

    def index(self, names: list[str], name: str) -> int:
        if name not in names:
            names.append(name)
        return names.index(name)

    def run(self) -> None:
        balls = [(over["over"], d) for over in self.data["overs"] for d in over["deliveries"]]
        for i, (over, delivery) in enumerate(balls):
            following = balls[i + 1] if i + 1 < len(balls) else None
            self.ball(over, delivery, following)
        if self.innings.closed is None and not self.shortened:
            self.counts["innings did not end where the real one did"] += 1

    def ball(self, over: int, delivery: dict[str, Any], following: tuple[int, dict[str, Any]] | None) -> None:
        innings, counts = self.innings, self.counts
        counts["balls"] += 1
        if innings.closed is not None and not self.shortened:
            counts[f"bowled on after: {innings.closed}"] += 1
            innings.closed = None
        batter, other = (self.index(self.names, delivery[role]) for role in ("batter", "non_striker"))
        for player in (batter, other):
            if None in (innings.striker, innings.non_striker) and player not in (innings.striker, innings.non_striker):
                innings.send_in(player)
        if {batter, other} == {innings.striker, innings.non_striker} and innings.striker != batter:
            counts["strike differs"] += 1
            innings.striker, innings.non_striker = batter, other
        elif {batter, other} != {innings.striker, innings.non_striker}:
            counts["another pair at the wicket"] += 1
            innings.striker, innings.non_striker = batter, other
            for player in (batter, other):
                if player not in innings.batters:
                    innings.send_in(player)
                    innings.striker, innings.non_striker = batter, other
        self.give(over, self.index(self.bowlers, delivery["bowler"]))
        self.play(delivery, following, over)

    def give(self, over: int, bowler: int) -> None:
        innings = self.innings
        if innings.bowler is None:
            if bowler == innings.last_bowler:
                self.counts["bowled two overs running"] += 1
            elif innings.may_bowl(bowler, -1) is not None and not self.shortened:
                self.counts["over the quota"] += 1
            innings.give_ball(bowler)
        elif innings.bowler != bowler:
            innings.replace_bowler(bowler)
            self.counts["an over shared (not a fault)"] += 1

    def play(self, delivery: dict[str, Any], following: tuple[int, dict[str, Any]] | None, over: int) -> None:
        innings = self.innings
        kinds = [w["kind"] for w in delivery.get("wickets", [])]
        open_question = "run out" in kinds or any("obstruct" in k for k in kinds)
        open_question |= any(k.startswith("caught") for k in kinds) and not self.new_law
        last = following is None or following[0] != over
        twin = None
        if open_question:
            twin = innings.clone()
        self.apply(innings, delivery, STRIKER_END)
        if twin is not None and following is not None:
            facing = self.names.index(following[1]["batter"]) if following[1]["batter"] in self.names else -1
            survivor = innings.striker if innings.striker is not None else innings.non_striker
            survivor_faces = innings.striker is not None
            if last:
                survivor_faces = not survivor_faces
            if (facing == survivor) != survivor_faces:
                self.apply(twin, delivery, BOWLER_END)
                self.innings = innings = twin
        for wicket in delivery.get("wickets", []):
            if wicket["kind"].startswith("retired") and wicket["player_out"] in self.names:
                player = self.names.index(wicket["player_out"])
                if player in (innings.striker, innings.non_striker):
                    innings.retire(player, wicket["kind"])
        if last:
            if following is not None and innings.legal % 6:
                self.counts["over of other than six legal balls"] += 1
                innings.legal = 6 * (over + 1)
            innings.end_over()

    def apply(self, innings: Innings, delivery: dict[str, Any], end: str) -> None:
        try:
            innings.play(ball_of(delivery, self.names, end))
        except ValueError as error:
            self.counts[f"refused in {self.date[:4]}: {str(error).partition(':')[0]} off a no-ball or free hit"] += 1
            ball = ball_of(delivery, self.names, end)
            innings.free_hit = False
            ball.dismissal = None
            innings.play(ball)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    for document in documents(args.source):
        if "innings" not in document:
            continue
        counts["matches"] += 1
        before: Replay | None = None
        for number, data in enumerate(complete(document["innings"], document["info"]["overs"]), 1):
            counts["innings"] += 1
            replay = Replay(number, data, document["info"], counts)
            if before is not None and data.get("super_over") and number % 2 == 0:
                replay.innings.target = before.innings.runs + 1
            replay.run()
            before = replay
    for name, count in counts.most_common():
        print(f"{count:8} {name}")


if __name__ == "__main__":
    main()
