from __future__ import annotations

import pytest

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.model.picture.path import Hit
from grandstand.games.cricket.model.picture.story import BallStory
from grandstand.games.cricket.model.picture.words import describe, region

FOUR, SIX, OUT = Ball(4, boundary=True), Ball(6, boundary=True), Ball(dismissal=Dismissal("caught", 0))


@pytest.mark.parametrize(
    ("story", "ball", "out", "words"),
    [
        (BallStory("cut", "hit", Hit(-110, 67, "point", None)), FOUR, None, "cut past backward point"),
        (BallStory("cover_drive", "hit", Hit(-60, 77, "cover", None)), FOUR, None, "driven through the covers"),
        (BallStory("loft_straight", "hit", Hit(-12, 92, "long_off", None)), SIX, None, "lofted over long-off"),
        (BallStory("push", "hit", Hit(60, 27, "midwicket", "midwicket")), Ball(1), None, "worked to midwicket"),
        (BallStory("cut", "hit", Hit(-95, 45, "point", "point")), Ball(2), None, "cut past point"),
        (BallStory("flick", "hit", Hit(80, 6, "midwicket", None)), Ball(), None, "flicked into the ground"),
        (BallStory("cover_drive", "beaten", None), Ball(), None, "beaten, driving"),
        (BallStory("leave", "left", None), Ball(), None, "left alone"),
        (BallStory(None, "ducked", None), Ball(), None, "ducked under"),
        (BallStory("flick", "pad", None), Ball(1, "legbyes"), None, "hit on the pad, flicking"),
        (BallStory("leave", "pad", None), Ball(), None, "padded up"),
        (
            BallStory("forward_defence", "defended", Hit(5, 3, "long_on", None)),
            Ball(),
            None,
            "defended off the front foot",
        ),
        (BallStory("cut", "inside_edge", None), OUT, "bowled", "inside edge on to the stumps, cutting"),
        (BallStory("sweep", "beaten", None), OUT, "bowled", "sweeping and missing"),
        (BallStory("leave", "left", None), OUT, "bowled", "no stroke offered"),
        (BallStory("slog", "beaten", None), OUT, "stumped", "down the pitch, slogging, and beaten"),
        (BallStory("pull", "beaten", None), OUT, "hit wicket", "treads on the stumps, pulling"),
        (
            BallStory("push", "outside_edge", Hit(-180, 15, "third", "wicketkeeper")),
            OUT,
            "caught",
            "outside edge behind, pushing",
        ),
        (BallStory("slog", "hit", Hit(20, 75, "long_on", "long-on")), OUT, "caught", "slogged in the air to long-on"),
        (
            BallStory("push", "hit", Hit(-4, 17, "long_off", "bowler")),
            OUT,
            "caught and bowled",
            "pushed back to the bowler",
        ),
    ],
)
def test_a_picture_in_words(story: BallStory, ball: Ball, out: str | None, words: str) -> None:
    assert describe(story, ball, out) == words


def test_every_direction_has_a_name() -> None:
    for angle in range(-180, 180):
        assert region(angle, six=False)
        assert region(angle, six=True).startswith(("over ", "straight over "))
    assert region(0, six=False) == "straight down the ground"
