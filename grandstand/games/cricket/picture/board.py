"""The ground of a moment as a picture, in metres; after the end the course of the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import cos, radians, sin
from typing import Final

from grandstand.games.cricket.laws.field import CIRCLE_M, PITCH_M, POSITIONS
from grandstand.games.cricket.picture.moment import InningsCourse, MatchMoment, moment
from grandstand.games.cricket.picture.standing import bowling, chase, overs, turn
from grandstand.games.picture import Picture, PictureFigure, Place, Point, Scene, Thing, Tone

WIDTH: Final = 162.0
HEIGHT: Final = 121.0
ROPE: Final = 72.0
"""Radius of the rope around the middle of the pitch; it contains all positions."""
FLAT: Final = 0.72
"""The height of the ground by its width, as it is seen from high behind the bowler."""
PLAYER: Final = 0.5


def picture(scene: Scene) -> Picture:
    """Return the board at `scene`."""
    now = moment(scene)
    if now.result:
        return _course(now)
    things = [*_fielders(now), *_batters(now), *_ball(now)]
    return Picture(_ground(), things, _describe(now), _figures(now), WIDTH, HEIGHT)


def _at(right: float, up: float) -> Point:
    """Return a point of the ground: metres to the right as the bowler looks, and up the pitch from the striker."""
    return (WIDTH / 2 + right, HEIGHT / 2 + FLAT * (up - PITCH_M / 2))


@cache
def _ground() -> Sequence[Place]:
    (left, top), (right, bottom) = _at(-CIRCLE_M, 0.0), _at(CIRCLE_M, PITCH_M)
    arc = f"A{CIRCLE_M:g} {FLAT * CIRCLE_M:.2f} 0 0 1"
    circle = f"M{left:.2f} {top:.2f}{arc} {right:.2f} {top:.2f}V{bottom:.2f}{arc} {left:.2f} {bottom:.2f}Z"
    pitch = Place("pitch", WIDTH / 2, HEIGHT / 2, 3.8, FLAT * (PITCH_M + 2.4), tone="dark")
    return [
        Place("outfield", WIDTH / 2, HEIGHT / 2, 2 * ROPE, 2 * FLAT * ROPE, "disc", tone="table"),
        Place("circle", WIDTH / 2, HEIGHT / 2, outline=circle),
        pitch,
    ]


def _fielders(now: MatchMoment) -> Iterator[Thing]:
    innings = now.current
    if innings is None or not now.places:
        return
    side, fielding = _side(now, now.striker), "away" if innings.batting == "home" else "home"
    places = {place: name for place, name in now.places.items() if place in POSITIONS and place != "bowler"}
    for place, name in {"wicketkeeper": "", **places}.items():
        spot = POSITIONS[place]
        point = _at(side * spot.x_leg, spot.y_bowler)
        yield Thing(place, "piece", point, name=f"{name} ({place})" if name else place, owner=fielding, size=PLAYER)
    point = _at(side * -1.4, PITCH_M - 1.6)
    yield Thing("bowler", "piece", point, name=f"{now.bowler} (bowler)".strip(), owner=fielding, size=PLAYER)


def _batters(now: MatchMoment) -> Iterator[Thing]:
    innings = now.current
    if innings is None or not now.batters:
        return
    side = _side(now, now.striker)
    for name in now.batters:
        point = _at(side * -0.5, 1.1) if name == now.striker else _at(side * 3.2, PITCH_M - 1.2)
        yield Thing(f"batter {name}", "piece", point, name=name, owner=innings.batting, size=PLAYER)


def _side(now: MatchMoment, batter: str) -> int:
    """Return 1 if the leg side is on the bowler's right, as it is for a right-handed batter, else -1."""
    return -1 if now.hand(batter) == "left" else 1


def _ball(now: MatchMoment) -> Iterator[Thing]:
    """Yield the way of the last ball, and its mark at the end."""
    ball = now.ball
    if ball is None:
        return
    tone: Tone = "bad" if ball["wicket"] else "light" if ball["total"] else "muted"
    if ball["boundary"] and not ball["wicket"]:
        tone = "" if ball["runs"] == 6 else "accent"
    end = _at(0.0, 0.0)
    if ball["hit"]:
        angle, far = radians(ball["hit"][0]), min(ball["hit"][1], ROPE + 4)
        end = _at(_side(now, ball["batter"]) * far * sin(angle), far * cos(angle))
        yield Thing("way", "line", _at(0.0, 1.0), end, tone=tone or "light", size=1.1)
    mark = "W" if ball["wicket"] else str(ball["mark"])
    if mark != ".":
        yield Thing("ball", "token", end, label=mark, name=f"the last ball: {mark}", tone=tone, size=1.7)


def _figures(now: MatchMoment) -> list[PictureFigure]:
    """Return the batters, the bowler and the marks of the over."""
    innings = now.current
    if innings is None:
        return []
    batting, fielding = (innings.batting, "away" if innings.batting == "home" else "home")
    figures = [
        PictureFigure(name + (" *" if name == now.striker else ""), f"{runs} ({balls})", batting)
        for name, (runs, balls) in list(now.batters.items())[:2]
    ]
    if now.bowler:
        figures.append(PictureFigure(now.bowler, bowling(now), fielding))
    if now.over:
        figures.append(PictureFigure("This over", ", ".join("·" if mark == "." else mark for mark in now.over[-9:])))
    return figures


def _describe(now: MatchMoment) -> str:
    innings = now.current
    if innings is None:
        return f"{turn(now)}."
    score = f"{now.team(innings.batting)} {innings.runs}/{innings.wickets} in {overs(innings.balls)}"
    return ". ".join(filter(None, (score, chase(innings)))) + "."


def _course(now: MatchMoment) -> Picture:
    """Return the runs of both innings, ball by ball, with the wickets."""
    left, right, top, bottom = 64.0, 660.0, 60.0, 570.0
    innings = [each for each in now.innings if not each.super_over]
    balls = max([6, *(6 * each.overs for each in innings)])
    most = max([10, *(each.runs for each in innings)])

    def at(ball: float, runs: float) -> Point:
        return (left + (right - left) * ball / balls, bottom - (bottom - top) * runs / most)

    things: list[Thing] = []
    step = next(step for step in (10, 20, 25, 50, 100, 1000, most) if most / step <= 6)
    for runs in range(0, most + 1, step):
        things.append(Thing(f"{runs} runs", "line", at(0, runs), at(balls, runs), state="muted", size=0.3))
        things.append(
            Thing(f"at {runs}", "text", (left - 26, at(0, runs)[1]), label=str(runs), state="muted", size=0.75)
        )
    over = next(step for step in (1, 2, 5, 10, 50, balls) if balls / 6 / step <= 10)
    for number in range(over, balls // 6 + 1, over):
        point = (at(6 * number, 0)[0], bottom + 24)
        things.append(Thing(f"over {number}", "text", point, label=str(number), state="muted", size=0.75))
    for each in innings:
        things += _line(each, [at(ball, runs) for ball, runs, _ in each.course])
        x, y = at(*each.course[-1][:2])
        short = now.teams[each.batting]["short"] if each.batting in now.teams else each.batting
        beside = (x + 62, y) if x < right - 110 else (right - 50, min(y + 32, bottom - 18))
        point = (min(x, right - 50), y - 26) if each.runs == most else beside
        label = f"{short} {each.runs}/{each.wickets}"
        things.append(
            Thing(f"score {each.number}", "text", point, label=label, owner=each.batting, state="strong", size=0.95)
        )
    return Picture([], things, f"{now.result[0].upper()}{now.result[1:]}.", width=700, height=630)


def _line(innings: InningsCourse, points: Sequence[Point]) -> Iterator[Thing]:
    """Yield the course of an innings, and a disc at each wicket."""
    for number, (start, end) in enumerate(pairwise(points)):
        yield Thing(f"{innings.number}.{number}", "line", start, end, owner=innings.batting, size=2.0)
    for number, (before, after) in enumerate(pairwise(innings.course)):
        if after[2] > before[2]:
            point = points[number + 1]
            yield Thing(f"{innings.number}.{number} W", "piece", point, owner=innings.batting, size=0.42)
