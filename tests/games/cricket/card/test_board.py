"""The ground of a card."""

from __future__ import annotations

import re
from math import inf

from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH, Disc, Trace, Words
from grandstand.games.cricket.card import board
from grandstand.games.cricket.card.board import KIT, WAYS, picture
from grandstand.games.cricket.card.standing import STRONG
from tests.support.play.recordings import recorded, scene_until
from tests.support.source import ROOT

PAGE = ROOT / "frontend" / "src" / "boards" / "cricket"


def test_colours_are_those_of_the_page() -> None:
    sides = (PAGE / "sides.ts").read_text(encoding="utf-8")
    pattern = r"strong: 'light-dark\((#\w+), #\w+\)', kit: '(#\w+)'"
    assert re.findall(pattern, sides) == [(STRONG["home"], KIT["home"]), (STRONG["away"], KIT["away"])]
    grass = (PAGE / "ground/grass.ts").read_text(encoding="utf-8")
    for name, colour in {"outfield": board.OUTFIELD, "stripe": board.STRIPE, "pitch": board.PITCH}.items():
        assert f"{name}: 'light-dark({colour}," in grass
    ways = grass[grass.index("WAYS") : grass.index("MARKS")]
    assert dict(re.findall(r"(\w+): '(#\w{6})',", ways)) == WAYS


def test_a_ball_shows_eleven_fielders_two_batters_and_its_way() -> None:
    scene = scene_until(recorded("cricket"), "BallBowled")
    discs = [shape for shape in picture(scene) if isinstance(shape, Disc) and shape.radius == 8]
    assert sorted(shape.fill for shape in discs) == sorted([KIT["home"]] * 11 + [KIT["away"]] * 2)
    assert scene[-1][1]["mark"] == "4"
    assert any(isinstance(shape, Trace) and shape.colour == WAYS["four"] for shape in picture(scene))
    assert any(isinstance(shape, Words) and shape.text == "4" for shape in picture(scene))


def test_no_ball_leaves_the_board() -> None:
    scene = list(scene_until(recorded("cricket"), "BallBowled"))
    scene[-1] = (scene[-1][0], {**scene[-1][1], "hit": [-84, inf]})
    lines = [shape for shape in picture(scene) if isinstance(shape, Trace) and shape.colour == WAYS["four"]]
    assert all(abs(x) < 2 * BOARD_WIDTH and abs(y) < 2 * BOARD_HEIGHT for line in lines for x, y in line.lines[0])


def test_every_moment_of_a_match_can_be_drawn() -> None:
    events = recorded("cricket")
    scene = [(event.type, event.data) for event in events if event.audience == "public"]
    for stop in range(0, len(scene), 5):
        assert picture(scene[:stop])
    words = [shape.text for shape in picture(scene) if isinstance(shape, Words)]
    assert {"RIV 83/2", "COP 69/7"} <= set(words)
