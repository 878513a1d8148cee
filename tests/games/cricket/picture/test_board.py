"""The ground of a moment, and the course of a match."""

from __future__ import annotations

import re
from collections import Counter
from math import inf

from grandstand.games.cricket.picture import COLOURS
from grandstand.games.cricket.picture.board import HEIGHT, WIDTH, picture
from grandstand.games.picture import Scene
from tests.support.play.recordings import recorded, scene_until
from tests.support.source import ROOT


def test_colours_are_those_of_the_page() -> None:
    sides = (ROOT / "frontend/src/boards/cricket/sides.ts").read_text(encoding="utf-8")
    assert re.findall(r"strong: 'light-dark\((#\w+), (#\w+)\)'", sides) == [COLOURS["home"], COLOURS["away"]]


def test_a_ball_shows_eleven_fielders_two_batters_and_its_way() -> None:
    scene = scene_until(recorded("cricket"), "BallBowled")
    things = picture(scene).things
    assert Counter(thing.owner for thing in things if thing.kind == "piece") == {"home": 11, "away": 2}
    assert scene[-1][1]["mark"] == "4"
    (way,) = [thing for thing in things if thing.kind == "line"]
    (ball,) = [thing for thing in things if thing.kind == "token"]
    assert (way.to, way.tone, ball.label) == (ball.at, "accent", "4")


def test_the_figures_are_those_of_the_batters_the_bowler_and_the_over() -> None:
    scene = scene_until(recorded("cricket"), "BallBowled", 3)
    ball = scene[-1][1]
    shown = picture(scene)
    figures = {figure.label: (figure.value, figure.owner) for figure in shown.figures}
    runs, balls = ball["batter_card"][:2]
    assert figures[f"{ball['batter']} *"] == (f"{runs} ({balls})", "away")
    assert figures[ball["bowler"]][0].endswith(f"-{ball['bowler_card'][2]}-{ball['bowler_card'][3]}")
    assert figures["This over"][0].count(",") == 2
    assert f"{ball['score'][0]}/{ball['score'][1]}" in shown.describe


def test_no_ball_leaves_the_ground() -> None:
    scene = list(scene_until(recorded("cricket"), "BallBowled"))
    scene[-1] = (scene[-1][0], {**scene[-1][1], "hit": [-84, inf]})
    (way,) = [thing for thing in picture(scene).things if thing.kind == "line"]
    assert isinstance(way.to, tuple)
    assert 0 < way.to[0] < WIDTH
    assert 0 < way.to[1] < HEIGHT


def test_every_moment_of_a_match_can_be_drawn() -> None:
    events = recorded("cricket")
    scene: Scene = [(event.type, event.data) for event in events if event.audience == "public"]
    for stop in range(0, len(scene), 5):
        shown = picture(scene[:stop])
        assert shown.describe.endswith(".")
        assert len({thing.id for thing in shown.things}) == len(shown.things)
    assert {"RIV 83/2", "COP 69/7"} <= {thing.label for thing in picture(scene).things}


def test_the_course_has_a_disc_at_each_wicket_of_both_innings() -> None:
    events = recorded("cricket")
    discs = Counter(
        thing.owner for thing in picture(scene_until(events, "MatchDecided")).things if thing.kind == "piece"
    )
    ended = [event.data for event in events if event.type == "InningsEnded"][:2]
    assert discs == {innings["batting"]: innings["wickets"] for innings in ended}
