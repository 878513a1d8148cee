"""Contradictions in the picture of a ball, and a count of them in whole matches.

    python -m tests.support.cricket.contradictions [--matches N] [--seed S] [--captain NAME] [--decisions over]

The rules are what anybody who watches cricket knows. They are written down apart from the tables that pictures are
drawn from, and judge the event alone.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import NamedTuple

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import BallBowled, FieldSet
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.laws.rules import CONDITIONS
from grandstand.games.cricket.options import DECISIONS, CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import CONTACTS, STYLES, ZONES
from tests.support.cricket.known import known

OFF_SIDE = {"cut", "late_cut", "dab", "cover_drive", "square_drive", "upper_cut", "reverse_sweep", "inside_out_loft"}
LEG_SIDE = {"flick", "leg_glance", "pull", "hook", "sweep", "slog_sweep", "paddle", "on_drive", "helicopter", "slog"}
DRIVES = {"straight_drive", "cover_drive", "on_drive", "square_drive"}
SWEEPS = {"sweep", "slog_sweep", "reverse_sweep", "paddle"}
DEFENCES = {"forward_defence", "back_defence"}
ALONG_THE_GROUND = DRIVES | DEFENCES | {"push", "dab", "late_cut", "leg_glance", "paddle", "drop_and_run"}
OFF_BAT = {"hit", "defended", "outside_edge", "inside_edge", "top_edge", "leading_edge", "glove"}
NO_STROKE = {"left", "ducked"}
SHORT = {"short", "bouncer"}
FULL = {"full_toss", "yorker", "full"}
LEG_LINES = {"leg", "down_leg"}


class Picture(NamedTuple):
    """The description of one ball."""

    spin: bool
    length: str
    line: str
    shot: str
    runs: int
    boundary: bool
    extras: dict[str, int]
    how: str | None
    stroke: str | None
    contact: str
    hit: tuple[int, int] | None
    zone: str | None
    fielder: str | None
    words: str
    places: tuple[str, ...]


def faults(ball: Picture) -> Iterator[str]:
    """Yield every contradiction."""
    yield from stroke_faults(ball)
    yield from contact_faults(ball)
    yield from dismissal_faults(ball)
    yield from path_faults(ball)
    yield from fielder_faults(ball)
    yield from captains_faults(ball)
    yield from extra_faults(ball)
    if not ball.words or re.search(r"None|  |_|, ,|^ | $|,$", ball.words):
        yield f"words {ball.words!r}"


def stroke_faults(ball: Picture) -> Iterator[str]:
    stroke, line, length = ball.stroke, ball.line, ball.length
    if stroke is None or stroke == "leave":
        if ball.contact not in NO_STROKE | {"pad"}:
            yield "neither a stroke nor a reason for none"
        return
    if ball.contact in NO_STROKE:
        yield f"{stroke} to a ball that was {ball.contact}"
    if line in LEG_LINES and stroke in {"cut", "late_cut", "dab", "upper_cut", "square_drive"}:
        yield f"{stroke} off {line}"
    if line == "stumps" and stroke in {"cut", "late_cut", "square_drive"}:
        yield f"{stroke} off the stumps"
    if line in {"wide_outside_off", "outside_off"} and stroke in {"flick", "leg_glance", "paddle", "hook"}:
        yield f"{stroke} off {line}"
    if line == "wide_outside_off" and stroke in {"pull", "sweep", "slog_sweep", "on_drive", "helicopter"}:
        yield f"{stroke} off {line}"
    if ball.spin and stroke in {"hook", "upper_cut", "ramp"}:
        yield f"{stroke} off a spinner"
    if stroke == "hook" and length not in SHORT:
        yield f"hook off a {length} ball"
    if stroke == "upper_cut" and length not in SHORT | {"back_of_length"}:
        yield f"upper cut off a {length} ball"
    if stroke in {"cut", "pull", "late_cut", "back_defence"} and length in FULL:
        yield f"{stroke} off a {length} ball"
    if stroke in DRIVES | SWEEPS | {"forward_defence", "helicopter", "inside_out_loft"} and length in SHORT:
        yield f"{stroke} off a {length} ball"
    if ball.shot == "natural" and stroke in SWEEPS and not ball.spin:
        yield f"{stroke} off a quick bowler that nobody asked for"
    if ball.runs >= 6 and ball.contact == "hit" and stroke in ALONG_THE_GROUND:
        yield f"{stroke} for six"
    if ball.boundary and ball.contact in {"hit", "defended"} and stroke in DEFENCES | {"drop_and_run"}:
        yield f"{stroke} for a boundary"


def contact_faults(ball: Picture) -> Iterator[str]:
    if ball.contact not in CONTACTS:
        yield f"contact {ball.contact!r}"
    off_bat = ball.contact in OFF_BAT
    if ball.runs and not off_bat:
        yield f"{ball.runs} off the bat, {ball.contact}"
    if off_bat and ball.hit is None and not (ball.how == "bowled" and ball.contact == "inside_edge"):
        yield f"{ball.contact}, and it went nowhere"
    if not off_bat and (ball.hit or ball.zone or ball.fielder):
        yield f"{ball.contact}, and it went somewhere"
    if ball.contact == "defended" and (ball.runs or ball.stroke not in DEFENCES):
        yield f"defended with {ball.stroke} for {ball.runs}"
    if ball.contact == "ducked" and (ball.length != "bouncer" or "outside_off" in ball.line):
        yield f"ducked under a {ball.length} ball"
    if ball.spin and ball.length == "bouncer":
        yield "a spinner's bouncer"
    if ball.contact == "body" and ball.length not in SHORT:
        yield f"hit on the body by a {ball.length} ball"
    if ball.contact == "outside_edge" and ball.line in LEG_LINES:
        yield f"outside edge off {ball.line}"


def dismissal_faults(ball: Picture) -> Iterator[str]:
    allowed = {
        "bowled": {"beaten", "inside_edge", "left"},
        "lbw": {"pad"},
        "stumped": {"beaten", "left"},
        "hit wicket": {"beaten"},
        "caught": OFF_BAT - {"defended"},
        "caught and bowled": OFF_BAT - {"defended", "outside_edge"},
    }
    if ball.how in allowed and ball.contact not in allowed[ball.how]:
        yield f"{ball.how}, {ball.contact}"
    if ball.how == "lbw" and (ball.line in LEG_LINES | {"wide_outside_off"} or ball.length == "bouncer"):
        yield f"lbw off {ball.length}, {ball.line}"
    if ball.how == "bowled" and ball.length == "bouncer":
        yield "bowled by a bouncer"
    if ball.fielder == "wicketkeeper" and (ball.how != "caught" or ball.contact == "hit"):
        yield f"{ball.contact} to the wicket-keeper, {ball.how}"
    if ball.how == "caught" and not ball.fielder:
        yield "caught by nobody"
    if ball.how == "caught and bowled" and ball.fielder != "bowler":
        yield f"caught and bowled by {ball.fielder}"


def path_faults(ball: Picture) -> Iterator[str]:
    if ball.hit is None:
        return
    angle, metres = ball.hit
    if ball.zone != ZONES[int(angle % 360 // 45)]:
        yield f"{angle} degrees in {ball.zone}"
    from_middle = hypot(metres * sin(radians(angle)), metres * cos(radians(angle)) - 10.06)
    if ball.boundary and ball.runs >= 6:
        if not 60 <= metres <= 105 or from_middle <= 72:
            yield f"six of {metres} m at {angle}"
    elif ball.boundary:
        if abs(from_middle - 72) > 1:
            yield f"four of {metres} m at {angle}: {from_middle:.1f} m from the middle"
    elif from_middle > 71.5:
        yield f"{ball.runs} runs from beyond the rope"
    if ball.contact == "hit":
        if ball.stroke in OFF_SIDE and not -180 <= angle <= -1:
            yield f"{ball.stroke} to the leg side"
        if ball.stroke in LEG_SIDE and angle < 0:
            yield f"{ball.stroke} to the off side"
        if ball.stroke == "push" and ball.line in LEG_LINES and angle < -90:
            yield f"push at {angle} off {ball.line}"
        if ball.stroke == "pull" and angle < 20 and ball.how != "caught":
            yield "pull straight"
        if ball.stroke in DRIVES and abs(angle) > 115:
            yield f"{ball.stroke} behind the wicket"
        if ball.stroke in {"straight_drive", "loft_straight"} and abs(angle) > 45:
            yield f"{ball.stroke} at {angle}"
        if ball.stroke in {"late_cut", "scoop", "paddle", "ramp"} and abs(angle) < 90:
            yield f"{ball.stroke} at {angle}"


def fielder_faults(ball: Picture) -> Iterator[str]:
    if ball.fielder is None or ball.hit is None:
        return
    if ball.fielder not in (*ball.places, "bowler", "wicketkeeper"):
        yield f"{ball.fielder} is not in the field"
        return
    place = POSITIONS[ball.fielder]
    away = metres_from_path(place.angle, place.distance, *ball.hit)
    caught = ball.how in {"caught", "caught and bowled"}
    reach = 8 if caught else {0: 8, 1: 20, 2: 34}.get(ball.runs, 40)
    if ball.how == "run out":
        reach = 34
    if ball.fielder != "wicketkeeper" and away > reach:
        yield f"{ball.fielder} {away:.0f} m from the path of {ball.runs}"
    if not caught and ball.how is None and ball.runs == 0 and place.depth == "deep":
        yield f"no run to {ball.fielder}"
    if not caught and ball.runs and ball.fielder in {"bowler", "wicketkeeper"}:
        yield f"{ball.runs} to the {ball.fielder}"


def captains_faults(ball: Picture) -> Iterator[str]:
    """Yield what no captain would believe of a ball off the middle of the bat: a man who lets it through."""
    if ball.hit is None or ball.how is not None:
        return
    if ball.boundary and ball.runs < 6:
        for place in ball.places:
            if re.search(rf"\bto {place}\b", ball.words):
                yield f"four to {place}, where a man stands"
            if POSITIONS[place].outside_circle and metres_from_path(POSITIONS[place].angle, POSITIONS[place].distance,
                                                                    *ball.hit) < 4:  # fmt: skip
                yield f"four through {place}"
    depth = POSITIONS[ball.fielder].depth if ball.fielder else None
    if ball.contact == "hit" and depth in {"ring", "close", "bowler"} and not ball.boundary and ball.runs <= 1:
        if ball.stroke in {"loft_straight", "inside_out_loft"}:
            yield f"lofted to {ball.fielder}, and no catch"
        if ball.runs == 1 and ball.hit[1] < 20:
            yield f"a single to {ball.fielder}, {ball.hit[1]} m from the bat"


def metres_from_path(angle: float, distance: float, along: int, to: int) -> float:
    x, y = distance * sin(radians(angle)), distance * cos(radians(angle))
    ux, uy = sin(radians(along)), cos(radians(along))
    t = min(max(x * ux + y * uy, 0.0), to)
    return hypot(x - t * ux, y - t * uy)


def extra_faults(ball: Picture) -> Iterator[str]:
    if "wides" in ball.extras:
        if ball.line not in LEG_LINES | {"wide_outside_off"} and ball.length != "bouncer":
            yield f"wide that passed {ball.line}"
        if ball.hit:
            yield "wide that was hit"
    if "legbyes" in ball.extras:
        if ball.contact not in {"pad", "body"} or ball.stroke in {None, "leave"}:
            yield f"leg-bye, {ball.contact}, {ball.stroke}"
        if ball.line in {"wide_outside_off", "outside_off"}:
            yield f"leg-bye off a ball {ball.line}"
    if "byes" in ball.extras and ball.contact not in {"beaten", "left", "ducked"}:
        yield f"bye, {ball.contact}"


class BallSeen(NamedTuple):
    """A ball of a match: its picture, its event, and the bowler's style."""

    picture: Picture
    event: BallBowled
    style: str


def balls(
    captain: str, other: str, seeds: range, decisions: str = "ball", conditions: str = "icc"
) -> Iterator[BallSeen]:
    """Yield the balls of whole matches of two captains."""
    for seed in seeds:
        options = CricketOptions(win_probability=False, decisions=decisions, conditions=conditions)
        game, events = play_match(options, seed, BOTS[captain], BOTS[other])
        styles = {p.name: p.style or "" for team in game.state.teams for p in team.players}
        places: tuple[str, ...] = ()
        for event in events:
            if isinstance(event, FieldSet):
                places = tuple(event.places)
            elif isinstance(event, BallBowled):
                style = styles[event.bowler]
                yield BallSeen(_picture(event, STYLES[style][0] == "spin", places), event, style)


def _picture(event: BallBowled, spin: bool, places: tuple[str, ...]) -> Picture:
    length, line = known(event.landed)
    hit = (int(event.hit[0]), int(event.hit[1])) if event.hit else None
    how = event.wicket["kind"] if event.wicket else None
    return Picture(
        spin, length, line, known(event.shot), event.runs, event.boundary, event.extras or {}, how, event.played,
        known(event.contact), hit, event.zone, event.fielder, known(event.words), places,
    )  # fmt: skip


def faults_of(ball: BallSeen) -> Iterator[str]:
    """Yield the contradictions of a ball of a match."""
    picture, event, _ = ball
    if "noballs" in picture.extras and event.need == 0 and not event.runs:
        return  # the no-ball itself won the match: what was run off the bat does not count, but it was hit
    yield from faults(picture)
    if event.noball_for == "waist-high full toss" and picture.length != "full_toss":
        yield f"height of a {picture.length} ball"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=42)
    parser.add_argument("--seed", type=int, default=9400)
    parser.add_argument("--captain", choices=BOTS, default="heuristic")
    parser.add_argument("--decisions", choices=DECISIONS, default=DECISIONS[0])
    parser.add_argument("--conditions", choices=CONDITIONS, default=CONDITIONS[0])
    args = parser.parse_args()
    count, wrong = 0, Counter[str]()
    seeds = range(args.seed, args.seed + args.matches)
    for ball in balls(args.captain, args.captain, seeds, args.decisions, args.conditions):
        count += 1
        wrong.update(faults_of(ball))
    print(f"{count} balls of {args.captain} with itself, {args.decisions} by {args.decisions}: {wrong.total()} wrong")
    for fault, times in wrong.most_common(40):
        print(f"WRONG {times} {fault}")


if __name__ == "__main__":
    main()
