from __future__ import annotations

import pytest

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.model.picture.path import Hit
from grandstand.games.cricket.model.picture.story import Story
from grandstand.games.cricket.model.picture.words import describe, region

FOUR, SIX, OUT = Ball(4, boundary=True), Ball(6, boundary=True), Ball(dismissal=Dismissal("caught", 0))


@pytest.mark.parametrize(
    ("story", "ball", "out", "words"),
    [
        (Story("cut", "hit", Hit(-110, 67, "point", None)), FOUR, None, "cut past backward point"),
        (Story("cover_drive", "hit", Hit(-60, 77, "cover", None)), FOUR, None, "driven through the covers"),
        (Story("loft_straight", "hit", Hit(-12, 92, "long_off", None)), SIX, None, "lofted over long-off"),
        (Story("push", "hit", Hit(60, 27, "midwicket", "midwicket")), Ball(1), None, "worked to midwicket"),
        (Story("cut", "hit", Hit(-95, 45, "point", "point")), Ball(2), None, "cut past point"),
        (Story("flick", "hit", Hit(80, 6, "midwicket", None)), Ball(), None, "flicked into the ground"),
        (Story("cover_drive", "beaten", None), Ball(), None, "beaten, driving"),
        (Story("leave", "left", None), Ball(), None, "left alone"),
        (Story(None, "ducked", None), Ball(), None, "ducked under"),
        (Story("flick", "pad", None), Ball(1, "legbyes"), None, "hit on the pad, flicking"),
        (Story("leave", "pad", None), Ball(), None, "padded up"),
        (Story("forward_defence", "defended", Hit(5, 3, "long_on", None)), Ball(), None, "defended off the front foot"),
        (Story("cut", "inside_edge", None), OUT, "bowled", "inside edge on to the stumps, cutting"),
        (Story("sweep", "beaten", None), OUT, "bowled", "sweeping and missing"),
        (Story("leave", "left", None), OUT, "bowled", "no stroke offered"),
        (Story("slog", "beaten", None), OUT, "stumped", "down the pitch, slogging, and beaten"),
        (Story("pull", "beaten", None), OUT, "hit wicket", "treads on the stumps, pulling"),
        (
            Story("push", "outside_edge", Hit(-180, 15, "third", "wicketkeeper")),
            OUT,
            "caught",
            "outside edge behind, pushing",
        ),
        (Story("slog", "hit", Hit(20, 75, "long_on", "long-on")), OUT, "caught", "slogged in the air to long-on"),
        (
            Story("push", "hit", Hit(-4, 17, "long_off", "bowler")),
            OUT,
            "caught and bowled",
            "pushed back to the bowler",
        ),
    ],
)
def test_a_picture_in_words(story: Story, ball: Ball, out: str | None, words: str) -> None:
    assert describe(story, ball, out) == words


def test_every_direction_has_a_name() -> None:
    for angle in range(-180, 180):
        assert region(angle, six=False)
        assert region(angle, six=True).startswith(("over ", "straight over "))
    assert region(0, six=False) == "straight down the ground"
