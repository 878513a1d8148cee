"""The ground of a moment as shapes, above the scorecard; after the end the course of the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin

from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH, Area, Disc, Point, Scene, Shape, Trace, Words
from grandstand.games.cricket.card.camera import ROPE, Camera, box, camera, circle, round_line, stripes
from grandstand.games.cricket.card.moment import MatchMoment, moment
from grandstand.games.cricket.card.standing import STRONG, overs
from grandstand.games.cricket.laws.field import PITCH_M, POSITIONS

PANEL = 134
"""The height of the scorecard below the ground."""
TOP = BOARD_HEIGHT - PANEL

AIR = "#dfe0cf"
AROUND = "#54794a"
OUTFIELD = "#6a9a58"
STRIPE = "#5f9050"
PITCH = "#d9c496"
ROPE_WHITE = "#fdf8ea"
KIT = {"home": "#2459b2", "away": "#b84c0e"}
"""The shirts, on grass."""
WAYS = {"dot": "#d5dfcd", "run": "#ffffff", "four": "#7fd6ff", "six": "#ffd75e", "wicket": "#ff6b57"}
"""The colours of the paths of balls on grass, by result: those of the page."""
STRIP, ON_STRIP, SOFT = "#1b252e", "#f4ecdc", "#a9b2b5"
SHEET, RULE = "#faf6ec", "#dfd6c0"


def picture(scene: Scene) -> Sequence[Shape]:
    """Return the board at `scene`."""
    now = moment(scene)
    if now.result:
        return list(_course(now))
    at = camera(20, 14, BOARD_WIDTH - 40, TOP - 24)
    return [*_ground(at), *_fielders(at, now), *_ball(at, now), *_panel(now)]


def _ground(at: Camera) -> Iterator[Shape]:
    yield Area([[(0, 0), (BOARD_WIDTH, 0), (BOARD_WIDTH, BOARD_HEIGHT), (0, BOARD_HEIGHT)]], AIR)
    yield Area([round_line(at, ROPE + 5)], AROUND)
    yield Area([round_line(at, ROPE)], OUTFIELD)
    yield Area(stripes(at), STRIPE)
    yield Trace([round_line(at, ROPE)], ROPE_WHITE, 2.4)
    yield Trace([circle(at)], "#ffffff80", 1.6, dash=6)
    yield Area([box(at, 1.9, -1.2, PITCH_M + 1.2)], PITCH)
    for up in (0.0, PITCH_M):
        yield Trace([[at(-1.3, up), at(1.3, up)]], "#3a2c18", 1.6)


def _fielders(at: Camera, now: MatchMoment) -> Iterator[Shape]:
    innings = now.current
    if innings is None:
        return
    fielding = "away" if innings.batting == "home" else "home"
    side = _side(now)
    for position in now.places:
        place = POSITIONS.get(position)
        if place is not None and place.depth not in ("keeper", "bowler"):
            yield from _player(at(side * place.x_leg, place.y_bowler), KIT[fielding])
    if now.places:
        keeper = POSITIONS["wicketkeeper"]
        yield from _player(at(side * keeper.x_leg, keeper.y_bowler), KIT[fielding])
        yield from _player(at(side * -1.4, PITCH_M - 1.6), KIT[fielding])
    if now.batters:
        yield from _player(at(side * -0.5, 1.1), KIT[innings.batting])
        yield from _player(at(side * 3.2, PITCH_M - 1.2), KIT[innings.batting])


def _player(at: Point, kit: str) -> Iterator[Shape]:
    x, y = at
    yield Disc((x + 1.5, y + 2), 8.5, "#00000030")
    yield Disc((x, y), 8, kit, "#ffffff", 1.8)


def _side(now: MatchMoment) -> int:
    """Return 1 if the leg side is on the bowler's right, as it is for a right-handed batter, else -1."""
    return -1 if now.hand(now.striker) == "left" else 1


def _ball(at: Camera, now: MatchMoment) -> Iterator[Shape]:
    ball = now.ball
    if ball is None:
        return
    kind = "wicket" if ball["wicket"] else "dot"
    if not ball["wicket"] and ball["total"]:
        kind = "run"
        if ball["boundary"]:
            kind = "six" if ball["runs"] == 6 else "four"
    end = at(0.0, 0.0)
    if ball["hit"]:
        angle, far = ball["hit"][0], min(ball["hit"][1], ROPE + 20)
        side = -1 if now.hand(ball["batter"]) == "left" else 1
        end = at(side * far * sin(radians(angle)), far * cos(radians(angle)))
        yield Trace([[at(0.0, 1.0), end]], "#00000040", 7.5)
        yield Trace([[at(0.0, 1.0), end]], WAYS[kind], 4.5)
    mark = "W" if kind == "wicket" else str(ball["mark"])
    if mark != ".":
        x, y = end
        x, y = min(max(x, 28.0), BOARD_WIDTH - 28.0), min(max(y, 28.0), TOP - 28.0)
        yield Disc((x, y), 19, WAYS[kind], "#1b252e", 2)
        yield Words(mark, (x, y), 23 if len(mark) < 3 else 16, "#1b252e", "bold", "middle")


def _panel(now: MatchMoment) -> Iterator[Shape]:
    yield Area([[(0, TOP), (BOARD_WIDTH, TOP), (BOARD_WIDTH, BOARD_HEIGHT), (0, BOARD_HEIGHT)]], STRIP)
    innings = now.current
    if innings is None:
        yield Words("Before the first ball", (28, TOP + PANEL / 2), 26, ON_STRIP, "bold")
        return
    yield Area([[(0, TOP), (10, TOP), (10, BOARD_HEIGHT), (0, BOARD_HEIGHT)]], KIT[innings.batting])
    for number, (name, (runs, balls)) in enumerate(list(now.batters.items())[:2]):
        y = TOP + 30 + 32 * number
        strike = name == now.striker
        yield Words(name + (" *" if strike else ""), (28, y), 23, ON_STRIP, "bold" if strike else "sans", width=225,
                    least=17)  # fmt: skip
        yield Words(f"{runs}", (300, y), 23, ON_STRIP, "bold", "right")
        yield Words(f"({balls})", (308, y), 19, SOFT)
    if now.bowler:
        yield Words(now.bowler, (380, TOP + 30), 23, ON_STRIP, width=190, least=17)
        balls, maidens, runs, wickets = now.figures.get(now.bowler, (0, 0, 0, 0))
        figures = f"{overs(balls)}-{maidens}-{runs}-{wickets}"
        yield Words(figures, (BOARD_WIDTH - 24, TOP + 30), 23, ON_STRIP, "bold", "right")
    for number, mark in enumerate(now.over[-9:]):
        yield from _chip(mark, (394 + 34 * number, TOP + 66))
    text = _score(now)
    yield Words(text, (28, TOP + 104), 25, ON_STRIP, "bold", width=BOARD_WIDTH - 56, least=18)


def _score(now: MatchMoment) -> str:
    innings = now.current
    if innings is None:
        return ""
    score = f"{now.team(innings.batting)} {innings.runs}/{innings.wickets} in {overs(innings.balls)}"
    return f"{score}, chasing {innings.target}" if innings.target is not None else score


def _chip(mark: str, at: Point) -> Iterator[Shape]:
    fill = {"4": WAYS["four"], "6": WAYS["six"], "W": WAYS["wicket"]}.get(mark[:1], "#3a4751")
    ink = STRIP if fill != "#3a4751" else ON_STRIP
    yield Disc(at, 14, fill)
    yield Words("·" if mark == "." else mark, at, 18 if len(mark) == 1 else 13, ink, "bold", "middle")


def _course(now: MatchMoment) -> Iterator[Shape]:
    """Yield the runs of both innings, ball by ball, with the wickets."""
    left, right, top, bottom = 64.0, BOARD_WIDTH - 40.0, 60.0, BOARD_HEIGHT - 60.0
    innings = [each for each in now.innings if not each.super_over]
    balls = max([6, *(6 * each.overs for each in innings)])
    most = max([10, *(each.runs for each in innings)])
    yield Area([[(0, 0), (BOARD_WIDTH, 0), (BOARD_WIDTH, BOARD_HEIGHT), (0, BOARD_HEIGHT)]], SHEET)

    def at(ball: float, runs: float) -> Point:
        return (left + (right - left) * ball / balls, bottom - (bottom - top) * runs / most)

    step = next(step for step in (10, 20, 25, 50, 100, 1000) if most / step <= 6)
    for runs in range(0, most + 1, step):
        yield Trace([[at(0, runs), at(balls, runs)]], RULE, 1.5)
        yield Words(str(runs), (left - 12, at(0, runs)[1]), 19, "#55606a", align="right")
    over = next(step for step in (1, 2, 5, 10, 50) if balls / 6 / step <= 10)
    for number in range(over, balls // 6 + 1, over):
        yield Words(str(number), (at(6 * number, 0)[0], bottom + 24), 19, "#55606a", align="middle")
    for each in innings:
        points = [at(ball, runs) for ball, runs, _ in each.course]
        yield Trace([points], SHEET, 9)
        yield Trace([points], STRONG[each.batting], 5)
        for before, after in pairwise(each.course):
            if after[2] > before[2]:
                yield Disc(at(after[0], after[1]), 6.5, SHEET, STRONG[each.batting], 3)
    for each in innings:
        x, y = at(*each.course[-1][:2])
        name = now.teams[each.batting]["short"] if each.batting in now.teams else each.batting
        above = each.runs == most
        place = (x - 12, y - 24) if above else (x + 4, y + 30)
        yield Words(f"{name} {each.runs}/{each.wickets}", place, 24, STRONG[each.batting], "bold", "right")
